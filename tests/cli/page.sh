# shellcheck shell=sh disable=SC2154 # what lib.sh sets
# Sourced after lib.sh: does what a manual page says (page.awk).
play=$tmp/play expected=$tmp/expected sections=0 plays=0 left_out=0 wrong=0 skipping=false title=
# clang_delta, where it is installed, takes seconds for the smallest file.
mkdir "$tmp/programs"
cat >"$tmp/programs/whittle" <<END
#!/bin/sh
case \${1-} in
check | reduce) word=\$1 && shift && exec "$WHITTLE" "\$word" --no-external "\$@" ;;
*[!a-z]*) exec "$WHITTLE" --no-external "\$@" ;;
*) exec "$WHITTLE" "\$@" ;;
esac
END
chmod +x "$tmp/programs/whittle"
cp "$top_srcdir/share/make/whittle-as" "$tmp/programs"
plain_path=$tmp/programs:$PATH
PATH=$plain_path
export PATH top_srcdir

page_is_wrong() {
	fail "$page: $1"
}

section() {
	title=$1 skipping=false
	sections=$((sections + 1))
	mkdir -p "$tmp/sections/$sections/bin"
	cd "$tmp/sections/$sections" || exit 1
	PATH=$PWD/bin:$plain_path
}

needs() {
	command -v "$1" >/dev/null && return
	echo "left out, there is no $1: $title"
	skipping=true left_out=$((left_out + 1))
}

put() {
	mkdir -p "$(dirname "$1")"
	cat >"$1"
}

prepare() {
	$skipping || sh -ec "$1" >"$tmp/out" 2>&1 || fail "$page, $title: $1"
}

wrong() { # WHAT: said at once, and the page fails at its end
	wrong=$((wrong + 1))
	echo "FAILED: $page, $title: $1; the commands and what they printed:"
	cat "$play" "$tmp/out"
}

# play: the commands end well, and what is expected is printed, in order.
play() {
	! $skipping || return 0
	plays=$((plays + 1))
	sh -e "$play" >"$tmp/out" 2>&1 </dev/null || { wrong "exit status $?"; return 0; }
	[ -z "${PAGE_TIMES-}" ] || awk -v t="$title" '{ print $1 " " t }' /proc/uptime
	awk -v expected="$expected" '
		BEGIN { while ((getline line < expected) > 0) wanted[++n] = line; at = 1 }
		{ while (at <= n && (i = index($0, wanted[at]))) { $0 = substr($0, i + length(wanted[at])); at++ } }
		END { if (at <= n) { print "not printed: " wanted[at]; exit 1 } }' "$tmp/out" ||
		wrong "not all is printed that the page shows"
}

# do_page PAGE
do_page() {
	page=$(basename "$1")
	awk -f "$top_srcdir/tests/cli/page.awk" "$1" >"$tmp/script"
	# shellcheck disable=SC1091
	. "$tmp/script"
	echo "$page: $sections sections, $plays blocks of commands, $left_out left out"
	rm -f "$tmp/out"
	[ $wrong = 0 ] || fail "$page: $wrong blocks go wrong"
}
