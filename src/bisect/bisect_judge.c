#include "bisect/bisect_judge.h"

#include <errno.h>
#include <fcntl.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/err.h"
#include "base/io.h"
#include "base/mem.h"
#include "base/quote.h"
#include "base/show.h"
#include "fence/fence.h"
#include "run/oracle.h"
#include "run/setup.h"

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

static void stop(struct judge_result *r, const struct err *err)
{
	r->answer = BISECT_STOP;
	snprintf(r->why, sizeof r->why, "%.*s", (int)sizeof r->why - 1, err->msg);
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
	struct oracle *oracle = find_fence(&fence, job, err) < 0 ? NULL : setup_open(&setup, err);
	if (!oracle)
		return -1;
	TESTCASE_SCOPED struct testcase *nothing = testcase_new("nothing", 0600, mem_zero(1, 1), 0);
	const struct oracle_request rq = { .ticket = 1, .tc = nothing };
	int rc = oracle_ask(oracle, &rq, -1, a, err);
	oracle_free(oracle);
	return rc;
}

bool judge_build(const struct judge_job *job, struct judge_result *r)
{
	struct answer a = { 0 };
	struct err err;
	*r = (struct judge_result){ .answer = BISECT_STOP };
	setenv("WHITTLE_TREE", job->tree, 1);
	if (!job->options->build)
		return true;
	add_to_log(job->log, "--- build\n");
	if (run_build(job, &a, &err) < 0) {
		stop(r, &err);
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
	if (oracle_ask_verbose(oracle, &rq, -1, &a, &output, err) < 0)
		return -1;
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
	struct oracle *oracle = find_fence(&fence, job, err) < 0 ? NULL : setup_open(&setup, err);
	int rc = oracle ? 0 : -1;
	r->answer = BISECT_GOOD;
	for (uint64_t i = 0; rc == 0 && i < o->repeat && r->answer != BISECT_BAD; i++)
		rc = run_test(job, oracle, r, err);
	oracle_free(oracle);
	return rc;
}

void judge_test(const struct judge_job *job, struct judge_result *result)
{
	struct err err;
	setenv("WHITTLE_TREE", job->tree, 1);
	if (run_tests(job, result, &err) < 0)
		stop(result, &err);
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
