/* What a persistent test says. Input: the sizes of the pieces in which it comes, by the first byte,
 * and the bytes; what is taken for an answer is a status, on a line of its own. */
#include <string.h>

#include "fuzz.h"
#include "run/persistent.h"

/* The same as words of a fork server, which is asked whenever it is ready. */
static void check_forkserver(const uint8_t *data, size_t size)
{
	struct forkserver f = { 0 };
	uint32_t word = 0;
	for (size_t i = 0; i < size; i++) {
		enum forkserver_event event = forkserver_take(&f, data[i], &word);
		FUZZ_REQUIRE(f.n < sizeof f.word);
		if (event == FORKSERVER_STRANGE)
			return;
		if (event == FORKSERVER_BEGINS || event == FORKSERVER_ANSWER) {
			FUZZ_REQUIRE(f.phase == FORKSERVER_READY);
			forkserver_asked(&f);
		}
	}
}

int target_dialog(const uint8_t *data, size_t size)
{
	struct dialog d = { 0 };
	int status = -1;
	enum dialog_state state = DIALOG_MORE;
	size_t piece = size ? data[0] % 17 + 1 : 1, at = size ? 1 : 0, begin = at;
	while (state == DIALOG_MORE && at < size) {
		size_t n = size - at < piece ? size - at : piece;
		state = dialog_take(&d, (const char *)data + at, n, &status);
		at += n;
		FUZZ_REQUIRE(d.n < sizeof d.line);
	}
	if (state == DIALOG_ANSWER) {
		FUZZ_REQUIRE(status >= 0 && status <= 255);
		FUZZ_REQUIRE(memchr(data + begin, '\n', at - begin) == data + at - 1);
	}
	FUZZ_REQUIRE(state != DIALOG_OVER);
	check_forkserver(data, size);
	return 0;
}
