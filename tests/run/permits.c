/* The job server of a make above, and those for tests: every token is where it should be, whoever
 * misbehaves or is killed. */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <cmocka.h>
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/buf.h"
#include "base/err.h"
#include "base/io.h"
#include "base/mem.h"
#include "run/affinity.h"
#include "run/jobserver.h"
#include "server.h"
#include "support.h"

enum { PATIENCE_MS = 60000 };

/* Blocking or not is a property of the description that all clients share. */
static void what_others_share_is_left_alone(void **state)
{
	(void)state;
	struct server s;
	struct jobserver js;
	server_start(&s);
	char *flags = mem_printf("--jobserver-auth=%d,%d", s.get, s.put);
	for (int blocking = 0; blocking < 2; blocking++) {
		assert_int_equal(fcntl(s.get, F_SETFL, blocking ? 0 : O_NONBLOCK), 0);
		assert_int_equal(jobserver_find(&js, flags), JOBSERVER_FOUND);
		assert_true(fcntl(js.get, F_GETFL) & O_NONBLOCK);
		assert_int_equal(fcntl(s.get, F_GETFL) & O_NONBLOCK, blocking ? 0 : O_NONBLOCK);
		assert_false(fcntl(s.put, F_GETFL) & O_NONBLOCK);
		jobserver_close(&js);
	}
	free(flags);
	server_stop(&s);
}

/* ---- a pool under make ---- */

/* A pool of more slots than there are tokens, which runs as many tests (without end) as it can: one
 * more than tokens. */
struct client {
	struct jobserver js;
	struct setup options;
	struct oracle *pool;
	struct testcase *tc;
	unsigned started;
};

static void join(struct client *c, const struct server *s, const char *const *args)
{
	char *flags = mem_printf("-j9 --jobserver-auth=fifo:%s", s->path);
	assert_int_equal(jobserver_find(&c->js, flags), JOBSERVER_FOUND);
	free(flags);
	c->options = support_options("/bin/sh", args);
	c->options.jobs = N_TOKENS + 3;
	c->options.make = &c->js;
	c->pool = support_pool(&c->options);
	c->tc = support_case("crash.c", "x");
	c->started = 0;
}

static void leave(struct client *c)
{
	oracle_free(c->pool);
	testcase_unref(c->tc);
	jobserver_close(&c->js);
}

static void start_what_can_be(struct client *c)
{
	struct err err = { 0 };
	struct answer answer;
	while (c->started < N_TOKENS + 1) {
		for (; oracle_free_slots(c->pool); c->started++)
			assert_int_equal(support_submit(c->pool, c->tc, c->started, &err), 0);
		if (c->started < N_TOKENS + 1)
			assert_int_equal(oracle_wait(c->pool, &answer, -1, PATIENCE_MS, &err), 0);
	}
	assert_int_equal(oracle_free_slots(c->pool), 0);
	assert_int_equal(jobserver_left(&c->js), 0);
}

static const char *const forever[] = { "-c", "exec sleep 1000", NULL };

static void a_test_for_each_token(void **state)
{
	(void)state;
	struct server s;
	struct client c;
	server_start(&s);
	join(&c, &s, forever);
	assert_int_equal(oracle_free_slots(c.pool), 1); /* the one that every client has */
	start_what_can_be(&c);
	leave(&c);
	server_is_whole(&s);
	/* Once more: what is idle goes back while the pool lives. */
	join(&c, &s, forever);
	start_what_can_be(&c);
	for (unsigned i = 0; i < c.started; i++)
		oracle_cancel(c.pool, i);
	struct err err;
	struct answer answer;
	assert_int_equal(support_submit(c.pool, c.tc, 99, &err), 0);
	while (jobserver_left(&c.js) < N_TOKENS)
		assert_int_equal(oracle_wait(c.pool, &answer, -1, 10, &err), 0);
	server_is_whole(&s);
	leave(&c);
	server_stop(&s);
}

