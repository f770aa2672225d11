# Tests of src/far: what is said between whittle and its workers, and reductions by workers of all sorts.
if HAVE_CMOCKA
far_tests = tests/far/test-code tests/far/test-worker-process
EXTRA_PROGRAMS += $(far_tests)
TESTS += $(far_tests)
tests_far_test_code_SOURCES = tests/far/code.c
tests_far_test_code_LDADD = $(unit_ldadd)
tests_far_test_worker_process_SOURCES = tests/far/worker-process.c
tests_far_test_worker_process_LDADD = $(unit_ldadd)
endif
far_scripts = tests/far/workers tests/far/workers-from tests/far/persistent tests/far/forkserver tests/far/slurm tests/far/ssh
EXTRA_DIST += tests/far/lib.sh tests/far/namespaces.sh
dist_check_SCRIPTS += $(far_scripts)
TESTS += $(far_scripts)
