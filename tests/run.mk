# Tests of src/run: the pool with good and naughty children, work directories, the verdict cache.
if HAVE_CMOCKA
check_PROGRAMS += tests/run/test-pool
TESTS += tests/run/test-pool

run_support = tests/run/support.c tests/run/support.h
tests_run_test_pool_SOURCES = tests/run/pool.c $(run_support)
tests_run_test_pool_LDADD = $(unit_ldadd)
endif
