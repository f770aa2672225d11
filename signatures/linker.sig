# Linkers: GNU ld, gold, lld, mold.
about linkers: internal errors, undefined and repeated symbols, relocations, layout
rank 45
pick (?:ld|ld\.bfd|ld\.gold|ld\.lld|lld|mold|collect2)(?:\.exe)?: (?:fatal |internal )?(?:error: )?(BFD [^\n]*(?:assertion fail|internal error)[^\n]*|internal error[^\n]*)
pick (undefined reference to [^\n]+|multiple definition of [^\n;]+)
pick (?:error: )((?:undefined|duplicate) symbol: [^\n]+)
pick (relocation (?:truncated to fit: )?R_\w+[^\n]*)
pick (cannot find -l\S+)
# Else what the linker itself says first: a region that overflows, a script that it cannot read.
pick ^(?:[^\s:]*[/-])?ld(?:\.\w+)?(?:\.exe)?: ?(?![^\n]*\b(?:warning|note|in function\b))(?:[^\s:]+:(?:\d+:)* )?([^\n]+)
mask overflowed by \d+ bytes => overflowed
mask \(\.text[^)]*\) =>
