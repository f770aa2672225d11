# shellcheck shell=sh disable=SC2034,SC2154
# Sourced by the tests of workers, after tests/cli/lib.sh: a repository with in.c and a test, `calls`, which needs a file
# beside it; how they are reduced; a command that stands between whittle and a worker.

git init -q repo
cd repo || exit 1
git config user.name n
git config user.email e
awk 'BEGIN {
	for (i = 0; i < 30; i++)
		printf "int f%d(int a)\n{\n\tif (a > %d)\n\t\treturn f%d(a - %d);\n\treturn a; /* %d */\n}\n\n", i, i, (i * 7) % 30, i + 1, i
}' >in.c
# What the test needs beside it, in a directory of its own.
mkdir tools
cat >tools/balanced <<'AWK'
#!/usr/bin/awk -f
{ n += gsub(/{/, "{") - gsub(/}/, "}"); a += /f23\(/; b += /return f19/ }
END { exit !(n == 0 && a && b) }
AWK
chmod +x tools/balanced
make_test calls <<'END'
# With a mark, that it is there when a test begins is marked, too.
if [ "$mark" ] && [ -e "$mark" ]; then
	: >"$mark.seen"
fi
# With a gate, candidates (of less than gate_below bytes) are not judged before it is open: what a test of ours waits for has
# happened then.
if [ "$gate" ] && [ -s "$1" ] && [ "$(wc -c <"$1")" -lt "${gate_below:-1000000}" ] && ! cmp -s "$1" "$gate.input"; then
	"$wait_for" there "$gate"
fi
# With a liar, the second run on the original waits for what the liar says of it.
if [ "$liar" ] && cmp -s "$1" "$gate_input" && ! mkdir "$liar.first" 2>/dev/null; then
	"$wait_for" there "$liar"
fi
here=$(dirname "$0")
: cadical bitwuzla boolector cvc5 kissat # are looked for, and not run
exec "$here/tools/balanced" "$1"
END
gate='' liar='' mark='' gate_input=$tmp/gate.input
export gate liar mark gate_input
cp in.c "$tmp/gate.input"
git add in.c
git commit -qm in

# What a test of ours does between the end of a run and the look for what it left.
after_run() {
	:
}

# reduce NAME ARGUMENT...: from the start; the commit that it ends at goes to $tmp/NAME.id, what is said to $tmp/NAME.said
reduce() {
	name=$1
	shift
	git update-ref -d refs/whittle/calls
	rm -rf .git/whittle in.c.orig
	git checkout -q in.c
	run 0 --name calls --plain --no-external --timeout 100 --with tools/balanced "$@" ./calls in.c
	git rev-parse refs/whittle/calls >"$tmp/$name.id"
	cp "$tmp/err" "$tmp/$name.said"
	after_run
	nothing_left
	[ "$name" = alone ] || cmp -s "$tmp/alone.id" "$tmp/$name.id" || fail "$name: another commit than that of -j1"
	for left in "$TMPDIR"/*; do
		[ ! -e "$left" ] || fail "$name: $left is left"
	done
}
said() { # NAME PATTERN
	grep -q -- "$2" "$tmp/$1.said" || fail "$1: not said: $2"
}
said_nothing() { # NAME
	! grep -q 'worker [0-9]' "$tmp/$1.said" || fail "$1: $(grep 'worker [0-9]' "$tmp/$1.said")"
}
mkdir "$tmp/temporary"
TMPDIR=$tmp/temporary
export TMPDIR
worker="'$WHITTLE' worker"

# through COMMANDS: passes on what a worker says, each line at once (some awks wait for more), but for answers: for the Nth one, the
# LINE for question ID, the commands run; once they set QUIET no sign of life is passed on.
cat >"$tmp/through" <<'END'
#!/bin/sh
n=0 quiet=
while IFS= read -r line; do
	case $line in
	answer\ *)
		n=$((n + 1)) id=${line#answer } && id=${id%% *}
		eval "$1"
		;;
	alive*) [ "$quiet" ] || echo "$line" ;;
	*) printf '%s\n' "$line" ;;
	esac
done
END
chmod +x "$tmp/through"
PATH=$tmp:$PATH
