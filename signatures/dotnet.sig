# .NET: C#, F#, Visual Basic on .NET and Mono.
about .NET: the unhandled exception and its innermost frame
rank 29
needs ^\s+at |Process terminated
pick Unhandled [Ee]xception[.:]\s*((?:[\w.]+)Exception: [^\n]*)
pick \[ERROR\] FATAL UNHANDLED EXCEPTION: ([^\n]+)
pick (Process terminated\. [^\n]*)
frame ^\s+at ([\w.`<>+\[\], ]+?) ?\(
not-frame ^\s+at System\.
