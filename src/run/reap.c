#include "run/reap.h"

#include <dirent.h>
#include <errno.h>
#include <signal.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "base/ticks.h"

enum { GUESSES = 48 };
static const uint64_t STUCK_NS = 5000000000u;
static const uint64_t AT_HEELS_NS = 20000000u; /* between two listings while children die */

/* What one look at the children found. */
struct hunt {
	unsigned killed, refused;
	pid_t spared[2]; /* 0: nobody */
};

/* Kills PID if it is a child of ours. waitid knows without a look into /proc/PID, and a child that
 * is not yet reaped keeps its number, so that no stranger is hit. */
static void kill_child(pid_t pid, struct hunt *hunt)
{
	siginfo_t info;
	if (pid == hunt->spared[0] || pid == hunt->spared[1])
		return;
	if (waitid(P_PID, (id_t)pid, &info, WEXITED | WNOHANG | WNOWAIT) < 0)
		return;
	kill(-pid, SIGKILL);
	if (kill(pid, SIGKILL) < 0 && errno == EPERM)
		hunt->refused++;
	else
		hunt->killed++;
}

/* Reaps all that has ended, *reaped counts it. False when no children are left at all.
 *
 * A chain of processes that each fork the next one and exit is faster than any listing of
 * processes, but numbers are handed out in order: the heir of the one that died last is among the
 * next few, and is ours from the moment of that death. Only the last one's: what came before has
 * been overtaken, and time spent on it would put us behind for good. */
static bool reap_ended(unsigned *reaped)
{
	pid_t last = 0, pid;
	while ((pid = waitpid(-1, NULL, WNOHANG)) > 0 || (pid < 0 && errno == EINTR))
		if (pid > 0) {
			last = pid;
			++*reaped;
		}
	struct hunt hunt = { 0 };
	for (int i = 1; last && i <= GUESSES && !hunt.killed; i++)
		kill_child(last + i, &hunt);
	return pid == 0;
}

/* Where the kernel lists children (CONFIG_PROC_CHILDREN), one short read; a longer list has its
 * turn in later rounds. */
static bool hunt_listed(struct hunt *hunt)
{
	char list[4096], *p = list, *end;
	bool listed = io_read_short("/proc/thread-self/children", list, sizeof list);
	for (long pid; (pid = strtol(p, &end, 10)) > 0 && *end == ' '; p = end)
		kill_child((pid_t)pid, hunt);
	return listed;
}

/* The same by trying every process there is. */
static bool hunt_scanned(struct hunt *hunt)
{
	IO_SCOPED_DIR DIR *proc = opendir("/proc");
	if (!proc)
		return false;
	for (struct dirent *e; (e = readdir(proc));) {
		long pid = strtol(e->d_name, NULL, 10);
		if (pid > 0)
			kill_child((pid_t)pid, hunt);
	}
	return true;
}

/* Until a child ends, but no longer than a millisecond: there may be children that nobody has
 * killed yet. */
static void await_child(void)
{
	sigset_t set;
	sigemptyset(&set);
	sigaddset(&set, SIGCHLD);
	sigtimedwait(&set, NULL, &(struct timespec){ .tv_nsec = 1000000 });
}

/* As the first process of a PID namespace: a signal to all reaches all others there, and is not to
 * be outrun by forking. */
static bool end_namespace(void)
{
	if (waitpid(-1, NULL, WNOHANG) < 0 && errno == ECHILD)
		return true; /* as mostly: what a test has left would be our child */
	while (kill(-1, SIGKILL), waitpid(-1, NULL, 0) > 0 || errno == EINTR)
		;
	return errno == ECHILD;
}

bool reap_descendants(void)
{
	if (getpid() == 1)
		return end_namespace();
	struct ticks ticks = ticks_start();
	uint64_t progress = 0;
	for (unsigned reaped = 0; reap_ended(&reaped); reaped = 0) {
		uint64_t now = ticks_spent(&ticks);
		/* While something dies, what it may have left is hunted where it is: at its heels.
		 */
		if (reaped && now - progress < AT_HEELS_NS)
			continue;
		struct hunt hunt = { 0 };
		if (!hunt_listed(&hunt) && !hunt_scanned(&hunt))
			return false;
		if (reaped)
			progress = now;
		if (now - progress > STUCK_NS || (hunt.refused && !hunt.killed))
			return false;
		await_child();
	}
	return true;
}

bool reap_strays(pid_t leader, pid_t other)
{
	struct ticks ticks = ticks_start();
	for (;;) {
		struct hunt hunt = { .spared = { leader, other } };
		reap_orphans(leader, other);
		if (!hunt_listed(&hunt) && !hunt_scanned(&hunt))
			return false;
		if (!hunt.killed)
			return !hunt.refused;
		if (ticks_spent(&ticks) > STUCK_NS)
			return false;
		await_child();
	}
}

void reap_orphans(pid_t leader, pid_t other)
{
	siginfo_t info = { 0 };
	while (waitid(P_ALL, 0, &info, WEXITED | WNOHANG | WNOWAIT) == 0 && info.si_pid &&
	       info.si_pid != leader && info.si_pid != other) {
		waitpid(info.si_pid, NULL, WNOHANG);
		info.si_pid = 0;
	}
}
