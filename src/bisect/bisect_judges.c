#include "bisect/bisect_judges.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "base/buf.h"
#include "base/err.h"
#include "base/io.h"
#include "base/mem.h"
#include "base/signals.h"
#include "bisect/bisect_git.h"

/* ---- what is known ---- */

static void remember(struct judges *j, const struct bisect_fact *fact)
{
	MEM_GROW(j->known, j->n, j->cap);
	j->known[j->n++] = *fact;
}

static void read_line(struct judges *j, const char *line)
{
	struct bisect_fact f;
	int answer, end = 0;
	if (sscanf(line, "%16" SCNx64 "%16" SCNx64 " %64[0-9a-f] %3d %20" SCNu64 "%n", &f.tc.hi,
	           &f.tc.lo, f.id, &answer, &f.test_ns, &end) != 5 ||
	    line[end])
		return;
	if (answer != BISECT_GOOD && answer != BISECT_BAD && answer != BISECT_SKIP)
		return;
	f.answer = (enum bisect_answer)answer;
	remember(j, &f);
}

int judges_open(struct judges *j, struct err *err)
{
	struct buf text = { 0 };
	j->path = mem_printf("%s/known", j->trees->dir);
	if (access(j->path, F_OK) < 0 && errno == ENOENT)
		return 0;
	if (io_read_file(j->path, &text, err) < 0)
		return -1;
	for (char *line = text.data, *end; (end = strchr(line, '\n')); line = end + 1) {
		*end = '\0';
		read_line(j, line);
	}
	buf_release(&text);
	return 0;
}

void judges_close(struct judges *j)
{
	free(j->path);
	free(j->known);
	*j = (struct judges){ 0 };
}

const struct bisect_fact *judges_know(const struct judges *j, const struct testcase *tc,
                                      const char *id)
{
	for (size_t i = 0; i < j->n; i++)
		if (hash_equal(j->known[i].tc, tc->hash) && !strcmp(j->known[i].id, id))
			return &j->known[i];
	return NULL;
}

static int keep(struct judges *j, const struct bisect_fact *f, struct err *err)
{
	/* The line break comes first, so that a torn line before it does not swallow this one. */
	MEM_SCOPED char *line = mem_printf("\n%016" PRIx64 "%016" PRIx64 " %s %d %" PRIu64 "\n",
	                                   f->tc.hi, f->tc.lo, f->id, (int)f->answer, f->test_ns);
	int fd = open(j->path, O_WRONLY | O_APPEND | O_CREAT | O_CLOEXEC, 0666), rc = 0;
	if (fd < 0 || io_write_all(fd, line, strlen(line)) < 0)
		rc = err_errno(err, "cannot write %s", j->path);
	if (fd >= 0)
		close(fd);
	if (rc == 0)
		remember(j, f);
	return rc;
}

/* ---- a judge ---- */

/* Builds in a new tree. 0 and job->tree, NULL when that fails, which is a result; -1 and err. */
static int build(const struct bisect_trees *trees, const char *id, struct judge_job *job,
                 struct judge_result *result, struct err *err)
{
	char *tree = bisect_tree_add(trees, id, false, err);
	if (!tree)
		return -1;
	job->tree = tree;
	bool usable = judge_build(job, result);
	int rc = usable ? bisect_tree_built(trees, id, tree, err) : 0;
	if (usable && rc == 0)
		return 0;
	bisect_tree_remove(tree);
	free(tree);
	job->tree = NULL;
	return rc;
}

/* In a process of its own. Its death leaves nothing behind but a tree that nothing names. */
static void judge(const struct judges *j, const struct testcase *tc, const char *id,
                  struct judge_result *result)
{
	struct err err;
	MEM_SCOPED char *log = mem_printf("%s/log/%s", j->trees->dir, id);
	struct judge_job job = { .options = j->options,
		                 .test = j->test,
		                 .tc = tc,
		                 .operands = j->operands,
		                 .log = log };
	int rc = 0;
	if (!(job.tree = bisect_tree_find(j->trees, id)))
		rc = build(j->trees, id, &job, result, &err);
	if (rc == 0 && job.tree)
		judge_test(&job, result);
	if (rc < 0) {
		result->answer = BISECT_STOP;
		snprintf(result->why, sizeof result->why, "%.*s", (int)sizeof result->why - 1,
		         err.msg);
	}
	free((char *)job.tree);
}

/* ---- all of them ---- */

/* A question that is being answered. */
struct asked {
	const char *id;
	pid_t pid;                   /* 0: known, or answered */
	struct judge_result *result; /* shared */
};

void judges_begin(struct judges *j)
{
	sigemptyset(&j->signals);
	sigaddset(&j->signals, SIGCHLD);
	signals_add_stops(&j->signals);
	sigprocmask(SIG_BLOCK, &j->signals, &j->outside);
	/* Supervisors of judges that were ended come to us, to be waited for. */
	prctl(PR_SET_CHILD_SUBREAPER, 1);
	j->begun = true;
}

void judges_end(struct judges *j)
{
	if (!j->begun)
		return;
	while (waitpid(-1, NULL, 0) > 0 || errno == EINTR)
		;
	prctl(PR_SET_CHILD_SUBREAPER, 0);
	sigprocmask(SIG_SETMASK, &j->outside, NULL);
	j->begun = false;
}

bool judges_stopped(struct judges *j)
{
	const struct timespec at_once = { 0 };
	sigset_t stops = j->signals;
	sigdelset(&stops, SIGCHLD);
	int sig = sigtimedwait(&stops, NULL, &at_once);
	if (sig > 0)
		j->stop_signal = sig;
	return j->stop_signal != 0;
}

