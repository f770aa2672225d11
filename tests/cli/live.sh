# shellcheck shell=sh
# Sourced by the tests of the live display: a terminal (tmux), a reduction that stops and waits where it is told to.
. "${top_srcdir:-.}/tests/cli/lib.sh"
command -v tmux >/dev/null || { echo 'SKIP: no tmux'; exit 77; }
"$WHITTLE" --version | grep -q '+display' || { echo 'SKIP: built without ncursesw'; exit 77; }
trap 'tmux_here kill-server 2>/dev/null || :; end_marked; rm -rf "$tmp"' EXIT

tmux_here() {
	env -u TMUX tmux -S "$tmp/socket" -f /dev/null "$@"
}

# Needs the lines that end in 0, a tenth of $lines. Counts; does not answer where $stops has a file of that number before it is
# let.
seq "${lines:=400}" >original
mkfifo ready let
mkdir stops
export original="$tmp/work/original" ready="$tmp/work/ready" let="$tmp/work/let" count="$tmp/count" stops="$tmp/work/stops"
{
	echo "most=$((lines / 10))"
	cat <<'END'
cmp -s "$1" "$original" && exit 0 # so often as it takes to know the test
read -r n <"$count"
if [ -f "$stops/$n" ]; then # with several jobs N may be nothing
	rm "$stops/$n"
	echo stuck >"$ready"
	read -r go <"$let"
fi
echo $((n + 1)) >"$count"
[ "$(grep -c '0$' "$1")" -ge "$most" ]
END
} | make_test slow

# begin COLUMNS ROWS COMMAND [STOP...]: in a terminal of this size; a shell says how it ended, and waits.
begin() {
	columns=$1 rows=$2 command=$3
	shift 3
	cp original file
	rm -f file.orig ended
	echo 0 >"$count"
	for stop in "$@"; do
		: >"$stops/$stop"
	done
	# shellcheck disable=SC2016 # for the shell in the terminal
	tmux_here new-session -d -x "$columns" -y "$rows" env LC_ALL=C.UTF-8 TERM=screen-256color sh -c "$command"'
		echo "status $?" >ended; echo it has ended; read -r line'
}

whittle_slow() {
	echo "'$WHITTLE' -j1 --timeout 900 $* ./slow file"
}

screen() {
	tmux_here capture-pane -p
}

on_screen() {
	screen >"$tmp/screen" && grep -q -- "$1" "$tmp/screen"
}

not_on_screen() {
	screen >"$tmp/screen" && ! grep -q -- "$1" "$tmp/screen"
}

# shows PATTERN: sooner or later
shows() {
	eventually on_screen "$1"
}

on_line() {
	screen >"$tmp/screen" && sed -n "$1p" "$tmp/screen" | grep -q -- "$2"
}

# line N PATTERN: sooner or later line N of the screen is so. A picture that is being drawn may have some of its lines only.
line() {
	eventually on_line "$1" "$2"
}

# gone PATTERN: the screen shows it no more
gone() {
	eventually not_on_screen "$1"
}

stuck() {
	read -r event <ready
	[ "$event" = stuck ] || fail 'it has ended'
}

is_right() {
	[ -s ended ] && [ "$(tmux_here display-message -p '#{alternate_on} #{cursor_flag}')" = '0 1' ] &&
		stty -a <"$(tmux_here display-message -p '#{pane_tty}')" >modes &&
		grep -q '[^-]echo ' modes && grep -q '[^-]icanon' modes
}

# put_right STATUS: no picture is left, the cursor is to be seen, what is typed too; soon, when it could not see to that itself
put_right() {
	eventually is_right
	[ "$(cat ended)" = "status $1" ] || fail "it has ended with $(cat ended), not $1"
}

over() {
	tmux_here kill-server
	end_marked
	rm -f "$seen"/*
}

