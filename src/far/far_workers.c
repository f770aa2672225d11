#include "far/far_workers.h"

#include <limits.h>
#include <sys/epoll.h>

#include "base/err.h"
#include "base/io.h"
#include "base/mem.h"
#include "base/show.h"
#include "far/source.h"
#include "run/setup.h"

enum { UNSENT_MOST = 8 << 20 }; /* a worker that has so many bytes to read yet is asked no more */

void far_notice(const struct far *f, const struct far_worker *w, const struct far_member *m,
                const char *fmt, ...)
{
	const struct setup *setup = f->options.setup;
	BUF_SCOPED struct buf name = { 0 };
	va_list ap;
	if (!m && w->n == 1)
		m = w->members;
	if (m)
		show_add(&name, m->name, strlen(m->name));
	va_start(ap, fmt);
	MEM_SCOPED char *text = mem_vprintf(fmt, ap);
	va_end(ap);
	MEM_SCOPED char *line = mem_printf("worker %d (%s): %s", far_number(f, w) + 1,
	                                   name.len ? name.data : w->process.command, text);
	if (setup->notice)
		setup->notice(setup->notice_arg, line);
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
	return room && worker_process_unsent(&w->process) <= UNSENT_MOST ? room : 0;
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
	bool full = worker_process_flush(&w->process) && worker_process_unsent(&w->process);
	if (full != w->full)
		watch(f, w, w->process.to, full ? EPOLLOUT : 0, 0);
	w->full = full;
}

void far_say(struct far *f)
{
	for (unsigned i = 0; i < f->n_workers && f->seen.unsaid; i++)
		if (worker_process_unsent(&f->workers[i].process) && !f->workers[i].full)
			far_flush(f, &f->workers[i]);
	f->seen.unsaid = false;
}

static void say_limits(struct far_worker *w, const struct oracle_limits *l)
{
	if (!memcmp(l, &w->limits, sizeof *l))
		return;
	w->limits = *l;
	buf_addf(&w->process.send, "limits %llu %llu %llu %llu %llu\n",
	         (unsigned long long)l->wall_ns, (unsigned long long)l->cpu_s,
	         (unsigned long long)l->memory, (unsigned long long)l->files,
	         (unsigned long long)l->processes);
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
		buf_addf(&w->process.send, "for %s\n", m->name);
	w->asked = asked;
	say_limits(w, &rq->limits);
	if (rq->anew && !rq->lasting && f->options.setup->live.answers)
		buf_addf(&w->process.send, "anew\n");
	bases_tell(&f->bases, &w->there, q, &w->process.send);
	f->seen.unsaid = true;
}

void far_ask(struct far *f, struct far_worker *w, struct far_question *q, struct testcase *tc)
{
	struct far_member *m = with_most_room(f, w);
	struct bases_question said = { .tc = tc, .made = &q->made, .whole = q->whole };
	bool known = f->seen.room_known;
	tell(f, w, m, &said, &q->rq);
	f->seen.room_known = known && worker_process_unsent(&w->process) <= UNSENT_MOST;
	f->seen.room--;
	q->number = said.number;
	q->asked_ns = io_now();
	q->where = far_number(f, w);
	q->member = (unsigned)(m - w->members);
}

void far_take_back(struct far *f, struct far_question *q)
{
	struct far_worker *w = &f->workers[q->where];
	buf_addf(&w->process.send, "cancel %llu\n", (unsigned long long)q->number);
	f->seen.unsaid = true;
	w->members[q->member].open--;
	q->where = NOWHERE;
	far_room_changes(f);
}

/* ---- beginning ---- */

/* Asks it what it has to know. */
void far_examine(struct far *f, struct far_worker *w, struct far_member *m)
{
	bool is_asked = !f->trusted && m->open; /* and will be judged by that */
	if (!far_is_there(w, m) || m->calibration || is_asked)
		return;
	unsigned i = far_next_calibration(f, m);
	if (i == f->n_calibrations)
		return;
	const struct oracle_request rq = { .limits = f->calibration_limits };
	struct bases_question q = { .tc = f->calibrations[i].tc };
	tell(f, w, m, &q, &rq);
	m->of = i;
	m->calibration = q.number;
	m->calibration_ns = io_now();
}

