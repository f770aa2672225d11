#!/bin/sh
# Each directory in tests/text/fixtures is a case: the file "input.*" (or the only file beside "outline" and "tokens")
# under the tokenizer that its name chooses, and what `whittle tokens --tree` ("outline") and `whittle tokens` ("tokens",
# optional) print for it. After a change that is meant: UPDATE=1 tests/text/fixtures.sh, and read the diff.
set -u
fixtures=${top_srcdir:-.}/tests/text/fixtures
actual=$(mktemp) || exit 99
trap 'rm -f "$actual"' EXIT
failed=0

compare() { # expected-file options...
	expected=$1
	shift
	if ! "$WHITTLE" tokens "$@" >"$actual" 2>&1; then
		printf '%s: whittle tokens failed:\n' "$expected"
		cat "$actual"
		failed=1
	elif [ "${UPDATE:-}" ]; then
		cp "$actual" "$expected"
	elif ! diff -u "$expected" "$actual"; then
		failed=1
	fi
}

cases=0
for dir in "$fixtures"/*/; do
	for input in "$dir"*; do
		case $input in
		*/outline | */tokens) continue ;;
		esac
		cases=$((cases + 1))
		compare "${dir}outline" --tree "$input"
		[ ! -e "${dir}tokens" ] || compare "${dir}tokens" "$input"
	done
done
printf '%d cases\n' "$cases"

# Each definition is installed, is read by the tests that take all of them, and has a case.
top=${top_srcdir:-.}
for tok in "$top"/tokenizers/*.tok; do
	name=$(basename "$tok" .tok)
	grep -q "tokenizers/$name\.tok\>" "$top/tokenizers/local.mk" || { echo "tokenizers/local.mk does not name $name.tok"; failed=1; }
	grep -q "\"$name\"" "$top/tests/text/support.c" || { echo "tests/text/support.c does not name \"$name\""; failed=1; }
	if grep -q '^record ' "$tok"; then
		set -- "$top/tests/passes/fixtures/"*"-${name%-data}"*
	else
		set -- "$fixtures/$name"*
	fi
	[ -e "$1" ] || { echo "no case for $name.tok: $1"; failed=1; }
	! grep -q '^# Covers: the parts of the language that it handles' "$tok" || { echo "$tok: its head is that of the template"; failed=1; }
done
[ "$cases" -gt 0 ] && [ "$failed" = 0 ]
