# What more workers bring, beside plain sequential adaptive deletion: make bench-scaling (four minutes).
EXTRA_PROGRAMS += bench/adaptive-count
CLEANFILES += bench/adaptive-count
EXTRA_DIST += bench/scaling
bench_adaptive_count_SOURCES = bench/search/adaptive-count.c
bench_adaptive_count_LDADD = $(archive_ldadd)

bench-scaling: src/whittle bench/adaptive-count
	$(srcdir)/bench/scaling .
.PHONY: bench-scaling
