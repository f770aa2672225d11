#include "reduce/session_shared.h"

#include <string.h>

#include "base/buf.h"
#include "base/io.h"
#include "reduce/session_def.h"
#include "run/shared.h"

/* All that a verdict depends on, beside the candidate and what the test itself reads. A program in
 * another version is another one; what it runs is not known. */
static int identity_of(const struct session *s, struct hash *out, struct err *err)
{
	struct buf text = { 0 };
	if (io_read_file(s->ask.setup.test, &text, err) < 0)
		return -1;
	for (const char *const *a = s->ask.setup.args; a && *a; a++)
		buf_add(&text, *a, strlen(*a) + 1);
	buf_addf(&text, "%u %d %d", s->ask.setup.input, s->ask.setup.exit_code,
	         s->ask.setup.no_answer);
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
