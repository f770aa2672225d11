/* The end of a run in words: why, where the result is, how to resume. */
#pragma once

#include <stdbool.h>
#include <stdio.h>

#include "reduce/session.h"
#include "ui/curve.h"

struct ending {
	enum driver_end end;
	int sig; /* that asked for it; 0: none */
};

/* Why it ended, without a line end: "fixpoint", "stopped by --max-tests 60"; the caller's. */
char *ending_why(const struct session *s, struct ending ending);

/* The same with what is known of it: all of it in DETAIL, else without numbers; the caller's. */
char *ending_said(const struct session *s, struct ending ending, bool detail);

/* The lines after that, to OUT, and the result if it is short. CURVE is that of this run. DETAIL:
 * also when most of it was done, and what the certificate says and took. */
void ending_print(const struct session *s, struct ending ending, const struct curve *curve,
                  bool detail, FILE *out);
