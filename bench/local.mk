# Measurements: README.md says what each is for. What `make check` and `make dist` need of it is said here, too.
EXTRA_DIST += bench/README.md bench/RESULTS.md bench/results bench/lib.sh

# ---- Correctness ----

EXTRA_DIST += bench/same-answer bench/mutations bench/hook

# Tests that are not sure: make bench-flaky. whittle-unsure is whittle, with a function of its process as the test.
EXTRA_PROGRAMS += bench/whittle-unsure bench/unsure-test
EXTRA_DIST += bench/flaky
bench_whittle_unsure_SOURCES = $(src_whittle_SOURCES) bench/cases/unsure-pool.c bench/cases/unsure.h tests/run/inproc.c tests/run/inproc.h
bench_whittle_unsure_LDADD = $(archive_ldadd) $(NCURSES_LIBS)
bench_whittle_unsure_LDFLAGS = $(AM_LDFLAGS) -Wl,--wrap=setup_open
bench_unsure_test_SOURCES = bench/cases/unsure-test.c bench/cases/unsure.h
bench-flaky: bench/whittle-unsure bench/unsure-test src/whittle$(EXEEXT)
	$(srcdir)/bench/flaky -n 100 .

# Every call fails once: make bench-faults. The library that fails them is loaded before the C library, so it is linked as
# a program, like whittle.so, and without the sanitizers, which want to be first.
dist_check_SCRIPTS += bench/faults
if !SANITIZERS
check_PROGRAMS += bench/faults-preload.so bench/faults-test
bench_faults_preload_so_SOURCES = \
	bench/inject/faults-preload.c bench/inject/faults-preload.h \
	bench/inject/faults-calls.c
bench_faults_preload_so_CFLAGS = $(WARN_CFLAGS) -fPIC
bench_faults_preload_so_LDFLAGS = -shared
bench_faults_preload_so_LDADD = -ldl
bench_faults_test_SOURCES = bench/inject/faults-test.c
endif
bench-faults: src/whittle bench/faults-preload.so bench/faults-test
	$(srcdir)/bench/faults -w src/whittle

# The figures of the documents that the search is made of, simulated in process: make bench-seeds.
EXTRA_PROGRAMS += bench/seeds
bench_seeds_SOURCES = \
	bench/search/seeds.c bench/search/seeds.h \
	bench/search/seeds_deletion.c \
	bench/search/seeds_lists.c \
	bench/search/seeds_order.c \
	bench/search/simplify.c bench/search/simplify.h
bench_seeds_LDADD = $(archive_ldadd) -lm
bench-seeds: bench/seeds
	bench/seeds

# ---- Cost of a reduction ----

EXTRA_DIST += bench/binary bench/calls bench/far bench/made bench/opening bench/cases/counted.py bench/cases/counted_aside.py bench/cases/fresh.py bench/cases/reading.py bench/cases/rows.py bench/cases/binary_more.py bench/cases/binary_new.py bench/peers bench/persistent
EXTRA_DIST += bench/texts bench/cases/textual.py bench/cases/textual_aside.py bench/cases/textual_small.py bench/cases/webs.py bench/history bench/history.tsv
EXTRA_DIST += bench/cases-as-options bench/cases/cases-as-options.tsv
EXTRA_DIST += bench/bodies bench/documents bench/huge-cxx bench/cases/units
EXTRA_DIST += bench/go bench/llvm-ir bench/afl-tmin bench/cases/afl-targets.c bench/cases/afl-lisp.h bench/cost/fork-rate.c

# What each pass is worth, on the small cases: make bench-ablation (a few minutes).
EXTRA_PROGRAMS += bench/remember
EXTRA_DIST += bench/ablation bench/cases/ablation-cases.sh
bench_remember_SOURCES = bench/cases/remember.c
bench_remember_LDADD = $(archive_ldadd)
bench-ablation: src/whittle$(EXEEXT) bench/remember$(EXEEXT)
	WHITTLE='$(abs_top_builddir)/src/whittle' $(srcdir)/bench/ablation

# Bisecting with and without a reduction, on a generated history and two real ones: make bench-bisect (ten minutes; LUA=DIR
# and CJSON=DIR name clones of them).
EXTRA_DIST += bench/bisect
bench-bisect: src/whittle$(EXEEXT)
	WHITTLE='$(abs_top_builddir)/src/whittle' $(srcdir)/bench/bisect

# Whole directories, with C-Vise beside: make bench-directories.
EXTRA_DIST += bench/directories
bench-directories: src/whittle$(EXEEXT) bench/peak$(EXEEXT)
	WHITTLE=src/whittle PEAK=bench/peak $(srcdir)/bench/directories

# ---- Cost of the program itself ----

