/* The pool against tests that misbehave (naughty.c): the verdict is right, nothing runs on, nothing
 * is left behind. */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <cmocka.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/err.h"
#include "base/io.h"
#include "base/mem.h"
#include "fence/fence.h"
#include "../rounds.h"
#include "support.h"

#define MS 1000000ull

/* Processes of a test are known by a word of their environment that nobody else has. */
static char marker[64];

static unsigned count_left(void)
{
	return support_count_processes(marker);
}

/* One row per misdeed. Limits are 0 where none is set. */
struct misdeed {
	const char *mode;
	enum verdict verdict;
	uint64_t timeout_ms;
	uint64_t memory, files, processes, cpu;
	int signal; /* that ended the leader; 0: not looked at */
};

static const struct misdeed misdeeds[] = {
	{ .mode = "inspect", .verdict = VERDICT_INTERESTING },
	{ .mode = "background", .verdict = VERDICT_INTERESTING },
	{ .mode = "deaf", .verdict = VERDICT_TIMEOUT, .timeout_ms = 200, .signal = SIGKILL },
	{ .mode = "daemonize", .verdict = VERDICT_INTERESTING },
	{ .mode = "subreaper", .verdict = VERDICT_INTERESTING },
	{ .mode = "chain", .verdict = VERDICT_INTERESTING },
	{ .mode = "chains", .verdict = VERDICT_INTERESTING },
	{ .mode = "litter", .verdict = VERDICT_INTERESTING },
	{ .mode = "close", .verdict = VERDICT_INTERESTING },
	{ .mode = "shout", .verdict = VERDICT_INTERESTING },
	{ .mode = "gorge", .verdict = VERDICT_NOT_INTERESTING, .memory = 1ull << 30 },
	{ .mode = "burn", .verdict = VERDICT_NOT_INTERESTING, .cpu = 1, .signal = SIGXCPU },
	{ .mode = "burn", .verdict = VERDICT_TIMEOUT, .timeout_ms = 100, .signal = SIGKILL },
	{ .mode = "write",
	  .verdict = VERDICT_NOT_INTERESTING,
	  .files = 1 << 20,
	  .signal = SIGXFSZ },
	{ .mode = "sleep", .verdict = VERDICT_TIMEOUT, .timeout_ms = 150, .signal = SIGKILL },
	{ .mode = "stop", .verdict = VERDICT_TIMEOUT, .timeout_ms = 100, .signal = SIGKILL },
	{ .mode = "uproot", .verdict = VERDICT_INTERESTING },
	{ .mode = "displace", .verdict = VERDICT_INTERESTING },
	{ .mode = "raze-slot", .verdict = VERDICT_INTERESTING },
	{ .mode = "raze-pool", .verdict = VERDICT_INTERESTING },
	{ .mode = "displace-slot", .verdict = VERDICT_INTERESTING },
	{ .mode = "close-off", .verdict = VERDICT_INTERESTING },
	{ .mode = "starve-parent", .verdict = VERDICT_NOT_INTERESTING, .signal = SIGKILL },
	{ .mode = "die", .verdict = VERDICT_NOT_INTERESTING, .signal = SIGKILL },
	{ .mode = "dump", .verdict = VERDICT_NOT_INTERESTING, .signal = SIGABRT },
};

static struct oracle *pool_for(const char *const *args)
{
	struct setup options = support_options(support_program("tests/run/naughty"), args);
	return support_pool(&options);
}

static struct oracle_limits limits_of(const struct misdeed *m)
{
	return (struct oracle_limits){ .wall_ns = m->timeout_ms * MS,
		                       .memory = m->memory,
		                       .files = m->files,
		                       .processes = m->processes,
		                       .cpu_s = m->cpu };
}

static void check_answer(const struct misdeed *m, const struct answer *answer)
{
	assert_int_equal(answer->verdict, m->verdict);
	assert_int_equal(answer->limit_ns, m->timeout_ms * MS);
	if (m->signal)
		assert_true(WIFSIGNALED(answer->status) && WTERMSIG(answer->status) == m->signal);
	assert_false(WCOREDUMP(answer->status));
	assert_true(answer->wall_ns >= m->timeout_ms * MS);
}

