#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>

#include "base/err.h"
#include "base/io.h"
#include "base/mem.h"
#include "base/show.h"
#include "far/code.h"
#include "far/far_def.h"
#include "far/kit.h"
#include "far/words.h"
#include "run/setup.h"

enum {
	UNSENT_MOST = 8 << 20, /* a worker that has so many bytes to read yet is asked no more */
	BODY_MOST = 4096,      /* of its messages */
	SLOTS_MOST = 4096,
	FAILURES_MOST = 3, /* in a row */
	END_MS = 2000,     /* a worker has so long to end by itself, */
	SOFT_MS = 5000,    /* and so long when it is told to by a signal: it has things to remove */
	LOST_MS = 300,     /* one that says nothing more, first */
};
static const uint64_t SILENCE_NS = 5000000000u, GIVE_UP_NS = 60000000000u;

static int number_of(const struct far *f, const struct far_worker *w)
{
	return (int)(w - f->workers);
}

/* "worker 2 (ssh host whittle worker): ..." */
static void __attribute__((format(printf, 3, 4)))
notice(const struct far *f, const struct far_worker *w, const char *fmt, ...)
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
	for (unsigned i = 0; i < f->options.n && !f->options.tests_here; i++)
		if (f->workers[i].state == FAR_WORKS && !f->workers[i].silent)
			return w == &f->workers[i];
	return false;
}

unsigned far_room(const struct far *f, const struct far_worker *w)
{
	if (w->state != FAR_WORKS || w->silent || w->open >= w->slots || !is_trusted(f, w) ||
	    peer_unsent(&w->peer) > UNSENT_MOST)
		return 0;
	return w->slots - w->open;
}

bool far_hopes(const struct far *f)
{
	for (unsigned i = 0; i < f->options.n; i++)
		if (f->workers[i].state != FAR_GONE)
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
static void flush(struct far *f, struct far_worker *w)
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
	flush(f, w);
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
	flush(f, w);
	w->open--;
	q->where = NOWHERE;
}

/* The next test case whose verdict it has to give. */
static void examine(struct far *f, struct far_worker *w)
{
	if (w->state == FAR_WORKS && !w->witness && w->passed < f->n_witnesses && !w->silent)
		w->witness = tell(f, w, f->witnesses[w->passed].tc, &f->witness_limits, false);
}

/* ---- beginning and end ---- */

