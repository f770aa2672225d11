#include "hook/hook_run.h"

#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <sys/prctl.h>
#include <sys/wait.h>

#include "base/buf.h"
#include "base/err.h"
#include "base/io.h"
#include "base/mem.h"
#include "base/path.h"
#include "base/quote.h"
#include "base/show.h"
#include "base/signals.h"
#include "fence/workdir.h"
#include "run/reap.h"
#include "store/git.h"
#include "hook/hook_judge.h"
#include "hook/hook_list.h"
#include "hook/hook_pushed.h"

/* ---- what is said ---- */

enum { OUTPUT_SHOWN = 2000 };

__attribute__((format(printf, 2, 3))) static void hook_sayf(hook_say_fn *say, const char *fmt, ...)
{
	char *line;
	va_list ap;
	va_start(ap, fmt);
	if (vasprintf(&line, fmt, ap) < 0)
		bug("a message cannot be formatted");
	va_end(ap);
	say(line);
	free(line);
}

static void say_dull(hook_say_fn *say, const struct hook_job *job, const struct hook_judgement *j)
{
	MEM_SCOPED char *path = quote_word(job->file->path), *test = quote_word(job->needed->test);
	hook_sayf(say, "%s is not interesting: %s does not exit with 0 on it", path, test);
	if (j->output.len)
		hook_sayf(say, "output of the test:\n%.*s", OUTPUT_SHOWN, j->output.data);
}

static void say_large(hook_say_fn *say, const struct hook_job *job, const struct hook_judgement *j)
{
	MEM_SCOPED char *path = quote_word(job->file->path), *test = quote_word(job->needed->test);
	hook_sayf(say,
	          "%s has %u bytes, but %u or fewer are enough (%u %% are tolerated). To make it "
	          "small:\n    whittle -- %s %s",
	          path, job->size, j->best, job->needed->driver->slack, test, path);
}

static const char *end_of(const struct hook_judgement *j)
{
	return j->fixpoint ? "nothing more can be removed" : "limited by the time";
}

/* PATH as an argument of git, which takes neither magic in it nor a wildcard, nor what a control
 * character is shown as, for the name of other files. */
static char *git_argument(const char *path)
{
	MEM_SCOPED char *shown = show_text(path);
	bool plain = *path != ':' && !strpbrk(shown, "*?[\\");
	MEM_SCOPED char *literal = mem_printf("%s%s", plain ? "" : ":(literal)", path);
	return quote_word(literal);
}

static void say_smaller(hook_say_fn *say, const struct hook_job *job,
                        const struct hook_judgement *j, const char *kept)
{
	MEM_SCOPED char *from = quote_word(kept), *path = quote_word(job->file->path),
			*spec = git_argument(job->file->path), *ref = quote_word(job->file->ref);
	hook_sayf(say,
	          "%s: %u -> %u bytes (%s). To push the smaller one, on %s at the top of the work "
	          "tree:\n"
	          "    cp -- %s %s\n"
	          "    git commit -m 'Smaller reproduction' -- %s",
	          path, job->size, j->best, end_of(j), ref, from, path, spec);
}

/* ---- a push ---- */

enum { ADVICE_MOST = 3 }; /* drivers that the user is told how to set up */
struct run {
	const struct hook_options *options;
	struct hook_config config;
	struct hook_files files;
	struct hook_checkouts checkouts;
	struct hook_seen seen;
	struct hook_plan plan;
	struct hook_unchecked_list unchecked;
	struct workdir work; /* for the index */
	uint64_t began_ns;
	size_t begun, judged;
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
	BUF_SCOPED struct buf id = { 0 };
	int rc = git_ask(&call, &id, err);
	if (rc == 0 && id.len) {
		id.data[id.len - 1] = '\0';
		rc = hook_seen_add(&r->seen, hook_plan_key(job->needed, id.data, job->file->path),
		                   err);
	}
	return rc;
}

static void offer_smaller(struct run *r, const struct hook_job *job, const struct hook_judgement *j)
{
	struct err err;
	MEM_SCOPED char *kept = hook_seen_keep(&r->seen, job->file->blob,
	                                       path_base(job->file->path), &j->smallest, &err);
	if (!kept || remember_smaller(r, job, j, &err) < 0)
		hook_sayf(r->options->say, "%s", err.msg);
	if (kept)
		say_smaller(r->options->say, job, j, kept);
	else
		say_large(r->options->say, job, j);
}

