#include "config.h"

#include "lib/whittle.h"

#include <setjmp.h>
#include <stdio.h>

#include "base/err.h"
#include "base/mem.h"
#include "base/work.h"
#include "lang/tokenizer.h"
#include "reduce/engine.h"
#include "reduce/language.h"
#include "reduce/passes.h"
#include "run/oracle.h"
#include "store/journal.h"

/* An oracle whose questions wait to be taken out, for who asks the test himself: what is submitted
 * lies here until it is handed out, and then until its verdict is told. Nothing can be cancelled.
 */
struct mail {
	uint64_t ticket;
	struct testcase *tc; /* a reference */
	bool is_out;         /* handed out; else it waits to be */
};

struct mailbox {
	struct oracle oracle; /* first */
	size_t room;          /* questions that may still be submitted */
	uint32_t n, cap;
	struct mail *list; /* in the order of submission */
};

static unsigned mailbox_slots(struct oracle *oracle, UNUSED bool ahead)
{
	size_t room = ((struct mailbox *)oracle)->room;
	return room < UINT32_MAX ? (unsigned)room : UINT32_MAX;
}

static int mailbox_submit(struct oracle *oracle, const struct oracle_request *rq, struct err *err)
{
	struct mailbox *box = (struct mailbox *)oracle;
	if (!box->room || rq->words)
		return err_set(err, ERR_SYSTEM, "a question that cannot be handed out");
	MEM_PUSH(box->list, box->n, box->cap,
	         (struct mail){
			 .ticket = rq->ticket,
			 .tc = testcase_ref((struct testcase *)(uintptr_t)rq->tc) /* only counted */
		 });
	box->room--;
	return 0;
}

static int mailbox_wait(UNUSED struct oracle *oracle, struct answer *answer, int wake_fd,
                        int timeout_ms, struct err *err)
{
	(void)answer;
	(void)wake_fd;
	(void)timeout_ms;
	return err_set(err, ERR_SYSTEM, "verdicts are told, not waited for");
}

static void mailbox_release(struct mailbox *box)
{
	for (uint32_t i = 0; i < box->n; i++)
		testcase_unref(box->list[i].tc);
	free(box->list);
	box->list = NULL;
	box->n = box->cap = 0;
}

static void mailbox_free(struct oracle *oracle)
{
	mailbox_release((struct mailbox *)oracle);
}

static const struct oracle_ops mailbox_ops = {
	.slots = mailbox_slots,
	.submit = mailbox_submit,
	.wait = mailbox_wait,
	.free = mailbox_free,
};

static void mailbox_init(struct mailbox *box)
{
	*box = (struct mailbox){ .oracle = { .ops = &mailbox_ops } };
}

/* From now on as many questions may be submitted as make MAX with those that wait. */
static void mailbox_admit(struct mailbox *box, size_t max)
{
	size_t waiting = 0;
	for (uint32_t i = 0; i < box->n; i++)
		waiting += !box->list[i].is_out;
	box->room = max > waiting ? max - waiting : 0;
}

/* The first question that waits, which is handed out; NULL: none does. Valid until the next call.
 */
static const struct mail *mailbox_take(struct mailbox *box)
{
	for (uint32_t i = 0; i < box->n; i++)
		if (!box->list[i].is_out) {
			box->list[i].is_out = true;
			return &box->list[i];
		}
	return NULL;
}

/* The question of TICKET if it is handed out; NULL. */
static struct mail *mailbox_find(struct mailbox *box, uint64_t ticket)
{
	for (uint32_t i = 0; i < box->n; i++)
		if (box->list[i].ticket == ticket && box->list[i].is_out)
			return &box->list[i];
	return NULL;
}

/* The question is over: *mail, of this mailbox, goes. */
static void mailbox_drop(struct mailbox *box, struct mail *mail)
{
	testcase_unref(mail->tc);
	box->n--;
	memmove(mail, mail + 1, (size_t)(&box->list[box->n] - mail) * sizeof *mail);
}

