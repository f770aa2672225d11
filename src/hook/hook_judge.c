#include "hook/hook_judge.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "base/err.h"
#include "base/io.h"
#include "base/mem.h"
#include "base/path.h"
#include "base/signals.h"
#include "fence/fence.h"
#include "fence/workdir.h"
#include "hook/hook_pushed.h"
#include "run/setup.h"
#include "run/verdicts.h"
#include "store/git.h"
#include "store/journal.h"
#include "reduce/engine.h"
#include "reduce/language.h"
#include "reduce/probe.h"
#include "reduce/session_options.h"
#include "hook/hook_list.h"

enum {
	LEAST_SLACK = 16,     /* bytes: a last line's end or a longer name stop nobody */
	MOST_REFUSED = 100,   /* candidates in a row, after which a file is as small as need be */
	LOAD_MOST = 64 << 20, /* bytes of files that are held at a time */
	TICK_MS = 100,
};

/* A file, as the process that judges it has it. */
struct file {
	struct hook_job *job;
	struct testcase *tc; /* NULL: not read */
	struct verdicts verdicts;
	struct journal_report report; /* of its journal... */
	struct journal journal;       /* ...which is open while it is written to */
	enum verdict first;           /* of the test on the file */
	struct answer answer;         /* which that was */
	uint64_t slowest_ns;
	struct testcase
		*smaller; /* the file is too large, as this shows; NULL: that is not known */
};

struct judge {
	const struct hook_judging *how;
	struct file *files; /* those of each driver together */
	size_t n;
	struct fence fence;
	struct oracle *pool; /* of the driver whose turn it is */
	struct hook_needed *turn;
	struct oracle_limits limits;
	int to, wake;
};

/* The files of a driver. */
struct span {
	size_t begin, end;
};

/* ---- what is remembered ---- */

static void remember(void *arg, const struct store_entry *e)
{
	struct file *f = arg;
	if (e->kind == STORE_TOOK && e->number > f->slowest_ns)
		f->slowest_ns = e->number;
	if (store_is_verdict(e))
		verdicts_put(&f->verdicts, e->hash, (enum verdict)e->verdict,
		             e->kind == STORE_VERDICT ? e->number : 0);
}

static void forget(const struct judge *g, const struct file *f)
{
	MEM_SCOPED char *path = hook_seen_journal(g->how->seen, f->job->key);
	unlink(path);
}

/* Reads what is known of the file. */
static void recall(const struct judge *g, struct file *f)
{
	MEM_SCOPED char *path = hook_seen_journal(g->how->seen, f->job->key);
	if (g->how->again || journal_read(path, f->job->key, remember, f, &f->report, NULL) < 0 ||
	    f->report.foreign || f->report.damaged) {
		forget(g, f);
		f->report = (struct journal_report){ 0 };
	}
}

/* Opens its journal; where that fails, what the test says is asked about again. */
static void open_journal(const struct judge *g, struct file *f)
{
	MEM_SCOPED char *path = hook_seen_journal(g->how->seen, f->job->key);
	if (journal_open(&f->journal, path, f->job->key, &f->report, NULL, NULL) == 0)
		f->report = (struct journal_report){ 0 };
}

static int append(struct file *f, const struct store_entry *v, struct err *err)
{
	return f->journal.fd < 0 ? 0 : journal_append(&f->journal, v, err);
}

/* Keeps that HASH is interesting, and how long the test took. */
static void note(const struct judge *g, struct file *f, struct hash hash, uint64_t wall_ns)
{
	const struct store_entry v = { hash, wall_ns, VERDICT_INTERESTING, STORE_TOOK };
	remember(f, &v);
	open_journal(g, f);
	append(f, &v, NULL);
	journal_close(&f->journal);
}

/* Was its test started in vain by an earlier push? Then the others come first. */
static bool was_vain(const struct judge *g, const struct hook_job *job)
{
	MEM_SCOPED char *path = hook_seen_journal(g->how->seen, job->key);
	struct journal_report report = { 0 };
	return access(path, F_OK) == 0 &&
	       journal_read(path, job->key, NULL, NULL, &report, NULL) == 0 && !report.records;
}

/* ---- what is said ---- */

/* What the child sends, before the bytes of all that has a length. */
struct message {
	uint32_t job;
	enum hook_finding finding;
	enum err_code code;
	uint32_t best;
	bool fixpoint;
	size_t smallest, output, text;
};

