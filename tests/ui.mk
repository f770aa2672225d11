# The live display: what is drawn, compared as text; what is done with a terminal is tested in tests/cli/live.
check_PROGRAMS += tests/ui/screens
tests_ui_screens_SOURCES = tests/ui/screens.c
tests_ui_screens_LDADD = src/libwhittle.a $(PCRE2_LIBS) $(XXHASH_LIBS) $(ZLIB_LIBS) $(JANSSON_LIBS)
TESTS += tests/ui/screens
EXTRA_DIST += tests/ui/expected