struct whittle {
	struct whittle_options options; /* its pointers to strings are valid in whittle_open only */
	struct mailbox mailbox;
	struct engine *engine;
	struct tokenizer *tokenizer;
	struct verdicts verdicts;
	struct journal journal; /* fd -1: none */
	struct testcase *best;
	uint64_t tests;
	enum whittle_state state;
	bool broken; /* memory was short in the middle of something */
	struct err err;
	char said[256]; /* the certificate, or what is wrong with a call that changed nothing */
};

/* ---- errors ---- */

static int error_of(const struct err *err)
{
	switch (err->code) {
	case ERR_TEST:
		return WHITTLE_ERR_TEST;
	case ERR_SYSTEM:
		return WHITTLE_ERR_SYSTEM;
	default:
		return WHITTLE_ERR_ARGUMENT;
	}
}

static int fail(struct whittle *w)
{
	w->state = WHITTLE_FAILED;
	return error_of(&w->err);
}

static int out_of_memory(struct whittle *w)
{
	w->broken = true;
	w->state = WHITTLE_FAILED;
	w->err.code = ERR_SYSTEM;
	snprintf(w->err.msg, sizeof w->err.msg, "out of memory");
	return WHITTLE_ERR_MEMORY;
}

/* Calls FN such that an allocation that fails in it is an error of the call. */
static int guarded(struct whittle *w, int (*fn)(struct whittle *, void *), void *arg)
{
	struct work_guard guard = { .retry = w->options.no_memory, .arg = w->options.arg };
	if (w->broken)
		return WHITTLE_ERR_MEMORY;
	if (setjmp(guard.back))
		return out_of_memory(w);
	work_guard_enter(&guard);
	int rc = fn(w, arg);
	work_guard_leave(&guard);
	return rc;
}

/* ---- opening ---- */

static void remember(void *ctx, const struct store_entry *v)
{
	struct whittle *w = ctx;
	if (v->kind == STORE_VERDICT &&
	    (v->verdict == VERDICT_INTERESTING || v->verdict == VERDICT_NOT_INTERESTING))
		verdicts_put(&w->verdicts, v->hash, (enum verdict)v->verdict, 0);
}

/* A journal is of this original and this test. */
static int open_journal(struct whittle *w, const struct testcase *original)
{
	const char *path = w->options.journal, *id = w->options.test_id;
	struct hash parts[2] = { original->hash, hash_bytes(id ? id : "", id ? strlen(id) : 0, 0) };
	struct hash identity = hash_bytes(parts, sizeof parts, 0);
	struct journal_report report;
	if (journal_read(path, identity, remember, w, &report, &w->err) < 0)
		return -1;
	if (report.foreign)
		return err_set(&w->err, ERR_USAGE,
		               "the journal %s belongs to another original or another test", path);
	if (report.damaged && !report.records)
		return err_set(&w->err, ERR_USAGE, "%s is not a journal", path);
	return journal_open(&w->journal, path, identity, &report, NULL, &w->err);
}

static int on_verdict(void *arg, struct hash hash, enum verdict verdict, UNUSED uint64_t limit_ns,
                      struct err *err)
{
	struct whittle *w = arg;
	const struct store_entry v = { .hash = hash, .verdict = (uint8_t)verdict };
	return w->journal.fd < 0 ? 0 : journal_append(&w->journal, &v, err);
}

static void on_accepted(void *arg, UNUSED struct engine *e, struct testcase *now, const char *pass)
{
	struct whittle *w = arg;
	(void)pass;
	testcase_unref(w->best);
	w->best = testcase_ref(now);
	if (w->options.accepted)
		w->options.accepted(w->options.arg, w);
}

static bool should_stop(void *arg)
{
	struct whittle *w = arg;
	return w->options.stop && w->options.stop(w->options.arg);
}

static int start_engine(struct whittle *w)
{
	const struct whittle_options *o = &w->options;
	const struct language language = { .tokenizer = w->tokenizer };
	struct engine_options eo = { .passes = passes_all(),
		                     .seed = o->seed,
		                     .max_questions = o->max_answers,
		                     .until_size = o->until_size < UINT32_MAX
		                                           ? (uint32_t)o->until_size
		                                           : UINT32_MAX,
		                     .keep_names = o->keep_names != 0,
		                     .verdicts = &w->verdicts,
		                     .wake_fd = -1,
		                     .tick_ms = -1 };
	const struct engine_observer observer = {
		.accepted = on_accepted, .verdict = on_verdict, .should_stop = should_stop, .arg = w
	};
	if (o->passes && passes_parse(o->passes, &eo.passes, &w->err) < 0)
		return -1;
	if (!plan_certify_parse(o->certify, &eo.certify))
		return err_set(&w->err, ERR_USAGE, "\"%s\" is not auto, full, token or none",
		               o->certify);
	w->engine = engine_new(w->best, &language, &eo, &observer);
	return 0;
}

