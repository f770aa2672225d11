# Engines of SQL: SQLite, PostgreSQL, MySQL and MariaDB, DuckDB.
about SQL engines: the error without the statement's text
rank 40

# DuckDB
pick ((?:INTERNAL|FATAL) Error: [^\n]+|(?:Binder|Parser|Catalog|Conversion|Constraint|Invalid Input|Out of Range|Not implemented|IO) Error: [^\n]+)
# PostgreSQL says two blanks.
pick ^(?:psql:[^\n]*?: ?)?((?:ERROR|FATAL|PANIC):  [^\n]+)
pick (TRAP: [^\n]+?)(?:, File:|$)
# MySQL
pick ^(ERROR \d+ \(\w+\))[^\n:]*: ([^\n]+)
# SQLite
pick ^(Parse error|Runtime error|Error)(?: near line \d+|: near line \d+|: in prepare|, in prepare)[:,]? ([^\n]+)
mask near "[^"\n]*" => near
