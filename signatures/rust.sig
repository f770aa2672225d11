# Panics of programs in Rust, rustc's own among them, and rustc's delayed bugs.
about Rust: the panic's message, the file it is in, and rustc's internal errors
rank 19
absent ^error(?:\[E\d+\])?: (?!internal compiler error|aborting due|could not compile|the compiler unexpectedly)
pick (error: internal compiler error:) (?<file>[^\s:]*\brustc[^\s:]*:\d+:\d+): ([^\n]+)
pick (error: internal compiler error: [^\n]+)
pick thread '[^'\n]*'(?: \(\d+\))? panicked at '(?<text>[^\n]*)', (?<file>[^\n:]+:\d+:\d+)
pick thread '[^'\n]*'(?: \(\d+\))? panicked at (?<file>[^\n:]+:\d+:\d+):\n(?<text>[^\n]+)
pick (fatal runtime error: [^\n]+)
pick (has overflowed its stack)
# Where a compiler panics says more than with which of the file's names it did.
mask DefId\([^)]*\)(?:, \d+)? => DefId
mask /rustc/[0-9a-f]+/ =>
mask index out of bounds: the len is \d+ but the index is \d+ => index out of bounds
