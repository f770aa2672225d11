/* What workers say (far_def.h). */
#include <string.h>

#include "base/buf.h"
#include "base/io.h"
#include "base/mem.h"
#include "base/show.h"
#include "far/code.h"
#include "far/far_def.h"
#include "far/kit.h"
#include "far/source.h"
#include "far/words.h"
#include "run/setup.h"

enum {
	SLOTS_MOST = 4096,
	FAILURES_MOST = 3, /* in a row */
};

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
	far_flush(f, w);
	return NULL;
}

static const char *hear_ready(struct far *f, struct far_worker *w, const struct frame *in)
{
	uint64_t slots;
	if (w->state != FAR_READS || in->n < 2 ||
	    !frames_number(in->words[1], SLOTS_MOST, &slots) || !slots)
		return "it is ready for nothing";
	w->state = FAR_WORKS;
	w->slots = (unsigned)slots;
	if (f->source)
		f->source->failures = 0;
	if (w->added)
		far_notice(f, w, "it has come, and runs %u tests at a time", w->slots);
	return NULL;
}

static struct far_question *by_number(struct far *f, const struct far_worker *w, uint64_t number)
{
	for (size_t i = 0; i < f->n; i++)
		if (f->open[i].where == (int)(w - f->workers) && f->open[i].number == number)
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
		far_notice(f, w, "%s; it is asked elsewhere", why.len ? why.data : "it fails");
	else if (!again)
		far_notice(f, w, "%s", why.len ? why.data : "it fails");
	buf_release(&why);
	return w->failures >= FAILURES_MOST ? "it fails again and again" : NULL;
}

/* It cannot begin. */
static const char *hear_sorry(struct far *f, struct far_worker *w, const struct frame *in)
{
	struct buf why = { 0 };
	show_add(&why, in->body, in->len);
	far_notice(f, w, "%s", why.len ? why.data : "it gives no reason");
	buf_release(&why);
	w->answers = 0;
	return "it cannot run the test";
}

/* NULL, or why the worker is of no use. */
static const char *hear(struct far *f, struct far_worker *w, const struct frame *in)
{
	const char *kind = in->words[0];
	if (w->state == FAR_LEAVES)
		return NULL;
	if (w->state == FAR_STARTS)
		return hear_hello(f, w, in);
	if (!strcmp(kind, "ready"))
		return hear_ready(f, w, in);
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
