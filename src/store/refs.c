/* Refs while they are moved: a process that is killed then leaves lock files, which nobody else
 * would ever remove.
 *
 * A mark in the reduction's directory says that a ref is being moved. Whoever finds it there, and
 * has the reduction's lock, knows that the mover is dead. A lock file that is there now may still
 * be another program's (git pack-refs, say), which holds it for a moment; one that stays is the
 * dead process's.
 */
#include <dirent.h>
#include <fcntl.h>
#include <stdio.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "base/err.h"
#include "base/io.h"
#include "base/mem.h"
#include "base/quote.h"
#include "store/writer.h"

enum { TRIES = 20, WAIT_NS = 50000000 };

void refs_mark(const struct location *l)
{
	MEM_SCOPED char *path = location_path(l, "moving");
	struct err ignored; /* without the mark, nothing is mended after a crash */
	int fd = io_open_regular(path, O_WRONLY | O_CREAT, 0666, &ignored);
	io_close(fd);
}

/* A lock file that is the ref itself, under another name: libgit2 moves a ref by a link and an
 * unlink, and does not look whether the latter did its work. False: it is still there. */
static bool remove_linked(const struct location *l)
{
	struct stat ref, lock;
	MEM_SCOPED char *path = mem_printf("%s%s", l->common, l->ref);
	MEM_SCOPED char *lock_path = mem_printf("%s.lock", path);
	bool linked =
		lstat(path, &ref) == 0 && lstat(lock_path, &lock) == 0 && io_is_same(&ref, &lock);
	return !linked || unlink(lock_path) == 0;
}

void refs_unmark(const struct location *l)
{
	if (!remove_linked(l))
		return;
	MEM_SCOPED char *path = location_path(l, "moving");
	unlink(path);
}

static bool same_file(const struct stat *a, const char *path)
{
	struct stat b;
	return stat(path, &b) == 0 && a->st_ino == b.st_ino && io_same_time(a->st_mtim, b.st_mtim);
}

/* Removes PATH unless it goes by itself. */
static void remove_stale(const char *path)
{
	struct stat st;
	if (stat(path, &st) < 0)
		return;
	for (int i = 0; i < TRIES; i++) {
		nanosleep(&(struct timespec){ .tv_nsec = WAIT_NS }, NULL);
		if (!same_file(&st, path))
			return;
	}
	unlink(path);
}

/* Is NAME "REDUCTION.lock", or "REDUCTION.1.lock" and so on? */
static bool is_lock_of(const char *name, const char *reduction)
{
	size_t n = strlen(reduction);
	if (strncmp(name, reduction, n) || name[n] != '.')
		return false;
	const char *p = name + n + 1;
	size_t digits = strspn(p, "0123456789");
	return !strcmp(digits && p[digits] == '.' ? p + digits + 1 : p, "lock");
}

void refs_remove_stale(const struct location *l)
{
	MEM_SCOPED char *mark = location_path(l, "moving");
	if (access(mark, F_OK) == 0) {
		MEM_SCOPED char *dir_path = mem_printf("%s" LOCATION_REFS, l->common);
		MEM_SCOPED char *packed = mem_printf("%spacked-refs.lock", l->common);
		DIR *dir = opendir(dir_path);
		for (struct dirent *e; dir && (e = readdir(dir));) {
			MEM_SCOPED char *path = mem_printf("%s%s", dir_path, e->d_name);
			if (is_lock_of(e->d_name, l->name))
				remove_stale(path);
		}
		if (dir)
			closedir(dir);
		remove_stale(packed);
		unlink(mark);
	}
}

/* A ref below ours; the caller's, NULL: there is none. */
static char *ref_below(const struct location *l)
{
	git_reference_iterator *it = NULL;
	const char *name = NULL;
	char *glob = mem_printf("%s/*", l->ref), *found = NULL;
	if (git_reference_iterator_glob_new(&it, l->repo, glob) == 0 &&
	    git_reference_next_name(&name, it) == 0)
		found = mem_strdup(name);
	git_reference_iterator_free(it);
	free(glob);
	return found;
}

/* A ref that is called like the directory of ours. */
static char *ref_above(const struct location *l)
{
	git_reference *ref = NULL;
	char *name = mem_printf("%.*s", (int)strlen(LOCATION_REFS) - 1, LOCATION_REFS);
	bool is = git_reference_lookup(&ref, l->repo, name) == 0;
	git_reference_free(ref);
	if (is)
		return name;
	free(name);
	return NULL;
}

int refs_check_free(const struct location *l, struct err *err)
{
	char *name = ref_above(l);
	const char *way_out = name ? "--store=DIR" : "another --name";
	if (!name && !(name = ref_below(l)))
		return 0;
	MEM_SCOPED char *word = quote_word(name);
	err_set(err, ERR_USAGE,
	        "the ref %s is in the way of reduction '%s'; remove it with `git update-ref -d "
	        "%s`, or choose %s",
	        name, l->name, word, way_out);
	free(name);
	return -1;
}

char *refs_set_broken_aside(const struct location *location, struct err *err)
{
	char *file = mem_printf("%s%s", location->common, location->ref), *to = NULL;
	int rc = location_make_dir(location, err);
	for (unsigned i = 1; rc == 0 && (!to || io_exists(to)); i++) {
		free(to);
		to = mem_printf("%s/damaged-ref.%u", location->dir, i);
	}
	if (rc == 0 && rename(file, to) < 0)
		rc = err_errno(err, "cannot move %s to %s", file, to);
	free(file);
	if (rc == 0)
		return to;
	free(to);
	return NULL;
}
