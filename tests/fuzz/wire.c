/* The messages between pool and supervisor. Input: a header, names and words as one side may send
 * them; what is received is well-formed or refused. */
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#include "base/io.h"
#include "fuzz.h"
#include "run/wire.h"

/* Strings, each with its NUL, as many as told; one NUL alone stands for none. */
static void check_strings(const char *strings, uint32_t len, uint32_t n)
{
	uint32_t found = 0;
	for (uint32_t i = 0; i < len; i++)
		found += !strings[i];
	FUZZ_REQUIRE(!len || !strings[len - 1]);
	FUZZ_REQUIRE(n == UINT32_MAX || found == n || (len == 1 && !n));
}

int target_wire(const uint8_t *data, size_t size)
{
	int pair[2], fds[WIRE_FDS];
	struct wire_request rq;
	char *names = NULL, *words = NULL;
	FUZZ_REQUIRE(socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, pair) == 0);
	int space = 1 << 20;
	setsockopt(pair[0], SOL_SOCKET, SO_SNDBUF, &space, sizeof space);
	if (size > 4096)
		size = 4096;
	FUZZ_REQUIRE(wire_send(pair[0], data, size, NULL, 0));
	shutdown(pair[0], SHUT_WR);
	while (wire_receive_request(pair[1], &rq, &names, &words, fds)) {
		FUZZ_REQUIRE(rq.op <= WIRE_SYNC && rq.generation < WIRE_SETS);
		check_strings(names, rq.names_len, rq.names_len ? rq.n_names : 0);
		check_strings(words, rq.words_len, UINT32_MAX);
		for (int i = 0; i < WIRE_FDS; i++)
			FUZZ_REQUIRE(fds[i] == -1);
	}
	free(names);
	free(words);
	close(pair[0]);
	close(pair[1]);
	return 0;
}
