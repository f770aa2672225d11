#include "far/far_workers.h"

#include <limits.h>
#include <sys/epoll.h>

#include "base/buf.h"
#include "base/err.h"
#include "base/io.h"
#include "base/mem.h"
#include "base/show.h"
#include "run/setup.h"
#include "far/bundle.h"
#include "far/source.h"
#include "far/words.h"
#include "text/code.h"

static bool far_is_trusted(const struct far *f, const struct far_member *m);
static unsigned far_next_calibration(const struct far *f, const struct far_member *m);

static inline bool far_is_known(const struct far_calibration *w)
{
	return w->verdict && w->verdict != VERDICT_TIMEOUT;
}

static inline int far_number(const struct far *f, const struct far_worker *w)
{
	return (int)(w - f->workers);
}

static inline bool far_is_there(const struct far_worker *w, const struct far_member *m)
{
	return w->state == FAR_WORKS && !w->leaves && m->state == MEMBER_WORKS && !m->silent;
}

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

/* What the worker says or takes is of no interest any more. */
static void far_unwatch(const struct far *f, const struct far_worker *w)
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

/* Has M answered what it has to? Until something is known for sure, all is asked of one. */
static bool far_is_trusted(const struct far *f, const struct far_member *m)
{
	for (unsigned i = 0; i < f->n_calibrations && f->trusted; i++)
		if (far_is_known(&f->calibrations[i]) && !m->said[i])
			return false;
	return f->trusted || (!f->options.tests_here && m == first_of(f));
}

/* Of the calibration test cases the one to ask M about next; n_calibrations: none. One of which
 * nothing is known yet is not asked about in the place of a question that waits, as that is how it
 * will be known. */
static unsigned far_next_calibration(const struct far *f, const struct far_member *m)
{
	for (unsigned i = 0; i < f->n_calibrations; i++) {
		enum verdict known = f->calibrations[i].verdict;
		if (!m->said[i] && known != VERDICT_TIMEOUT && (known || !far_waiting(f)))
			return i;
	}
	return f->n_calibrations;
}

/* What M says of calibration test cases that is not what is known; NULL: nothing. */
static const char *far_judge(const struct far *f, const struct far_member *m)
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

/* M has answered Q, which may be about a calibration test case. */
static void far_note_calibration(const struct far *f, const struct far_question *q,
                                 struct far_member *m, enum verdict verdict)
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

/* What workers say. */

/* The versions of the programs that the test runs, here and where workers are. They
 * need not be the same for verdicts to be; when verdicts differ, they are the likeliest reason. */

static void add(struct far *f, const char *name, const char *version, bool here)
{
	if (f->tools.n < TOOLS_MOST)
		f->tools.list[f->tools.n++] =
			(struct far_tool){ mem_strdup(name), mem_strdup(version), here };
}

static void add_here(void *ctx, const char *name, const char *version)
{
	struct buf words[2] = { 0 };
	words_add_tool(&words[0], name);
	words_add_version(&words[1], version);
	add(ctx, words[0].data, words[1].data, true);
	buf_release(&words[0]);
	buf_release(&words[1]);
}

void far_find_tools(struct far *f)
{
	bundle_find_tools(f->options.setup, add_here, f);
}

static const struct far_tool *find(const struct far *f, const char *name)
{
	for (unsigned i = 0; i < f->tools.n; i++)
		if (!strcmp(f->tools.list[i].name, name))
			return &f->tools.list[i];
	return NULL;
}

/* Adds what WORD says, as it can be shown. False: it says nothing. */
static bool show_word(struct buf *out, const char *word)
{
	BUF_SCOPED struct buf said = { 0 };
	bool good = words_read_text(word, &said);
	show_add(out, said.data, said.len);
	return good;
}

/* What the member says of a program that the test runs. False: it says too much. */
static bool far_hear_tool(struct far *f, struct far_worker *w, struct far_member *m,
                          const struct frame *in)
{
	BUF_SCOPED struct buf name = { 0 }, there = { 0 }, known = { 0 };
	bool good = in->n > 2 && show_word(&name, in->words[1]) &&
	            show_word(&there, in->words[2]) && m->tools++ < TOOLS_MOST;
	const struct far_tool *tool = good ? find(f, in->words[1]) : NULL;
	if (tool && strcmp(tool->version, in->words[2])) {
		show_word(&known, tool->version);
		far_notice(f, w, m, "its %s differs from that %s: \"%s\", not \"%s\"", name.data,
		           tool->here ? "here" : "elsewhere", there.data, known.data);
	}
	if (good && !tool)
		add(f, in->words[1], in->words[2], false);
	return good;
}

void far_release_tools(struct far *f)
{
	for (unsigned i = 0; i < f->tools.n; i++) {
		free(f->tools.list[i].name);
		free(f->tools.list[i].version);
	}
}

enum {
	SLOTS_MOST = 4096,
	MEMBERS_MOST = 4096,
	FAILURES_MOST = 3, /* in a row */
	GROWTH = 8,        /* tests count as longer than before by this part at most, each time */
};

