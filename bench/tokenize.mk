# Speed of the lexer and the bracket tree: make bench/tokenize, then bench/tokenize FILE...
EXTRA_PROGRAMS += bench/tokenize
CLEANFILES += bench/tokenize
bench_tokenize_SOURCES = bench/tokenize.c
bench_tokenize_LDADD = src/libwhittle.a $(PCRE2_LIBS) $(XXHASH_LIBS) $(ZLIB_LIBS) $(JANSSON_LIBS)
