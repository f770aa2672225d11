#include "base/io.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "base/buf.h"
#include "base/err.h"
#include "base/mem.h"

enum { READ_CHUNK = 1 << 16, REMOVE_PASSES = 8 };

int io_write_all(int fd, const void *bytes, size_t len)
{
	const char *p = bytes;
	while (len) {
		ssize_t n = write(fd, p, len);
		if (n < 0 && errno == EINTR)
			continue;
		if (n < 0)
			return -1;
		p += n;
		len -= (size_t)n;
	}
	return 0;
}

ssize_t io_read_all(int fd, void *bytes, size_t len)
{
	size_t got = 0;
	while (got < len) {
		ssize_t n = read(fd, (char *)bytes + got, len - got);
		if (n < 0 && errno == EINTR)
			continue;
		if (n < 0)
			return -1;
		if (n == 0)
			break;
		got += (size_t)n;
	}
	return (ssize_t)got;
}

static int read_fd(int fd, struct buf *out)
{
	struct stat st;
	if (fstat(fd, &st) < 0)
		return -1;
	if (S_ISDIR(st.st_mode)) {
		errno = EISDIR;
		return -1;
	}
	size_t guess = S_ISREG(st.st_mode) && st.st_size > 0 ? (size_t)st.st_size : 0;
	out->data = mem_resize(out->data, guess + READ_CHUNK, 1);
	out->cap = guess + READ_CHUNK;
	for (;;) {
		if (out->cap - out->len < READ_CHUNK / 2) {
			out->cap *= 2;
			out->data = mem_resize(out->data, out->cap, 1);
		}
		ssize_t n = io_read_all(fd, out->data + out->len, out->cap - out->len - 1);
		if (n < 0)
			return -1;
		out->len += (size_t)n;
		if (out->len < out->cap - 1)
			break;
	}
	out->data[out->len] = '\0';
	return 0;
}

int io_read_file(const char *path, struct buf *out, struct err *err)
{
	int fd = open(path, O_RDONLY | O_CLOEXEC);
	if (fd < 0)
		return err_errno(err, "cannot read %s", path);
	int rc = read_fd(fd, out);
	if (rc < 0) {
		err_errno(err, "cannot read %s", path);
		buf_release(out);
	}
	close(fd);
	return rc;
}

static int write_temp(const char *temp, const void *bytes, size_t len, mode_t mode)
{
	int fd = open(temp, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0600);
	if (fd < 0)
		return -1;
	int rc = 0;
	if (io_write_all(fd, bytes, len) < 0 || fchmod(fd, mode & 07777) < 0 || fsync(fd) < 0)
		rc = -1;
	int saved = errno;
	if (close(fd) < 0 && rc == 0)
		return -1;
	errno = saved;
	return rc;
}

int io_replace_file(const char *path, const void *bytes, size_t len, mode_t mode, struct err *err)
{
	char *real = realpath(path, NULL);
	const char *target = real ? real : path;
	char *temp = mem_printf("%s.whittle-%ld", target, (long)getpid());
	int rc = write_temp(temp, bytes, len, mode);
	if (rc == 0)
		rc = rename(temp, target);
	if (rc < 0) {
		err_errno(err, "cannot write %s", path);
		unlink(temp);
	}
	free(temp);
	free(real);
	return rc;
}

/* Removes what the directory holds. It may be filled while we read it, so we look again until it stays empty. */
static int remove_children(int fd)
{
	int copy = fcntl(fd, F_DUPFD_CLOEXEC, 0);
	DIR *dir = copy < 0 ? NULL : fdopendir(copy);
	if (!dir) {
		if (copy >= 0)
			close(copy);
		return -1;
	}
	int seen = 0;
	for (struct dirent *e; (e = readdir(dir));) {
		if (!strcmp(e->d_name, ".") || !strcmp(e->d_name, ".."))
			continue;
		seen++;
		if (unlinkat(fd, e->d_name, 0) == 0 || errno == ENOENT)
			continue;
		io_remove_tree(fd, e->d_name);
	}
	closedir(dir);
	return seen;
}

int io_remove_tree(int dirfd, const char *path)
{
	if (unlinkat(dirfd, path, 0) == 0 || errno == ENOENT)
		return 0;
	for (int pass = 0; pass < REMOVE_PASSES; pass++) {
		if (unlinkat(dirfd, path, AT_REMOVEDIR) == 0 || errno == ENOENT)
			return 0;
		int fd = openat(dirfd, path, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
		if (fd < 0 && errno == EACCES) {
			fchmodat(dirfd, path, 0700, 0);
			fd = openat(dirfd, path, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
		}
		if (fd < 0)
			return -1;
		fchmod(fd, 0700);
		remove_children(fd);
		close(fd);
	}
	return -1;
}

uint64_t io_now(void)
{
	struct timespec t;
	clock_gettime(CLOCK_MONOTONIC, &t);
	return (uint64_t)t.tv_sec * 1000000000u + (uint64_t)t.tv_nsec;
}
