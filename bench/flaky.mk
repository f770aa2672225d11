# Tests that are not sure: make bench-flaky. whittle-unsure is whittle, with a function of its process as the test.
EXTRA_PROGRAMS += bench/whittle-unsure bench/unsure-test
CLEANFILES += bench/whittle-unsure bench/unsure-test
EXTRA_DIST += bench/flaky
bench_whittle_unsure_SOURCES = $(src_whittle_SOURCES) bench/cases/unsure-pool.c bench/cases/unsure.h
bench_whittle_unsure_LDADD = $(archive_ldadd) $(NCURSES_LIBS)
bench_whittle_unsure_LDFLAGS = $(AM_LDFLAGS) -Wl,--wrap=setup_open
bench_unsure_test_SOURCES = bench/cases/unsure-test.c bench/cases/unsure.h

bench-flaky: bench/whittle-unsure bench/unsure-test src/whittle$(EXEEXT)
	$(srcdir)/bench/flaky -n 100 .
.PHONY: bench-flaky