static int start(const struct judges *j, const struct testcase *tc, struct asked *a,
                 struct err *err)
{
	*a->result = (struct judge_result){ .answer = BISECT_STOP,
		                            .why = "the process that judged it was killed" };
	fflush(NULL);
	pid_t pid = fork();
	if (pid < 0)
		return err_errno(err, "cannot start a process");
	if (pid == 0) {
		prctl(PR_SET_PDEATHSIG, SIGKILL);
		setpgid(0, 0); /* the parent reacts to signals from the terminal */
		sigprocmask(SIG_SETMASK, &j->outside, NULL);
		judge(j, tc, a->id, a->result);
		_exit(0);
	}
	a->pid = pid;
	return 0;
}

static void tell(const struct judges *j, const struct asked *a)
{
	struct err ignored;
	MEM_SCOPED char *subject = bisect_git_line(
		j->trees->here, GIT_ARGS("log", "-1", "--format=%s", a->id), &ignored);
	MEM_SCOPED char *log = mem_printf("%s/log/%s", j->trees->dir, a->id);
	judge_print(stderr, a->id, subject ? subject : "", a->result, log);
}

static int learn(struct judges *j, const struct testcase *tc, const struct asked *a,
                 struct err *err)
{
	const struct judge_result *r = a->result;
	if (r->answer == BISECT_STOP)
		return err_set(err, ERR_TEST, "%.12s: %s", a->id, r->why);
	if (!j->options->quiet)
		tell(j, a);
	struct bisect_fact f = { .tc = tc->hash, .answer = r->answer, .test_ns = r->test_ns };
	snprintf(f.id, sizeof f.id, "%s", a->id);
	return keep(j, &f, err);
}

/* The judge that has just ended, if one has; strangers, the supervisors of those that were ended,
 * are reaped on the way. */
static struct asked *reap(struct asked *list, unsigned n)
{
	pid_t pid;
	while ((pid = waitpid(-1, NULL, WNOHANG)) > 0)
		for (unsigned i = 0; i < n; i++)
			if (list[i].pid == pid) {
				list[i].pid = 0;
				return &list[i];
			}
	return NULL;
}

static int await(struct judges *j, const struct testcase *tc, struct asked *list, unsigned n,
                 struct err *err)
{
	for (unsigned left = n; left;) {
		struct asked *done = reap(list, n);
		if (done && learn(j, tc, done, err) < 0)
			return -1;
		if (judges_stopped(j))
			return err_set(err, ERR_STOPPED, "interrupted; the same command resumes");
		left = 0;
		for (unsigned i = 0; i < n; i++)
			left += list[i].pid != 0;
		int sig = left && !done ? sigwaitinfo(&j->signals, NULL) : 0;
		if (sig > 0 && sig != SIGCHLD)
			j->stop_signal = sig;
	}
	return 0;
}

/* The same with LIST, whose results are there. Whoever still judges when it fails is ended. */
static int ask(struct judges *j, const struct testcase *tc, struct asked *list, unsigned n,
               struct err *err)
{
	int rc = 0;
	for (unsigned i = 0; rc == 0 && i < n; i++)
		rc = start(j, tc, &list[i], err);
	if (rc == 0)
		rc = await(j, tc, list, n, err);
	for (unsigned i = 0; i < n; i++)
		if (list[i].pid) {
			kill(list[i].pid, SIGKILL);
			while (waitpid(list[i].pid, NULL, 0) < 0 && errno == EINTR)
				;
		}
	return rc;
}

/* AGAIN: also what is known. */
static int ask_at(struct judges *j, const struct testcase *tc, const char *const *ids, unsigned n,
                  bool again, struct judge_result *results, struct err *err)
{
	size_t size = n * sizeof *results;
	struct judge_result *shared =
		mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
	if (shared == MAP_FAILED)
		return err_errno(err, "cannot start %u judges", n);
	MEM_SCOPED struct asked *list = mem_zero(n, sizeof *list);
	unsigned asked = 0;
	for (unsigned i = 0; i < n; i++)
		if (again || !judges_know(j, tc, ids[i]))
			list[asked++] = (struct asked){ .id = ids[i], .result = &shared[i] };
	int rc = ask(j, tc, list, asked, err);
	if (results)
		memcpy(results, shared, size);
	munmap(shared, size);
	return rc;
}

int judges_ask(struct judges *j, const struct testcase *tc, const char *const *ids, unsigned n,
               struct judge_result *results, struct err *err)
{
	return ask_at(j, tc, ids, n, false, results, err);
}

int judges_compare(struct judges *j, const struct testcase *tc, const struct testcase *like,
                   bool *alike, struct err *err)
{
	size_t n = j->n;
	*alike = true;
	for (size_t i = 0; *alike && i < n; i++) {
		const struct bisect_fact f = j->known[i]; /* the list grows */
		const char *id = f.id;
		if (!hash_equal(f.tc, like->hash))
			continue;
		if (judges_ask(j, tc, &id, 1, NULL, err) < 0)
			return -1;
		*alike = judges_know(j, tc, id)->answer == f.answer;
	}
	return 0;
}

int judges_need_tree(struct judges *j, const struct testcase *tc, const char *id, struct err *err)
{
	char *tree = bisect_tree_find(j->trees, id);
	if (!tree && ask_at(j, tc, &id, 1, true, NULL, err) < 0)
		return -1;
	if (!tree && !(tree = bisect_tree_find(j->trees, id)))
		return err_set(err, ERR_TEST, "cannot build %.12s again", id);
	free(tree);
	return 0;
}
