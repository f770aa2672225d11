#include "reduce/session.h"

#include <errno.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/err.h"
#include "base/fault.h"
#include "base/io.h"
#include "base/mem.h"
#include "reduce/input.h"
#include "reduce/keep.h"
#include "reduce/fence_trial.h"
#include "reduce/follow.h"
#include "reduce/format.h"
#include "reduce/language.h"
#include "reduce/replace.h"
#include "reduce/settings.h"
#include "run/setup.h"
#include "text/tokenizer.h"

enum { TICK_MS = 100 };

struct session {
	struct session_options options;
	char certificate[256];
	char *test; /* absolute */
	struct input input;
	struct follow follow;
	char **operands;           /* for the pool, which starts before the input is read */
	struct testcase *original; /* what the reduction starts from: what FILE held when we came,
	                              or what is kept */
	struct language language;
	struct externals externals;
	char *external_identity;
	struct fence fence;
	struct setup setup; /* of the oracle */
	struct oracle *oracle;
	struct verdicts verdicts;
	struct keep *keep; /* NULL: nothing is kept */
	char *settings;
	enum store_state state;
	struct testcase *formatted; /* what is written in place of the result; NULL: that itself */
	struct testcase *result;    /* of a reduction that was finished before */
	struct engine *engine;      /* NULL: none is needed, or not yet */
	struct oracle_limits limits;
	uint64_t start_ns;
	uint32_t last_size;
	bool stopping;          /* as the user, or a limit of time, has it */
	struct answer on_empty; /* the test's answer on the empty file, when it was asked */
	struct testcase *empty;
	struct faults faults;
};

/* The external passes: the user's, then those that are installed for files of this name. (Their
 * content may have changed since the reduction began.) */
static int open_externals(struct session *s, struct err *err)
{
	struct session_options *o = &s->options;
	const struct oracle_asker asker = { s->oracle, o->end.stop_fd };
	int rc = 0;
	if (s->input.is_tree && (o->external.n || o->format))
		return err_set(err, ERR_USAGE, "option --%s is for single files",
		               o->format ? "format" : "external");
	if (!o->settings.no_external && !s->input.is_tree) {
		const struct testcase_file *file = &s->follow.found->files[0];
		struct testcase *empty = testcase_new(file->path, file->mode, mem_zero(1, 1), 0);
		struct tokenizer *tok =
			tokenizer_find(o->settings.tokenizer, o->file, (const uint8_t *)"", 0,
		                       o->tokenizer_dirs, err);
		char *installed =
			tok && o->external.pass_dir
				? externals_installed(tokenizer_name(tok), o->external.pass_dir)
				: NULL;
		rc = tok ? 0 : -1;
		for (uint32_t i = 0; i < o->external.n && rc == 0; i++)
			rc = externals_add(&s->externals, o->external.commands[i],
			                   tokenizer_name(tok), empty, &asker, err);
		if (installed && rc == 0)
			rc = externals_add(&s->externals, installed, tokenizer_name(tok), empty,
			                   &asker, err);
		free(installed);
		tokenizer_free(tok);
		testcase_unref(empty);
	}
	o->settings.external_identity = s->external_identity = externals_identity(&s->externals);
	return rc;
}

static int open_store(struct session *s, struct err *err)
{
	if (s->options.store.none) {
		s->original = testcase_ref(s->follow.found);
		return output_check_free(&s->follow.output, NULL, NULL, err);
	}
	if (!(s->settings = settings_text(&s->options.settings, err)))
		return -1;
	char *external = externals_commands(&s->externals), *allowed = fence_places(&s->fence);
	bool is_tree = s->input.is_tree;
	struct keep_options ko = { .file = is_tree ? s->input.operands[0].path : s->options.file,
		                   .top = is_tree ? s->input.top : NULL,
		                   .operands = is_tree ? s->operands : NULL,
		                   .test = s->test,
		                   .name = s->options.store.name,
		                   .repository = s->options.store.repository,
		                   .fresh = s->options.store.fresh,
		                   .settings = s->settings,
		                   .out = s->options.out,
		                   .tokenizer = s->options.settings.tokenizer,
		                   .spans = s->options.settings.spans,
		                   .external = external,
		                   .allowed = allowed,
		                   .based_on = s->options.store.based_on,
		                   .notice = s->options.observer.notice,
		                   .arg = s->options.observer.arg };
	s->keep = keep_open(&ko, s->follow.found, &s->state, &s->original, err);
	free(external);
	free(allowed);
	if (!s->keep)
		return -1;
	if (output_check_free(&s->follow.output, s->state == STORE_NEW ? NULL : keep_knows, s->keep,
	                      err) < 0)
		return -1;
	s->follow.keep = s->keep;
	s->follow.resumed = s->follow.replaying = s->state == STORE_UNFINISHED;
	char *list = keep_path(s->keep, "temps");
	int rc = output_claim(&s->follow.output, list, err);
	free(list);
	return rc;
}

