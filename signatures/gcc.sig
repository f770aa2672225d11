# The compilers of the GNU collection: C, C++, Fortran, Ada, Go, D; and what collect2 and as say.
about GNU compilers: the internal compiler error and its innermost own frame
rank 20
absent ^[^\n]*: (?:fatal )?[Ee]rror: (?!internal compiler)
absent ^Error: 
pick during (\w+ pass: \S+)\n(?:[^\n]*\n){0,3}?[^\n]*?(internal compiler error: (?:in [^\n:,]+(?=, at )|[^\n:]+))(?:, at (?<file>[^\s:]+:\d+))?
pick (?<!error: )(internal compiler error: in [^\n:,]+), at (?<file>[^\s:]+:\d+)
pick (?<!error: )(internal compiler error: [^\n]+?)(?:, at (?<file>[^\s:]+:\d+)[^\n]*)?$
pick \+=+GNAT BUG DETECTED=+\+\s*\n\|[^|\n]*?\)? ?((?:Assert_Failure|Constraint_Error|Program_Error|Storage_Error|Assertion|GCC error:?|SYSTEM\.\S+)[^|\n]*?)\s*\|
pick (verify_\w+ failed)
pick ^[^\n:]*: (fatal error: Killed signal terminated program \w+)
frame ^0x[0-9a-f]+ ([\w:~]+)
frame ^0x[0-9a-f]+ ([^\n(]+)\(
not-frame \bfancy_abort|internal_error|crash_signal|diagnostic|_start$|backtrace|libc_start|\?\?\?
mask :\d+ $ =>
# In a failed check of trees or RTL: what was seen instead varies with the input.
mask tree check: expected (?:\w+(?: or )?)+, have \w+ => tree check:
