#include "far/far.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <unistd.h>

#include "base/err.h"
#include "base/io.h"
#include "base/mem.h"
#include "far/far_def.h"
#include "far/kit.h"
#include "run/setup.h"

enum {
	HELD_MOST = 64 << 20, /* bytes of candidates that are kept while they are judged */
	LOOK_MS = 500,        /* so often silence is looked for */
};
#define WAKES UINT32_MAX /* among the data of the epoll */

static struct far *far_of(struct oracle *oracle)
{
	return (struct far *)oracle;
}

static bool stays_here(const struct far_question *q)
{
	return q->rq.words || q->rq.output;
}

/* ---- questions ---- */

static const char *const *copy_words(const char *const *from)
{
	size_t n = 0;
	while (from && from[n])
		n++;
	const char **words = from ? mem_zero(n + 1, sizeof *words) : NULL;
	for (size_t i = 0; i < n; i++)
		words[i] = mem_strdup(from[i]);
	return words;
}

static int own(int fd)
{
	return fd < 0 ? -1 : fcntl(fd, F_DUPFD_CLOEXEC, 0);
}

static struct testcase *kept(const struct far_question *q)
{
	return (struct testcase *)(uintptr_t)q->rq.tc;
}

static void let_go(struct far *f, struct far_question *q)
{
	if (q->rq.tc)
		f->held -= q->rq.tc->size;
	testcase_unref(kept(q));
	edit_drop(q->made.edit);
	q->rq.tc = NULL;
	q->made = (struct origin){ 0 };
}

/* Q is over, or of no interest any more. */
static void drop(struct far *f, struct far_question *q)
{
	let_go(f, q);
	for (const char *const *w = q->rq.words; w && *w; w++)
		free((char *)(uintptr_t)*w);
	free((const char **)(uintptr_t)q->rq.words);
	if (q->output.out >= 0)
		close(q->output.out);
	if (q->output.err >= 0)
		close(q->output.err);
	*q = f->open[--f->n];
}

static struct far_question *by_ticket(struct far *f, uint64_t ticket)
{
	for (size_t i = 0; i < f->n; i++)
		if (f->open[i].rq.ticket == ticket)
			return &f->open[i];
	return NULL;
}

/* The worker with the most room; NULL: there is none. */
static struct far_worker *find_room(const struct far *f)
{
	struct far_worker *best = NULL;
	unsigned most = 0;
	for (unsigned i = 0; i < f->n_workers && !f->paused; i++) {
		unsigned room = far_room(f, &f->workers[i]);
		if (room > most) {
			best = &f->workers[i];
			most = room;
		}
	}
	return best;
}

/* Here, in a free slot. */
static int ask_here(struct far *f, struct far_question *q, struct testcase *tc, struct err *err)
{
	struct oracle_request rq = q->rq;
	rq.tc = tc;
	rq.output = q->rq.output ? &q->output : NULL;
	q->where = HERE;
	return oracle_submit(f->local, &rq, err);
}

static bool fits_here(const struct far *f, const struct far_question *q, bool spare)
{
	if (!stays_here(q) && (!f->options.tests_here || f->paused))
		return false;
	return spare ? oracle_spare_slots(f->local) : oracle_free_slots(f->local);
}

/* Asks whoever is free, if anybody is. Q may be gone then: nobody waits for it. 0, or -1 and err.
 */
static int place(struct far *f, struct far_question *q, struct testcase *tc, struct err *err)
{
	bool here = fits_here(f, q, true);
	struct far_worker *w = here || q->here || stays_here(q) ? NULL : find_room(f);
	if (!here && !w && !(here = fits_here(f, q, false)))
		return 0;
	struct testcase *again = NULL;
	if (!tc && !(tc = kept(q)))
		tc = again = q->rq.again(q->rq.again_arg, q->rq.ticket);
	int rc = 0;
	if (!tc)
		drop(f, q);
	else if (here)
		rc = ask_here(f, q, tc, err);
	else
		far_ask(f, w, q, tc);
	testcase_unref(again);
	return rc;
}

static int place_waiting(struct far *f, struct err *err)
{
	for (size_t i = 0; i < f->n;) {
		size_t n = f->n;
		if (f->open[i].where == NOWHERE && place(f, &f->open[i], NULL, err) < 0)
			return -1;
		i += f->n == n;
	}
	return 0;
}

