#include <fts.h>
#include <stdio.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "base/buf.h"
#include "base/err.h"
#include "base/io.h"
#include "base/mem.h"
#include "base/path.h"
#include "base/quote.h"
#include "base/show.h"
#include "disk/leftovers.h"
#include "disk/replace_record.h"
#include "far/far.h"
#include "fence/fence.h"
#include "lang/tokenizer.h"
#include "run/also.h"
#include "run/oracle.h"
#include "run/repeat.h"
#include "run/setup.h"
#include "reduce/probe.h"
#include "reduce/session_also.h"
#include "reduce/session_def.h"
#include "reduce/session_doubt.h"

/* Starts them, beside the oracle that is there. 0, or -1 with err. */
static int session_far_open(struct session *s, struct err *err)
{
	const struct session_far *far = &s->options.far;
	const struct far_options o = { .setup = &s->ask.setup,
		                       .commands = far->commands,
		                       .n = far->n,
		                       .from = far->from,
		                       .with = far->with,
		                       .n_with = far->n_with,
		                       .tests_here = !far->only };
	if (!far->n && !far->from)
		return 0;
	s->ask.oracle = s->ask.far = far_new(s->ask.oracle, &o, err);
	return s->ask.far ? 0 : -1;
}

/* A test that is not sure may say otherwise each time. */
static bool is_sure(const struct session *s)
{
	return s->ask.oracle == s->ask.once && !s->options.settings.repeat.flaky;
}

/* The test is about to be asked about the original and the empty input: they are, too, so that they
 * can be used as soon as the answers are in. */
static void session_far_ask(struct session *s)
{
	if (!s->ask.far || !is_sure(s))
		return;
	far_calibrate(s->ask.far, s->original, VERDICT_UNKNOWN, &s->ask.limits);
	far_calibrate(s->ask.far, s->ask.empty, VERDICT_UNKNOWN, &s->ask.limits);
}

/* What is known of the test is what they are measured by, from now on. */
static void session_far_begin(struct session *s)
{
	if (!s->ask.far)
		return;
	if (!is_sure(s)) {
		far_trust(s->ask.far);
		return;
	}
	TESTCASE_SCOPED struct testcase *empty = input_empty(&s->input);
	enum verdict verdict = verdicts_get(&s->ask.verdicts, empty->hash, s->ask.limits.wall_ns);
	far_calibrate(s->ask.far, s->original, VERDICT_INTERESTING, &s->ask.limits);
	far_calibrate(s->ask.far, empty,
	              verdict == VERDICT_NOT_INTERESTING ? verdict : VERDICT_TIMEOUT,
	              &s->ask.limits);
}

/* A test is not interesting behind the fence. Would it be without, and what does it want to write?
 *
 * Where there are namespaces it runs once more in a copy of the whole world, so that
 * nothing outside changes. Only when that is not to be had it runs once as it would without a
 * fence. What has changed meanwhile near the paths that programs write to is then suspected, and
 * these paths are; but others change files, too, and some are gone when it ends. What is named is
 * therefore what it still needs when all else is kept from it.
 */
struct fence_trial {
	const struct setup *setup; /* how it ran, with its fence */
	struct oracle_limits limits;
	const struct testcase *tc;
	const char *test, *file; /* as the user named them */
	int stop_fd;             /* readable when the user wants to stop; -1: none */
};

enum {
	WRITTEN_MAX = 64,
	CHANGED_MAX = WRITTEN_MAX - 8, /* leaves room for what works_without suspects */
	WRITTEN_SHOWN = 4,
	LOOKED_AT_MAX = 100000,
};

/* What would have to be allowed. */
struct written {
	char *path[WRITTEN_MAX];
	unsigned n;
};

/* Adds PATH, unless it is, or lies in, one that is there; what lies in it goes. */
static void add_path(struct written *w, const char *path)
{
	unsigned kept = 0;
	for (unsigned i = 0; i < w->n; i++)
		if (path_is_at(path, w->path[i]))
			return;
	for (unsigned i = 0; i < w->n; i++)
		if (path_is_at(w->path[i], path))
			free(w->path[i]);
		else
			w->path[kept++] = w->path[i];
	w->n = kept;
	if (w->n < WRITTEN_MAX)
		w->path[w->n++] = mem_strdup(path);
}

