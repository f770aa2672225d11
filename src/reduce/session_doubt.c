#include "reduce/session_doubt.h"

#include "base/err.h"
#include "base/mem.h"
#include "reduce/session_def.h"
#include "run/repeat.h"

enum { LEAST_RUNS = 20, MOST_RUNS = 100 };
static const uint64_t RUNS_FOR_NS = 30000000000u;

/* What stands among the verdicts for having looked at what the reversed one led back to. */
static struct hash looked_key(const struct session *s)
{
	return hash_again(s->doubts.refuted, hash_bytes("sound", strlen("sound"), 0).lo);
}

void doubt_begin(struct session *s, const struct session_store_known *known)
{
	s->doubts.refuted = known->refuted;
	s->ask.rate = known->rate;
	s->ask.claims_refuted = known->claims_refuted;
	s->follow.refuted =
		verdicts_get(&s->ask.verdicts, s->follow.found->hash, 0) == VERDICT_NOT_INTERESTING;
}

struct hash doubt_after(struct session *s)
{
	const struct hash none = { 0 };
	return verdicts_get(&s->ask.verdicts, looked_key(s), 0) ? none : s->doubts.refuted;
}

/* What FILE held, which is not written to, if it still does. */
static struct testcase *read_again(const struct session *s, struct err *err)
{
	struct testcase *tc = input_read(&s->input, err);
	if (!tc || hash_equal(tc->hash, s->original->hash))
		return tc;
	testcase_unref(tc);
	err_set(err, ERR_TEST, "the test is flaky, and %s has changed since it was read",
	        s->options.file);
	return NULL;
}

struct testcase *doubt_original(struct session *s, struct err *err)
{
	if (s->original->n_files)
		return testcase_ref(s->original);
	return s->kept.keep ? reduction_at(session_store_of(s->kept.keep), 0, err)
	                    : read_again(s, err);
}

static void notice(const struct session *s, char *message)
{
	session_notice(s, message);
	free(message);
}

/* Runs the test on TC, and adds to SEEN. */
static enum driver_doubt ask(struct session *s, const struct testcase *tc, unsigned least,
                             unsigned most, struct rate *seen, struct err *err)
{
	const struct repeat_survey survey = { .tc = tc,
		                              .limits = s->ask.limits,
		                              .least = least,
		                              .most = most,
		                              .for_ns = RUNS_FOR_NS,
		                              .stop_fd = s->options.end.stop_fd };
	struct rate now;
	uint64_t slowest_ns;
	int rc = repeat_survey(s->ask.once, &survey, &now, &slowest_ns, err);
	seen->runs += now.runs;
	seen->yes += now.yes;
	return rc < 0 ? DOUBT_FAILED : rc > 0 ? DOUBT_STOP : DOUBT_NONE;
}

enum driver_doubt doubt_ask(struct session *s, const struct testcase *tc, unsigned runs,
                            struct rate *seen, struct err *err)
{
	return ask(s, tc, runs, runs, seen, err);
}

/* How often the test says yes to the original, which is kept. */
static enum driver_doubt measure_original(struct session *s, struct err *err)
{
	struct rate seen = { 0 };
	struct testcase *original = s->ask.rate.runs ? NULL : doubt_original(s, err);
	if (s->ask.rate.runs)
		return DOUBT_NONE;
	if (!original)
		return DOUBT_FAILED;
	enum driver_doubt doubt = ask(s, original, LEAST_RUNS, MOST_RUNS, &seen, err);
	testcase_unref(original);
	if (doubt)
		return doubt;
	if (!seen.yes) {
		err_set(err, ERR_TEST,
		        "the original is no longer interesting either, in %u of %u runs: something "
		        "that the test needs has changed; repair that, and the same command "
		        "resumes",
		        seen.runs, seen.runs);
		return DOUBT_FAILED;
	}
	s->ask.rate = seen;
	return s->kept.keep && session_store_rate(s->kept.keep, seen, err) < 0 ? DOUBT_FAILED
	                                                                       : DOUBT_NONE;
}

/* As often as the original, or is it by chance? *VERDICT says. */
static enum driver_doubt measure(struct session *s, const struct testcase *now, struct rate *seen,
                                 enum verdict *verdict, struct err *err)
{
	const struct rate_rule rule = s->options.settings.repeat.flaky
	                                      ? rate_rule_still(s->ask.rate)
	                                      : rate_rule_no_less(s->ask.rate);
	enum driver_doubt doubt = ask(s, now, LEAST_RUNS, LEAST_RUNS, seen, err);
	while (!doubt && !(*verdict = rate_decide(&rule, *seen)))
		doubt = ask(s, now, LEAST_RUNS / 2, LEAST_RUNS / 2, seen, err);
	return doubt;
}