static int start_pool(struct session *s, struct err *err)
{
	if (fence_find(&s->fence, &s->options.settings.fence, err) < 0)
		return -1;
	s->options.settings.fenced = &s->fence;
	struct setup o = {
		.test = s->test,
		.jobs = s->options.tests.jobs,
		.input = s->options.settings.input,
		.no_answer = s->options.tests.no_answer,
		.input_size = s->input.size,
		.operands = (const char *const *)(s->operands = input_operands(&s->input)),
	};
	o.fence = &s->fence;
	o.make = s->options.tests.under_make ? &s->options.tests.make : NULL;
	o.serve = s->options.tests.serve;
	o.shims = s->options.tests.shims;
	o.files_size = s->options.settings.file_limit;
	o.groups = s->options.settings.memory_limit ||
	           s->options.settings.process_limit != SETTINGS_PROCESS_LIMIT;
	o.notice = s->options.observer.notice;
	o.notice_arg = s->options.observer.arg;
	s->limits = (struct oracle_limits){ .wall_ns = s->options.tests.timeout_ns
		                                               ? s->options.tests.timeout_ns
		                                               : PROBE_LIMIT_NS,
		                            .memory = s->options.settings.memory_limit,
		                            .files = s->options.settings.file_limit,
		                            .processes = s->options.settings.process_limit };
	s->setup = o;
	return (s->oracle = setup_open(&o, err)) ? 0 : -1;
}

/* The deadline: given, or known from when the reduction began, or from the runs on the input. */
static void choose_limit(struct session *s, const struct session_probe *probe, uint64_t known_ns)
{
	s->limits.wall_ns = s->options.tests.timeout_ns ? s->options.tests.timeout_ns
	                    : known_ns                  ? known_ns
	                                                : probe_limit(probe);
}

static int ask_test(struct session *s, struct session_probe *probe, struct err *err)
{
	const struct probe_options o = { .oracle = s->oracle,
		                         .limits = s->limits,
		                         .test = s->options.test,
		                         .file = s->options.file,
		                         .allow_trivial = s->options.tests.allow_trivial,
		                         .stop_fd = s->options.end.stop_fd };
	s->empty = input_empty(&s->input);
	if (probe_test(&o, s->original, s->empty, probe, &s->on_empty, err) == 0)
		return 0;
	const struct fence_trial trial = { .setup = &s->setup,
		                           .limits = s->limits,
		                           .tc = s->original,
		                           .test = s->options.test,
		                           .file = s->options.file,
		                           .stop_fd = s->options.end.stop_fd };
	if (probe->runs == 0 && probe->interesting == 0 && err->code == ERR_TEST)
		fence_trial(&trial, err);
	return -1;
}

/* Keeps what the runs before the reduction have shown, so that none of it is asked again. */
static int keep_probe(struct session *s, struct err *err)
{
	const struct answer *a = &s->on_empty;
	uint64_t limit = a->verdict == VERDICT_TIMEOUT ? a->limit_ns : 0;
	if (s->empty)
		verdicts_put(&s->verdicts, s->empty->hash, a->verdict, limit);
	if (s->empty && s->keep &&
	    keep_verdict(s->keep, s->empty->hash, a->verdict, limit, err) < 0)
		return -1;
	return s->keep ? keep_limit(s->keep, s->original, s->limits.wall_ns, err) : 0;
}

