#include "fence/world.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mount.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/buf.h"
#include "base/io.h"
#include "base/mem.h"
#include "fence/trees.h"

enum { DEEPEST = 8, FOREIGN_DEEPEST = 4, COVERS_MAX = 256, LINES_MAX = 1000 };

struct world {
	int room; /* a file system in memory: N/u and N/w for the N-th overlay */
	int report;
	unsigned lines;
	bool user;
	char *mounts; /* as in /proc/self/mountinfo */
	char *covered[COVERS_MAX];
	unsigned n;
};

/* ---- putting overlays ---- */

/* Those of the kernel, and those that a fence makes private itself. */
static bool is_left(const char *dir)
{
	static const char *const left[] = {
		"/proc", "/sys", "/dev", "/run/lock", "/var/tmp", "/tmp"
	};
	for (size_t i = 0; i < sizeof left / sizeof *left; i++)
		if (!strcmp(dir, left[i]))
			return true;
	return false;
}

/* In a user namespace a directory that belongs to others cannot be copied, and so nothing below it;
 * what is ours is looked for below it instead, not too far, and not where it is not. */
static bool is_own(const char *dir)
{
	struct stat st;
	return lstat(dir, &st) == 0 && st.st_uid == geteuid();
}

static bool is_of_system(const char *dir)
{
	static const char *const dirs[] = { "/usr",   "/bin",  "/sbin", "/lib",  "/lib32",
		                            "/lib64", "/boot", "/etc",  "/snap", "/nix" };
	for (size_t i = 0; i < sizeof dirs / sizeof *dirs; i++)
		if (!strcmp(dir, dirs[i]))
			return true;
	return false;
}

static bool cover(struct world *w, const char *dir)
{
	char options[256], name[32];
	struct stat st;
	IO_SCOPED int lower = open(dir, O_PATH | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
	int len = snprintf(options, sizeof options,
	                   "lowerdir=/proc/self/fd/%d,upperdir=/proc/self/fd/%d/%u/u,"
	                   "workdir=/proc/self/fd/%d/%u/w",
	                   lower, w->room, w->n, w->room, w->n);
	if (w->user)
		snprintf(options + len, sizeof options - (size_t)len, ",userxattr");
	snprintf(name, sizeof name, "%u", w->n);
	bool ok = lower >= 0 && fstat(lower, &st) == 0 && mkdirat(w->room, name, 0700) == 0;
	snprintf(name, sizeof name, "%u/u", w->n);
	ok = ok && mkdirat(w->room, name, 0700) == 0 &&
	     fchmodat(w->room, name, st.st_mode & 07777, 0) == 0;
	snprintf(name, sizeof name, "%u/w", w->n);
	ok = ok && mkdirat(w->room, name, 0700) == 0 &&
	     mount("whittle", dir, "overlay", MS_NOSUID | MS_NODEV, options) == 0;
	w->covered[w->n++] = mem_strdup(dir);
	return ok;
}

/* Covers DIR; where things are mounted below it, the directories in it instead. What cannot be
 * covered stays as it is, and read-only. */
static void cover_all(struct world *w, const char *dir, int depth)
{
	if (is_left(dir) || depth > DEEPEST || w->n == COVERS_MAX)
		return;
	bool foreign = w->user && !is_own(dir);
	if (foreign && (depth > FOREIGN_DEEPEST || is_of_system(dir)))
		return;
	char place[TREES_PATH];
	if (dir[1] && !foreign && !mounts_below(w->mounts, dir, place)) {
		cover(w, dir);
		return;
	}
	IO_SCOPED_DIR DIR *list = opendir(dir);
	for (struct dirent *e; list && (e = readdir(list));) {
		struct stat st;
		if (!strcmp(e->d_name, ".") || !strcmp(e->d_name, "..") ||
		    fstatat(dirfd(list), e->d_name, &st, AT_SYMLINK_NOFOLLOW) < 0 ||
		    !S_ISDIR(st.st_mode))
			continue;
		MEM_SCOPED char *path = mem_printf("%s/%s", dir[1] ? dir : "", e->d_name);
		cover_all(w, path, depth + 1);
	}
}

struct world *world_put(const char *at, bool user)
{
	struct world *w = mem_zero(1, sizeof *w);
	struct buf mounts = { 0 };
	*w = (struct world){ .user = user, .room = -1, .report = -1 };
	if (io_read_file("/proc/self/mountinfo", &mounts, NULL) == 0 &&
	    mount("whittle", at, "tmpfs", MS_NOSUID | MS_NODEV, "size=25%,mode=0755") == 0)
		w->room = open(at, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	w->mounts = mounts.data;
	if (w->room < 0)
		return NULL; /* the process ends */
	cover_all(w, "/", 0);
	return w;
}

/* ---- what was written ---- */

static void report_one(struct world *w, const char *path)
{
	MEM_SCOPED char *line = mem_printf("%s\n", path);
	if (w->lines++ < LINES_MAX && !strchr(path, '\n'))
		(void)io_write_all(w->report, line, strlen(line));
}

/* What lies in the directory FD of an upper layer, which is PATH outside: directories on the way to
 * something are there, too, so of these only the empty ones count. */
static void report_below(struct world *w, int fd, const char *path, int depth)
{
	DIR *list = fdopendir(fd);
	unsigned n = 0;
	if (!list) {
		close(fd);
		return;
	}
	for (struct dirent *e; (e = readdir(list));) {
		if (!strcmp(e->d_name, ".") || !strcmp(e->d_name, ".."))
			continue;
		MEM_SCOPED char *inner = mem_printf("%s/%s", path, e->d_name);
		int in = openat(fd, e->d_name, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
		n++;
		if (in < 0 || depth == 0)
			report_one(w, inner);
		else
			report_below(w, in, inner, depth - 1);
	}
	closedir(list);
	if (!n)
		report_one(w, path);
}

void world_report(struct world *w, const char *file)
{
	enum { DEEP = 100 };
	w->report = open(file, O_WRONLY | O_APPEND | O_CLOEXEC);
	for (unsigned i = 0; i < w->n; i++) {
		char name[32];
		snprintf(name, sizeof name, "%u/u", i);
		int fd = openat(w->room, name, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
		DIR *list = fd < 0 ? NULL : fdopendir(dup(fd));
		unsigned entries = 0;
		while (list && readdir(list))
			entries++;
		if (list)
			closedir(list);
		if (entries > 2) {
			lseek(fd, 0, SEEK_SET);
			report_below(w, fd, w->covered[i], DEEP);
		} else if (fd >= 0) {
			close(fd);
		}
	}
	if (w->report >= 0)
		close(w->report);
}
