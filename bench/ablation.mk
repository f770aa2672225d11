# What each pass is worth, on the small cases: make bench-ablation (a few minutes).
EXTRA_PROGRAMS += bench/remember
CLEANFILES += bench/remember
EXTRA_DIST += bench/ablation bench/cases/ablation-cases.sh bench/lib.sh
bench_remember_SOURCES = bench/cases/remember.c
bench_remember_LDADD = $(archive_ldadd)
.PHONY: bench-ablation
bench-ablation: src/whittle$(EXEEXT) bench/remember$(EXEEXT)
	WHITTLE='$(abs_top_builddir)/src/whittle' $(srcdir)/bench/ablation
