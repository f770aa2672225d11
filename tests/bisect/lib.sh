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
