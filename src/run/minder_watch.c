#include "run/minder_watch.h"

#include <errno.h>
#include <poll.h>
#include <time.h>

#include "run/reap.h"

/* What the pool has to say, which may be that it is gone. */
static enum end hear_pool(struct minder *m, const struct attention *a)
{
	struct wire_request rq;
	if (a->cancelled) /* what it asks next has to wait */
		return END_POOL_GONE;
	return wire_receive_request(m->sock, &rq, &m->names, &m->words, m->output) ? END_CANCELLED
	                                                                           : END_POOL_GONE;
}

enum end minder_watch(struct minder *m, pid_t pid, int fd, struct attention *a)
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
		if (n <= 0 && (a->excess = meter_look(&a->meter)) != ANSWER_OWN)
			return END_EXCESS;
	}
}

void minder_phase(const struct minder *m, enum child_phase phase)
{
	m->shared->beat++;
	m->shared->phase = phase;
}

void minder_fail(struct wire_reply *answer, enum wire_stage stage, int error)
{
	answer->kind = WIRE_FAILED;
	answer->stage = stage;
	answer->error = error;
}
