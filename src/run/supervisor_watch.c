#include "run/supervisor_watch.h"

#include <errno.h>
#include <poll.h>
#include <signal.h>
#include <sys/signalfd.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "base/io.h"
#include "fence/limits_usage.h"
#include "run/reap.h"

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

enum { SHARE = 16, BYTES_PER_NS = 8 }; /* nobody writes more than 8 GB/s */

struct limits_meter limits_meter_start(const struct wire_request *rq, const struct sets *sets)
{
	return (struct limits_meter){ .rq = rq, .sets = sets };
}

static bool is_full(const struct limits_meter *meter)
{
	uint64_t most = meter->rq->file_limit;
	return most && sets_bytes(meter->sets, meter->rq->generation, most) > most;
}

enum answer_why limits_meter_look(struct limits_meter *meter)
{
	uint32_t most = meter->rq->process_limit;
	uint64_t begin = io_now();
	if (begin < meter->next_ns)
		return ANSWER_OWN;
	enum answer_why why = is_full(meter)                                ? ANSWER_FILES
	                      : most && limits_usage_processes(most) > most ? ANSWER_PROCESSES
	                                                                    : ANSWER_OWN;
	uint64_t end = io_now();
	meter->next_ns = end + (end - begin) * SHARE;
	return why;
}

enum answer_why limits_meter_end(const struct limits_meter *meter, uint64_t wall_ns)
{
	if (meter->rq->file_limit / BYTES_PER_NS > wall_ns)
		return ANSWER_OWN; /* it cannot have written that much */
	return is_full(meter) ? ANSWER_FILES : ANSWER_OWN;
}

/* What the pool has to say, which may be that it is gone. */
static enum end hear_pool(struct supervisor *m, const struct attention *a)
{
	struct wire_request rq;
	if (a->cancelled) /* what it asks next has to wait */
		return END_POOL_GONE;
	return wire_receive_request(m->sock, &rq, &m->names, &m->words, m->output) ? END_CANCELLED
	                                                                           : END_POOL_GONE;
}

enum end supervisor_watch(struct supervisor *m, pid_t pid, int fd, struct attention *a)
{
	uint64_t limit = a->limit;
	struct pollfd fds[] = { { .fd = fd, .events = POLLIN },
		                { .fd = m->sock, .events = a->cancelled ? POLLRDHUP : POLLIN },
		                { .fd = a->says, .events = POLLIN },
		                { .fd = a->takes, .events = POLLOUT } };
	for (;;) {
		uint64_t spent = ticks_spent(&a->ticks), left = limit > spent ? limit - spent : 0;
		if (!limit || left > TICKS_EVERY_NS)
			left = TICKS_EVERY_NS;
		m->shared->beat++;
		struct timespec wait = { .tv_nsec = (long)left };
		int n = ppoll(fds, 4, &wait, NULL);
		reap_orphans(pid, m->aside.pid);
		if (n < 0 && errno != EINTR) /* no memory to wait with: nothing about the test */
			nanosleep(&wait, NULL);
		if (n > 0 && fds[2].revents)
			return END_SAYS;
		if (n > 0 && fds[0].revents && ending_seen(&m->ending, pid))
			return END_SELF;
		if (n > 0 && fds[3].revents)
			return END_TAKES;
		if (n > 0 && fds[1].revents)
			return hear_pool(m, a);
		if (limit && n <= 0 && ticks_spent(&a->ticks) >= limit)
			return END_DEADLINE;
		if (n <= 0 && (a->excess = limits_meter_look(&a->meter)) != ANSWER_OWN)
			return END_EXCESS;
	}
}

void supervisor_phase(const struct supervisor *m, enum child_phase phase)
{
	m->shared->beat++;
	m->shared->phase = phase;
}

void supervisor_fail(struct wire_reply *answer, enum wire_stage stage, int error)
{
	answer->kind = WIRE_FAILED;
	answer->stage = stage;
	answer->error = error;
}
