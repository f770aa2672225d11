# libwhittle through its header.
lib_scripts = tests/lib/example tests/lib/installed tests/lib/manual tests/lib/python
dist_check_SCRIPTS += $(lib_scripts)
TESTS += $(lib_scripts)

# Against the installed form of the static library: one object, nothing but whittle_* to be seen.
# Without sanitizers: a call that ran out of memory leaves some behind.
EXTRA_PROGRAMS += tests/lib/test-memory
if !SANITIZERS
TESTS += tests/lib/test-memory
endif
tests_lib_test_memory_SOURCES = tests/lib/test-memory.c
tests_lib_test_memory_CFLAGS = $(AM_CFLAGS) -fno-builtin
tests_lib_test_memory_LDFLAGS = $(AM_LDFLAGS) -Wl,--wrap=malloc,--wrap=calloc,--wrap=realloc,--wrap=free
tests_lib_test_memory_LDADD = src/lib/libwhittle.a $(libwhittle_needs)
if HAVE_CMOCKA
EXTRA_PROGRAMS += tests/lib/test-whittle tests/lib/test-journal
TESTS += tests/lib/test-whittle tests/lib/test-journal
tests_lib_test_whittle_SOURCES = tests/lib/test-whittle.c
tests_lib_test_whittle_LDADD = src/lib/libwhittle.a $(libwhittle_needs) $(CMOCKA_LIBS) -lpthread
tests_lib_test_journal_SOURCES = tests/lib/test-journal.c
tests_lib_test_journal_LDADD = src/lib/libwhittle.a $(libwhittle_needs) $(CMOCKA_LIBS)
endif
