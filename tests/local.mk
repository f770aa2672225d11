# Tests: plain exit codes (0 passed, 77 skipped) under automake's parallel harness. Programs built with cmocka come from
# the fragments of their folders; scripts find the command in $WHITTLE and the sources in $top_srcdir. A test is named in TESTS,
# here or in a fragment. `make check` runs those that are not in one of the two lists below; `make check-all` runs all.
# Programs that are tests are in EXTRA_PROGRAMS, so that they are built while others run; in check_PROGRAMS is what scripts use.

EXTRA_DIST += tests/suite tests/rounds.h
dist_check_SCRIPTS += tests/includes tests/lacking tests/symbols
TESTS += tests/includes tests/lacking tests/symbols

# Tests of the command itself.
cli_tests = \
	tests/cli/across-files \
	tests/cli/bad-input \
	tests/cli/database tests/cli/directory tests/cli/filesystem tests/cli/linked \
	tests/cli/directory-odd \
	tests/cli/certify \
	tests/cli/changed-test \
	tests/cli/ci-reduce \
	tests/cli/clang-delta \
	tests/cli/completion \
	tests/cli/cookbook tests/cli/displays tests/cli/kinds tests/cli/migration tests/cli/pages tests/cli/readme tests/cli/tutorial tests/cli/whittle-as tests/cli/wrong-tests \
	tests/cli/docs \
	tests/cli/endings \
	tests/cli/every-call \
	tests/cli/examples tests/cli/flaky \
	tests/cli/file-systems \
	tests/cli/figures tests/cli/files \
	tests/cli/format \
	tests/cli/go-on \
	tests/cli/html \
	tests/cli/hostile \
	tests/cli/hostile-tokenizers \
	tests/cli/in-place \
	tests/cli/records \
	tests/cli/refs \
	tests/cli/input-modes \
	tests/cli/interrupt \
	tests/cli/excess \
	tests/cli/limits \
	tests/cli/logs \
	tests/cli/odd-input \
	tests/cli/own-files tests/cli/packed \
	tests/cli/pager \
	tests/cli/passes \
	tests/cli/replaced-together \
	tests/cli/report \
	tests/cli/report-page \
	tests/cli/rewrites \
	tests/cli/said \
	tests/cli/same-answer \
	tests/cli/spans \
	tests/cli/indent \
	tests/cli/live \
	tests/cli/live-skip \
	tests/cli/live-skip-program \
	tests/cli/moved \
	tests/cli/names \
	tests/cli/suggested \
	tests/cli/stand-ins tests/cli/static-program \
	tests/cli/surroundings \
	tests/cli/tokenizers \
	tests/cli/sampled tests/cli/unsure tests/cli/usable
EXTRA_DIST += tests/cli/page.sh tests/cli/page.awk tests/cli/lib.sh tests/cli/live.sh bench/same-answer
dist_check_SCRIPTS += $(cli_tests)
TESTS += $(cli_tests)

# What takes more than 5 s of a processor: whole reductions that are compared, at many -j, killed, faulted, and what texts show.
long_tests = tests/cli/flaky tests/text/test-hostile tests/kill tests/cli/certify tests/far/workers tests/cli/unsure \
	tests/store/commands tests/store/faults tests/bisect/histories tests/cli/kinds tests/cli/same-answer tests/cli/refs \
	tests/store/killed tests/ask/command tests/run/living tests/make/manual tests/cli/cookbook tests/engine/same-answer \
	tests/run/clients tests/cli/rewrites tests/cli/examples tests/cli/every-call tests/cli/pages tests/cli/tokenizers \
	tests/cli/replaced-together tests/engine/certificate tests/bisect/files tests/make/trees tests/bisect/go-on \
	tests/far/workers-from tests/ask/saved tests/store/branches tests/store/two tests/cli/readme tests/run/jobserver \
	tests/bisect/command tests/ask/also tests/cli/go-on tests/cli/endings tests/ask/first-lines tests/cli/across-files \
	tests/cli/hostile tests/cli/passes tests/store/resume tests/cli/clang-delta tests/store/crowd tests/bisect/slip \
	tests/far/persistent tests/cli/docs tests/store/large tests/bisect/codes tests/cli/changed-test tests/ask/here \
	tests/hook/push tests/make/interrupt tests/cli/directory tests/bisect/run tests/cli/tutorial tests/store/foreign \
	tests/cli/own-files tests/cli/packed tests/cli/in-place tests/ask/signatures tests/make/automake tests/cli/files tests/hook/install \
	tests/cli/limits tests/hook/odd tests/cli/interrupt tests/run/living-java tests/hook/trust tests/cli/surroundings \
	tests/hook/modes tests/cli/odd-input tests/hook/budget tests/hook/stop tests/run/forkserver tests/engine/odd-shapes \
	tests/store/test-faults tests/bisect/ahead tests/far/slurm tests/far/ssh tests/bisect/trees tests/bisect/masked \
	tests/bisect/submodules tests/far/forkserver tests/make/rules tests/lib/python tests/fence/table tests/run/test-remove
