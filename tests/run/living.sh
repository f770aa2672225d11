# shellcheck shell=sh
# Sourced by the tests of the helpers in share/: a program that judges through one of them.
. "${top_srcdir:-.}/tests/cli/lib.sh"
share=$top_srcdir/share/live
export share
awk 'BEGIN { for (i = 1; i <= 30; i++) printf "%02d %s jumps over it\n", i, i % 15 == 7 ? "needle" : "filler" }' >input

# helps WORDS...: ./judging starts this, and goes the same way alive as once for each candidate. It says that FILE is
# interesting when that has "needle" twice, throws for one with "throw", and prints to standard output besides.
helps() {
	{
		echo '#!/bin/sh'
		echo 'pwd >"$seen/$$"'
		printf 'exec'
		for word; do printf " '%s'" "$word"; done
		printf ' "$@"\n'
	} >./judging
	chmod +x ./judging
	./judging input >"$tmp/out" 2>"$tmp/err" || fail 'asked once: the input is not interesting'
	echo one needle >once
	if ./judging once >"$tmp/out" 2>"$tmp/err"; then fail 'asked once: one needle is interesting'; fi
	echo throw >throws
	if ./judging throws >"$tmp/out" 2>"$tmp/err"; then fail 'asked once: an exception is interesting'; fi
	printf '%s\n' "$PWD/input" "$PWD/once" "$PWD/throws" "$PWD/input" | ./judging >answers 2>"$tmp/err" || fail 'alive'
	printf '%s\n' 0 1 1 0 >expected
	same answers expected
	rm -f "$seen"/*
	run 0 --no-store -q --no-external --passes lines,tokens --timeout 60 -j2 --persistent -o alive ./judging input
	! grep -q persistent "$tmp/err" || fail 'something is said'
	nothing_left
	[ "$(tr -d ' \n' <alive)" = needleneedle ] || fail "the result is $(cat alive)"
}

# answers EXPECTED WORDS...: a judge that these words start answers the lines of the file questions so.
answers() {
	want=$1
	shift
	got=$("$@" <questions 2>"$tmp/err" | tr '\n' ' ')
	[ "$got" = "$want" ] || fail "$*: the answers are $(echo "$got" | head -c 200)"
}
