/* What a persistent test says: the lines of the protocol (whittle-live(7)), and when they are
 * believed. Pure: no process, no clock.
 *
 * An answer is one line, a decimal number from 0 to 255, read as the exit status of a test. It may
 * repeat the question after a space, which shows that it is no late answer to an earlier one.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>

enum { DIALOG_LINE = 8 }; /* an answer is shorter */

/* The answer that is coming in. Initialise for each question, with zeros but for the first two. */
struct dialog {
	const char *question; /* len bytes, without a line end; they outlive the answer */
	size_t len;
	char line[DIALOG_LINE];
	size_t n, repeated; /* bytes of the number, and of the question */
	bool repeats;
};

enum dialog_state { DIALOG_MORE, DIALOG_ANSWER, DIALOG_GARBAGE, DIALOG_OVER };

/* Takes N further bytes. DIALOG_ANSWER: *status is set. DIALOG_GARBAGE: that is no answer, or there
 * is more than one, or it is that to another question: what comes from this process is not
 * understood any more. (DIALOG_OVER: nothing comes any more; dialog_take never returns it.) */
enum dialog_state dialog_take(struct dialog *d, const char *bytes, size_t n, int *status);

/* How a question to a persistent test ended. */
enum dialog_end {
	DIALOG_ANSWERED,
	DIALOG_BROKEN, /* it died, answered garbage, was too slow, or used too much */
};

/* What decides whether the answer of a process that has answered before stands. */
struct dialog_doubt {
	enum dialog_end end;
	bool interesting; /* DIALOG_ANSWERED: says the answer, and a claim will not do, */
	bool no_answer;   /* or that the test could give none */
	bool due;         /* the candidate is one of those that are checked in any case */
};

/* False: a fresh process is asked, and its answer counts. Whatever a persistent test keeps from one
 * candidate to the next can therefore not make a candidate interesting, nor end a reduction. */
bool dialog_stands(const struct dialog_doubt *doubt);
