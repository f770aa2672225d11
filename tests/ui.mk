# The live display: what is drawn, compared as text; what is done with a terminal is tested in tests/cli/live.
EXTRA_PROGRAMS += tests/ui/screens
tests_ui_screens_SOURCES = tests/ui/screens.c
tests_ui_screens_LDADD = $(archive_ldadd)
TESTS += tests/ui/screens
EXTRA_DIST += tests/ui/expected