/* While somebody has the tokens there is still our own; and speculation takes none. */
static void speculation_stands_back(void **state)
{
	(void)state;
	struct server s;
	struct client c;
	struct err err;
	struct answer answer;
	char bytes[N_TOKENS];
	server_start(&s);
	join(&c, &s, forever);
	assert_int_equal(io_read_all(s.get, bytes, N_TOKENS), N_TOKENS);
	assert_int_equal(oracle_free_slots(c.pool), 1);
	assert_int_equal(support_submit(c.pool, c.tc, 1, &err), 0);
	for (int i = 0; i < 5; i++) {
		assert_int_equal(oracle_slots(c.pool, true), 0);
		assert_int_equal(oracle_wait(c.pool, &answer, -1, 5, &err), 0);
	}
	assert_int_equal(write(s.put, bytes, N_TOKENS), N_TOKENS);
	while (!oracle_slots(c.pool, true)) /* nobody is waiting for them */
		assert_int_equal(oracle_wait(c.pool, &answer, -1, PATIENCE_MS, &err), 0);
	leave(&c);
	server_stop(&s);
}

static void killed_client_gives_back(void **state)
{
	(void)state;
	const int signals[] = { SIGKILL, SIGTERM, SIGINT, SIGHUP };
	struct server s;
	server_start(&s);
	for (unsigned round = 0; round < 12; round++) {
		int report[2], status;
		assert_int_equal(pipe2(report, O_CLOEXEC), 0);
		pid_t pid = fork();
		if (pid == 0) {
			struct client c;
			setpgid(0, 0);
			signal(signals[round % 4],
			       SIG_DFL); /* a shell's background jobs have SIGINT ignored */
			join(&c, &s, forever);
			if (round %
			    3) /* in a third of the rounds it is on its way to all of them */
				start_what_can_be(&c);
			if (write(report[1], "!", 1) != 1)
				_exit(1);
			start_what_can_be(&c);
			for (;;)
				pause();
		}
		char byte;
		close(report[1]);
		assert_int_equal(read(report[0], &byte, 1), 1);
		close(report[0]);
		assert_int_equal(kill(-pid, signals[round % 4]), 0);
		assert_int_equal(waitpid(pid, &status, 0), pid);
		server_is_whole(&s);
	}
	server_stop(&s);
}

/* The process below us whose name is NAME. */
static pid_t child_named(const char *name)
{
	struct buf list = { 0 };
	struct err err;
	pid_t found = 0;
	assert_int_equal(io_read_file("/proc/thread-self/children", &list, &err), 0);
	buf_add(&list, "", 1);
	char *at = list.data, *end;
	for (long pid; !found && (pid = strtol(at, &end, 10)) > 0; at = end) {
		char *path = mem_printf("/proc/%ld/comm", pid);
		struct buf comm = { 0 };
		if (io_read_file(path, &comm, &err) == 0 && comm.len > strlen(name) &&
		    !memcmp(comm.data, name, strlen(name)))
			found = (pid_t)pid;
		buf_release(&comm);
		free(path);
	}
	buf_release(&list);
	return found;
}

static void killed_keeper_loses_nothing(void **state)
{
	(void)state;
	if (access("/proc/thread-self/children", R_OK) < 0)
		skip();
	struct server s;
	struct client c;
	struct err err;
	struct answer answer;
	server_start(&s);
	join(&c, &s, forever);
	start_what_can_be(&c);
	pid_t keeper = child_named("token-keeper");
	assert_true(keeper > 0);
	assert_int_equal(kill(keeper, SIGKILL), 0);
	siginfo_t info;
	assert_int_equal(waitid(P_PID, (id_t)keeper, &info, WEXITED | WNOWAIT), 0);
	assert_int_equal(oracle_wait(c.pool, &answer, -1, 20, &err), 0);
	oracle_cancel(c.pool, 1);
	while (!oracle_free_slots(c.pool))
		assert_int_equal(oracle_wait(c.pool, &answer, -1, PATIENCE_MS, &err), 0);
	leave(&c);
	server_stop(&s);
}

/* ---- a server for tests ---- */

enum { JOBS = 3 };

