# Haskell, OCaml, Erlang, Elixir, Lisps, Prolog.
about functional languages: uncaught exceptions and compilers that panic
rank 33
pick (panic! \(the 'impossible' happened\))[^\n]*\n(?:[^\n]*version[^\n]*\n)?\s*([^\n]+)
pick ^(Fatal error: exception [^\n]+)
pick ^(Exception: [^\n]+)$
pick (>> Fatal error: [^\n]+)
pick ^\*\* \(([\w.]+)\) ([^\n]+)
pick ^(?:escript: )?(exception (?:error|exit|throw): [^\n]+)
pick "init terminating in do_boot",\{(\w+),\[\{(\w+,\w+),
pick ^(?:[\w./-]+: )?((?:Prelude\.\w+|Non-exhaustive|Maybe\.fromJust|stack overflow|<<loop>>|ioError|user error)[^\n]*)
pick ^(debugger invoked on a [\w:-]+|Unhandled [A-Z][\w:-]+)[^\n]*(?:\n +\{\w+\}>)?:\n +([^\n]+(?:\n  +[^\n]+){0,3})
pick ^(debugger invoked on a [^\n]*|Unhandled [A-Z][\w:-]+[^\n]*)
pick ^[^\s:]+:\d+:\d+: (In procedure [^\s:]+:)\n[^\n:]+:\d+:\d+: ([^\n]+)
pick ^(?:Warning|ERROR): [^\n]*raised exception:\n(?:Warning|ERROR): +([^\n]+)
mask #Ref<[^>]*>|#PID<[^>]*>|<\d+\.\d+\.\d+> => …
