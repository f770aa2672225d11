# Tests of external passes and pumps.
if HAVE_CMOCKA
passes_tests = tests/passes/test-diff tests/passes/test-pumps
check_PROGRAMS += $(passes_tests)
TESTS += $(passes_tests)
tests_passes_test_diff_SOURCES = tests/passes/test-diff.c
tests_passes_test_diff_LDADD = $(unit_ldadd)
tests_passes_test_pumps_SOURCES = tests/passes/test-pumps.c
tests_passes_test_pumps_LDADD = $(unit_ldadd)
endif
