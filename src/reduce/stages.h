/* What comes when the plan is dry: external passes, then pumps. Internal to the reducer; the state
 * of both is part of the reducer's, copied with its clones.
 *
 * External passes: for each pass in turn its list is asked for, then its instances in batches, then
 * a hunt goes through the candidates; a pass that succeeded is asked again about the new bytes,
 * until it is dry on them. Their turn comes when nothing succeeds on probation any more, and again
 * when every pass of the plan ended dry. The searches in between are the plan's. Those that are
 * declared as early ones have their turn before anything else, and between runs of the plan when
 * enough was asked since.
 *
 * Pumps: edits that may make the test case larger. One that is interesting is an excursion: the
 * plan runs on from there for a bounded number of questions; what becomes simpler than what there
 * was before the pump stays, anything else is taken back. Nobody outside sees an excursion: the
 * current test case stays the best one.
 */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include "external/external.h"
#include "external/external_host.h"
#include "reduce/plan.h"

enum { EXTERNAL_BATCH = 64 };

enum external_phase {
	EXTERNAL_IDLE,
	EXTERNAL_LIST,
	EXTERNAL_LISTING,
	EXTERNAL_FETCHING,
	EXTERNAL_HUNTING
};

struct external_pass_state {
	struct hash dry_on; /* the bytes on which it ended dry last */
	uint32_t failures;
	struct pass_stats stats;
};

struct external_stage {
	const struct externals *all; /* borrowed */
	bool pumps, early;           /* of which kind the passes are that have their turn */
	enum external_phase phase;
	struct external_pass_state *passes; /* owned */
	uint32_t pass;
	uint32_t first; /* instance of the batch */
	uint32_t n_instances;
	uint32_t n_wanted, n_asked, n_got;
	uint64_t batches;  /* of requests, started so far: names a moment, as rounds do */
	uint32_t failures; /* of the pass, when the batch began */
	struct external_result *results[EXTERNAL_BATCH];
	bool clean; /* the pass has not succeeded since its first instance */
};

/* What the stage wants next. */
enum external_step {
	EXTERNAL_ASK, /* an answer: *request */
	EXTERNAL_WAIT,
	EXTERNAL_HUNT, /* a search over external_stage_places */
	EXTERNAL_OVER,
};

void external_stage_init(struct external_stage *s, const struct externals *all);
void external_stage_copy(struct external_stage *s); /* after a copy of the struct */
void external_stage_release(struct external_stage *s);

/* Begins with the first pass of those that are EARLY ones, or of the others. */
void external_stage_begin(struct external_stage *s, bool early);

/* Has an early pass something to say about TC that it has not said? */
bool external_stage_has_early(const struct external_stage *s, const struct testcase *tc);
enum external_step external_stage_next(struct external_stage *s, const struct testcase *tc,
                                       struct external_request *request);
void external_stage_give(struct external_stage *s, uint32_t instance,
                         struct external_result *result);
struct edit_sites *external_stage_places(const struct external_stage *s, struct view *view);
void external_stage_report(struct external_stage *s, const struct testcase *tc, bool changed);

/* The pass is left for now, as if its batch had not been asked for; it is not dry. */
void external_stage_skip(struct external_stage *s);

/* Does it wait for answers, or is about to? */
static inline bool external_stage_asks(const struct external_stage *s)
{
	return s->phase == EXTERNAL_LISTING || s->phase == EXTERNAL_FETCHING;
}