static void tell(struct judge *g, struct file *f, enum hook_finding finding,
                 const struct hook_judgement *j, const struct err *err)
{
	const struct hook_judgement none = { 0 };
	const char *why = finding == HOOK_UNJUDGED ? err->msg : "";
	if (!j)
		j = &none;
	struct message m = { .job = (uint32_t)(f->job - g->how->plan->jobs),
		             .finding = finding,
		             .code = *why ? err->code : ERR_NONE,
		             .best = j->best,
		             .fixpoint = j->fixpoint,
		             .smallest = j->smallest.len,
		             .output = j->output.len,
		             .text = strlen(why) };
	if (io_write_all(g->to, &m, sizeof m) < 0 ||
	    io_write_all(g->to, j->smallest.data, m.smallest) < 0 ||
	    io_write_all(g->to, j->output.data, m.output) < 0 ||
	    io_write_all(g->to, why, m.text) < 0)
		_exit(1); /* nobody listens any more */
	f->job->done = finding != HOOK_BEGUN;
	if (f->job->done && finding != HOOK_LARGE) /* else the next push knows at once */
		forget(g, f);
}

static void tell_unjudged(struct judge *g, struct file *f, const char *why)
{
	struct err err;
	err_set(&err, ERR_TEST, "%s", why);
	tell(g, f, HOOK_UNJUDGED, NULL, &err);
}

/* ---- files ---- */

static void let_go(struct file *f)
{
	testcase_unref(f->tc);
	f->tc = NULL;
}

/* The next of the answers of git-cat-file: "ID blob SIZE", a line's end, the bytes, a line's end.
 */
static int take_blob(struct file *f, const struct buf *text, size_t *at, struct err *err)
{
	const char *head = text->data + *at, *end = memchr(head, '\n', text->len - *at);
	size_t size = f->job->size, left = end ? text->len - (size_t)(end + 1 - text->data) : 0;
	if (!end || left < size + 1)
		return err_set(err, ERR_SYSTEM, "git cat-file gave too little");
	uint8_t *bytes = mem_alloc(size + 1);
	memcpy(bytes, end + 1, size);
	bytes[size] = '\0';
	f->tc = testcase_new(path_base(f->job->file->path), 0644, bytes, f->job->size);
	*at = (size_t)(end + 1 - text->data) + size + 1;
	return 0;
}

/* Reads files from FROM on, as many as are held at a time: the end of them. 0 and err. */
static size_t load(struct judge *g, size_t from, size_t end, struct err *err)
{
	MEM_SCOPED char *dir = mem_printf("--git-dir=%s", g->how->common);
	const char *const argv[] = { dir, "cat-file", "--batch", "--buffer", NULL };
	BUF_SCOPED struct buf in = { 0 }, out = { 0 };
	const struct git_call call = { .argv = argv, .in = &in, .stoppable = true };
	uint64_t bytes = 0;
	size_t to = from, at = 0;
	for (size_t i = 0; i < g->n; i++)
		let_go(&g->files[i]);
	for (; to < end && (to == from || bytes + g->files[to].job->size <= LOAD_MOST); to++) {
		bytes += g->files[to].job->size;
		buf_addf(&in, "%s\n", g->files[to].job->file->blob);
	}
	int rc = git_ask(&call, &out, err);
	for (size_t i = from; rc == 0 && i < to; i++)
		rc = take_blob(&g->files[i], &out, &at, err);
	return rc < 0 ? 0 : to;
}

/* The largest size at which a version of a file of SIZE bytes shows that it is too large. 0: none
 * does. */
static uint32_t enough(const struct hook_job *job)
{
	unsigned slack = job->needed->driver->slack;
	uint32_t bytes = (uint32_t)((uint64_t)job->size * slack / 100);
	if (slack && bytes < LEAST_SLACK)
		bytes = LEAST_SLACK;
	return job->size > bytes ? job->size - bytes - 1 : 0;
}

/* After how many refusals in a row the file is as small as need be: few for a small one, of which
 * there is little to gain. 0: nobody asks. */
static uint64_t patience(const struct hook_job *job)
{
	uint64_t tolerated = job->size / LEAST_SLACK;
	if (!enough(job))
		return 0;
	if (!job->needed->driver->slack) /* every byte counts */
		return job->size + MOST_REFUSED;
	return tolerated < 2 ? 0 : tolerated < MOST_REFUSED ? tolerated : MOST_REFUSED;
}

