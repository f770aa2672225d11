#include <stdio.h>
#include <string.h>

#include "lib/whittle.h"

static int say(char *message, size_t size, int code, const char *text)
{
	if (message && size)
		snprintf(message, size, "%s", text);
	return code;
}

/* One candidate after the other, until the end. */
static int run(struct whittle *w, whittle_test *test, void *test_arg)
{
	struct whittle_candidate c;
	int n;
	while ((n = whittle_next(w, &c, 1)) > 0) {
		enum whittle_verdict verdict = test(c.bytes, c.size, test_arg)
		                                       ? WHITTLE_INTERESTING
		                                       : WHITTLE_NOT_INTERESTING;
		if ((n = whittle_tell(w, c.ticket, verdict)) < 0)
			break;
	}
	return n < 0 ? n : (int)whittle_state(w);
}

int whittle_reduce(const void *bytes, size_t size, const struct whittle_options *options,
                   whittle_test *test, void *test_arg, void *result, size_t *result_size,
                   char *message, size_t message_size)
{
	int error = 0;
	if ((!bytes && size) || !test || (!result && size) || !result_size)
		return say(message, message_size, WHITTLE_ERR_ARGUMENT,
		           "bytes, test, or room for the result are missing");
	if (result != bytes && size)
		memmove(result, bytes, size);
	*result_size = size;
	say(message, message_size, 0, "");
	if (!test(bytes, size, test_arg))
		return say(message, message_size, WHITTLE_ERR_TEST,
		           "the test is not interesting on the original");
	struct whittle *w = whittle_open(bytes, size, options, &error, message, message_size);
	if (!w)
		return error;
	int end = run(w, test, test_arg);
	say(message, message_size, end, whittle_message(w));
	const void *best = whittle_result(w, result_size);
	if (*result_size)
		memmove(result, best, *result_size);
	whittle_free(w);
	return end;
}
