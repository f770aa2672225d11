# Tests of src/bisect and src/hook: bisecting.
bisect_tests = \
	tests/integ/bisect-ahead \
	tests/integ/bisect-codes \
	tests/integ/bisect-command \
	tests/integ/bisect-examples \
	tests/integ/bisect-files \
	tests/integ/bisect-go-on \
	tests/integ/bisect-histories \
	tests/integ/bisect-run \
	tests/integ/bisect-slip
dist_check_SCRIPTS += $(bisect_tests)
TESTS += $(bisect_tests)
EXTRA_DIST += tests/integ/bisect-lib.sh tests/integ/bisect-history.awk

# The pre-push hook.
hook_tests = tests/integ/hook-budget tests/integ/hook-idle tests/integ/hook-install tests/integ/hook-modes \
	tests/integ/hook-odd tests/integ/hook-pre-commit tests/integ/hook-push \
	tests/integ/hook-setup tests/integ/hook-stop tests/integ/hook-trust
dist_check_SCRIPTS += $(hook_tests)
TESTS += $(hook_tests)
EXTRA_DIST += tests/integ/hook-lib.sh
