# AddressSanitizer, LeakSanitizer, MemorySanitizer, ThreadSanitizer, UndefinedBehaviorSanitizer (gcc's and clang's).
about sanitizers: the kind of error and the innermost frame of the program
rank 10

# "==1==ERROR: AddressSanitizer: heap-buffer-overflow on address 0x... at pc ..." : the kind, not the addresses.
pick ERROR: (\w+Sanitizer: SEGV) on unknown address
pick (?:ERROR|WARNING): (\w+Sanitizer: attempting (?:double-free|free on address))
pick (?:ERROR|WARNING): (\w+Sanitizer: [\w-]+(?: \([\w-]+\))?)(?: on (?:address|unknown)| in| \(|:| +0x|$)
pick (?:ERROR|WARNING): (\w+Sanitizer: [^\n(0-9]+)
pick ^[^\n:]+:\d+:\d+: (runtime error: [^\n]+)
pick ^(SUMMARY: \w+Sanitizer: [\w-]+)

frame ^\s+#\d+ 0x[0-9a-f]+ in (.+?) \(?([^\s()]+?)(?::\d+)*(?:\+0x[0-9a-f]+)?\)?(?: \(BuildId.*\))?$
frame ^\s+#\d+ ([\w:~<>]+(?:\(.*?\))?) (/?[^\s():]+)(?::\d+)+
not-frame \b(?:__interceptor_|__asan|__lsan|__msan|__tsan|__ubsan|__sanitizer|operator (?:new|delete)|(?:mem|str|wcs)[a-z]+ |malloc|calloc|realloc|free|abort|raise|__GI_|__libc_|__assert_fail|printf|puts )|sanitizer_common|libc_start_call_main|csu/libc-start|/asan_
mask \(.*?\)$ =>
mask (?<=index )-?\d+
mask (?<=: )-?[\d.e+]+ (?=(?:is outside|cannot be represented)) => … 
mask (integer overflow): -?\d+ [-+*/] -?\d+ cannot => \1: cannot
mask load of value \d+ => load of value
mask (?:address|pointer) 0x[0-9a-f]+ => address
mask exponent -?\d+ => exponent
