/* The plan: which pass runs next, once the opening (opening.h) is over. A deterministic function of
 * what passes gave, nothing else; plain data, so that it is copied for speculation and could be
 * written down.
 *
 * Passes are in tiers, structure first. A tier is repeated while it pays; when it pays no more
 * the next one has its turn; a tier that paid sends the plan back to the first. A pass that ended
 * dry on exactly these bytes is not run again (fingerprint). At first every pass is on probation:
 * it stops after a stretch that saved little, and one that has gone through all of its places has
 * no other turn before half of what it saw has gone. Names and white space do not count as gone:
 * other passes see the same without them. Once nothing succeeds on probation, every pass is asked
 * for its last word, whatever it said before: what has a unit or has found something runs to its
 * end, any other as long as on probation. When all have ended dry on the same bytes, that is the
 * fixpoint; it certifies units only.
 *
 * Passes that have run without success wait until those that have won win no more: what has found
 * something finds more.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/hash.h"
#include "reduce/opening.h"
#include "reduce/passes.h"
#include "search/hunt.h"

enum { PLAN_CURSORS = 24 }; /* levels of a pass that remember theirs */

/* What is verified before a reduction ends: that no pass finds anything; with PLAN_CERTIFY_AUTO,
 * bytes are left when they have been asked about in vain as often as everything else before. With
 * PLAN_CERTIFY_TOKEN, that no pass with a unit but bytes does. Nothing: it ends when all passes
 * together save less than a fiftieth. */
enum plan_certify { PLAN_CERTIFY_AUTO, PLAN_CERTIFY_FULL, PLAN_CERTIFY_TOKEN, PLAN_CERTIFY_NONE };

/* The values of plan_certify as words, NULL behind them. */
extern const char *const plan_certify_words[];

/* Sets *CERTIFY to what WORD says; NULL: the first. False: it is none of them. */
bool plan_certify_parse(const char *word, enum plan_certify *certify);

struct pass_stats {
	uint32_t runs, successes; /* started; accepted */
	uint64_t questions;
	int64_t bytes; /* saved */
};

/* How long a run may continue: it is ended after so many questions (0: never), unless they saved
 * more than one part in `pays` of the bytes. */
struct pass_patience {
	uint32_t questions, pays;
};

struct pass_run {
	uint32_t pass, level;
	bool again; /* what it found out leads to its level once more: set by the owner */
	bool last;  /* of the levels of its pass */
	bool tired; /* its patience has ended it: set by the owner */
	const char *name;
	struct hunt_options hunt;
	struct pass_patience patience;
};

/* Where a pass continues. */
struct plan_resume {
	uint32_t level; /* its next visit begins here: after the level that was ended early */
	struct search_cursor cursors[PLAN_CURSORS]; /* of runs that were ended early */
};

/* Whether a pass has succeeded, and also saved bytes on its last level. */
enum plan_won { PLAN_WON = 1, PLAN_WON_LAST = 2 };

/* Turns of passes that went through all of their places. */
struct plan_turns {
	uint32_t on[PASSES_MAX]; /* the size at the end of the last one of each pass; 0: none */
	uint32_t began;          /* size at the beginning of the current one */
	bool all;                /* it has gone through all places so far */
	bool dry;                /* no level of it was a success or cut short */
};

/* How it ends. */
struct plan_end {
	enum plan_certify certify;
	uint32_t round_start_size;
	struct hash enough_on; /* of these bytes nothing more is to be known */
	bool last;      /* the passes that come last may run: set by the owner, if it pauses */
	uint32_t spent; /* bytes were tried often enough at this size; 0: not yet */
};

struct plan {
	struct pass_set enabled;
	uint64_t seed;
	struct opening opening;
	struct plan_end end;
	bool thorough; /* past probation */
	bool pauses; /* plan_next returns false once before it becomes thorough: set by the owner */
	uint32_t pass, level; /* next to run */
	uint32_t tier_start_size;
	bool all;                /* this time through nobody waits */
	bool changed;            /* something has succeeded this time through */
	bool saved;              /* the run that ends has made the test case smaller */
	uint8_t won[PASSES_MAX]; /* set of enum plan_won */
	uint32_t n_runs;
	struct hash dry[PASSES_MAX]; /* the bytes on which each pass ended dry last */
	bool ran[PASSES_MAX];
	struct plan_turns turns;
	struct plan_resume resume[PASSES_MAX];
	bool leave; /* a level was ended early: the next pass has its turn */
	struct pass_stats stats[PASSES_MAX];
};

/* SIZE: of the test case, in bytes. OPENS: one of this kind has an opening. */
void plan_init(struct plan *plan, const struct pass_set *enabled, uint64_t seed, uint32_t size,
               bool opens);

/* The next run on these bytes; false at the fixpoint, and with `pauses` when nothing succeeds on
 * probation any more. In the latter case `thorough` is false, and the owner sets it to continue,
 * unless nothing is to be verified (PLAN_CERTIFY_NONE). With PLAN_CERTIFY_TOKEN a success leads
 * back to probation, where the other passes have another turn.
 * LEVELS(arg, pass) tells how many levels a pass has on them, 0 when it does not apply. */
bool plan_next(struct plan *plan, const struct testcase *tc,
               uint32_t (*levels)(void *arg, uint32_t pass), void *arg, struct pass_run *run);

/* Did plan_next return false because passes that come last are next? The owner sets `end.last`. */
bool plan_is_at_last(const struct plan *plan);

/* Whether a pass that goes before early external ones has something to do, and has not run yet. */
bool plan_goes_first(const struct plan *plan, const struct testcase *tc,
                     uint32_t (*levels)(void *, uint32_t), void *arg);

/* What RUN gave: whether it changed the test case, where it was when its patience ended it (NULL:
 * it ran to its end). `stats` are the owner's business. */
void plan_report(struct plan *plan, const struct pass_run *run, bool changed,
                 const struct search_cursor *cut_short_at, uint32_t size);

/* All passes have another turn: these are other bytes, not what became of those so far. */
void plan_doubt(struct plan *plan);

/* All passes see more now. */
void plan_renew(struct plan *plan);

/* PASS sees more now than when it ran on these bytes: it is to run again. */
void plan_forget(struct plan *plan, uint32_t pass);

/* RUN has had so many answers, before which the test case had BEFORE bytes, AFTER now. Between its
 * rounds, and at its end. */
void plan_learn(struct plan *plan, const struct pass_run *run, uint32_t answers, uint32_t before,
                uint32_t after);

/* In the opening: is RUN, with NOW as the test case, still the one that is worth most? */
bool plan_is_best(const struct plan *plan, const struct pass_run *run, const struct testcase *now);

/* The sizes before and after RUN, ahead of plan_report. */
void plan_saved(struct plan *plan, const struct pass_run *run, uint32_t before, uint32_t after);

/* Have bytes been tried so often in vain that they are left alone, and has less than half gone
 * since then? */
bool plan_spares_bytes(const struct plan *plan, const struct testcase *tc);

/* What was verified on these bytes, as "token, item, ..." in BUF, from the passes that ended dry on
 * them; empty when nothing was. Returns BUF. */
const char *plan_certificate(const struct plan *plan, const struct testcase *tc, char *buf,
                             size_t size);
