# Tests of src/text, src/binary and src/lang: tokenizers, lexer, bracket tree. A directory in tests/text/fixtures is a case: an input, and the
# outline that `whittle tokens` prints for it.
if HAVE_CMOCKA
text_tests = tests/text/test-about tests/text/test-coded tests/text/test-definitions tests/text/test-hdf5 tests/text/test-hostile tests/text/test-layers tests/text/test-linked tests/text/test-macho \
	tests/text/test-chains tests/text/test-digits tests/text/test-patterns tests/text/test-properties \
	tests/text/test-references tests/text/test-records tests/text/test-rewrites tests/text/test-tables
EXTRA_PROGRAMS += $(text_tests)
TESTS += $(text_tests)

text_support = tests/text/support.c tests/text/support.h
tests_text_test_about_SOURCES = tests/text/test-about.c
tests_text_test_about_LDADD = $(unit_ldadd)
tests_text_test_tables_SOURCES = tests/text/test-tables.c
tests_text_test_tables_LDADD = $(unit_ldadd)
tests_text_test_coded_SOURCES = tests/text/test-coded.c
tests_text_test_coded_LDADD = $(unit_ldadd)
tests_text_test_definitions_SOURCES = tests/text/test-definitions.c $(text_support)
tests_text_test_definitions_LDADD = $(unit_ldadd)
tests_text_test_hdf5_SOURCES = tests/text/test-hdf5.c tests/text/lines.c tests/text/lines.h
tests_text_test_hdf5_LDADD = $(unit_ldadd)
tests_text_test_hostile_SOURCES = tests/text/test-hostile.c $(text_support)
tests_text_test_hostile_LDADD = $(unit_ldadd)
tests_text_test_layers_SOURCES = tests/text/test-layers.c
tests_text_test_layers_LDADD = $(unit_ldadd)
tests_text_test_linked_SOURCES = tests/text/test-linked.c tests/text/lines.c tests/text/lines.h
tests_text_test_linked_LDADD = $(unit_ldadd)
tests_text_test_macho_SOURCES = tests/text/test-macho.c
tests_text_test_macho_LDADD = $(unit_ldadd)
tests_text_test_patterns_SOURCES = tests/text/test-patterns.c $(text_support)
tests_text_test_patterns_LDADD = $(unit_ldadd)
tests_text_test_properties_SOURCES = tests/text/test-properties.c $(text_support)
tests_text_test_properties_LDADD = $(unit_ldadd)
text_cuts = tests/text/cuts.c tests/text/cuts.h
tests_text_test_records_SOURCES = tests/text/test-records.c $(text_cuts)
tests_text_test_chains_LDADD = $(unit_ldadd)
tests_text_test_digits_SOURCES = tests/text/test-digits.c $(text_cuts)
tests_text_test_digits_LDADD = $(unit_ldadd)
tests_text_test_records_LDADD = $(unit_ldadd)
tests_text_test_references_SOURCES = tests/text/test-references.c $(text_support)
tests_text_test_references_LDADD = $(unit_ldadd)
tests_text_test_rewrites_SOURCES = tests/text/test-rewrites.c $(text_support)
tests_text_test_rewrites_LDADD = $(unit_ldadd)
endif

dist_check_SCRIPTS += tests/text/fixtures.sh
TESTS += tests/text/fixtures.sh
EXTRA_DIST += tests/text/fixtures

dist_check_SCRIPTS += tests/text/rewrites.sh
TESTS += tests/text/rewrites.sh
EXTRA_DIST += tests/text/rewrites