void far_start(struct far *f, struct far_worker *w)
{
	struct err err;
	struct peer *p = &w->peer;
	*w = (struct far_worker){ .peer = { .command = p->command } };
	if (peer_start(p, &err) < 0) {
		notice(f, w, "%s", err.msg);
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
	for (unsigned i = 0; i < f->options.n; i++)
		peer_close(&f->workers[i].peer);
	for (unsigned i = 0; i < f->options.n; i++)
		if (!peer_wait(&f->workers[i].peer, left_ms(end)))
			peer_terminate(&f->workers[i].peer);
	for (unsigned i = 0; i < f->options.n; i++)
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
	again &= w->answers > 0;
	const char *next = again ? "it is started again" : "it is not used any more";
	if (lost)
		notice(f, w, "%s (%s); %s, and %u questions are asked elsewhere", why, end, next,
		       lost);
	else
		notice(f, w, "%s (%s); %s", why, end, next);
	free(end);
	w->state = FAR_GONE;
	w->open = 0;
	if (again)
		far_start(f, w);
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
	notice(f, w, "it has been silent for a while; %u questions are asked elsewhere", lost);
}

/* ---- what is heard ---- */

/* What it is told, when it says that it is a worker. NULL, or why it cannot be one. */
static const char *hear_hello(struct far *f, struct far_worker *w, const struct frame *in)
{
	struct hash check, ours = kit_check();
	uint64_t version;
	if (in->n < 4 || !frames_number(in->words[1], UINT32_MAX, &version))
		return "its first line is invalid";
	if (version != KIT_VERSION)
		return "it uses another version of the protocol; install the same version of "
		       "whittle there";
	if (!code_read_hash(in->words[2], &check) || !hash_equal(check, ours))
		return "it computes other hashes, probably because its byte order is different";
	struct buf name = { 0 };
	show_add(&name, in->words[3], strlen(in->words[3]));
	size_t n = name.len < sizeof w->name ? name.len : sizeof w->name - 1;
	if (n)
		memcpy(w->name, name.data, n);
	buf_release(&name);
	w->state = FAR_READS;
	buf_add(&w->peer.send, f->kit.data, f->kit.len);
	flush(f, w);
	return NULL;
}

static const char *hear_ready(struct far_worker *w, const struct frame *in)
{
	uint64_t slots;
	if (w->state != FAR_READS || in->n < 2 ||
	    !frames_number(in->words[1], SLOTS_MOST, &slots) || !slots)
		return "it is ready for nothing";
	w->state = FAR_WORKS;
	w->slots = (unsigned)slots;
	return NULL;
}

static struct far_question *by_number(struct far *f, const struct far_worker *w, uint64_t number)
{
	for (size_t i = 0; i < f->n; i++)
		if (f->open[i].where == number_of(f, w) && f->open[i].number == number)
			return &f->open[i];
	return NULL;
}

/* Its verdict on what is known. */
static const char *hear_witness(struct far *f, struct far_worker *w, const struct answer *a)
{
	const struct far_witness *known = &f->witnesses[w->passed];
	w->witness = 0;
	w->open--;
	w->answers++;
	bool yes = a->verdict == VERDICT_INTERESTING;
	if (yes == (known->verdict == VERDICT_INTERESTING)) {
		w->passed++;
		return NULL;
	}
	w->answers = 0; /* what it says next would be no better */
	return yes ? "the test finds the empty input interesting there, but not here"
	           : "the test finds the original interesting here, but not there (something that "
	             "it needs may be missing)";
}

static const char *hear_answer(struct far *f, struct far_worker *w, const struct frame *in)
{
	uint64_t number;
	struct answer a = { 0 };
	if (in->n < 2 || !frames_number(in->words[1], f->numbers, &number) || !number ||
	    !words_read_answer(in, f->options.setup->exit_code, &a))
		return "it sent an invalid answer";
	w->failures = 0;
	if (number == w->witness)
		return hear_witness(f, w, &a);
	struct far_question *q = by_number(f, w, number);
	if (!q) /* taken back meanwhile */
		return NULL;
	q->where = ANSWERED;
	w->open--;
	w->answers++;
	a.ticket = q->rq.ticket;
	a.limit_ns = q->rq.limits.wall_ns;
	MEM_GROW(f->arrived, f->n_arrived, f->cap_arrived);
	f->arrived[f->n_arrived++] = a;
	return NULL;
}

/* It could not run the test, or (STRANGE) make no sense of the candidate: that is not the
 * candidate's doing. */
static const char *hear_failure(struct far *f, struct far_worker *w, const struct frame *in,
                                bool strange)
{
	uint64_t number;
	struct buf why = { 0 };
	if (in->n < 2 || !frames_number(in->words[1], f->numbers, &number) || !number ||
	    !strange != !!in->body)
		return "it sent an invalid answer";
	if (strange)
		buf_addf(&why, "it cannot reconstruct a candidate");
	else
		show_add(&why, in->body, in->len);
	bool examined = number == w->witness;
	struct far_question *q = examined ? NULL : by_number(f, w, number);
	bool again = strange && q && !q->whole;
	if (examined)
		w->witness = 0;
	if (q) {
		q->whole = q->whole || strange;
		q->where = NOWHERE;
	}
	w->open -= examined || q;
	if (!again && ++w->failures < FAILURES_MOST)
		notice(f, w, "%s; it is asked elsewhere", why.len ? why.data : "it fails");
	else if (!again)
		notice(f, w, "%s", why.len ? why.data : "it fails");
	buf_release(&why);
	return w->failures >= FAILURES_MOST ? "it fails again and again" : NULL;
}

/* It cannot begin. */
static const char *hear_sorry(struct far *f, struct far_worker *w, const struct frame *in)
{
	struct buf why = { 0 };
	show_add(&why, in->body, in->len);
	notice(f, w, "%s", why.len ? why.data : "it gives no reason");
	buf_release(&why);
	w->answers = 0;
	return "it cannot run the test";
}

/* NULL, or why the worker is of no use. */
static const char *hear(struct far *f, struct far_worker *w, const struct frame *in)
{
	const char *kind = in->words[0];
	if (w->state == FAR_STARTS)
		return hear_hello(f, w, in);
	if (!strcmp(kind, "ready"))
		return hear_ready(w, in);
	if (!strcmp(kind, "sorry"))
		return hear_sorry(f, w, in);
	if (!strcmp(kind, "alive"))
		return NULL;
	if (w->state == FAR_WORKS && !strcmp(kind, "answer"))
		return hear_answer(f, w, in);
	if (w->state == FAR_WORKS && !strcmp(kind, "failed"))
		return hear_failure(f, w, in, false);
	if (w->state == FAR_WORKS && !strcmp(kind, "strange"))
		return hear_failure(f, w, in, true);
	return "it sent an invalid answer";
}

/* What it says before it says that it is a worker, as shells and programs on the way do, is none of
 * our business. */
static enum frames_got next(struct far_worker *w, struct frame *out)
{
	struct frames *in = &w->peer.frames;
	enum frames_got got = FRAMES_ONE;
	if (w->state == FAR_STARTS)
		got = frames_seek(in, "whittle-worker ");
	return got == FRAMES_ONE ? frames_next(in, out) : got;
}

const char *far_hear(struct far *f, struct far_worker *w)
{
	for (;;) {
		struct frame frame;
		bool starts = w->state == FAR_STARTS;
		enum frames_got got = next(w, &frame);
		if (got == FRAMES_NONE)
			return NULL;
		const char *trouble = got == FRAMES_ONE ? hear(f, w, &frame)
		                      : starts          ? "it does not answer like a worker"
		                                        : "it sent an invalid answer";
		if (trouble)
			return trouble;
		w->heard_ns = io_now();
		w->silent = false;
	}
}

/* BROKEN: it reads no more. */
static void serve(struct far *f, struct far_worker *w, bool broken)
{
	bool there = peer_read(&w->peer) && !broken;
	const char *trouble = far_hear(f, w);
	if (!trouble && !there)
		trouble = w->state == FAR_STARTS         ? "it ended before it was ready"
		          : frames_half(&w->peer.frames) ? "it ended in the middle of an answer"
		                                         : "it ended";
	if (trouble)
		lose(f, w, trouble, true);
	else
		flush(f, w);
}

void far_serve(struct far *f)
{
	enum { EVENTS = 1024 };
	struct epoll_event events[EVENTS];
	int n = epoll_wait(f->epoll, events, EVENTS, 0);
	for (int i = 0; i < n; i++) {
		uint32_t number = events[i].data.u32;
		if (number < f->options.n)
			f->workers[number].news |= events[i].events;
	}
	for (unsigned i = 0; i < f->options.n; i++) {
		struct far_worker *w = &f->workers[i];
		uint32_t news = w->news;
		w->news = 0; /* it may be another one afterwards */
		if (news && w->peer.pid)
			serve(f, w, news & EPOLLERR);
		examine(f, w);
		look_for_silence(f, w);
	}
}
