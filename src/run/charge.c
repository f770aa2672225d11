#include "run/charge.h"

#include <signal.h>
#include <sys/wait.h>

#include "fence/usage.h"

bool charge_open(struct slots *slots, struct slot *slot)
{
	if (!slots->setup->groups)
		return true;
	cgroup_open(&slot->group, (unsigned)(slot - slots->list));
	return cgroup_has(&slot->group, CGROUP_MEMORY) &&
	       cgroup_has(&slot->group, CGROUP_PROCESSES);
}

void charge_adopt(struct slot *slot)
{
	cgroup_adopt(&slot->group, slot->minder);
}

bool charge_is_shared(const struct slot *slot)
{
	return cgroup_has(&slot->group, CGROUP_MEMORY) ||
	       cgroup_has(&slot->group, CGROUP_PROCESSES);
}

/* What the candidate itself counts for at most, in its directories. */
static uint64_t room_for(const struct testcase *tc)
{
	enum { SOME = 16 };
	return (tc->size / USAGE_ENTRY + 2 * (uint64_t)tc->n_files + SOME) * USAGE_ENTRY;
}

void charge_begin(struct slot *slot, const struct testcase *tc, struct wire_request *rq)
{
	const struct oracle_limits *limits = &slot->request.limits;
	rq->cpu_limit_s = limits->cpu_s;
	rq->file_limit = limits->files ? limits->files + room_for(tc) : 0;
	rq->memory_limit = limits->memory;
	rq->process_limit =
		limits->processes < UINT32_MAX ? (uint32_t)limits->processes : UINT32_MAX;
	if (cgroup_limit(&slot->group, CGROUP_MEMORY, limits->memory))
		rq->memory_limit = 0;
	if (cgroup_limit(&slot->group, CGROUP_PROCESSES, limits->processes))
		rq->process_limit = 0;
	cgroup_mark(&slot->group);
}

enum answer_why charge_end(const struct slot *slot, const struct wire_reply *reply)
{
	if (cgroup_exceeded(&slot->group, CGROUP_MEMORY))
		return ANSWER_MEMORY;
	if (cgroup_exceeded(&slot->group, CGROUP_PROCESSES))
		return ANSWER_PROCESSES;
	if (WIFSIGNALED(reply->status) && WTERMSIG(reply->status) == SIGXFSZ)
		return ANSWER_FILES;
	return (enum answer_why)reply->exceeded;
}

void charge_close(struct slot *slot)
{
	cgroup_close(&slot->group);
}
