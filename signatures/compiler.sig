# What compilers, assemblers and generators say of their input: the first error. Nearly last, so that a compiler's own
# failure comes first.
about compilers: the first error in the input, without its place
rank 80

pick ^(?:[\w.+-]+: ){0,3}[^\s:][^\n:]*:\d+(?:[:.]\d+)*(?:-\d+)?: (?:fatal error|error|Error|ERROR|Fatal error|Fatal Error): ([^\n]+)
pick ^(error(?:\[E\d+\])?: [^\n]+)
pick ^[^\n(]+\(\d+,\d+\): (error \w+: [^\n]+)
pick ^(?:vet: )?\.?/?[^\n:]+\.go:\d+:\d+: ([^\n]+)
pick ^\[(?:ERROR|error)\] [^\n:]+:(?:\[\d+,\d+\]|\d+:\d+:) ([^\n]+)
pick ^(Fortran runtime error: [^\n]+)
pick ^[^\s:]+:\d+:(?:\d+:)? (?!\s|warning:|note:|[^\n]*\bIn procedure [^\n:]+:\n)([^\n]+)
