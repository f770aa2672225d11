#include "hook/hook_run.h"

#include <errno.h>
#include <signal.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/buf.h"
#include "base/err.h"
#include "base/io.h"
#include "base/mem.h"
#include "base/signals.h"
#include "run/reap.h"
#include "store/git.h"
#include "hook/hook_config.h"
#include "hook/hook_files.h"
#include "hook/hook_judge.h"
#include "hook/hook_plan.h"
#include "hook/hook_say.h"
#include "hook/hook_seen.h"
#include "hook/hook_test.h"
#include "hook/hook_text.h"
#include "hook/hook_unchecked.h"
#include "hook/hook_updates.h"
#include "fence/workdir.h"

enum { ADVICE_MOST = 3 }; /* drivers that the user is told how to set up */
/* A file gets at least so much time while there is any; with less nothing can be found out. */
static const uint64_t LEAST_SHARE_NS = 500000000, LEAST_LEFT_NS = 10000000;

struct run {
	const struct hook_options *options;
	struct hook_config config;
	struct hook_files files;
	struct hook_checkouts checkouts;
	struct hook_seen seen;
	struct hook_plan plan;
	struct hook_unchecked_list unchecked;
	struct workdir work; /* slot 0: the index, then the copy; slot 1: smaller versions */
	uint64_t began_ns;
	size_t judged;
	bool bad; /* something was found */
};

static double seconds(uint64_t ns)
{
	return (double)ns / 1e9;
}

/* The signal by which the user stops it; 0: none. */
static int user_signal(void)
{
	int sig = signals_arrived();
	return sig == SIGALRM ? 0 : sig;
}

/* ---- judging ---- */

/* The smaller version will be pushed next: it need not be judged again. */
static int remember_smaller(struct run *r, const struct hook_job *job,
                            const struct hook_judgement *j, struct err *err)
{
	static const char *const argv[] = { "hash-object", "--stdin", NULL };
	struct git_call call = { .argv = argv, .in = &j->smallest };
	struct buf id = { 0 };
	int rc = git_ask(&call, &id, err);
	if (rc == 0 && id.len) {
		id.data[id.len - 1] = '\0';
		rc = hook_seen_add(&r->seen, hook_plan_key(job->needed, id.data, job->file->path),
		                   err);
	}
	buf_release(&id);
	return rc;
}

static void offer_smaller(struct run *r, const struct hook_job *job, const struct hook_judgement *j)
{
	struct err err;
	char *kept = hook_seen_keep(&r->seen, job->file->blob, hook_base_name(job->file->path),
	                            j->smallest.data, j->smallest.len, &err);
	if (!kept || remember_smaller(r, job, j, &err) < 0)
		hook_sayf(r->options->say, "%s", err.msg);
	if (kept)
		hook_say_smaller(r->options->say, job, j, kept);
	else
		hook_say_large(r->options->say, job, j);
	free(kept);
}

static void pass_over(struct run *r, const struct hook_job *job, const char *why)
{
	hook_unchecked_add(&r->unchecked, job->file->path, job->file->driver,
	                   hook_config_blocks(&r->config, job->file->driver), why);
}

static void conclude(struct run *r, const struct hook_job *job, enum hook_finding finding,
                     const struct hook_judgement *j, struct err *err)
{
	hook_say_fn *say = r->options->say;
	switch (finding) {
	case HOOK_GOOD:
		if (hook_seen_add(&r->seen, job->key, err) < 0)
			hook_sayf(say, "%s; so the next push checks again", err->msg);
		break;
	case HOOK_DULL:
		r->bad = true;
		hook_say_dull(say, job, j);
		break;
	case HOOK_LARGE:
		r->bad = true;
		if (r->config.mode == HOOK_MINIMIZE)
			offer_smaller(r, job, j);
		else
			hook_say_large(say, job, j);
		break;
	case HOOK_UNJUDGED:
		pass_over(r, job, err->msg);
		break;
	case HOOK_INTERRUPTED:
		break;
	}
}

/* The path of LEAF in a slot; the caller's. */
static char *work_path(const struct run *r, unsigned slot, const char *leaf)
{
	char name[WORKDIR_SLOT_SIZE];
	workdir_slot_name(name, slot);
	return mem_printf("%s/%s/%s", r->work.path, name, leaf);
}

/* An empty directory there. */
static int make_slot(struct run *r, unsigned slot, struct err *err)
{
	int fd = workdir_make_slot(&r->work, slot, err);
	if (fd >= 0)
		close(fd);
	return fd < 0 ? -1 : 0;
}

