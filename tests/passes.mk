# Tests of passes, external ones and pumps. A directory in tests/passes/fixtures is a case: see test-cases.c.
EXTRA_PROGRAMS += tests/passes/test-cases
TESTS += tests/passes/test-cases
tests_passes_test_cases_SOURCES = tests/passes/test-cases.c tests/passes/fixture.c tests/passes/fixture.h
tests_passes_test_cases_LDADD = tests/run/inproc.$(OBJEXT) $(archive_ldadd)
EXTRA_DIST += tests/passes/fixtures

if HAVE_CMOCKA
passes_tests = tests/passes/test-diff tests/passes/test-pumps
EXTRA_PROGRAMS += $(passes_tests)
TESTS += $(passes_tests)
tests_passes_test_diff_SOURCES = tests/passes/test-diff.c
tests_passes_test_diff_LDADD = $(unit_ldadd)
tests_passes_test_pumps_SOURCES = tests/passes/test-pumps.c
tests_passes_test_pumps_LDADD = $(unit_ldadd)
endif
