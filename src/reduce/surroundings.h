/* Does the answer of a test depend on what is no part of the candidate? A usable test runs once
 * more on the original where one thing is different, and says yes again, or does depend on it.
 * Nothing of the session changes. */
#pragma once

struct session;

enum surrounding {
	SURROUNDING_DIRECTORY, /* a directory with another, much longer path */
	SURROUNDING_ZONE,      /* another time zone, in which it is another day */
	SURROUNDING_DAY,       /* a clock that is a hundred days ahead (with libfaketime) */
	SURROUNDINGS
};

/* What is different there, in words that follow "in" or "on": "another directory". */
const char *surrounding_name(enum surrounding what);

enum surrounding_answer {
	SURROUNDING_SAME,
	SURROUNDING_MATTERS, /* it says no there, twice */
	SURROUNDING_UNKNOWN, /* it cannot be had here, or the user wants to stop */
};

enum surrounding_answer surrounding_try(struct session *s, enum surrounding what);
