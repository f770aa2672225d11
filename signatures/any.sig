# Programs of which nothing is known: the first line that calls itself an error or an exception, else one that begins with the
# program's name or a quoted file and says that something is wrong. Last, as a line of the program's data may say so, too.
about any program: a line that calls itself an error
rank 95

pick ^(?:[\w.+-]+(?: [\w.+-]+){0,3}: |[A-Z]\w+ (?=error:))??(?:[^\s:]+:(?:\d+[.:])* ?){0,2}((?:PARSE |Parse |[Rr]un[ -]?time |Syntax |FATAL |Fatal |fatal )?(?:[Ee]rror|ERROR|FATAL|Fatal)\b(?::|!| \()[^\n]+)
pick ^[Ll]ine \d+,? col(?:umn)? \d+[ :-]+([Ee]rror: [^\n]+)
pick ^(?:[\w.+-]+: )([^\n]+?)(?: `[^'\n]*')? @ (?:error|fatal)/[^\n]*$
pick \b([A-Z]+\d+ \(error\): [^\n]+)
pick ^((?:raised|[Uu]nhandled|[Uu]ncaught) [A-Z][^\n]+)
pick ^"[^"\n]+",? line \d+: ([^\n]+)
pick ^(?![^\s:]+: In [^\n]*:$|[^\s:]+:(?:\d+:)* (?:[Ww]arning|note|remark):)(?:[a-z][\w.+-]*|"[^"\n]+"): *(?:[^\s:]+: )?(?:line )?(?:\d+: )?([^\n]*\b(?:[Cc]annot|[Cc]ouldn't|[Uu]nable|[Uu]nknown|[Uu]nmatched|[Uu]nsupported|[Bb]ad|[Cc]orrupt\w*|[Tt]runcated|[Mm]ismatch|[Dd]enied|[Oo]ut of (?:range|memory)|[Nn]ot (?:a|an|in|recognized|supported|allowed|defined)|(?:is|are) (?:not|too)|[Cc]an't|[Cc]ould not|[Ff]ailed|[Ii]nvalid|[Ii]llegal|[Uu]nexpected|[Uu]nrecognized|[Mm]issing|divide by zero|division by zero|[Ss]yntax error|[Pp]arse error|not found|No such|does not look|garbage)\b[^\n]*)
pick ^ +\*{3} +((?!at top-level|in function|  )[^\n]+)
mask \badr=\d+ => adr
mask \b(?:line|column|col|byte|offset) \d+ =>
