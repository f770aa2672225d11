/* The end of workers (far_def.h): of one that is of no use, of one that is to leave, and of all.
 * The others have their turn while one ends, which may take it seconds: it has things to remove, or
 * holds out. */
#include <stdlib.h>

#include "base/io.h"
#include "far/far_def.h"

enum {
	END_MS = 2000,  /* a worker has so long to end by itself, */
	SOFT_MS = 5000, /* and so long when it is told to by a signal: it has things to remove */
	LOST_MS = 300,  /* one that says nothing more, first */
	SOON_MS = 20,   /* most of those are gone by then */
	DOUBLINGS = 8,  /* of a rest, at most: then it is 25.6 seconds */
};
static const uint64_t MS = 1000000, REST_NS = 100000000u;

static int left_ms(uint64_t end_ns)
{
	uint64_t now = io_now();
	return now < end_ns ? (int)((end_ns - now) / MS) : 0;
}

unsigned far_give_back(struct far *f, struct far_worker *w, const struct far_member *m)
{
	unsigned n = 0;
	for (size_t i = 0; i < f->n; i++) {
		struct far_question *q = &f->open[i];
		if (q->where != far_number(f, w) || (m && m != &w->members[q->member]))
			continue;
		if (m)
			far_take_back(f, q);
		q->where = NOWHERE;
		n++;
	}
	return n;
}

/* ---- one that is lost ---- */

/* At once, unless its last start was in vain: what fails at each start must not take the time of
 * those that work. */
static void start_again(struct far *f, struct far_worker *w)
{
	unsigned vain = w->in_vain++;
	if (!vain) {
		far_start(f, w);
		return;
	}
	w->state = FAR_RESTS;
	w->until = io_now() + (REST_NS << (vain < DOUBLINGS ? vain : DOUBLINGS));
}

/* It has ended, or is killed after WAIT_MS. What has been of use is started again. */
static void finish(struct far *f, struct far_worker *w, int wait_ms)
{
	char *end = peer_reap(&w->peer, wait_ms);
	bool again = w->answers > 0 && !w->leaves;
	const char *next = again ? "it is started again" : "it is not used any more";
	if (w->lost)
		far_notice(f, w, NULL, "%s (%s); %s; questions asked elsewhere: %u", w->why, end,
		           next, w->lost);
	else
		far_notice(f, w, NULL, "%s (%s); %s", w->why, end, next);
	free(end);
	w->state = FAR_GONE;
	w->n = 0;
	if (again)
		start_again(f, w);
}

void far_await_end(struct far *f, struct far_worker *w)
{
	struct peer *p = &w->peer;
	bool over = peer_is_over(p), due = io_now() >= w->until;
	if (!over && !p->told && (due || p->reaped)) {
		peer_terminate(p);
		w->until = io_now() + SOFT_MS * MS;
	} else if (over || due)
		finish(f, w, 0);
}

void far_lose(struct far *f, struct far_worker *w, const char *why)
{
	w->lost = far_give_back(f, w, NULL);
	w->why = why;
	w->state = FAR_ENDS;
	w->until = io_now() + LOST_MS * MS;
	if (w->added && !w->answers)
		far_rest(f, true);
	far_unwatch(f, w);
	peer_close(&w->peer);
	if (peer_wait(&w->peer, SOON_MS))
		far_await_end(f, w);
}

const char *far_lose_member(struct far *f, struct far_worker *w, struct far_member *m,
                            const char *why)
{
	m->state = MEMBER_GONE;
	m->open -= m->witness != 0;
	m->witness = 0;
	for (unsigned i = 0; i < w->n; i++) {
		if (w->members[i].state == MEMBER_GONE)
			continue;
		unsigned lost = far_give_back(f, w, m);
		far_notice(f, w, m, "%s; it is not used any more; questions asked elsewhere: %u",
		           why, lost);
		return NULL;
	}
	return why;
}

/* ---- one that leaves, and all ---- */

void far_part(struct far *f, struct far_worker *w)
{
	if (!w->leaves || w->state == FAR_GONE || w->state == FAR_ENDS || w->state == FAR_LEAVES)
		return;
	for (unsigned i = 0; i < w->n; i++)
		if (w->members[i].open)
			return;
	w->state = FAR_LEAVES;
	peer_close(&w->peer);
	far_notice(f, w, NULL, "it leaves, and is asked nothing more");
}

void far_end(struct far *f)
{
	const uint64_t end = io_now() + END_MS * MS;
	for (unsigned i = 0; i < f->n_workers; i++)
		peer_close(&f->workers[i].peer);
	for (unsigned i = 0; i < f->n_workers; i++)
		if (!peer_wait(&f->workers[i].peer, left_ms(end)))
			peer_terminate(&f->workers[i].peer);
	for (unsigned i = 0; i < f->n_workers; i++) {
		struct far_worker *w = &f->workers[i];
		w->leaves = true; /* none is started again */
		if (w->state == FAR_ENDS)
			finish(f, w, left_ms(end + SOFT_MS * MS));
		else
			free(peer_reap(&w->peer, left_ms(end + SOFT_MS * MS)));
	}
}
