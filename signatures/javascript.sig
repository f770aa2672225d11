# JavaScript and TypeScript on node, deno and bun; V8's own fatal errors; the TypeScript compiler's failures.
about JavaScript: the error and its innermost frame of the program
rank 26
needs ^Node\.js v\d
needs \bnode:internal
needs ^\s+at .*[(:/].*:\d+:\d+\)?$
needs FATAL ERROR: |^# (?:Fatal|Check|Debug)
pick ^(?:Uncaught |.*\[(?:ERR_\w+)\]: )?((?:[A-Z]\w*)?(?:Error|Exception|AssertionError)(?: \[\w+\])?: [^\n]*)
pick ^((?:[A-Z]\w*)?(?:Error|Exception))$
pick (FATAL ERROR: [^\n]+)
pick ^# (Fatal error in [^\n]*|Check failed: [^\n]*|Debug check failed: [^\n]*)
pick ^(?:Uncaught:?) ([^\n]+)
frame ^\s+at (?:async )?(?:new )?([^\s()]+(?: \[as \w+\])?) \((?:file://)?([^()\n]*?)(?::\d+)*\)
not-frame \(node:|\(internal/|<anonymous>\)|^\s+at (?:Object\.<anonymous>|Module\.|Function\.executeUserEntryPoint|Array\.|eval )