static int far_submit(struct oracle *oracle, const struct oracle_request *rq, struct err *err)
{
	struct far *f = far_of(oracle);
	struct testcase *tc = (struct testcase *)(uintptr_t)rq->tc;
	MEM_GROW(f->open, f->n, f->cap);
	struct far_question *q = &f->open[f->n++];
	*q = (struct far_question){ .rq = *rq, .where = NOWHERE, .output = { -1, -1 } };
	q->rq.words = copy_words(rq->words);
	if (rq->output)
		q->output = (struct oracle_output){ own(rq->output->out), own(rq->output->err) };
	q->rq.tc = NULL;
	q->rq.made = NULL;
	q->here = f->options.tests_here && !rq->words && far_is_open(f, tc);
	if (!stays_here(q))
		q->made = bases_keep(rq->made);
	if (!rq->again || rq->words || tc->size <= ORACLE_HOLDS || f->held < HELD_MOST) {
		q->rq.tc = testcase_ref(tc);
		f->held += tc->size;
	}
	return place(f, q, tc, err);
}

static void far_cancel(struct oracle *oracle, uint64_t ticket)
{
	struct far *f = far_of(oracle);
	struct far_question *q = by_ticket(f, ticket);
	size_t to = 0;
	for (size_t i = 0; i < f->arrived.n; i++)
		if (f->arrived.list[i].ticket != ticket)
			f->arrived.list[to++] = f->arrived.list[i];
	f->arrived.n = to;
	if (!q)
		return;
	if (q->where == HERE)
		oracle_cancel(f->local, ticket);
	else if (q->where >= 0)
		far_take_back(f, q);
	drop(f, q);
}

/* ---- slots ---- */

unsigned far_waiting(const struct far *f)
{
	unsigned n = 0;
	for (size_t i = 0; i < f->n; i++)
		n += f->open[i].where == NOWHERE;
	return n;
}

static unsigned room_of_all(struct far *f)
{
	if (f->seen.room_known)
		return f->seen.room;
	f->seen.room = 0;
	for (unsigned i = 0; i < f->n_workers; i++)
		f->seen.room += far_room(f, &f->workers[i]);
	f->seen.room_known = true;
	return f->seen.room;
}

static unsigned free_with(struct far *f, unsigned local)
{
	unsigned n = f->options.tests_here ? local : 0;
	if (f->paused)
		return 0;
	n += room_of_all(f);
	unsigned wait = n ? far_waiting(f) : 0;
	return n > wait ? n - wait : 0;
}

static unsigned far_free_slots(struct oracle *oracle)
{
	return free_with(far_of(oracle), oracle_free_slots(far_of(oracle)->local));
}

static unsigned far_spare_slots(struct oracle *oracle)
{
	return free_with(far_of(oracle), oracle_spare_slots(far_of(oracle)->local));
}

/* The number is that of tests here. */
static unsigned far_allow(struct oracle *oracle, unsigned jobs)
{
	struct far *f = far_of(oracle);
	f->paused = !jobs;
	if (!f->options.tests_here)
		return jobs;
	return oracle_allow(f->local, jobs);
}

/* ---- answers ---- */

static bool asks_here(const struct far *f)
{
	for (size_t i = 0; i < f->n; i++)
		if (f->open[i].where == HERE)
			return true;
	return f->options.tests_here && !oracle_free_slots(f->local);
}

/* A candidate that succeeded is what the next ones are made of. */
static void learn(struct far *f, const struct far_question *q, enum verdict verdict)
{
	if (q->rq.tc && !stays_here(q))
		far_learn_witness(f, q->rq.tc, verdict);
	if (verdict == VERDICT_INTERESTING && q->rq.tc && !stays_here(q))
		bases_add(&f->bases, kept(q), &q->made);
}

/* An answer from here. */
static void take_local(struct far *f, const struct answer *a)
{
	struct far_question *q = by_ticket(f, a->ticket);
	if (!q)
		return;
	learn(f, q, a->verdict);
	drop(f, q);
}

static bool take_arrived(struct far *f, struct answer *answer)
{
	if (!f->arrived.n)
		return false;
	*answer = f->arrived.list[0];
	memmove(f->arrived.list, f->arrived.list + 1, --f->arrived.n * sizeof *f->arrived.list);
	struct far_question *q = by_ticket(f, answer->ticket);
	learn(f, q, answer->verdict);
	drop(f, q);
	return true;
}

/* Until when to wait for news, in milliseconds. */
static int pause_ms(uint64_t end_ns)
{
	uint64_t now = io_now();
	if (!end_ns)
		return LOOK_MS;
	uint64_t left = now < end_ns ? (end_ns - now + 999999u) / 1000000u : 0;
	return left < LOOK_MS ? (int)left : LOOK_MS;
}

