#include "run/affinity.h"

#include <dirent.h>
#include <stdio.h>

#include "base/io.h"

enum { NONE = -1 };
static const uint64_t QUICK_NS = 10000000;

void affinity_hold(struct affinity *n, pid_t server)
{
	int cpu = n->quick[0] || n->quick[1] ? sched_getcpu() : NONE;
	cpu_set_t set;
	if (server != n->server) {
		n->server = server;
		n->cpu = NONE;
		return;
	}
	if (cpu == n->cpu || sched_getaffinity(0, sizeof n->all, &n->all) < 0)
		return;
	set = n->all;
	if (cpu != NONE) {
		CPU_ZERO(&set);
		CPU_SET((unsigned)cpu, &set);
	}
	if (sched_setaffinity(server, sizeof set, &set) == 0)
		n->cpu = cpu;
}

bool affinity_holds(const struct affinity *n, pid_t server)
{
	return n->server == server && n->cpu != NONE;
}

/* All threads of PID. */
static void release(const struct affinity *n, pid_t pid)
{
	char path[40];
	snprintf(path, sizeof path, "/proc/%d/task", (int)pid);
	IO_SCOPED_DIR DIR *dir = opendir(path);
	for (struct dirent *e; dir && (e = io_next_entry(dir));)
		sched_setaffinity(atoi(e->d_name), sizeof n->all, &n->all);
}

void affinity_let_go(struct affinity *n, pid_t child)
{
	release(n, n->server);
	if (child > 0)
		release(n, child);
	n->cpu = NONE;
}

void affinity_note(struct affinity *n, uint64_t ns)
{
	n->quick[0] = n->quick[1];
	n->quick[1] = ns < QUICK_NS;
}

unsigned affinity_processors(void)
{
	cpu_set_t set;
	int n = sched_getaffinity(0, sizeof set, &set) == 0 ? CPU_COUNT(&set) : 1;
	return n < 1 ? 1 : (unsigned)n;
}
