# Tests of src/base.
if HAVE_CMOCKA
base_tests = tests/base/test-map tests/base/test-near tests/base/test-path tests/base/test-signals
EXTRA_PROGRAMS += $(base_tests)
TESTS += $(base_tests)

tests_base_test_map_SOURCES = tests/base/map.c
tests_base_test_map_LDADD = $(unit_ldadd)
tests_base_test_near_SOURCES = tests/base/near.c
tests_base_test_near_LDADD = $(unit_ldadd)
tests_base_test_path_SOURCES = tests/base/path.c
tests_base_test_path_LDADD = $(unit_ldadd)
tests_base_test_signals_SOURCES = tests/base/signals.c
tests_base_test_signals_LDADD = $(unit_ldadd)
endif
