#include "bisect/bisect_tree.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <time.h>
#include <unistd.h>

#include "base/buf.h"
#include "base/err.h"
#include "base/io.h"
#include "base/mem.h"
#include "base/signals.h"
#include "bisect/bisect_git.h"

/* The first line of a file; the caller's, or NULL. */
static char *line_of(const char *path)
{
	struct buf text = { 0 };
	struct err ignored;
	if (io_read_file(path, &text, &ignored) < 0)
		return NULL;
	text.data[strcspn(text.data, "\n")] = '\0';
	return text.data;
}

enum { LOCK_PAUSE_NS = 5000000 };

static int lock_open(const char *path, int flags)
{
	int fd = open(path, flags | O_CLOEXEC, 0666);
	/* Signals may be blocked, and then do not end a wait for the lock. */
	while (fd >= 0 && flock(fd, LOCK_EX | LOCK_NB) < 0) {
		if ((errno != EINTR && errno != EWOULDBLOCK) || signals_arrived()) {
			close(fd);
			return -1;
		}
		nanosleep(&(struct timespec){ .tv_nsec = LOCK_PAUSE_NS }, NULL);
	}
	return fd;
}

/* One process at a time lists or changes worktrees: `git worktree add` fails when it meets one that
 * is just being made. The lock is on the directory that all bisections of the repository share. */
static int take_lock(const struct bisect_trees *t)
{
	char *path = mem_printf("%s/whittle/.bisect", t->common);
	int fd = lock_open(path, O_RDONLY | O_DIRECTORY);
	free(path);
	return fd;
}

static void release_lock(int fd)
{
	if (fd >= 0)
		close(fd);
}

/* Other programs may be making worktrees as well. */
static int add(const struct bisect_trees *t, const char *path, const char *id, struct err *err)
{
	enum { TRIES = 4, PAUSE_NS = 50000000 };
	int rc = -1;
	for (int i = 0; rc < 0 && i < TRIES; i++) {
		if (i)
			nanosleep(&(struct timespec){ .tv_nsec = PAUSE_NS }, NULL);
		rc = bisect_git(t->here,
		                GIT_ARGS("worktree", "add", "--quiet", "--detach", "--no-checkout",
		                         path, id),
		                NULL, err);
	}
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
	int lock = take_lock(t), rc = add(t, path, id, err);
	release_lock(lock);
	if (rc == 0 && !bare) /* which takes long in a large one, and needs no lock */
		rc = bisect_git(path, GIT_ARGS("reset", "--quiet", "--hard"), NULL, err);
	if (rc == 0)
		return path;
	bisect_tree_remove(t, path);
	free(path);
	return NULL;
}

int bisect_tree_lock(const struct bisect_trees *t, const char *id)
{
	char *path = mem_printf("%s/built/%s.lock", t->dir, id);
	int fd = lock_open(path, O_RDWR | O_CREAT);
	free(path);
	return fd;
}

/* Processes of the build's pool may have the descriptor, too. */
void bisect_tree_unlock(int lock)
{
	if (lock < 0)
		return;
	flock(lock, LOCK_UN);
	close(lock);
}

int bisect_tree_built(const struct bisect_trees *t, const char *id, const char *path,
                      struct err *err)
{
	char *note = mem_printf("%s/built/%s", t->dir, id), *line = mem_printf("%s\n", path);
	int rc = io_replace_file(note, line, strlen(line), 0666, err);
	free(note);
	free(line);
	return rc;
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

/* The entry of git's list of worktrees that is for the one at PATH; the caller's, or NULL. What the
 * worktree itself says about it may be the word of a build. */
static char *admin_of(const struct bisect_trees *t, const char *path)
{
	char *all = mem_printf("%s/worktrees", t->common), *git = mem_printf("%s/.git", path),
	     *found = NULL;
	DIR *dir = opendir(all);
	for (struct dirent *e; !found && dir && (e = readdir(dir));) {
		char *file = mem_printf("%s/%s/gitdir", all, e->d_name), *line = line_of(file);
		if (*e->d_name != '.' && line && !strcmp(line, git))
			found = mem_printf("%s/%s", all, e->d_name);
		free(file);
		free(line);
	}
	if (dir)
		closedir(dir);
	free(all);
	free(git);
	return found;
}

/* Not with `git worktree remove`, which fails on what a build may leave, nor with `git worktree
 * prune`, which would also remove entries that the user has forgotten. */
void bisect_tree_remove(const struct bisect_trees *t, const char *path)
{
	if (!path)
		return;
	char *admin = admin_of(t, path), *all = mem_printf("%s/worktrees", t->common);
	if (admin) {
		int lock = take_lock(t);
		io_remove_tree(AT_FDCWD, admin);
		rmdir(all); /* as git does with the last one */
		release_lock(lock);
	}
	io_remove_tree(AT_FDCWD, path);
	free(admin);
	free(all);
}

void bisect_tree_drop(const struct bisect_trees *t, const char *id)
{
	char *path = bisect_tree_find(t, id), *note = mem_printf("%s/built/%s", t->dir, id);
	bisect_tree_remove(t, path);
	unlink(note);
	free(note);
	free(path);
}

/* The worktree at PATH, for which git has the entry ADMIN. */
static bool is_built(const struct bisect_trees *t, const char *path, const char *admin)
{
	char *file = mem_printf("%s/HEAD", admin), *id = line_of(file),
	     *built = id ? bisect_tree_find(t, id) : NULL;
	bool is = built && !strcmp(built, path);
	free(file);
	free(id);
	free(built);
	return is;
}

/* Entry NAME of git's list of worktrees: gone if it is one of ours and no longer wanted. */
static void remove_listed(const struct bisect_trees *t, const char *name, bool built_too)
{
	char *admin = mem_printf("%s/worktrees/%s", t->common, name),
	     *file = mem_printf("%s/gitdir", admin);
	char *path = line_of(file), *mine = mem_printf("%s/trees/", t->dir),
	     *git = path ? strrchr(path, '/') : NULL;
	if (git && !strncmp(path, mine, strlen(mine))) {
		*git = '\0';
		if (built_too || !is_built(t, path, admin))
			bisect_tree_remove(t, path);
	}
	free(admin);
	free(file);
	free(path);
	free(mine);
}

void bisect_trees_remove(const struct bisect_trees *t, bool built_too)
{
	char *all = mem_printf("%s/worktrees", t->common);
	DIR *dir = opendir(all);
	for (struct dirent *e; dir && (e = readdir(dir));)
		if (*e->d_name != '.')
			remove_listed(t, e->d_name, built_too);
	if (dir)
		closedir(dir);
	rmdir(all);
	free(all);
}