/* What has to be allowed for PATH to be written: the file, if it is there, else the nearest
 * directory that is. */
static void add_written(struct written *w, const char *path)
{
	struct stat st;
	MEM_SCOPED char *at = mem_strdup(path);
	while (lstat(at, &st) < 0 && strrchr(at, '/') != at)
		*strrchr(at, '/') = '\0';
	add_path(w, at);
}

static void release(struct written *w)
{
	for (unsigned i = 0; i < w->n; i++)
		free(w->path[i]);
	w->n = 0;
}

/* ---- running it ---- */

/* 1, 0, or -1: that could not be had. */
static int ask(const struct fence_trial *t, const struct fence *fence)
{
	struct setup setup = *t->setup;
	struct answer a = { 0 };
	const struct oracle_request rq = { .ticket = 1, .tc = t->tc, .limits = t->limits };
	setup.fence = fence;
	setup.jobs = 1;
	setup.make = NULL;
	setup.notice = NULL;
	SCOPED(oracle_scoped) struct oracle *oracle = setup_open(&setup, NULL);
	bool asked = oracle && oracle_ask(oracle, &rq, t->stop_fd, &a, NULL) == 0;
	return asked ? a.verdict == VERDICT_INTERESTING : -1;
}

static bool is_interesting(const struct fence_trial *t, const struct fence *fence)
{
	return ask(t, fence) > 0;
}

/* The report of a world: a path in each line, relative to nothing. */
static void read_report(struct written *w, const char *file)
{
	BUF_SCOPED struct buf text = { 0 };
	if (io_read_file(file, &text, NULL) == 0 && text.len)
		for (char *line = text.data, *end; (end = strchr(line, '\n')); line = end + 1) {
			*end = '\0';
			add_written(w, line);
		}
}

/* As ask. */
static int works_in_a_copy(const struct fence_trial *t, struct written *w)
{
	struct fence copy = *t->setup->fence;
	if (!(copy.parts & FENCE_TMP) || copy.n_allow == FENCE_ALLOW_MAX)
		return -1;
	char *report = io_temporary_name("whittle-report");
	int fd = mkstemp(report), yes = -1;
	if (fd >= 0) {
		close(fd);
		copy.allow[copy.n_allow++] = report;
		fence_try(&copy, report);
		yes = ask(t, &copy);
		if (yes > 0)
			read_report(w, report);
		unlink(report);
	}
	free(report);
	return yes;
}

/* ---- what has changed ---- */

/* Ours, and changed since then. */
static bool since(const struct stat *st, const struct timespec *begin)
{
	return st->st_uid == geteuid() &&
	       (st->st_ctim.tv_sec > begin->tv_sec ||
	        (st->st_ctim.tv_sec == begin->tv_sec && st->st_ctim.tv_nsec >= begin->tv_nsec));
}

/* Looks below DIR, on its file system. The directories of whittle itself are none of the test's. */
static void find_changed(struct written *w, const char *dir, const struct timespec *begin)
{
	char *real = realpath(dir, NULL), *roots[] = { real, NULL };
	FTS *fts = real ? fts_open(roots, FTS_PHYSICAL | FTS_XDEV | FTS_NOCHDIR, NULL) : NULL;
	unsigned seen = 0;
	for (FTSENT *e; fts && seen < LOOKED_AT_MAX && (e = fts_read(fts)); seen++) {
		if (e->fts_info == FTS_D && !strncmp(e->fts_name, "whittle-", 8))
			fts_set(fts, e, FTS_SKIP);
		else if (e->fts_info != FTS_DP && e->fts_info != FTS_NS && e->fts_level &&
		         w->n < CHANGED_MAX && since(e->fts_statp, begin))
			add_path(w, e->fts_info == FTS_D ? e->fts_path : e->fts_accpath);
	}
	if (fts)
		fts_close(fts);
	free(real);
}

/* As ask, with the paths in W allowed, but for N of them that begin with FIRST. */
static int ask_allowing(const struct fence_trial *t, const struct written *w, unsigned first,
                        unsigned n)
{
	struct fence fence = *t->setup->fence;
	fence.guessed = true;
	for (unsigned i = 0; i < w->n && fence.n_allow < FENCE_ALLOW_MAX; i++)
		if (i < first || i >= first + n)
			fence.allow[fence.n_allow++] = w->path[i];
	return ask(t, &fence);
}

/* Of the N paths that begin with FIRST, leaves those that it needs. */
static void drop_needless(const struct fence_trial *t, struct written *w, unsigned first,
                          unsigned n)
{
	if (n == 0)
		return;
	if (ask_allowing(t, w, first, n) > 0) {
		for (unsigned i = first; i < first + n; i++)
			free(w->path[i]);
		memmove(w->path + first, w->path + first + n, (w->n - first - n) * sizeof *w->path);
		w->n -= n;
	} else if (n > 1) {
		drop_needless(t, w, first + n / 2, n - n / 2);
		drop_needless(t, w, first, n / 2);
	}
}

/* Adds what is suspected, less and less likely; ends where it is enough. */
static bool suspect(const struct fence_trial *t, struct written *w, const char *const *dirs,
                    size_t n)
{
	if (ask_allowing(t, w, 0, 0) > 0)
		return true;
	for (size_t i = 0; i < n; i++) {
		MEM_SCOPED char *real = dirs[i] && *dirs[i] ? realpath(dirs[i], NULL) : NULL;
		if (real)
			add_path(w, real);
	}
	if (ask_allowing(t, w, 0, 0) > 0)
		return true;
	add_path(w, "/");
	return ask_allowing(t, w, 0, 0) > 0;
}

static bool works_without(const struct fence_trial *t, struct written *w)
{
	const char *const dirs[] = { getenv("HOME"),
		                     getenv("XDG_CACHE_HOME"),
		                     getenv("TMPDIR"),
		                     "/tmp",
		                     "/var/tmp",
		                     "/dev/shm",
		                     "." };
	const size_t n = sizeof dirs / sizeof *dirs;
	struct timespec begin;
	clock_gettime(CLOCK_REALTIME_COARSE, &begin);
	if (!is_interesting(t, NULL))
		return false;
	for (size_t i = 0; i < n; i++)
		if (dirs[i] && *dirs[i])
			find_changed(w, dirs[i], &begin);
	if (suspect(t, w, dirs, n))
		drop_needless(t, w, 0, w->n);
	else
		release(w);
	return true;
}

/* Whether it says yes behind the fence when it is asked more often. */
static bool is_flaky(const struct fence_trial *t)
{
	enum { RUNS = 14 };
	for (int i = 0; i < RUNS; i++)
		if (is_interesting(t, t->setup->fence))
			return true;
	return false;
}

/* ---- saying it ---- */

static void say(const struct fence_trial *t, const struct written *w, const char *how,
                struct err *err)
{
	BUF_SCOPED struct buf paths = { 0 }, options = { 0 };
	for (unsigned i = 0; i < w->n && i < WRITTEN_SHOWN; i++) {
		buf_addf(&paths, "%s%s", i ? ", " : "", w->path[i]);
		buf_addf(&options, " --allow-write=");
		quote_add(&options, w->path[i]);
	}
	if (w->n > WRITTEN_SHOWN)
		buf_addf(&paths, " and %u more", w->n - WRITTEN_SHOWN);
	if (w->n == 1 && !strcmp(w->path[0], "/"))
		err_set(err, ERR_USAGE,
		        "%s is interesting to %s only without the fence: it has to write to a "
		        "place that could not be found out; name it with --allow-write, or use "
		        "--fence=none",
		        t->file, t->test);
	else if (w->n)
		err_set(err, ERR_USAGE,
		        "%s is interesting to %s only without the fence: %s %s; let tests write "
		        "there with%s (git config whittle.allowWrite), or use --fence=none",
		        t->file, t->test, how, paths.data, options.data);
	else
		err_set(err, ERR_USAGE,
		        "%s is interesting to %s only without the fence, but not because of files "
		        "that it writes; use --fence=none",
		        t->file, t->test);
}

/* True when it is the fence: ERR (ERR_USAGE) says what the test wants to write and which options
 * allow that; or when the test is flaky (ERR_TEST). False, with ERR as it was, when it is not, or
 * cannot be found out. */
