

#include "base/buf.h"
#include "base/io.h"
#include "base/mem.h"
#include "far/far.h"
#include "reduce/session_def.h"
#include "run/shared.h"

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
	far_calibrate(s->ask.far, s->original, VERDICT_UNKNOWN, &s->ask.limits);
	far_calibrate(s->ask.far, s->ask.empty, VERDICT_UNKNOWN, &s->ask.limits);
}

void session_far_begin(struct session *s)
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

/* ---- refusals of other runs ---- */

/* All that a verdict depends on, beside the candidate: the test, and what it may do. What it runs
 * is not known. */
static int identity_of(const struct session *s, struct hash *out, struct err *err)
{
	const struct settings *settings = &s->options.settings;
	char fence[FENCE_WORDS_SIZE];
	MEM_SCOPED char *allowed = fence_paths(&s->ask.fence);
	BUF_SCOPED struct buf text = { 0 };
	fence_text(&s->ask.fence, fence);
	if (io_read_file(s->ask.setup.test, &text, err) < 0)
		return -1;
	for (const char *const *a = s->ask.setup.args; a && *a; a++)
		buf_add(&text, *a, strlen(*a) + 1);
	buf_addf(&text, "%u %d %d %d %llu %llu %llu %s %s", s->ask.setup.input,
	         s->ask.setup.exit_code, s->ask.setup.no_answer, s->ask.setup.live.answers > 0,
	         (unsigned long long)settings->memory_limit,
	         (unsigned long long)settings->file_limit,
	         (unsigned long long)settings->process_limit, fence, allowed ? allowed : "");
	*out = hash_bytes(text.data, text.len, 0);
	return 0;
}

int session_shared_open(struct session *s, struct err *err)
{
	struct shared_options o = { .dir = s->options.tests.verdicts,
		                    .notice = s->options.observer.notice,
		                    .arg = s->options.observer.arg };
	if (!o.dir)
		return 0;
	if (identity_of(s, &o.test, err) < 0)
		return -1;
	s->ask.oracle = shared_new(s->ask.oracle, &o, err);
	return s->ask.oracle ? 0 : -1;
}