static void judge(struct run *r, const struct hook_job *job, uint64_t share)
{
	struct err err;
	struct hook_judgement j = { 0 };
	char *path = hook_quoted(job->file->path), *dir = work_path(r, 0, ""),
	     *out = work_path(r, 1, "smaller");
	hook_sayf(r->options->say, "checking %s (%s, at most %.3g s)", path, job->needed->name,
	          seconds(share));
	struct hook_case c = { .base = r->options->session,
		               .test = job->needed->test,
		               .tokenizer = job->needed->tokenizer,
		               .blob = job->file->blob,
		               .name = hook_base_name(job->file->path),
		               .dir = dir,
		               .out = out,
		               .size = job->size,
		               .slack = job->needed->driver->slack,
		               .minimize = r->config.mode == HOOK_MINIMIZE,
		               .time_ns = share };
	enum hook_finding finding = make_slot(r, 0, &err) < 0 || make_slot(r, 1, &err) < 0
	                                    ? HOOK_UNJUDGED
	                                    : hook_judge(&c, &j, &err);
	conclude(r, job, finding, &j, &err);
	r->judged += finding != HOOK_UNJUDGED;
	hook_judgement_release(&j);
	free(out);
	free(dir);
	free(path);
}

/* The time for the next file of N, whose time runs together with that of all. */
static uint64_t share_of(const struct hook_needed *n, uint64_t end_ns)
{
	uint64_t now = io_now(), all = now < end_ns ? end_ns - now : 0;
	uint64_t left = n->left_ns < all ? n->left_ns : all, share = left / n->files;
	if (share < LEAST_SHARE_NS)
		share = left < LEAST_SHARE_NS ? left : LEAST_SHARE_NS;
	return share < LEAST_LEFT_NS ? 0 : share;
}

static void judge_or_pass_over(struct run *r, const struct hook_job *job, uint64_t end_ns)
{
	struct hook_needed *n = job->needed;
	uint64_t began = io_now(), share = share_of(n, end_ns);
	if (share)
		judge(r, job, share);
	else {
		uint64_t given = r->options->budget_ns;
		char *why =
			given ? mem_printf("no time was left, --budget is %.3g s", seconds(given))
			      : mem_printf("no time was left, whittle.%s.budget is %.3g s", n->name,
		                           seconds(n->driver->budget_ns));
		pass_over(r, job, why);
		free(why);
	}
	uint64_t used = io_now() - began;
	n->left_ns = used < n->left_ns ? n->left_ns - used : 0;
	n->files--;
}

/* All files of all drivers, in the order of refs and paths. What finding them took is taken from
 * the time of the drivers that are needed. */
static void judge_all(struct run *r)
{
	uint64_t end_ns = r->began_ns;
	for (size_t i = 0; i < r->plan.n_needed; i++) {
		struct hook_needed *n = &r->plan.needed[i];
		n->left_ns = r->options->budget_ns ? r->options->budget_ns : n->left_ns;
		end_ns += n->left_ns;
	}
	for (size_t i = 0; i < r->plan.n_jobs && !user_signal(); i++)
		judge_or_pass_over(r, &r->plan.jobs[i], end_ns);
}

/* ---- the whole ---- */

static void advise(const struct run *r)
{
	int told = 0;
	for (size_t i = 0; i < r->plan.n_needed && told < ADVICE_MOST; i++)
		if (r->plan.needed[i].advice) {
			hook_sayf(r->options->say, "%s", r->plan.needed[i].advice);
			told++;
		}
}

/* UPDATES is NULL for hook_check. */
static int find(struct run *r, const struct hook_updates *updates, struct err *err)
{
	char *index = work_path(r, 0, "index");
	int rc = make_slot(r, 0, err);
	if (rc == 0 && !updates)
		rc = hook_files_find_in(&r->files, "HEAD", r->options->paths, index, err);
	else if (rc == 0)
		rc = hook_files_find(&r->files, updates, r->options->remote, index, err);
	free(index);
	if (rc < 0 || !r->files.n)
		return rc;
	if (hook_checkouts_find(&r->checkouts, err) < 0 ||
	    hook_seen_open(&r->seen, r->checkouts.common, err) < 0)
		return -1;
	const struct hook_plan_from from = { &r->config, &r->files, &r->checkouts,
		                             r->options->all ? NULL : &r->seen, &r->unchecked };
	return hook_plan_make(&r->plan, &from, err);
}

/* The time for finding out what there is. */
static uint64_t finding_ns(const struct run *r)
{
	uint64_t ns = hook_config_budget_ns(&r->config);
	return ns > r->options->budget_ns ? ns : r->options->budget_ns;
}

/* Nothing is known of what is pushed but that finding out takes too long. */
static void pass_over_all(struct run *r)
{
	const char *by = hook_config_blocks(&r->config, "") ? "" : NULL;
	for (size_t i = 0; !by && i < r->config.n; i++)
		if (hook_config_blocks(&r->config, r->config.drivers[i].name))
			by = r->config.drivers[i].name;
	r->unchecked.blocked_by = by ? mem_strdup(by) : NULL;
	hook_sayf(r->options->say,
	          "not checked: all files (the time of %.3g s was up before it was known what is "
	          "pushed)",
	          seconds(finding_ns(r)));
}

