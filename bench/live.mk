# What the live display costs: make bench-live; and a report of many steps: make bench-report.
EXTRA_PROGRAMS += bench/live-cost
CLEANFILES += bench/live-cost
EXTRA_DIST += bench/live bench/report
bench_live_cost_SOURCES = bench/live-cost.c
bench_live_cost_LDADD = src/libwhittle.a $(LIBGIT2_LIBS) $(PCRE2_LIBS) $(XXHASH_LIBS) $(ZLIB_LIBS) $(JANSSON_LIBS)

bench-live: bench/live-cost src/whittle$(EXEEXT)
	$(srcdir)/bench/live .
bench-report: src/whittle$(EXEEXT)
	$(srcdir)/bench/report .
.PHONY: bench-live bench-report
