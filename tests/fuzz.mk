# Fuzz targets (tests/fuzz/README.md). Here the program replays the kept corpus; configured with --enable-fuzzing it is libFuzzer's,
# and `make fuzz` runs it, in a build of its own unless this one is such.
check_PROGRAMS += tests/fuzz/targets
tests_fuzz_targets_SOURCES = tests/fuzz/fuzz.c tests/fuzz/fuzz.h \
	src/first/attributes.c src/first/attributes.h \
	tests/fuzz/coded.c tests/fuzz/definition.c tests/fuzz/dialog.c tests/fuzz/edit.c tests/fuzz/external.c \
	tests/fuzz/far.c tests/fuzz/hook.c tests/fuzz/journal.c tests/fuzz/layers.c tests/fuzz/lexer.c \
	tests/fuzz/records.c tests/fuzz/replacement.c tests/fuzz/rewrite.c tests/fuzz/schema.c tests/fuzz/signature.c \
	tests/fuzz/snapshot.c tests/fuzz/spans.c tests/fuzz/strategies.c tests/fuzz/wire.c
tests_fuzz_targets_LDADD = $(archive_ldadd)
tests_fuzz_targets_LDFLAGS = $(FUZZ_LDFLAGS)
if !FUZZING
tests_fuzz_targets_SOURCES += tests/fuzz/replay.c
endif
dist_check_SCRIPTS += tests/fuzz/corpora
TESTS += tests/fuzz/corpora
EXTRA_DIST += tests/fuzz/README.md tests/fuzz/run tests/fuzz/corpus

# FUZZ_SECONDS for each target, FUZZ_TARGETS (all), FUZZ_SEED (0: another each time), and FUZZ_DIR, which keeps what was found and
# new inputs.
FUZZ_SECONDS = 5
FUZZ_SEED = 0
FUZZ_TARGETS =
FUZZ_DIR = $(abs_top_builddir)/fuzz
.PHONY: fuzz fuzz-targets
fuzz-targets: tests/fuzz/targets$(EXEEXT)
if FUZZING
fuzz: fuzz-targets
	WHITTLE_TOKENIZERS='$(abs_top_srcdir)/tokenizers' WHITTLE_SIGNATURES='$(abs_top_srcdir)/signatures' $(SHELL) $(top_srcdir)/tests/fuzz/run -t $(FUZZ_SECONDS) -s $(FUZZ_SEED) \
		-c $(top_srcdir)/tests/fuzz/corpus -o '$(FUZZ_DIR)' -b tests/fuzz/targets $(FUZZ_TARGETS)
else
fuzz:
	$(MKDIR_P) fuzz-build
	cd fuzz-build && { test -e Makefile || $(abs_top_srcdir)/configure --quiet CC=clang CFLAGS='-O1 -g' \
		--enable-sanitizers --enable-fuzzing; } && $(MAKE) $(AM_MAKEFLAGS) fuzz FUZZ_SECONDS='$(FUZZ_SECONDS)' \
		FUZZ_SEED='$(FUZZ_SEED)' FUZZ_TARGETS='$(FUZZ_TARGETS)' FUZZ_DIR='$(FUZZ_DIR)'
endif
