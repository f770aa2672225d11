#include "run/ending.h"

#include <errno.h>
#include <signal.h>
#include <sys/signalfd.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

int ending_open(struct ending *e, pid_t pid)
{
	int fd = e->sigchld < 0 ? (int)syscall(SYS_pidfd_open, pid, 0) : -1;
	if (fd >= 0 || (e->sigchld < 0 && errno != ENOSYS))
		return fd;
	sigset_t set;
	sigemptyset(&set);
	sigaddset(&set, SIGCHLD);
	e->sigchld = signalfd(e->sigchld, &set, SFD_CLOEXEC | SFD_NONBLOCK);
	return e->sigchld;
}

void ending_close(const struct ending *e, int fd)
{
	if (fd >= 0 && fd != e->sigchld)
		close(fd);
}

bool ending_seen(const struct ending *e, pid_t pid)
{
	if (e->sigchld < 0)
		return true;
	struct signalfd_siginfo seen;
	while (read(e->sigchld, &seen, sizeof seen) == (ssize_t)sizeof seen)
		;
	siginfo_t info = { 0 };
	return waitid(P_PID, (id_t)pid, &info, WEXITED | WNOHANG | WNOWAIT) < 0 ||
	       info.si_pid == pid;
}
