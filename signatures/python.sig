# Python's tracebacks (CPython, PyPy): the exception that ended the program, whatever its name, which comes behind the frames and
# their lines; and the innermost frame that is not the standard library's. A frame says its file first, so its groups have names. The members of an exception group are behind "|".
about Python: the exception and the innermost frame of the program
rank 25
needs ^Traceback \(most recent
needs ^ +\+ Exception Group Traceback
needs ^[ |]+File "
needs Fatal Python error
needs ^E  +\S

pick-last ^  File "[^"\n]*", line \d+, in [^\n]*\n(?: [^\n]*\n)*\K([A-Za-z_][\w.]*(?:: [^\n]*)?)$
pick-last ^(?: *\| )?((?:[A-Za-z_][\w.]*\.)?[A-Z]\w*(?:Error|Exception|Warning|Interrupt|Exit|Iteration|Fault|Abort|Failure|Timeout|Invalid\w*|Missing\w*|NotFound|DoesNotExist)(?:: [^\n]*)?)$
pick ^E   +([^\n]+)$
pick (Fatal Python error: [^\n]+)
pick (SystemError: [^\n]+)

frame-before ^[ |]+File "(?<file>[^"\n]*)", line \d+, in (?<function>[\w<>.]+)
not-frame /lib(?:64)?/python[\d.]+/(?!site-packages|dist-packages)|<frozen |<module>

mask \bat index \d+ => at index
mask \(char \d+\) =>
mask (?<=argument )\d+ =>
