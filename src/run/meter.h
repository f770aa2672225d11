/* Measures what a test uses while it runs, and ends it when that is too much: for limits that the
 * kernel does not keep for us. Every look costs, so that looks are no more than a sixteenth of the
 * time.
 */
#ifndef WHITTLE_RUN_METER_H
#define WHITTLE_RUN_METER_H

#include "run/oracle.h"
#include "run/sets.h"

struct wire_request;

struct meter {
	const struct wire_request *rq;
	const struct sets *sets;
	uint64_t next_ns; /* when to look again, as from io_now */
};

/* For the test that RQ asks for. */
struct meter meter_start(const struct wire_request *rq, const struct sets *sets);

/* To be called every now and then while it runs: ANSWER_FILES, ANSWER_PROCESSES, or ANSWER_OWN when
 * all is well. */
enum answer_why meter_look(struct meter *meter);

/* The same when it has run for WALL_NS and nothing of it runs any more: what it has left. */
enum answer_why meter_end(const struct meter *meter, uint64_t wall_ns);

#endif
