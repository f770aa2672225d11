# Fuzz targets (tests/fuzz/README.md). Here they replay the kept corpus; configured with --enable-fuzzing they are libFuzzer's,
# and `make fuzz` runs them, in a build of its own unless this one is such.
fuzz_targets = tests/fuzz/coded tests/fuzz/definition tests/fuzz/dialog tests/fuzz/edit tests/fuzz/external \
	tests/fuzz/far tests/fuzz/hook tests/fuzz/journal tests/fuzz/layers tests/fuzz/lexer tests/fuzz/records \
	tests/fuzz/replacement tests/fuzz/rewrite tests/fuzz/schema tests/fuzz/signature tests/fuzz/snapshot tests/fuzz/spans \
	tests/fuzz/strategies tests/fuzz/wire
check_PROGRAMS += $(fuzz_targets)
dist_check_SCRIPTS += tests/fuzz/corpora
TESTS += tests/fuzz/corpora
EXTRA_DIST += tests/fuzz/README.md tests/fuzz/run tests/fuzz/corpus

fuzz_support = tests/fuzz/fuzz.c tests/fuzz/fuzz.h
if !FUZZING
fuzz_support += tests/fuzz/replay.c
endif
tests_fuzz_coded_SOURCES = tests/fuzz/coded.c $(fuzz_support)
tests_fuzz_coded_LDADD = $(archive_ldadd)
tests_fuzz_coded_LDFLAGS = $(FUZZ_LDFLAGS)
tests_fuzz_definition_SOURCES = tests/fuzz/definition.c $(fuzz_support)
tests_fuzz_definition_LDADD = $(archive_ldadd)
tests_fuzz_definition_LDFLAGS = $(FUZZ_LDFLAGS)
tests_fuzz_dialog_SOURCES = tests/fuzz/dialog.c $(fuzz_support)
tests_fuzz_dialog_LDADD = $(archive_ldadd)
tests_fuzz_dialog_LDFLAGS = $(FUZZ_LDFLAGS)
tests_fuzz_edit_SOURCES = tests/fuzz/edit.c $(fuzz_support)
tests_fuzz_edit_LDADD = $(archive_ldadd)
tests_fuzz_edit_LDFLAGS = $(FUZZ_LDFLAGS)
tests_fuzz_external_SOURCES = tests/fuzz/external.c $(fuzz_support)
tests_fuzz_external_LDADD = $(archive_ldadd)
tests_fuzz_external_LDFLAGS = $(FUZZ_LDFLAGS)
tests_fuzz_far_SOURCES = tests/fuzz/far.c $(fuzz_support)
tests_fuzz_far_LDADD = $(archive_ldadd)
tests_fuzz_far_LDFLAGS = $(FUZZ_LDFLAGS)
tests_fuzz_hook_SOURCES = tests/fuzz/hook.c src/cli/attributes.c src/cli/attributes.h $(fuzz_support)
tests_fuzz_hook_LDADD = $(archive_ldadd)
tests_fuzz_hook_LDFLAGS = $(FUZZ_LDFLAGS)
tests_fuzz_journal_SOURCES = tests/fuzz/journal.c $(fuzz_support)
tests_fuzz_journal_LDADD = $(archive_ldadd)
tests_fuzz_journal_LDFLAGS = $(FUZZ_LDFLAGS)
tests_fuzz_layers_SOURCES = tests/fuzz/layers.c $(fuzz_support)
tests_fuzz_layers_LDADD = $(archive_ldadd)
tests_fuzz_layers_LDFLAGS = $(FUZZ_LDFLAGS)
tests_fuzz_lexer_SOURCES = tests/fuzz/lexer.c $(fuzz_support)
tests_fuzz_lexer_LDADD = $(archive_ldadd)
tests_fuzz_lexer_LDFLAGS = $(FUZZ_LDFLAGS)
tests_fuzz_records_SOURCES = tests/fuzz/records.c $(fuzz_support)
tests_fuzz_records_LDADD = $(archive_ldadd)
tests_fuzz_records_LDFLAGS = $(FUZZ_LDFLAGS)
tests_fuzz_replacement_SOURCES = tests/fuzz/replacement.c $(fuzz_support)
tests_fuzz_replacement_LDADD = $(archive_ldadd)
tests_fuzz_replacement_LDFLAGS = $(FUZZ_LDFLAGS)
tests_fuzz_rewrite_SOURCES = tests/fuzz/rewrite.c $(fuzz_support)
tests_fuzz_rewrite_LDADD = $(archive_ldadd)
tests_fuzz_rewrite_LDFLAGS = $(FUZZ_LDFLAGS)
tests_fuzz_schema_SOURCES = tests/fuzz/schema.c $(fuzz_support)
tests_fuzz_schema_LDADD = $(archive_ldadd)
tests_fuzz_schema_LDFLAGS = $(FUZZ_LDFLAGS)
tests_fuzz_signature_SOURCES = tests/fuzz/signature.c $(fuzz_support)
tests_fuzz_signature_LDADD = $(archive_ldadd)
tests_fuzz_signature_LDFLAGS = $(FUZZ_LDFLAGS)
tests_fuzz_snapshot_SOURCES = tests/fuzz/snapshot.c $(fuzz_support)
tests_fuzz_snapshot_LDADD = $(archive_ldadd)
tests_fuzz_snapshot_LDFLAGS = $(FUZZ_LDFLAGS)
tests_fuzz_spans_SOURCES = tests/fuzz/spans.c $(fuzz_support)
tests_fuzz_spans_LDADD = $(archive_ldadd)
tests_fuzz_spans_LDFLAGS = $(FUZZ_LDFLAGS)
tests_fuzz_strategies_SOURCES = tests/fuzz/strategies.c $(fuzz_support)
tests_fuzz_strategies_LDADD = $(archive_ldadd)
tests_fuzz_strategies_LDFLAGS = $(FUZZ_LDFLAGS)
tests_fuzz_wire_SOURCES = tests/fuzz/wire.c $(fuzz_support)
tests_fuzz_wire_LDADD = $(archive_ldadd)
tests_fuzz_wire_LDFLAGS = $(FUZZ_LDFLAGS)