static int find_and_judge(struct run *r, const struct hook_updates *updates, struct err *err)
{
	if (signals_set_time(finding_ns(r)) < 0)
		return err_errno(err, "cannot set a timer");
	int rc = find(r, updates, err);
	bool late = rc < 0 && signals_arrived() == SIGALRM;
	signals_set_time(0);
	if (late)
		pass_over_all(r);
	if (rc < 0)
		return late ? 0 : -1;
	advise(r);
	judge_all(r);
	if (!updates && !user_signal())
		hook_sayf(r->options->say, "%zu file%s with a driver, %zu of them judged now",
		          r->files.n, r->files.n == 1 ? "" : "s", r->judged);
	if (r->unchecked.n_files) {
		char *line = hook_unchecked_line(&r->unchecked, r->files.n);
		hook_sayf(r->options->say, "%s", line);
		free(line);
	}
	return 0;
}

/* The same with a directory of its own, which goes in the end; it is locked, so that one of a
 * killed hook can be told, and removed. */
static int work(struct run *r, const struct hook_updates *updates, struct err *err)
{
	if (workdir_init(&r->work, io_temporary(), 2, 0, err) < 0)
		return -1;
	int rc = find_and_judge(r, updates, err);
	workdir_release(&r->work);
	return rc;
}

/* Says why the push stops, if it does. */
static int decide(const struct run *r)
{
	const char *by = r->unchecked.blocked_by;
	if (r->config.mode == HOOK_WARN || (!r->bad && !by))
		return 0;
	char *why = r->bad ? mem_printf("whittle.prePush is %s", hook_mode_name(r->config.mode))
	            : *by  ? mem_printf("whittle.%s.unchecked or whittle.unchecked is block", by)
	                   : mem_strdup("whittle.unchecked is block");
	hook_sayf(r->options->say, "the push is stopped (%s); `git push --no-verify` pushes anyway",
	          why);
	free(why);
	return 1;
}

/* Of what is not pushed the mode says nothing, but that smaller versions are kept. */
static void adapt(struct run *r, bool pushed)
{
	if (!pushed && r->config.mode != HOOK_MINIMIZE)
		r->config.mode = HOOK_CHECK;
}

/* Has this process children from before, of a shell that has become it? */
static bool is_parent(void)
{
	siginfo_t info;
	return waitid(P_ALL, 0, &info, WEXITED | WNOHANG | WNOWAIT) == 0;
}

static int run(struct run *r, const struct hook_updates *updates, struct err *err)
{
	sigset_t child;
	bool others = is_parent();
	if (hook_config_load(&r->config, err) < 0)
		return -1;
	adapt(r, updates != NULL);
	if (r->config.mode == HOOK_OFF)
		return 0;
	sigemptyset(&child);
	sigaddset(&child, SIGCHLD);
	sigprocmask(SIG_BLOCK, &child, NULL);
	prctl(PR_SET_CHILD_SUBREAPER, 1);
	int fd = signals_catch();
	int rc = fd < 0 ? err_errno(err, "cannot wait for signals") : work(r, updates, err);
	if (!others) /* what git has started, say to fetch from elsewhere, ends with the hook */
		reap_descendants();
	if (fd >= 0)
		close(fd);
	if (user_signal()) /* which git, started by us, may have got, too, and so have failed */
		return 128 + user_signal();
	if (rc < 0 && r->config.mode == HOOK_WARN) {
		hook_sayf(r->options->say, "%s", err->msg);
		return 0;
	}
	if (!updates)
		return rc < 0 ? rc : r->bad || r->unchecked.blocked_by;
	return rc < 0 ? rc : decide(r);
}

static void release(struct run *r)
{
	hook_plan_release(&r->plan);
	hook_unchecked_release(&r->unchecked);
	hook_seen_release(&r->seen);
	hook_checkouts_release(&r->checkouts);
	hook_files_release(&r->files);
	hook_config_release(&r->config);
}

int hook_run(const struct hook_options *options, struct err *err)
{
	struct hook_updates updates;
	struct run r = { .options = options, .began_ns = io_now() };
	int rc = hook_updates_read(&updates, options->input, err);
	if (rc == 0 && updates.n)
		rc = run(&r, &updates, err);
	hook_updates_release(&updates);
	release(&r);
	return rc;
}

int hook_check(const struct hook_options *options, struct err *err)
{
	struct run r = { .options = options, .began_ns = io_now() };
	int rc = run(&r, NULL, err);
	release(&r);
	return rc;
}
