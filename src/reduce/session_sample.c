
#include <stdio.h>

#include "base/mem.h"
#include "reduce/session_def.h"
#include "reduce/session_doubt.h"
#include "run/rate.h"

enum { RUNS_AT_ONCE = 4 };

/* Is it known that the answer of one run may be by chance? */
static bool is_unsure(const struct session *s)
{
	return s->ask.rate.runs || s->ask.once != s->ask.oracle;
}

/* What a candidate has to meet; without --flaky and --repeat, as often as the original. */
static struct rate_rule rule_of(const struct session *s)
{
	const struct settings_repeat *r = &s->options.settings.repeat;
	return s->ask.rate.runs ? rate_rule_like(s->ask.rate) : rate_rule_count(r->runs, r->needed);
}

/* What the answer about TC stands under, among the verdicts, while NOW is the result. */
static struct hash key_of(struct hash now, struct hash tc)
{
	const struct hash both[] = { now, tc };
	return hash_bytes(both, sizeof both, hash_bytes("sample", strlen("sample"), 0).lo);
}

static enum driver_doubt decide(struct session *s, const struct testcase *tc, enum verdict *verdict,
                                struct err *err)
{
	const struct rate_rule rule = rule_of(s);
	struct rate seen = { 0 };
	enum driver_doubt doubt = DOUBT_NONE;
	while (!doubt && !(*verdict = rate_decide(&rule, seen))) {
		unsigned left = rule.most - seen.runs;
		doubt = doubt_ask(s, tc, left < RUNS_AT_ONCE ? left : RUNS_AT_ONCE, &seen, err);
	}
	return doubt;
}

static enum driver_end start_over(struct session *s, const struct testcase *tc, struct err *err)
{
	MEM_SCOPED char *message =
		mem_printf("a candidate that was refused by chance is interesting (%u bytes)",
	                   testcase_shown_size(tc));
	session_notice(s, message);
	s->follow.refuted = s->follow.replaying = true;
	verdicts_overrule(&s->ask.verdicts, tc->hash, VERDICT_INTERESTING);
	return s->kept.keep && session_store_overrule(s->kept.keep, tc, VERDICT_INTERESTING, err) <
	                               0
	               ? DRIVER_FAILED
	               : DRIVER_DOUBT;
}

/* Asks about one of the sample, unless that was done. */
static enum driver_end ask(struct session *s, const struct sampled *it, struct err *err)
{
	static const enum driver_end ends[] = { [DOUBT_NONE] = DRIVER_FIXPOINT,
		                                [DOUBT_STOP] = DRIVER_STOPPED,
		                                [DOUBT_FAILED] = DRIVER_FAILED };
	struct hash key = key_of(engine_current(s->engine)->hash, it->hash);
	enum verdict verdict = VERDICT_UNKNOWN;
	s->doubts.sampled++;
	if (verdicts_get(&s->ask.verdicts, key, 0))
		return DRIVER_FIXPOINT;
	enum driver_doubt doubt = decide(s, it->tc, &verdict, err);
	if (doubt)
		return ends[doubt];
	verdicts_put(&s->ask.verdicts, key, verdict, 0);
	if (s->kept.keep && session_store_verdict(s->kept.keep, key, verdict, 0, err) < 0)
		return DRIVER_FAILED;
	return verdict == VERDICT_INTERESTING ? start_over(s, it->tc, err) : DRIVER_FIXPOINT;
}

enum driver_end sample_settle(struct session *s, struct err *err)
{
	enum driver_end end = DRIVER_FIXPOINT;
	size_t n;
	s->doubts.sampled = 0;
	if (!is_unsure(s) || (s->original->is_tree && !s->kept.keep))
		return end;
	const struct sampled *list = reducer_sampled(engine_reducer(s->engine), &n);
	session_waits(s, "further runs of the test on a sample of the refused candidates");
	for (size_t i = 0; i < n && end == DRIVER_FIXPOINT; i++)
		if (list[i].is_new &&
		    verdicts_get(&s->ask.verdicts, list[i].hash, 0) != VERDICT_INTERESTING)
			end = ask(s, &list[i], err);
	session_waits(s, NULL);
	return end;
}

void sample_certify(struct session *s)
{
	size_t size = sizeof s->certificate, n = 0;
	unsigned sampled = s->doubts.sampled;
	bool once = s->ask.once == s->ask.oracle;
	if (!is_unsure(s) || !once)
		engine_certificate(s->engine, s->certificate, size);
	else
		snprintf(s->certificate, size,
		         "nothing is verified%s: the test is not sure (--flaky)",
		         sampled ? " but a sample" : "");
	n = strlen(s->certificate);
	if (is_unsure(s) && sampled)
		snprintf(s->certificate + n, size - n,
		         "; %u candidates that were refused since then were tested again, and "
		         "none is interesting",
		         sampled);
}
