#!/bin/sh
# What the rewrites of each language find in a few lines of it: tests/text/rewrites/NAME.input, with the tokenizer NAME, gives
# the matches in NAME.expected; those that only put a constant in the place of an operand are left out. UPDATE=1 writes it.
set -eu
dir=${top_srcdir:-.}/tests/text/rewrites
out=$(mktemp)
trap 'rm -f "$out"' EXIT
status=0 languages=0
for input in "$dir"/*.input; do
	name=$(basename "$input" .input)
	"${WHITTLE:?}" tokens --rewrites -t "$name" "$input" |
		sed -nE '/ -> " *(0|int|integer|any|\(\)) *"$/!s/^[0-9]*: //p' >"$out"
	[ -s "$out" ] || { echo "$name: no matches"; status=1; }
	[ -z "${UPDATE:-}" ] || cp "$out" "$dir/$name.expected"
	diff "$dir/$name.expected" "$out" || { echo "FAILED: $name"; status=1; }
	languages=$((languages + 1))
done
[ "$languages" -ge 38 ] || { echo "only $languages languages"; status=1; }
for tok in "${top_srcdir:-.}"/tokenizers/*.tok; do
	! grep -q '^rewrite ' "$tok" || [ -e "$dir/$(basename "$tok" .tok).input" ] || { echo "no input for $tok"; status=1; }
done
exit "$status"
