/* What a living test says. Input: the sizes of the pieces in which it comes, by the first byte, and
 * the bytes; what is taken for an answer is a status, on a line of its own. */
#include <string.h>

#include "fuzz.h"
#include "run/dialog.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
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
	return 0;
}
