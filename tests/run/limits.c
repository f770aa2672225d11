/* Tests that take more than they may: files, memory, processes. */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <cmocka.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/err.h"
#include "base/io.h"
#include "base/mem.h"
#include "fence/cgroup.h"
#include "fence/limits_usage.h"
#include "support.h"

static char marker[64];

/* Asks about MODE twice, so that what the first test left would show. */
static void check(const char *mode, struct oracle_limits limits, bool groups, enum answer_why why)
{
	const char *args[] = { mode, NULL };
	struct setup setup = support_options(support_program("tests/run/naughty"), args);
	setup.groups = groups;
	struct oracle *pool = support_pool(&setup);
	struct testcase *tc = support_case("crash.c", "x");
	const struct oracle_request rq = { .ticket = 1, .tc = tc, .limits = limits };
	for (int i = 0; i < 2; i++) {
		struct answer answer = { 0 };
		struct err err;
		if (oracle_ask(pool, &rq, -1, &answer, &err) < 0)
			fail_msg("%s", err.msg);
		assert_int_equal(answer.why, why);
		assert_int_equal(answer.verdict,
		                 why == ANSWER_OWN ? VERDICT_INTERESTING : VERDICT_NOT_INTERESTING);
		assert_int_equal(support_count_processes(marker), 0);
	}
	oracle_free(pool);
	testcase_unref(tc);
}

#define FILES(n) ((struct oracle_limits){ .files = (n) })
#define PROCESSES(n) ((struct oracle_limits){ .processes = (n) })
#define MEMORY(n) ((struct oracle_limits){ .memory = (n) })

/* "fill" writes 64 files of 16 KB, 1 MB in all, and is content. */
static void files_are_counted_together(void **state)
{
	(void)state;
	check("fill", FILES(2 << 20), false, ANSWER_OWN);
	check("fill", FILES(512 << 10), false, ANSWER_FILES);
	check("fill", FILES(0), false, ANSWER_OWN);
}

/* Without a deadline, and it looks at no error. */
static void endless_writing_ends(void **state)
{
	(void)state;
	check("fill-forever", FILES(4 << 20), false, ANSWER_FILES);
}

static void processes_are_counted(void **state)
{
	(void)state;
	if (getenv("EMULATED")) /* whose processes do not show their environment: some stay */
		skip();
	check("swarm", PROCESSES(8), false, ANSWER_PROCESSES);
}

/* The calling process may make groups: here that is the privilege of some. */
static bool have(enum cgroup_what what)
{
	struct cgroup g;
	cgroup_open(&g, 99);
	bool has = cgroup_has(&g, what);
	cgroup_close(&g);
	return has;
}

static void processes_are_limited_by_a_group(void **state)
{
	(void)state;
	if (!have(CGROUP_PROCESSES))
		skip();
	check("brood", PROCESSES(8), true, ANSWER_PROCESSES);
	check("brood", PROCESSES(80), true, ANSWER_OWN);
}

/* What a test starts needs 256 MB; the test itself is content whatever becomes of it. */
static void memory_is_limited_by_a_group(void **state)
{
	(void)state;
	if (!have(CGROUP_MEMORY))
		skip();
	check("nurse", MEMORY(64 << 20), true, ANSWER_MEMORY);
	check("nurse", MEMORY(1 << 30), true, ANSWER_OWN);
}

/* What a process that is gone has made goes when any other begins. */
static void groups_of_the_dead_go(void **state)
{
	(void)state;
	struct cgroup g;
	if (!have(CGROUP_PROCESSES))
		skip();
	pid_t pid = fork();
	assert_true(pid >= 0);
	if (pid == 0) {
		cgroup_open(&g, 0);
		_exit(0);
	}
	assert_int_equal(waitpid(pid, NULL, 0), pid);
	cgroup_open(&g, 98);
	char *mine = g.of[CGROUP_PROCESSES].path;
	char *its =
		mem_printf("%.*s/whittle-%ld-0", (int)(strrchr(mine, '/') - mine), mine, (long)pid);
	assert_int_equal(access(its, F_OK), 0);
	cgroup_bury();
	assert_int_equal(access(its, F_OK), -1);
	assert_int_equal(access(mine, F_OK), 0);
	free(its);
	cgroup_close(&g);
}

static void write_file(const char *path, off_t size)
{
	int fd = open(path, O_WRONLY | O_CREAT | O_CLOEXEC, 0600);
	assert_true(fd >= 0);
	assert_int_equal(ftruncate(fd, size), 0);
	close(fd);
}

static void bytes_are_the_same_everywhere(void **state)
{
	(void)state;
	char *top = io_temporary_name("limits");
	int back = open(".", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	assert_non_null(mkdtemp(top));
	assert_int_equal(chdir(top), 0);
	assert_int_equal(mkdir("d", 0700), 0);
	assert_int_equal(mkdir("d/e", 0700), 0);
	write_file("d/empty", 0);
	write_file("d/one", 1);
	write_file("d/e/hole", 1 << 20);
	assert_int_equal(link("d/e/hole", "d/again"), 0);
	assert_int_equal(symlink("/", "d/link"), 0);
	uint64_t all = limits_usage_bytes(AT_FDCWD, "d", UINT64_MAX);
	assert_int_equal(all, (1 << 20) + 4 * LIMITS_USAGE_ENTRY); /* e, empty, one, link */
	assert_true(limits_usage_bytes(AT_FDCWD, "d", LIMITS_USAGE_ENTRY) > LIMITS_USAGE_ENTRY);
	assert_int_equal(limits_usage_bytes(AT_FDCWD, "missing", 1), 0);
	assert_int_equal(fchdir(back), 0);
	close(back);
	assert_int_equal(io_remove_tree(AT_FDCWD, top), 0);
	free(top);
}

int main(void)
{
	snprintf(marker, sizeof marker, "NAUGHTY_MARKER=%ld-%llu", (long)getpid(),
	         (unsigned long long)io_now());
	putenv(marker);
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(bytes_are_the_same_everywhere),
		cmocka_unit_test(files_are_counted_together),
		cmocka_unit_test(endless_writing_ends),
		cmocka_unit_test(processes_are_counted),
		cmocka_unit_test(groups_of_the_dead_go),
		cmocka_unit_test(processes_are_limited_by_a_group),
		cmocka_unit_test(memory_is_limited_by_a_group),
	};
	return cmocka_run_group_tests_name("run/limits", tests, NULL, NULL);
}
