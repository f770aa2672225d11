# The live display: what is drawn, compared as text; what is done with a terminal is tested in tests/cli/live.
EXTRA_PROGRAMS += tests/ui/screens tests/ui/test-change tests/ui/test-curve
tests_ui_screens_SOURCES = tests/ui/screens.c
tests_ui_screens_LDADD = $(archive_ldadd)
tests_ui_test_change_SOURCES = tests/ui/change.c
tests_ui_test_change_LDADD = $(unit_ldadd)
tests_ui_test_curve_SOURCES = tests/ui/curve.c
tests_ui_test_curve_LDADD = $(unit_ldadd)
TESTS += tests/ui/screens tests/ui/test-change tests/ui/test-curve
EXTRA_DIST += tests/ui/expected