static void hear(void *arg, struct hook_job *job, enum hook_finding finding,
                 const struct hook_judgement *j, struct err *err)
{
	struct run *r = arg;
	hook_say_fn *say = r->options->say;
	MEM_SCOPED char *path = quote_word(job->file->path);
	r->judged += finding != HOOK_BEGUN && finding != HOOK_UNJUDGED;
	r->bad |= finding == HOOK_DULL || finding == HOOK_LARGE;
	switch (finding) {
	case HOOK_BEGUN:
		hook_sayf(say, "checking %s (%s, %zu of %zu)", path, job->needed->name, ++r->begun,
		          r->plan.n_jobs);
		break;
	case HOOK_GOOD:
		if (hook_seen_add(&r->seen, job->key, err) < 0)
			hook_sayf(say, "%s; so the next push checks again", err->msg);
		break;
	case HOOK_DULL:
		say_dull(say, job, j);
		break;
	case HOOK_LARGE:
		if (r->config.mode == HOOK_MINIMIZE)
			offer_smaller(r, job, j);
		else
			say_large(say, job, j);
		break;
	case HOOK_UNJUDGED:
		hook_unchecked_add(&r->unchecked, &r->config, job->file, err->msg);
		break;
	}
}

/* The time was not enough for JOB. */
static void pass_over(struct run *r, const struct hook_job *job)
{
	uint64_t given = r->options->budget_ns;
	MEM_SCOPED char *budget =
		given ? mem_printf("--budget is %.6g s", seconds(given))
		      : mem_printf("whittle.%s.budget is %.6g s", job->needed->name,
	                           seconds(job->needed->driver->budget_ns));
	MEM_SCOPED char *why = mem_printf(
		job->begun ? "the time was up before it was judged, %s; the next push continues"
			   : "no time was left, %s; the next push continues",
		budget);
	hook_unchecked_add(&r->unchecked, &r->config, job->file, why);
}

/* What finding the files took is taken from the time of the drivers that are needed. */
static void set_times(struct run *r)
{
	uint64_t used = io_now() - r->began_ns;
	for (size_t i = 0; i < r->plan.n_needed; i++) {
		struct hook_needed *n = &r->plan.needed[i];
		uint64_t all = r->options->budget_ns ? r->options->budget_ns : n->left_ns,
			 taken = used < all ? used : all;
		n->left_ns = all - taken;
		if (n->files)
			used -= taken;
	}
}

