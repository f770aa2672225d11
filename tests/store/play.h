/* A reduction without a search: a made-up file that loses lines by a fixed rule, with made-up
 * questions. It calls the store in the order in which the reducer does, and its result is a
 * function of (seed, steps) alone. */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include "store/history.h"
#include "store/store.h"

struct err;

struct play {
	const char *path;  /* FILE; its base name is the path in the test case */
	const char *name;  /* may be NULL */
	const char *store; /* may be NULL */
	bool fresh;
	unsigned lines;      /* of the original */
	unsigned steps;      /* to make */
	unsigned stop_after; /* stop before this step as if killed or interrupted; 0: finish */
	bool pause;          /* stopping is clean: store_pause */
	bool overrules;      /* before it stops, it overrules a verdict */
	uint64_t seed;
	unsigned twist; /* from this step on other content, as after a change of the program; 0:
	                   never */
	const char *options;                    /* NULL: "jobs-do-not-matter=yes\n" */
	void (*each)(void *ctx, unsigned step); /* called after each step; may be NULL */
	void *ctx;
	struct store *open; /* out with KEEP: not closed */
	bool keep;
	/* Out: */
	enum store_state state;
	char why[2000];
	char notices[4000];
	char tip[65];
	unsigned others;       /* entries that were there and are no mere verdicts */
	unsigned asked, known; /* questions, and those of them that had a verdict already */
	uint64_t begin_ns;     /* in store_open to reduction_verdicts */
	uint64_t store_ns;     /* in store_record, store_snapshot and store_finish */
	bool broken;           /* a verdict could not be kept: it stopped */
	unsigned failures;     /* calls that failed, the last one in err */
};

/* Writes the original to play->path. */
void play_original(const struct play *play);

/* Plays. 0, or -1 and err when the reduction could not begin; failures to keep are counted in
 * play->failures. */
int play_run(struct play *play, struct err *err);

/* Content of step N (0: the original), allocated. */
char *play_text(const struct play *play, unsigned step, uint32_t *len);