static bool fence_trial(const struct fence_trial *t, struct err *err)
{
	struct written w = { 0 };
	if (!t->setup->fence || !t->setup->fence->parts)
		return false;
	int copied = works_in_a_copy(t, &w);
	bool found = copied < 0 ? works_without(t, &w) : copied;
	if (found)
		say(t, &w, copied < 0 ? "it has to write to" : "it writes to", err);
	if (found && is_flaky(t))
		err_set(err, ERR_TEST,
		        "the interestingness test is flaky: on %s, it first said no, and then yes "
		        "(see --flaky and --repeat)",
		        t->file);
	release(&w);
	return found;
}

enum { MORE_JOBS = 4 }; /* besides twice as many as at the start */

/* ---- waiting ---- */

/* ---- what is given, and what is kept ---- */

static int add_external(struct session *s, const char *command, const char *tokenizer,
                        const struct testcase *empty, struct err *err)
{
	const struct oracle_asker asker = { s->ask.oracle, s->options.end.stop_fd };
	snprintf(s->waits.name, sizeof s->waits.name, "%s, an external program", command);
	session_waits(s, s->waits.name);
	int rc = externals_add(&s->externals, command, tokenizer, empty, &asker, err);
	session_waits(s, NULL);
	return rc;
}

/* Those that are there for files of this name. */
static int add_installed(struct session *s, const char *tokenizer, const struct testcase *empty,
                         struct err *err)
{
	const struct session_options *o = &s->options;
	int rc = 0;
	if (!o->external.pass_dir)
		return 0;
	char *found[] = { externals_installed(tokenizer, o->external.pass_dir),
		          externals_built(tokenizer, o->file, o->external.program_dir) };
	for (size_t i = 0; i < sizeof found / sizeof *found; i++) {
		if (found[i] && rc == 0)
			rc = add_external(s, found[i], tokenizer, empty, err);
		if (rc < 0 &&
		    err->code == ERR_USAGE) { /* it is broken, and nobody has asked for it */
			MEM_SCOPED char *message = mem_printf("%s; it is not used", err->msg);
			session_notice(s, message);
			rc = 0;
		}
		free(found[i]);
	}
	return rc;
}

/* The external passes: the user's, then those that are installed for files of this name. (Their
 * content may have changed since the reduction began.) */
static int open_externals(struct session *s, struct err *err)
{
	struct session_options *o = &s->options;
	int rc = 0;
	if (s->input.is_tree && (o->external.n || o->format))
		return err_set(err, ERR_USAGE, "option --%s is for single files",
		               o->format ? "format" : "external");
	if (!o->settings.no_external && !s->input.is_tree) {
		const struct testcase_file *file = &s->follow.found->files[0];
		TESTCASE_SCOPED struct testcase *empty =
			testcase_new(file->path, file->mode, mem_zero(1, 1), 0);
		s->language.shelf = shelf_new(o->tokenizer_dirs);
		const struct tokenizer *tok = shelf_find(s->language.shelf, o->settings.tokenizer,
		                                         o->file, (const uint8_t *)"", 0, err);
		rc = tok ? 0 : -1;
		for (uint32_t i = 0; i < o->external.n && rc == 0; i++)
			rc = add_external(s, o->external.commands[i], tokenizer_name(tok), empty,
			                  err);
		if (rc == 0)
			rc = add_installed(s, tokenizer_name(tok), empty, err);
	}
	o->settings.external_identity = s->external_identity = externals_identity(&s->externals);
	return rc;
}

/* --fresh says more than --fresh-if-changed. */
static enum session_store_fresh how_fresh(const struct session_store_wishes *store)
{
	if (store->fresh)
		return SESSION_STORE_FRESH;
	return store->fresh_if_changed ? SESSION_STORE_FRESH_IF_CHANGED : SESSION_STORE_RESUME;
}

void session_stop_for(struct session *s, enum session_stop why)
{
	if (!s->wish.stop)
		s->wish.stop = why;
}

static void look_at_clock(struct session *s)
{
	const struct session_end *end = &s->options.end;
	uint64_t now = io_now();
	if (end->time_limit_ns && now - s->start_ns >= end->time_limit_ns)
		session_stop_for(s, SESSION_TIME_LIMIT);
	if (end->deadline && time(NULL) >= end->deadline)
		session_stop_for(s, SESSION_DEADLINE);
	if (s->wish.paused) /* that nothing succeeds then says nothing */
		s->success_ns = now;
	if (end->idle_ns && now - s->success_ns >= end->idle_ns)
		session_stop_for(s, SESSION_IDLE);
}

