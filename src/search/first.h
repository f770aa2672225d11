/* The search for the first edit that is interesting: goes through the places of a cutting strategy
 * in order, from where it is told, a window of candidates at a time, and ends with the first one
 * that is (its edit is `accepted`), or with none. Each edit is judged alone. For pumps, whose edits
 * are not to be united. */
#pragma once

#include "search/search.h"
#include "search/strategy.h"

/* A place: start i, end j. */
struct first_cursor {
	uint32_t i, j;
};

enum { FIRST_WINDOW = 8 };

/* Shares PLACES (takes a reference of its own). */
struct search *first_new(struct edit_sites *edit_sites, struct first_cursor from);

/* Where to continue: after the accepted edit, else at the end. Of a search that is done. */
struct first_cursor first_cursor(const struct search *search);
