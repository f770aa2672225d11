#include <limits.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>

#include "base/err.h"
#include "base/io.h"
#include "base/mem.h"
#include "base/show.h"
#include "far/far_def.h"
#include "far/source.h"
#include "run/setup.h"

enum {
	UNSENT_MOST = 8 << 20, /* a worker that has so many bytes to read yet is asked no more */
	LEFT_MS = 300,         /* one that leaves has so long to end once it says nothing more */
};
static const uint64_t SILENCE_NS = 5000000000u, GIVE_UP_NS = 60000000000u, LOOK_NS = 500000000u,
		      ATTEND_NS = 100000000u;
static const char OVERDUE[] = "it does not answer";

void far_notice(const struct far *f, const struct far_worker *w, const struct far_member *m,
                const char *fmt, ...)
{
	const struct setup *setup = f->options.setup;
	struct buf name = { 0 };
	va_list ap;
	if (!m && w->n == 1)
		m = w->members;
	if (m)
		show_add(&name, m->name, strlen(m->name));
	va_start(ap, fmt);
	char *text = mem_vprintf(fmt, ap);
	va_end(ap);
	char *line = mem_printf("worker %d (%s): %s", far_number(f, w) + 1,
	                        name.len ? name.data : w->peer.command, text);
	if (setup->notice)
		setup->notice(setup->notice_arg, line);
	buf_release(&name);
	free(line);
	free(text);
}

/* ---- who is asked ---- */

static unsigned room_of(const struct far *f, const struct far_worker *w, const struct far_member *m)
{
	if (m->open >= m->slots || !far_is_there(w, m) || !far_is_trusted(f, m))
		return 0;
	return m->slots - m->open;
}

/* Most are busy: that is looked at first. */
unsigned far_room(const struct far *f, const struct far_worker *w)
{
	unsigned room = 0, i = 0;
	while (i < w->n && w->members[i].open >= w->members[i].slots)
		i++;
	for (; i < w->n; i++)
		room += room_of(f, w, &w->members[i]);
	return room && peer_unsent(&w->peer) <= UNSENT_MOST ? room : 0;
}

static struct far_member *with_most_room(const struct far *f, const struct far_worker *w)
{
	struct far_member *best = &w->members[0];
	for (unsigned i = 1; i < w->n; i++)
		if (room_of(f, w, &w->members[i]) > room_of(f, w, best))
			best = &w->members[i];
	return best;
}

bool far_hopes(const struct far *f)
{
	for (unsigned i = 0; i < f->n_workers; i++)
		if (f->workers[i].state != FAR_GONE && !f->workers[i].leaves)
			return true;
	return false;
}

/* ---- what is said ---- */

/* OF: FAR_WORDS, or 0. */
static void watch(struct far *f, const struct far_worker *w, int fd, uint32_t events, uint32_t of)
{
	struct epoll_event event = { .events = events,
		                     .data.u32 = of | (uint32_t)far_number(f, w) };
	if (epoll_ctl(f->epoll, EPOLL_CTL_MOD, fd, &event) < 0)
		epoll_ctl(f->epoll, EPOLL_CTL_ADD, fd, &event);
}

/* What cannot be written shows when it is read from: then it is at its end. */
void far_flush(struct far *f, struct far_worker *w)
{
	bool full = peer_flush(&w->peer) && peer_unsent(&w->peer);
	if (full != w->full)
		watch(f, w, w->peer.to, full ? EPOLLOUT : 0, 0);
	w->full = full;
}

