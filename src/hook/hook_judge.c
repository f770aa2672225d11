#include "hook/hook_judge.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/err.h"
#include "base/io.h"
#include "base/mem.h"
#include "base/signals.h"
#include "store/git.h"
#include "hook/hook_apart.h"
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

/* Did the user stop it, rather than the clock? */
static bool is_interrupted(void)
{
	int sig = signals_arrived();
	return sig && sig != SIGALRM;
}

static enum hook_finding not_opened(const struct session_probe *probe, struct hook_judgement *j,
                                    struct err *err)
{
	if (probe->output)
		buf_addf(&j->output, "%s", probe->output);
	if (is_interrupted())
		return HOOK_INTERRUPTED;
	if (err->code == ERR_STOPPED)
		err_set(err, ERR_TEST,
		        "the time was up before the test had run often enough to be reliable");
	if (probe->empty_interesting)
		err_set(err, ERR_TEST,
		        "the test is interesting on an empty file; it must look for the bug "
		        "itself");
	return err->code == ERR_TEST && probe->output ? HOOK_DULL : HOOK_UNJUDGED;
}

static enum hook_finding reduced(const struct hook_case *c, struct session *s, enum driver_end end,
                                 struct hook_judgement *j)
{
	const struct testcase *now = session_current(s);
	j->best = now->size;
	j->fixpoint = end == DRIVER_FIXPOINT;
	if (is_interrupted())
		return HOOK_INTERRUPTED;
	if (end == DRIVER_FAILED)
		return HOOK_UNJUDGED;
	if (j->best > enough(c->size, c->slack))
		return HOOK_GOOD;
	if (c->minimize)
		buf_add(&j->smallest, now->bytes, now->size);
	return HOOK_LARGE;
}

/* Judges the copy, which is in the current directory, so that messages name the file as the user
 * knows it. */
static enum hook_finding judge_copy(const struct hook_case *c, struct hook_judgement *j,
                                    struct err *err)
{
	struct session_options o = *c->base;
	struct session_probe probe = { 0 };
	char *file = mem_printf("%s%s", *c->name == '-' ? "./" : "", c->name);
	o.test = c->test;
	o.settings.tokenizer = c->tokenizer;
	o.file = file;
	o.files = &o.file;
	o.n_files = 1;
	o.out = c->out;
	o.end.stop_fd = signals_open();
	o.store.none = true;
	o.end.until_size = c->minimize ? 0 : enough(c->size, c->slack);
	struct session *s = session_open(&o, &probe, err);
	enum hook_finding finding = s ? HOOK_GOOD : not_opened(&probe, j, err);
	if (s && enough(c->size, c->slack))
		finding = reduced(c, s, session_reduce(s, err), j);
	session_close(s);
	free(probe.output);
	free(file);
	return finding;
}

/* A name in a directory of its own needs no detour, which a long one would leave no room for. */
static int write_copy(const struct hook_case *c, const struct buf *bytes, struct err *err)
{
	if (chdir(c->dir) < 0)
		return err_errno(err, "cannot change to %s", c->dir);
	int fd = open(c->name, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0644);
	int rc = fd < 0 || io_write_all(fd, bytes->data, bytes->len) < 0
	                 ? err_errno(err, "cannot write a copy")
	                 : 0;
	if (fd >= 0)
		close(fd);
	return rc;
}

static int make_copy(const struct hook_case *c, struct err *err)
{
	const char *const argv[] = { "cat-file", "blob", c->blob, NULL };
	struct git_call call = { .argv = argv, .stoppable = true };
	struct buf bytes = { 0 };
	int rc = git_ask(&call, &bytes, err);
	if (rc == 0)
		rc = write_copy(c, &bytes, err);
	buf_release(&bytes);
	git_leave_repository(); /* a test that uses git means its own repository */
	return rc;
}

/* In the process of its own. */
static enum hook_finding judge_here(const void *arg, struct hook_judgement *j, struct err *err)
{
	const struct hook_case *c = arg;
	*j = (struct hook_judgement){ .best = c->size };
	if (signals_set_time(c->time_ns) < 0) {
		err_errno(err, "cannot set a timer");
		return HOOK_UNJUDGED;
	}
	if (make_copy(c, err) == 0)
		return judge_copy(c, j, err);
	if (is_interrupted())
		return HOOK_INTERRUPTED;
	if (err->code == ERR_STOPPED)
		err_set(err, ERR_TEST, "the time was up before the test could run");
	return HOOK_UNJUDGED;
}

enum hook_finding hook_judge(const struct hook_case *c, struct hook_judgement *j, struct err *err)
{
	return hook_apart(judge_here, c, c->time_ns, j, err);
}

void hook_judgement_release(struct hook_judgement *j)
{
	buf_release(&j->smallest);
	buf_release(&j->output);
	*j = (struct hook_judgement){ 0 };
}
