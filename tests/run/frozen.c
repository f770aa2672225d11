/* Supervisors that are stopped by their tests, killed by them, or frozen together with them. */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <cmocka.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "base/buf.h"
#include "base/err.h"
#include "base/io.h"
#include "base/mem.h"
#include "base/ticks.h"
#include "support.h"

#define MS 1000000ull

static char marker[64];

static struct oracle *pool_of(const char *mode)
{
	static const char *args[2];
	args[0] = mode;
	struct setup options = support_options(support_program("tests/run/naughty"), args);
	return support_pool(&options);
}

static void check(const char *mode, uint64_t timeout_ns, enum verdict verdict, enum answer_why why)
{
	struct oracle *pool = pool_of(mode);
	struct testcase *tc = support_case("crash.c", "x");
	for (int i = 0; i < 2; i++) {
		struct answer answer = support_ask_within(
			pool, tc, (struct oracle_limits){ .wall_ns = timeout_ns });
		assert_int_equal(answer.verdict, verdict);
		assert_int_equal(answer.why, why);
		assert_int_equal(support_count_processes(marker), 0);
	}
	oracle_free(pool);
	testcase_unref(tc);
}

static void stopped_supervisor_goes_on(void **state)
{
	(void)state;
	check("halt-parent", 0, VERDICT_INTERESTING, ANSWER_OWN);
}

static void stopped_supervisor_keeps_the_deadline(void **state)
{
	(void)state;
	struct oracle *pool = pool_of("halt-parent-always");
	struct testcase *tc = support_case("crash.c", "x");
	struct answer answer =
		support_ask_within(pool, tc, (struct oracle_limits){ .wall_ns = 300 * MS });
	/* On a busy machine it may get no further than to be taken for dead. */
	assert_true(answer.verdict == VERDICT_TIMEOUT || answer.why == ANSWER_WORKER);
	assert_int_equal(support_count_processes(marker), 0);
	oracle_free(pool);
	testcase_unref(tc);
}

/* Once for each life, and then the verdict is known. */
static void killed_supervisor_costs_the_verdict(void **state)
{
	(void)state;
	check("always-parricide", 0, VERDICT_NOT_INTERESTING, ANSWER_WORKER);
}

/* No signal wakes it. */
static void held_supervisor_is_replaced(void **state)
{
	(void)state;
	struct oracle *pool = pool_of("hold-parent");
	struct testcase *tc = support_case("crash.c", "x");
	struct answer answer = support_ask(pool, tc);
	bool held = answer.verdict != VERDICT_INTERESTING; /* it was allowed to */
	if (held)
		assert_int_equal(answer.why, ANSWER_WORKER);
	assert_int_equal(support_count_processes(marker), 0);
	oracle_free(pool);
	testcase_unref(tc);
	if (!held)
		skip();
}

/* The slot is waited for when it is asked again, and at the end. */
static void stopped_supervisor_can_be_cancelled(void **state)
{
	(void)state;
	struct oracle *pool = pool_of("halt-parent-always");
	struct testcase *tc = support_case("crash.c", "x");
	struct err err = { 0 };
	struct answer answer;
	for (uint64_t i = 0; i < 4; i++) {
		while (!oracle_free_slots(pool))
			assert_int_equal(oracle_wait(pool, &answer, -1, -1, &err), 0);
		assert_int_equal(support_submit(pool, tc, i, &err), 0);
		oracle_cancel(pool, i);
	}
	oracle_free(pool);
	testcase_unref(tc);
	assert_int_equal(support_count_processes(marker), 0);
}

/* ---- frozen together ---- */

/* Two pipes with a name: the test says that it runs, and is told to end. Both ends are ours. */
struct pipes {
	char *dir;
	int says, hears;
};

static int make_pipe(const char *dir, const char *variable)
{
	char *path = mem_printf("%s/%s", dir, variable);
	assert_int_equal(mkfifo(path, 0600), 0);
	setenv(variable, path, 1);
	int fd = open(path, O_RDWR | O_CLOEXEC);
	assert_true(fd >= 0);
	free(path);
	return fd;
}

