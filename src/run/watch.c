#include "run/watch.h"

#include <errno.h>
#include <poll.h>
#include <signal.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/ticks.h"
#include "run/child.h"

/* How long a minder may show no sign of life while its test starts (from a slow disk), runs (it
 * looks at the clock all the time), and when all that it left is being ended. */
static const uint64_t silences_ns[] = {
	[CHILD_STARTS] = 10000000000u,
	[CHILD_RUNS] = 3000000000u,
	[CHILD_ENDS] = 60000000000u,
};
static const uint64_t LEAVING_NS = 30000000000u; /* one that is to go, and may have much to tidy */

/* Wakes a minder that was stopped. */
static void wake(const struct slot *slot)
{
	siginfo_t info = { 0 };
	while (waitid(P_PID, (id_t)slot->minder, &info, WSTOPPED | WNOHANG) == 0 && info.si_pid) {
		kill(slot->minder, SIGCONT);
		info.si_pid = 0;
	}
}

/* SPENT: as from ticks_spent, of the one clock of the slots. */
static void look_after(struct slots *slots, struct slot *slot, uint64_t spent)
{
	const struct child_shared *shared = &slots->shared[slot - slots->list];
	unsigned beat = shared->beat;
	int phase = shared->phase;
	wake(slot);
	if (phase <= CHILD_NONE || phase > CHILD_ENDS || beat != slot->beat) {
		slot->beat = beat;
		slot->beat_ns = spent;
	} else if (spent - slot->beat_ns > silences_ns[phase]) {
		kill(slot->minder, SIGKILL);
	}
}

void watch_minders(struct slots *slots)
{
	if (io_now() - slots->ticks.last_ns < TICKS_EVERY_NS)
		return;
	uint64_t spent = ticks_spent(&slots->ticks);
	for (unsigned i = 0; i < slots->n; i++) {
		struct slot *slot = &slots->list[i];
		if (slot->minder > 0 && (slot->busy || slot->unclean))
			look_after(slots, slot, spent);
	}
}

void watch_await(struct slots *slots, struct slot *slot)
{
	struct pollfd news = { .fd = slot->sock, .events = POLLIN };
	while (poll(&news, 1, WATCH_EVERY_MS) <= 0)
		look_after(slots, slot, ticks_spent(&slots->ticks));
}

/* Waits until the end of PIDFD, or a moment; without one (-1) a short moment. */
static void pause_for(int pidfd)
{
	struct pollfd end = { .fd = pidfd, .events = POLLIN };
	poll(&end, 1, pidfd < 0 ? 2 : WATCH_EVERY_MS);
}

void watch_end(struct slots *slots, struct slot *slot)
{
	if (slot->minder <= 0)
		return;
	int pidfd = (int)syscall(SYS_pidfd_open, slot->minder, 0);
	struct ticks ticks = ticks_start();
	pid_t gone;
	while ((gone = waitpid(slot->minder, &slot->end, WNOHANG)) == 0 ||
	       (gone < 0 && errno == EINTR)) {
		look_after(slots, slot, ticks_spent(&slots->ticks));
		if (ticks_spent(&ticks) > LEAVING_NS)
			kill(slot->minder, SIGKILL);
		pause_for(pidfd);
	}
	if (pidfd >= 0)
		close(pidfd);
	slot->minder = 0;
}

void watch_end_orphan(pid_t leader)
{
	enum { PATIENCE_MS = 1000 };
	int pidfd = (int)syscall(SYS_pidfd_open, leader, 0);
	kill(-leader, SIGKILL);
	if (pidfd < 0)
		return;
	struct pollfd end = { .fd = pidfd, .events = POLLIN };
	while (poll(&end, 1, PATIENCE_MS) < 0 && errno == EINTR)
		;
	close(pidfd);
}
