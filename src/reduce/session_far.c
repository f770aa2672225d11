#include "reduce/session_far.h"

#include "far/far.h"
#include "reduce/session_def.h"

int session_far_open(struct session *s, struct err *err)
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

void session_far_ask(struct session *s)
{
	if (!s->ask.far || !is_sure(s))
		return;
	far_vouch(s->ask.far, s->original, VERDICT_UNKNOWN, &s->ask.limits);
	far_vouch(s->ask.far, s->ask.empty, VERDICT_UNKNOWN, &s->ask.limits);
}

void session_far_begin(struct session *s)
{
	if (!s->ask.far)
		return;
	if (!is_sure(s)) {
		far_trust(s->ask.far);
		return;
	}
	struct testcase *empty = input_empty(&s->input);
	enum verdict verdict = verdicts_get(&s->ask.verdicts, empty->hash, s->ask.limits.wall_ns);
	far_vouch(s->ask.far, s->original, VERDICT_INTERESTING, &s->ask.limits);
	far_vouch(s->ask.far, empty, verdict == VERDICT_BORING ? verdict : VERDICT_TIMEOUT,
	          &s->ask.limits);
	testcase_unref(empty);
}
