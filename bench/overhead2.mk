# What the program itself costs: in time without any process (inproc-rate), beside xargs (overhead-pool), and in memory:
# make bench-overhead runs all of it, make bench-memory the last part.
EXTRA_PROGRAMS += bench/inproc-rate bench/peak
CLEANFILES += bench/inproc-rate bench/peak
EXTRA_DIST += bench/overhead bench/memory
bench_inproc_rate_SOURCES = bench/cost/inproc-rate.c
bench_inproc_rate_LDADD = src/lib/libinterface.a $(archive_ldadd)
bench_peak_SOURCES = bench/cost/peak.c

bench-overhead: src/whittle bench/inproc-rate bench/peak bench/one-ms bench/pool-driver bench/tokenize
	$(srcdir)/bench/overhead .
bench-memory: src/whittle bench/peak
	$(srcdir)/bench/memory .
.PHONY: bench-overhead bench-memory
