#include "store/lock.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <unistd.h>

#include "base/err.h"
#include "base/fault.h"
#include "base/io.h"

static struct flock whole_file(void)
{
	return (struct flock){ .l_type = F_WRLCK, .l_whence = SEEK_SET };
}

/* The owner as the kernel tells it, or as it is written in the file when the kernel cannot (an
 * owner in another pid name space or on another machine). 0: not locked. */
static pid_t owner_of(int fd)
{
	struct flock lock = whole_file();
	if (fcntl(fd, F_GETLK, &lock) < 0 || lock.l_type == F_UNLCK)
		return 0;
	if (lock.l_pid > 0)
		return lock.l_pid;
	char text[32] = "";
	ssize_t n = pread(fd, text, sizeof text - 1, 0);
	long pid = n > 0 ? strtol(text, NULL, 10) : 0;
	return pid > 0 ? (pid_t)pid : 1;
}

static void write_owner(int fd)
{
	char text[32];
	int n = snprintf(text, sizeof text, "%ld\n", (long)getpid());
	if (ftruncate(fd, 0) == 0)
		(void)!pwrite(fd, text, (size_t)n, 0);
}

int lock_take(const char *path, pid_t *owner, struct faults *faults, struct err *err)
{
	if (owner)
		*owner = 0;
	for (int tries = 0; tries < 100; tries++) {
		if (fault_strikes(faults, "lock"))
			return err_errno(err, "cannot open %s", path);
		int fd = io_open_regular(path, O_RDWR | O_CREAT, 0666, err);
		if (fd < 0)
			return -1;
		struct flock lock = whole_file();
		if (fcntl(fd, F_SETLK, &lock) == 0) {
			if (io_is_at(fd, path)) { /* not pruned between open and lock */
				write_owner(fd);
				return fd;
			}
			close(fd);
			continue;
		}
		int why = errno;
		pid_t pid = why == EACCES || why == EAGAIN ? owner_of(fd) : 0;
		close(fd);
		if (why != EACCES && why != EAGAIN) {
			errno = why;
			return err_errno(err, "cannot lock %s", path);
		}
		if (!pid)
			continue;
		if (owner)
			*owner = pid;
		return err_set(err, ERR_SYSTEM, "is being reduced by process %ld", (long)pid);
	}
	return err_set(err, ERR_SYSTEM, "cannot lock %s: it keeps appearing and disappearing",
	               path);
}

pid_t lock_owner(const char *path)
{
	IO_SCOPED int fd = io_open_regular(path, O_RDONLY, 0, NULL);
	if (fd < 0)
		return 0;
	return owner_of(fd);
}
