/* What waits to be written to a worker takes as much memory as it is, however much there was
 * before. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>
#include <fcntl.h>

#include "base/buf.h"
#include "far/worker_process.h"

enum { MESSAGE = 100000, MESSAGES = 500 };

static void fill(struct worker_process *p, unsigned n)
{
	char bytes[MESSAGE];
	memset(bytes, (int)n, sizeof bytes);
	buf_add(&p->send, bytes, sizeof bytes);
}

/* Reads message N, which has to be there at once when it is flushed. */
static void take(struct worker_process *p, int from, unsigned n)
{
	char bytes[MESSAGE];
	size_t got = 0;
	while (got < sizeof bytes) {
		assert_true(worker_process_flush(p));
		ssize_t some = read(from, bytes + got, sizeof bytes - got);
		assert_true(some > 0);
		got += (size_t)some;
	}
	assert_int_equal(bytes[0], (char)n);
	assert_int_equal(bytes[MESSAGE - 1], (char)n);
}

/* A worker that always has something left to read. */
static void one_that_lags_behind(void **state)
{
	struct worker_process p = { .from = -1, .words = -1 };
	int fds[2];
	(void)state;
	assert_int_equal(pipe2(fds, O_CLOEXEC), 0);
	assert_int_equal(fcntl(fds[1], F_SETFL, O_NONBLOCK), 0);
	p.to = fds[1];
	fill(&p, 0);
	for (unsigned n = 1; n < MESSAGES; n++) {
		fill(&p, n);
		take(&p, fds[0], n - 1);
		assert_true(worker_process_unsent(&p) > 0);
	}
	assert_true(p.send.cap <= 16 * MESSAGE);
	close(fds[0]);
	close(fds[1]);
	buf_release(&p.send);
}

int main(void)
{
	const struct CMUnitTest tests[] = { cmocka_unit_test(one_that_lags_behind) };
	return cmocka_run_group_tests_name("far/worker-process", tests, NULL, NULL);
}