bool session_is_over(void *arg)
{
	struct session *s = arg;
	if (io_is_readable(s->options.end.stop_fd))
		session_stop_for(s, SESSION_ASKED);
	look_at_clock(s);
	return s->wish.stop;
}

/* What is kept of this reduction. NULL and err. */
static struct session_store *open_keep(struct session *s, struct err *err)
{
	MEM_SCOPED char *external = externals_commands(&s->externals),
			*allowed = fence_paths(&s->ask.fence);
	bool is_tree = s->input.is_tree;
	struct session_store_options ko = {
		.file = is_tree ? s->input.operands[0].path : s->options.file,
		.top = is_tree ? s->input.top : NULL,
		.operands = is_tree ? s->ask.operands : NULL,
		.test = s->ask.test,
		.name = s->options.store.name,
		.repository = s->options.store.repository,
		.fresh = how_fresh(&s->options.store),
		.settings = s->kept.settings,
		.fence_given = s->options.settings.fence.given,
		.out = s->options.out,
		.tokenizer = s->options.settings.tokenizer,
		.spans = s->options.settings.spans,
		.given = { external, s->options.command, s->options.needs },
		.allowed = allowed,
		.lives = s->options.tests.persistent,
		.also = { s->options.store.also, s->options.store.about },
		.based_on = s->options.store.based_on,
		.branch_of = s->options.store.branch_of,
		.notice = s->options.observer.notice,
		.arg = s->options.observer.arg
	};
	struct session_store *keep =
		session_store_open(&ko, s->follow.found, &s->kept.state, &s->original, err);
	return keep;
}

static int open_store(struct session *s, struct err *err)
{
	if (s->options.store.none) {
		s->original = testcase_ref(s->follow.found);
		if (output_check_free(&s->follow.output, NULL, NULL, err) < 0)
			return -1;
		return s->options.look_only ? 0 : output_claim(&s->follow.output, NULL, err);
	}
	if (!(s->kept.settings = settings_text(&s->options.settings, err)))
		return -1;
	if (!(s->kept.keep = open_keep(s, err)))
		return -1;
	const char *hold = session_store_settings(s->kept.keep);
	if (hold != s->kept.settings) {
		free(s->kept.settings);
		s->kept.settings = mem_strdup(hold);
	}
	struct reduction *r = session_store_of(s->kept.keep);
	session_store_hurry(s->kept.keep, session_is_over, s);
	/* What is about to be set aside is known, too. */
	bool knows = reduction_is_sound(r) || session_store_is_branch(s->kept.keep);
	if (output_check_free(&s->follow.output, knows ? session_store_knows : NULL, s->kept.keep,
	                      err) < 0)
		return -1;
	s->follow.keep = s->kept.keep;
	s->follow.resumed = s->follow.replaying = s->kept.state == STORE_UNFINISHED;
	MEM_SCOPED char *list = location_path(&r->location, "temps");
	return output_claim(&s->follow.output, list, err);
}

/* A test that stays alive is no client of a job server: that is for one run. */
static struct setup_live live_of(const struct session_tests *tests)
{
	uint64_t n = tests->restart_after ? tests->restart_after : SESSION_RESTART_AFTER;
	bool lives = tests->persistent || tests->forks;
	return (struct setup_live){ .answers = !lives           ? 0
		                               : n < UINT32_MAX ? (unsigned)n
		                                                : UINT32_MAX,
		                    .forks = tests->forks,
		                    .program = tests->fork_program };
}

