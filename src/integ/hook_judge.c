#include "integ/hook_judge.h"

#include <stdlib.h>

#include "base/err.h"
#include "integ/hook_stop.h"
#include "reduce/session.h"
#include "text/testcase.h"

enum {
	LEAST_SLACK = 16
}; /* bytes: a last line's end or a longer name are no reason to stop anybody */

/* The largest size at which a version of a file of SIZE bytes shows that it is too large. 0: none
 * does. */
static uint32_t enough(uint32_t size, unsigned slack)
{
	uint32_t bytes = (uint32_t)((uint64_t)size * slack / 100);
	if (slack && bytes < LEAST_SLACK)
		bytes = LEAST_SLACK;
	return size > bytes ? size - bytes - 1 : 0;
}

static enum hook_finding not_opened(const struct session_probe *probe, struct hook_judgement *j,
                                    struct err *err)
{
	j->output = probe->output;
	if (hook_stop_signal())
		return HOOK_INTERRUPTED;
	if (err->code == ERR_STOPPED)
		err_set(err, ERR_TEST,
		        "the time was over before the test had run often enough to be relied on");
	if (probe->empty_interesting)
		err_set(err, ERR_TEST,
		        "the test is satisfied by an empty file; let it look for the bug itself");
	return err->code == ERR_TEST && probe->output ? HOOK_DULL : HOOK_UNJUDGED;
}

static enum hook_finding reduced(const struct hook_case *c, struct session *s, enum driver_end end,
                                 struct hook_judgement *j)
{
	const struct testcase *now = session_current(s);
	j->best = now->size;
	j->fixpoint = end == DRIVER_FIXPOINT;
	if (hook_stop_signal())
		return HOOK_INTERRUPTED;
	if (end == DRIVER_FAILED)
		return HOOK_UNJUDGED;
	if (j->best > enough(c->size, c->slack))
		return HOOK_GOOD;
	if (c->minimize)
		buf_add(&j->smallest, now->bytes, now->size);
	return HOOK_LARGE;
}

enum hook_finding hook_judge(const struct hook_case *c, struct hook_judgement *j, struct err *err)
{
	struct session_options o = *c->base;
	struct session_probe probe = { 0 };
	*j = (struct hook_judgement){ .best = c->size };
	o.test = c->test;
	o.tokenizer = c->tokenizer;
	o.file = c->file;
	o.files = &o.file;
	o.n_files = 1;
	o.out = c->out;
	o.stop_fd = c->stop->fd;
	o.no_store = true;
	o.until_size = c->minimize ? 0 : enough(c->size, c->slack);
	struct session *s = session_open(&o, &probe, err);
	if (!s)
		return not_opened(&probe, j, err);
	free(probe.output);
	enum hook_finding finding = HOOK_GOOD;
	if (enough(c->size, c->slack))
		finding = reduced(c, s, session_reduce(s, err), j);
	session_close(s);
	return finding;
}

void hook_judgement_release(struct hook_judgement *j)
{
	buf_release(&j->smallest);
	free(j->output);
	*j = (struct hook_judgement){ 0 };
}
