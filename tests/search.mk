# Tests of src/search and of the edits it works with: pure machines, no child process.
if HAVE_CMOCKA
search_tests = tests/search/test-chooser tests/search/test-edit tests/search/test-edit-places tests/search/test-expand \
	tests/search/test-hunt \
	tests/search/test-items tests/search/test-numbers tests/search/test-offsets tests/search/test-order \
	tests/search/test-proof tests/search/test-reach tests/search/test-reach-within \
	tests/search/test-stretch
EXTRA_PROGRAMS += $(search_tests)
TESTS += $(search_tests)

search_support = tests/search/support.c tests/search/support.h
tests_search_test_chooser_SOURCES = tests/search/test-chooser.c
tests_search_test_chooser_LDADD = $(unit_ldadd)
tests_search_test_edit_SOURCES = tests/search/test-edit.c $(search_support)
tests_search_test_edit_LDADD = $(unit_ldadd)
tests_search_test_edit_places_SOURCES = tests/search/test-edit-places.c
tests_search_test_edit_places_LDADD = $(unit_ldadd)
tests_search_test_expand_SOURCES = tests/search/test-expand.c $(search_support)
tests_search_test_expand_LDADD = $(unit_ldadd)
tests_search_test_hunt_SOURCES = tests/search/test-hunt.c $(search_support)
tests_search_test_hunt_LDADD = $(unit_ldadd)
tests_search_test_offsets_SOURCES = tests/search/test-offsets.c $(search_support)
tests_search_test_offsets_LDADD = $(unit_ldadd)
tests_search_test_order_SOURCES = tests/search/test-order.c $(search_support)
tests_search_test_order_LDADD = $(unit_ldadd)
tests_search_test_proof_SOURCES = tests/search/test-proof.c $(search_support)
tests_search_test_proof_LDADD = $(unit_ldadd)
tests_search_test_reach_SOURCES = tests/search/test-reach.c $(search_support)
tests_search_test_reach_within_SOURCES = tests/search/test-reach-within.c $(search_support)
tests_search_test_reach_within_LDADD = $(unit_ldadd)
tests_search_test_stretch_SOURCES = tests/search/test-stretch.c $(search_support)
tests_search_test_stretch_LDADD = $(unit_ldadd)
tests_search_test_reach_LDADD = $(unit_ldadd)
tests_search_test_items_SOURCES = tests/search/test-items.c $(search_support)
tests_search_test_items_LDADD = $(unit_ldadd)
tests_search_test_numbers_SOURCES = tests/search/test-numbers.c $(search_support)
tests_search_test_numbers_LDADD = $(unit_ldadd)
endif
