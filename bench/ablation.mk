# What each pass is worth, on the small cases: make bench-ablation (a few minutes).
EXTRA_PROGRAMS += bench/remember
CLEANFILES += bench/remember
EXTRA_DIST += bench/ablation bench/ablation-cases.sh bench/lib.sh
bench_remember_SOURCES = bench/remember.c
bench_remember_LDADD = src/libwhittle.a $(XXHASH_LIBS) $(ZLIB_LIBS)
.PHONY: bench-ablation
bench-ablation: src/whittle$(EXEEXT) bench/remember$(EXEEXT)
	WHITTLE='$(abs_top_builddir)/src/whittle' $(srcdir)/bench/ablation