static int start_pool(struct session *s, struct err *err)
{
	if (fence_find(&s->ask.fence, &s->options.settings.fence, err) < 0)
		return -1;
	s->options.settings.fenced = &s->ask.fence;
	struct setup o = {
		.test = s->ask.test,
		.args = s->options.tests.args,
		.jobs = s->options.tests.jobs,
		.jobs_most = s->options.observer.wishes ? 2 * s->options.tests.jobs + MORE_JOBS : 0,
		.input = s->options.settings.input,
		.no_answer = s->options.tests.no_answer,
		.input_size = s->input.size,
		.operands = (const char *const *)(s->ask.operands = input_operands(&s->input)),
	};
	o.fence = &s->ask.fence;
	o.make = s->options.tests.under_make ? &s->options.tests.make : NULL;
	o.live = live_of(&s->options.tests);
	o.serve = !o.live.answers;
	o.shims = s->options.tests.shims;
	o.files_size = s->options.settings.file_limit;
	o.groups = s->options.settings.memory_limit ||
	           s->options.settings.process_limit != SETTINGS_PROCESS_LIMIT;
	o.notice = s->options.observer.notice;
	o.notice_arg = s->options.observer.arg;
	s->ask.limits = (struct oracle_limits){ .wall_ns = s->options.tests.timeout_ns
		                                                   ? s->options.tests.timeout_ns
		                                                   : PROBE_LIMIT_NS,
		                                .memory = s->options.settings.memory_limit,
		                                .files = s->options.settings.file_limit,
		                                .processes = s->options.settings.process_limit };
	s->ask.setup = o;
	s->wish.jobs = o.jobs;
	if (!(s->ask.oracle = setup_open(&o, err)) || session_far_open(s, err) < 0)
		return -1;
	if (s->options.tests.also)
		s->ask.oracle = s->ask.also = also_new(s->ask.oracle, s->options.tests.also);
	s->ask.once = s->ask.oracle;
	return 0;
}

/* The deadline: given, or known from when the reduction began, or from the runs on the input. */
static void choose_limit(struct session *s, const struct session_probe *probe, uint64_t known_ns)
{
	s->ask.limits.wall_ns = s->options.tests.timeout_ns ? s->options.tests.timeout_ns
	                        : known_ns                  ? known_ns
	                                                    : probe_limit(probe->slowest_ns);
}

/* From now on a candidate of a test that is not sure is asked about several times. */
static void repeat(struct session *s, const struct rate_rule *rule)
{
	s->ask.oracle = repeat_new(s->ask.once, rule);
}

static void repeat_like(struct session *s, struct rate rate)
{
	const struct rate_rule rule = rate_rule_like(rate);
	s->ask.rate = rate;
	repeat(s, &rule);
	if (!s->options.observer.notice)
		return;
	MEM_SCOPED char *message =
		mem_printf("the test is interesting in %u of %u runs; a candidate must be "
	                   "interesting in at least %.2f of its runs (up to %u runs each)",
	                   rate.yes, rate.runs, rule.least, rule.most);
	s->options.observer.notice(s->options.observer.arg, message);
}

static void say_where_it_writes(struct session *s, const struct session_probe *probe,
                                struct err *err)
{
	const struct fence_trial trial = { .setup = &s->ask.setup,
		                           .limits = s->ask.limits,
		                           .tc = s->original,
		                           .test = s->options.command ? s->options.command
		                                                      : s->options.test,
		                           .file = s->options.file,
		                           .stop_fd = s->options.end.stop_fd };
	if (probe->runs == 0 && probe->interesting == 0 && err->code == ERR_TEST)
		fence_trial(&trial, err);
}

static struct probe_options how_to_probe(const struct session *s)
{
	const struct settings_repeat *r = &s->options.settings.repeat;
	return (struct probe_options){ .oracle = s->ask.oracle,
		                       .limits = s->ask.limits,
		                       .test = s->options.command ? s->options.command
		                                                  : s->options.test,
		                       .file = s->options.file,
		                       .asks = s->options.command,
		                       .allow_trivial = s->options.tests.allow_trivial,
		                       .forks = s->ask.setup.live.forks,
		                       .flaky = r->flaky,
		                       .most_runs = r->flaky  ? PROBE_FLAKY_RUNS
		                                    : r->runs ? 0
		                                              : PROBE_RUNS,
		                       .stop_fd = s->options.end.stop_fd };
}

static int ask_test(struct session *s, struct session_probe *probe, struct err *err)
{
	struct probe_options o = how_to_probe(s);
	s->ask.empty = input_empty(&s->input);
	o.empty = s->ask.empty;
	o.on_empty = &s->ask.on_empty;
	session_waits(s, "the first runs of the test");
	session_far_ask(s);
	if (probe_input(&o, s->original, probe, err) < 0) {
		say_where_it_writes(s, probe, err);
		return -1;
	}
	if (!o.flaky)
		return 0;
	repeat_like(s, (struct rate){ probe->runs, probe->interesting });
	o.oracle = s->ask.oracle;
	session_waits(s, "a run of the test on an empty file");
	return probe_empty(&o, probe, err);
}

