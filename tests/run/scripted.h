/* An oracle that answers from a script, without processes: what stands above an oracle is shown how
 * it deals with flaky tests, deadlines, output, and a system that refuses.
 *
 * The n-th question is answered by the n-th line of the script, those after the last line by the
 * last one. What was asked is noted.
 */
#pragma once

#include <stddef.h>

#include "run/oracle.h"

struct scripted_line {
	enum verdict verdict;
	int status;          /* wait status; of a program beside the test, too */
	uint64_t wall_ns;    /* that it took */
	unsigned late;       /* so many later answers overtake it, if they are there */
	const char *output;  /* written to the request's standard output; NULL: nothing */
	const char *lost;    /* oracle_wait fails with this message; NULL: it does not */
	const char *refused; /* oracle_submit fails with this message; NULL: it does not */
};

/* What was asked, without what it borrowed. */
struct scripted_question {
	uint64_t ticket;
	struct hash hash;
	struct oracle_limits limits;
	bool is_program, has_output, cancelled;
};

/* LINES (N of them, at least one) outlive the oracle, which has SLOTS slots. */
struct oracle *scripted_new(const struct scripted_line *lines, size_t n, unsigned slots);

/* The questions so far, in the order in which they were asked; the oracle's. */
const struct scripted_question *scripted_asked(const struct oracle *oracle, size_t *n);
