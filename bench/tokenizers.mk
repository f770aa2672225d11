# Tokenizers on real sources: make bench/measure-tokenizers, then bench/tokenizers [LABEL...]
EXTRA_PROGRAMS += bench/measure-tokenizers
CLEANFILES += bench/measure-tokenizers
bench_measure_tokenizers_SOURCES = bench/cost/measure-tokenizers.c
bench_measure_tokenizers_LDADD = $(archive_ldadd)
EXTRA_DIST += bench/tokenizers bench/cases/tokenizers.list bench/RESULTS.md
