# Tests of src/store: journal and store by themselves, faults by name, and what git says of the results.
store_scripts = \
	tests/store/bisect \
	tests/store/branches \
	tests/store/commands \
	tests/store/crowd \
	tests/store/damaged-refs \
	tests/store/faults \
	tests/store/foreign \
	tests/store/killed \
	tests/store/large \
	tests/store/moves \
	tests/store/now \
	tests/store/locations \
	tests/store/older \
	tests/store/resume \
	tests/store/two
store_play = tests/store/play.c tests/store/play.h
check_PROGRAMS += tests/store/drive bench/peak
dist_check_SCRIPTS += $(store_scripts)
TESTS += $(store_scripts)
EXTRA_DIST += tests/store/lib.sh tests/store/older.bundle
tests_store_drive_SOURCES = tests/store/drive.c $(store_play)
tests_store_drive_LDADD = $(archive_ldadd)

if HAVE_CMOCKA
store_tests = tests/store/test-faults tests/store/test-journal tests/store/test-store
EXTRA_PROGRAMS += $(store_tests)
TESTS += $(store_tests)
tests_store_test_faults_SOURCES = tests/store/test-faults.c $(store_play)
tests_store_test_faults_LDADD = $(unit_ldadd)
tests_store_test_journal_SOURCES = tests/store/test-journal.c
tests_store_test_journal_LDADD = $(unit_ldadd)
tests_store_test_store_SOURCES = tests/store/test-store.c $(store_play)
tests_store_test_store_LDADD = $(unit_ldadd)
endif