struct original {
	const void *bytes;
	size_t size;
};

static int open_reduction(struct whittle *w, void *arg)
{
	static const char *const installed[] = { PKGDATADIR "/tokenizers", NULL };
	const struct original *original = arg;
	const struct whittle_options *o = &w->options;
	const char *name = o->name && *o->name ? o->name : "input";
	const char *slash = strrchr(name, '/');
	if (original->size >= TESTCASE_MAX_SIZE)
		return err_set(&w->err, ERR_USAGE, "more than 4 GB cannot be reduced");
	uint8_t *bytes = mem_alloc(original->size + 1);
	if (original->size) /* else there may be no bytes to point to */
		memcpy(bytes, original->bytes, original->size);
	bytes[original->size] = '\0';
	w->best = testcase_new(slash && slash[1] ? slash + 1 : name, 0644, bytes,
	                       (uint32_t)original->size);
	w->tokenizer = tokenizer_find(o->tokenizer, name, w->best->bytes, w->best->size,
	                              o->directories ? o->directories : installed, &w->err);
	if (!w->tokenizer || (o->journal && open_journal(w, w->best) < 0))
		return -1;
	return start_engine(w);
}

/* An error of whittle_open, which leaves nothing else behind. */
static struct whittle *not_open(struct whittle *w, int code, int *error, char *message, size_t size)
{
	if (error)
		*error = code;
	if (message && size)
		snprintf(message, size, "%s", w ? w->err.msg : "out of memory");
	whittle_free(w);
	return NULL;
}

struct whittle *whittle_open(const void *bytes, size_t size, const struct whittle_options *options,
                             int *error, char *message, size_t message_size)
{
	struct whittle *w = calloc(1, sizeof *w);
	struct original original = { bytes, size };
	if (!w)
		return not_open(NULL, WHITTLE_ERR_MEMORY, error, message, message_size);
	w->journal.fd = -1;
	mailbox_init(&w->mailbox);
	size_t known = options ? options->struct_size : 0;
	if ((options && known < sizeof options->struct_size) || (!bytes && size)) {
		err_set(&w->err, ERR_USAGE, "%s",
		        bytes || !size ? "struct_size is not set" : "no bytes");
		return not_open(w, WHITTLE_ERR_ARGUMENT, error, message, message_size);
	}
	if (options)
		memcpy(&w->options, options, known < sizeof *options ? known : sizeof *options);
	int rc = guarded(w, open_reduction, &original);
	if (rc < 0)
		return not_open(w, w->broken ? WHITTLE_ERR_MEMORY : error_of(&w->err), error,
		                message, message_size);
	return w;
}

void whittle_free(struct whittle *w)
{
	if (!w)
		return;
	testcase_unref(w->best);
	journal_close(&w->journal);
	if (!w->broken) { /* otherwise nobody knows which records are complete */
		engine_free(w->engine);
		mailbox_release(&w->mailbox);
		verdicts_release(&w->verdicts);
		tokenizer_free(w->tokenizer);
	}
	free(w);
}

/* ---- ask and tell ---- */

struct asked {
	struct whittle_candidate *out;
	size_t max;
};

static void note_end(struct whittle *w, enum driver_end end)
{
	static const enum whittle_state states[] = {
		[DRIVER_FIXPOINT] = WHITTLE_FIXPOINT,  [DRIVER_STOPPED] = WHITTLE_STOPPED,
		[DRIVER_SIZE_REACHED] = WHITTLE_LIMIT, [DRIVER_MAX_QUESTIONS] = WHITTLE_LIMIT,
		[DRIVER_NO_SUCCESS] = WHITTLE_LIMIT,   [DRIVER_FAILED] = WHITTLE_FAILED,
		[DRIVER_RUNS] = WHITTLE_RUNS
	};
	w->state = states[end];
	if (end == DRIVER_FIXPOINT)
		engine_certificate(w->engine, w->said, sizeof w->said);
}