void far_unwatch(const struct far *f, const struct far_worker *w)
{
	epoll_ctl(f->epoll, EPOLL_CTL_DEL, w->process.from, NULL);
}

void far_start(struct far *f, struct far_worker *w)
{
	struct err err;
	struct worker_process *p = &w->process;
	*w = (struct far_worker){ .process = { .command = p->command },
		                  .members = w->members,
		                  .cap = w->cap,
		                  .asked = UINT_MAX,
		                  .in_vain = w->in_vain,
		                  .added = w->added };
	if (worker_process_start(p, &err) < 0) {
		far_notice(f, w, NULL, "%s", err.msg);
		return;
	}
	w->state = FAR_STARTS;
	watch(f, w, p->from, EPOLLIN, 0);
	watch(f, w, p->words, EPOLLIN, FAR_WORDS);
	watch(f, w, p->to, 0, 0); /* that it reads no more */
}

/* ---- the loop ---- */

/* What each worker has to answer before it is used. */

unsigned far_waiting(const struct far *f)
{
	unsigned n = 0;
	for (size_t i = 0; i < f->open.n; i++)
		n += f->open.list[i].where == NOWHERE;
	return n;
}

struct far_calibration *far_calibration_of(struct far *f, const struct testcase *tc)
{
	for (unsigned i = 0; i < f->n_calibrations; i++)
		if (hash_equal(f->calibrations[i].tc->hash, tc->hash))
			return &f->calibrations[i];
	return NULL;
}

bool far_is_open(struct far *f, const struct testcase *tc)
{
	const struct far_calibration *w = far_calibration_of(f, tc);
	return w && !w->verdict;
}

void far_set_verdict(struct far *f, struct far_calibration *w, enum verdict verdict)
{
	w->verdict = verdict;
	f->trusted |= verdict != VERDICT_UNKNOWN;
	f->seen.all_ns = 0;
	far_room_changes(f);
}

void far_learn_calibration(struct far *f, const struct testcase *tc, enum verdict verdict)
{
	struct far_calibration *w = far_calibration_of(f, tc);
	if (w && !w->verdict && verdict != VERDICT_TIMEOUT)
		far_set_verdict(f, w, verdict);
}

/* Whoever is there first. */
static const struct far_member *first_of(const struct far *f)
{
	for (unsigned i = 0; i < f->n_workers; i++)
		for (unsigned k = 0; k < f->workers[i].n; k++)
			if (far_is_there(&f->workers[i], &f->workers[i].members[k]))
				return &f->workers[i].members[k];
	return NULL;
}

bool far_is_trusted(const struct far *f, const struct far_member *m)
{
	for (unsigned i = 0; i < f->n_calibrations && f->trusted; i++)
		if (far_is_known(&f->calibrations[i]) && !m->said[i])
			return false;
	return f->trusted || (!f->options.tests_here && m == first_of(f));
}

unsigned far_next_calibration(const struct far *f, const struct far_member *m)
{
	for (unsigned i = 0; i < f->n_calibrations; i++) {
		enum verdict known = f->calibrations[i].verdict;
		if (!m->said[i] && known != VERDICT_TIMEOUT && (known || !far_waiting(f)))
			return i;
	}
	return f->n_calibrations;
}

const char *far_judge(const struct far *f, const struct far_member *m)
{
	for (unsigned i = 0; i < f->n_calibrations; i++) {
		const struct far_calibration *known = &f->calibrations[i];
		bool yes = m->said[i] == VERDICT_INTERESTING;
		if (far_is_known(known) && m->said[i] &&
		    yes != (known->verdict == VERDICT_INTERESTING))
			return yes ? "the test finds the empty input interesting there, but not "
			             "here"
			           : "the test finds the original interesting here, but not there "
			             "(something that it needs may be missing)";
	}
	return NULL;
}

void far_note_calibration(const struct far *f, const struct far_question *q, struct far_member *m,
                          enum verdict verdict)
{
	for (unsigned i = 0; i < f->n_calibrations && q->rq.tc; i++)
		if (!m->said[i] && hash_equal(f->calibrations[i].tc->hash, q->rq.tc->hash))
			m->said[i] = verdict;
}

