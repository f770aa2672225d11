#include "bisect/bisect_judges.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
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
	MEM_PUSH(j->known, j->n, j->cap, *fact);
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
	BUF_SCOPED struct buf text = { 0 };
	j->path = mem_printf("%s/known", j->trees->dir);
	if (access(j->path, F_OK) < 0 && errno == ENOENT)
		return 0;
	if (io_read_file(j->path, &text, err) < 0)
		return -1;
	for (char *line = text.data, *end; (end = strchr(line, '\n')); line = end + 1) {
		*end = '\0';
		read_line(j, line);
	}
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
	MEM_SCOPED char *line = mem_printf("\n" HASH_DIGITS " %s %d %" PRIu64 "\n", HASH_OF(f->tc),
	                                   f->id, (int)f->answer, f->test_ns);
	int fd = open(j->path, O_WRONLY | O_APPEND | O_CREAT | O_CLOEXEC, 0666), rc = 0;
	if (fd < 0 || io_write_all(fd, line, strlen(line)) < 0)
		rc = err_errno(err, "cannot write %s", j->path);
	io_close(fd);
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

/* ---- a process that judges ---- */

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

static pid_t start(const struct judges *j, const struct testcase *tc, const char *id,
                   struct judge_result *result)
{
	*result = (struct judge_result){ .answer = BISECT_STOP,
		                         .why = "the process that judged it was killed" };
	fflush(NULL);
	pid_t pid = fork();
	if (pid == 0) {
		prctl(PR_SET_PDEATHSIG, SIGKILL);
		setpgid(0, 0); /* the parent reacts to signals from the terminal */
		sigprocmask(SIG_SETMASK, &j->outside, NULL);
		judge(j, tc, id, result);
		_exit(0);
	}
	return pid;
}

static void tell(const struct judges *j, const char *id, const struct judge_result *result)
{
	MEM_SCOPED char *subject =
		bisect_git_line(j->trees->here, GIT_ARGS("log", "-1", "--format=%s", id), NULL);
	MEM_SCOPED char *log = mem_printf("%s/log/%s", j->trees->dir, id);
	judge_print(stderr, id, subject ? subject : "", result, log);
}

static int learn(struct judges *j, const struct testcase *tc, const char *id,
                 const struct judge_result *r, struct err *err)
{
	if (r->answer == BISECT_STOP)
		return err_set(err, ERR_TEST, "%.12s: %s", id, r->why);
	if (!j->options->quiet)
		tell(j, id, r);
	struct bisect_fact f = { .tc = tc->hash, .answer = r->answer, .test_ns = r->test_ns };
	snprintf(f.id, sizeof f.id, "%s", id);
	return keep(j, &f, err);
}

/* Waits for the end of PID; strangers, the supervisors of those that were ended, are reaped on the
 * way. A signal that says stop ends it. */
static int await(struct judges *j, pid_t pid, struct err *err)
{
	for (;;) {
		pid_t gone;
		while ((gone = waitpid(-1, NULL, WNOHANG)) > 0)
			if (gone == pid)
				return 0;
		if (judges_stopped(j)) {
			kill(pid, SIGKILL);
			while (waitpid(pid, NULL, 0) < 0 && errno == EINTR)
				;
			return err_set(err, ERR_STOPPED, "interrupted; the same command resumes");
		}
		int sig = sigwaitinfo(&j->signals, NULL);
		if (sig > 0 && sig != SIGCHLD)
			j->stop_signal = sig;
	}
}

/* Also what is known. */
static int ask(struct judges *j, const struct testcase *tc, const char *id,
               struct judge_result *result, struct err *err)
{
	struct judge_result *shared = mmap(NULL, sizeof *shared, PROT_READ | PROT_WRITE,
	                                   MAP_SHARED | MAP_ANONYMOUS, -1, 0);
	pid_t pid = shared == MAP_FAILED ? -1 : start(j, tc, id, shared);
	int rc = pid < 0 ? err_errno(err, "cannot start a process") : await(j, pid, err);
	if (rc == 0)
		rc = learn(j, tc, id, shared, err);
	if (shared != MAP_FAILED) {
		*result = *shared;
		munmap(shared, sizeof *shared);
	}
	return rc;
}

int judges_ask(struct judges *j, const struct testcase *tc, const char *id,
               struct judge_result *result, struct err *err)
{
	struct judge_result unused;
	return judges_know(j, tc, id) ? 0 : ask(j, tc, id, result ? result : &unused, err);
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
		if (judges_ask(j, tc, id, NULL, err) < 0)
			return -1;
		*alike = judges_know(j, tc, id)->answer == f.answer;
	}
	return 0;
}

int judges_need_tree(struct judges *j, const struct testcase *tc, const char *id, struct err *err)
{
	char *tree = bisect_tree_find(j->trees, id);
	struct judge_result unused;
	if (!tree && ask(j, tc, id, &unused, err) < 0)
		return -1;
	if (!tree && !(tree = bisect_tree_find(j->trees, id)))
		return err_set(err, ERR_TEST, "cannot build %.12s again", id);
	free(tree);
	return 0;
}
