#include "bisect/bisect_judges.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/buf.h"
#include "base/err.h"
#include "base/io.h"
#include "base/mem.h"
#include "base/quote.h"
#include "base/show.h"
#include "base/signals.h"
#include "fence/fence.h"
#include "run/oracle.h"
#include "run/setup.h"
#include "bisect/bisect.h"

int bisect_check_test(const char *test, struct err *err)
{
	struct stat st;
	if (stat(test, &st) < 0)
		return err_set(err, ERR_TEST, "the interestingness test %s: %s", test,
		               strerror(errno));
	if (!S_ISREG(st.st_mode))
		return err_set(err, ERR_TEST, "the interestingness test %s is not a file", test);
	if (access(test, X_OK) == 0)
		return 0;
	MEM_SCOPED char *operand = quote_operand(test);
	err_set(err, ERR_TEST, "the interestingness test %s is not executable (chmod +x %s)", test,
	        operand);
	return -1;
}

static void say(struct judge_result *r, enum bisect_answer answer, const char *fmt, int number)
{
	r->answer = answer;
	/* FMT is one of the literals above and below. */
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wformat-nonliteral"
	snprintf(r->why, sizeof r->why, fmt, number);
#pragma GCC diagnostic pop
}

/* ERR is NULL after a signal. */
static void stop(struct judge_result *r, const struct err *err)
{
	r->answer = BISECT_STOP;
	snprintf(r->why, sizeof r->why, "%.*s", (int)sizeof r->why - 1,
	         err ? err->msg : "interrupted");
}

static void add_to_log(const char *log, const char *text)
{
	IO_SCOPED int fd = open(log, O_WRONLY | O_APPEND | O_CREAT | O_CLOEXEC, 0666);
	if (fd < 0)
		return; /* a bisection continues without its log */
	(void)!io_write_all(fd, text, strlen(text));
}

/* ---- building ---- */

/* $1: log, $2: tree, $3: command, $4: TMPDIR as the user has it, which has more room than a test's.
 */
static const char builder[] = "exec >>\"$1\" 2>&1; cd \"$2\" || exit; if [ \"$4\" ]; then "
			      "TMPDIR=$4; else unset TMPDIR; fi; "
			      "exec /bin/sh -c \"$3\"";

/* The fence around builds and tests: they may write to the tree, to the log, and where the user
 * keeps temporary files. */
static int find_fence(struct fence *fence, const struct judge_job *job, struct err *err)
{
	struct fence_options o = job->options->fence;
	const char *tmp = getenv("TMPDIR");
	if (fence_options_allow(&o, job->tree, err) < 0 ||
	    (access(job->log, F_OK) == 0 && fence_options_allow(&o, job->log, err) < 0) ||
	    (tmp && access(tmp, W_OK) == 0 && fence_options_allow(&o, tmp, err) < 0))
		return -1;
	return fence_find(fence, &o, err);
}

static int run_build(const struct judge_job *job, struct answer *a, struct err *err)
{
	const char *tmp = getenv("TMPDIR");
	const char *const args[] = { "-c",           builder,   "whittle-build",
		                     job->log,       job->tree, job->options->build,
		                     tmp ? tmp : "", NULL };
	SCOPED(fence_release) struct fence fence = { 0 };
	const struct setup setup = { .test = "/bin/sh",
		                     .args = args,
		                     .jobs = 1,
		                     .input = SETUP_INPUT_STDIN,
		                     .fence = &fence };
	SCOPED(oracle_scoped)
	struct oracle *oracle = find_fence(&fence, job, err) < 0 ? NULL : setup_open(&setup, err);
	if (!oracle)
		return -1;
	TESTCASE_SCOPED struct testcase *nothing = testcase_new("nothing", 0600, mem_zero(1, 1), 0);
	const struct oracle_request rq = { .ticket = 1, .tc = nothing };
	return oracle_ask(oracle, &rq, job->stop_fd, a, err);
}

/* Builds; true when there is something to test. Sets WHITTLE_TREE in the environment of the
 * process, as the next two do. */
static bool judge_build(const struct judge_job *job, struct judge_result *r)
{
	struct answer a = { 0 };
	struct err err;
	*r = (struct judge_result){ .answer = BISECT_STOP };
	setenv("WHITTLE_TREE", job->tree, 1);
	if (!job->options->build)
		return true;
	add_to_log(job->log, "--- build\n");
	int rc = run_build(job, &a, &err);
	if (rc) {
		stop(r, rc < 0 ? &err : NULL);
		return false;
	}
	r->build_ns = a.wall_ns;
	if (WIFSIGNALED(a.status))
		say(r, BISECT_SKIP, "the build was ended by signal %d", WTERMSIG(a.status));
	else if (WEXITSTATUS(a.status))
		say(r, BISECT_SKIP, "the build fails with exit status %d", WEXITSTATUS(a.status));
	return a.status == 0;
}

/* ---- testing ---- */

/* What the wait status of a test says; *why is a format for NUMBER, or without one. */
static enum bisect_answer answer_of(int status, bool timed_out, const char **why, int *number)
{
	enum { NO_OPINION = 125, CANNOT_EXECUTE, NOT_FOUND };
	*number = WIFEXITED(status) ? WEXITSTATUS(status) : WTERMSIG(status);
	*why = "the test exits with status %d";
	if (timed_out)
		*why = "the test exceeds its deadline";
	else if (!WIFEXITED(status))
		*why = "the test was ended by signal %d";
	else if (*number == 0)
		*why = "the bug shows";
	else if (*number == CANNOT_EXECUTE || *number == NOT_FOUND)
		*why = "the test exits with status %d: it runs a program that is missing or not "
		       "executable";
	else if (*number < NO_OPINION)
		*why = "the bug does not show";
	if (timed_out || !WIFEXITED(status) || *number >= NO_OPINION)
		return BISECT_SKIP;
	return *number ? BISECT_GOOD : BISECT_BAD;
}

