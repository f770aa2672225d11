#include "far/far.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <sys/epoll.h>

#include "base/err.h"
#include "base/io.h"
#include "base/mem.h"
#include "base/show.h"
#include "far/far_workers.h"
#include "far/frames.h"
#include "far/bundle.h"
#include "far/source.h"
#include "run/setup.h"

/* Workers that come and go while the oracle works: each line of a source (source.h)
 * says so of one. A line that makes no sense is reported, and changes nothing. */

enum {
	AT_A_TIME = 64,    /* lines, or pieces of 4 KiB: the workers have their turn, too */
	REPORTS_MOST = 20, /* of what is wrong with lines */
	SOURCE_LOST_MS = 300,
};

/* "workers from FIFO: ..." */
static void __attribute__((format(printf, 2, 3))) report(const struct far *f, const char *fmt, ...)
{
	const struct setup *setup = f->options.setup;
	va_list ap;
	va_start(ap, fmt);
	MEM_SCOPED char *text = mem_vprintf(fmt, ap);
	va_end(ap);
	MEM_SCOPED char *whole = mem_printf("workers from %s: %s", f->source->from, text);
	MEM_SCOPED char *line = show_text(whole);
	if (setup->notice)
		setup->notice(setup->notice_arg, line);
}

static void complain(struct far *f, const char *what, const char *line)
{
	if (f->source->reports++ >= REPORTS_MOST)
		return;
	const char *last =
		f->source->reports == REPORTS_MOST ? "; more of this is not reported" : "";
	if (line)
		report(f, "%s: %s%s", what, line, last);
	else
		report(f, "%s, which is ignored%s", what, last);
}

/* ---- lines ---- */

/* For one more worker: that of one which was added and has gone, else a new one. NULL: there are
 * too many. */
static struct far_worker *find_place(struct far *f)
{
	for (unsigned i = f->options.n; i < f->n_workers; i++)
		if (f->workers[i].state == FAR_GONE)
			return &f->workers[i];
	return f->n_workers < FAR_WORKERS ? &f->workers[f->n_workers++] : NULL;
}

static void join(struct far *f, const char *command)
{
	struct far_worker *w = find_place(f);
	if (!w) {
		complain(f, "there are too many workers for", command);
		return;
	}
	free(w->added);
	w->added = mem_strdup(command);
	w->process.command = w->added;
	w->leaves = false;
	w->in_vain = 0;
	far_start(f, w);
}

/* The worker of this number, else the first that was started by this command. NULL: there is none.
 */
static struct far_worker *find(struct far *f, const char *which)
{
	uint64_t number;
	bool given = frames_number(which, FAR_WORKERS, &number);
	for (unsigned i = 0; i < f->n_workers; i++) {
		struct far_worker *w = &f->workers[i];
		bool is = given ? number == i + 1 : !strcmp(which, w->process.command);
		if (is && w->state != FAR_GONE && !w->leaves)
			return w;
	}
	return NULL;
}

static void leave(struct far *f, const char *which)
{
	struct far_worker *w = find(f, which);
	if (w)
		w->leaves = true;
	else
		complain(f, "there is no such worker", which);
}

static void take_line(struct far *f, const char *line)
{
	static const char blank[] = " \t";
	line += strspn(line, blank);
	if (line[0] == '-' && strchr(blank, line[1]))
		leave(f, line + 1 + strspn(line + 1, blank));
	else if (*line && *line != '#')
		join(f, line);
}

static void end(struct far *f)
{
	MEM_SCOPED char *how = source_end(f->source, SOURCE_LOST_MS);
	if (how)
		report(f, "it ended (%s); no more workers come from it", how);
}

/* ---- the source ---- */

/* Whether that while has just ended. */
static bool far_has_rested(struct far *f)
{
	struct source *s = f->source;
	if (!far_is_joined(f) || !s->rests || io_now() < s->rests)
		return false;
	s->rests = 0;
	far_watch_source(f, EPOLL_CTL_ADD);
	return true;
}

/* Opens options.from, if there is one. 0, or -1 with err. */
static int far_open_source(struct far *f, struct err *err)
{
	if (!f->options.from)
		return 0;
	f->source = mem_zero(1, sizeof *f->source);
	if (source_open(f->source, f->options.from, err) < 0)
		return -1;
	far_watch_source(f, EPOLL_CTL_ADD);
	return 0;
}

static void far_close_source(struct far *f)
{
	if (f->source)
		free(source_end(f->source, 0));
	free(f->source);
	f->source = NULL;
}

/* Does what has come from the source, a bounded number of lines; then it rests. */
static void far_take_lines(struct far *f)
{
	const char *text;
	f->seen.all_ns = 0;
	far_room_changes(f);
	for (int i = 0; i < AT_A_TIME && far_is_joined(f) && !f->source->rests; i++)
		switch (source_next(f->source, &text)) {
		case SOURCE_ONE:
			take_line(f, text);
			break;
		case SOURCE_BAD:
			complain(f, text, NULL);
			break;
		case SOURCE_END:
			end(f);
			break;
		case SOURCE_MORE:
			break;
		case SOURCE_NONE:
			return;
		}
	far_rest(f, false);
}

/* Says so, once, when there is no worker, and only a new one helps. */
static void far_say_waits(struct far *f)
{
	bool waits = far_is_joined(f) && !far_hopes(f);
	if (waits && !f->waits)
		report(f, "there is no worker; the reduction continues with the next one");
	f->waits = waits;
}

/* Answers that come one soon after the other are taken together. To be woken for each
 * costs the asking process more than what it does then. Workers that wait for a moment lose little,
 * as what they are asked then is chosen with more answers known (bench/RESULTS.md). */

enum {
	MANY = 32,     /* questions are open: fewer answers than that are better taken one by one */
	TOGETHER = 8,  /* so many answers are waited for, */
	SHARE = 8,     /* but no longer than this part of a test's time, */
	MOST_MS = 100, /* or this */
};
static const uint64_t MS = 1000000;

/* How many milliseconds. */
static int moment(const struct far *f, int most_ms)
{
	uint64_t ms = f->seen.test_ns / MS, all = ms * TOGETHER / (f->open.n ? f->open.n : 1);
	uint64_t least = all < ms / SHARE ? all : ms / SHARE;
	int most = most_ms < MOST_MS ? most_ms : MOST_MS;
	return least < (uint64_t)most ? (int)least : most;
}

/* When there has just been news, and much is open, waits for a moment in which more may come, or
 * until WAKE_FD is readable; true: it did. A moment is short beside what a test takes, and at most
 * MOST_MS. */
static bool far_gather(struct far *f, int wake_fd, int most_ms)
{
	int ms = f->open.n < MANY || !f->seen.fresh ? 0 : moment(f, most_ms);
	struct pollfd wake = { .fd = wake_fd, .events = POLLIN };
	f->seen.fresh = false;
	if (ms > 0)
		poll(&wake, 1, ms);
	return ms > 0;
}

/* ---- workers in turn ---- */

enum { LEFT_MS = 300 }; /* one that leaves has so long to end once it says nothing more */
static const uint64_t SILENCE_NS = 5000000000u, GIVE_UP_NS = 60000000000u, LOOK_NS = 500000000u,
		      ATTEND_NS = 100000000u;
static const char OVERDUE[] = "it does not answer";

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
	for (size_t i = 0; i < f->open.n; i++) {
		const struct far_question *q = &f->open.list[i];
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
	if (m->calibration && is_overdue(m->calibration_ns, &f->calibration_limits))
		return far_lose_member(f, w, m, OVERDUE);
	if (silence < SILENCE_NS || m->silent || m->state != MEMBER_WORKS)
		return NULL;
	m->silent = true;
	if (m->calibration) { /* it is asked once more when it speaks */
		m->calibration = 0;
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
		far_examine(f, w, &w->members[i]);
		trouble = far_dismiss(f, w, &w->members[i]);
		if (!trouble)
			trouble = look_for_silence(f, w, &w->members[i]);
	}
	if (trouble)
		far_lose(f, w, trouble);
	far_part(f, w);
}

/* BROKEN: it reads no more. */
static void serve(struct far *f, struct far_worker *w, bool broken)
{
	bool there = worker_process_read(&w->process) && !broken;
	if (w->state == FAR_LEAVES && !there) {
		free(worker_process_reap(&w->process, LEFT_MS));
		w->state = FAR_GONE;
		return;
	}
	const char *trouble = far_hear(f, w);
	if (!trouble && !there)
		trouble = w->state == FAR_STARTS            ? "it ended before it was ready"
		          : frames_half(&w->process.frames) ? "it ended in the middle of an answer"
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
	if (news && w->process.pid && w->state != FAR_ENDS)
		serve(f, w, news & EPOLLERR);
	look_after(f, w);
}

/* Reads what the workers have sent, writes what they take, and looks for those that are silent. */
static void far_serve(struct far *f)
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
			worker_process_read_words(&f->workers[number ^ FAR_WORDS].process);
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

static struct testcase *kept(const struct far_question *q)
{
	return (struct testcase *)(uintptr_t)q->rq.tc;
}

static void let_go(struct far *f, struct far_question *q)
{
	if (q->rq.tc)
		f->open.held -= q->rq.tc->size;
	testcase_unref(kept(q));
	edit_drop(q->made.edit);
	q->rq.tc = NULL;
	q->made = (struct origin){ 0 };
}

/* Q is over, or of no interest any more. */
static void drop(struct far *f, struct far_question *q)
{
	let_go(f, q);
	oracle_drop(&q->rq, &q->output);
	*q = f->open.list[--f->open.n];
}