static struct oracle *serving_pool(const char *const *args)
{
	struct setup options = support_options("/bin/sh", args);
	options.jobs = JOBS;
	options.serve = true;
	return support_pool(&options);
}

/* What the candidate says is done; "take" waits until it has two tokens. */
static const char *const obey[] = { "-c", "eval \"$(cat)\"", NULL };
#define TAKE_TWO "exec 5<>\"$WHITTLE_JOBS\"; head -c 2 <&5 >two; "

static enum verdict ask(struct oracle *pool, const char *script)
{
	struct testcase *tc = support_case("script", script);
	enum verdict v = support_ask(pool, tc).verdict;
	testcase_unref(tc);
	return v;
}

static void tests_share_in_the_jobs(void **state)
{
	(void)state;
	struct server fifo; /* only to hear of what the test does */
	server_start(&fifo);
	char all[N_TOKENS];
	assert_int_equal(read(fifo.get, all, N_TOKENS), N_TOKENS);
	char *script = mem_printf(TAKE_TWO "echo >%s; exec sleep 1000", fifo.path);
	struct oracle *pool = serving_pool(obey);
	struct testcase *taker = support_case("script", script),
			*quick = support_case("script", "exit 0");
	struct err err;
	struct answer answer;
	assert_int_equal(support_submit(pool, taker, 1, &err), 0);
	assert_int_equal(oracle_free_slots(pool), 2);
	/* While the pool waits, what is idle goes to the test. */
	assert_int_equal(oracle_wait(pool, &answer, fifo.get, PATIENCE_MS, &err), 0);
	assert_int_equal(read(fifo.get, all, 1), 1);
	assert_int_equal(oracle_free_slots(pool), 0);
	/* It is killed, and its tokens are back. */
	oracle_cancel(pool, 1);
	while (oracle_free_slots(pool) < JOBS)
		assert_int_equal(oracle_wait(pool, &answer, -1, 5, &err), 0);
	for (uint64_t i = 0; i < JOBS; i++)
		assert_int_equal(support_submit(pool, quick, i, &err), 0);
	for (int i = 0; i < JOBS; i++)
		assert_int_equal(oracle_wait(pool, &answer, -1, -1, &err), 1);
	oracle_free(pool);
	testcase_unref(taker);
	testcase_unref(quick);
	free(script);
	assert_int_equal(write(fifo.put, TOKENS, N_TOKENS), N_TOKENS);
	server_stop(&fifo);
}

/* Where each processor has a test that keeps it busy, what may be of no use is not started. */
static void no_speculation_where_processors_are_taken(void **state)
{
	(void)state;
	struct server fifo; /* only to hear that they run */
	struct err err;
	struct answer answer;
	char all[N_TOKENS];
	unsigned n = affinity_processors();
	if (n > 16 || access("/proc/loadavg", R_OK) < 0)
		skip();
	server_start(&fifo);
	assert_int_equal(read(fifo.get, all, N_TOKENS), N_TOKENS);
	char *script = mem_printf("echo >%s; while :; do :; done", fifo.path);
	struct testcase *tc = support_case("script", script);
	struct setup options = support_options("/bin/sh", obey);
	options.jobs = n + 2;
	struct oracle *pool = support_pool(&options);
	for (unsigned i = 0; i < n; i++) {
		assert_int_equal(oracle_slots(pool, true), n + 2 - i);
		assert_int_equal(support_submit(pool, tc, i + 1, &err), 0);
		assert_int_equal(oracle_wait(pool, &answer, fifo.get, PATIENCE_MS, &err), 0);
		assert_int_equal(read(fifo.get, all, 1), 1);
	}
	assert_int_equal(oracle_slots(pool, true), 0);
	assert_int_equal(oracle_free_slots(pool), 2);
	oracle_free(pool);
	testcase_unref(tc);
	free(script);
	assert_int_equal(write(fifo.put, TOKENS, N_TOKENS), N_TOKENS);
	server_stop(&fifo);
}

