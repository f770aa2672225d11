# Tests: plain exit codes (0 passed, 77 skipped) under automake's parallel harness. Programs built with cmocka come from
# the fragments of their folders; scripts find the command in $WHITTLE and the sources in $top_srcdir.

EXTRA_DIST += tests/tally
dist_check_SCRIPTS += tests/includes tests/symbols
TESTS += tests/includes tests/symbols

# Tests of the command itself.
cli_tests = \
	tests/cli/across-files \
	tests/cli/bad-input \
	tests/cli/directory \
	tests/cli/directory-odd \
	tests/cli/certify \
	tests/cli/changed-test \
	tests/cli/clang-delta \
	tests/cli/completion \
	tests/cli/cookbook tests/cli/displays tests/cli/kinds tests/cli/migration tests/cli/pages tests/cli/readme tests/cli/tutorial tests/cli/whittle-as tests/cli/wrong-tests \
	tests/cli/docs \
	tests/cli/endings \
	tests/cli/every-call \
	tests/cli/examples tests/cli/flaky \
	tests/cli/file-systems \
	tests/cli/files \
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
	tests/cli/own-files \
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
	tests/cli/names \
	tests/cli/suggested \
	tests/cli/stand-ins tests/cli/static-program \
	tests/cli/surroundings \
	tests/cli/tokenizers \
	tests/cli/sampled tests/cli/unsure tests/cli/usable
EXTRA_DIST += tests/again tests/cli/page.sh tests/cli/page.awk tests/cli/lib.sh tests/cli/live.sh bench/same-answer
dist_check_SCRIPTS += $(cli_tests)
TESTS += $(cli_tests)

# In place of automake's own rule, which does the same without the closing line, and one test after the other unless make
# is told a number: there are two hundred, and many wait for something now and then. The longest begin first, so that none is alone
# at the end. With CHECK_AGAIN in the environment a few that fail have another chance.
first_tests = tests/text/test-hostile tests/cli/unsure tests/cli/certify tests/store/killed tests/cli/refs tests/kill tests/bisect/histories \
	tests/store/faults tests/cli/same-answer tests/engine/loops tests/engine/test-again tests/engine/odd-shapes tests/passes/test-cases
check-TESTS: $(dist_check_SCRIPTS)
	@rm -f $(TEST_LOGS) $(TEST_LOGS:.log=.trs) $(TEST_SUITE_LOG); status=0; \
	case ' $(MAKEFLAGS)' in *' -j'*) jobs= ;; *) jobs=-j$$(($$(nproc) + 1)) ;; esac; \
	$(MAKE) $(AM_MAKEFLAGS) $$jobs $(filter $(first_tests:=.log),$(TEST_LOGS)) $(TEST_SUITE_LOG) || status=$$?; \
	if test $$status != 0 && test -n "$$CHECK_AGAIN" && $(SHELL) $(top_srcdir)/tests/again $(TEST_LOGS); then \
		rm -f $(TEST_SUITE_LOG); status=0; $(MAKE) $(AM_MAKEFLAGS) $(TEST_SUITE_LOG) || status=$$?; \
	fi; \
	$(SHELL) $(top_srcdir)/tests/tally $(TEST_SUITE_LOG); exit $$status

# The tests that are programs, and short scripts that together go through most of the program (.ci/steps).
some_tests = $(filter $(check_PROGRAMS),$(TESTS)) tests/cli/directory tests/far/persistent tests/fence/table tests/fuzz/corpora \
	tests/bisect/run tests/make/rules tests/store/commands tests/store/resume
.PHONY: check-some
check-some:
	$(MAKE) $(AM_MAKEFLAGS) check TESTS='$(some_tests)'

# Of the programs, those that take longest, and of the scripts those that compare whole reductions with each other: what they
# take their time for are thousands of steps, of which shorter tests make some of each kind.
long_tests = tests/engine/loops tests/engine/odd-shapes tests/lib/test-whittle tests/passes/test-cases tests/store/test-faults \
	tests/text/test-digits tests/text/test-hostile tests/text/test-layers tests/text/test-properties tests/text/test-records \
	tests/text/test-rewrites
comparing_tests = tests/cli/certify tests/cli/same-answer tests/engine/same-answer tests/bisect/histories tests/kill
# What runs what texts show: commands that other tests run, too.
shown_tests = tests/cli/cookbook tests/cli/docs tests/cli/examples tests/cli/kinds tests/cli/migration tests/cli/pages tests/cli/readme tests/cli/tutorial

# For a second compiler's sanitizers, where another one's see all programs (.ci/steps).
.PHONY: check-short
check-short:
	$(MAKE) $(AM_MAKEFLAGS) check TESTS='$(filter-out $(long_tests) $(comparing_tests) $(shown_tests),$(TESTS))'

# distcheck with some of the tests: the build itself has run all of them. What it adds is that the tarball builds and installs.
# That it has all files, and that no test writes beside the sources, is seen by comparing lists of files (.ci/steps). The
# build itself has machine code for patterns; this one interprets them.
.PHONY: distcheck-short
distcheck-short:
	$(MAKE) $(AM_MAKEFLAGS) distcheck TESTS='$(filter-out $(long_tests),$(some_tests))' \
		DISTCHECK_CONFIGURE_FLAGS='CFLAGS=-O1 CXXFLAGS=-O0 --disable-jit'

# The unit tests under valgrind. Programs that they execute run without it, and patterns are interpreted: valgrind does not know
# all machine code that PCRE2 makes of them. Left to the sanitizers: what ends processes at a deadline, what tokenizes megabytes
# (a quarter of an hour under valgrind) or reads all definitions again and again (six minutes), and what forks children that exit
# with memory in hand, whose status valgrind would change.
no_valgrind = tests/lib/test-memory tests/engine/odd-shapes tests/run/test-hostile tests/run/test-jobserver tests/run/test-paths tests/run/test-pool tests/store/test-faults \
	tests/text/test-definitions tests/text/test-hostile
if !SANITIZERS
check_PROGRAMS += tests/no-jit.so
tests_no_jit_so_SOURCES = tests/no-jit.c
tests_no_jit_so_CFLAGS = $(WARN_CFLAGS) $(PCRE2_CFLAGS) -fPIC
tests_no_jit_so_LDFLAGS = -shared
endif
.PHONY: check-valgrind
check-valgrind:
	$(MAKE) $(AM_MAKEFLAGS) check TESTS='$(filter-out $(no_valgrind),$(filter $(check_PROGRAMS),$(TESTS)))' LOG_COMPILER=env \
		LOG_FLAGS='WHITTLE_TEST_BRIEFLY=yes LD_PRELOAD=$(abs_top_builddir)/tests/no-jit.so valgrind -q --error-exitcode=99 --leak-check=full --errors-for-leak-kinds=definite,possible'

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
