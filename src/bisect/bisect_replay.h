/* The state of a bisection as a string: the lines of its log. What git would ask next in a state
 * that has not come yet. */
#ifndef WHITTLE_BISECT_BISECT_REPLAY_H
#define WHITTLE_BISECT_BISECT_REPLAY_H

#include <stddef.h>

#include "base/hash.h"
#include "bisect/bisect_state.h"

struct bisect_guess {
	struct hash state;
	char head[BISECT_ID_SIZE]; /* empty: nothing more is asked there */
};

struct bisect_replay { /* zero-initialise */
	char *tree;    /* a worktree without files */
	struct bisect_guess *list;
	size_t n, cap;
};

/* The revision that git asks for in a bisection whose log is LOG, into HEAD; "" when none, or git
 * fails. */
void bisect_replay_head(struct bisect_replay *replay, struct bisection *b, const char *log,
                        char head[BISECT_ID_SIZE]);

/* LOG with the answer about ID at its end; the caller's. */
char *bisect_log_with(const char *log, enum bisect_answer answer, const char *id);

/* The revision that the bisection in worktree TREE asks for, into HEAD, which is empty when it has
 * come to its end: then FIRST_BAD is what it has found, or empty. */
int bisect_state_of(const char *tree, char head[BISECT_ID_SIZE], char first_bad[BISECT_ID_SIZE],
                    struct err *err);

void bisect_replay_release(struct bisect_replay *replay, struct bisection *b);

#endif
