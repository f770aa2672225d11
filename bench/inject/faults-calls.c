/* The calls that faults-preload.c counts and fails. */
#include <dirent.h>
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <spawn.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/file.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/signalfd.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/statfs.h>
#include <sys/statvfs.h>
#include <sys/syscall.h>
#include <sys/timerfd.h>
#include <sys/wait.h>
#include <unistd.h>

#include "faults-preload.h"

/* Each use is another number. */
#define STRIKES(name, fit) faults_strike(name, fit, __COUNTER__)

#define REAL(name)                 \
	static typeof(&name) real; \
	if (!real)                 \
	*(void **)(&real) = dlsym(RTLD_NEXT, #name)

/* A function that fails with FAILED; FIT are the errors that fit it, blanks between. */
#define CALL(ret, name, failed, fit, params, args)             \
	__attribute__((visibility("default"))) ret name params \
	{                                                      \
		REAL(name);                                    \
		if (STRIKES(#name, fit))                       \
			return failed;                         \
		return real args;                              \
	}

/* The same of one that is about PATH. */
#define PATH_CALL(ret, name, failed, fit, params, args)        \
	__attribute__((visibility("default"))) ret name params \
	{                                                      \
		REAL(name);                                    \
		*faults_about() = path;                        \
		bool struck = STRIKES(#name, fit);             \
		*faults_about() = NULL;                        \
		if (struck)                                    \
			return failed;                         \
		return real args;                              \
	}

/* The same of one that moves LEN bytes, and may move half of them. */
#define MOVE(name, fit, params, args, half)                        \
	__attribute__((visibility("default"))) ssize_t name params \
	{                                                          \
		REAL(name);                                        \
		if (!STRIKES(#name, fit))                          \
			return real args;                          \
		if (errno || len < 2)                              \
			return errno ? -1 : real args;             \
		return real half;                                  \
	}

/* ---- files ---- */

int open(const char *path, int flags, ...)
{
	va_list ap;
	va_start(ap, flags);
	mode_t mode = flags & (O_CREAT | O_TMPFILE) ? va_arg(ap, mode_t) : 0;
	va_end(ap);
	REAL(open);
	return STRIKES("open", flags & O_CREAT ? "ENOSPC EIO EMFILE EACCES" : "EIO EMFILE EACCES")
	               ? -1
	               : real(path, flags, mode);
}

int openat(int dir, const char *path, int flags, ...)
{
	va_list ap;
	va_start(ap, flags);
	mode_t mode = flags & (O_CREAT | O_TMPFILE) ? va_arg(ap, mode_t) : 0;
	va_end(ap);
	REAL(openat);
	return STRIKES("openat", flags & O_CREAT ? "ENOSPC EIO EMFILE" : "EIO EMFILE EACCES")
	               ? -1
	               : real(dir, path, flags, mode);
}

int fcntl(int fd, int command, ...)
{
	va_list ap;
	va_start(ap, command);
	void *argument = va_arg(ap, void *);
	va_end(ap);
	REAL(fcntl);
	return STRIKES("fcntl", "EMFILE EINTR") ? -1 : real(fd, command, argument);
}

/* What fails has closed it. */
int close(int fd)
{
	REAL(close);
	bool fails = STRIKES("close", "EIO EINTR");
	int error = errno, rc = real(fd);
	if (!fails)
		return rc;
	errno = error;
	return -1;
}

MOVE(read, "EIO EINTR short", (int fd, void *bytes, size_t len), (fd, bytes, len),
     (fd, bytes, len / 2))
MOVE(pread, "EIO EINTR short", (int fd, void *bytes, size_t len, off_t at), (fd, bytes, len, at),
     (fd, bytes, len / 2, at))
MOVE(write, "ENOSPC EIO EINTR short", (int fd, const void *bytes, size_t len), (fd, bytes, len),
     (fd, bytes, len / 2))
MOVE(pwrite, "ENOSPC EIO EINTR short", (int fd, const void *bytes, size_t len, off_t at),
     (fd, bytes, len, at), (fd, bytes, len / 2, at))

CALL(int, fsync, -1, "EIO ENOSPC", (int fd), (fd))
CALL(int, fdatasync, -1, "EIO ENOSPC", (int fd), (fd))
CALL(int, syncfs, -1, "EIO ENOSPC", (int fd), (fd))
CALL(int, ftruncate, -1, "EIO EINTR", (int fd, off_t len), (fd, len))
CALL(int, posix_fallocate, ENOSPC, "ENOSPC", (int fd, off_t at, off_t len), (fd, at, len))
CALL(off_t, lseek, -1, "EINVAL", (int fd, off_t at, int whence), (fd, at, whence))
CALL(int, flock, -1, "EINTR ENOSYS", (int fd, int operation), (fd, operation))
CALL(int, fstat, -1, "EIO", (int fd, struct stat *st), (fd, st))
PATH_CALL(int, stat, -1, "EIO EACCES", (const char *path, struct stat *st), (path, st))
PATH_CALL(int, lstat, -1, "EIO EACCES", (const char *path, struct stat *st), (path, st))
PATH_CALL(int, fstatat, -1, "EIO EACCES", (int dir, const char *path, struct stat *st, int flags),
          (dir, path, st, flags))
CALL(int, statfs, -1, "EIO ENOSYS", (const char *path, struct statfs *st), (path, st))
CALL(int, statvfs, -1, "EIO ENOSYS", (const char *path, struct statvfs *st), (path, st))
PATH_CALL(int, access, -1, "EIO", (const char *path, int mode), (path, mode))
CALL(int, chmod, -1, "EPERM EIO", (const char *path, mode_t mode), (path, mode))
CALL(int, fchmod, -1, "EPERM EIO", (int fd, mode_t mode), (fd, mode))
CALL(int, fchmodat, -1, "EPERM EIO", (int dir, const char *path, mode_t mode, int flags),
     (dir, path, mode, flags))
CALL(int, rename, -1, "ENOSPC EIO EACCES", (const char *from, const char *to), (from, to))
CALL(int, renameat, -1, "ENOSPC EIO", (int a, const char *from, int b, const char *to),
     (a, from, b, to))
CALL(int, renameat2, -1, "ENOSPC EIO EINVAL",
     (int a, const char *from, int b, const char *to, unsigned flags), (a, from, b, to, flags))
CALL(int, link, -1, "ENOSPC EPERM", (const char *from, const char *to), (from, to))
CALL(int, linkat, -1, "ENOSPC EPERM", (int a, const char *from, int b, const char *to, int flags),
     (a, from, b, to, flags))
CALL(int, symlink, -1, "ENOSPC EIO", (const char *to, const char *path), (to, path))
CALL(int, symlinkat, -1, "ENOSPC EIO", (const char *to, int dir, const char *path), (to, dir, path))
CALL(int, unlink, -1, "EIO EPERM", (const char *path), (path))
CALL(int, unlinkat, -1, "EIO EPERM", (int dir, const char *path, int flags), (dir, path, flags))
CALL(int, rmdir, -1, "EIO EPERM", (const char *path), (path))
CALL(int, mkdir, -1, "ENOSPC EIO", (const char *path, mode_t mode), (path, mode))
CALL(int, mkdirat, -1, "ENOSPC EIO", (int dir, const char *path, mode_t mode), (dir, path, mode))
CALL(int, mkfifo, -1, "ENOSPC", (const char *path, mode_t mode), (path, mode))
CALL(char *, mkdtemp, NULL, "ENOSPC EIO", (char *path), (path))
CALL(ssize_t, readlink, -1, "EIO", (const char *path, char *out, size_t size), (path, out, size))
CALL(ssize_t, readlinkat, -1, "EIO", (int dir, const char *path, char *out, size_t size),
     (dir, path, out, size))
CALL(char *, realpath, NULL, "EIO EACCES ENOMEM", (const char *path, char *out), (path, out))
CALL(char *, getcwd, NULL, "EIO", (char *out, size_t size), (out, size))
CALL(int, chdir, -1, "EIO EACCES", (const char *path), (path))
CALL(int, fchdir, -1, "EIO", (int fd), (fd))
CALL(DIR *, opendir, NULL, "EMFILE EIO ENOMEM", (const char *path), (path))
CALL(DIR *, fdopendir, NULL, "ENOMEM", (int fd), (fd))
CALL(struct dirent *, readdir, NULL, "EIO", (DIR * dir), (dir))
CALL(FILE *, fopen, NULL, "EMFILE EIO ENOSPC", (const char *path, const char *mode), (path, mode))
CALL(FILE *, fdopen, NULL, "ENOMEM", (int fd, const char *mode), (fd, mode))
CALL(FILE *, tmpfile, NULL, "EMFILE ENOSPC", (void), ())
CALL(int, fflush, EOF, "ENOSPC EIO", (FILE * f), (f))
CALL(size_t, fwrite, 0, "ENOSPC EIO", (const void *p, size_t size, size_t n, FILE *f),
     (p, size, n, f))

/* ---- system calls without a function ---- */

static const struct {
	long number;
	const char *name, *fit;
} calls[] = {
#ifdef SYS_openat2
	{ SYS_openat2, "openat2", "EIO EMFILE EACCES ENOSYS" },
#endif
#ifdef SYS_pidfd_open
	{ SYS_pidfd_open, "pidfd_open", "EMFILE ENOSYS" },
#endif
#ifdef SYS_close_range
	{ SYS_close_range, "close_range", "ENOSYS" },
#endif
};
enum { CALLS = sizeof calls / sizeof *calls };

long syscall(long number, ...)
{
	long arg[6];
	va_list ap;
	va_start(ap, number);
	for (int i = 0; i < 6; i++)
		arg[i] = va_arg(ap, long);
	va_end(ap);
	for (unsigned i = 0; i < CALLS; i++)
		if (calls[i].number == number &&
		    faults_strike(calls[i].name, calls[i].fit, FAULTS_NAMES - 1 - i))
			return -1;
	return faults_real_syscall()(number, arg[0], arg[1], arg[2], arg[3], arg[4], arg[5]);
}

/* ---- memory ---- */

void *__libc_malloc(size_t size);
void *__libc_calloc(size_t n, size_t size);
void *__libc_realloc(void *p, size_t size);

void *malloc(size_t size)
{
	return STRIKES("malloc", "ENOMEM") ? NULL : __libc_malloc(size);
}

void *calloc(size_t n, size_t size)
{
	return STRIKES("calloc", "ENOMEM") ? NULL : __libc_calloc(n, size);
}

void *realloc(void *p, size_t size)
{
	return STRIKES("realloc", "ENOMEM") ? NULL : __libc_realloc(p, size);
}

CALL(void *, mmap, MAP_FAILED, "ENOMEM",
     (void *at, size_t len, int prot, int flags, int fd, off_t offset),
     (at, len, prot, flags, fd, offset))
CALL(int, memfd_create, -1, "ENOMEM EMFILE", (const char *name, unsigned flags), (name, flags))

/* ---- processes, descriptors, waiting ---- */

CALL(pid_t, fork, -1, "EAGAIN ENOMEM", (void), ())

/* A fork: vfork returns twice, which no function around it survives. */
pid_t vfork(void)
{
	static typeof(&fork) real;
	if (!real)
		*(void **)(&real) = dlsym(RTLD_NEXT, "fork");
	return STRIKES("vfork", "EAGAIN ENOMEM") ? -1 : real();
}

CALL(int, posix_spawnp, ENOMEM, "ENOMEM",
     (pid_t * pid, const char *file, const posix_spawn_file_actions_t *actions,
      const posix_spawnattr_t *attr, char *const argv[], char *const envp[]),
     (pid, file, actions, attr, argv, envp))
CALL(int, execve, -1, "ENOMEM EIO", (const char *path, char *const argv[], char *const envp[]),
     (path, argv, envp))
CALL(int, dup2, -1, "EMFILE EINTR", (int from, int to), (from, to))
CALL(int, pipe2, -1, "EMFILE", (int fds[2], int flags), (fds, flags))
CALL(int, socketpair, -1, "EMFILE ENOMEM", (int domain, int type, int protocol, int fds[2]),
     (domain, type, protocol, fds))
CALL(ssize_t, sendmsg, -1, "EINTR ENOMEM", (int fd, const struct msghdr *msg, int flags),
     (fd, msg, flags))
CALL(ssize_t, recvmsg, -1, "EINTR ENOMEM", (int fd, struct msghdr *msg, int flags),
     (fd, msg, flags))
CALL(ssize_t, recv, -1, "EINTR ENOMEM", (int fd, void *bytes, size_t len, int flags),
     (fd, bytes, len, flags))
CALL(int, poll, -1, "EINTR ENOMEM", (struct pollfd * fds, nfds_t n, int timeout), (fds, n, timeout))
CALL(int, ppoll, -1, "EINTR ENOMEM",
     (struct pollfd * fds, nfds_t n, const struct timespec *wait, const sigset_t *mask),
     (fds, n, wait, mask))
CALL(int, epoll_create1, -1, "EMFILE ENOMEM", (int flags), (flags))
CALL(int, epoll_ctl, -1, "ENOMEM ENOSPC", (int fd, int op, int of, struct epoll_event *event),
     (fd, op, of, event))
CALL(int, epoll_wait, -1, "EINTR", (int fd, struct epoll_event *events, int n, int timeout),
     (fd, events, n, timeout))
CALL(int, signalfd, -1, "EMFILE ENOMEM", (int fd, const sigset_t *mask, int flags),
     (fd, mask, flags))
CALL(int, timerfd_create, -1, "EMFILE ENOMEM", (int clock, int flags), (clock, flags))
CALL(pid_t, waitpid, -1, "EINTR", (pid_t pid, int *status, int options), (pid, status, options))
CALL(int, waitid, -1, "EINTR", (idtype_t type, id_t id, siginfo_t *info, int options),
     (type, id, info, options))
CALL(pid_t, wait4, -1, "EINTR", (pid_t pid, int *status, int options, struct rusage *usage),
     (pid, status, options, usage))
CALL(pid_t, setsid, -1, "EPERM", (void), ())
