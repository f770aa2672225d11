# Ruby (MRI): exceptions with their innermost frame, and the interpreter's own bugs.
about Ruby: the exception, its message and the innermost method
rank 27
needs \.rb:\d+
needs ^-e:\d+
needs \bruby\b
pick ^[^\n:]+\.\w+:\d+:in [`'](?:[^'\n]*)': ([^\n]*\(\w[\w:]*\))
pick ^[^\n:]+:\d+: (\[BUG\] [^\n]*)
pick ^[^\n:]+:\d+: (syntax error[^\n]*)
pick ^(?:[^\n:]+: )?[^\n:]+:\d+:in [`'][^'\n]*': ([^\n]+)
frame ^(?:\s+from )?(?<file>[^\n:]+):\d+:in [`'](?:(?:block|rescue|ensure)(?: \(\d+ levels\))? in )?(?<function>[^'\n]*)'
not-frame <(?:main|top \(required\))>
