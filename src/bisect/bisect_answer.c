#include <sys/wait.h>

#include "bisect/bisect.h"

const char *bisect_word(enum bisect_answer answer)
{
	return answer == BISECT_GOOD   ? "good"
	       : answer == BISECT_BAD  ? "bad"
	       : answer == BISECT_SKIP ? "skip"
	                               : "stop";
}

enum bisect_answer bisect_answer_of(int status, bool timed_out, const char **why, int *number)
{
	enum { NO_OPINION = 125, CANNOT_EXECUTE, NOT_FOUND };
	*number = WIFEXITED(status) ? WEXITSTATUS(status) : WTERMSIG(status);
	*why = "the test exits with status %d";
	if (timed_out)
		*why = "the test exceeds its deadline";
	else if (!WIFEXITED(status))
		*why = "the test was ended by signal %d";
	else if (*number == 0)
		*why = "the bug shows";
	else if (*number == CANNOT_EXECUTE || *number == NOT_FOUND)
		*why = "the test exits with status %d: it runs a program that is missing or not "
		       "executable";
	else if (*number < NO_OPINION)
		*why = "the bug does not show";
	if (timed_out || !WIFEXITED(status) || *number >= NO_OPINION)
		return BISECT_SKIP;
	return *number ? BISECT_GOOD : BISECT_BAD;
}
