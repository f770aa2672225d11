#include "base/work.h"

enum { STEPS = 1 << 16 }; /* between two looks, which cost a system call or two */

/* The only file-scope state that changes. Steps and allocations are too many, and too deep, for
 * passing it as an argument. */
_Thread_local size_t work_until_look = STEPS;
static _Thread_local struct {
	struct work_guard *guard;
	bool allowed, left;
} now;

void work_guard_enter(struct work_guard *g)
{
	g->outer = now.guard;
	g->allowed = now.allowed;
	now.guard = g;
	now.allowed = false;
	work_until_look = STEPS;
}

void work_guard_leave(struct work_guard *g)
{
	now.guard = g->outer;
	now.allowed = g->allowed;
}

bool work_allow(bool leaving)
{
	bool before = now.allowed;
	now.allowed = leaving;
	return before;
}

static void leave(struct work_guard *g, enum work_left why)
{
	now.left = true;
	work_guard_leave(g);
	longjmp(g->back, why);
}

void work_look(void)
{
	struct work_guard *g = now.guard;
	work_until_look = STEPS;
	if (g && now.allowed && g->is_over && g->is_over(g->arg))
		leave(g, WORK_OVER);
}

void work_give_up(void)
{
	if (now.guard)
		leave(now.guard, WORK_NO_MEMORY);
}

bool work_retry(size_t size)
{
	struct work_guard *g = now.guard;
	return g && g->retry && g->retry(g->arg, size);
}

bool work_was_left(void)
{
	return now.left;
}