static int hand_out(struct whittle *w, struct asked *a)
{
	size_t n = 0;
	const struct mail *mail;
	while (n < a->max && n < INT32_MAX && (mail = mailbox_take(&w->mailbox)))
		a->out[n++] =
			(struct whittle_candidate){ mail->ticket, mail->tc->bytes, mail->tc->size };
	w->tests += n;
	return (int)n;
}

static int next(struct whittle *w, void *arg)
{
	struct asked *a = arg;
	mailbox_admit(&w->mailbox, a->max);
	enum driver_end end = engine_ask(w->engine, &w->mailbox.oracle, &w->err);
	note_end(w, end);
	if (end == DRIVER_FAILED)
		return fail(w);
	return end == DRIVER_RUNS ? hand_out(w, a) : 0;
}

int whittle_next(struct whittle *w, struct whittle_candidate *out, size_t max)
{
	struct asked asked = { out, max };
	if (!out && max)
		return WHITTLE_ERR_ARGUMENT;
	if (w->state == WHITTLE_FAILED)
		return w->broken ? WHITTLE_ERR_MEMORY : error_of(&w->err);
	if (w->state == WHITTLE_FIXPOINT || w->state == WHITTLE_LIMIT || !max)
		return 0;
	return guarded(w, next, &asked);
}

struct told {
	uint64_t ticket;
	enum whittle_verdict verdict;
};

static bool is_verdict(enum whittle_verdict verdict)
{
	return verdict == WHITTLE_UNJUDGED || verdict == WHITTLE_NOT_INTERESTING ||
	       verdict == WHITTLE_INTERESTING;
}

static int tell(struct whittle *w, void *arg)
{
	const struct told *told = arg;
	struct mail *mail = mailbox_find(&w->mailbox, told->ticket);
	if (!mail) {
		snprintf(w->said, sizeof w->said, "no candidate with ticket %llu is out",
		         (unsigned long long)told->ticket);
		return WHITTLE_ERR_ARGUMENT;
	}
	if (!is_verdict(told->verdict)) {
		snprintf(w->said, sizeof w->said, "%d is not a verdict", (int)told->verdict);
		return WHITTLE_ERR_ARGUMENT;
	}
	if (told->verdict == WHITTLE_UNJUDGED) {
		if (engine_forget(w->engine, told->ticket))
			mailbox_drop(&w->mailbox, mail);
		else
			mail->is_out = false;
		return 0;
	}
	const struct answer a = { .ticket = told->ticket,
		                  .verdict = told->verdict == WHITTLE_INTERESTING
		                                     ? VERDICT_INTERESTING
		                                     : VERDICT_NOT_INTERESTING };
	mailbox_drop(&w->mailbox, mail);
	return engine_answer(w->engine, &a, &w->err) < 0 ? fail(w) : 0;
}

int whittle_tell(struct whittle *w, uint64_t ticket, enum whittle_verdict verdict)
{
	struct told told = { ticket, verdict };
	if (w->state == WHITTLE_FAILED)
		return w->broken ? WHITTLE_ERR_MEMORY : error_of(&w->err);
	return guarded(w, tell, &told);
}

int whittle_wanted(const struct whittle *w, uint64_t ticket)
{
	return w->state == WHITTLE_RUNS && engine_wants(w->engine, ticket);
}

/* ---- what is known ---- */

enum whittle_state whittle_state(const struct whittle *w)
{
	return w->state;
}

const void *whittle_result(const struct whittle *w, size_t *size)
{
	*size = w->best->size;
	return w->best->bytes;
}

uint64_t whittle_answers(const struct whittle *w)
{
	return w->broken ? 0 : reducer_questions(engine_reducer(w->engine));
}

uint64_t whittle_tests(const struct whittle *w)
{
	return w->tests;
}

const char *whittle_message(const struct whittle *w)
{
	return w->state == WHITTLE_FAILED ? w->err.msg : w->said;
}

const char *whittle_version(void)
{
	return PACKAGE_VERSION;
}
