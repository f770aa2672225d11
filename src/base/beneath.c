#include "base/beneath.h"

#include <errno.h>
#include <fcntl.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#ifdef SYS_openat2
#include <linux/openat2.h>
#endif

#include "base/mem.h"

enum { INTO = O_PATH | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC, TRIES = 100 };

#ifdef SYS_openat2

/* EAGAIN: something was renamed meanwhile, and the kernel cannot tell. */
static int open_at_once(int dir, const char *path, int flags, mode_t mode)
{
	struct open_how how = { .flags = (unsigned)flags,
		                .mode = flags & O_CREAT ? mode & 07777 : 0,
		                .resolve =
		                        RESOLVE_BENEATH | RESOLVE_NO_SYMLINKS | RESOLVE_NO_XDEV };
	long fd = -1;
	for (int i = 0; i < TRIES && fd < 0; i++) {
		fd = syscall(SYS_openat2, dir, path, &how, sizeof how);
		if (fd < 0 && errno != EAGAIN && errno != EINTR)
			break;
	}
	return (int)fd;
}

/* This kernel does not have it, or a filter that does not know it forbids it. */
static bool is_missing(int error)
{
	return error == ENOSYS || error == EPERM || error == E2BIG || error == EINVAL;
}

#else

static int open_at_once(UNUSED int dir, UNUSED const char *path, UNUSED int flags,
                        UNUSED mode_t mode)
{
	errno = ENOSYS;
	return -1;
}

static bool is_missing(int error)
{
	return error == ENOSYS;
}

#endif

/* Returns FD unless it is a link (O_PATH opens those) or lies on another file system than DIR. */
static int accept_fd(int fd, const struct stat *dir)
{
	struct stat st;
	bool known = fd >= 0 && fstat(fd, &st) == 0;
	if (fd < 0 || (known && st.st_dev == dir->st_dev && !S_ISLNK(st.st_mode)))
		return fd;
	close(fd);
	errno = known && S_ISLNK(st.st_mode) ? ELOOP : EXDEV;
	return -1;
}

static int open_part(int at, const char *part, bool last, int flags, mode_t mode)
{
	if (!*part || !strcmp(part, "..")) {
		errno = *part ? EXDEV : ENOENT;
		return -1;
	}
	return openat(at, part, last ? flags | O_NOFOLLOW | O_CLOEXEC : INTO, mode);
}

int beneath_open_by_parts(int dir, const char *path, int flags, mode_t mode)
{
	struct stat st;
	size_t len = strlen(path);
	MEM_SCOPED char *copy =
		mem_printf("%.*s", (int)(len && path[len - 1] == '/' ? len - 1 : len), path);
	int at = dir, fd = -1;
	if (fstat(dir, &st) < 0)
		return -1;
	for (char *part = copy, *slash; part; part = slash ? slash + 1 : NULL) {
		if ((slash = strchr(part, '/')))
			*slash = '\0';
		fd = accept_fd(open_part(at, part, !slash, flags, mode), &st);
		if (at != dir) {
			int saved = errno;
			close(at);
			errno = saved;
		}
		if (fd < 0)
			break;
		at = fd;
	}
	return fd;
}

int beneath_open(int dir, const char *path, int flags, mode_t mode)
{
	int fd = open_at_once(dir, path, flags | O_CLOEXEC, mode);
	return fd < 0 && is_missing(errno) ? beneath_open_by_parts(dir, path, flags, mode) : fd;
}

int beneath_parent(int dir, const char *path, const char **leaf)
{
	const char *slash = strrchr(path, '/');
	*leaf = slash ? slash + 1 : path;
	if (!slash)
		return fcntl(dir, F_DUPFD_CLOEXEC, 0);
	MEM_SCOPED char *above = mem_printf("%.*s", (int)(slash - path), path);
	return beneath_open(dir, above, INTO, 0);
}

int beneath_check(const char *top, const char *path)
{
	int dir = open(top, O_PATH | O_DIRECTORY | O_CLOEXEC);
	int fd = dir < 0 ? -1 : beneath_open(dir, path, O_PATH, 0), error = fd < 0 ? errno : 0;
	if (fd >= 0)
		close(fd);
	if (dir >= 0)
		close(dir);
	errno = error;
	return error == ELOOP || error == ENOTDIR || error == EXDEV ? -1 : 0;
}
