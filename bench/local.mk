EXTRA_DIST += bench/README.md
EXTRA_DIST += bench/same-answer
EXTRA_DIST += bench/made
include bench/flaky.mk
EXTRA_DIST += bench/cases-as-options bench/cases/cases-as-options.tsv
include bench/tokenizers.mk
include bench/overhead.mk
include bench/tokenize.mk
include bench/seeds.mk
include bench/store.mk
include bench/jobserver.mk
include bench/scaling.mk
include bench/overhead2.mk
EXTRA_DIST += bench/calls
include bench/bisect.mk
EXTRA_DIST += bench/far
EXTRA_DIST += bench/peers
EXTRA_DIST += bench/huge-cxx bench/cases/units
include bench/directories.mk
include bench/ablation.mk
include bench/faults.mk
include bench/live.mk
EXTRA_DIST += bench/persistent
EXTRA_DIST += bench/afl-tmin bench/cases/afl-targets.c bench/cost/fork-rate.c

# Every program builds without a warning (.ci/run), also those that are not built by default.
all-programs: $(EXTRA_PROGRAMS) $(check_PROGRAMS)
.PHONY: all-programs
