#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>

#include "base/err.h"
#include "base/io.h"
#include "base/mem.h"
#include "far/far_def.h"
#include "far/source.h"
#include "run/setup.h"

enum {
	UNSENT_MOST = 8 << 20, /* a worker that has so many bytes to read yet is asked no more */
	BODY_MOST = 4096,      /* of its messages */
	END_MS = 2000,         /* a worker has so long to end by itself, */
	SOFT_MS = 5000, /* and so long when it is told to by a signal: it has things to remove */
	LOST_MS = 300,  /* one that says nothing more, first */
};
static const uint64_t SILENCE_NS = 5000000000u, GIVE_UP_NS = 60000000000u;

static int number_of(const struct far *f, const struct far_worker *w)
{
	return (int)(w - f->workers);
}

/* "worker 2 (ssh host whittle worker): ..." */
void far_notice(const struct far *f, const struct far_worker *w, const char *fmt, ...)
{
	const struct setup *setup = f->options.setup;
	va_list ap;
	va_start(ap, fmt);
	char *text = mem_vprintf(fmt, ap);
	va_end(ap);
	char *line = mem_printf("worker %d (%s): %s", number_of(f, w) + 1,
	                        *w->name ? w->name : w->peer.command, text);
	if (setup->notice)
		setup->notice(setup->notice_arg, line);
	free(line);
	free(text);
}

/* ---- who is asked ---- */

/* Until something is known for sure all that is asked is asked of one. */
static bool is_trusted(const struct far *f, const struct far_worker *w)
{
	if (f->trusted)
		return w->passed == f->n_witnesses;
	for (unsigned i = 0; i < f->n_workers && !f->options.tests_here; i++)
		if (f->workers[i].state == FAR_WORKS && !f->workers[i].silent &&
		    !f->workers[i].leaves)
			return w == &f->workers[i];
	return false;
}

unsigned far_room(const struct far *f, const struct far_worker *w)
{
	if (w->state != FAR_WORKS || w->leaves || w->silent || w->open >= w->slots ||
	    !is_trusted(f, w) || peer_unsent(&w->peer) > UNSENT_MOST)
		return 0;
	return w->slots - w->open;
}

bool far_hopes(const struct far *f)
{
	for (unsigned i = 0; i < f->n_workers; i++)
		if (f->workers[i].state != FAR_GONE && !f->workers[i].leaves)
			return true;
	return false;
}

/* ---- what is said ---- */

static void watch(struct far *f, const struct far_worker *w, int fd, uint32_t events)
{
	struct epoll_event event = { .events = events, .data.u32 = (uint32_t)number_of(f, w) };
	if (epoll_ctl(f->epoll, EPOLL_CTL_MOD, fd, &event) < 0)
		epoll_ctl(f->epoll, EPOLL_CTL_ADD, fd, &event);
}

/* What cannot be written shows when it is read from: then it is at its end. */
void far_flush(struct far *f, struct far_worker *w)
{
	bool full = peer_flush(&w->peer) && peer_unsent(&w->peer);
	if (full != w->full)
		watch(f, w, w->peer.to, full ? EPOLLOUT : 0);
	w->full = full;
}

static void say_limits(struct far_worker *w, const struct oracle_limits *l)
{
	if (!memcmp(l, &w->limits, sizeof *l))
		return;
	w->limits = *l;
	buf_addf(&w->peer.send, "limits %llu %llu %llu %llu %llu\n", (unsigned long long)l->wall_ns,
	         (unsigned long long)l->cpu_s, (unsigned long long)l->memory,
	         (unsigned long long)l->files, (unsigned long long)l->processes);
}

static uint64_t tell(struct far *f, struct far_worker *w, struct testcase *tc,
                     const struct oracle_limits *limits, bool whole)
{
	uint64_t number = ++f->numbers;
	w->open++;
	say_limits(w, limits);
	bases_tell(&f->bases, &w->there, tc, number, whole, &w->peer.send);
	far_flush(f, w);
	return number;
}

void far_ask(struct far *f, struct far_worker *w, struct far_question *q, struct testcase *tc)
{
	q->number = tell(f, w, tc, &q->rq.limits, q->whole);
	q->where = number_of(f, w);
}

void far_take_back(struct far *f, struct far_question *q)
{
	struct far_worker *w = &f->workers[q->where];
	buf_addf(&w->peer.send, "cancel %llu\n", (unsigned long long)q->number);
	far_flush(f, w);
	w->open--;
	q->where = NOWHERE;
}

/* The next test case whose verdict it has to give. */
static void examine(struct far *f, struct far_worker *w)
{
	if (w->state == FAR_WORKS && !w->witness && w->passed < f->n_witnesses && !w->silent &&
	    !w->leaves)
		w->witness = tell(f, w, f->witnesses[w->passed].tc, &f->witness_limits, false);
}

/* ---- beginning and end ---- */

