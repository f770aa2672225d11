# Shells, awk, sed, Lua, Tcl, R, Julia, jq and other small interpreters.
about small interpreters: the first error without its line
rank 65

pick ^(?:lua\S*: )[^\n:]+:\d+: ([^\n]+)
pick ^([^\n]+)\n    (?:while (?:executing|compiling)|invoked from within)
pick ^(?:\S*/)?((?:ba|da|z|k)?sh): (?:-c: )?(?:line )?\d+: ([^\n]+)
pick ^[^\n:]+: (?:line )?\d+: ([^\n]*(?:[Ss]yntax error|not found|[Bb]ad substitution|unexpected)[^\n]*)
pick ^(?:g|m|n)?awk: (?:cmd\. line|[^\n:]+):\d+: (?:\(FILENAME=[^\n)]*\) )?\s*(\^ [^\n]+|fatal: [^\n]+)
pick ^(jq: error(?: \([^)]*\))?(?: at [^:\n]*)?: [^\n]+)
pick ^(Error in [^\n]+)
pick ^ERROR: (?:LoadError: )?([^\n]+)
pick ^(sed: -e expression #\d+, char \d+: [^\n]+)
mask char \d+ => char
