# shellcheck shell=sh
# For the tests of `whittle hook`: a repository, a bare one to push to over file://, a driver, and what must not change.
. "${top_srcdir:-.}/tests/cli/lib.sh"
command -v git >/dev/null || { echo "SKIP: no git"; exit 77; }
export GIT_CONFIG_NOSYSTEM=1 GIT_CEILING_DIRECTORIES="${tmp%/*}" TMPDIR="$tmp/tmp"
mkdir "$TMPDIR"
# Under AddressSanitizer: libgit2 1.5 loses a little when a repository has extensions (SHA-256, a partial clone).
echo leak:libpcre2-8 >"$tmp/lsan"
export LSAN_OPTIONS="suppressions=$tmp/lsan:print_suppressions=0"
unset GIT_WORK_TREE GIT_INDEX_FILE PRE_COMMIT PRE_COMMIT_FROM_REF PRE_COMMIT_TO_REF 2>/dev/null || :
git config --global user.name tester
git config --global user.email tester@localhost
git config --global init.defaultBranch main
git config --global advice.detachedHead false
git config --global maintenance.auto false
[ -z "${EMULATED:-}" ] || git config --global whittle.cc.budget 200s # where all takes ten times as long

# repository [OPTION...]: makes and enters $tmp/repo, whose remote "origin" is $tmp/remote.git; options for git init
repository() {
	cd "$tmp"
	rm -rf remote.git repo
	git init -q "$@" --bare "$tmp/remote.git"
	git init -q "$@" "$tmp/repo"
	cd "$tmp/repo"
	git remote add origin "file://$tmp/remote.git"
	mkdir repro
	echo '*.c whittle=cc' >repro/.gitattributes
	echo int main >other.c
	commit begin
}

commit() {
	git add -A
	git commit -q --allow-empty -m "$1"
}

# driver NAME: its test wants "needle", and writes down each time it runs in $tmp/asked.NAME
driver() {
	cat >".git/$1-test" <<END
#!/bin/sh
echo x >>"$tmp/asked.$1"
grep -q needle "\$1"
END
	chmod +x ".git/$1-test"
	git config "whittle.$1.test" "$1-test"
}

# asked NAME: whether the driver's test ran since the last call
asked() {
	[ -s "$tmp/asked.$1" ] && rm "$tmp/asked.$1"
}

small() { echo needle; }
large() { seq 300 | sed 's/^/int x/'; echo needle; }

# push STATUS ARGUMENT...: git push must end with this status, and change nothing of the user's. What is said is in said.
push() {
	want=$1
	shift
	users_state >"$tmp/before"
	status=0
	git push -q "$@" >"$tmp/out" 2>"$tmp/err" </dev/null || status=$?
	cat "$tmp/out" "$tmp/err" >"$tmp/said"
	[ "$status" = "$want" ] || fail "git push $*: exit status $status instead of $want"
	users_state >"$tmp/after"
	diff "$tmp/before" "$tmp/after" >&2 || fail "git push $* has changed something of the user's"
	[ -z "$(ls "$TMPDIR")" ] || fail "git push $* left $(ls "$TMPDIR")"
}

# What a push must leave alone: every byte below the repository, but what whittle remembers, and what git itself notes
# about the remote.
users_state() {
	find . \( -path ./.git/whittle -o -path ./.git/refs/remotes -o -path ./.git/logs/refs/remotes \) -prune -o \
		-printf '%m %y %p %l\0' | LC_ALL=C sort -z | tr '\0' '\n'
	find . \( -path ./.git/whittle -o -path ./.git/refs/remotes -o -path ./.git/logs/refs/remotes \) -prune -o \
		-type f -print0 | LC_ALL=C sort -z | xargs -0 cksum
	git for-each-ref --format='%(refname) %(objectname)' | grep -v '^refs/remotes/' || :
	git stash list
}

says() {
	grep -qF -- "$1" "$tmp/said" || fail "not said: $1"
}

says_nothing() {
	[ ! -s "$tmp/said" ] || fail "something is said"
}
