/* The messages between pool and supervisor, where they go wrong. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#include <cmocka.h>

#include "run/wire.h"

/* What cannot be sent must not be waited for by the other side, nor an answer to it by this one. */
static void failed_send_ends_both_sides(void **state)
{
	(void)state;
	int pair[2], no_such_descriptor = 1 << 20;
	char byte = 'x';
	assert_int_equal(socketpair(AF_UNIX, SOCK_STREAM, 0, pair), 0);
	assert_false(wire_send(pair[0], &byte, 1, &no_such_descriptor, 1));
	assert_false(wire_receive(pair[0], &byte, 1, NULL));
	assert_false(wire_receive(pair[1], &byte, 1, NULL));
	close(pair[0]);
	close(pair[1]);
}

int main(void)
{
	const struct CMUnitTest tests[] = { cmocka_unit_test(failed_send_ends_both_sides) };
	return cmocka_run_group_tests(tests, NULL, NULL);
}
