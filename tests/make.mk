# Tests of what whittle is to make, with the make that MAKE names: `MAKE=/elsewhere/make make check` tests another one.
make_tests = tests/make/automake tests/make/interrupt tests/make/load tests/make/manual tests/make/names tests/make/rules \
	tests/make/trees
dist_check_SCRIPTS += $(make_tests)
TESTS += $(make_tests)
EXTRA_DIST += tests/make/lib.sh
