#include "bisect/bisect_tree.h"

#include <dirent.h>
#include <fcntl.h>
#include <stdio.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/buf.h"
#include "base/err.h"
#include "base/io.h"
#include "base/mem.h"
#include "bisect/bisect.h"

/* ---- the repository ---- */

/* What is at REL below FROM becomes the same below TO, where it may be missing. */
static int copy_present(const char *from, const char *to, const char *rel, struct err *err)
{
	MEM_SCOPED char *a = mem_printf("%s/%s", from, rel), *b = mem_printf("%s/%s", to, rel);
	int rc = access(a, F_OK) < 0 ? 0 : io_remove_tree(AT_FDCWD, b);
	if (rc == 0 && access(a, F_OK) == 0)
		rc = copy_entry(a, b);
	if (rc < 0)
		err_errno(err, "cannot copy %s to %s", a, b);
	return rc;
}

static int write_in(const char *git, const char *rel, const char *bytes, size_t n, struct err *err)
{
	MEM_SCOPED char *path = mem_printf("%s/%s", git, rel);
	return io_replace_file(path, bytes, n, 0666, err);
}

/* The user's refs, as they are now: builds describe a revision by its tags. */
static int borrow_refs(const struct bisect_trees *t, const char *git, struct err *err)
{
	BUF_SCOPED struct buf refs = { 0 };
	int rc = bisect_git(t->here, GIT_ARGS("for-each-ref", "--format=%(objectname) %(refname)"),
	                    &refs, err);
	if (rc == 0)
		rc = write_in(git, "packed-refs", refs.data ? refs.data : "", refs.len, err);
	return rc;
}

static int borrow_objects(const struct bisect_trees *t, const char *git, struct err *err)
{
	MEM_SCOPED char *line = mem_printf("%s/objects\n", t->common);
	int rc = write_in(git, "objects/info/alternates", line, strlen(line), err);
	return rc == 0 ? copy_present(t->common, git, "shallow", err) : -1;
}

/* The user's settings, by reference, and what goes with them. Without core.bare git sees by the
 * place whether there is a work tree. */
static int borrow_settings(const struct bisect_trees *t, const char *own, const char *git,
                           struct err *err)
{
	MEM_SCOPED char *shared = mem_printf("%s/config", t->common),
			*mine = mem_printf("%s/config.worktree", own),
			*lfs = mem_printf("%s/lfs", t->common);
	int rc = bisect_git(git, GIT_ARGS("config", "--unset", "core.bare"), NULL, err);
	if (rc == 0)
		rc = bisect_git(git, GIT_ARGS("config", "--add", "include.path", shared), NULL,
		                err);
	if (rc == 0)
		rc = bisect_git(git, GIT_ARGS("config", "--add", "include.path", mine), NULL, err);
	if (rc == 0)
		rc = bisect_git(git, GIT_ARGS("config", "lfs.storage", lfs), NULL, err);
	if (rc == 0)
		rc = copy_present(t->common, git, "info", err);
	if (rc == 0)
		rc = copy_present(own, git, "info/sparse-checkout", err);
	return rc;
}

static int init(const struct bisect_trees *t, const char *git, struct err *err)
{
	MEM_SCOPED char *own =
		bisect_git_line(t->here, GIT_ARGS("rev-parse", "--absolute-git-dir"), err);
	MEM_SCOPED char *kind =
		own ? bisect_git_line(t->here, GIT_ARGS("rev-parse", "--show-object-format"), err)
		    : NULL;
	MEM_SCOPED char *format = mem_printf("--object-format=%s", kind ? kind : "");
	unsetenv("GIT_DEFAULT_REF_FORMAT");
	int rc = kind ? bisect_git(NULL,
	                           GIT_ARGS("-c", "init.defaultRefFormat=files", "init", "--quiet",
	                                    "--bare", "--template=", format, git),
	                           NULL, err)
	              : -1;
	if (rc == 0)
		rc = borrow_objects(t, git, err) < 0 || borrow_refs(t, git, err) < 0 ||
		                     borrow_settings(t, own, git, err) < 0
		             ? -1
		             : 0;
	return rc;
}

