# What a shell, a kernel or a run time prints of a crash when nothing else is known.
about any program: a crash that only its shell tells of
rank 90
pick \b(Segmentation fault|Illegal instruction|Floating point exception|Bus error|Aborted|Trace/breakpoint trap)\b(?: \(core dumped\))?
pick \b(?<text>[Ii]nternal (?:compiler |consistency )?(?:error|failure)\b[^\n]*?),? (?:at|in) (?<file>[\w./+~-]+\.\w+:\d+)
pick \b([Ii]nternal (?:compiler |consistency )?(?:error|failure)[^\n]*)
pick (?<file>[\w./+~-]+\.\w+:\d+): [^\n]*?\b(?<text>[Aa]ssertion[^\n]*(?:failed|violated)[^\n]*)
pick \b([Aa]ssertion[^\n]*(?:failed|violated)[^\n]*|CHECK failed[^\n]*|DCHECK[^\n]*|panic(?:ked)?\b[^\n]*)
pick \b(out of memory|memory exhausted|stack overflow)\b
