# What the C library, the loader and the run time of compilers say before a program ends.
about C library: assertions, aborts, corrupted memory, what terminates C++
rank 30
pick ^(?:[^\n]*?[\s:])?(?<file>[\w./+~-]+:\d+): [^\n]*?(?<text>Assertion `[^\n]+' failed)
pick ^[^\n]*?([\w.+-]+: (?:[^\n:]+: )?Assertion `[^\n]+' failed)\.?
pick (?:Assertion failed: [^\n]+)
pick \*\*\* (stack smashing detected|buffer overflow detected|longjmp causes uninitialized stack frame|%n in writable segment detected|bit out of range[^\n]*) \*\*\*
pick ^((?:free|malloc|realloc|calloc|munmap_chunk|malloc_consolidate|corrupted|double free|_int_malloc|unlink_chunk)[^\n]*(?:invalid|corrupt|double free|overlap|mismatching|unsorted|unaligned|not a chunk|size vs)[^\n]*)
pick (terminate called after throwing an instance of '[^'\n]+'(?:\s+what\(\): +[^\n]+)?)
pick (terminate called (?:without an active exception|recursively))
pick (pure virtual method called)
pick (error while loading shared libraries: [^\n]+|symbol lookup error: [^\n]+)
pick (stack level too deep|Fatal glibc error: [^\n]+)
mask ^[\w.+-]+: [^\s:]+: => 
