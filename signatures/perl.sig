# Perl: messages of die and of perl itself; where they come from, without lines.
about Perl: the message that ends the program
rank 60
pick-last ^([^\n]+) at ([^\n]+?) line \d+(?:, <\w*> (?:line|chunk) \d+)?\.$
pick ^([^\n]+) at ([^\n]+?) line \d+, ((?:near|at) [^\n]+)
pick ^(panic: [^\n]+)
mask \b(?:HASH|ARRAY|CODE|SCALAR|GLOB|REF)\(0x[0-9a-f]+\) => ref