static void judge_all(struct run *r)
{
	const struct hook_judging how = { .base = r->options->session,
		                          .plan = &r->plan,
		                          .seen = &r->seen,
		                          .common = r->checkouts.common,
		                          .again = r->options->all,
		                          .minimize = r->config.mode == HOOK_MINIMIZE,
		                          .told = hear,
		                          .arg = r };
	set_times(r);
	hook_judge(&how);
	for (size_t i = 0; i < r->plan.n_jobs && !user_signal(); i++)
		if (!r->plan.jobs[i].done)
			pass_over(r, &r->plan.jobs[i]);
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

/* Was anything judged, now or before? */
static bool is_checked(const struct run *r)
{
	size_t n = r->judged;
	for (size_t i = 0; i < r->plan.n_needed; i++)
		n += r->plan.needed[i].known;
	return n > 0;
}

/* UPDATES is NULL for hook_check. */
static int find(struct run *r, const struct hook_updates *updates, struct err *err)
{
	MEM_SCOPED char *index = mem_printf("%s/index", r->work.path);
	int rc = updates ? hook_files_find(&r->files, updates, r->options->remote, index, err)
	                 : hook_files_find_in(&r->files, "HEAD", r->options->paths, index, err);
	if (rc < 0 || !r->files.n)
		return rc;
	if ((!r->checkouts.common && hook_checkouts_find(&r->checkouts, err) < 0) ||
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
	          "not checked: all files (the time of %.6g s was up before the pushed files were "
	          "known)",
	          seconds(finding_ns(r)));
}

static void say_unchecked(const struct run *r)
{
	MEM_SCOPED char *line =
		r->unchecked.n_files ? hook_unchecked_line(&r->unchecked, r->files.n) : NULL;
	if (line)
		hook_sayf(r->options->say, "%s", line);
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
		hook_sayf(r->options->say, "%zu file%s with a driver, %zu of them judged now%s",
		          r->files.n, r->files.n == 1 ? "" : "s", r->judged,
		          is_checked(r) ? "" : "; nothing was checked");
	say_unchecked(r);
	return 0;
}

/* The same with a directory of its own, which goes in the end; it is locked, so that one of a
 * killed hook can be told, and removed. */
static int work(struct run *r, const struct hook_updates *updates, struct err *err)
{
	if (workdir_init(&r->work, io_temporary(), 1, 0, err) < 0)
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
	MEM_SCOPED char *why =
		r->bad ? mem_printf("whittle.prePush is %s", hook_mode_name(r->config.mode))
		: *by  ? mem_printf("whittle.%s.unchecked or whittle.unchecked is block", by)
		       : mem_strdup("whittle.unchecked is block");
	hook_sayf(r->options->say, "the push is stopped (%s); `git push --no-verify` pushes anyway",
	          why);
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
	io_close(fd);
	if (user_signal()) /* which git, started by us, may have got, too, and so have failed */
		return 128 + user_signal();
	if (rc < 0 && r->config.mode == HOOK_WARN) {
		hook_sayf(r->options->say, "%s", err->msg);
		return 0;
	}
	if (!updates)
		return rc < 0 ? rc : r->bad || r->unchecked.blocked_by || !is_checked(r);
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

/* ---- an overview ---- */

static void tell_driver(const struct run *r, const struct hook_driver *d)
{
	struct err err;
	struct hash id;
	hook_say_fn *say = r->options->say;
	MEM_SCOPED char *test = d->test ? hook_test_find(&r->checkouts, d, &id, &err) : NULL;
	MEM_SCOPED char *key = mem_printf("whittle.%s.test", d->name), *word = quote_word(key);
	if (test)
		hook_sayf(say,
		          "driver %s: test %s, tokenizer %s, budget %.6g s, slack %u %%, "
		          "unchecked: %s",
		          d->name, test, d->tokenizer ? d->tokenizer : "by the file",
		          seconds(d->budget_ns), d->slack,
		          hook_config_blocks(&r->config, d->name) ? "block" : "warn");
	else if (d->test)
		hook_sayf(say, "driver %s: %s", d->name, err.msg);
	else
		hook_sayf(say, "driver %s: no test (git config %s PATH)", d->name, word);
}

static void tell_files(const struct run *r, const struct hook_needed *n)
{
	MEM_SCOPED char *name = quote_word(n->name);
	if (n->test)
		hook_sayf(r->options->say,
		          "driver %s: files at HEAD: %zu to be checked when pushed, %zu known to "
		          "be good",
		          name, n->files, n->known);
}

/* Is there a commit at all? 1, 0, -1 and err. */
static int has_head(struct err *err)
{
	static const char *const argv[] = { "rev-parse", "--verify", "--quiet", "HEAD^{commit}",
		                            NULL };
	int status = git_run(&(struct git_call){ .argv = argv }, NULL, err);
	return status < 0 ? -1 : status == 0;
}

static int tell_head(struct run *r, struct err *err)
{
	hook_say_fn *say = r->options->say;
	if (workdir_init(&r->work, io_temporary(), 1, 0, err) < 0)
		return -1;
	int rc = find(r, NULL, err);
	if (rc == 0 && !r->files.n)
		hook_sayf(say, "no file at HEAD has the attribute \"whittle\": nothing is checked");
	for (size_t i = 0; rc == 0 && i < r->plan.n_needed; i++)
		tell_files(r, &r->plan.needed[i]);
	if (rc == 0)
		say_unchecked(r);
	workdir_release(&r->work);
	return rc;
}

int hook_overview(hook_say_fn *say, struct err *err)
{
	const struct hook_options options = { .say = say };
	struct run r = { .options = &options };
	size_t tests = 0;
	int rc = hook_config_load(&r.config, err);
	if (rc == 0)
		rc = hook_checkouts_find(&r.checkouts, err);
	if (rc == 0)
		hook_sayf(say, "mode: %s", hook_mode_name(r.config.mode));
	for (size_t i = 0; rc == 0 && i < r.config.n; i++) {
		tell_driver(&r, &r.config.drivers[i]);
		tests += r.config.drivers[i].test != NULL;
	}
	if (rc == 0 && !tests)
		hook_sayf(say, "no driver: nothing is checked (whittle hook install --driver "
		               "NAME=PATTERN --test FILE)");
	int head = rc < 0 ? -1 : has_head(err);
	rc = head > 0 ? tell_head(&r, err) : head;
	release(&r);
	return rc;
}