/* ---- is it interesting? ---- */

/* Under what the answer of a round is kept. */
static struct hash asked_as(const struct file *f, unsigned round)
{
	return round ? verdicts_confirmed(f->tc->hash) : f->tc->hash;
}

static bool is_open(struct file *f, unsigned round)
{
	if (f->job->done || !f->tc)
		return false;
	bool known = verdicts_get(&f->verdicts, asked_as(f, round), 0) != VERDICT_UNKNOWN;
	if (known && !round)
		f->first = VERDICT_INTERESTING;
	return !known && (!round || f->first == VERDICT_INTERESTING);
}

static void take_answer(struct judge *g, struct file *f, const struct answer *a, unsigned round)
{
	if (a->verdict == VERDICT_INTERESTING)
		note(g, f, asked_as(f, round), a->wall_ns);
	if (!round) {
		f->first = a->verdict;
		f->answer = *a;
	} else if (a->verdict == VERDICT_INTERESTING && !patience(f->job))
		tell(g, f, HOOK_GOOD, NULL, NULL);
	else if (a->verdict != VERDICT_INTERESTING)
		tell_unjudged(g, f,
		              "the test is flaky: of two runs on it, one found it interesting");
}

static void begin(struct judge *g, struct file *f)
{
	if (f->job->begun)
		return;
	f->job->begun = true;
	open_journal(g, f); /* without a verdict it says that there was none in time */
	journal_close(&f->journal);
	tell(g, f, HOOK_BEGUN, NULL, NULL);
}

static struct oracle_request request(const struct judge *g, const struct file *f, uint64_t ticket)
{
	return (struct oracle_request){ .ticket = ticket, .tc = f->tc, .limits = g->limits };
}

/* Asks about all of SPAN at once. 0; 1 when something has arrived before the end; -1 and err. */
static int ask_round(struct judge *g, struct span span, unsigned round, struct err *err)
{
	size_t next = span.begin, open = 0;
	int rc = 0;
	while (rc >= 0 && !signals_arrived()) {
		while (next < span.end && !is_open(&g->files[next], round))
			next++;
		if (next < span.end && oracle_free_slots(g->pool)) {
			struct oracle_request rq = request(g, &g->files[next], next);
			begin(g, &g->files[next]);
			rc = oracle_submit(g->pool, &rq, err);
			next++;
			open++;
			continue;
		}
		if (!open)
			return 0;
		struct answer a = { 0 };
		rc = oracle_wait_long(g->pool, &a, g->wake, err);
		if (rc > 0) {
			take_answer(g, &g->files[a.ticket], &a, round);
			open--;
		}
	}
	for (size_t i = span.begin; i < next; i++)
		oracle_cancel(g->pool, i);
	return rc < 0 ? -1 : 1;
}

/* The first run said no: another shows what it prints. */
static int show(struct judge *g, struct file *f, struct err *err)
{
	struct hook_judgement j = { 0 };
	struct answer a;
	MEM_SCOPED char *output = NULL;
	begin(g, f);
	if (f->first == VERDICT_TIMEOUT || f->answer.why != ANSWER_OWN) {
		tell_unjudged(g, f,
		              f->first == VERDICT_TIMEOUT ? "the test does not end on it"
		                                          : "the test exceeds a limit on it");
		return 0;
	}
	struct oracle_request rq = request(g, f, 0);
	int rc = oracle_ask_verbose(g->pool, &rq, g->wake, &a, &output, err);
	if (rc == 0 && a.verdict == VERDICT_INTERESTING)
		tell_unjudged(g, f,
		              "the test is flaky: of two runs on it, one found it interesting");
	else if (rc == 0) {
		buf_addf(&j.output, "%s", output);
		tell(g, f, HOOK_DULL, &j, NULL);
	}
	buf_release(&j.output);
	return rc;
}

/* Asks about an empty file with the name of F, once for each test. 1: it is interesting, which says
 * nothing about a bug; 0; -1 and err, or nothing when something has arrived. */
static int is_trivial(struct judge *g, const struct file *f, struct err *err)
{
	struct hash key = hook_plan_key(g->turn, "empty", "");
	struct answer a = { 0 };
	if (!g->how->again && hook_seen_has(g->how->seen, key))
		return 0;
	uint8_t *nothing = mem_zero(1, 1);
	struct testcase *tc = testcase_new(path_base(f->job->file->path), 0644, nothing, 0);
	struct oracle_request rq = request(g, f, 0);
	rq.tc = tc;
	int rc = oracle_ask(g->pool, &rq, g->wake, &a, err);
	testcase_unref(tc);
	if (rc)
		return -1;
	if (a.verdict == VERDICT_INTERESTING)
		return 1;
	struct err ignored; /* then it is asked about again */
	hook_seen_add(g->how->seen, key, &ignored);
	return 0;
}