static struct far_question *by_ticket(struct far *f, uint64_t ticket)
{
	for (size_t i = 0; i < f->open.n; i++)
		if (f->open.list[i].rq.ticket == ticket)
			return &f->open.list[i];
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

static bool fits_here(const struct far *f, const struct far_question *q, bool ahead)
{
	if (!stays_here(q) && (!f->options.tests_here || f->paused))
		return false;
	return oracle_slots(f->local, ahead);
}

/* Asks whoever is free, if anybody is. Q may be gone then: nobody waits for it. 0, or -1 and err.
 */
static int place(struct far *f, struct far_question *q, struct testcase *tc, struct err *err)
{
	bool here = fits_here(f, q, true);
	struct far_worker *w = here || q->here || stays_here(q) ? NULL : find_room(f);
	if (!here && !w && !(here = fits_here(f, q, false)))
		return 0;
	TESTCASE_SCOPED struct testcase *again = NULL;
	if (!tc && !(tc = kept(q)))
		tc = again = q->rq.again(q->rq.again_arg, q->rq.ticket);
	int rc = 0;
	if (!tc)
		drop(f, q);
	else if (here)
		rc = ask_here(f, q, tc, err);
	else
		far_ask(f, w, q, tc);
	return rc;
}

static int place_waiting(struct far *f, struct err *err)
{
	for (size_t i = 0; i < f->open.n;) {
		size_t n = f->open.n;
		if (f->open.list[i].where == NOWHERE && place(f, &f->open.list[i], NULL, err) < 0)
			return -1;
		i += f->open.n == n;
	}
	return 0;
}

static int far_submit(struct oracle *oracle, const struct oracle_request *rq, struct err *err)
{
	struct far *f = far_of(oracle);
	struct testcase *tc = (struct testcase *)(uintptr_t)rq->tc;
	MEM_GROW(f->open.list, f->open.n, f->open.cap);
	struct far_question *q = &f->open.list[f->open.n];
	*q = (struct far_question){ .where = NOWHERE };
	if (oracle_keep(rq, &q->rq, &q->output) < 0)
		return err_errno(err, "cannot start a test");
	f->open.n++;
	q->rq.made = NULL;
	q->here = f->options.tests_here && !rq->words && far_is_open(f, tc);
	if (!stays_here(q))
		q->made = bases_keep(rq->made);
	if (!rq->again || rq->words || tc->size <= ORACLE_HOLDS || f->open.held < HELD_MOST) {
		q->rq.tc = testcase_ref(tc);
		f->open.held += tc->size;
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

static unsigned far_slots(struct oracle *oracle, bool ahead)
{
	return free_with(far_of(oracle), oracle_slots(far_of(oracle)->local, ahead));
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
	for (size_t i = 0; i < f->open.n; i++)
		if (f->open.list[i].where == HERE)
			return true;
	return f->options.tests_here && !oracle_free_slots(f->local);
}

/* A candidate that succeeded is what the next ones are made of. */
static void learn(struct far *f, const struct far_question *q, enum verdict verdict)
{
	if (q->rq.tc && !stays_here(q))
		far_learn_calibration(f, q->rq.tc, verdict);
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
	       (!f->open.n || far_waiting(f));
}

static int far_wait(struct oracle *oracle, struct answer *answer, int wake_fd, int timeout_ms,
                    struct err *err)
{
	struct far *f = far_of(oracle);
	uint64_t end = timeout_ms < 0 ? 0 : io_now() + (uint64_t)timeout_ms * 1000000u;
	unsigned free_before = oracle_free_slots(oracle);
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
		unsigned free_now = oracle_free_slots(oracle);
		if ((!f->open.n && free_now) || (!free_before && free_now))
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
	while (f->open.n)
		drop(f, &f->open.list[f->open.n - 1]);
	far_close_source(f);
	far_end(f);
	oracle_free(f->local);
	bases_release(&f->bases);
	for (unsigned i = 0; i < f->n_calibrations; i++)
		testcase_unref(f->calibrations[i].tc);
	io_close(f->epoll);
	buf_release(&f->bundle);
	far_release_tools(f);
	for (unsigned i = 0; i < f->n_workers; i++) {
		free(f->workers[i].members);
		free(f->workers[i].added);
	}
	free(f->workers);
	free(f->open.list);
	free(f->arrived.list);
	free(f);
}

struct oracle *far_new(struct oracle *local, const struct far_options *options, struct err *err)
{
	static const struct oracle_ops ops = {
		.slots = far_slots,
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
		struct worker_process *p = &f->workers[i].process;
		p->command = options->commands[i];
		p->to = p->from = p->words = -1;
	}
	f->epoll = epoll_create1(EPOLL_CLOEXEC);
	if (f->epoll < 0)
		err_errno(err, "cannot wait for workers");
	if (f->epoll < 0 ||
	    bundle_make(options->setup, options->with, options->n_with, &f->bundle, err) < 0 ||
	    far_open_source(f, err) < 0) {
		far_free(&f->oracle);
		return NULL;
	}
	for (unsigned i = 0; i < options->n; i++)
		far_start(f, &f->workers[i]);
	far_find_tools(f); /* meanwhile they start */
	return &f->oracle;
}

void far_calibrate(struct oracle *oracle, struct testcase *tc, enum verdict verdict,
                   const struct oracle_limits *limits)
{
	struct far *f = far_of(oracle);
	struct far_calibration *w = far_calibration_of(f, tc);
	if (!w && f->n_calibrations == CALIBRATIONS)
		bug("more than %d test cases are for calibration", CALIBRATIONS);
	if (!w) {
		w = &f->calibrations[f->n_calibrations++];
		w->tc = testcase_ref(tc);
	}
	f->calibration_limits = *limits;
	far_set_verdict(f, w, verdict);
}

void far_trust(struct oracle *oracle)
{
	far_of(oracle)->trusted = true;
	far_room_changes(far_of(oracle));
}
