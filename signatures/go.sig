# Go: panics, fatal errors of the run time, the compiler's internal errors.
about Go: the panic or fatal error and the innermost frame outside the run time
rank 23
pick ^(panic: [^\n]+)
pick ^(fatal error: (?:all goroutines|concurrent map|stack overflow|runtime|unexpected signal|out of memory|found bad)[^\n]*)
pick ((?:[^\n:]*: )?internal compiler error: [^\n]+)
frame ^([\w./*()-]+(?:\.func\d+(?:\.\d+)*)?)\([^\n]*\)\n\t([^\n:]+):\d+
not-frame ^(?:runtime[./]|panic\(|testing\.|main\.main\.func|sync[./]|reflect\.|internal/)
mask \[recovered[^\]]*\] =>
mask goroutine \d+ => goroutine
mask \[signal \w+.*?\] =>
mask index out of range \[\d+\] with length \d+ => index out of range
