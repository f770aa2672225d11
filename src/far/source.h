/* Where more workers come from while a reduction runs (--workers-from): the lines of a FIFO, which
 * any number of writers may open and close, or of the standard output of a command.
 *
 * What comes in is not trusted: lines are bounded, and those that are too long or hold control
 * characters are passed over. Life cycle: source_open; when source->fd or source->peer.words is
 * readable, source_next until it has none; after SOURCE_END or when no more is wanted source_end.
 */
#pragma once

#include <stddef.h>
#include <stdint.h>

#include "far/worker_process.h"

struct err;

enum { SOURCE_LINE = 4096 }; /* bytes, without its end */

struct source {
	const char *from;              /* as the user gave it; outlives the source */
	int fd;                        /* what is read; -1: nothing more comes */
	struct worker_process process; /* the command */
	char chunk[4096]; /* n bytes have been read, and those before `at` are used up */
	size_t at, n;
	char line[SOURCE_LINE + 1]; /* that has not ended yet: len bytes */
	size_t len;
	const char *trouble; /* what is wrong with this line; NULL: nothing */
	/* for who uses it: */
	unsigned reports;  /* how often the user was told of a wrong line */
	unsigned failures; /* of what its lines said, in a row */
	uint64_t rests;    /* until when nothing is read from it, as from io_now; 0: it is read */
};

/* FROM: the path of a FIFO, else a command for sh. 0, or -1 with err. */
int source_open(struct source *s, const char *from, struct err *err);

enum source_got { SOURCE_NONE, SOURCE_MORE, SOURCE_ONE, SOURCE_BAD, SOURCE_END };

/* The next line, without its end; reads once at most. SOURCE_MORE: its end was not among what has
 * been read, and there may be more. SOURCE_ONE: *text is the line, until the next call. SOURCE_BAD:
 * it is passed over, and *text says why. SOURCE_END: the command has closed its output. */
enum source_got source_next(struct source *s, const char **text);

/* Ends the command if it still runs, with up to WAIT_MS for it to end by itself. How it ended, in
 * words, when that was no success: the caller's; else NULL. */
char *source_end(struct source *s, int wait_ms);