/* The end of workers: of one that is of no use, of one that is to leave, and of all.
 * The others have their turn while one ends, which may take it seconds: it has things to remove, or
 * holds out. */

enum {
	END_MS = 2000,  /* a worker has so long to end by itself, */
	SOFT_MS = 5000, /* and so long when it is told to by a signal: it has things to remove */
	LOST_MS = 300,  /* one that says nothing more, first */
	SOON_MS = 20,   /* most of those are gone by then */
	DOUBLINGS = 8,  /* of a rest, at most: then it is 25.6 seconds */
};
static const uint64_t MS = 1000000, REST_NS = 100000000u;

static void watch_of_source(const struct far *f, int fd, int how)
{
	struct epoll_event event = { .events = EPOLLIN, .data.u32 = FAR_SOURCE };
	if (fd >= 0)
		epoll_ctl(f->epoll, how, fd, &event);
}

void far_watch_source(const struct far *f, int how)
{
	watch_of_source(f, f->source->fd, how);
	watch_of_source(f, f->source->process.words, how);
}

bool far_is_joined(const struct far *f)
{
	return f->source && f->source->fd >= 0;
}

void far_rest(struct far *f, bool failed)
{
	struct source *s = f->source;
	if (!far_is_joined(f))
		return;
	if (!s->rests)
		far_watch_source(f, EPOLL_CTL_DEL);
	uint64_t end = io_now() + (REST_NS << s->failures);
	if (failed && s->failures < DOUBLINGS)
		s->failures++;
	s->rests = end > s->rests ? end : s->rests;
}

static int left_ms(uint64_t end_ns)
{
	uint64_t now = io_now();
	return now < end_ns ? (int)((end_ns - now) / MS) : 0;
}

unsigned far_give_back(struct far *f, struct far_worker *w, const struct far_member *m)
{
	unsigned n = 0;
	for (size_t i = 0; i < f->open.n; i++) {
		struct far_question *q = &f->open.list[i];
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
	MEM_SCOPED char *end = worker_process_reap(&w->process, wait_ms);
	bool again = w->answers > 0 && !w->leaves;
	const char *next = again ? "it is started again" : "it is no longer used";
	if (w->lost)
		far_notice(f, w, NULL, "%s (%s); %s; questions asked elsewhere: %u", w->why, end,
		           next, w->lost);
	else
		far_notice(f, w, NULL, "%s (%s); %s", w->why, end, next);
	w->state = FAR_GONE;
	w->n = 0;
	if (again)
		start_again(f, w);
}

void far_await_end(struct far *f, struct far_worker *w)
{
	struct worker_process *p = &w->process;
	bool over = worker_process_is_over(p), due = io_now() >= w->until;
	if (!over && !p->told && (due || p->reaped)) {
		worker_process_terminate(p);
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
	worker_process_close(&w->process);
	if (worker_process_wait(&w->process, SOON_MS))
		far_await_end(f, w);
}

const char *far_lose_member(struct far *f, struct far_worker *w, struct far_member *m,
                            const char *why)
{
	m->state = MEMBER_GONE;
	m->open -= m->calibration != 0;
	m->calibration = 0;
	for (unsigned i = 0; i < w->n; i++) {
		if (w->members[i].state == MEMBER_GONE)
			continue;
		unsigned lost = far_give_back(f, w, m);
		far_notice(f, w, m, "%s; it is no longer used; questions asked elsewhere: %u", why,
		           lost);
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
	worker_process_close(&w->process);
	far_notice(f, w, NULL, "it leaves, and gets no more questions");
}

void far_end(struct far *f)
{
	const uint64_t end = io_now() + END_MS * MS;
	for (unsigned i = 0; i < f->n_workers; i++)
		worker_process_close(&f->workers[i].process);
	for (unsigned i = 0; i < f->n_workers; i++)
		if (!worker_process_wait(&f->workers[i].process, left_ms(end)))
			worker_process_terminate(&f->workers[i].process);
	for (unsigned i = 0; i < f->n_workers; i++) {
		struct far_worker *w = &f->workers[i];
		w->leaves = true; /* none is started again */
		if (w->state == FAR_ENDS)
			finish(f, w, left_ms(end + SOFT_MS * MS));
		else
			free(worker_process_reap(&w->process, left_ms(end + SOFT_MS * MS)));
	}
}
