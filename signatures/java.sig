# Java and what runs on its machine (Kotlin, Scala, Clojure, Groovy): exceptions, the machine's own crashes, javac's.
about Java: the innermost cause and its first frame outside the library
rank 24
needs ^\s+at [\w$./@-]+\([\w .$]*(?::\d+)?\)
needs Exception in thread "
needs A fatal error has been detected by the Java
needs An exception has occurred in the compiler
pick-last ^Caused by: ((?:[\w$]+\.)*[\w$]+(?:: [^\n]*)?)
pick ^Exception in thread "[^"\n]*" ((?:[\w$]+\.)*[\w$]+(?:: [^\n]*)?)
pick ^((?:[\w$]+\.)+[\w$]*(?:Exception|Error|Failure|Throwable)(?:: [^\n]*)?)$
pick (A fatal error has been detected by the Java Runtime Environment):
pick (An exception has occurred in the compiler)
frame ^\s+at ((?:[\w$.@-]+/)?[\w$.<>]+)\(([\w$.]+)?
not-frame ^\s+at (?:java\.base|jdk\.|java\.|sun\.|javax\.)
mask @[0-9a-f]{4,8}\b => @
mask [Ii]ndex:? -?\d+ => Index
mask [Ll]ength:? -?\d+ => length
mask size:? -?\d+ => size
