# The figures of the documents that the search is made of, simulated in process: make bench-seeds.
EXTRA_PROGRAMS += bench/seeds
CLEANFILES += bench/seeds
bench_seeds_SOURCES = \
	bench/search/seeds.c bench/search/seeds.h \
	bench/search/seeds_deletion.c \
	bench/search/seeds_lists.c \
	bench/search/seeds_order.c
bench_seeds_LDADD = $(archive_ldadd) -lm

bench-seeds: bench/seeds
	bench/seeds
.PHONY: bench-seeds
