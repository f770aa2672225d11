# clang, and the tools of LLVM (opt, llc, lld, flang, swiftc, rustc's back end): assertions, unreachables, fatal errors, stack dumps.
about LLVM tools: the assertion or fatal error, or the innermost own frame of the stack dump
rank 21
needs Stack dump:|PLEASE submit a bug|LLVM ERROR|UNREACHABLE executed|clang|/llvm|lib/(?:IR|CodeGen|Transforms|Analysis|Target|Sema|AST|Support)/
absent ^[^\n]*: error: (?!clang frontend)
pick (?<file>[\w./+~-]+:\d+): [^\n]*?Assertion `(?<text>[^\n]+)' failed\.
pick Assertion `([^\n]+)' failed\.
pick Assertion failed: \(([^\n]+)\), function
pick ((?:UNREACHABLE executed|unreachable executed)) at (?<file>[^\s:]+:\d+)
pick ((?:UNREACHABLE executed|unreachable executed)[^\n]*)
pick (?:fatal error: error in backend|LLVM ERROR|fatal error in backend): ([^\n]+)
pick error: (clang frontend command failed due to signal)
pick ^(Stack dump):
pick (PLEASE submit a bug report to [^\n]*)
frame ^\s*#\d+ 0x[0-9a-f]+ (?:\([^()\n]*\) )?([\w:~<>, *&]+?(?:::[\w~]+)*)\((?!.*CrashRecovery)
frame ^\s*#\d+ 0x[0-9a-f]+ ([\w:~]+) 
frame ^\S+?\((?<function>_Z\w+)\+0x[0-9a-f]+\)\[0x
frame ^ *#\d+ 0x[0-9a-f]+ \([^()\n]*/([\w.+-]+\+0x[0-9a-f]+)\)
not-frame PrintStackTrace|RunSignalHandlers|CleanupOnSignal|SignalHandler|CrashRecovery|__restore_rt|libc\.so|libpthread|raise|abort|__assert|llvm_unreachable_internal|report_fatal_error|HandleCrash|^\s*#\d+ 0x[0-9a-f]+ \(/lib
frames 2
mask PLEASE submit.* => crash
mask ^Stack dump => crash