/* 0; 1 after a signal; -1 and err. */
static int run_test(const struct judge_job *job, struct oracle *oracle, struct judge_result *r,
                    struct err *err)
{
	struct answer a = { 0 };
	char *output;
	const char *why;
	int number;
	const struct bisect_options *o = job->options;
	const struct oracle_request rq = { .ticket = 1,
		                           .tc = job->tc,
		                           .limits = { .wall_ns = o->timeout_ns ? o->timeout_ns
		                                                                : BISECT_TIMEOUT_NS,
		                                       .memory = o->memory_limit } };
	int rc = oracle_ask_verbose(oracle, &rq, job->stop_fd, &a, &output, err);
	if (rc)
		return rc;
	add_to_log(job->log, "--- test\n");
	add_to_log(job->log, output);
	free(output);
	enum bisect_answer answer =
		answer_of(a.status, a.verdict == VERDICT_TIMEOUT, &why, &number);
	r->no_opinion |= answer == BISECT_SKIP && a.verdict != VERDICT_TIMEOUT &&
	                 WIFEXITED(a.status) && WEXITSTATUS(a.status) == BISECT_SKIP;
	if (a.wall_ns > r->test_ns)
		r->test_ns = a.wall_ns;
	/* One bad run decides. A run without an opinion outweighs a good one, since it might
	 * have been bad. */
	if (answer != BISECT_GOOD || r->answer != BISECT_SKIP)
		say(r, answer, why, number);
	return 0;
}

static int run_tests(const struct judge_job *job, struct judge_result *r, struct err *err)
{
	const struct bisect_options *o = job->options;
	SCOPED(fence_release) struct fence fence = { 0 };
	const struct setup setup = { .test = job->test,
		                     .fence = &fence,
		                     .jobs = 1,
		                     .input = o->input,
		                     .operands = (const char *const *)job->operands,
		                     .input_size = job->tc->size };
	SCOPED(oracle_scoped)
	struct oracle *oracle = find_fence(&fence, job, err) < 0 ? NULL : setup_open(&setup, err);
	int rc = oracle ? 0 : -1;
	r->answer = BISECT_GOOD;
	for (uint64_t i = 0; rc == 0 && i < o->repeat && r->answer != BISECT_BAD; i++)
		rc = run_test(job, oracle, r, err);
	return rc;
}

/* Tests what is built, and completes the RESULT of judge_build. */
static void judge_test(const struct judge_job *job, struct judge_result *result)
{
	struct err err;
	setenv("WHITTLE_TREE", job->tree, 1);
	int rc = run_tests(job, result, &err);
	if (rc)
		stop(result, rc < 0 ? &err : NULL);
}

void judge_revision(const struct judge_job *job, struct judge_result *result)
{
	if (judge_build(job, result))
		judge_test(job, result);
}

void judge_print(FILE *to, const char *id, const char *subject, const struct judge_result *r,
                 const char *log)
{
	show_printf(to, "whittle: %s %.12s (%s): %s", bisect_word(r->answer), id, subject, r->why);
	if (r->build_ns)
		fprintf(to, "; build %.1f s", (double)r->build_ns / 1e9);
	if (r->test_ns)
		fprintf(to, "%s test %.2f s", r->build_ns ? "," : ";", (double)r->test_ns / 1e9);
	if (r->answer == BISECT_SKIP)
		show_printf(to, " (%s)", log);
	fputc('\n', to);
}

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
	*j = (struct judges){ .stop_fd = -1 };
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

/* ---- judging ---- */

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

static void judge(const struct judges *j, const struct testcase *tc, const char *id,
                  struct judge_result *result)
{
	struct err err;
	MEM_SCOPED char *log = mem_printf("%s/log/%s", j->trees->dir, id);
	struct judge_job job = { .options = j->options,
		                 .test = j->test,
		                 .tc = tc,
		                 .operands = j->operands,
		                 .log = log,
		                 .stop_fd = j->stop_fd };
	int rc = 0;
	*result = (struct judge_result){ .answer = BISECT_STOP };
	if (!(job.tree = bisect_tree_find(j->trees, id)))
		rc = build(j->trees, id, &job, result, &err);
	if (rc == 0 && job.tree)
		judge_test(&job, result);
	if (rc < 0)
		stop(result, &err);
	free((char *)job.tree);
}

void judges_begin(struct judges *j)
{
	j->stop_fd = signals_catch();
}

void judges_end(struct judges *j)
{
	if (j->stop_fd < 0)
		return;
	int sig = signals_release();
	j->stop_signal = sig ? sig : j->stop_signal;
	close(j->stop_fd);
	j->stop_fd = -1;
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

int judges_check(struct err *err)
{
	return signals_arrived()
	               ? err_set(err, ERR_STOPPED, "interrupted; the same command resumes")
	               : 0;
}

/* Also what is known. */
static int ask(struct judges *j, const struct testcase *tc, const char *id,
               struct judge_result *result, struct err *err)
{
	judge(j, tc, id, result);
	return judges_check(err) < 0 ? -1 : learn(j, tc, id, result, err);
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
	MEM_SCOPED char *tree = bisect_tree_find(j->trees, id);
	struct judge_result unused;
	if (!tree && ask(j, tc, id, &unused, err) < 0)
		return -1;
	if (!tree && !(tree = bisect_tree_find(j->trees, id)))
		return err_set(err, ERR_TEST, "cannot build %.12s again", id);
	return 0;
}