/* A test that was asked for then has been answered. */
static void far_note_test(struct far *f, uint64_t asked_ns)
{
	uint64_t took = io_now() - asked_ns, old = f->seen.test_ns, most = old + old / GROWTH;
	f->seen.test_ns = old && took > most ? most : took;
}

/* The member whose name is the word AT of the frame; without that word the only one. NULL: there is
 * none. */
static struct far_member *named(const struct far_worker *w, const struct frame *in, unsigned at)
{
	if (in->n <= at)
		return w->n == 1 ? w->members : NULL;
	for (unsigned i = 0; i < w->n; i++)
		if (!strcmp(w->members[i].name, in->words[at]))
			return &w->members[i];
	return NULL;
}

/* Why it cannot be a worker; NULL: it can. */
static const char *objection(const struct frame *in)
{
	struct hash check, ours = bundle_check();
	uint64_t version;
	if (!frames_number(in->words[1], UINT32_MAX, &version))
		return "its first line is invalid";
	if (version != KIT_VERSION)
		return "it uses another version of the protocol; install the same version of "
		       "whittle there";
	if (!code_read_hash(in->words[2], &check) || !hash_equal(check, ours))
		return "it computes other hashes, probably because its byte order is different";
	return NULL;
}

/* One says that it is a worker. The first is told what there is to tell; those who share its input
 * have read all that. NULL, or why nobody can be asked. */
static const char *hear_hello(struct far *f, struct far_worker *w, const struct frame *in)
{
	size_t len = in->n < 4 ? 0 : strlen(in->words[3]);
	if (!len || len >= FRAMES_NAME || in->words[3][0] == ':' || w->n == MEMBERS_MOST)
		return "its first line is invalid";
	const char *trouble = objection(in);
	if (trouble && !w->n)
		return trouble;
	if (named(w, in, 3)) /* neither could be told to leave a question to the other */
		return "two of its workers have the same name";
	MEM_GROW(w->members, w->n, w->cap);
	struct far_member *m = &w->members[w->n++];
	*m = (struct far_member){ .heard_ns = io_now() };
	memcpy(m->name, in->words[3], len);
	if (trouble) {
		m->state = MEMBER_GONE;
		far_notice(f, w, m, "%s; it is not used", trouble);
	}
	if (w->state != FAR_STARTS)
		return NULL;
	w->state = FAR_READS;
	buf_add(&w->process.send, f->bundle.data, f->bundle.len);
	far_flush(f, w);
	return NULL;
}

static const char *hear_ready(struct far *f, struct far_worker *w, struct far_member *m,
                              const struct frame *in)
{
	uint64_t slots;
	if (m->state == MEMBER_WORKS)
		return "it sent an invalid answer";
	if (in->n < 2 || !frames_number(in->words[1], SLOTS_MOST, &slots) || !slots)
		return "it is not ready for any test";
	m->state = MEMBER_WORKS;
	m->slots = (unsigned)slots;
	w->state = FAR_WORKS;
	if (f->source)
		f->source->failures = 0;
	if (w->added)
		far_notice(f, w, m, "it has joined, and runs %u tests at a time", m->slots);
	return NULL;
}

/* What M was asked by this number. NULL: it has been taken back meanwhile, or asked of another. */
static struct far_question *by_number(struct far *f, const struct far_worker *w,
                                      const struct far_member *m, uint64_t number)
{
	for (size_t i = 0; i < f->open.n; i++)
		if (f->open.list[i].where == (int)(w - f->workers) &&
		    f->open.list[i].number == number)
			return &w->members[f->open.list[i].member] == m ? &f->open.list[i] : NULL;
	return NULL;
}

/* M, and if it was the last one the worker, which would be no better if it were started again. */
static const char *lose_for_good(struct far *f, struct far_worker *w, struct far_member *m,
                                 const char *why)
{
	const char *trouble = far_lose_member(f, w, m, why);
	if (trouble)
		w->answers = 0;
	return trouble;
}

const char *far_dismiss(struct far *f, struct far_worker *w, struct far_member *m)
{
	const char *why = m->state == MEMBER_GONE ? NULL : far_judge(f, m);
	return why ? lose_for_good(f, w, m, why) : NULL;
}

/* Its verdict on a calibration test case. */
static const char *hear_calibration(struct far *f, struct far_worker *w, struct far_member *m,
                                    const struct answer *a)
{
	m->said[m->of] = a->verdict;
	m->calibration = 0;
	m->open--;
	w->answers++;
	return far_dismiss(f, w, m);
}

