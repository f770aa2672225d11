#include "bisect/bisect_fetch.h"

#include <errno.h>
#include <fcntl.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/buf.h"
#include "base/err.h"
#include "base/io.h"
#include "base/mem.h"
#include "bisect/bisect_copy.h"
#include "bisect/bisect_git.h"

int bisect_fetch_at(const struct bisect_fetch *f, const char *revision, const char *rel,
                    const char *dir, struct err *err)
{
	char *index = mem_printf("%s/index", f->dir),
	     *git_dir = mem_printf("--git-dir=%s", f->git_dir);
	char *tree = mem_printf("--work-tree=%s", dir);
	int rc =
		mkdir(dir, 0777) < 0 && errno != EEXIST ? err_errno(err, "cannot make %s", dir) : 0;
	setenv("GIT_INDEX_FILE", index, 1);
	if (rc == 0) /* all of it, for the attributes of the path */
		rc = bisect_git(dir, GIT_ARGS(git_dir, tree, "read-tree", revision), NULL, err);
	if (rc == 0)
		rc = bisect_git(dir, GIT_ARGS(git_dir, tree, "checkout", "--quiet", "--", rel),
		                NULL, err);
	unsetenv("GIT_INDEX_FILE");
	unlink(index);
	free(index);
	free(git_dir);
	free(tree);
	return rc;
}

int bisect_fetch_parents(const char *path, struct err *err)
{
	char *copy = mem_strdup(path);
	int rc = 0;
	for (char *p = copy + 1; rc == 0 && (p = strchr(p, '/')); p++) {
		*p = '\0';
		if (mkdir(copy, 0777) < 0 && errno != EEXIST)
			rc = err_errno(err, "cannot make %s", copy);
		*p = '/';
	}
	free(copy);
	return rc;
}

int bisect_fetch_present(const char *from, const char *to, struct err *err)
{
	struct buf bytes = { 0 };
	struct stat st;
	int rc = stat(from, &st) < 0 ? err_errno(err, "cannot read %s", from)
	                             : io_read_file(from, &bytes, err);
	if (rc == 0)
		rc = bisect_fetch_parents(to, err);
	if (rc == 0)
		rc = io_replace_file(to, bytes.data, bytes.len, io_mode_like(&st), err);
	buf_release(&bytes);
	return rc;
}

int bisect_fetch_anew(const char *from, const char *to, struct err *err)
{
	struct stat st;
	if (bisect_fetch_parents(to, err) < 0)
		return -1;
	if (io_remove_tree(AT_FDCWD, to) < 0)
		return err_errno(err, "cannot remove %s", to);
	if (lstat(from, &st) < 0 && errno == ENOENT)
		return 0;
	return copy_entry(from, to) < 0 ? err_errno(err, "cannot copy %s to %s", from, to) : 0;
}

/* What git lists, NUL-terminated paths in the work tree, becomes below TOP as it is in the work
 * tree. */
static int copy_listed(const struct bisect_fetch *f, const char *const *args, const char *top,
                       struct err *err)
{
	struct buf list = { 0 };
	int rc = bisect_git(f->top, args, &list, err);
	for (size_t at = 0; rc == 0 && at < list.len; at += strlen(list.data + at) + 1) {
		size_t n = strlen(list.data + at), slash = n && list.data[at + n - 1] == '/';
		char *from = mem_printf("%s/%.*s", f->top, (int)(n - slash), list.data + at);
		char *to = mem_printf("%s/%.*s", top, (int)(n - slash), list.data + at);
		rc = bisect_fetch_anew(from, to, err);
		free(from);
		free(to);
	}
	buf_release(&list);
	return rc;
}

/* The directory REL below TOP: as the revision HOME has it, and in it what the user has changed or
 * not given to git. */
static int gather(const struct bisect_fetch *f, const char *home, const char *rel, const char *top,
                  struct err *err)
{
	int rc = bisect_fetch_parents(top, err) < 0 || bisect_fetch_at(f, home, rel, top, err) < 0
	                 ? -1
	                 : 0;
	char *abs = mem_printf("%s/%s", f->top, rel);
	if (rc == 0 && access(abs, F_OK) == 0)
		rc = copy_listed(f,
		                 GIT_ARGS("diff", "-z", "--name-only", "--no-renames", "HEAD", "--",
		                          rel),
		                 top, err) < 0 ||
		                     copy_listed(f,
		                                 GIT_ARGS("ls-files", "-z", "--others",
		                                          "--directory", "--", rel),
		                                 top, err) < 0
		             ? -1
		             : 0;
	free(abs);
	return rc;
}

int bisect_fetch_dir(const struct bisect_fetch *f, const char *home, const char *abs,
                     const char *kept, struct err *err)
{
	char *fresh = mem_printf("%s/fresh", f->dir), *top = mem_printf("%s%s", fresh, f->top),
	     *made = mem_printf("%s%s", fresh, abs);
	int rc =
		io_remove_tree(AT_FDCWD, fresh) < 0 ? err_errno(err, "cannot remove %s", fresh) : 0;
	if (rc == 0)
		rc = home ? gather(f, home, abs + strlen(f->top) + 1, top, err)
		          : bisect_fetch_anew(abs, made, err);
	if (rc == 0)
		rc = bisect_fetch_parents(kept, err);
	if (rc == 0 && rename(made, kept) < 0)
		rc = err_errno(err, "cannot rename %s", made);
	io_remove_tree(AT_FDCWD, fresh);
	free(fresh);
	free(top);
	free(made);
	return rc;
}