# FUZZ_SECONDS for each target, FUZZ_TARGETS (all), FUZZ_SEED (0: another each time), and FUZZ_DIR, which keeps what was found and
# new inputs.
FUZZ_SECONDS = 5
FUZZ_SEED = 0
FUZZ_TARGETS =
FUZZ_DIR = $(abs_top_builddir)/fuzz
.PHONY: fuzz fuzz-targets
fuzz-targets: $(fuzz_targets)
if FUZZING
fuzz: fuzz-targets
	WHITTLE_TOKENIZERS='$(abs_top_srcdir)/tokenizers' WHITTLE_SIGNATURES='$(abs_top_srcdir)/signatures' $(SHELL) $(top_srcdir)/tests/fuzz/run -t $(FUZZ_SECONDS) -s $(FUZZ_SEED) \
		-c $(top_srcdir)/tests/fuzz/corpus -o '$(FUZZ_DIR)' -b tests/fuzz $(FUZZ_TARGETS)
else
fuzz:
	$(MKDIR_P) fuzz-build
	cd fuzz-build && { test -e Makefile || $(abs_top_srcdir)/configure --quiet CC=clang CFLAGS='-O1 -g' \
		--enable-sanitizers --enable-fuzzing; } && $(MAKE) $(AM_MAKEFLAGS) fuzz FUZZ_SECONDS='$(FUZZ_SECONDS)' \
		FUZZ_SEED='$(FUZZ_SEED)' FUZZ_TARGETS='$(FUZZ_TARGETS)' FUZZ_DIR='$(FUZZ_DIR)'
endif
