# PHP: fatal errors, uncaught exceptions and parse errors.
about PHP: the error and the innermost frame of the program
rank 28
needs \bPHP | thrown in | on line \d+$

pick (?:PHP )?((?:Fatal|Parse|Recoverable fatal|Catchable fatal) error: +(?:Uncaught )?[^\n]*?)(?: in [^\n]+?(?::| on line )\d+|$)
pick ^(?:PHP )?(Segmentation fault[^\n]*)

frame ^#\d+ (?<file>[^\n(]*)\(\d+\): (?<function>[\w\\:>-]+)\(
not-frame \{main\}
