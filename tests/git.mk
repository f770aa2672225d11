# Tests of src/bisect.
bisect_tests = \
	tests/bisect/codes \
	tests/bisect/command \
	tests/bisect/examples \
	tests/bisect/files \
	tests/bisect/go-on \
	tests/bisect/histories \
	tests/bisect/history \
	tests/bisect/masked \
	tests/bisect/run \
	tests/bisect/slip \
	tests/bisect/submodules \
	tests/bisect/trees
dist_check_SCRIPTS += $(bisect_tests)
TESTS += $(bisect_tests)
EXTRA_DIST += tests/bisect/lib.sh tests/bisect/history.awk

# The pre-push hook.
hook_tests = tests/hook/budget tests/hook/goes-on tests/hook/husky tests/hook/idle tests/hook/install \
	tests/hook/leaves tests/hook/modes tests/hook/odd tests/hook/others tests/hook/pre-commit \
	tests/hook/push tests/hook/setup tests/hook/stop tests/hook/trust
dist_check_SCRIPTS += $(hook_tests)
TESTS += $(hook_tests)
EXTRA_DIST += tests/hook/lib.sh
