#include "bisect/bisect_work.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "base/err.h"
#include "base/io.h"
#include "base/mem.h"
#include "base/signals.h"
#include "bisect/bisect_state.h"

int bisect_work_init(struct bisect_work *work, unsigned n, struct err *err)
{
	*work = (struct bisect_work){ .n = n,
		                      .ahead = work->ahead,
		                      .list = mem_zero(n, sizeof *work->list) };
	struct judge_result *shared = mmap(NULL, n * sizeof *shared, PROT_READ | PROT_WRITE,
	                                   MAP_SHARED | MAP_ANONYMOUS, -1, 0);
	if (shared == MAP_FAILED) {
		work->n = 0;
		return err_errno(err, "cannot start %u workers", n);
	}
	for (unsigned i = 0; i < n; i++)
		work->list[i].result = &shared[i];
	sigemptyset(&work->signals);
	sigaddset(&work->signals, SIGCHLD);
	signals_add_stops(&work->signals);
	sigprocmask(SIG_BLOCK, &work->signals, &work->outside);
	prctl(PR_SET_CHILD_SUBREAPER,
	      1); /* minders of judges that were ended come to us, to be waited for */
	return 0;
}

void bisect_work_release(struct bisect_work *work)
{
	if (!work->n)
		return;
	for (unsigned i = 0; i < work->n; i++)
		bisect_work_cancel(&work->list[i]);
	while (waitpid(-1, NULL, 0) > 0 || errno == EINTR)
		;
	prctl(PR_SET_CHILD_SUBREAPER, 0);
	munmap(work->list[0].result, work->n * sizeof *work->list[0].result);
	free(work->list);
	sigprocmask(SIG_SETMASK, &work->outside, NULL);
	work->n = 0;
}

/* ---- a judge ---- */

/* Builds in a new worktree. 0 and job->tree, NULL when that fails, which is a result; -1 and err.
 */
static int build(const struct bisection *b, const struct bisect_worker *w, struct judge_job *job,
                 struct err *err)
{
	char *tree = bisect_tree_add(&b->trees, w->id, false, err);
	if (!tree)
		return -1;
	job->tree = tree;
	bool usable = judge_build(job, w->result);
	int rc = usable ? bisect_tree_built(&b->trees, w->id, tree, err) : 0;
	if (usable && rc == 0)
		return 0;
	bisect_tree_remove(&b->trees, tree);
	free(tree);
	job->tree = NULL;
	return rc;
}

/* In a process of its own. Its death leaves nothing behind but a worktree that nothing names. */
static void judge(const struct bisection *b, const struct bisect_worker *w)
{
	struct err err;
	char *name = mem_printf("log/%s", w->id), *log = bisection_path(b, name);
	struct judge_job job = { .options = b->options,
		                 .test = b->test,
		                 .tc = w->tc,
		                 .operands = b->operands,
		                 .log = log };
	int lock = bisect_tree_lock(&b->trees, w->id),
	    rc = 0; /* somebody may be building it already */
	if (!(job.tree = bisect_tree_find(&b->trees, w->id)))
		rc = build(b, w, &job, &err);
	bisect_tree_unlock(lock);
	if (rc == 0 && job.tree)
		judge_test(&job, w->result);
	if (rc < 0) {
		w->result->answer = BISECT_STOP;
		snprintf(w->result->why, sizeof w->result->why, "%.*s",
		         (int)sizeof w->result->why - 1, err.msg);
	}
	free((char *)job.tree);
	free(name);
	free(log);
}

int bisect_work_start(struct bisection *b, const char *id, const struct testcase *tc,
                      struct err *err)
{
	struct bisect_worker *w = b->work.list;
	while (w->pid)
		w++;
	*w = (struct bisect_worker){ .tc = tc, .result = w->result };
	*w->result = (struct judge_result){ .answer = BISECT_STOP,
		                            .why = "the process that judged it was killed" };
	snprintf(w->id, sizeof w->id, "%s", id);
	fflush(NULL);
	pid_t pid = fork();
	if (pid < 0)
		return err_errno(err, "cannot start a process");
	if (pid == 0) {
		prctl(PR_SET_PDEATHSIG, SIGKILL);
		setpgid(0, 0); /* the parent reacts to signals from the terminal */
		sigprocmask(SIG_SETMASK, &b->work.outside, NULL);
		judge(b, w);
		_exit(0);
	}
	w->pid = pid;
	return 0;
}

/* ---- all of them ---- */

struct bisect_worker *bisect_work_find(struct bisect_work *work, const char *id,
                                       const struct testcase *tc)
{
	for (unsigned i = 0; i < work->n; i++)
		if (work->list[i].pid && work->list[i].tc == tc && !strcmp(work->list[i].id, id))
			return &work->list[i];
	return NULL;
}

unsigned bisect_work_idle(const struct bisect_work *work)
{
	unsigned n = 0;
	for (unsigned i = 0; i < work->n; i++)
		n += !work->list[i].pid;
	return n;
}

void bisect_work_cancel(struct bisect_worker *w)
{
	if (!w->pid)
		return;
	kill(w->pid, SIGKILL);
	while (waitpid(w->pid, NULL, 0) < 0 && errno == EINTR)
		;
	w->pid = 0;
}

static double seconds(const struct timeval *t)
{
	return (double)t->tv_sec + (double)t->tv_usec / 1e6;
}

/* The worker whose judge has just ended, if one has; strangers, the minders of cancelled ones, are
 * reaped on the way. */
static struct bisect_worker *reap(struct bisect_work *work)
{
	struct rusage used;
	pid_t pid;
	while ((pid = wait4(-1, NULL, WNOHANG, &used)) > 0) {
		if (pid == work->ahead)
			work->ahead = 0;
		for (unsigned i = 0; i < work->n; i++) {
			struct bisect_worker *w = &work->list[i];
			if (w->pid != pid)
				continue;
			double wall = (double)(w->result->build_ns + w->result->test_ns) / 1e9;
			w->pid = 0;
			work->last = w;
			w->cpus = wall > 0 ? (seconds(&used.ru_utime) + seconds(&used.ru_stime)) /
			                             wall
			                   : 1;
			return w;
		}
	}
	return NULL;
}

bool bisect_work_stopped(struct bisect_work *work)
{
	const struct timespec at_once = { 0 };
	sigset_t stops = work->signals;
	sigdelset(&stops, SIGCHLD);
	int sig = sigtimedwait(&stops, NULL, &at_once);
	if (sig > 0)
		work->stop_signal = sig;
	return work->stop_signal != 0;
}

int bisect_work_wait(struct bisect_work *work, struct bisect_worker **done, struct err *err)
{
	while (!bisect_work_stopped(work)) {
		if ((*done = reap(work)))
			return 0;
		if (bisect_work_idle(work) == work->n)
			bug("nothing runs that could be waited for");
		int sig = sigwaitinfo(&work->signals, NULL);
		if (sig > 0 && sig != SIGCHLD)
			work->stop_signal = sig;
	}
	return err_set(err, ERR_STOPPED, "interrupted; the same command resumes");
}