/* A limit is overrun by at most a tenth of a second, unless the machine is too busy to tell. */
static bool is_in_time(const struct misdeed *m, const struct answer *answer)
{
	return !m->timeout_ms || answer->wall_ns <= (m->timeout_ms + 100) * MS;
}

/* Each misdeed often enough that every set of directories is used twice; naughty looks whether they
 * are as new. A test that was ended late is run again: somebody else may have had the processor. */
static void nothing_is_left(void **state)
{
	(void)state;
	enum { MAX_ROUNDS = 40 };
	const int least = rounds_are_few() ? 3 : 4;
	struct testcase *tc = support_case("crash.c", "int main;\n");
	for (size_t i = 0; i < sizeof misdeeds / sizeof *misdeeds; i++) {
		const struct misdeed *m = &misdeeds[i];
		const char *args[] = { m->mode, NULL };
		print_message("  %s\n", m->mode);
		struct oracle *pool = pool_for(args);
		char *dir = mem_strdup(pool_work_dir(pool));
		bool in_time = false;
		for (int round = m->cpu ? least - 1 : 0;
		     round < least || (!in_time && round < MAX_ROUNDS); round++) {
			struct answer answer = support_ask_within(pool, tc, limits_of(m));
			assert_int_equal(count_left(), 0);
			check_answer(m, &answer);
			in_time |= is_in_time(m, &answer);
		}
		assert_true(in_time);
		oracle_free(pool);
		assert_int_equal(support_count_entries(dir), -1);
		free(dir);
	}
	testcase_unref(tc);
}

/* The same where the first process of a PID namespace ends what a test has left. */
static void nothing_is_left_behind_a_fence(void **state)
{
	(void)state;
	static const char *const modes[] = { "background", "daemonize", "subreaper", "chains" };
	struct fence fence;
	struct err err;
	struct testcase *tc = support_case("crash.c", "int main;\n");
	assert_int_equal(fence_find(&fence, &(struct fence_options){ 0 }, &err), 0);
	for (size_t i = 0; i < sizeof modes / sizeof *modes; i++) {
		const char *args[] = { modes[i], NULL };
		struct setup options = support_options(support_program("tests/run/naughty"), args);
		options.fence = &fence;
		struct oracle *pool = support_pool(&options);
		for (int round = 0; round < 3; round++) {
			support_ask(pool, tc);
			assert_int_equal(count_left(), 0);
		}
		oracle_free(pool);
	}
	fence_release(&fence);
	testcase_unref(tc);
}

/* A pipe that each test of the mode NAUGHTY writes one byte to when it runs; both ends are ours, so
 * that nobody waits. */
static int open_fifo(char **dir_out)
{
	char *dir = *dir_out = io_temporary_name("hostile");
	assert_non_null(mkdtemp(dir));
	char *path = mem_printf("%s/fifo", dir);
	assert_int_equal(mkfifo(path, 0600), 0);
	setenv("NAUGHTY_FIFO", path, 1);
	int fd = open(path, O_RDWR | O_CLOEXEC);
	assert_true(fd >= 0);
	free(path);
	return fd;
}

static void close_fifo(int fd, char *dir)
{
	close(fd);
	unsetenv("NAUGHTY_FIFO");
	assert_int_equal(io_remove_tree(AT_FDCWD, dir), 0);
	free(dir);
}

static void await_tests(int fifo, unsigned n)
{
	char bytes[64];
	assert_int_equal(io_read_all(fifo, bytes, n), n);
}

/* A process that runs JOBS tests of MODE without end, in a process group of its own; says where on
 * REPORT. */
static void run_a_pool(const char *mode, unsigned jobs, int report)
{
	setpgid(0, 0);
	const char *args[] = { mode, NULL };
	struct setup options = support_options(support_program("tests/run/naughty"), args);
	options.jobs = jobs;
	struct oracle *pool = support_pool(&options);
	struct testcase *tc = support_case("crash.c", "x");
	struct err err;
	for (unsigned i = 0; i < jobs; i++)
		if (support_submit(pool, tc, i, &err) < 0)
			_exit(1);
	const char *dir = pool_work_dir(pool);
	if (io_write_all(report, dir, strlen(dir) + 1) < 0)
		_exit(1);
	close(report);
	struct answer answer;
	oracle_wait(pool, &answer, -1, -1, &err);
	_exit(0);
}

