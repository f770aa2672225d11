# Solvers and provers: Z3, cvc5, MiniSat and its family, Boolector, Coq, Lean, Isabelle.
about solvers: failed assertions, internal errors, (error "...")
rank 34
pick (ASSERTION VIOLATION)\s+File: (\S+)\s+Line: (\d+)\s+([^\n]+)
pick (Fatal failure within [^\n]+)
pick \(error "(?:line \d+ column \d+: )?(?:Parse Error: [^\s:]+:\d+\.\d+: )?([^\n]*?)(?:"\)|$)
pick (unexpected (?:unsat|sat|model)[^\n]*|invalid model[^\n]*)
pick ^(?:c )?(?:\w+: )?((?:fatal|internal|parse) error: [^\n]+)
pick ^(Error: Anomaly [^\n]*|Anomaly: [^\n]*)
mask Line: \d+ =>
mask line \d+ => line
