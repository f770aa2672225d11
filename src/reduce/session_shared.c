#include "reduce/session_shared.h"

#include <stdlib.h>
#include <string.h>

#include "base/buf.h"
#include "base/io.h"
#include "reduce/session_def.h"
#include "run/shared.h"

/* All that a verdict depends on, beside the candidate: the test, and what it may do. What it runs
 * is not known. */
static int identity_of(const struct session *s, struct hash *out, struct err *err)
{
	const struct settings *settings = &s->options.settings;
	char fence[FENCE_WORDS_SIZE], *allowed = fence_paths(&s->ask.fence);
	struct buf text = { 0 };
	fence_text(&s->ask.fence, fence);
	if (io_read_file(s->ask.setup.test, &text, err) < 0) {
		free(allowed);
		return -1;
	}
	for (const char *const *a = s->ask.setup.args; a && *a; a++)
		buf_add(&text, *a, strlen(*a) + 1);
	buf_addf(&text, "%u %d %d %d %llu %llu %llu %s %s", s->ask.setup.input,
	         s->ask.setup.exit_code, s->ask.setup.no_answer, s->ask.setup.live.answers > 0,
	         (unsigned long long)settings->memory_limit,
	         (unsigned long long)settings->file_limit,
	         (unsigned long long)settings->process_limit, fence, allowed ? allowed : "");
	free(allowed);
	*out = hash_bytes(text.data, text.len, 0);
	buf_release(&text);
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