/* All of SPAN, which is loaded: first each is asked about, then asked about again. */
static int ask_all(struct judge *g, struct span span, struct err *err)
{
	int rc = ask_round(g, span, 0, err), trivial = -1;
	for (size_t i = span.begin; rc == 0 && i < span.end; i++) {
		struct file *f = &g->files[i];
		if (f->job->done)
			continue;
		if (f->first != VERDICT_INTERESTING) {
			rc = show(g, f, err);
			continue;
		}
		if (trivial < 0 && (trivial = is_trivial(g, f, err)) < 0)
			return signals_arrived() ? 1 : -1;
		if (trivial)
			tell_unjudged(g, f,
			              "the test is interesting on an empty file; it must look for "
			              "the bug itself");
	}
	return rc ? rc : ask_round(g, span, 1, err);
}

static int first_look(struct judge *g, struct span span, struct err *err)
{
	int rc = 0;
	for (size_t from = span.begin, to; rc == 0 && from < span.end; from = to) {
		if (!(to = load(g, from, span.end, err)))
			return -1;
		for (size_t i = from; i < to; i++)
			if (!g->files[i].job->done)
				recall(g, &g->files[i]);
		rc = ask_all(g, (struct span){ from, to }, err);
	}
	return rc;
}

/* ---- is it small? ---- */

static int on_verdict(void *arg, struct hash hash, enum verdict verdict, uint64_t limit_ns,
                      struct err *err)
{
	struct file *f = arg;
	const struct store_entry v = { hash, verdict == VERDICT_TIMEOUT ? limit_ns : 0,
		                       (uint8_t)verdict, STORE_VERDICT };
	return append(f, &v, err);
}

static bool on_should_stop(UNUSED void *arg)
{
	return signals_arrived() != 0;
}

/* As in a reduction: see probe_limit. */
static uint64_t limit_of(const struct judge *g, const struct file *f)
{
	uint64_t given = g->how->base->tests.timeout_ns;
	return given ? given : probe_limit(f->slowest_ns);
}

/* Looks for smaller versions, to the end or until the file is judged. *best: the smallest, the
 * caller's; NULL with DRIVER_FAILED. */
static enum driver_end reduce(struct judge *g, struct file *f, bool to_the_end,
                              struct testcase **best, struct err *err)
{
	const struct session_options *base = g->how->base;
	SCOPED(language_release) struct language language = { 0 };
	const struct language_options lo = { .file = f->tc->files[0].path,
		                             .tokenizer = g->turn->tokenizer,
		                             .dirs = base->tokenizer_dirs };
	struct engine_options eo = { .passes = base->settings.passes,
		                     .seed = base->settings.seed,
		                     .certify = base->settings.certify,
		                     .limits = g->limits,
		                     .verdicts = &f->verdicts,
		                     .wake_fd = g->wake,
		                     .tick_ms = TICK_MS };
	const struct engine_observer observer = { .verdict = on_verdict,
		                                  .should_stop = on_should_stop,
		                                  .arg = f };
	eo.limits.wall_ns = limit_of(g, f);
	eo.stop_after = to_the_end ? 0 : patience(f->job);
	eo.until_size = to_the_end ? 0 : enough(f->job);
	enum driver_end end = DRIVER_FAILED;
	*best = NULL;
	if (language_find(&language, &lo, f->tc, err) == 0) {
		struct engine *e = engine_new(f->tc, &language, &eo, &observer);
		open_journal(g, f);
		end = engine_run(e, g->pool, err);
		journal_close(&f->journal);
		*best = testcase_ref(engine_current(e));
		engine_free(e);
	}
	return end;
}