/* After each misdeed all permits are there, and so is the job server. */
static void misdeeds_cost_nothing(void **state)
{
	(void)state;
	static const char *const misdeeds[] = {
		"true",
		TAKE_TWO, /* and keeps them */
		TAKE_TWO "kill -KILL $$",
		TAKE_TWO "kill -KILL $PPID; exec sleep 1000", /* three times: the pool gives up */
		TAKE_TWO "setsid sh -c 'exec sleep 1000' & exit 0",
		TAKE_TWO "printf ++++++++++++++++ >&5", /* forgery */
		"rm -f \"$WHITTLE_JOBS\"",
		"rm -f \"$WHITTLE_JOBS\"; mkdir \"$WHITTLE_JOBS\"; touch \"$WHITTLE_JOBS/file\"",
		"rm -f \"$WHITTLE_JOBS\"; ln -s /dev/null \"$WHITTLE_JOBS\"",
		"chmod 0 \"$WHITTLE_JOBS\"",
		"rm -f \"${WHITTLE_JOBS%?}\"?; touch \"$WHITTLE_JOBS\"",
	};
	for (size_t i = 0; i < sizeof misdeeds / sizeof *misdeeds; i++) {
		print_message("  %s\n", misdeeds[i]);
		struct oracle *pool = serving_pool(obey);
		for (int round = 0; round < 3; round++) {
			struct err err = { 0 };
			struct answer answer;
			struct testcase *tc = support_case("script", misdeeds[i]);
			assert_int_equal(support_submit(pool, tc, 1, &err), 0);
			int rc;
			while ((rc = oracle_wait(pool, &answer, -1, PATIENCE_MS, &err)) == 0)
				;                /* tokens became free, no answer yet */
			assert_int_equal(rc, 1); /* also when it kills what runs it */
			testcase_unref(tc);
			assert_int_equal(oracle_free_slots(pool), JOBS);
		}
		/* In each slot, all generations. */
		for (int k = 0; k < 3 * JOBS; k++)
			assert_int_equal(ask(pool, TAKE_TWO "exit 0"), VERDICT_INTERESTING);
		oracle_free(pool);
	}
}

/* What a test finds in its environment. */
static void environment_names_the_server(void **state)
{
	(void)state;
	static const struct {
		bool serve;
		const char *script;
	} rows[] = {
		{ false, "test -z \"$WHITTLE_JOBS$MAKEFLAGS$MFLAGS$MAKELEVEL\"" },
		{ true, "test -p \"$WHITTLE_JOBS\" && test -z \"$MAKEFLAGS$MFLAGS$MAKELEVEL\" && "
		        "test \"$CARGO_MAKEFLAGS\" = \"-j --jobserver-auth=fifo:$WHITTLE_JOBS\"" },
	};
	setenv("MAKEFLAGS", "k -j --jobserver-auth=8,9 -- A=b", 1);
	setenv("MFLAGS", "-k", 1);
	setenv("MAKELEVEL", "2", 1);
	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
		struct setup options = support_options("/bin/sh", obey);
		options.jobs = JOBS;
		options.serve = rows[i].serve;
		struct oracle *pool = support_pool(&options);
		for (int k = 0; k < 4; k++)
			assert_int_equal(ask(pool, rows[i].script), VERDICT_INTERESTING);
		oracle_free(pool);
	}
	unsetenv("MAKEFLAGS");
	unsetenv("MFLAGS");
	unsetenv("MAKELEVEL");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(what_others_share_is_left_alone),
		cmocka_unit_test(a_test_for_each_token),
		cmocka_unit_test(speculation_stands_back),
		cmocka_unit_test(killed_client_gives_back),
		cmocka_unit_test(killed_keeper_loses_nothing),
		cmocka_unit_test(tests_share_in_the_jobs),
		cmocka_unit_test(no_speculation_where_processors_are_taken),
		cmocka_unit_test(misdeeds_cost_nothing),
		cmocka_unit_test(environment_names_the_server),
	};
	return cmocka_run_group_tests_name("run/jobserver", tests, NULL, NULL);
}
