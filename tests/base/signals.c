/* Signals that ask for an end: the first one only arrives, the second one ends the program. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <poll.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/err.h"
#include "base/signals.h"

static bool is_readable(int fd, int timeout_ms)
{
	struct pollfd p = { .fd = fd, .events = POLLIN };
	return poll(&p, 1, timeout_ms) > 0;
}

static void the_first_one_arrives(void **state)
{
	static const int stops[] = { SIGINT, SIGTERM, SIGHUP };
	(void)state;
	for (int i = 0; i < 3; i++) {
		int fd = signals_catch();
		struct err err = { 0 };
		assert_true(fd >= 0);
		assert_false(is_readable(fd, 0));
		assert_int_equal(signals_arrived(), 0);
		assert_int_equal(signals_check("testing", &err), 0);
		raise(stops[i]);
		assert_true(is_readable(fd, 0));
		assert_true(is_readable(fd, 0)); /* and stays so */
		assert_int_equal(signals_arrived(), stops[i]);
		assert_int_equal(signals_check("testing", &err), -1);
		assert_int_equal(err.code, ERR_STOPPED);
		assert_string_equal(err.msg, "stopped while testing");
		assert_int_equal(signals_release(), stops[i]);
		assert_false(is_readable(fd, 0));
		assert_int_equal(signals_arrived(), 0);
		close(fd);
	}
}

/* How a child ends that catches signals and gets FIRST and SECOND while it does nothing. */
static int end_of_child(int first, int second)
{
	int status;
	pid_t pid = fork();
	if (pid == 0) {
		signals_catch();
		raise(first);
		if (signals_arrived() != first)
			_exit(100);
		raise(second);
		_exit(101);
	}
	assert_int_equal(waitpid(pid, &status, 0), pid);
	return status;
}

static void the_second_one_ends_at_once(void **state)
{
	(void)state;
	assert_int_equal(WTERMSIG(end_of_child(SIGINT, SIGINT)), SIGINT);
	assert_int_equal(WTERMSIG(end_of_child(SIGINT, SIGTERM)), SIGTERM);
	assert_int_equal(WTERMSIG(end_of_child(SIGHUP, SIGINT)), SIGINT);
}

static void what_is_ignored_stays_so(void **state)
{
	(void)state;
	signal(SIGHUP, SIG_IGN);
	int fd = signals_catch();
	raise(SIGHUP);
	assert_int_equal(signals_arrived(), 0);
	assert_int_equal(signals_release(), 0);
	raise(SIGHUP);
	signal(SIGHUP, SIG_DFL);
	close(fd);
}

static void the_time_is_over(void **state)
{
	struct err err = { 0 };
	int fd = signals_open();
	(void)state;
	assert_int_equal(signals_set_time(1), 0);
	assert_true(is_readable(fd, -1));
	assert_int_equal(signals_arrived(), SIGALRM);
	assert_int_equal(signals_check("testing", &err), -1);
	assert_string_equal(err.msg, "the time is up while testing");
	assert_int_equal(signals_set_time(3600000000000u), 0); /* another hour */
	assert_int_equal(signals_arrived(), 0);
	assert_int_equal(signals_set_time(0), 0);
	close(fd);
}

int main(void)
{
	static const int stops[] = { SIGINT, SIGTERM, SIGHUP };
	for (int i = 0; i < 3; i++)
		signal(stops[i],
		       SIG_DFL); /* a shell ignores some for what it has in the background */
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(the_first_one_arrives),
		cmocka_unit_test(the_second_one_ends_at_once),
		cmocka_unit_test(what_is_ignored_stays_so),
		cmocka_unit_test(the_time_is_over),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