static const char *hear_answer(struct far *f, struct far_worker *w, struct far_member *m,
                               const struct frame *in)
{
	uint64_t number;
	struct answer a = { 0 };
	if (in->n < 2 || !frames_number(in->words[1], f->numbers, &number) || !number ||
	    !words_read_answer(in, f->options.setup, &a))
		return "it sent an invalid answer";
	if (number == m->calibration)
		return hear_calibration(f, w, m, &a);
	struct far_question *q = by_number(f, w, m, number);
	if (!q)
		return NULL;
	far_note_test(f, q->asked_ns);
	far_note_calibration(f, q, m, a.verdict);
	q->where = ANSWERED;
	m->failures = 0;
	m->open--;
	w->answers++;
	w->in_vain = 0;
	a.ticket = q->rq.ticket;
	a.limit_ns = q->rq.limits.wall_ns;
	MEM_PUSH(f->arrived.list, f->arrived.n, f->arrived.cap, a);
	return NULL;
}

/* It could not run the test, or (STRANGE) make no sense of the candidate: that is not the
 * candidate's doing. */
static const char *hear_failure(struct far *f, struct far_worker *w, struct far_member *m,
                                const struct frame *in, const char *why)
{
	uint64_t number;
	bool strange = !why;
	if (in->n < 2 || !frames_number(in->words[1], f->numbers, &number) || !number)
		return "it sent an invalid answer";
	if (strange)
		why = "it cannot reconstruct a candidate";
	bool examined = number == m->calibration;
	struct far_question *q = examined ? NULL : by_number(f, w, m, number);
	bool again = strange && q && !q->whole;
	if (examined)
		m->calibration = 0;
	if (q) {
		q->whole = q->whole || strange;
		q->where = NOWHERE;
	}
	m->open -= examined || q;
	if (!again && ++m->failures < FAILURES_MOST)
		far_notice(f, w, m, "%s; it is asked elsewhere", why);
	else if (!again)
		far_notice(f, w, m, "%s", why);
	return m->failures >= FAILURES_MOST ? far_lose_member(f, w, m, "it fails repeatedly")
	                                    : NULL;
}

/* It cannot begin. */
static const char *hear_sorry(struct far *f, struct far_worker *w, struct far_member *m,
                              const char *why)
{
	far_notice(f, w, m, "%s", why);
	return lose_for_good(f, w, m, "it cannot run the test");
}

/* What one with a reason says; the reason is the word AT. */
static const char *hear_reason(struct far *f, struct far_worker *w, struct far_member *m,
                               const struct frame *in, unsigned at)
{
	BUF_SCOPED struct buf said = { 0 }, shown = { 0 };
	const char *trouble = "it sent an invalid answer";
	if (in->n > at && words_read_text(in->words[at], &said)) {
		show_add(&shown, said.data, said.len);
		const char *why = shown.len ? shown.data : "it gives no reason";
		trouble = at == 1 ? hear_sorry(f, w, m, why) : hear_failure(f, w, m, in, why);
	}
	return trouble;
}

enum frame_kind { HELLO, TOOL, READY, SORRY, ALIVE, ANSWER, FAILED, STRANGE, KINDS };

static const struct {
	const char *word;
	unsigned name; /* the word that says who says it */
} kinds[KINDS] = {
	[HELLO] = { "whittle-worker", 3 }, [READY] = { "ready", 2 },   [SORRY] = { "sorry", 2 },
	[ALIVE] = { "alive", 1 },          [ANSWER] = { "answer", 6 }, [FAILED] = { "failed", 3 },
	[STRANGE] = { "strange", 2 },      [TOOL] = { "tool", 3 },
};

/* What it says of KIND. NULL, or why the worker is of no use. */
static const char *hear_member(struct far *f, struct far_worker *w, struct far_member *m,
                               enum frame_kind kind, const struct frame *in)
{
	m->heard_ns = io_now();
	m->silent = false;
	if (m->state == MEMBER_GONE)
		return NULL;
	if (kind == READY)
		return hear_ready(f, w, m, in);
	if (kind == SORRY)
		return hear_reason(f, w, m, in, 1);
	if (kind == ALIVE || (kind == TOOL && far_hear_tool(f, w, m, in)))
		return NULL;
	if (m->state != MEMBER_WORKS)
		return "it sent an invalid answer";
	return kind == ANSWER   ? hear_answer(f, w, m, in)
	       : kind == FAILED ? hear_reason(f, w, m, in, 2)
	                        : hear_failure(f, w, m, in, NULL);
}

/* NULL, or why the worker is of no use. */
static const char *hear(struct far *f, struct far_worker *w, const struct frame *in)
{
	enum frame_kind kind = HELLO;
	if (w->state == FAR_LEAVES)
		return NULL;
	while (kind < KINDS && strcmp(in->words[0], kinds[kind].word))
		kind++;
	if (kind == HELLO)
		return hear_hello(f, w, in);
	if (kind == KINDS) /* what programs on the way say, perhaps before another worker begins */
		return NULL;
	struct far_member *m = named(w, in, kinds[kind].name);
	return m ? hear_member(f, w, m, kind, in) : "it sent an invalid answer";
}

/* What it says before it says that it is a worker, as shells and programs on the way do, is none of
 * our business. */
static enum frames_got next(struct far_worker *w, struct frame *out)
{
	struct frames *in = &w->process.frames;
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
	}
}
