# Tests of what makes a test out of a command. tests/ask/fixtures/NAME.txt: the output of a real tool, behind its signature.
dist_check_SCRIPTS += tests/ask/signatures tests/ask/command
TESTS += tests/ask/signatures tests/ask/command
EXTRA_DIST += tests/ask/fixtures