/* Is what stops the push really so? 0: yes, or it was said what is wrong. */
static int confirm(struct judge *g, struct file *f, const struct testcase *best, struct err *err)
{
	struct hash hash = verdicts_confirmed(best->hash);
	struct answer a;
	struct oracle_request rq = request(g, f, 0);
	rq.tc = best;
	rq.limits.wall_ns = limit_of(g, f);
	if (verdicts_get(&f->verdicts, hash, 0))
		return 0;
	int rc = oracle_ask(g->pool, &rq, g->wake, &a, err);
	if (rc == 0 && a.verdict == VERDICT_INTERESTING)
		note(g, f, hash, 0);
	else if (rc == 0)
		tell_unjudged(g, f,
		              "the test is flaky: a smaller version was interesting only once");
	return rc;
}

static int look_for_smaller(struct judge *g, struct file *f, struct err *err)
{
	struct testcase *best;
	begin(g, f);
	enum driver_end end = reduce(g, f, false, &best, err);
	struct hook_judgement j = { .best = best ? best->size : 0,
		                    .fixpoint = end == DRIVER_FIXPOINT };
	int rc = 0;
	if (end == DRIVER_FAILED)
		tell(g, f, HOOK_UNJUDGED, NULL, err);
	else if (end != DRIVER_STOPPED && j.best > enough(f->job))
		tell(g, f, HOOK_GOOD, &j, NULL);
	else if (end != DRIVER_STOPPED && (rc = confirm(g, f, best, err)) == 0 && !f->job->done) {
		f->smaller = testcase_ref(best);
		if (!g->how->minimize)
			tell(g, f, HOOK_LARGE, &j, NULL);
	}
	testcase_unref(best);
	return rc;
}

/* Makes a file that is too large as small as can be. When the time is over what there is counts. */
static void minimize(struct judge *g, struct file *f)
{
	struct err err;
	TESTCASE_SCOPED struct testcase *best = NULL;
	bool late = !f->tc || signals_arrived();
	enum driver_end end = late ? DRIVER_STOPPED : reduce(g, f, true, &best, &err);
	struct testcase *small = best && best->size < f->smaller->size ? best : f->smaller;
	struct hook_judgement j = { .best = small->size, .fixpoint = end == DRIVER_FIXPOINT };
	buf_add(&j.smallest, small->bytes, small->size);
	tell(g, f, HOOK_LARGE, &j, NULL);
	buf_release(&j.smallest);
}

static int second_look(struct judge *g, struct span span, struct err *err)
{
	for (int last = 0, looks = g->how->minimize ? 2 : 1; last < looks; last++)
		for (size_t i = span.begin; i < span.end; i++) {
			struct file *f = &g->files[i];
			if (f->job->done || (last && !f->smaller))
				continue;
			if (!last && signals_arrived())
				break;
			if (!f->tc && !load(g, i, span.end, err) && !last)
				return -1;
			if (last)
				minimize(g, f);
			else if (look_for_smaller(g, f, err) < 0)
				return -1;
		}
	return 0;
}

/* ---- drivers ---- */

static int open_pool(struct judge *g, struct span span, struct err *err)
{
	const struct session_options *o = g->how->base;
	uint64_t largest = 0;
	for (size_t i = span.begin; i < span.end; i++)
		if (g->files[i].job->size > largest)
			largest = g->files[i].job->size;
	const struct setup setup = {
		.test = g->turn->test,
		.jobs = o->tests.jobs,
		.input = o->settings.input,
		.input_size = largest,
		.fence = &g->fence,
		.make = o->tests.under_make ? &o->tests.make : NULL,
		.serve = true,
		.shims = o->tests.shims,
		.files_size = o->settings.file_limit,
		.groups = o->settings.memory_limit ||
		          o->settings.process_limit != SETTINGS_PROCESS_LIMIT,
	};
	g->limits = (struct oracle_limits){
		.wall_ns = o->tests.timeout_ns ? o->tests.timeout_ns : PROBE_LIMIT_NS,
		.memory = o->settings.memory_limit,
		.files = o->settings.file_limit,
		.processes = o->settings.process_limit,
	};
	g->pool = setup_open(&setup, err);
	return g->pool ? 0 : -1;
}

/* A look at the files of a driver, in the time that it has left. */
typedef int look_fn(struct judge *g, struct span span, struct err *err);

static void take_turn(struct judge *g, struct span span, look_fn *look)
{
	struct err err;
	struct hook_needed *n = g->files[span.begin].job->needed;
	uint64_t began = io_now();
	int sig = signals_arrived();
	if (!n->left_ns || (sig && sig != SIGALRM))
		return;
	g->turn = n;
	signals_set_time(n->left_ns);
	int rc = open_pool(g, span, &err);
	if (rc == 0)
		rc = look(g, span, &err);
	for (size_t i = span.begin; rc < 0 && !signals_arrived() && i < span.end; i++)
		if (!g->files[i].job->done)
			tell(g, &g->files[i], HOOK_UNJUDGED, NULL, &err);
	oracle_free(g->pool);
	g->pool = NULL;
	uint64_t used = io_now() - began;
	n->left_ns = used < n->left_ns ? n->left_ns - used : 0;
}