/* Waits for an answer from here, or news of workers, or WAKE_FD. 1: an answer, 0, or -1 and err. */
static int await(struct far *f, struct answer *answer, int wake_fd, int ms, struct err *err)
{
	if (!asks_here(f)) {
		if (far_gather(f, wake_fd, ms))
			return 0;
		struct pollfd news[] = { { .fd = f->epoll, .events = POLLIN },
			                 { .fd = wake_fd, .events = POLLIN } };
		poll(news, 2, ms);
		return 0;
	}
	struct epoll_event event = { .events = EPOLLIN, .data.u32 = WAKES };
	if (wake_fd >= 0 && epoll_ctl(f->epoll, EPOLL_CTL_ADD, wake_fd, &event) < 0)
		return err_errno(err, "cannot wait for workers");
	int rc = oracle_wait(f->local, answer, f->epoll, ms, err);
	if (!rc && io_is_readable(f->epoll)) /* workers that always talk do not keep it waiting */
		rc = oracle_wait(f->local, answer, -1, 0, err);
	if (wake_fd >= 0)
		epoll_ctl(f->epoll, EPOLL_CTL_DEL, wake_fd, NULL);
	return rc;
}

static bool is_lost(const struct far *f)
{
	return !f->options.tests_here && !far_hopes(f) && !far_is_joined(f) &&
	       (!f->n || far_waiting(f));
}

static int far_wait(struct oracle *oracle, struct answer *answer, int wake_fd, int timeout_ms,
                    struct err *err)
{
	struct far *f = far_of(oracle);
	uint64_t end = timeout_ms < 0 ? 0 : io_now() + (uint64_t)timeout_ms * 1000000u;
	unsigned free_before = far_free_slots(oracle);
	for (;;) {
		far_say(f);
		if (take_arrived(f, answer))
			return 1;
		if (place_waiting(f, err) < 0)
			return -1;
		far_say(f);
		if (is_lost(f))
			return err_set(err, ERR_SYSTEM, "no worker is left to run the test");
		if (far_has_rested(f))
			far_take_lines(f);
		far_say_waits(f);
		unsigned free_now = far_free_slots(oracle);
		if ((!f->n && free_now) || (!free_before && free_now))
			return 0;
		*answer = (struct answer){ 0 };
		int rc = await(f, answer, wake_fd, pause_ms(end), err);
		if (rc)
			take_local(f, answer);
		if (rc)
			return rc;
		far_serve(f);
		if (!f->arrived.n && (io_is_readable(wake_fd) || (end && io_now() >= end)))
			return 0;
	}
}

static bool far_ready(struct oracle *oracle)
{
	return far_of(oracle)->arrived.n;
}

/* ---- the oracle ---- */

static void far_free(struct oracle *oracle)
{
	struct far *f = far_of(oracle);
	while (f->n)
		drop(f, &f->open[f->n - 1]);
	far_close_source(f);
	far_end(f);
	oracle_free(f->local);
	bases_release(&f->bases);
	for (unsigned i = 0; i < f->n_witnesses; i++)
		testcase_unref(f->witnesses[i].tc);
	if (f->epoll >= 0)
		close(f->epoll);
	buf_release(&f->kit);
	far_release_tools(f);
	for (unsigned i = 0; i < f->n_workers; i++) {
		free(f->workers[i].members);
		free(f->workers[i].added);
	}
	free(f->workers);
	free(f->open);
	free(f->arrived.list);
	free(f);
}

struct oracle *far_new(struct oracle *local, const struct far_options *options, struct err *err)
{
	static const struct oracle_ops ops = {
		.free_slots = far_free_slots,
		.spare_slots = far_spare_slots,
		.allow = far_allow,
		.submit = far_submit,
		.wait = far_wait,
		.ready = far_ready,
		.cancel = far_cancel,
		.free = far_free,
	};
	struct far *f = mem_zero(1, sizeof *f);
	f->oracle.ops = &ops;
	f->local = local;
	f->options = *options;
	f->n_workers = options->n;
	f->workers = mem_zero(options->from ? FAR_WORKERS : options->n, sizeof *f->workers);
	for (unsigned i = 0; i < options->n; i++) {
		struct peer *p = &f->workers[i].peer;
		p->command = options->commands[i];
		p->to = p->from = p->words = -1;
	}
	f->epoll = epoll_create1(EPOLL_CLOEXEC);
	if (f->epoll < 0)
		err_errno(err, "cannot wait for workers");
	if (f->epoll < 0 ||
	    kit_make(options->setup, options->with, options->n_with, &f->kit, err) < 0 ||
	    far_open_source(f, err) < 0) {
		far_free(&f->oracle);
		return NULL;
	}
	for (unsigned i = 0; i < options->n; i++)
		far_start(f, &f->workers[i]);
	far_find_tools(f); /* meanwhile they start */
	return &f->oracle;
}
