#include "base/io.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <signal.h>
#include <linux/fs.h>
#include <stdio.h>
#include <sys/ioctl.h>
#include <sys/mount.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#if defined SYS_openat2 && defined __has_include
#if __has_include(<linux/openat2.h>)
#include <linux/openat2.h>
#endif
#endif

enum { PASSES = 64, OBSTACLES = 64, PATH_TEXT = 32 };

/* ---- staying on one mount ---- */

/* The number of the mount that FD is on, as /proc says; -1: it does not. */
static long mount_of(int fd)
{
	char path[PATH_TEXT + 8], text[512], *line;
	snprintf(path, sizeof path, "/proc/self/fdinfo/%d", fd);
	io_read_short(path, text, sizeof text);
	line = strstr(text, "mnt_id:");
	return line ? strtol(line + strlen("mnt_id:"), NULL, 10) : -1;
}

/* Whether both are on the same mount; without /proc, on the same file system. */
static bool same_mount(int a, int b)
{
	long in_a = mount_of(a), in_b = mount_of(b);
	struct stat st_a, st_b;
	if (in_a >= 0 && in_b >= 0)
		return in_a == in_b;
	return fstat(a, &st_a) == 0 && fstat(b, &st_b) == 0 && st_a.st_dev == st_b.st_dev;
}

/* For kernels before 5.6, and where openat2 is forbidden. */
static int open_and_compare(int dir, const char *name, int flags)
{
	int fd = openat(dir, name, flags);
	int up = fd < 0 ? -1 : openat(dir, ".", O_PATH | O_CLOEXEC);
	bool same = up >= 0 && same_mount(fd, up);
	io_close(up);
	if (fd < 0 || same)
		return fd;
	close(fd);
	errno = EXDEV;
	return -1;
}

/* Opens NAME in DIR unless something is mounted there: EXDEV. */
static int open_within(int dir, const char *name, int flags)
{
#ifdef RESOLVE_NO_XDEV
	struct open_how how = { .flags = (unsigned)flags, .resolve = RESOLVE_NO_XDEV };
	int fd = (int)syscall(SYS_openat2, dir, name, &how, sizeof how);
	if (fd >= 0 || (errno != ENOSYS && errno != EPERM))
		return fd;
#endif
	return open_and_compare(dir, name, flags);
}

static int make_accessible(int path_fd)
{
	char path[PATH_TEXT];
	snprintf(path, sizeof path, "/proc/self/fd/%d", path_fd);
	return chmod(path, 0700);
}

int io_open_directory(int dir, const char *name)
{
	enum { FLAGS = O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC };
	int fd = open_within(dir, name, FLAGS);
	if (fd < 0 && errno == EACCES) {
		IO_SCOPED int path_fd = open_within(dir, name, FLAGS | O_PATH);
		if (path_fd >= 0 && make_accessible(path_fd) == 0)
			fd = openat(path_fd, ".", FLAGS);
	}
	return fd;
}

/* ---- what keeps an entry in its place ---- */

void io_clear_flags(int fd)
{
	int flags;
	if (ioctl(fd, FS_IOC_GETFLAGS, &flags) == 0 && (flags & (FS_IMMUTABLE_FL | FS_APPEND_FL))) {
		flags &= ~(FS_IMMUTABLE_FL | FS_APPEND_FL);
		ioctl(fd, FS_IOC_SETFLAGS, &flags);
	}
}

static bool clear_flags_of(int dir, const char *name)
{
	struct stat st;
	if (fstatat(dir, name, &st, AT_SYMLINK_NOFOLLOW) < 0 ||
	    !(S_ISREG(st.st_mode) || S_ISDIR(st.st_mode)))
		return false;
	IO_SCOPED int fd = open_within(dir, name, O_RDONLY | O_NONBLOCK | O_NOFOLLOW | O_CLOEXEC);
	if (fd < 0)
		return false;
	io_clear_flags(fd);
	return true;
}

/* Made private first: a recursive bind mount may propagate its changes to the mount it was
 * copied from. */
