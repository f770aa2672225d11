# shellcheck shell=sh
# For the tests of `whittle bisect`: a repository with a history to search, whose program is a shell script.
. "${top_srcdir:-.}/tests/cli/lib.sh"
command -v git >/dev/null || { echo "SKIP: no git"; exit 77; }
export GIT_CONFIG_NOSYSTEM=1 GIT_CEILING_DIRECTORIES="${tmp%/*}" GIT_AUTHOR_DATE='1700000000 +0000' GIT_COMMITTER_DATE='1700000000 +0000'
unset GIT_WORK_TREE GIT_INDEX_FILE 2>/dev/null || :
git config --global user.name tester
git config --global user.email tester@localhost
git config --global init.defaultBranch main
git config --global advice.detachedHead false

# commit N: the program as it is, as a commit that is also the tag vN
commit() {
	git add -A
	git commit -q -m "change $1" --allow-empty
	git tag "v$1"
}

# history LAST BAD: v1 to vLAST; prog says "boom" about a file with "crash" in it from vBAD on.
history() {
	git init -q repo
	cd repo
	i=1
	while [ $i -le "$1" ]; do
		echo "# version $i" >prog
		[ $i -lt "$2" ] || echo 'if grep -q crash "$1"; then echo boom; fi' >>prog
		commit $i
		i=$((i + 1))
	done
}

# make_boom FILE: a test for that
make_boom() {
	make_test "$1" <<'END'
sh "$WHITTLE_TREE/prog" "$1" | grep -q boom
END
}

# first_bad LOG: what git bisect, or whittle bisect, found; an id
first_bad() {
	sed -n 's/^\([0-9a-f]\{40,\}\) is the first bad commit$/\1/p' "$1"
}

# found LOG TAG: it must be this revision
found() {
	[ "$(first_bad "$1")" = "$(git rev-parse "$2^{commit}")" ] || fail "not $2: $(cat "$1")"
}

# What of the repository here is the user's: all of it, but for refs/whittle, what whittle keeps below the git directory,
# and objects. refs/notes/whittle counts, too.
users_state() {
	find . \( -path ./.git/objects -o -path ./.git/whittle -o -path ./.git/refs/whittle \) -prune -o -type f -print |
		LC_ALL=C sort | xargs -d '\n' cksum
	git for-each-ref | grep -v refs/whittle/ || :
	git stash list
	git status --porcelain
	git worktree list
}

# What git itself leaves alone when it has bisected and gone back: it writes its index anew, and where HEAD has been.
seen_state() {
	git symbolic-ref HEAD
	git for-each-ref | grep -v refs/whittle/ || :
	git ls-files -s
	git stash list
	git status --porcelain
	git worktree list
}

# keep_state, and later whole_kept WHAT, or seen_kept WHAT where git has bisected: nothing has changed in between.
keep_state() {
	users_state >"$tmp/state.whole"
	seen_state >"$tmp/state.seen"
}
whole_kept() {
	users_state | diff "$tmp/state.whole" - || fail "$1: the repository has changed"
}
seen_kept() {
	seen_state | diff "$tmp/state.seen" - || fail "$1: the repository has changed"
}

# compare SHAPE SEED [SIZE]: in a history that history.awk writes, with merges, commits that cannot be built, masked ones, the one
# command finds what plain `git bisect run` finds with the original, be it one commit, several that cannot be told apart, or a
# contradiction; with two builds more at most, those of the ends, and two runs of the test.
compare() {
	rm -rf "$tmp/work/repo"
	git init -q "$tmp/work/repo"
	cd "$tmp/work/repo"
	awk -v shape="$1" -v seed="$2" -v size="${3-}" -f "$top_srcdir/tests/bisect/history.awk" | git fast-import --quiet
	git reset -q --hard
	: >"$tmp/git.builds"
	: >"$tmp/git.tests"
	git bisect start bad good >"$tmp/git.out" 2>&1
	git bisect run sh "$tmp/plain" >>"$tmp/git.out" 2>&1 || :
	git bisect reset >/dev/null 2>&1
	: >"$tmp/builds"
	: >"$tmp/tests"
	keep_state
	"$WHITTLE" bisect --no-reduce --good good --bad bad --build "echo x >>'$tmp/builds'; test ! -e broken" "$tmp/one" "$tmp/case" \
		>"$tmp/out" 2>"$tmp/err" </dev/null || :
	whole_kept "$1 $2"
	verdict "$tmp/git.out" >"$tmp/git.verdict"
	verdict "$tmp/out" >"$tmp/verdict"
	[ -s "$tmp/git.verdict" ] || fail "$1 $2: git says nothing: $(cat "$tmp/git.out")"
	cmp -s "$tmp/git.verdict" "$tmp/verdict" || fail "$1 $2: git says $(cat "$tmp/git.verdict"), whittle $(cat "$tmp/verdict")"
	sed 's/.* //' "$tmp/verdict" | sort -u >>"$tmp/kinds"
	for what in builds tests; do
		[ "$(wc -l <"$tmp/$what")" -le $(($(wc -l <"$tmp/git.$what") + 2)) ] ||
			fail "$1 $2: $(wc -l <"$tmp/$what") $what, of git $(wc -l <"$tmp/git.$what")"
	done
	case $1 in contradictory | masked) return ;; esac # these lead elsewhere
	grep -q "^$(git rev-parse culprit) " "$tmp/verdict" || fail "$1 $2: the culprit is not among $(cat "$tmp/verdict")"
}
# The commits that the output of a bisection names, and what it says about them.
verdict() {
	sed -n "s/^\([0-9a-f]\{40\}\) is the first bad commit\$/\1 found/p; s/^\([0-9a-f]\{40\}\)\$/\1 possible/p
		s/^The merge base \([0-9a-f]*\) is bad.*/\1 contradiction/p" "$1" | sort
}
# What compare uses: the case; the test; and by hand what the helper does, for a comparison that does not depend on it.
prepare_compare() {
	printf 'first line\nanother line with other things\none crash more\nthe last line\n' >"$tmp/case"
	make_test "$tmp/one" <<END
echo x >>"$tmp/tests"
sh "\$WHITTLE_TREE/prog" "\$1" >out || exit
grep -q boom out
END
	cat >"$tmp/plain" <<END
echo x >>"$tmp/git.builds"
test ! -e broken || exit 125
echo x >>"$tmp/git.tests"
sh ./prog "$tmp/case" >"$tmp/plain.out"
status=\$?
[ \$status = 0 ] || { [ \$status -lt 125 ] && exit 0 || exit 125; }
! grep -q boom "$tmp/plain.out"
END
}