/* Finds out what is known, and asks the test what is not. A finished reduction needs neither. */
static int begin(struct session *s, struct session_probe *probe, struct err *err)
{
	uint64_t known_ns = 0;
	if (s->state == STORE_FINISHED && s->keep)
		return (s->result = keep_result(s->keep, err)) ? 0 : -1;
	if (s->follow.resumed && keep_begin(s->keep, s->original, &s->verdicts, &known_ns, err) < 0)
		return -1;
	if (!known_ns && ask_test(s, probe, err) < 0)
		return -1;
	choose_limit(s, probe, known_ns);
	if (s->keep && !s->follow.resumed &&
	    keep_begin(s->keep, s->original, &s->verdicts, &known_ns, err) < 0)
		return -1;
	return known_ns ? 0 : keep_probe(s, err);
}

static int find_language(struct session *s, struct err *err)
{
	const struct session_options *o = &s->options;
	const struct language_options lo = { .file = s->input.is_tree ? NULL : o->file,
		                             .tokenizer = o->settings.tokenizer,
		                             .spans = o->settings.spans,
		                             .dirs = o->tokenizer_dirs };
	return language_find(&s->language, &lo, s->original, err);
}

/* A run that was killed may have put some files of several in place, and others not. */
static int finish_replacement(const struct session_options *o, struct err *err)
{
	uint32_t n = o->out ? 1 : o->n_files;
	char **places = mem_zero(n, sizeof *places);
	for (uint32_t i = 0; i < n; i++)
		places[i] = io_real_path(o->out ? o->out : o->files[i]);
	struct replacement_left left = { .first = o->out ? o->out : o->files[0],
		                         .places = places,
		                         .n_places = n,
		                         .look_only = o->look_only };
	int rc = replacement_finish(&left, err);
	if (rc > 0 && o->observer.notice)
		o->observer.notice(o->observer.arg,
		                   o->look_only
		                           ? "a run that was killed has not put all in place; the "
		                             "next reduction does"
		                           : "what a run that was killed was putting in place is "
		                             "there now");
	for (uint32_t i = 0; i < n; i++)
		free(places[i]);
	free(places);
	return rc < 0 ? -1 : 0;
}

/* Looks at all that is given, and reads it, once the pool's processes are there. */
static int open_input(struct session *s, struct err *err)
{
	if (finish_replacement(&s->options, err) < 0 || faults_load(&s->faults, err) < 0 ||
	    !(s->test = probe_find(s->options.test, err)) ||
	    input_find_result(&s->input, s->options.files, s->options.n_files, err) < 0)
		return -1;
	output_init(&s->follow.output, &s->input, s->options.out, &s->faults);
	s->follow.output.notice = s->options.observer.notice;
	s->follow.output.arg = s->options.observer.arg;
	if (start_pool(s, err) < 0 || !(s->follow.found = input_read(&s->input, err)))
		return -1;
	return output_check(&s->follow.output, s->test, s->follow.found->size, err);
}

struct session *session_open(const struct session_options *options, struct session_probe *probe,
                             struct err *err)
{
	struct session *s = mem_zero(1, sizeof *s);
	s->options = *options;
	s->start_ns = io_now();
	if (open_input(s, err) == 0 && open_externals(s, err) == 0 && open_store(s, err) == 0 &&
	    (s->state != STORE_NEW || input_check(&s->input, err) == 0)) {
		s->last_size = s->original->size;
		if (find_language(s, err) == 0 && begin(s, probe, err) == 0)
			return s;
	}
	session_close(s);
	return NULL;
}

/* Of a tree, which may be large, the reducer alone is to hold the bytes. */
static void let_go(struct testcase **tc)
{
	struct testcase *whole = *tc;
	if (!whole->is_tree)
		return;
	*tc = testcase_summary(whole);
	testcase_unref(whole);
}

static void on_accepted(void *arg, struct engine *e, struct testcase *now, const char *pass)
{
	struct session *s = arg;
	if (s->keep)
		keep_step(s->keep, engine_reducer(e), pass);
	follow_accepted(&s->follow, now);
	uint32_t before = s->last_size;
	s->last_size = now->size;
	if (s->options.observer.accepted)
		s->options.observer.accepted(s->options.observer.arg, s, pass, before, now->size);
}

static void on_pass_ended(void *arg, struct engine *e, const char *pass)
{
	(void)e;
	struct session *s = arg;
	if (s->options.observer.pass_ended)
		s->options.observer.pass_ended(s->options.observer.arg, s, pass);
}

static void on_notice(void *arg, const char *message)
{
	struct session *s = arg;
	if (s->options.observer.notice)
		s->options.observer.notice(s->options.observer.arg, message);
}