static bool unmount(int dir, const char *name)
{
	char path[PATH_MAX];
	int n = dir == AT_FDCWD ? snprintf(path, sizeof path, "%s", name)
	                        : snprintf(path, sizeof path, "/proc/self/fd/%d/%s", dir, name);
	return n > 0 && n < PATH_MAX && mount("", path, "", MS_REC | MS_PRIVATE, "") == 0 &&
	       umount2(path, MNT_DETACH | UMOUNT_NOFOLLOW) == 0;
}

/* ---- removing ---- */

/* A tree that is being removed. A hostile child may have made it very deep, so nothing here
 * recurses: directories that are not empty are moved up into the top one, and four descriptors
 * are enough for any depth. */
struct removal {
	int top;
	bool ours;        /* mounts and flags may go, too */
	unsigned hoisted; /* directories moved so far; numbers their names */
	size_t progress;  /* entries removed or moved */
	int error;        /* of the last entry that would not go */
};

/* Removes a file or an empty directory. */
static bool remove_plain(int dir, const char *name)
{
	if (unlinkat(dir, name, 0) == 0 || errno == ENOENT)
		return true;
	if (errno != EISDIR && errno != EPERM)
		return false;
	int why = errno;
	if (unlinkat(dir, name, AT_REMOVEDIR) == 0 || errno == ENOENT)
		return true;
	if (errno == ENOTDIR)
		errno = why;
	return false;
}

/* The same, and before it what is in the way. Mounts may be stacked. */
static bool remove_entry(bool ours, int dir, const char *name)
{
	for (int i = 0; i < OBSTACLES; i++) {
		if (remove_plain(dir, name))
			return true;
		int why = errno;
		bool cleared = ours && ((why == EBUSY && unmount(dir, name)) ||
		                        (why == EPERM && i == 0 && clear_flags_of(dir, name)));
		errno = why;
		if (!cleared)
			return false;
	}
	return false;
}

/* Opens a directory for being emptied. */
static int open_to_empty(int dir, const char *name)
{
	int fd = io_open_directory(dir, name);
	if (fd >= 0)
		fchmod(fd, 0700);
	else if (errno == EXDEV)
		errno = EBUSY;
	return fd;
}

/* Changing the parent of a directory takes write permission on it. */
static int make_writable(int dir, const char *name)
{
	int fd = open_to_empty(dir, name);
	io_close(fd);
	return fd < 0 ? -1 : 0;
}

/* Moves a directory that is not empty up to the top, under a name that is free there. */
static bool hoist(struct removal *r, int dir, const char *name)
{
	for (int i = 0; i < PASSES; i++) {
		char to[32];
		snprintf(to, sizeof to, ".hoisted-%u", r->hoisted++);
		if (renameat(dir, name, r->top, to) == 0 ||
		    (errno == EACCES && make_writable(dir, name) == 0 &&
		     renameat(dir, name, r->top, to) == 0))
			return true;
		if (errno != EEXIST && errno != ENOTEMPTY && errno != ENOTDIR)
			return false;
	}
	return false;
}

/* A directory is not empty because something in it could not be removed: that error is the one
 * to report. */
static void note_failure(struct removal *r, int error)
{
	if (error != ENOTEMPTY || !r->error)
		r->error = error;
}

/* Empties a directory below the top: what cannot be removed at once is moved away. */
static void hoist_children(struct removal *r, DIR *dir)
{
	for (struct dirent *e; (e = readdir(dir));) {
		if (!strcmp(e->d_name, ".") || !strcmp(e->d_name, ".."))
			continue;
		if (remove_entry(r->ours, dirfd(dir), e->d_name) || hoist(r, dirfd(dir), e->d_name))
			r->progress++;
		else
			note_failure(r, errno);
	}
}