static void killed_pool_leaves_nothing(void **state)
{
	const char *mode = *state;
	char *fifo_dir, dir[4096];
	int fifo = open_fifo(&fifo_dir), report[2], status;
	assert_int_equal(pipe2(report, O_CLOEXEC), 0);
	pid_t pid = fork();
	if (pid == 0)
		run_a_pool(mode, 3, report[1]);
	close(report[1]);
	assert_true(io_read_all(report[0], dir, sizeof dir) > 0);
	close(report[0]);
	await_tests(fifo, 3);
	assert_true(count_left() >= 3);
	int lock = open(dir, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	assert_true(lock >= 0);
	assert_int_equal(kill(-pid, SIGKILL), 0);
	assert_int_equal(waitpid(pid, &status, 0), pid);
	assert_int_equal(flock(lock, LOCK_EX), 0); /* when the last supervisor is gone */
	close(lock);
	assert_int_equal(count_left(), 0);
	assert_int_equal(support_count_entries(dir), -1);
	close_fifo(fifo, fifo_dir);
}

/* The signals that a terminal sends to the whole foreground group reach neither supervisor nor
 * test. */
static void terminal_signals_stay_outside(void **state)
{
	(void)state;
	pid_t pid = fork();
	if (pid == 0) {
		setpgid(0, 0);
		const int signals[] = {
			SIGINT, SIGTERM, SIGHUP, SIGQUIT, SIGTSTP, SIGTTIN, SIGTTOU
		};
		for (size_t i = 0; i < sizeof signals / sizeof *signals; i++)
			signal(signals[i], SIG_IGN);
		const char *args[] = { "inspect", NULL };
		struct setup options = support_options(support_program("tests/run/naughty"), args);
		struct oracle *pool = support_pool(&options);
		for (size_t i = 0; i < sizeof signals / sizeof *signals; i++)
			kill(0, signals[i]);
		struct testcase *tc = support_case("crash.c", "x");
		struct answer answer = support_ask(pool, tc);
		testcase_unref(tc);
		oracle_free(pool);
		_exit(answer.verdict == VERDICT_INTERESTING ? 0 : 1);
	}
	int status;
	assert_int_equal(waitpid(pid, &status, 0), pid);
	assert_int_equal(status, 0);
}

static void dead_supervisor_is_replaced(void **state)
{
	(void)state;
	char *base = io_temporary_name("hostile");
	assert_non_null(mkdtemp(base));
	const char *args[] = { "parricide", NULL };
	struct setup options = support_options(support_program("tests/run/naughty"), args);
	options.work_dir = base;
	struct oracle *pool = support_pool(&options);
	struct testcase *tc = support_case("crash.c", "x");
	assert_int_equal(support_ask(pool, tc).verdict, VERDICT_INTERESTING);
	assert_int_equal(count_left(), 0);
	assert_int_equal(support_ask(pool, tc).verdict, VERDICT_INTERESTING);
	oracle_free(pool);
	testcase_unref(tc);
	assert_int_equal(support_count_entries(base), 1); /* the helper's own note */
	assert_int_equal(io_remove_tree(AT_FDCWD, base), 0);
	free(base);
}

static struct testcase *hand_out(void *arg, uint64_t ticket)
{
	struct testcase *tc = arg;
	return ticket == 1 ? testcase_ref(tc) : NULL;
}

/* A large candidate is not kept while its test runs. When the supervisor dies it is asked for, and
 * when nobody wants it any more there is no answer. */
static void large_candidate_is_asked_for_again(void **state)
{
	(void)state;
	char *base = io_temporary_name("hostile");
	assert_non_null(mkdtemp(base));
	const char *args[] = { "parricide", NULL };
	struct setup options = support_options(support_program("tests/run/naughty"), args);
	options.work_dir = base;
	uint32_t size = ORACLE_HOLDS + 1;
	struct testcase *tc = testcase_new("crash.c", 0644, mem_zero(size + 1, 1), size);
	struct err err = { 0 };
	struct answer answer;
	for (uint64_t ticket = 1; ticket <= 2; ticket++) {
		struct oracle *pool = support_pool(&options);
		const struct oracle_request rq = {
			.ticket = ticket, .tc = tc, .again = hand_out, .again_arg = tc
		};
		assert_int_equal(oracle_submit(pool, &rq, &err), 0);
		assert_int_equal(tc->refs, 1);
		assert_int_equal(oracle_wait(pool, &answer, -1, -1, &err), ticket == 1);
		assert_int_equal(oracle_free_slots(pool), 1);
		if (ticket == 1)
			assert_int_equal(answer.verdict, VERDICT_INTERESTING);
		oracle_free(pool);
		char *note = mem_printf("%s/naughty-was-here", base);
		assert_int_equal(unlink(note), 0);
		free(note);
	}
	testcase_unref(tc);
	assert_int_equal(rmdir(base), 0);
	free(base);
}

static void cancelled_tests_are_gone(void **state)
{
	(void)state;
	char *fifo_dir;
	int fifo = open_fifo(&fifo_dir);
	const char *args[] = { "deaf", NULL };
	struct setup options = support_options(support_program("tests/run/naughty"), args);
	options.jobs = 2;
	struct oracle *pool = support_pool(&options);
	struct testcase *tc = support_case("crash.c", "x");
	struct err err = { 0 };
	struct answer answer;
	for (uint64_t i = 0; i < 10; i++) {
		while (!oracle_free_slots(pool))
			assert_int_equal(oracle_wait(pool, &answer, -1, -1, &err), 0);
		assert_int_equal(support_submit(pool, tc, i, &err), 0);
		await_tests(fifo, 1);
		oracle_cancel(pool, i);
	}
	assert_int_equal(oracle_wait(pool, &answer, -1, 0, &err), 0);
	oracle_free(pool);
	testcase_unref(tc);
	assert_int_equal(count_left(), 0);
	close_fifo(fifo, fifo_dir);
}

static void endless_output_is_cut(void **state)
{
	(void)state;
	const char *args[] = { "shout", NULL };
	struct setup options = support_options(support_program("tests/run/naughty"), args);
	struct oracle *pool = support_pool(&options);
	struct testcase *tc = support_case("crash.c", "x");
	const struct oracle_request rq = { .ticket = 1, .tc = tc };
	struct err err = { 0 };
	struct answer answer;
	char *output;
	assert_int_equal(oracle_ask_verbose(pool, &rq, -1, &answer, &output, &err), 0);
	assert_int_equal(answer.verdict, VERDICT_INTERESTING);
	assert_int_equal(strlen(output), ORACLE_OUTPUT_MAX);
	free(output);
	oracle_free(pool);
	testcase_unref(tc);
}

int main(void)
{
	if (getenv("EMULATED")) /* whose processes do not show their environment */
		return 77;
	snprintf(marker, sizeof marker, "NAUGHTY_MARKER=%ld-%llu", (long)getpid(),
	         (unsigned long long)io_now());
	putenv(marker);
	static char deaf[] = "deaf", chains[] = "chains-forever";
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(nothing_is_left),
		cmocka_unit_test(nothing_is_left_behind_a_fence),
		{ "killed_pool_leaves_nothing/deaf", killed_pool_leaves_nothing, NULL, NULL, deaf },
		{ "killed_pool_leaves_nothing/chains", killed_pool_leaves_nothing, NULL, NULL,
		  chains },
		cmocka_unit_test(terminal_signals_stay_outside),
		cmocka_unit_test(dead_supervisor_is_replaced),
		cmocka_unit_test(large_candidate_is_asked_for_again),
		cmocka_unit_test(cancelled_tests_are_gone),
		cmocka_unit_test(endless_output_is_cut),
	};
	return cmocka_run_group_tests_name("run/hostile", tests, NULL, NULL);
}
