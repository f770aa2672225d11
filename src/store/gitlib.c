#include "store/gitlib.h"

#include <stdio.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/err.h"
#include "base/mem.h"

enum { WINDOW_BYTES = 64 << 20 };

/* As git_libgit2_init, which reads all certificates of the system, some 14 ms, for connections that
 * nobody makes: it does without those that it cannot open. */
static int start_without_files(void)
{
	struct rlimit was, none;
	bool limited = getrlimit(RLIMIT_NOFILE, &was) == 0;
	none = (struct rlimit){ .rlim_cur = 0, .rlim_max = was.rlim_max };
	limited = limited && setrlimit(RLIMIT_NOFILE, &none) == 0;
	int starts = git_libgit2_init();
	if (limited)
		setrlimit(RLIMIT_NOFILE, &was);
	return starts < 0 ? git_libgit2_init() : starts;
}

int gitlib_start(struct err *err)
{
	/* libgit2 up to 1.5 refuses a repository for any extension it has not heard of. These are
	 * about the work tree and about which objects may be missing. */
	static const char *harmless[] = { "worktreeconfig", "partialclone", "preciousobjects",
		                          "relativeworktrees" };
	int starts = start_without_files();
	if (starts < 0)
		return gitlib_fail(err, "cannot start libgit2");
	if (starts > 1)
		return 0;
	/* Once more, so that what a start makes stays until the process ends, however often it is
	 * stopped and started. */
	git_libgit2_init();
	/* No cache of objects: hardly any is read twice, and one for which the cache has no room
	 * when memory is short is given out and released (libgit2 1.5). */
	git_libgit2_opts(GIT_OPT_ENABLE_CACHING, 0);
	git_libgit2_opts(GIT_OPT_SET_MWINDOW_MAPPED_LIMIT, (size_t)WINDOW_BYTES);
	git_libgit2_opts(GIT_OPT_ENABLE_FSYNC_GITDIR, 1);
	git_libgit2_opts(GIT_OPT_SET_EXTENSIONS, harmless, sizeof harmless / sizeof *harmless);
	return 0;
}

void gitlib_stop(void)
{
	git_libgit2_shutdown();
}

/* Is there a repository at PATH (or, unless FLAGS forbid to search, around it) that is not ours? */
static bool is_foreign(const char *path, unsigned flags, const char *ceilings)
{
	git_buf found = { 0 };
	struct stat st;
	bool foreign = git_repository_discover(&found, path, 0, ceilings) == 0 &&
	               stat(found.ptr, &st) == 0 && st.st_uid != geteuid();
	MEM_SCOPED char *real = realpath(path, NULL);
	if (foreign && (flags & GIT_REPOSITORY_OPEN_NO_SEARCH)) {
		size_t n = real ? strlen(real) : 0;
		foreign = n && !strncmp(found.ptr, real, n) &&
		          (!strcmp(found.ptr + n, "/") || !strcmp(found.ptr + n, "/.git/"));
	}
	git_buf_dispose(&found);
	return foreign;
}

int gitlib_open(git_repository **repo, const char *path, unsigned flags, const char *ceilings)
{
	int rc = git_repository_open_ext(repo, path, flags, ceilings);
	return rc == GIT_ENOTFOUND && path && is_foreign(path, flags, ceilings) ? GIT_EOWNER : rc;
}

int gitlib_commit(git_commit **commit, git_repository *repo, const git_oid *id)
{
	int rc = git_commit_lookup(commit, repo, id);
	if (rc < 0 || git_commit_message_raw(*commit))
		return rc;
	git_commit_free(*commit);
	*commit = NULL;
	return -1;
}

struct walk {
	git_treewalk_cb fn;
	void *ctx;
};

/* A tree below for which libgit2 had no memory has entries that are not there. */
static int walk_entry(const char *root, const git_tree_entry *entry, void *ctx)
{
	const struct walk *w = ctx;
	return entry ? w->fn(root, entry, w->ctx) : -1;
}

int gitlib_walk(git_repository *repo, const git_oid *id, git_treewalk_cb fn, void *ctx)
{
	git_commit *commit = NULL;
	git_tree *tree = NULL;
	struct walk walk = { fn, ctx };
	int rc = git_commit_lookup(&commit, repo, id);
	if (rc == 0)
		rc = git_commit_tree(&tree, commit);
	if (rc == 0)
		rc = git_tree_walk(tree, GIT_TREEWALK_PRE, walk_entry, &walk);
	git_tree_free(tree);
	git_commit_free(commit);
	return rc;
}

int gitlib_fail(struct err *err, const char *fmt, ...)
{
	char text[1024];
	va_list ap;
	va_start(ap, fmt);
	vsnprintf(text, sizeof text, fmt, ap);
	va_end(ap);
	const git_error *e = git_error_last();
	return err_set(err, ERR_SYSTEM, "%s: %s", text,
	               e && e->message ? e->message : "unknown failure");
}