static void remove_top_entry(struct removal *r, const char *name)
{
	bool gone = remove_entry(r->ours, r->top, name);
	int why = errno, fd = gone ? -1 : open_to_empty(r->top, name);
	DIR *dir = fd < 0 ? NULL : fdopendir(fd);
	if (dir) {
		hoist_children(r, dir);
		closedir(dir);
		gone = remove_entry(r->ours, r->top, name);
		why = errno;
	} else if (fd >= 0) {
		close(fd);
	} else if (!gone && errno != ENOTDIR && errno != ELOOP) {
		why = errno;
	}
	if (gone)
		r->progress++;
	else
		note_failure(r, why);
}

/* Sweeps the top directory until it is empty. Passes that move nothing up are bounded: somebody may
 * be filling it while we empty it. */
static int remove_children(DIR *dir, bool ours)
{
	struct removal r = { .top = dirfd(dir), .ours = ours };
	for (int calm = 0; calm < PASSES;) {
		unsigned seen = 0, hoisted = r.hoisted;
		size_t progress = r.progress;
		rewinddir(dir);
		for (struct dirent *e; (e = readdir(dir));) {
			if (!strcmp(e->d_name, ".") || !strcmp(e->d_name, ".."))
				continue;
			seen++;
			remove_top_entry(&r, e->d_name);
		}
		if (!seen)
			return 0;
		if (r.progress == progress)
			break;
		calm += r.hoisted == hoisted;
	}
	errno = r.error ? r.error : ENOTEMPTY;
	return -1;
}

static int remove_in(int parent, const char *name, bool ours)
{
	if (remove_entry(ours, parent, name))
		return 0;
	int saved = errno, fd = open_to_empty(parent, name);
	DIR *dir = fd < 0 ? NULL : fdopendir(fd);
	if (!dir) {
		if (errno == ENOTDIR || errno == ELOOP)
			errno = saved;
		io_close(fd);
		return -1;
	}
	int rc = remove_children(dir, ours);
	saved = errno;
	closedir(dir);
	if (remove_entry(ours, parent, name))
		return 0;
	if (rc < 0)
		errno = saved;
	return -1;
}

/* PATH may lie on another mount than DIRFD: only what it names must not be one. */
static int remove_tree(int dirfd, const char *path, bool ours)
{
	const char *slash = strrchr(path, '/');
	char above[PATH_MAX];
	if (!slash || !slash[1] || slash - path >= PATH_MAX)
		return remove_in(dirfd, path, ours);
	snprintf(above, sizeof above, "%.*s", (int)(slash - path + (slash == path)), path);
	IO_SCOPED int parent = openat(dirfd, above, O_PATH | O_DIRECTORY | O_CLOEXEC);
	if (parent < 0)
		return errno == ENOENT ? 0 : -1;
	return remove_in(parent, slash + 1, ours);
}

int io_remove_tree(int dirfd, const char *path)
{
	return remove_tree(dirfd, path, false);
}

int io_remove_ours(int dirfd, const char *path)
{
	return remove_tree(dirfd, path, true);
}

/* Is NAME one of those for BASE, made by a process that is gone, or had our number? */
static bool is_leftover(const char *name, const char *base)
{
	size_t n = strlen(base), mark = strlen(IO_TEMP_MARK);
	char *end;
	if (strncmp(name, base, n) || strncmp(name + n, IO_TEMP_MARK, mark) ||
	    name[n + mark] < '1' || name[n + mark] > '9')
		return false;
	pid_t pid = (pid_t)strtol(name + n + mark, &end, 10);
	if (*end && (*end != '-' || end[1 + strspn(end + 1, "0123456789")]))
		return false;
	return pid == getpid() || (kill(pid, 0) < 0 && errno == ESRCH);
}

void io_remove_leftovers(const char *path)
{
	char *real = io_real_path(path), *slash = strrchr(real, '/');
	if (slash)
		*slash = '\0';
	IO_SCOPED_DIR DIR *dir = slash ? opendir(slash == real ? "/" : real) : NULL;
	for (struct dirent *e; dir && (e = readdir(dir));)
		if (is_leftover(e->d_name, slash + 1))
			io_remove_tree(dirfd(dir), e->d_name);
	free(real);
}
