# make, ninja, cmake: the line that says what failed.
about build tools: the rule that failed and why
rank 39

pick ^(?:[^\n]*?make(?:\[\d+\])?|gmake(?:\[\d+\])?|[^\n]+?:\d+): (\*\*\* [^\n]+)
pick ^(FAILED: [^\n]+)
pick ^(ninja: (?:error|fatal): [^\n]+)
pick ^(CMake Error)[^\n]*:\n(?:\s*\n)?\s+([^\n]+)
pick ^(CMake Error: [^\n]+)
mask Error \d+$ => Error
mask ^\*\*\* \[(?:\S+?:\d+: )? => *** [
