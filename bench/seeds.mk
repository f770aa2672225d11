# The figures of the documents that the search is made of, simulated in process: make bench-seeds.
EXTRA_PROGRAMS += bench/seeds
CLEANFILES += bench/seeds
bench_seeds_SOURCES = \
	bench/seeds.c bench/seeds.h \
	bench/seeds_deletion.c \
	bench/seeds_lists.c \
	bench/seeds_order.c
bench_seeds_LDADD = src/libwhittle.a $(PCRE2_LIBS) $(XXHASH_LIBS) $(ZLIB_LIBS) -lm

bench-seeds: bench/seeds
	bench/seeds
.PHONY: bench-seeds
