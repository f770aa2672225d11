/* A session: one run of the program on one reduction. It reads the input, checks whether the
 * test is usable, drives the reduction, and keeps the file on disk up to date. Apart from the
 * oracle, only the session touches the outside world.
 *
 * Life cycle: fill struct session_options; session_open (checks everything, changes nothing);
 * session_reduce; session_close. Only session_reduce calls the observer. */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include "reduce/engine.h"
#include "reduce/probe.h"
#include "reduce/session_options.h"
#include "run/rate.h"
#include "text/testcase.h"

struct err;

/* PROBE is filled in even if the test is the reason of a failure. */
struct session *session_open(const struct session_options *options, struct session_probe *probe,
                             struct err *err);

/* Reduces until the fixpoint or a limit. DRIVER_FAILED: err. The file on disk is up to date
 * whenever this returns. */
enum driver_end session_reduce(struct session *s, struct err *err);

void session_close(struct session *s);

/* What is in force around the tests. */
const struct fence *session_fence(const struct session *s);

const struct testcase *session_original(const struct session *s);
const struct testcase *session_current(const struct session *s);
/* Is a formatter for what is reduced installed, and none asked for? */
bool session_can_format(const struct session *s);
/* What is written at the end: that, or what a formatter has made of it. */
const struct testcase *session_written(const struct session *s);
const struct session_options *session_options(const struct session *s);
const struct driver_stats *session_stats(const struct session *s);
struct external_stats session_external_stats(const struct session *s);
uint64_t session_elapsed_ns(const struct session *s);
const char *session_tokenizer(
	const struct session *s); /* its name; of a tree "several" unless one was asked for */

/* The kept reduction: its name (NULL: nothing is kept), and the path of a file beside the journal;
 * the caller's. */
const char *session_name(const struct session *s);
char *session_path(const struct session *s, const char *leaf);

/* How things are now. Pointers are valid until session_close. */
struct session_facts {
	const struct externals *externals;
	const struct reducer *reducer; /* NULL: none was needed, and so is the plan */
	const struct plan *plan;
	uint64_t questions, cache_hits;
	uint64_t limit_ns; /* the deadline in force */
	struct rate rate;  /* of the original, when the test is not sure; else zeros */
	unsigned jobs;     /* tests that may run at a time, 0 in a pause */
	unsigned steps;    /* snapshots of the kept reduction ... */
	bool resumed;      /* ... which was started before */
	bool was_finished; /* or even finished */
	bool replaying;    /* all that it asked so far was known */
	bool skipping;     /* the pass that runs, when its round is over */
	bool is_unwritten; /* the file could not be written: it is not what the reduction has */
	enum session_stop stop;
	/* What was verified at the fixpoint, in words; empty for one reached by an earlier session.
	 */
	const char *certificate;
};

struct session_facts session_facts(const struct session *s);