/* A test that was alive before, and is not now, or the other way round, may understand nothing of
 * what it is asked. */
static int check_way(struct session *s, uint64_t limit_ns, struct err *err)
{
	struct session_probe probe = { 0 };
	struct probe_options o = how_to_probe(s);
	struct testcase *empty = input_empty(&s->input);
	struct answer on_empty = { 0 };
	o.empty = empty;
	o.on_empty = &on_empty;
	o.limits.wall_ns = limit_ns ? limit_ns : o.limits.wall_ns;
	session_waits(s, "a run of the test on the original, and one on an empty file");
	int rc = probe_result(&o, s->original, err);
	if (rc == 0 && empty)
		rc = probe_empty(&o, &probe, err);
	testcase_unref(empty);
	if (rc < 0 && err->code == ERR_TEST)
		err_set(err, ERR_TEST,
		        "the test %s does not answer as it did when %s was reduced before; does it "
		        "need --persistent, or work only without? (see whittle-live(7))",
		        o.test, o.file);
	return rc;
}

/* Keeps what the runs before the reduction have shown, so that none of it is asked again. */
static int keep_probe(struct session *s, struct err *err)
{
	const struct answer *a = &s->ask.on_empty;
	const struct session_store_known found = { .limit_ns = s->ask.limits.wall_ns,
		                                   .rate = s->ask.rate };
	uint64_t limit = a->verdict == VERDICT_TIMEOUT ? a->limit_ns : 0;
	if (s->ask.empty)
		verdicts_put(&s->ask.verdicts, s->ask.empty->hash, a->verdict, limit);
	if (s->ask.empty && s->kept.keep &&
	    session_store_verdict(s->kept.keep, s->ask.empty->hash, a->verdict, limit, err) < 0)
		return -1;
	return s->kept.keep ? session_store_found(s->kept.keep, s->original, &found, err) : 0;
}

/* What a fetch has brought is only what somebody says. */
static int take_result(struct session *s, struct err *err)
{
	bool here;
	session_also_begin(s, true);
	s->result = session_store_result(s->kept.keep, &here, err);
	if (!s->result || here)
		return s->result ? 0 : -1;
	const struct probe_options o = how_to_probe(s);
	session_waits(s, "a run of the test on the result");
	if (probe_result(&o, s->result, err) == 0)
		return 0;
	testcase_unref(s->result);
	s->result = NULL;
	return -1;
}

/* KNOWN is the language_identity that the reduction was begun with; 0: none is known. With other
 * definitions of tokenizers other questions would be asked. (Of a file that -t names the settings
 * tell; what an older version has begun does not tell.) -1 and err when it may not be resumed. */
static int check_language(struct session *s, uint64_t known, struct err *err)
{
	const char *given = s->options.settings.tokenizer,
		   *name = session_store_of(s->kept.keep)->location.name;
	uint64_t now;
	if (given && tokenizer_is_file(given))
		return 0;
	if (language_identity(&s->language, &now, err) < 0)
		return -1;
	if (known == now)
		return 0;
	if (!known || !s->follow.resumed)
		return session_store_language(s->kept.keep, now, err);
	MEM_SCOPED char *over = mem_printf(
		"to start over: the same command with --fresh (the old one is kept as '%s.1' or "
		"the next free number), or with --name to keep both",
		name);
	BUF_SCOPED struct buf hints = { 0 };
	show_add_hint(&hints, "to resume it: put the earlier one back", NULL);
	buf_addch(&hints, '\n');
	show_add_hint(&hints, over, NULL);
	return err_set(err, ERR_USAGE,
	               "reduction '%s' cannot be resumed as it is:\nthe tokenizer changed, or "
	               "its definition (now %s)\n%.*s",
	               name, language_name(&s->language), (int)hints.len, hints.data);
}

/* Finds out what is known, and asks the test what is not. Of a finished reduction that is its
 * result, unless it ended here. */
