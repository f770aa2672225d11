#include "reduce/session.h"

#include "base/buf.h"
#include "base/err.h"
#include "base/io.h"
#include "base/mem.h"
#include "disk/output.h"
#include "reduce/session_also.h"
#include "reduce/session_def.h"
#include "reduce/session_doubt.h"

enum {
	TICK_MS = 100,
	HELD_MOST = 1 << 16, /* bytes of an original: less fits into what malloc keeps anyway */
};

struct session *session_open(const struct session_options *options, struct session_probe *probe,
                             struct err *err)
{
	struct session *s = mem_zero(1, sizeof *s);
	s->options = *options;
	s->start_ns = io_now();
	if (session_begin(s, probe, err) == 0)
		return s;
	session_close(s);
	return NULL;
}

/* Of a tree, which may be large, the reducer alone is to hold the bytes, and so of a large file
 * that the store has, too, or that stays where it is. */
static void let_go(const struct session *s, struct testcase **tc)
{
	struct testcase *whole = *tc;
	bool is_there = s->kept.keep || !s->follow.output.in_place;
	if (!whole->is_tree && (whole->size <= HELD_MOST || !is_there))
		return;
	*tc = testcase_summary(whole);
	testcase_unref(whole);
}

static void on_accepted(void *arg, struct engine *e, struct testcase *now, const char *pass)
{
	struct session *s = arg;
	session_packs(s, now->size);
	if (s->kept.keep)
		session_store_step(s->kept.keep, engine_reducer(e), pass);
	session_waits(s, NULL);
	follow_accepted(&s->follow, now);
	uint32_t before = s->last_size;
	s->last_size = testcase_shown_size(now);
	s->success_ns = io_now();
	if (s->options.observer.accepted)
		s->options.observer.accepted(s->options.observer.arg, s, pass, before,
		                             s->last_size);
}

static void on_pass_ended(void *arg, UNUSED struct engine *e, const char *pass)
{
	struct session *s = arg;
	s->wish.skip = NULL; /* what was wished is done */
	if (s->options.observer.pass_ended)
		s->options.observer.pass_ended(s->options.observer.arg, s, pass);
}

static void on_notice(void *arg, const char *message)
{
	session_notice(arg, message);
}

/* So many tests at a time, none for now when that is wished. */
static void allow_jobs(struct session *s, int more, bool paused)
{
	int jobs = (int)s->wish.jobs + more;
	s->wish.jobs = oracle_allow(s->ask.oracle, jobs > 1 ? (unsigned)jobs : 1);
	s->wish.paused = paused;
	if (paused)
		oracle_allow(s->ask.oracle, 0);
}

static void wish_to_skip(struct session *s)
{
	s->wish.skip = reducer_at(engine_reducer(s->engine)).pass;
}

/* What stands for the user's wish among the verdicts: of this reduction, at this moment. */
static struct hash skip_key(const struct session *s, uint64_t round)
{
	BUF_SCOPED struct buf b = { 0 };
	buf_addf(&b, "skip %llu of " HASH_DIGITS "\n%s", (unsigned long long)round,
	         HASH_OF(s->original->hash), s->kept.settings ? s->kept.settings : "");
	return hash_bytes(b.data, b.len, 0);
}

/* Is it this pass that was to be skipped? Another one has begun without a moment in between. */
static bool is_wished(struct session *s)
{
	const char *pass = reducer_at(engine_reducer(s->engine)).pass;
	if (s->wish.skip && (!pass || strcmp(pass, s->wish.skip) != 0))
		s->wish.skip = NULL;
	return s->wish.skip != NULL;
}

static bool on_skips(void *arg, uint64_t round, struct hash *key)
{
	struct session *s = arg;
	struct err err;
	*key = skip_key(s, round);
	bool wished = is_wished(s);
	if (verdicts_get(&s->ask.verdicts, *key, 0)) {
		s->wish.skip = NULL;
		return true;
	}
	if (!wished)
		return false;
	s->wish.skip = NULL;
	if (s->kept.keep &&
	    session_store_verdict(s->kept.keep, *key, VERDICT_NOT_INTERESTING, 0, &err) < 0) {
		err_context(&err, "cannot skip the pass");
		on_notice(s, err.msg);
		return false;
	}
	verdicts_put(&s->ask.verdicts, *key, VERDICT_NOT_INTERESTING, 0);
	return true;
}

