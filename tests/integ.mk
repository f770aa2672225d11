# Tests of src/integ: bisecting.
bisect_tests = tests/integ/bisect-codes tests/integ/bisect-run
dist_check_SCRIPTS += $(bisect_tests)
TESTS += $(bisect_tests)
EXTRA_DIST += tests/integ/bisect-lib.sh
