/* The status of a run: what it does, said in a file beside the journal about once a second, for
 * `whittle status` in another terminal. The file is replaced whole, by the one process that has the
 * reduction's lock; nothing depends on it.
 *
 * Lines KEY=VALUE; a reader takes what it knows. */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include "reduce/session.h"
#include "ui/curve.h"
#include "ui/waiting.h"

#define STATUS_FILE_LEAF "pulse" /* name of the file, beside the journal */

enum { STATUS_FILE_TEXT = 128 };

struct status_file {
	int64_t pid, began, written; /* times in seconds since 1970 */
	double seconds, rate;        /* of this run; tests per second of late */
	uint64_t tests, bytes, original, steps, jobs;
	double success_at;      /* seconds in this run; below 0: none yet */
	uint64_t success_tests; /* tests at that time */
	double best_at;         /* when 99 % of what is won so far was won */
	uint64_t best_tests;
	double time_left;               /* until a limit ends it; below 0: there is no such limit */
	char pass[STATUS_FILE_TEXT];    /* under way, or the one of the last success */
	char waiting[STATUS_FILE_TEXT]; /* what nothing moves for; empty: it moves */
	char end[STATUS_FILE_TEXT];     /* why it ended; empty: it runs, or was killed */
};

/* Reads the status in the file PATH. False: there is none. */
bool status_file_read(const char *path, struct status_file *p);

/* Of a run that is over: did it end without saying why? */
static inline bool status_file_was_killed(const struct status_file *p)
{
	return !*p->end;
}

/* The writing side, kept from one moment to the next; zero-initialised. All functions are called
 * often and write seldom; a failure to write is nobody's business. */
struct status_file_writer {
	char *path; /* NULL: nothing is kept */
	struct status_file now;
	uint64_t written_ns;
	struct waiting waiting;
	double mark_at; /* for the rate */
	uint64_t mark_tests;
	const struct curve *curve; /* borrowed */
};

void status_file_started(struct status_file_writer *w, const struct session *s,
                         const struct curve *curve);
void status_file_accepted(struct status_file_writer *w, const struct session *s, const char *pass);
void status_file_tick(struct status_file_writer *w, const struct session *s);
void status_file_ended(struct status_file_writer *w, const struct session *s, const char *why);
void status_file_release(struct status_file_writer *w);