void far_say(struct far *f)
{
	for (unsigned i = 0; i < f->n_workers && f->seen.unsaid; i++)
		if (peer_unsent(&f->workers[i].peer) && !f->workers[i].full)
			far_flush(f, &f->workers[i]);
	f->seen.unsaid = false;
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

/* Q is told with the limits of RQ, and gets a number, by which the member knows it. */
static void tell(struct far *f, struct far_worker *w, struct far_member *m,
                 struct bases_question *q, const struct oracle_request *rq)
{
	q->number = ++f->numbers;
	far_room_changes(f);
	unsigned asked = (unsigned)(m - w->members);
	m->open++;
	if (w->asked != asked)
		buf_addf(&w->peer.send, "for %s\n", m->name);
	w->asked = asked;
	say_limits(w, &rq->limits);
	if (rq->anew && !rq->lasting && f->options.setup->live.answers)
		buf_addf(&w->peer.send, "anew\n");
	bases_tell(&f->bases, &w->there, q, &w->peer.send);
	f->seen.unsaid = true;
}

void far_ask(struct far *f, struct far_worker *w, struct far_question *q, struct testcase *tc)
{
	struct far_member *m = with_most_room(f, w);
	struct bases_question said = { .tc = tc, .made = &q->made, .whole = q->whole };
	bool known = f->seen.room_known;
	tell(f, w, m, &said, &q->rq);
	f->seen.room_known = known && peer_unsent(&w->peer) <= UNSENT_MOST;
	f->seen.room--;
	q->number = said.number;
	q->asked_ns = io_now();
	q->where = far_number(f, w);
	q->member = (unsigned)(m - w->members);
}

void far_take_back(struct far *f, struct far_question *q)
{
	struct far_worker *w = &f->workers[q->where];
	buf_addf(&w->peer.send, "cancel %llu\n", (unsigned long long)q->number);
	f->seen.unsaid = true;
	w->members[q->member].open--;
	q->where = NOWHERE;
	far_room_changes(f);
}

/* Asks it what it has to know. */
static void examine(struct far *f, struct far_worker *w, struct far_member *m)
{
	bool is_asked = !f->trusted && m->open; /* and will be judged by that */
	if (!far_is_there(w, m) || m->witness || is_asked)
		return;
	unsigned i = far_next_witness(f, m);
	if (i == f->n_witnesses)
		return;
	const struct oracle_request rq = { .limits = f->witness_limits };
	struct bases_question q = { .tc = f->witnesses[i].tc };
	tell(f, w, m, &q, &rq);
	m->of = i;
	m->witness = q.number;
	m->witness_ns = io_now();
}

/* ---- beginning ---- */

void far_unwatch(const struct far *f, const struct far_worker *w)
{
	epoll_ctl(f->epoll, EPOLL_CTL_DEL, w->peer.from, NULL);
}

void far_start(struct far *f, struct far_worker *w)
{
	struct err err;
	struct peer *p = &w->peer;
	*w = (struct far_worker){ .peer = { .command = p->command },
		                  .members = w->members,
		                  .cap = w->cap,
		                  .asked = UINT_MAX,
		                  .in_vain = w->in_vain,
		                  .added = w->added };
	if (peer_start(p, &err) < 0) {
		far_notice(f, w, NULL, "%s", err.msg);
		return;
	}
	w->state = FAR_STARTS;
	watch(f, w, p->from, EPOLLIN, 0);
	watch(f, w, p->words, EPOLLIN, FAR_WORDS);
	watch(f, w, p->to, 0, 0); /* that it reads no more */
}

/* A test that has been asked for does not take that long: what reads for the worker has stopped, or
 * the worker is at odds with itself. */
static bool is_overdue(uint64_t asked_ns, const struct oracle_limits *limits)
{
	return limits->wall_ns && io_now() - asked_ns > limits->wall_ns + GIVE_UP_NS;
}

static void look_for_overdue(struct far *f)
{
	uint64_t now = io_now();
	if (now - f->seen.overdue_ns < LOOK_NS)
		return;
	f->seen.overdue_ns = now;
	for (size_t i = 0; i < f->n; i++) {
		const struct far_question *q = &f->open[i];
		if (q->where < 0 || !is_overdue(q->asked_ns, &q->rq.limits))
			continue;
		struct far_worker *w = &f->workers[q->where];
		const char *trouble = far_lose_member(f, w, &w->members[q->member], OVERDUE);
		if (trouble)
			far_lose(f, w, trouble);
	}
}

/* A worker gives signs of life. Without them it is not asked for a while, and then lost: NULL, or
 * why all of W is. */
static const char *look_for_silence(struct far *f, struct far_worker *w, struct far_member *m)
{
	bool speaks = w->state != FAR_LEAVES && m->state != MEMBER_GONE;
	uint64_t silence = speaks ? io_now() - m->heard_ns : 0;
	if (silence >= GIVE_UP_NS)
		return far_lose_member(f, w, m, "it has been silent for a minute");
	if (m->witness && is_overdue(m->witness_ns, &f->witness_limits))
		return far_lose_member(f, w, m, OVERDUE);
	if (silence < SILENCE_NS || m->silent || m->state != MEMBER_WORKS)
		return NULL;
	m->silent = true;
	if (m->witness) { /* it is asked once more when it speaks */
		m->witness = 0;
		m->open--;
	}
	unsigned lost = far_give_back(f, w, m);
	far_notice(f, w, m, "it has been silent for a while; questions asked elsewhere: %u", lost);
	return NULL;
}

static void look_after(struct far *f, struct far_worker *w)
{
	const char *trouble = NULL;
	if (w->state == FAR_ENDS) {
		far_await_end(f, w);
		return;
	}
	if (w->state == FAR_RESTS && w->leaves)
		w->state = FAR_GONE;
	if (w->state == FAR_RESTS && io_now() >= w->until)
		far_start(f, w);
	for (unsigned i = 0; i < w->n && !trouble; i++) {
		examine(f, w, &w->members[i]);
		trouble = far_dismiss(f, w, &w->members[i]);
		if (!trouble)
			trouble = look_for_silence(f, w, &w->members[i]);
	}
	if (trouble)
		far_lose(f, w, trouble);
	far_part(f, w);
}

/* ---- the loop ---- */

/* BROKEN: it reads no more. */
static void serve(struct far *f, struct far_worker *w, bool broken)
{
	bool there = peer_read(&w->peer) && !broken;
	if (w->state == FAR_LEAVES && !there) {
		free(peer_reap(&w->peer, LEFT_MS));
		w->state = FAR_GONE;
		return;
	}
	const char *trouble = far_hear(f, w);
	if (!trouble && !there)
		trouble = w->state == FAR_STARTS         ? "it ended before it was ready"
		          : frames_half(&w->peer.frames) ? "it ended in the middle of an answer"
		                                         : "it ended";
	if (trouble)
		far_lose(f, w, trouble);
	else
		far_flush(f, w);
}

/* There is news of W: what its descriptors say. */
static void attend(struct far *f, struct far_worker *w)
{
	uint32_t news = w->news;
	w->news = 0; /* it may be another one afterwards */
	if (news && w->peer.pid && w->state != FAR_ENDS)
		serve(f, w, news & EPOLLERR);
	look_after(f, w);
}

void far_serve(struct far *f)
{
	enum { EVENTS = 1024 };
	struct epoll_event events[EVENTS];
	uint64_t now = io_now();
	int n = epoll_wait(f->epoll, events, EVENTS, 0);
	f->seen.fresh = n > 0;
	for (int i = 0; i < n; i++) {
		uint32_t number = events[i].data.u32;
		if (number < f->n_workers)
			f->workers[number].news |= events[i].events;
		else if ((number ^ FAR_WORDS) < f->n_workers)
			peer_read_words(&f->workers[number ^ FAR_WORDS].peer);
		else if (number == FAR_SOURCE)
			far_take_lines(f);
	}
	bool all = now - f->seen.all_ns >= ATTEND_NS;
	for (unsigned i = 0; i < f->n_workers && all; i++)
		attend(f, &f->workers[i]);
	for (int i = 0; i < n && !all; i++)
		if (events[i].data.u32 < f->n_workers)
			attend(f, &f->workers[events[i].data.u32]);
	f->seen.all_ns = all ? now : f->seen.all_ns;
	look_for_overdue(f);
	far_room_changes(f);
}
