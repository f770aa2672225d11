# Tests of what makes a test out of a command. tests/ask/fixtures/NAME.txt: the output of a real tool, behind its signature.
dist_check_SCRIPTS += tests/ask/signatures tests/ask/command tests/ask/lines tests/ask/here tests/ask/first-lines tests/ask/also tests/ask/saved
TESTS += tests/ask/signatures tests/ask/command tests/ask/lines tests/ask/here tests/ask/first-lines tests/ask/also tests/ask/saved
EXTRA_DIST += tests/ask/fixtures
