# git, and programs in its manner.
about git: BUG, fatal, error
rank 61
pick ^(BUG): (?<file>[^\n:]+:\d+): ([^\n]+)
pick ^(fatal: [^\n]+)
pick ^(?:[^\n: ]+: )?(panicked at [^\n]+)
