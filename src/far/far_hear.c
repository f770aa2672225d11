/* What workers say. */

#include "ask/tools.h"
#include "base/buf.h"
#include "base/io.h"
#include "base/mem.h"
#include "base/show.h"
#include "far/code.h"
#include "far/far_workers.h"
#include "far/bundle.h"
#include "far/source.h"
#include "far/words.h"
#include "run/setup.h"

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
