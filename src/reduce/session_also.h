/* Other failures than the one that is reduced, met on the way (run/also.h): asked about when the
 * search is over, and kept as reductions of their own, NAME+1, NAME+2..., that are yet to be
 * started. Nothing of it is seen by the reduction itself. */
#pragma once

#include <stdbool.h>
#include <stddef.h>

#include "run/also.h"

struct err;
struct session;

/* The smallest candidate for each status that was wanted; *n of them. */
const struct also_seen *session_also(const struct session *s, size_t *n);

/* What an earlier run has met is read if there was one (RESUMED), else forgotten: its verdicts are
 * kept, so that nobody would ask about it again. So is what a run has met that finished the
 * reduction and was killed then. To be called when the journal is open, if it is to be. */
void session_also_begin(struct session *s, bool resumed);

/* All that was met is kept as reductions of their own: it need not be read again. The reduction is
 * finished and kept. */
void session_also_forget(struct session *s);

/* Keeps what was met since the last call. To be called before the verdict on it is kept, so that a
 * run that is killed loses nothing. What goes wrong is a notice. */
void session_also_note(struct session *s);

/* Runs WORDS (absolute path and arguments) with TC in a directory of the tests, as a test is run,
 * when no test runs. *output as of oracle_ask_verbose. */
int session_ask_about(struct session *s, const char *const *words, const struct testcase *tc,
                      struct answer *answer, char **output, struct err *err);

/* The reduction has ended: what is asked about from now on is to take no longer than WALL_NS. */
void session_hurry(struct session *s, uint64_t wall_ns);

/* Keeps TC as the original of a reduction with the program TEST. ABOUT says what it
 * shows, one line. What is kept with the same test is replaced by a smaller one, unless it has been
 * reduced since. 1: kept; 0: what is there stays, which is as good; -1: err. */
struct session_other {
	const struct testcase *tc;
	const char *test, *about;
};
int session_keep_other(struct session *s, const struct session_other *other, struct err *err);
