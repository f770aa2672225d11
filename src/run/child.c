#include "run/child.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/io.h"
#include "fence/landlock.h"
#include "run/wire.h"

enum { FORKED_NO_EXEC = 0x40 }; /* the kernel's PF_FORKNOEXEC */

static noreturn void give_up(struct child_shared *shared, enum wire_stage stage)
{
	shared->stage = stage;
	shared->error = errno;
	_exit(127);
}

/* Lowers a limit; an existing lower hard limit stays. HEADROOM between soft and hard gives a signal
 * before the end. */
static void set_limit(__rlimit_resource_t resource, uint64_t value, uint64_t headroom)
{
	struct rlimit limit;
	if (!value || getrlimit(resource, &limit) < 0)
		return;
	if (limit.rlim_max > value + headroom)
		limit.rlim_max = value + headroom;
	limit.rlim_cur = value < limit.rlim_max ? value : limit.rlim_max;
	setrlimit(resource, &limit);
}

/* In the new process. Only system calls: the parent's memory is ours until the exec. */
static noreturn void become(const struct child_spec *spec, struct child_shared *shared)
{
	setsid();
	shared->leader =
		getpid(); /* not left to the parent: the program may kill that before it goes on */
	prctl(PR_SET_PDEATHSIG, SIGKILL);
	if (chdir(spec->dir) < 0)
		give_up(shared, WIRE_CHDIR);
	/* Before any descriptor gets its number for the program, which may be that of the rules. */
	if (spec->fence > 0 && landlock_enter(spec->fence) < 0)
		give_up(shared, WIRE_FENCE);
	if (spec->in >= 0)
		dup2(spec->in, STDIN_FILENO);
	if (spec->out >= 0)
		dup2(spec->out, STDOUT_FILENO);
	if (spec->err >= 0)
		dup2(spec->err, STDERR_FILENO);
	if (spec->asks > 0 && spec->answers > 0) {
		dup2(spec->asks, CHILD_FORKSERVER);
		dup2(spec->answers, CHILD_FORKSERVER + 1);
	}
	set_limit(RLIMIT_AS, spec->memory_limit, 0);
	set_limit(RLIMIT_FSIZE, spec->file_limit, 0);
	set_limit(RLIMIT_CPU, spec->cpu_limit_s, 1);
	sigset_t none;
	sigemptyset(&none);
	sigprocmask(SIG_SETMASK, &none, NULL);
	execve(spec->argv[1], spec->argv + 1, spec->envp);
	if (errno == ENOEXEC)
		execve("/bin/sh", spec->argv, spec->envp);
	give_up(shared, WIRE_EXEC);
}

pid_t child_start(const struct child_spec *spec, struct child_shared *shared)
{
	static char shell[] = "sh";
	spec->argv[0] = shell;
	shared->error = 0;
	pid_t pid = vfork();
	if (pid == 0)
		become(spec, shared);
	return pid;
}

/* The kernel's flags of a process, in the 9th field; the second, its name, may hold anything. */
static unsigned process_flags(pid_t pid)
{
	char path[32], text[512];
	unsigned flags = 0;
	snprintf(path, sizeof path, "/proc/%d/stat", (int)pid);
	io_read_short(path, text, sizeof text);
	const char *behind = strrchr(text, ')');
	if (!behind || sscanf(behind, ") %*c %*d %*d %*d %*d %*d %u", &flags) != 1)
		return 0;
	return flags;
}

bool child_killed_early(pid_t pid)
{
	siginfo_t info = { 0 };
	if (waitid(P_PID, (id_t)pid, &info, WEXITED | WNOHANG | WNOWAIT) < 0 ||
	    info.si_pid != pid || info.si_code != CLD_KILLED || info.si_status != SIGKILL)
		return false;
	return process_flags(pid) & FORKED_NO_EXEC;
}

static void close_between(int above, int below)
{
	if (above + 1 >= below)
		return;
#ifdef SYS_close_range
	if (syscall(SYS_close_range, above + 1, below - 1, 0) == 0)
		return;
#endif
	long max = sysconf(_SC_OPEN_MAX);
	for (int fd = above + 1; fd < below && fd < max; fd++)
		close(fd);
}

void child_close_others(const int *kept, int n)
{
	int null = open("/dev/null", O_RDWR | O_CLOEXEC);
	if (null < 0)
		_exit(1);
	for (int fd = STDIN_FILENO; fd <= STDERR_FILENO; fd++)
		if (null != fd)
			dup2(null, fd);
		else
			fcntl(fd, F_SETFD, 0);
	for (int last = STDERR_FILENO, next; last < INT32_MAX; last = next) {
		next = INT32_MAX;
		for (int i = 0; i < n; i++)
			if (kept[i] > last && kept[i] < next)
				next = kept[i];
		close_between(last, next);
	}
}
