/* A clone of the reducer that runs ahead: it is told what is likely, and what it asks will be
 * asked if that is true. It is told so as late as possible, when it has nothing more to ask before:
 * answers that are in by then need no prediction. When one was wrong, the clone is dropped.
 *
 * Zero-initialise; set `reducer` to a clone to begin; ahead_release.
 */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include "base/hash.h"

struct external_result;
struct prediction;
struct reducer;

struct ahead {
	struct reducer *reducer; /* NULL: none runs ahead */
	uint32_t n, cap;
	struct prediction *predictions; /* what it is told, in order */
	uint64_t epoch;                 /* clones dropped so far */
};

void ahead_drop(struct ahead *a);
void ahead_release(struct ahead *a);

/* Questions are known by their keys, as verdicts are: the same numbers are used again from one
 * round to the next. */

/* Has the clone asked KEY? */
bool ahead_predicted(const struct ahead *a, struct hash key);

/* KEY is answered so: the clone is told, or if it was told otherwise dropped. */
void ahead_check(struct ahead *a, struct hash key, bool interesting);

/* Likewise, and the reducer has been told: there is nothing more to predict. */
void ahead_confirm(struct ahead *a, struct hash key, bool interesting);

/* The clone has asked ASK; what is likely. */
void ahead_predict(struct ahead *a, uint64_t ask, struct hash key, bool interesting);

/* The clone waits: it is told what is likely of its first question without an answer. False: there
 * is none, or it is not ONLY (unless NULL). */
bool ahead_guess(struct ahead *a, const struct hash *only);

/* What it has asked is known: it is told. */
void ahead_tell(struct ahead *a, uint64_t ask, struct hash key, bool interesting);

/* What a program will say: what is known (RESULT), or (NULL) that it has nothing. */
void ahead_predict_result(struct ahead *a, uint64_t ask, struct hash key,
                          struct external_result *result);
