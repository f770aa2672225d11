/* What a command's time is: a busy machine makes no hang. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <sched.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "ask/outcome.h"
#include "base/err.h"
#include "base/waited.h"

enum { HOGS = 6, USED_MS = 100, LIMIT_MS = 400 };
static char self[4096];

static pid_t start_hog(void)
{
	pid_t pid = fork();
	if (pid == 0)
		for (;;)
			;
	return pid;
}

/* Does the kernel say how long a process waited for a processor? */
static bool kernel_tells(void)
{
	return access("/proc/self/schedstat", R_OK) == 0 &&
	       access("/proc/thread-self/children", R_OK) == 0;
}

/* Runs ourselves so that the word HOW is done, while others want the same processor. */
static void run_among_hogs(const char *how, struct outcome *out)
{
	const struct outcome_limits limits = { .wall_ns = LIMIT_MS * (uint64_t)1000000 };
	pid_t hogs[HOGS];
	cpu_set_t one;
	struct err err;
	CPU_ZERO(&one);
	CPU_SET(sched_getcpu(), &one);
	sched_setaffinity(0, sizeof one, &one);
	for (unsigned i = 0; i < HOGS; i++)
		hogs[i] = start_hog();
	char word[16];
	snprintf(word, sizeof word, "%s", how);
	int rc = outcome_run((char *[]){ self, word, NULL }, &limits, out, &err);
	for (unsigned i = 0; i < HOGS; i++) {
		kill(hogs[i], SIGKILL);
		waitpid(hogs[i], NULL, 0);
	}
	assert_int_equal(rc, 0);
}

/* It, or a child of what was started, uses the processor. */
static void what_waits_for_a_processor_has_time(void **state)
{
	(void)state;
	if (!kernel_tells())
		skip();
	for (unsigned i = 0; i < 2; i++) {
		SCOPED(outcome_release) struct outcome o = { 0 };
		run_among_hogs(i ? "start" : "use", &o);
		assert_false(o.timed_out);
		assert_int_equal(o.status, 0);
	}
}

static void what_does_not_end_is_ended(void **state)
{
	(void)state;
	for (unsigned i = 0; i < 2; i++) {
		SCOPED(outcome_release) struct outcome o = { 0 };
		run_among_hogs(i ? "spin" : "sleep", &o);
		assert_true(o.timed_out);
	}
}

static void the_stretch_has_an_end(void **state)
{
	(void)state;
	struct waited w = { 0 };
	assert_true(waited_left(&w, getpid(), 3, 10) >= 7);
	assert_int_equal(waited_left(&w, getpid(), 10 * (uint64_t)WAITED_STRETCH, 10), 0);
}

static int use_processor(void)
{
	while (clock() < USED_MS * (CLOCKS_PER_SEC / 1000))
		;
	return 0;
}

static int act(const char *how)
{
	if (!strcmp(how, "use"))
		return use_processor();
	if (!strcmp(how, "start")) {
		int status = 1;
		pid_t pid = fork();
		if (pid == 0)
			_exit(use_processor());
		waitpid(pid, &status, 0);
		return status;
	}
	for (;;)
		if (!strcmp(how, "sleep"))
			pause();
}

int main(int argc, char **argv)
{
	if (argc > 1)
		return act(argv[1]);
	ssize_t n = readlink("/proc/self/exe", self, sizeof self - 1);
	if (n < 0)
		return 77;
	/* Only the hogs of this test are to be in the way; who may not, has others' load as well.
	 */
	setpriority(PRIO_PROCESS, 0, PRIO_MIN);
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(what_waits_for_a_processor_has_time),
		cmocka_unit_test(what_does_not_end_is_ended),
		cmocka_unit_test(the_stretch_has_an_end),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
