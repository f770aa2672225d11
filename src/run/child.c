#include "run/child.h"

#include <errno.h>
#include <signal.h>
#include <stdnoreturn.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include "run/wire.h"

static noreturn void give_up(struct child_shared *shared, enum wire_stage stage)
{
	shared->stage = stage;
	shared->error = errno;
	_exit(127);
}

/* Lowers a limit; an existing lower hard limit stays. HEADROOM between soft and hard gives a signal before the end. */
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
	prctl(PR_SET_PDEATHSIG, SIGKILL);
	if (chdir(spec->dir) < 0)
		give_up(shared, WIRE_CHDIR);
	if (spec->in >= 0)
		dup2(spec->in, STDIN_FILENO);
	if (spec->out >= 0) {
		dup2(spec->out, STDOUT_FILENO);
		dup2(spec->out, STDERR_FILENO);
	}
	set_limit(RLIMIT_AS, spec->memory_limit, 0);
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
	if (pid > 0)
		shared->leader = pid;
	return pid;
}