static bool should_stop(void *arg)
{
	struct session *s = arg;
	struct pollfd p = { .fd = s->options.end.stop_fd, .events = POLLIN };
	if (s->options.end.stop_fd >= 0 && poll(&p, 1, 0) > 0)
		s->stopping = true;
	uint64_t now = io_now();
	if (s->options.end.time_limit_ns && now - s->start_ns >= s->options.end.time_limit_ns)
		s->stopping = true;
	if (s->options.end.deadline && time(NULL) >= s->options.end.deadline)
		s->stopping = true;
	struct testcase *current = engine_current(s->engine);
	if (!hash_equal(current->hash, s->original->hash))
		follow_accepted(&s->follow, current);
	if (s->options.observer.tick)
		s->options.observer.tick(s->options.observer.arg, s);
	return s->stopping || s->follow.err.code;
}

static int on_verdict(void *arg, struct hash hash, enum verdict verdict, uint64_t limit_ns,
                      struct err *err)
{
	struct session *s = arg;
	s->follow.replaying = false;
	return s->keep ? keep_verdict(s->keep, hash, verdict,
	                              verdict == VERDICT_TIMEOUT ? limit_ns : 0, err)
	               : 0;
}

/* The test's verdict on TC, which is no candidate of the search. */
static int judge(struct session *s, struct testcase *tc, enum verdict *verdict, struct err *err)
{
	struct answer a = { 0 };
	if ((*verdict = verdicts_get(&s->verdicts, tc->hash, s->limits.wall_ns)))
		return 0;
	const struct oracle_request rq = { .ticket = 1, .tc = tc, .limits = s->limits };
	int rc = oracle_ask(s->oracle, &rq, s->options.end.stop_fd, &a, err);
	if (rc)
		return rc < 0 ? -1 : err_set(err, ERR_STOPPED, "stopped while the test ran on it");
	*verdict = a.verdict;
	if (!s->engine) /* of a reduction that was finished before the journal is closed */
		return 0;
	return on_verdict(s, tc->hash, a.verdict, a.limit_ns, err);
}

/* Formats the result, if that is asked for and the test agrees. What does not work is a notice: the
 * result stands. */
static void format_result(struct session *s, struct testcase *result)
{
	struct testcase *tc = NULL;
	struct err err = { 0 };
	const char *why = NULL;
	enum verdict verdict = VERDICT_UNKNOWN;
	const struct oracle_asker asker = { s->oracle, s->options.end.stop_fd };
	int rc = format_run(s->options.format, result, &asker, &tc, &why, &err);
	if (rc > 0)
		rc = judge(s, tc, &verdict, &err);
	if (rc == 0 && !why && verdict == VERDICT_INTERESTING) {
		s->formatted = tc;
		return;
	}
	testcase_unref(tc);
	if (rc < 0)
		why = err.msg;
	char *message =
		why ? mem_printf("the result is not formatted: %s: %s", s->options.format, why)
		    : mem_printf(
			      "the result is not formatted: what %s makes of it is not interesting",
			      s->options.format);
	if (s->options.observer.notice)
		s->options.observer.notice(s->options.observer.arg, message);
	free(message);
}

/* The last writing. */
static void write_last(struct session *s, bool final)
{
	struct testcase *tc = s->result ? s->result : engine_current(s->engine);
	if (final && s->options.format)
		format_result(s, tc);
	follow_end(&s->follow, s->formatted ? s->formatted : tc, final);
}

/* Brings the file on disk and the store up to date. */
static enum driver_end wind_up(struct session *s, enum driver_end end, struct err *err)
{
	struct err store_err;
	bool finished = end == DRIVER_FIXPOINT;
	if (finished && s->engine)
		engine_certificate(s->engine, s->certificate, sizeof s->certificate);
	write_last(s, finished);
	if (s->follow.err.code && end != DRIVER_FAILED) {
		*err = s->follow.err;
		end = DRIVER_FAILED;
	}
	if (s->keep && s->engine &&
	    keep_end(s->keep, engine_reducer(s->engine), finished ? s->certificate : NULL,
	             &store_err) < 0 &&
	    end != DRIVER_FAILED) {
		*err = store_err;
		end = DRIVER_FAILED;
	}
	return end;
}

