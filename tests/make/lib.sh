# shellcheck shell=sh
# For the tests of what whittle is to make: the make to test is $MAKE (make), whittle.mk is the one of the build tree.
. "${top_srcdir:-.}/tests/cli/lib.sh"
: "${MAKE:=make}"
unset MAKEOVERRIDES MAKEFILES VPATH
build=$(dirname "$(dirname "$WHITTLE")")
case $("$MAKE" --version 2>/dev/null) in
"GNU Make "[4-9]*) ;;
*) echo "SKIP: $MAKE is no GNU make 4"; exit 77 ;;
esac
command -v git >/dev/null && export GIT_CEILING_DIRECTORIES="${tmp%/*}"

# run_make STATUS ARGUMENT...: make must end with this status. Output goes to $tmp/out and $tmp/err.
run_make() {
	want=$1
	shift
	status=0
	"$MAKE" -I "$build/make" "$@" >"$tmp/out" 2>"$tmp/err" </dev/null || status=$?
	[ "$status" = "$want" ] || fail "make $*: exit status $status instead of $want"
}

# outdated ARGUMENT...: make -q must say that there is something to do. make 4.0 says so with 2, later ones with 1.
outdated() {
	status=0
	"$MAKE" -I "$build/make" -q "$@" >"$tmp/out" 2>"$tmp/err" </dev/null || status=$?
	case $status in 1 | 2) ;; *) fail "make -q $*: exit status $status" ;; esac
	[ ! -s "$tmp/err" ] || fail "make -q $*"
}

# has TEXT FILE
has() {
	grep -qF -- "$1" "$2" || fail "no \"$1\" in $2"
}

# A test that wants the line N.
wants() { # NAME N
	make_test "$1" <<END
grep -qx $2 "\$1"
END
}

# made FILE...: these were remade by the last run_make, and nothing else was.
made() {
	sed -n 's/^whittle: \(.*\): [0-9]* to [0-9]* bytes$/\1/p' "$tmp/out" | sort >"$tmp/made"
	printf '%s\n' "$@" | sed '/^$/d' | sort | diff - "$tmp/made" || fail "these were to be made: $*"
}

# An explicit time, so that what is newer does not depend on the clock's grain: older FILE...
older() {
	touch -d '2020-01-01' "$@"
}

# manual_example FILE [NAME]: the example NAME (FILE) of whittle-make(7) as FILE.
manual_example() {
	sed -n "/^\\.\\\\\" example: ${2-$1}\$/,/^\\.fi\$/p" "$top_srcdir/man/whittle-make.7" | grep -v '^\.[\\a-z]' |
		sed "s/^    //; s/\\\\-/-/g; s/\\\\(aq/'/g; s/\\\\e/\\\\/g" >"$1"
	[ -s "$1" ] || fail "no example $1 in whittle-make(7)"
}
