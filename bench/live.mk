# What the live display costs: make bench-live; and a report of many steps: make bench-report.
EXTRA_PROGRAMS += bench/live-cost
CLEANFILES += bench/live-cost
EXTRA_DIST += bench/live bench/report
bench_live_cost_SOURCES = bench/cost/live-cost.c
bench_live_cost_LDADD = $(archive_ldadd)

bench-live: bench/live-cost src/whittle$(EXEEXT)
	$(srcdir)/bench/live .
bench-report: src/whittle$(EXEEXT)
	$(srcdir)/bench/report .
.PHONY: bench-live bench-report