static enum driver_doubt believe(struct session *s, struct err *err)
{
	const struct hash none = { 0 }, key = looked_key(s);
	if (hash_equal(s->doubts.refuted, none) || verdicts_get(&s->ask.verdicts, key, 0))
		return DOUBT_NONE;
	verdicts_put(&s->ask.verdicts, key, VERDICT_INTERESTING, 0);
	return s->kept.keep && session_store_verdict(s->kept.keep, key, VERDICT_INTERESTING, 0,
	                                             err) < 0
	               ? DOUBT_FAILED
	               : DOUBT_NONE;
}

static enum driver_doubt refute(struct session *s, const struct testcase *now, struct err *err)
{
	if (!s->doubts.undone)
		notice(s, mem_printf("steps that were interesting by chance are undone (%u bytes)",
		                     testcase_shown_size(now)));
	s->doubts.undone = true;
	s->doubts.refuted = now->hash;
	s->follow.refuted = s->follow.replaying = true;
	verdicts_overrule(&s->ask.verdicts, now->hash, VERDICT_NOT_INTERESTING);
	return s->kept.keep && session_store_overrule(s->kept.keep, now, VERDICT_NOT_INTERESTING,
	                                              err) < 0
	               ? DOUBT_FAILED
	               : DOUBT_FALSE;
}

static void say(struct session *s, struct rate now)
{
	const struct rate *o = &s->ask.rate;
	if (s->doubts.said || s->ask.once != s->ask.oracle)
		return;
	s->doubts.said = true;
	if (now.yes == now.runs && o->yes == o->runs) {
		notice(s, mem_printf("the test is flaky: it said no once to a file that is "
		                     "interesting in %u of %u further runs; --flaky takes such "
		                     "rates into account",
		                     now.yes, now.runs));
		return;
	}
	notice(s, mem_printf("the test is flaky: the original is interesting in %u of %u runs, and "
	                     "a file that was found interesting in %u of %u; --flaky takes such "
	                     "rates into account",
	                     o->yes, o->runs, now.yes, now.runs));
}

/* Of a tree nobody but the store has the original. */
static bool can_go_back(struct session *s)
{
	if (!s->original->is_tree || s->kept.keep)
		return true;
	if (!s->doubts.said)
		notice(s, mem_strdup("the test is flaky: a file that was found interesting no "
		                     "longer is; --flaky takes into account how often it is"));
	s->doubts.said = true;
	return false;
}

/* NOW was to become a step, since a persistent test said so, and a fresh process says no: others of
 * its answers may be wrong. They are asked for again, of fresh processes from now on. */
static enum driver_doubt refute_claims(struct session *s, const struct testcase *now,
                                       struct err *err)
{
	session_notice(s,
	               "a fresh process of the test does not confirm an interesting candidate; the "
	               "reduction starts over, and each such answer is confirmed from now on");
	s->ask.claims_refuted = s->follow.refuted = s->follow.replaying = true;
	verdicts_forget_claims(&s->ask.verdicts);
	return s->kept.keep && session_store_refuted(s->kept.keep, now, err) < 0 ? DOUBT_FAILED
	                                                                         : DOUBT_FALSE;
}

enum driver_doubt doubt_settle(void *arg, struct testcase *now, struct err *err)
{
	struct session *s = arg;
	testcase_flat(now);
	if (!hash_equal(now->hash, engine_current(s->engine)->hash))
		return refute_claims(s, now, err);
	struct rate seen = { 0 };
	enum verdict verdict = VERDICT_INTERESTING;
	bool original = hash_equal(now->hash, s->original->hash);
	if ((original && s->ask.rate.runs) || !can_go_back(s))
		return believe(s, err);
	session_waits(s, "further runs of a flaky test");
	enum driver_doubt doubt = measure_original(s, err);
	if (original)
		seen = s->ask.rate;
	else if (!doubt)
		doubt = measure(s, now, &seen, &verdict, err);
	session_waits(s, NULL);
	if (doubt)
		return doubt;
	s->doubts.last = seen;
	say(s, seen);
	return verdict == VERDICT_INTERESTING ? believe(s, err) : refute(s, now, err);
}

enum driver_end doubt_result(struct session *s, struct testcase *now, struct err *err)
{
	static const enum driver_end ends[] = { [DOUBT_NONE] = DRIVER_FIXPOINT,
		                                [DOUBT_FALSE] = DRIVER_DOUBT,
		                                [DOUBT_STOP] = DRIVER_STOPPED,
		                                [DOUBT_FAILED] = DRIVER_FAILED };
	return s->ask.rate.runs ? ends[doubt_settle(s, now, err)] : DRIVER_FIXPOINT;
}

void doubt_say_last(struct session *s, const struct testcase *now)
{
	struct rate seen = s->doubts.last;
	if (!s->ask.rate.runs && s->ask.once == s->ask.oracle)
		return;
	session_waits(s, "further runs of the test on the result");
	if (!seen.runs)
		ask(s, now, LEAST_RUNS, LEAST_RUNS, &seen, NULL);
	session_waits(s, NULL);
	if (seen.runs)
		notice(s, mem_printf("the result is interesting in %u of %u further runs", seen.yes,
		                     seen.runs));
}