/* All or nothing: it is made under another name. */
int bisect_trees_open(const struct bisect_trees *t, struct err *err)
{
	MEM_SCOPED char *git = mem_printf("%s/git", t->dir),
			*fresh = mem_printf("%s/git.new", t->dir);
	int rc = 0;
	if (access(git, F_OK) < 0) {
		io_remove_tree(AT_FDCWD, fresh);
		rc = init(t, fresh, err);
		if (rc == 0 && rename(fresh, git) < 0)
			rc = err_errno(err, "cannot rename %s", fresh);
	}
	return rc;
}

/* ---- a tree ---- */

/* A copy of the repository at the existing directory PATH, with ID checked out as far as git knows.
 */
static int own_repository(const struct bisect_trees *t, const char *path, const char *id,
                          struct err *err)
{
	MEM_SCOPED char *git = mem_printf("%s/git", t->dir), *head = mem_printf("%s\n", id);
	return copy_tree(git, path) < 0 ? err_errno(err, "cannot copy %s to %s", git, path)
	                                : write_in(path, "HEAD", head, strlen(head), err);
}

static int check_out(const struct bisect_trees *t, const char *path, const char *id,
                     struct err *err)
{
	MEM_SCOPED char *git = mem_printf("%s/.git", path);
	int rc = mkdir(git, 0777) < 0 ? err_errno(err, "cannot make %s", git)
	                              : own_repository(t, git, id, err);
	if (rc == 0)
		rc = bisect_git(path, GIT_ARGS("reset", "--quiet", "--hard"), NULL, err);
	return rc;
}

char *bisect_tree_add(const struct bisect_trees *t, const char *id, bool bare, struct err *err)
{
	char *path = mem_printf("%s/trees/%.12s-XXXXXX", t->dir, id);
	if (!mkdtemp(path)) {
		err_errno(err, "cannot make %s", path);
		free(path);
		return NULL;
	}
	if ((bare ? own_repository(t, path, id, err) : check_out(t, path, id, err)) == 0)
		return path;
	bisect_tree_remove(path);
	free(path);
	return NULL;
}

int bisect_tree_built(const struct bisect_trees *t, const char *id, const char *path,
                      struct err *err)
{
	MEM_SCOPED char *note = mem_printf("%s/built/%s", t->dir, id),
			*line = mem_printf("%s\n", path);
	return io_replace_file(note, line, strlen(line), 0666, err);
}

/* The first line of a file; the caller's, or NULL. */
static char *line_of(const char *path)
{
	struct buf text = { 0 };
	if (io_read_file(path, &text, NULL) < 0)
		return NULL;
	text.data[strcspn(text.data, "\n")] = '\0';
	return text.data;
}

char *bisect_tree_find(const struct bisect_trees *t, const char *id)
{
	char *note = mem_printf("%s/built/%s", t->dir, id), *path = line_of(note);
	free(note);
	if (path && access(path, F_OK) == 0)
		return path;
	free(path);
	return NULL;
}

void bisect_tree_remove(const char *path)
{
	if (path)
		io_remove_tree(AT_FDCWD, path);
}

void bisect_tree_drop(const struct bisect_trees *t, const char *id)
{
	MEM_SCOPED char *path = bisect_tree_find(t, id),
			*note = mem_printf("%s/built/%s", t->dir, id);
	bisect_tree_remove(path);
	unlink(note);
}

/* Does a note in the directory BUILT name the tree at PATH? */
static bool is_built(const char *built, const char *path)
{
	bool is = false;
	IO_SCOPED_DIR DIR *dir = opendir(built);
	for (struct dirent *e; !is && dir && (e = io_next_entry(dir));) {
		MEM_SCOPED char *note = mem_printf("%s/%s", built, e->d_name),
				*line = line_of(note);
		is = line && !strcmp(line, path);
	}
	return is;
}

void bisect_trees_remove(const struct bisect_trees *t)
{
	MEM_SCOPED char *trees = mem_printf("%s/trees", t->dir),
			*built = mem_printf("%s/built", t->dir);
	IO_SCOPED_DIR DIR *dir = opendir(trees);
	for (struct dirent *e; dir && (e = io_next_entry(dir));) {
		MEM_SCOPED char *path = mem_printf("%s/%s", trees, e->d_name);
		if (!is_built(built, path))
			bisect_tree_remove(path);
	}
}
