/* Answers that come one soon after the other are taken together (far_def.h). To be woken for each
 * costs the asking process more than what it does then. Workers that wait for a moment lose little,
 * as what they are asked then is chosen with more answers known (bench/RESULTS.md). */
#include <poll.h>

#include "base/io.h"
#include "far/far_def.h"

enum {
	MANY = 32,     /* questions are open: fewer answers than that are better taken one by one */
	TOGETHER = 8,  /* so many answers are waited for, */
	SHARE = 8,     /* but no longer than this part of a test's time, */
	MOST_MS = 100, /* or this */
	GROWTH = 8,    /* tests count as longer than before by this part at most, each time */
};
static const uint64_t MS = 1000000;

void far_note_test(struct far *f, uint64_t asked_ns)
{
	uint64_t took = io_now() - asked_ns, old = f->seen.test_ns, most = old + old / GROWTH;
	f->seen.test_ns = old && took > most ? most : took;
}

/* How many milliseconds. */
static int moment(const struct far *f, int most_ms)
{
	uint64_t ms = f->seen.test_ns / MS, all = ms * TOGETHER / (f->n ? f->n : 1);
	uint64_t least = all < ms / SHARE ? all : ms / SHARE;
	int most = most_ms < MOST_MS ? most_ms : MOST_MS;
	return least < (uint64_t)most ? (int)least : most;
}

bool far_gather(struct far *f, int wake_fd, int most_ms)
{
	int ms = f->n < MANY || !f->seen.fresh ? 0 : moment(f, most_ms);
	struct pollfd wake = { .fd = wake_fd, .events = POLLIN };
	f->seen.fresh = false;
	if (ms > 0)
		poll(&wake, 1, ms);
	return ms > 0;
}