static void each_driver(struct judge *g, look_fn *look)
{
	struct span span = { 0 };
	for (; span.begin < g->n; span.begin = span.end) {
		const struct hook_needed *n = g->files[span.begin].job->needed;
		bool open = false;
		for (span.end = span.begin; span.end < g->n; span.end++) {
			if (g->files[span.end].job->needed != n)
				break;
			open |= !g->files[span.end].job->done;
		}
		if (open)
			take_turn(g, span, look);
	}
}

/* The files that are not done, by driver; of each last those that were tried in vain. */
static void list_files(struct judge *g)
{
	struct hook_plan *plan = g->how->plan;
	MEM_SCOPED bool *vain = mem_zero(plan->n_jobs, sizeof *vain);
	g->files = mem_zero(plan->n_jobs, sizeof *g->files);
	for (size_t i = 0; i < plan->n_jobs; i++)
		vain[i] = was_vain(g, &plan->jobs[i]);
	for (size_t n = 0; n < plan->n_needed; n++)
		for (int last = 0; last < 2; last++)
			for (size_t i = 0; i < plan->n_jobs; i++)
				if (plan->jobs[i].needed == &plan->needed[n] &&
				    vain[i] == (last == 1) && !plan->jobs[i].done)
					g->files[g->n++] = (struct file){ .job = &plan->jobs[i],
						                          .journal = { .fd = -1 } };
}

static void judge_here(struct judge *g)
{
	struct err err;
	git_leave_repository(); /* a test that uses git means its own repository */
	list_files(g);
	if (fence_find(&g->fence, &g->how->base->settings.fence, &err) < 0 ||
	    hook_seen_make(g->how->seen, &err) < 0)
		for (size_t i = 0; i < g->n; i++)
			tell(g, &g->files[i], HOOK_UNJUDGED, NULL, &err);
	each_driver(g, first_look);
	each_driver(g, second_look);
}

/* ---- the process of its own ---- */

/* After its time a child gets as long to end by itself, after a kill what it started as long. */
static const uint64_t GRACE_NS = 250000000, CLEAN_NS = 200000000;

static noreturn void become(const struct hook_judging *how, pid_t parent, int to)
{
	struct judge g = { .how = how, .to = to };
	prctl(PR_SET_PDEATHSIG, SIGKILL);
	if (getppid() != parent || (g.wake = signals_open()) < 0)
		_exit(1);
	judge_here(&g);
	_exit(0);
}

static int left_ms(uint64_t until)
{
	uint64_t now = io_now();
	return now < until ? (int)((until - now + 999999) / 1000000) : 0;
}

/* Takes the whole messages from the front of TEXT. */
static void hear(const struct hook_judging *how, struct buf *text)
{
	struct message m;
	size_t at = 0;
	while (text->len - at >= sizeof m) {
		memcpy(&m, text->data + at, sizeof m);
		size_t len = sizeof m + m.smallest + m.output + m.text;
		if (text->len - at < len)
			break;
		char *bytes = text->data + at + sizeof m;
		struct hook_judgement j = { .best = m.best, .fixpoint = m.fixpoint };
		struct err err = { .code = m.code };
		buf_add(&j.smallest, bytes, m.smallest);
		buf_add(&j.output, bytes + m.smallest, m.output);
		snprintf(err.msg, sizeof err.msg, "%.*s", (int)m.text,
		         bytes + m.smallest + m.output);
		struct hook_job *job = &how->plan->jobs[m.job];
		job->begun = true;
		job->done = m.finding != HOOK_BEGUN;
		how->told(how->arg, job, m.finding, &j, &err);
		buf_release(&j.smallest);
		buf_release(&j.output);
		at += len;
	}
	memmove(text->data, text->data + at, text->len - at);
	text->len -= at;
}

enum end { END_CLOSED, END_TIME, END_SIGNAL };

