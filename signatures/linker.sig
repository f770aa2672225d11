# Linkers: GNU ld, gold, lld, mold.
about linkers: internal errors, undefined and repeated symbols, relocations
rank 45
pick (?:ld|ld\.bfd|ld\.gold|ld\.lld|lld|mold|collect2)(?:\.exe)?: (?:fatal |internal )?(?:error: )?(BFD [^\n]*(?:assertion fail|internal error)[^\n]*|internal error[^\n]*)
pick (undefined reference to [^\n]+|multiple definition of [^\n;]+)
pick (?:error: )((?:undefined|duplicate) symbol: [^\n]+)
pick (relocation (?:truncated to fit: )?R_\w+[^\n]*)
pick (cannot find -l\S+)
mask \(\.text[^)]*\) =>
