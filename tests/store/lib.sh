# shellcheck shell=sh
# For the scripts here: a directory of their own, no configuration but the default, and `drive`, which plays reductions.
set -eu
# shellcheck disable=SC2034 # for the scripts
srcdir=$(cd "${top_srcdir-.}" && pwd)
drive=$(cd "${top_builddir-.}" && pwd)/tests/store/drive
# shellcheck disable=SC2034 # for the scripts
whittle=${WHITTLE:?}
tmp=$(mktemp -d "${TMPDIR:-/tmp}/whittle-store.XXXXXX")
trap 'rm -rf "$tmp"' EXIT
cd "$tmp"
export HOME="$tmp" XDG_STATE_HOME="$tmp/state" GIT_CONFIG_NOSYSTEM=1 GIT_CEILING_DIRECTORIES="${tmp%/*}"
unset GIT_DIR GIT_WORK_TREE GIT_INDEX_FILE 2>&- || :
command -v git >/dev/null || { echo "SKIP: no git"; exit 77; }
git config --global user.name tester
git config --global user.email tester@localhost
git config --global init.defaultBranch main
git config --global whittle.fence none # not what is tested here, and notes are taken outside

fail() {
	echo "FAIL: $*" >&2
	exit 1
}

# The id that a reduction of FILE ends at: tip ARGS... FILE
tip() {
	out=$("$drive" "$@") || fail "drive $*: $out"
	echo "$out" | sed -n 's/^tip \([0-9a-f]*\) .*/\1/p'
}

# Is the repository here sound? Commits that are nobody's any more are no damage.
sound() {
	if git fsck --strict 2>&1 | grep -v -e '^notice' -e '^dangling'; then
		fail "git fsck is not content"
	fi
}

# What of a repository's directory is the user's: everything but refs/whittle, whittle/ and objects/.
state() {
	(cd "$1" && find . -path ./objects -prune -o -path ./whittle -prune -o -path ./refs/whittle -prune -o -type f -print |
		LC_ALL=C sort | xargs cksum)
}