/* Hears what comes from FROM to its end, until a signal or the time UNTIL. */
static enum end receive(const struct hook_judging *how, int from, int stop, uint64_t until)
{
	BUF_SCOPED struct buf text = { 0 };
	char bytes[1 << 16];
	enum end end = END_CLOSED;
	buf_add(&text, "", 0);
	for (;;) {
		struct pollfd p[] = { { .fd = from, .events = POLLIN },
			              { .fd = stop, .events = POLLIN } };
		int n = poll(p, 2, left_ms(until));
		if (n < 0)
			continue;
		if (n == 0 || p[1].revents) {
			end = n ? END_SIGNAL : END_TIME;
			break;
		}
		ssize_t got = read(from, bytes, sizeof bytes);
		if (got < 0 && errno == EINTR)
			continue;
		if (got <= 0)
			break;
		buf_add(&text, bytes, (size_t)got);
		hear(how, &text);
	}
	return end;
}

/* Waits until the child PID has ended (-1: all that we, or what is gone, have started), not for
 * ever. */
static bool has_ended(pid_t pid, uint64_t patience_ns)
{
	uint64_t until = io_now() + patience_ns;
	sigset_t child;
	sigemptyset(&child);
	sigaddset(&child, SIGCHLD);
	for (;;) {
		pid_t ended;
		while ((ended = waitpid(pid, NULL, WNOHANG)) > 0 || (ended < 0 && errno == EINTR))
			;
		int left = left_ms(until);
		if (ended < 0 || !left)
			return ended < 0;
		const struct timespec wait = { left / 1000, left % 1000 * 1000000L };
		sigtimedwait(&child, NULL, &wait);
	}
}

/* Removes the directories of processes that were killed. */
static void tidy(void)
{
	const char *const bases[] = { NULL, io_temporary() };
	for (int i = 0; i < 2; i++) {
		struct workdir dir;
		if (workdir_init(&dir, bases[i], 1, 0, NULL) == 0)
			workdir_release(&dir);
	}
}

/* Ends a child that still runs, and what it started. */
static void end_child(pid_t pid, enum end end)
{
	if (end == END_SIGNAL) /* which it may have got as well, and be about to clear away */
		kill(pid, SIGTERM);
	if (end == END_TIME || !has_ended(pid, GRACE_NS)) {
		kill(pid, SIGKILL);
		waitpid(pid, NULL, 0);
	}
	has_ended(-1, CLEAN_NS);
	tidy();
}

/* The first file whose test was started and of which nothing was heard; NULL: none. */
static struct hook_job *unheard(const struct hook_judging *how)
{
	for (size_t i = 0; i < how->plan->n_jobs; i++)
		if (how->plan->jobs[i].begun && !how->plan->jobs[i].done)
			return &how->plan->jobs[i];
	return NULL;
}

/* One child. True: it has died over a file, and another may go on with the rest. */
static bool judge_apart(const struct hook_judging *how, int stop, uint64_t until)
{
	int fds[2], status = 0;
	pid_t parent = getpid(), pid = pipe2(fds, O_CLOEXEC) < 0 ? -1 : fork();
	if (pid == 0)
		become(how, parent, fds[1]);
	if (pid < 0)
		return false;
	close(fds[1]);
	enum end end = receive(how, fds[0], stop, until);
	close(fds[0]);
	if (end != END_CLOSED) {
		end_child(pid, end);
		return false;
	}
	waitpid(pid, &status, 0);
	if (status == 0)
		return false;
	tidy();
	struct hook_job *job = unheard(how);
	struct err err;
	err_set(&err, ERR_SYSTEM, "the process that judged it ended without an answer");
	if (job) {
		job->done = true;
		how->told(how->arg, job, HOOK_UNJUDGED, &(struct hook_judgement){ 0 }, &err);
	}
	return job != NULL;
}

void hook_judge(const struct hook_judging *how)
{
	uint64_t all = 0, until = io_now() + GRACE_NS;
	for (size_t i = 0; i < how->plan->n_needed; i++)
		if (how->plan->needed[i].files)
			all += how->plan->needed[i].left_ns;
	until += all;
	IO_SCOPED int stop = signals_open();
	prctl(PR_SET_CHILD_SUBREAPER, 1); /* what a killed child started comes to us */
	while (how->plan->n_jobs && judge_apart(how, stop, until))
		for (size_t i = 0; i < how->plan->n_needed; i++) {
			uint64_t now = io_now(), left = now < until ? until - now : 0;
			if (how->plan->needed[i].left_ns > left)
				how->plan->needed[i].left_ns = left;
		}
}
