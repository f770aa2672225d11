#include "server.h"

#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <cmocka.h>
#include <fcntl.h>
#include <poll.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/io.h"
#include "base/mem.h"

enum { PATIENCE_MS = 60000 };

void server_start(struct server *s)
{
	s->dir = io_temporary_name("jobs");
	assert_non_null(mkdtemp(s->dir));
	s->path = mem_printf("%s/fifo", s->dir);
	assert_int_equal(mkfifo(s->path, 0600), 0);
	s->get = open(s->path, O_RDONLY | O_NONBLOCK | O_CLOEXEC);
	s->put = open(s->path, O_WRONLY | O_CLOEXEC);
	assert_true(s->get >= 0 && s->put >= 0 && fcntl(s->get, F_SETFL, 0) == 0);
	assert_int_equal(write(s->put, TOKENS, N_TOKENS), N_TOKENS);
}

static int compare_bytes(const void *a, const void *b)
{
	return *(const char *)a - *(const char *)b;
}

void server_is_whole(const struct server *s)
{
	char bytes[N_TOKENS + 1] = "", expected[] = TOKENS;
	for (size_t n = 0; n < N_TOKENS; n++) {
		assert_int_equal(
			poll(&(struct pollfd){ .fd = s->get, .events = POLLIN }, 1, PATIENCE_MS),
			1);
		assert_int_equal(read(s->get, &bytes[n], 1), 1);
	}
	qsort(bytes, N_TOKENS, 1, compare_bytes);
	qsort(expected, N_TOKENS, 1, compare_bytes);
	assert_string_equal(bytes, expected);
	assert_int_equal(poll(&(struct pollfd){ .fd = s->get, .events = POLLIN }, 1, 0), 0);
	assert_int_equal(write(s->put, TOKENS, N_TOKENS), N_TOKENS);
}

void server_stop(struct server *s)
{
	server_is_whole(s);
	close(s->get);
	close(s->put);
	free(s->path);
	assert_int_equal(io_remove_tree(AT_FDCWD, s->dir), 0);
	free(s->dir);
}
