# Speed of the lexer and the bracket tree: make bench/tokenize, then bench/tokenize FILE...
EXTRA_PROGRAMS += bench/tokenize
CLEANFILES += bench/tokenize
bench_tokenize_SOURCES = bench/cost/tokenize.c
bench_tokenize_LDADD = $(archive_ldadd)