static void take_wishes(struct session *s)
{
	struct session_wishes w = { 0 };
	if (s->options.observer.wishes)
		s->options.observer.wishes(s->options.observer.arg, s, &w);
	if (w.stop)
		session_stop_for(s, SESSION_ASKED);
	if (w.skip)
		wish_to_skip(s);
	if (w.jobs || w.paused != s->wish.paused)
		allow_jobs(s, w.jobs, w.paused);
}

static bool should_stop(void *arg)
{
	struct session *s = arg;
	session_is_over(s);
	struct testcase *current = engine_current(s->engine);
	if (!hash_equal(current->hash, s->original->hash) || s->follow.refuted)
		follow_accepted(&s->follow, current);
	if (s->kept.keep)
		session_store_tick(s->kept.keep);
	if (s->options.observer.tick)
		s->options.observer.tick(s->options.observer.arg, s);
	take_wishes(s);
	return s->wish.stop || s->follow.err.code;
}

static int on_verdict(void *arg, struct hash hash, enum verdict verdict, uint64_t limit_ns,
                      struct err *err)
{
	struct session *s = arg;
	s->follow.replaying = false;
	session_also_note(s);
	return s->kept.keep ? session_store_verdict(s->kept.keep, hash, verdict,
	                                            verdict == VERDICT_TIMEOUT ? limit_ns : 0, err)
	                    : 0;
}

/* The test's verdict on TC, which is no candidate of the search. */
static int judge(struct session *s, struct testcase *tc, enum verdict *verdict, struct err *err)
{
	struct answer a = { 0 };
	if ((*verdict = verdicts_get(&s->ask.verdicts, tc->hash, s->ask.limits.wall_ns)))
		return 0;
	const struct oracle_request rq = { .ticket = 1, .tc = tc, .limits = s->ask.limits };
	int rc = oracle_ask(s->ask.oracle, &rq, s->options.end.stop_fd, &a, err);
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
	const struct oracle_asker asker = { s->ask.oracle, s->options.end.stop_fd };
	session_waits(s, "the formatter");
	const char *command = s->options.format;
	if (!strcmp(command, "auto"))
		command = format_command(s->language.tokenizer);
	int rc = 0;
	if (command)
		rc = format_run(command, result, &asker, &tc, &why, &err);
	else
		why = "no formatter for such a file is installed";
	if (rc > 0)
		rc = judge(s, tc, &verdict, &err);
	session_waits(s, NULL);
	if (rc == 0 && !why && verdict == VERDICT_INTERESTING) {
		s->formatted = tc;
		return;
	}
	testcase_unref(tc);
	if (rc < 0)
		why = err.msg;
	MEM_SCOPED char *message =
		why ? mem_printf("the result is not formatted: %s: %s", command ? command : "auto",
	                         why)
		    : mem_printf("the result is not formatted: the output of %s is not interesting",
	                         command);
	session_notice(s, message);
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
	if (!s->engine && !s->result) /* starting over has failed */
		return end;
	bool finished = end == DRIVER_FIXPOINT;
	if (finished && s->engine)
		sample_certify(s);
	write_last(s, finished);
	if (finished && s->engine)
		doubt_say_last(s, engine_current(s->engine));
	if (s->follow.err.code && end != DRIVER_FAILED) {
		*err = s->follow.err;
		end = DRIVER_FAILED;
	}
	session_packs(s, session_current(s)->size);
	if (s->kept.keep && s->engine &&
	    session_store_end(s->kept.keep, engine_reducer(s->engine),
	                      finished ? s->certificate : NULL, &store_err) < 0 &&
	    end != DRIVER_FAILED) {
		*err = store_err;
		end = DRIVER_FAILED;
	}
	session_waits(s, NULL);
	return end;
}

/* Of --max-tests; 0: there is no such limit. */
static uint64_t questions_left(const struct session *s)
{
	uint64_t most = s->options.end.max_questions, used = s->doubts.asked;
	return most && used >= most ? 1 : most - (most ? used : 0);
}

/* Workers confirm for themselves, and a test that is not sure is asked several times anyway. */
static bool believes_claims(const struct session *s)
{
	return s->ask.setup.live.answers && !s->ask.claims_refuted && !s->ask.far &&
	       s->ask.once == s->ask.oracle;
}

