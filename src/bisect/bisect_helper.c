#include "bisect/bisect_helper.h"

#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/err.h"
#include "base/mem.h"
#include "base/show.h"
#include "base/signals.h"
#include "bisect/bisect_input.h"
#include "bisect/bisect_judge.h"
#include "disk/input.h"

static int judge(struct bisect_input *in, const struct bisect_options *o, struct err *err)
{
	char *test = NULL, **files = NULL, **operands = NULL,
	     *log = mem_printf("%s/log/%s", in->dir, in->head);
	struct input input = { 0 };
	struct testcase *tc = NULL;
	struct judge_result result = { .answer = BISECT_STOP };
	int rc = -1;
	if (!(test = bisect_input_find(in, o->test, err)) || bisect_check_test(test, err) < 0 ||
	    !(files = bisect_input_find_all(in, o->files, o->n_files, err)) ||
	    input_find_result(&input, (const char *const *)files, o->n_files, err) < 0 ||
	    !(tc = input_read(&input, err)))
		goto out;
	operands = input_operands(&input);
	const struct judge_job job = { .options = o,
		                       .tree = in->top,
		                       .test = test,
		                       .tc = tc,
		                       .operands = operands,
		                       .log = log };
	judge_revision(&job, &result);
	judge_print(stdout, in->head, in->subject, &result, log);
	rc = 0;
out:
	testcase_unref(tc);
	input_release(&input);
	input_free_operands(operands);
	input_free_operands(files);
	free(test);
	free(log);
	return rc < 0 ? -1 : (int)result.answer;
}

static int answer(const struct bisect_options *o)
{
	struct bisect_input in;
	struct err err;
	int rc = bisect_input_open(&in, &err);
	if (rc == 0)
		rc = judge(&in, o, &err);
	if (rc < 0)
		show_printf(stdout, "whittle: stop: %s\n", err.msg);
	bisect_input_close(&in);
	return rc < 0 ? BISECT_STOP : rc;
}

static bool is_answer(int code)
{
	return code == BISECT_GOOD || code == BISECT_BAD || code == BISECT_SKIP ||
	       code == BISECT_STOP;
}

/* Waits for the child; signals of SET that mean stop end it. Did one? */
static bool await(pid_t pid, const sigset_t *set, int *status)
{
	bool stopped = false;
	while (waitpid(pid, status, WNOHANG) != pid) {
		int sig = sigwaitinfo(set, NULL);
		if (sig < 0 || sig == SIGCHLD)
			continue;
		stopped = true;
		kill(pid, SIGTERM);
	}
	return stopped;
}

/* The work is done by a child, so that its death, of whatever, is no answer. */
int bisect_helper(const struct bisect_options *options)
{
	int status = 0;
	sigset_t set, old;
	fflush(NULL);
	sigemptyset(&set);
	sigaddset(&set, SIGCHLD);
	signals_add_stops(&set);
	sigprocmask(SIG_BLOCK, &set, &old);
	pid_t pid = fork();
	if (pid == 0) {
		prctl(PR_SET_PDEATHSIG, SIGTERM);
		sigprocmask(SIG_SETMASK, &old, NULL);
		int code = answer(options);
		fflush(NULL);
		_exit(code);
	}
	bool stopped = pid > 0 && await(pid, &set, &status);
	if (pid > 0 && !stopped && WIFEXITED(status) && is_answer(WEXITSTATUS(status)))
		return WEXITSTATUS(status);
	printf("whittle: stop: %s\n", stopped   ? "interrupted"
	                              : pid < 0 ? "cannot start a process"
	                                        : "whittle itself has failed");
	return BISECT_STOP;
}