static void make_pipes(struct pipes *p)
{
	p->dir = io_temporary_name("frozen");
	assert_non_null(mkdtemp(p->dir));
	p->says = make_pipe(p->dir, "NAUGHTY_FIFO");
	p->hears = make_pipe(p->dir, "NAUGHTY_RELEASE");
}

static void remove_pipes(struct pipes *p)
{
	close(p->says);
	close(p->hears);
	unsetenv("NAUGHTY_FIFO");
	unsetenv("NAUGHTY_RELEASE");
	assert_int_equal(io_remove_tree(AT_FDCWD, p->dir), 0);
	free(p->dir);
}

enum { FAMILY_MAX = 16 };

/* PID and its descendants. */
static unsigned family(pid_t pid, pid_t *pids, unsigned n)
{
	assert_true(n < FAMILY_MAX);
	pids[n++] = pid;
	char *path = mem_printf("/proc/%d/task/%d/children", (int)pid, (int)pid);
	struct buf list = { 0 };
	struct err err;
	if (io_read_file(path, &list, &err) < 0)
		fail_msg("%s", err.msg);
	char *at = list.len ? list.data : NULL, *end;
	for (long child; at && (child = strtol(at, &end, 10)) > 0; at = end)
		n = family((pid_t)child, pids, n);
	buf_release(&list);
	free(path);
	return n;
}

static void send(const pid_t *pids, unsigned n, int signal)
{
	for (unsigned i = 0; i < n; i++)
		assert_int_equal(kill(pids[i], signal), 0);
}

static void freeze_does_not_count(void **state)
{
	(void)state;
	enum { LIMIT_MS = 200, FROZEN_MS = 500 };
	struct pipes pipes;
	char byte;
	int status;
	pid_t pids[FAMILY_MAX];
	if (access("/proc/thread-self/children", F_OK) < 0)
		skip();
	make_pipes(&pipes);
	pid_t pid = fork();
	if (pid == 0) {
		struct oracle *pool = pool_of("obey-pipe");
		struct testcase *tc = support_case("crash.c", "x");
		const struct oracle_limits limits = { .wall_ns = LIMIT_MS * MS };
		struct answer a = support_ask_within(pool, tc, limits);
		oracle_free(pool);
		testcase_unref(tc);
		free(pipes.dir);
		_exit(a.verdict == VERDICT_INTERESTING && a.wall_ns < LIMIT_MS * MS ? 0 : 1);
	}
	assert_int_equal(io_read_all(pipes.says, &byte, 1), 1);
	unsigned n = family(pid, pids, 0);
	assert_int_equal(n, 3);
	send(pids, n, SIGSTOP);
	nanosleep(&(struct timespec){ .tv_nsec = FROZEN_MS * MS }, NULL); /* this must pass */
	assert_int_equal(io_write_all(pipes.hears, "!", 1), 0);
	send(pids, n, SIGCONT);
	assert_int_equal(waitpid(pid, &status, 0), pid);
	assert_int_equal(status, 0);
	remove_pipes(&pipes);
}

static void gaps_are_ticks(void **state)
{
	(void)state;
	struct ticks t = ticks_start();
	t.last_ns -= 3600 * 1000 * MS;
	assert_true(ticks_spent(&t) == TICKS_EVERY_NS);
	t.last_ns -= TICKS_EVERY_NS;
	uint64_t spent = ticks_spent(&t);
	assert_true(spent >= 2 * TICKS_EVERY_NS);
}

int main(void)
{
	snprintf(marker, sizeof marker, "NAUGHTY_MARKER=%ld-%llu", (long)getpid(),
	         (unsigned long long)io_now());
	putenv(marker);
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(stopped_supervisor_goes_on),
		cmocka_unit_test(stopped_supervisor_keeps_the_deadline),
		cmocka_unit_test(killed_supervisor_costs_the_verdict),
		cmocka_unit_test(held_supervisor_is_replaced),
		cmocka_unit_test(stopped_supervisor_can_be_cancelled),
		cmocka_unit_test(freeze_does_not_count),
		cmocka_unit_test(gaps_are_ticks),
	};
	return cmocka_run_group_tests_name("run/frozen", tests, NULL, NULL);
}
