# Tests of src/run: the pool with good and naughty children, work directories, the verdict cache.
if HAVE_CMOCKA
run_tests = tests/run/test-dialog tests/run/test-frozen tests/run/test-hostile tests/run/test-limits tests/run/test-paths tests/run/test-jobserver \
	tests/run/test-makeflags tests/run/test-pool tests/run/test-rate tests/run/test-remove tests/run/test-standing \
	tests/run/test-verdicts tests/run/test-wire tests/run/test-workdir
EXTRA_PROGRAMS += $(run_tests)
check_PROGRAMS += tests/run/naughty
TESTS += $(run_tests)

EXTRA_DIST += tests/run/inproc.c tests/run/inproc.h
run_support = tests/run/support.c tests/run/support.h
# Without sanitizers: they handle signals and reserve terabytes, which is what naughty is to be caught at.
tests_run_naughty_SOURCES = tests/run/naughty.c tests/run/naughty.h tests/run/naughty_dirs.c
tests_run_naughty_CFLAGS = $(WARN_CFLAGS)
tests_run_naughty_LDFLAGS =
tests_run_test_dialog_SOURCES = tests/run/dialog.c
tests_run_test_dialog_LDADD = $(unit_ldadd)
tests_run_test_frozen_SOURCES = tests/run/frozen.c $(run_support)
tests_run_test_frozen_LDADD = $(unit_ldadd)
tests_run_test_hostile_SOURCES = tests/run/hostile.c $(run_support)
tests_run_test_hostile_LDADD = $(unit_ldadd)
tests_run_test_jobserver_SOURCES = tests/run/permits.c tests/run/server.c tests/run/server.h $(run_support)
tests_run_test_jobserver_LDADD = $(unit_ldadd)
tests_run_test_limits_SOURCES = tests/run/limits.c $(run_support)
tests_run_test_limits_LDADD = $(unit_ldadd)
tests_run_test_makeflags_SOURCES = tests/run/makeflags.c tests/run/server.c tests/run/server.h
tests_run_test_makeflags_LDADD = $(unit_ldadd)
tests_run_test_paths_SOURCES = tests/run/test-paths.c $(run_support)
tests_run_test_paths_LDADD = $(unit_ldadd)
tests_run_test_pool_SOURCES = tests/run/pool.c $(run_support)
tests_run_test_pool_LDADD = $(unit_ldadd)
tests_run_test_rate_SOURCES = tests/run/rate.c tests/run/scripted.c tests/run/scripted.h $(run_support)
tests_run_test_rate_LDADD = $(unit_ldadd)
tests_run_test_remove_SOURCES = tests/run/remove.c
tests_run_test_remove_LDADD = $(unit_ldadd)
tests_run_test_standing_SOURCES = tests/run/standing.c
tests_run_test_standing_LDADD = $(unit_ldadd)
tests_run_test_verdicts_SOURCES = tests/run/verdicts.c $(run_support)
tests_run_test_verdicts_LDADD = $(unit_ldadd)
tests_run_test_wire_SOURCES = tests/run/wire.c
tests_run_test_wire_LDADD = $(unit_ldadd)
tests_run_test_workdir_SOURCES = tests/run/workdir.c $(run_support)
tests_run_test_workdir_LDADD = $(unit_ldadd)
endif

# Of the pool through the command.
run_scripts = tests/run/clients tests/run/forkserver tests/run/jobserver tests/run/living tests/run/living-c tests/run/living-java tests/run/living-node \
	tests/run/living-python tests/run/lost-worker
EXTRA_DIST += tests/run/forking.c tests/run/living.sh
check_PROGRAMS += tests/run/leaf
tests_run_leaf_SOURCES = tests/run/leaf.c
dist_check_SCRIPTS += $(run_scripts)
TESTS += $(run_scripts)