# In time without any process (inproc-rate), beside xargs -P (overhead-pool), and in memory: make bench-overhead runs all of
# it, make bench-overhead-pool and make bench-memory parts. How it grows before the first answer: make bench-growth.
EXTRA_PROGRAMS += bench/one-ms bench/pool-driver bench/inproc-rate bench/peak
EXTRA_DIST += bench/overhead bench/overhead-pool bench/growth bench/memory bench/cases/grown.awk bench/signals
bench_one_ms_SOURCES = bench/cost/one-ms.c
bench_pool_driver_SOURCES = bench/cost/pool-driver.c
bench_pool_driver_LDADD = $(archive_ldadd)
bench_inproc_rate_SOURCES = bench/cost/inproc-rate.c tests/run/inproc.c tests/run/inproc.h
bench_inproc_rate_LDADD = src/lib/libinterface.a $(archive_ldadd)
bench_peak_SOURCES = bench/cost/peak.c
bench-overhead: src/whittle bench/inproc-rate bench/peak bench/one-ms bench/pool-driver bench/tokenize
	$(srcdir)/bench/overhead .
bench-overhead-pool: bench/one-ms bench/pool-driver
	$(srcdir)/bench/overhead-pool .
bench-growth: src/whittle
	BUILD=. $(srcdir)/bench/growth
bench-memory: src/whittle bench/peak
	$(srcdir)/bench/memory .

# What more workers bring, beside plain sequential adaptive deletion: make bench-scaling (four minutes); and 64 and 500 of
# them in virtual time: make bench-virtual (one minute). What asking them costs: make bench-asking (a second).
EXTRA_PROGRAMS += bench/adaptive-count bench/virtual-workers
bench_virtual_workers_SOURCES = bench/cost/virtual-workers.c
bench_virtual_workers_LDADD = $(archive_ldadd)
bench_virtual_workers_LDFLAGS = $(AM_LDFLAGS) -Wl,--wrap=edit_apply
bench-virtual: bench/virtual-workers
	WHITTLE_TOKENIZERS='$(srcdir)/tokenizers' bench/virtual-workers
bench-asking: bench/virtual-workers
	WHITTLE_TOKENIZERS='$(srcdir)/tokenizers' bench/virtual-workers -c
EXTRA_DIST += bench/scaling bench/speculation
bench_adaptive_count_SOURCES = bench/search/adaptive-count.c
bench_adaptive_count_LDADD = $(archive_ldadd)
bench-scaling: src/whittle bench/adaptive-count
	$(srcdir)/bench/scaling .

# A client of make's job server: the time that it costs, and tokens that come back: make bench-jobserver (two minutes).
EXTRA_DIST += bench/jobserver
bench-jobserver: src/whittle
	$(srcdir)/bench/jobserver .

# What the live display costs: make bench-live; and a report of many steps: make bench-report.
EXTRA_PROGRAMS += bench/live-cost
EXTRA_DIST += bench/live bench/report
bench_live_cost_SOURCES = bench/cost/live-cost.c
bench_live_cost_LDADD = $(archive_ldadd)
bench-live: bench/live-cost src/whittle$(EXEEXT)
	$(srcdir)/bench/live .
bench-report: src/whittle$(EXEEXT)
	$(srcdir)/bench/report .

# What snapshots cost, against plumbing commands and git fast-import: make bench-store.
EXTRA_DIST += bench/store
bench-store: tests/store/drive$(EXEEXT) src/whittle$(EXEEXT)
	top_builddir=. WHITTLE='$(abs_top_builddir)/src/whittle' $(srcdir)/bench/store

# Speed of the lexer and the bracket tree: make bench/tokenize, then bench/tokenize FILE...
EXTRA_PROGRAMS += bench/tokenize
bench_tokenize_SOURCES = bench/cost/tokenize.c
bench_tokenize_LDADD = $(archive_ldadd)

# Tokenizers on real sources: make bench/measure-tokenizers, then bench/tokenizers [LABEL...]
EXTRA_PROGRAMS += bench/measure-tokenizers
EXTRA_DIST += bench/tokenizers bench/cases/tokenizers.list
bench_measure_tokenizers_SOURCES = bench/cost/measure-tokenizers.c
bench_measure_tokenizers_LDADD = $(archive_ldadd)

CLEANFILES += $(EXTRA_PROGRAMS)

# Every program builds without a warning (.ci/run), also those that are not built by default.
all-programs: $(EXTRA_PROGRAMS) $(check_PROGRAMS)

.PHONY: all-programs bench-flaky bench-faults bench-seeds bench-ablation bench-bisect bench-directories bench-overhead
.PHONY: bench-overhead-pool bench-memory bench-scaling bench-jobserver bench-live bench-report bench-store