void far_start(struct far *f, struct far_worker *w)
{
	struct err err;
	struct peer *p = &w->peer;
	*w = (struct far_worker){ .peer = { .command = p->command }, .added = w->added };
	if (peer_start(p, &err) < 0) {
		far_notice(f, w, "%s", err.msg);
		return;
	}
	w->state = FAR_STARTS;
	p->frames.most_body = BODY_MOST;
	watch(f, w, p->from, EPOLLIN);
	watch(f, w, p->words, EPOLLIN);
	watch(f, w, p->to, 0); /* that it reads no more */
}

static int left_ms(uint64_t end_ns)
{
	uint64_t now = io_now();
	return now < end_ns ? (int)((end_ns - now) / 1000000u) : 0;
}

void far_end(struct far *f)
{
	const uint64_t MS = 1000000, end = io_now() + END_MS * MS;
	for (unsigned i = 0; i < f->n_workers; i++)
		peer_close(&f->workers[i].peer);
	for (unsigned i = 0; i < f->n_workers; i++)
		if (!peer_wait(&f->workers[i].peer, left_ms(end)))
			peer_terminate(&f->workers[i].peer);
	for (unsigned i = 0; i < f->n_workers; i++)
		free(peer_reap(&f->workers[i].peer, left_ms(end + SOFT_MS * MS)));
}

/* What it was asked is asked elsewhere. How much that is. */
static unsigned give_back(struct far *f, struct far_worker *w, bool tell_it)
{
	unsigned n = 0;
	for (size_t i = 0; i < f->n; i++) {
		struct far_question *q = &f->open[i];
		if (q->where != number_of(f, w))
			continue;
		if (tell_it)
			far_take_back(f, q);
		q->where = NOWHERE;
		n++;
	}
	return n;
}

/* It can be used no more, for the reason WHY; what has been of use is started AGAIN. */
static void lose(struct far *f, struct far_worker *w, const char *why, bool again)
{
	unsigned lost = give_back(f, w, false);
	peer_close(&w->peer);
	if (!peer_wait(&w->peer, LOST_MS))
		peer_terminate(&w->peer);
	char *end = peer_reap(&w->peer, SOFT_MS);
	if (w->added && !w->answers)
		far_rest(f, true);
	again &= w->answers > 0 && !w->leaves;
	const char *next = again ? "it is started again" : "it is not used any more";
	if (lost)
		far_notice(f, w, "%s (%s); %s, and %u questions are asked elsewhere", why, end,
		           next, lost);
	else
		far_notice(f, w, "%s (%s); %s", why, end, next);
	free(end);
	w->state = FAR_GONE;
	w->open = 0;
	if (again)
		far_start(f, w);
}

/* One that is to leave is told so when nothing is open there; the rest it does by itself. */
static void part(struct far *f, struct far_worker *w)
{
	if (!w->leaves || w->open || w->state == FAR_GONE || w->state == FAR_LEAVES)
		return;
	w->state = FAR_LEAVES;
	peer_close(&w->peer);
	far_notice(f, w, "it leaves, and is asked nothing more");
}

/* A worker gives signs of life. Without them it is not asked for a while, and then lost. */
static void look_for_silence(struct far *f, struct far_worker *w)
{
	uint64_t silence = w->state == FAR_WORKS ? io_now() - w->heard_ns : 0;
	if (silence >= GIVE_UP_NS) {
		lose(f, w, "it has been silent for a minute", true);
		return;
	}
	if (silence < SILENCE_NS || w->silent)
		return;
	w->silent = true;
	if (w->witness) { /* it is asked once more when it speaks */
		w->witness = 0;
		w->open--;
	}
	unsigned lost = give_back(f, w, true);
	far_notice(f, w, "it has been silent for a while; %u questions are asked elsewhere", lost);
}

/* ---- the loop ---- */

/* BROKEN: it reads no more. */
static void serve(struct far *f, struct far_worker *w, bool broken)
{
	bool there = peer_read(&w->peer) && !broken;
	if (w->state == FAR_LEAVES && !there) {
		free(peer_reap(&w->peer, LOST_MS));
		w->state = FAR_GONE;
		return;
	}
	const char *trouble = far_hear(f, w);
	if (!trouble && !there)
		trouble = w->state == FAR_STARTS         ? "it ended before it was ready"
		          : frames_half(&w->peer.frames) ? "it ended in the middle of an answer"
		                                         : "it ended";
	if (trouble)
		lose(f, w, trouble, true);
	else
		far_flush(f, w);
}

void far_serve(struct far *f)
{
	enum { EVENTS = 1024 };
	struct epoll_event events[EVENTS];
	int n = epoll_wait(f->epoll, events, EVENTS, 0);
	for (int i = 0; i < n; i++) {
		uint32_t number = events[i].data.u32;
		if (number < f->n_workers)
			f->workers[number].news |= events[i].events;
		else if (number == FAR_SOURCE)
			far_take_lines(f);
	}
	for (unsigned i = 0; i < f->n_workers; i++) {
		struct far_worker *w = &f->workers[i];
		uint32_t news = w->news;
		w->news = 0; /* it may be another one afterwards */
		if (news && w->peer.pid)
			serve(f, w, news & EPOLLERR);
		examine(f, w);
		look_for_silence(f, w);
		part(f, w);
	}
}
