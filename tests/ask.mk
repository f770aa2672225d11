# Tests of what makes a test out of a command. tests/ask/fixtures/NAME.txt: the output of a real tool, behind its signature.
dist_check_SCRIPTS += tests/ask/signatures tests/ask/command tests/ask/lines tests/ask/numbers tests/ask/here tests/ask/first-lines tests/ask/also tests/ask/saved
TESTS += tests/ask/signatures tests/ask/command tests/ask/lines tests/ask/numbers tests/ask/here tests/ask/first-lines tests/ask/also tests/ask/saved
EXTRA_DIST += tests/ask/fixtures
if HAVE_CMOCKA
EXTRA_PROGRAMS += tests/ask/test-outcome
TESTS += tests/ask/test-outcome
tests_ask_test_outcome_SOURCES = tests/ask/outcome.c
tests_ask_test_outcome_LDADD = $(unit_ldadd)
endif
