#include "run/slots_minders.h"

#include <errno.h>
#include <signal.h>
#include <sys/epoll.h>
#include <sys/socket.h>
#include <unistd.h>

#include "base/err.h"
#include "run/charge.h"
#include "run/child.h"
#include "fence/fence.h"
#include "run/minder.h"
#include "run/watch.h"

static int fork_minder(struct slots *slots, unsigned i, int sock)
{
	const struct minder_spec spec = { slots->setup, &slots->workdir,  i, slots->most,
		                          sock,         &slots->shared[i] };
	sigset_t all, old;
	sigfillset(&all);
	sigprocmask(SIG_SETMASK, &all, &old); /* no handler of the program's runs in the minder */
	pid_t pid = namespaces_fork(slots->setup->fence);
	if (pid == 0)
		minder_run(&spec);
	int saved = errno;
	sigprocmask(SIG_SETMASK, &old, NULL);
	errno = saved;
	slots->list[i].minder = pid;
	return pid < 0 ? -1 : 0;
}

int slots_start_minder(struct slots *slots, unsigned i, struct err *err)
{
	struct slot *slot = &slots->list[i];
	int pair[2];
	slot->names = 0;
	standing_forget(&slot->standing);
	slot->unclean = slot->limbo = 0;
	slot->dir = workdir_make_slot(&slots->workdir, i, err);
	if (slot->dir < 0)
		return -1;
	if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, pair) < 0)
		return err_errno(err, "cannot start worker %u", i);
	slot->sock = pair[0];
	struct epoll_event event = { .events = EPOLLIN, .data.u32 = i };
	int rc = fork_minder(slots, i, pair[1]);
	if (rc == 0)
		charge_adopt(slot);
	if (rc == 0)
		rc = epoll_ctl(slots->epoll, EPOLL_CTL_ADD, slot->sock, &event);
	if (rc < 0)
		err_errno(err, "cannot start worker %u", i);
	close(pair[1]);
	return rc;
}

void slots_let_go(struct slot *slot)
{
	if (slot->sock >= 0)
		close(slot->sock);
	if (slot->dir >= 0)
		close(slot->dir);
	slot->sock = slot->dir = -1;
}

int slots_revive(struct slots *slots, struct slot *slot, struct err *err)
{
	unsigned i = (unsigned)(slot - slots->list);
	epoll_ctl(slots->epoll, EPOLL_CTL_DEL, slot->sock, NULL);
	slots_let_go(slot);
	watch_end(slots, slot);
	const struct fence *fence = slots->setup->fence;
	/* Where its processes were its own, all of them ended with it, and their numbers are
	 * others' here. */
	bool own = fence && (fence->parts & FENCE_PROCESSES);
	if (slots->shared[i].leader > 0 && !own)
		watch_end_orphan(slots->shared[i].leader);
	slots->shared[i].leader = 0;
	slots->shared[i].phase = CHILD_NONE;
	return slots_start_minder(slots, i, err);
}

enum slots_news slots_receive(struct slot *slot, struct wire_reply *reply)
{
	if (!wire_receive(slot->sock, reply, sizeof *reply, NULL))
		return SLOTS_DEAD;
	if (reply->kind == WIRE_CANCELLED && --slot->unclean == 0)
		slot->limbo = 0;
	bool answers = reply->kind == WIRE_ANSWER || reply->kind == WIRE_FAILED;
	return answers && slot->busy && reply->seq == slot->seq ? SLOTS_REPLY : SLOTS_NOTHING;
}