static struct engine *start_engine(struct session *s, struct err *err)
{
	char *file = s->keep && s->externals.n_passes ? keep_path(s->keep, "external") : NULL;
	const struct engine_options o = {
		.passes = s->options.settings.passes,
		.seed = s->options.settings.seed,
		.max_questions = s->options.end.max_questions,
		.until_size = s->options.end.until_size,
		.keep_names = s->options.settings.keep_names,
		.limits = s->limits,
		.verdicts = &s->verdicts,
		.externals = s->externals.n_passes ? &s->externals : NULL,
		.external_file = file,
		.wake_fd = s->options.end.stop_fd,
		.tick_ms = TICK_MS,
	};
	const struct engine_observer observer = { .accepted = on_accepted,
		                                  .pass_ended = on_pass_ended,
		                                  .verdict = on_verdict,
		                                  .should_stop = should_stop,
		                                  .notice = on_notice,
		                                  .arg = s };
	struct engine *e = engine_new(s->original, &s->language, &o, &observer, err);
	free(file);
	return e;
}

enum driver_end session_reduce(struct session *s, struct err *err)
{
	if (output_keep_original(&s->follow.output, s->original, err) < 0 ||
	    (!s->result && !(s->engine = start_engine(s, err))))
		return DRIVER_FAILED;
	let_go(&s->original);
	let_go(&s->follow.found);
	if (s->options.observer.started)
		s->options.observer.started(s->options.observer.arg, s);
	enum driver_end end = s->engine ? engine_run(s->engine, s->oracle, err) : DRIVER_FIXPOINT;
	return wind_up(s, end, err);
}

void session_close(struct session *s)
{
	if (!s)
		return;
	engine_free(s->engine);
	oracle_free(s->oracle);
	if (s->options.tests.under_make)
		jobserver_close(&s->options.tests.make);
	fence_release(&s->fence);
	externals_release(&s->externals);
	free(s->external_identity);
	verdicts_release(&s->verdicts);
	testcase_unref(s->formatted);
	testcase_unref(s->original);
	testcase_unref(s->result);
	testcase_unref(s->empty);
	keep_close(s->keep);
	free(s->settings);
	language_release(&s->language);
	input_free_operands(s->operands);
	follow_release(&s->follow);
	input_release(&s->input);
	free(s->test);
	free(s);
}

const struct fence *session_fence(const struct session *s)
{
	return &s->fence;
}

const struct testcase *session_original(const struct session *s)
{
	return s->original;
}

const struct testcase *session_current(const struct session *s)
{
	return s->result ? s->result : s->engine ? engine_current(s->engine) : s->original;
}

const struct session_options *session_options(const struct session *s)
{
	return &s->options;
}

const struct driver_stats *session_stats(const struct session *s)
{
	static const struct driver_stats none;
	return s->engine ? engine_stats(s->engine) : &none;
}

const struct plan *session_plan(const struct session *s)
{
	return s->engine ? reducer_plan(engine_reducer(s->engine)) : NULL;
}

const struct externals *session_externals(const struct session *s)
{
	return &s->externals;
}

const struct reducer *session_reducer(const struct session *s)
{
	return s->engine ? engine_reducer(s->engine) : NULL;
}

struct external_stats session_external_stats(const struct session *s)
{
	return s->engine ? engine_external_stats(s->engine) : (struct external_stats){ 0 };
}

uint64_t session_questions(const struct session *s)
{
	return s->engine ? reducer_questions(engine_reducer(s->engine)) : 0;
}

uint64_t session_cache_hits(const struct session *s)
{
	return s->verdicts.hits;
}

uint64_t session_elapsed_ns(const struct session *s)
{
	return io_now() - s->start_ns;
}

uint64_t session_limit_ns(const struct session *s)
{
	return s->limits.wall_ns;
}

const char *session_tokenizer(const struct session *s)
{
	if (s->language.tokenizer)
		return tokenizer_name(s->language.tokenizer);
	return s->options.settings.tokenizer ? s->options.settings.tokenizer : "several";
}

const char *session_name(const struct session *s)
{
	return s->keep ? keep_name(s->keep) : NULL;
}

bool session_resumed(const struct session *s)
{
	return s->keep && s->state != STORE_NEW;
}

bool session_was_finished(const struct session *s)
{
	return s->result != NULL;
}

unsigned session_steps(const struct session *s)
{
	return s->keep ? keep_steps(s->keep) : 0;
}

const char *session_certificate(const struct session *s)
{
	return s->certificate;
}
