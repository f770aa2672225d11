/* The words of whittle-workers(7) for what an answer says. */
#ifndef WHITTLE_FAR_WORDS_H
#define WHITTLE_FAR_WORDS_H

#include "run/oracle.h"

struct frame;

const char *words_verdict(enum verdict verdict); /* of one that is known */
const char *words_why(enum answer_why why);

/* The answer in the words of FRAME from its third one on: verdict, reason, wait status,
 * nanoseconds. False: it is none, or contradicts itself. */
bool words_read_answer(const struct frame *frame, int exit_code, struct answer *out);

#endif
