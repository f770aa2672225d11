/* The job server that MAKEFLAGS names, in the forms of each make. */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <cmocka.h>
#include <fcntl.h>
#include <stdio.h>
#include <unistd.h>

#include "run/jobserver.h"
#include "server.h"

static enum jobserver_found found(const char *format, ...)
{
	char flags[256];
	va_list args;
	va_start(args, format);
	vsnprintf(flags, sizeof flags, format, args);
	va_end(args);
	struct jobserver js;
	enum jobserver_found rc = jobserver_find(&js, flags);
	assert_int_equal(js.get >= 0 && js.put >= 0, rc == JOBSERVER_FOUND);
	if (rc == JOBSERVER_FOUND)
		assert_int_equal(jobserver_left(&js), N_TOKENS);
	jobserver_close(&js);
	return rc;
}

static void makeflags_are_understood(void **state)
{
	(void)state;
	struct server s;
	struct jobserver js;
	int other[2], file = open("/dev/null", O_RDWR | O_CLOEXEC);
	server_start(&s);
	assert_int_equal(pipe2(other, O_CLOEXEC), 0);
	assert_int_equal(jobserver_find(&js, NULL), JOBSERVER_NONE);
	assert_int_equal(found("%s", ""), JOBSERVER_NONE);
	assert_int_equal(found("k -j4"), JOBSERVER_NONE);
	assert_int_equal(found("k -- A=--jobserver-auth=%d,%d B=%d", s.get, s.put, 1),
	                 JOBSERVER_NONE);
	assert_int_equal(found(" -- --jobserver-auth=%d,%d", s.get, s.put), JOBSERVER_NONE);
	assert_int_equal(found(" -j4 --jobserver-auth=%d,%d", s.get, s.put), JOBSERVER_FOUND);
	assert_int_equal(found("kw --jobserver-fds=%d,%d -j -- A=b", s.get, s.put),
	                 JOBSERVER_FOUND);
	assert_int_equal(found("-j4 --jobserver-auth=fifo:%s", s.path), JOBSERVER_FOUND);
	assert_int_equal(found("--jobserver-auth=90,91 --jobserver-auth=%d,%d", s.get, s.put),
	                 JOBSERVER_FOUND);
	assert_int_equal(found("--jobserver-auth=%d,%d --jobserver-auth=-2,-2", s.get, s.put),
	                 JOBSERVER_UNUSABLE);
	assert_int_equal(found("--jobserver-auth=%d,%d", s.put, s.get), JOBSERVER_UNUSABLE);
	assert_int_equal(found("--jobserver-auth=%d,%d", s.get, other[1]), JOBSERVER_UNUSABLE);
	assert_int_equal(found("--jobserver-auth=%d,%d", file, file), JOBSERVER_UNUSABLE);
	assert_int_equal(found("--jobserver-auth=%d,%dx", s.get, s.put), JOBSERVER_UNUSABLE);
	assert_int_equal(found("--jobserver-auth=gmake_semaphore_17"), JOBSERVER_UNUSABLE);
	assert_int_equal(found("--jobserver-auth=fifo:%s.not", s.path), JOBSERVER_UNUSABLE);
	assert_int_equal(found("--jobserver-auth=fifo:/dev/null"), JOBSERVER_UNUSABLE);
	close(other[0]);
	close(other[1]);
	close(file);
	assert_int_equal(found("--jobserver-auth=%d,%d", other[0], other[1]), JOBSERVER_UNUSABLE);
	assert_int_equal(jobserver_find(&js, "w -j12"), JOBSERVER_NONE);
	assert_int_equal(js.jobs, 12);
	server_stop(&s);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(makeflags_are_understood),
	};
	return cmocka_run_group_tests_name("run/makeflags", tests, NULL, NULL);
}
