# make, ninja, cmake, meson, cargo, npm, bazel, gradle, Maven and others that run compilers: what they say themselves. Asked last, since
# what they ran has said why it failed. The other families do not look at the lines of `driver`.
about build tools: the rule that failed and why
rank 97

# A program of which nothing is known says why just before make says that it failed.
pick ^(?!\S*make(?:\[\d+\])?: |collect2: |[^\n]*\b(?:[Ww]arning|[Nn]ote|[Ii]n function)\b)([\w./+-]+:(?:\d+:)* [^\n]*[A-Za-z]{3}[^\n]*)\n(?:collect2: [^\n]*\n)?\S*make(?:\[\d+\])?: \*{3} \[
pick ^(?:[^\n]*?make(?:\[\d+\])?|gmake(?:\[\d+\])?|scons|[^\n]+?:\d+): (\*\*\* [^\n]+)
pick ^(FAILED: [^\n]+)
pick ^(ninja: (?:error|fatal): [^\n]+)
pick ^(CMake Error)[^\n]*:\n(?:\s*\n)?\s+([^\n]+)
pick ^(CMake Error: [^\n]+)
pick ^npm (?:error|ERR!) ([^\n]+)
pick ^((?:ERROR|FAILED|FAILURE): [^\n]+)
pick ^((?:error|clang|collect2|rake|task)[: ][^\n]+)
driver ^(?:\S*make(?:\[\d+\])?|scons|[^\n:]+:\d+): \*\*\* 
driver ^ninja: (?:error|fatal|build stopped): 
driver ^(?:FAILED: |CMake Error)
driver ^npm (?:error|ERR!|warn|WARN|notice) 
driver ^error: (?:could not compile|build failed|aborting due to|test failed, to rerun|process didn't exit successfully|command '[^'\n]+' failed|Recipe `[^`\n]+` failed|failed to run custom build command|subprocess-exited)
driver ^(?:warning|error): build failed, waiting for other jobs
driver ^(?:ERROR: [^\n]*/?BUILD(?:\.bazel)?:\d+:\d+: [^\n]*|ERROR: Build did NOT complete|FAILED: Build did NOT complete|Target //\S+ failed to build)
driver ^(?:FAILURE: Build failed|> Task :\S+ FAILED|\[(?:ERROR|INFO)\] (?:Failed to execute goal|BUILD FAILURE|COMPILATION ERROR|-> \[Help|\[Help|Re-run Maven|To see the full stack|For more information about the errors))
driver ^(?:collect2: error: ld returned|clang(?:\+\+)?(?:-\d+)?: error: linker command failed)
driver ^(?:rake aborted!|Command failed with status|task: Failed to run task|error Command failed with exit code| ?ELIFECYCLE )
mask Error \d+$ => Error
mask ^\*\*\* \[(?:\S+?:\d+: )? => *** [
mask (?<![\w.-])\d+(?![\w.-]) => …
