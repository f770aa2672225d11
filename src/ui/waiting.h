/* What is waited for when nothing moves. */
#pragma once

#include <stddef.h>
#include <stdint.h>

#include "reduce/session.h"

/* Nothing is said of what is over before this. */
#define WAITING_SOON_NS 2000000000u

/* Zero-initialise; to be looked at often. */
struct waiting {
	uint64_t tests, answers, moved_ns;
};

/* Fills TEXT, of SIZE bytes: empty while tests come and go, else, after two seconds, "34 s for a
 * test (deadline 60 s)". Returns it. */
const char *waiting_look(struct waiting *w, const struct session *s, char *text, size_t size);
