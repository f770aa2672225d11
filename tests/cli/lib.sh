# shellcheck shell=sh
# Sourced by the tests of the command: a private directory, running whittle, and what to say when it is wrong.
# $WHITTLE is the command; every process that a test starts carries $whittle_mark in its environment.
set -eu
: "${WHITTLE:?names the whittle to test}" "${top_srcdir:=.}"
case $top_srcdir in /*) ;; *) top_srcdir=$(cd "$top_srcdir" && pwd) ;; esac

tmp=$(mktemp -d)
mkdir "$tmp/seen"
trap 'end_marked; rm -rf "$tmp"' EXIT
trap 'exit 1' HUP INT TERM
whittle_mark=$(basename "$tmp")
wait_for=$(cd "${top_builddir:-.}" && pwd)/tests/wait-for
seen=$tmp/seen
export whittle_mark seen wait_for LC_ALL=C HOME="$tmp"
unset XDG_CONFIG_HOME XDG_STATE_HOME GIT_DIR MAKEFLAGS MAKELEVEL MFLAGS
chmod 755 "$tmp" # other users run tests, too
# Tests take notes, which the fence has to let through.
printf '[whittle]\n\tallowWrite = "%s"\n' "$tmp" >"$HOME/.gitconfig"
mkdir "$tmp/work"
cd "$tmp/work"

fail() {
	echo "FAILED: $*" >&2
	for f in "$tmp/out" "$tmp/err"; do
		if [ -s "$f" ]; then
			echo "--- $f" >&2
			head -c 4000 "$f" >&2
		fi
	done
	exit 1
}

# run STATUS ARGUMENT...: whittle must end with this status. Output goes to $tmp/out and $tmp/err.
run() {
	want=$1
	shift
	status=0
	"$WHITTLE" "$@" >"$tmp/out" 2>"$tmp/err" </dev/null || status=$?
	[ "$status" = "$want" ] || fail "whittle $*: exit status $status instead of $want"
}

# eventually COMMAND...: true sooner or later; a test that waits for ever would only say so after hours.
eventually() {
	tries=0
	until "$@"; do
		[ $((tries += 1)) -lt 3000 ] || fail "this has not come true: $*"
		sleep 0.1
	done
}

# unfolded FILE: a line that was folded is one again
unfolded() {
	awk 'NR > 1 && sub(/^whittle:   /, "") || is_hint && sub(/^  /, "") { line = line " " $0; next }
		NR > 1 { print line }
		{ line = $0; is_hint = /^hint:/ }
		END { if (NR) print line }' "$1"
}

# narrow FILE: what whittle says there fits 80 columns, but for what is to be copied and has a line of its own, and errors, whose
# end is not theirs.
narrow() {
	if LC_ALL=C.UTF-8 awk '/^hint:|^  [^ ]|^whittle:   / && length > 80 && !/^  (\( d=|whittle |git |sed )|^  [^ ]*$|^hint: [^ ]*$/' "$1" |
		grep .; then
		fail "beyond 80 columns"
	fi
}

# await PATTERN FILE: a line of FILE, sooner or later
await() {
	"$wait_for" line "$1" "$2" || fail "no line $1"
}

# forget: the reductions kept so far, so that the next run does not go on with one.
forget() {
	rm -rf "$HOME/.local/state/whittle"
}

# make_test NAME <<BODY: an interestingness test that also notes in $seen which directory it ran in.
make_test() {
	{
		echo '#!/bin/sh'
		echo 'pwd >"$seen/$$"'
		cat
	} >"$1"
	chmod +x "$1"
}

# holds TEST FILE: whether a test that was made with make_test says yes, asked directly.
holds() {
	mkdir -p "$tmp/direct"
	seen=$tmp/direct "$1" "$2"
}

# Processes, other than this shell and its children at work, that carry our mark: what a run has left behind.
marked() {
	set -- /proc/[0-9]*/environ # before there is a grep
	grep -lazxF "whittle_mark=$whittle_mark" "$@" 2>/dev/null | sed 's/[^0-9]//g' | grep -vx $$ || :
}

# What a process that ended at once had started notices and goes.
marked_are_gone() {
	while going=$(marked) && [ "$going" ]; do
		# shellcheck disable=SC2086
		"$wait_for" gone $going || fail "still there: $(for p in $(marked); do tr '\0' ' ' <"/proc/$p/cmdline"; echo; done)"
	done
}

end_marked() {
	for pid in $(marked); do
		kill -KILL "$pid" 2>/dev/null || :
	done
}

# Nothing may be left of the run that just ended: no process, no directory that a test ran in.
nothing_left() {
	for pid in $(marked); do
		fail "process $pid is left: $(tr '\0' ' ' 2>/dev/null <"/proc/$pid/cmdline")"
	done
	no_directory_left
}

no_directory_left() {
	for f in "$seen"/*; do
		[ -e "$f" ] || fail "no test has run"
		dir=$(cat "$f")
		[ -z "$dir" ] || [ ! -e "$dir" ] || fail "directory $dir is left"
	done
	rm -f "$seen"/*
}

# accepted EVENTS: sizes of the accepted candidates, in order
accepted() {
	sed -n '/"event": *"accept"/s/.*"bytes": *\([0-9]*\).*/\1/p' "$1"
}

# same FILE FILE
same() {
	cmp -s "$1" "$2" || fail "$1 and $2 differ"
}
