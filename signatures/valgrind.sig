# valgrind's memcheck and its relatives, and what valgrind says of a crash.
about valgrind: the first error and the innermost frame of the program
rank 12
pick ^==\d+== (Invalid (?:read|write|free\(\)[^\n]*|jump)[^\n]*)
pick ^==\d+== (Conditional jump or move depends on uninitialised value\(s\))
pick ^==\d+== (Use of uninitialised value of size \d+)
pick ^==\d+== (Syscall param \S+ [^\n]*)
pick ^==\d+== (Mismatched free\(\)[^\n]*|Source and destination overlap in \w+|Argument '\w+' of function \w+ has a fishy[^\n]*|Possible data race [^\n]*|Jump to the invalid address)
pick ^==\d+== +(Process terminating with default action of signal \d+ \(\w+\))
pick ^==\d+== (\d+ bytes in \d+ blocks are definitely lost)
frame ^==\d+== +(?:at|by) 0x[0-9A-Fa-f]+: (\S+) \((?:in )?([^\s():]+)[^)]*\)
not-frame vg_replace|vgpreload|libc[.-]|ld-linux
mask ^\d+ bytes in \d+ blocks => blocks
mask during (?:read|write) of size \d+ by thread #\d+ => during access
mask at 0x[0-9A-Fa-f]+ =>