# What does fewer rounds with WHITTLE_TEST_BRIEFLY in the environment (Makefile.am), as in `make check`.
brief_tests = tests/engine/loops tests/engine/test-containers tests/run/test-hostile tests/store/damaged-refs tests/lib/test-whittle tests/passes/test-cases tests/run/test-standing tests/search/test-order \
	tests/text/test-coded tests/text/test-properties tests/text/test-records tests/text/test-rewrites

# In place of automake's own rule, which does the same in the order of the list, without the closing line, and one test after the
# other unless make is told a number. With CHECK_AGAIN in the environment a few that fail have another chance.
chosen_logs = $(if $(filter-out file,$(origin TESTS)),$(filter $(TEST_LOGS),$(long_tests:=.log))) $(filter-out $(long_tests:=.log),$(TEST_LOGS))
suite = $(SHELL) $(top_srcdir)/tests/suite
LOG_COMPILER = $(suite) timed
check-TESTS: $(dist_check_SCRIPTS)
	@rm -f $(chosen_logs) $(chosen_logs:.log=.trs) $(TEST_SUITE_LOG) tests/again; status=0; \
	case ' $(MAKEFLAGS)' in *' -j'*) jobs= ;; *) jobs=-j$$(($$(nproc) * 2)) ;; esac; \
	logs=$$($(suite) order $(chosen_logs) | tr '\n' ' '); \
	$(MAKE) $(AM_MAKEFLAGS) $$jobs TEST_LOGS="$$logs" $(TEST_SUITE_LOG) || status=$$?; \
	if test $$status != 0 && test -n "$$CHECK_AGAIN" && $(suite) again $$logs; then \
		rm -f $(TEST_SUITE_LOG); status=0; $(MAKE) $(AM_MAKEFLAGS) TEST_LOGS="$$logs" $(TEST_SUITE_LOG) || status=$$?; \
	fi; \
	$(suite) tally $(TEST_SUITE_LOG) $$logs; exit $$status

# All tests with all rounds; and what `make check` leaves out of that.
.PHONY: check-all check-rest
check-all:
	WHITTLE_TEST_BRIEFLY= $(MAKE) $(AM_MAKEFLAGS) check TESTS='$(TESTS)'
check-rest: # many of them wait for something most of the time
	WHITTLE_TEST_BRIEFLY= $(MAKE) $(AM_MAKEFLAGS) -j$$(($$(nproc) * 4)) check TESTS='$(filter $(long_tests) $(brief_tests),$(TESTS))'

# Of `make check`, the tests that are programs.
unit_tests = $(filter-out $(long_tests),$(filter $(EXTRA_PROGRAMS),$(TESTS)))

# distcheck with some of the tests: the build itself has run all of them. What it adds is that the tarball builds and installs.
# That it has all files, and that no test writes beside the sources, is seen by comparing lists of files (.ci/steps). The
# build itself has machine code for patterns; this one interprets them.
.PHONY: distcheck-short
distcheck-short:
	$(MAKE) $(AM_MAKEFLAGS) distcheck TESTS='tests/text/test-patterns tests/cli/directory tests/store/commands tests/lib/installed' \
		DISTCHECK_CONFIGURE_FLAGS='CFLAGS=-O1 CXXFLAGS=-O0 --disable-jit'

# The unit tests under valgrind. Programs that they execute run without it, and patterns are interpreted: valgrind does not know
# all machine code that PCRE2 makes of them. Left to the sanitizers: what ends processes at a deadline, what reads all definitions
# again and again (six minutes), and what forks children that exit with memory in hand, whose status valgrind would change.
no_valgrind = tests/lib/test-memory tests/run/test-hostile tests/run/test-jobserver tests/run/test-paths tests/run/test-pool \
	tests/store/test-faults tests/text/test-definitions tests/engine/test-containers tests/engine/test-held tests/engine/test-stop
check_PROGRAMS += tests/wait-for
tests_wait_for_SOURCES = tests/wait-for.c
tests_wait_for_CFLAGS = $(WARN_CFLAGS)
tests_wait_for_LDFLAGS =
tests_wait_for_LDADD =

if !SANITIZERS
check_PROGRAMS += tests/no-jit.so
tests_no_jit_so_SOURCES = tests/no-jit.c
tests_no_jit_so_CFLAGS = $(WARN_CFLAGS) $(PCRE2_CFLAGS) -fPIC
tests_no_jit_so_LDFLAGS = -shared
endif
.PHONY: check-valgrind
check-valgrind:
	WHITTLE_TEST_BRIEFLY=16 $(MAKE) $(AM_MAKEFLAGS) check TESTS='$(filter-out $(no_valgrind),$(unit_tests))' LOG_COMPILER=env \
		LOG_FLAGS='LD_PRELOAD=$(abs_top_builddir)/tests/no-jit.so valgrind -q --error-exitcode=99 --leak-check=full --errors-for-leak-kinds=definite,possible'

include tests/base.mk
include tests/run.mk
include tests/far.mk
include tests/lib.mk
include tests/search.mk
include tests/text.mk
include tests/ask.mk
include tests/store.mk
include tests/kill.mk
include tests/engine.mk
include tests/git.mk
include tests/make.mk
include tests/passes.mk
include tests/fence.mk
include tests/ui.mk
include tests/fuzz.mk
