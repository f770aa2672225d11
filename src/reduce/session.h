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
const struct plan *session_plan(const struct session *s);
const struct externals *session_externals(const struct session *s);
const struct reducer *session_reducer(const struct session *s); /* NULL: none was needed */
struct external_stats session_external_stats(const struct session *s);
bool session_skipping(const struct session *s); /* the pass that runs, when its round is over */
unsigned session_jobs(const struct session *s); /* tests that may run at a time now, 0 in a pause */
uint64_t session_questions(const struct session *s);
uint64_t session_cache_hits(const struct session *s);
uint64_t session_elapsed_ns(const struct session *s);
uint64_t session_limit_ns(const struct session *s); /* the deadline in force */
const char *session_tokenizer(
	const struct session *s); /* its name; of a tree "several" unless one was asked for */

/* What was verified at the fixpoint, in words; empty for one reached by an earlier session. Valid
 * until session_close. */
const char *session_certificate(const struct session *s);

/* Could the file not be written? What is there is not what the reduction has. */
bool session_is_unwritten(const struct session *s);

/* The kept reduction: its name (NULL: nothing is kept), whether it was started or even finished
 * before, its snapshots. */
const char *session_name(const struct session *s);
char *session_path(const struct session *s,
                   const char *leaf); /* of a file beside the journal; the caller's */
enum session_stop session_stop(const struct session *s);
bool session_replaying(const struct session *s); /* all that it asked so far was known */
bool session_resumed(const struct session *s);
bool session_was_finished(const struct session *s);
unsigned session_steps(const struct session *s);