static int begin(struct session *s, struct session_probe *probe, struct err *err)
{
	const struct settings_repeat *r = &s->options.settings.repeat;
	const struct rate_rule rule = rate_rule_count(r->runs, r->needed);
	struct session_store_known known = { 0 };
	if (r->runs)
		repeat(s, &rule);
	if (s->kept.state == STORE_FINISHED && s->kept.keep)
		return take_result(s, err);
	if (s->follow.resumed &&
	    (session_store_begin(s->kept.keep, s->original, &s->ask.verdicts, &known, err) < 0 ||
	     check_language(s, known.language, err) < 0))
		return -1;
	if (s->follow.resumed)
		doubt_begin(s, &known);
	if (s->follow.resumed && session_store_lived_otherwise(s->kept.keep) &&
	    check_way(s, known.limit_ns, err) < 0)
		return -1;
	if (r->flaky && !known.rate.yes)
		known.limit_ns = 0; /* it is to be found out once more */
	if (known.rate.yes && r->flaky)
		repeat_like(s, known.rate);
	if (!known.limit_ns && ask_test(s, probe, err) < 0)
		return -1;
	choose_limit(s, probe, known.limit_ns);
	session_packs(s, s->original->size);
	if (s->kept.keep && !s->follow.resumed &&
	    (session_store_begin(s->kept.keep, s->original, &s->ask.verdicts, &known, err) < 0 ||
	     check_language(s, known.language, err) < 0))
		return -1;
	if (!known.limit_ns && keep_probe(s, err) < 0)
		return -1;
	session_also_begin(s, s->follow.resumed);
	session_far_begin(s);
	return 0;
}

/* A run that was killed may have put some files of several in place, and others not. */
static int finish_replacement(const struct session_options *o, struct err *err)
{
	uint32_t n = o->out ? 1 : o->n_files;
	MEM_SCOPED char **targets = mem_zero(n, sizeof *targets);
	for (uint32_t i = 0; i < n; i++)
		targets[i] = io_real_path(o->out ? o->out : o->files[i]);
	struct replacement_left left = { .first = o->out ? o->out : o->files[0],
		                         .targets = targets,
		                         .n_targets = n,
		                         .look_only = o->look_only };
	int rc = replacement_finish(&left, err);
	if (rc > 0 && o->observer.notice)
		o->observer.notice(o->observer.arg, o->look_only
		                                            ? "a killed run has not put all files "
		                                              "in place; the next reduction will"
		                                            : "the files that a killed run was "
		                                              "putting in place are in place now");
	for (uint32_t i = 0; i < n; i++)
		free(targets[i]);
	return rc < 0 ? -1 : 0;
}

/* Looks at all that is given, and reads it, once the pool's processes are there. */
static int open_input(struct session *s, struct err *err)
{
	leftovers_bury();
	if (finish_replacement(&s->options, err) < 0 || faults_load(&s->faults, err) < 0 ||
	    !(s->ask.test = probe_find(s->options.test, err)) ||
	    input_find_result(&s->input, s->options.files, s->options.n_files, err) < 0)
		return -1;
	output_init(&s->follow.output, &s->input, s->options.out, &s->faults);
	s->follow.output.notice = s->options.observer.notice;
	s->follow.output.arg = s->options.observer.arg;
	if (start_pool(s, err) < 0 || !(s->follow.found = input_read(&s->input, err)))
		return -1;
	return output_check(&s->follow.output, s->ask.test, s->follow.found->size, err);
}

int session_find_language(struct session *s, struct err *err)
{
	const struct session_options *o = &s->options;
	const struct language_options lo = { .file = s->input.is_tree ? NULL : o->file,
		                             .tokenizer = o->settings.tokenizer,
		                             .spans = o->settings.spans,
		                             .dirs = o->tokenizer_dirs };
	return language_find(&s->language, &lo, s->original, err);
}

int session_begin(struct session *s, struct session_probe *probe, struct err *err)
{
	if (open_input(s, err) < 0 || open_externals(s, err) < 0 || open_store(s, err) < 0 ||
	    (s->kept.state == STORE_NEW && input_check(&s->input, err) < 0))
		return -1;
	s->last_size = testcase_shown_size(s->original);
	int rc = session_find_language(s, err) < 0 ? -1 : begin(s, probe, err);
	session_waits(s, NULL);
	return rc;
}