static struct engine *start_engine(struct session *s)
{
	MEM_SCOPED char *file =
		s->kept.keep && s->externals.n_passes
			? location_path(&session_store_of(s->kept.keep)->location, "external")
			: NULL;
	const struct engine_options o = {
		.passes = s->options.settings.passes,
		.seed = s->options.settings.seed,
		.max_questions = questions_left(s),
		.before = s->engine ? engine_stats(s->engine) : NULL,
		.stop_after = s->options.end.idle_questions,
		.until_size = s->options.end.until_size,
		.keep_names = s->options.settings.keep_names,
		.shares = !s->ask.far,
		.certify = s->options.settings.certify,
		.limits = s->ask.limits,
		.verdicts = &s->ask.verdicts,
		.externals = s->externals.n_passes ? &s->externals : NULL,
		.external_file = file,
		.again = s->ask.once == s->ask.oracle,
		.claims = believes_claims(s),
		.after = doubt_after(s),
		.wake_fd = s->options.end.stop_fd,
		.tick_ms = TICK_MS,
	};
	const struct engine_observer observer = { .accepted = on_accepted,
		                                  .pass_ended = on_pass_ended,
		                                  .verdict = on_verdict,
		                                  .should_stop = should_stop,
		                                  .is_over = session_is_over,
		                                  .doubted = doubt_settle,
		                                  .skips = on_skips,
		                                  .notice = on_notice,
		                                  .arg = s };
	return engine_new(s->original, &s->language, &o, &observer);
}

/* Back to the original, of which nothing may be here any more. */
static int start_over(struct session *s, struct err *err)
{
	struct engine *before = s->engine;
	struct testcase *original = doubt_original(s, err);
	if (!original)
		return -1;
	s->doubts.asked += reducer_new_questions(engine_reducer(before));
	testcase_unref(s->original);
	s->original = original;
	s->last_size = testcase_shown_size(original);
	verdicts_use_none(&s->ask.verdicts);
	struct language language = s->language;
	s->language = (struct language){ 0 };
	if (session_find_language(s, err) == 0)
		s->engine = start_engine(s);
	if (s->engine == before)
		s->engine = NULL;
	engine_free(before);
	language_release(&language);
	let_go(s, &s->original);
	return s->engine ? 0 : -1;
}

/* Reduces; a verdict that proves to be false leads back to the original, and from there, with all
 * that is known, to where it was asked for. */
static enum driver_end run(struct session *s, struct err *err)
{
	for (;;) {
		enum driver_end end = engine_run(s->engine, s->ask.oracle, err);
		if (end == DRIVER_FIXPOINT)
			end = doubt_result(s, engine_current(s->engine), err);
		if (end == DRIVER_FIXPOINT)
			end = sample_settle(s, err);
		if (end != DRIVER_DOUBT)
			return end;
		if (start_over(s, err) < 0)
			return DRIVER_FAILED;
	}
}

/* What a branch starts from is a snapshot: whoever put it in the place of FILE has kept the
 * original. */
static int keep_orig(struct session *s, struct err *err)
{
	if (s->kept.keep && session_store_is_branch(s->kept.keep))
		return 0;
	return output_keep_original(&s->follow.output, s->original, err);
}

enum driver_end session_reduce(struct session *s, struct err *err)
{
	s->success_ns = io_now();
	if (keep_orig(s, err) < 0)
		return DRIVER_FAILED;
	if (!s->result)
		s->engine = start_engine(s);
	let_go(s, &s->original);
	let_go(s, &s->follow.found);
	if (s->options.observer.started)
		s->options.observer.started(s->options.observer.arg, s);
	enum driver_end end = s->engine ? run(s, err) : DRIVER_FIXPOINT;
	if (s->wish.paused) /* what is asked now is waited for */
		allow_jobs(s, 0, false);
	return wind_up(s, end, err);
}

void session_close(struct session *s)
{
	if (!s)
		return;
	engine_free(s->engine);
	oracle_free(s->ask.oracle);
	if (s->options.tests.under_make)
		jobserver_close(&s->options.tests.make);
	fence_release(&s->ask.fence);
	externals_release(&s->externals);
	free(s->external_identity);
	verdicts_release(&s->ask.verdicts);
	testcase_unref(s->formatted);
	testcase_unref(s->original);
	testcase_unref(s->result);
	testcase_unref(s->ask.empty);
	session_store_close(s->kept.keep);
	free(s->kept.settings);
	language_release(&s->language);
	mem_free_words(s->ask.operands);
	follow_release(&s->follow);
	input_release(&s->input);
	free(s->ask.test);
	free(s);
}
