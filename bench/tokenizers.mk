# Tokenizers on real sources: make bench/measure-tokenizers, then bench/tokenizers [LABEL...]
EXTRA_PROGRAMS += bench/measure-tokenizers
CLEANFILES += bench/measure-tokenizers
bench_measure_tokenizers_SOURCES = bench/measure-tokenizers.c
bench_measure_tokenizers_LDADD = src/libwhittle.a $(PCRE2_LIBS) $(XXHASH_LIBS) $(ZLIB_LIBS) $(JANSSON_LIBS)
EXTRA_DIST += bench/tokenizers bench/tokenizers.list bench/RESULTS.md
