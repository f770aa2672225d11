/* The two-sided test: interesting is what shows the bug at the bad end and does not show it at the
 * good one. A reduction under it cannot slip to a bug that was there all along.
 *
 * To the reduction it is a test like any other: the file "two-sided" in the directory of the
 * bisection, which is executed by the program whittle-sides (sides_main.c). What that needs to know
 * is in the file "sides".
 *
 * Both sides run at the same time while processors are free, which "seats" tells: each running side
 * locks a byte of it, and there are as many as tests may run. Otherwise the second one waits for
 * what the first one says, and is most often not needed. The first one is the one that is expected
 * to decide sooner, from what both have done so far ("scores"). None of that changes the answer.
 */
#ifndef WHITTLE_BISECT_BISECT_SIDES_H
#define WHITTLE_BISECT_BISECT_SIDES_H

#include <stdint.h>

/* Files beside the test that it writes to: locks of the seats, scores of the sides. */
#define SIDES_SEATS "seats"
#define SIDES_SCORES "scores"

struct err;

enum side { SIDE_BAD, SIDE_GOOD, SIDES };

struct sides {
	char *tree[SIDES]; /* built */
	char *test;
	uint64_t repeat;
	uint64_t limit_ns; /* of one run on one side */
	uint64_t seats;    /* tests that may run at a time */
};

struct side_score {
	uint64_t runs;     /* as the first one */
	uint64_t decisive; /* of them: what it said was enough */
	uint64_t ns;       /* time they took */
};

/* Writes "sides" and, unless it is as it should be, "two-sided" into DIR; ABOUT (lines) is what the
 * test stands for. */
int sides_write(const char *dir, const struct sides *sides, const char *about, struct err *err);

/* Reads "sides", whose strings live as long as the program. */
int sides_read(const char *dir, struct sides *sides, struct err *err);

/* Which side to start first. */
enum side sides_first(const struct side_score scores[SIDES]);

#endif
