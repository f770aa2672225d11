#include "reduce/plan.h"

#include <stdio.h>

#include "base/mem.h"
#include "base/rng.h"

enum {
	PROBATION = 64, /* questions: a run on probation must save something within so many ... */
	PROBATION_PAYS = 100, /* ... more than one part in so many */
	RERUN_BLOCK = 1,      /* first block of a pass that has run before */
	DETAILS = 2,          /* first tier that goes through what is left place by place */
	WAIT = 1,      /* first tier with passes that wait until those that have won win no more */
	BELIEVED = 50, /* percent of what a pass has gone through: it is believed on more */
	SPARED = 50,   /* percent of the size at which bytes were given up: they are spared above */
	FEW = 256, /* bytes: all is asked for the last time of a pass that seldom finds anything */
	RARE = 16, /* steps of a pass that seldom finds anything, and has not yet */
	RUN_COSTS = 1,      /* answers: that a run is chosen is never for nothing */
	OPENING_STAYS = 2,  /* a run goes on until another one is worth so many times as much */
	OPENING_WINDOW = 8, /* candidates in a round of edits that are not blocks */
	BYTES = 1024,       /* so many are tried one by one, whatever else was asked */
	PAYS = 50, /* a tier pays when it saved more than one part in so many; a round likewise */
};

const char *const plan_certify_words[] = { "auto", "full", "token", "none", NULL };

bool plan_certify_parse(const char *word, enum plan_certify *certify)
{
	int i = word ? mem_place_of(plan_certify_words, word) : 0;
	*certify = i < 0 ? PLAN_CERTIFY_AUTO : (enum plan_certify)i;
	return i >= 0;
}

void plan_init(struct plan *plan, const struct pass_set *enabled, uint64_t seed, uint32_t size,
               bool opens)
{
	*plan = (struct plan){ .enabled = *enabled,
		               .seed = seed,
		               .tier_start_size = size,
		               .end.round_start_size = size,
		               .turns.dry = true,
		               .all = true };
	opening_init(&plan->opening, size, opens);
}

/* A pass that changed something in this round has not ended dry on its own result, so there is
 * no fixpoint while passes wait. */
static bool waits(const struct plan *plan, uint32_t pass)
{
	const struct pass *def = &passes_table[pass];
	bool patient = def->tier >= WAIT || def->flags & PASS_WAITS;
	return patient && !plan->all && plan->ran[pass] && !plan->won[pass];
}

static bool is_dry(const struct plan *plan, uint32_t pass, struct hash now)
{
	return hash_equal(plan->dry[pass], now);
}

bool plan_spares_bytes(const struct plan *plan, const struct testcase *tc)
{
	return plan->end.spent && (uint64_t)tc->size * 100 > (uint64_t)plan->end.spent * SPARED;
}

/* Is not verified: its last word is not asked for. */
static bool is_left_out(const struct plan *plan, uint32_t pass, const struct testcase *tc)
{
	const struct pass *def = &passes_table[pass];
	if (!plan->thorough)
		return false;
	bool small = def->flags & PASS_CERTIFIES_SMALL,
	     token = plan->end.certify == PLAN_CERTIFY_TOKEN;
	return (small && plan_spares_bytes(plan, tc)) || (token && (small || !def->unit));
}

/* Bytes are the smallest unit and by far the most. */
static struct pass_patience patience_with_bytes(const struct plan *plan)
{
	uint64_t asked = 0;
	for (uint32_t i = 0; i < passes_n; i++)
		asked += i == plan->pass ? 0 : plan->stats[i].questions;
	asked = asked < BYTES ? BYTES : asked;
	return (struct pass_patience){ asked < UINT32_MAX ? (uint32_t)asked : UINT32_MAX,
		                       UINT32_MAX };
}

/* Has it neither a unit nor found anything? Then it has no more patience for its last word than on
 * probation: of what cannot be made smaller, there may be thousands of places. */
static bool is_brief(const struct plan *plan, uint32_t pass)
{
	return !passes_table[pass].unit && !plan->won[pass];
}

/* Has it gone through all of its places on hardly more than this? Nothing is left out for that when
 * all is asked for the last time. */
static bool is_believed(const struct plan *plan, uint32_t pass, uint32_t size)
{
	return !plan->thorough && plan->turns.on[pass] &&
	       (uint64_t)size * 100 > (uint64_t)plan->turns.on[pass] * BELIEVED;
}

static bool may_skip(const struct plan *plan, uint32_t pass, const struct testcase *tc)
{
	bool sample = passes_table[pass].max_steps != 0;
	return !passes_has(&plan->enabled, pass) || is_dry(plan, pass, tc->hash) ||
	       (sample && plan->thorough) || is_left_out(plan, pass, tc) || waits(plan, pass) ||
	       is_believed(plan, pass, tc->size) ||
	       (!plan->opening.on && passes_table[pass].flags & PASS_WHOLE);
}

static bool pays(uint32_t before, uint32_t after)
{
	return before - after > before / PAYS;
}

/* Nothing is to be verified, and all passes together do not pay any more. */
static bool is_enough(struct plan *plan, const struct testcase *tc)
{
	uint32_t before = plan->end.round_start_size;
	plan->end.round_start_size = tc->size;
	if (plan->end.certify != PLAN_CERTIFY_NONE || before < tc->size || pays(before, tc->size))
		return false;
	plan->end.enough_on = tc->hash;
	return true;
}

/* Begins with the first pass again. */
static void begin_again(struct plan *plan)
{
	plan->pass = 0;
	plan->all = !plan->changed;
	plan->changed = false;
}

/* Goes to the first pass of the next tier to run; false when nothing is left on these bytes. */
static bool next_tier(struct plan *plan, uint32_t tier, const struct testcase *tc)
{
	bool paid = plan->tier_start_size > tc->size && (pays(plan->tier_start_size, tc->size) ||
	                                                 tier == passes_table[passes_n - 1].tier);
	plan->tier_start_size = tc->size;
	if (paid) {
		begin_again(plan);
		return true;
	}
	if (plan->pass < passes_n)
		return true;
	bool had_all = plan->all;
	begin_again(plan);
	if (is_enough(plan, tc))
		return false;
	if (!had_all)
		return true;
	bool all_dry = true;
	for (uint32_t i = 0; i < passes_n && all_dry; i++)
		all_dry = may_skip(plan, i, tc) || (passes_table[i].max_steps && plan->thorough);
	if ((all_dry && plan->thorough) || (plan->pauses && !plan->thorough))
		return false;
	plan->thorough = true;
	return true;
}

/* LEVELS: how many the pass has. */
static void begin_run(struct plan *plan, uint32_t levels, uint32_t size, struct pass_run *run)
{
	const struct pass *def = &passes_table[plan->pass];
	struct rng rng = { plan->seed + ++plan->n_runs };
	*run = (struct pass_run){
		.pass = plan->pass,
		.level = plan->level,
		.last = plan->level + 1 == levels,
		.name = def->name,
		.hunt = { .order = def->order,
		          .max_steps = def->max_steps,
		          .seed = rng_next(&rng),
		          .first_block = plan->ran[plan->pass] ? RERUN_BLOCK : 0 },
	};
	bool few = plan->thorough && size <= FEW;
	if (def->flags & PASS_RARE && run->last && !few &&
	    !(plan->won[plan->pass] & PLAN_WON_LAST)) {
		run->hunt.order = HUNT_CHAOS;
		run->hunt.max_steps = RARE;
	}
	if (def->flags & PASS_SINGLES)
		run->hunt.first_block = 1;
	if (!plan->thorough || is_brief(plan, plan->pass))
		run->patience = (struct pass_patience){ PROBATION, PROBATION_PAYS };
	else if (def->flags & PASS_CERTIFIES_SMALL && plan->end.certify == PLAN_CERTIFY_AUTO)
		run->patience = patience_with_bytes(plan);
	if (!plan->thorough && plan->level < PLAN_CURSORS)
		run->hunt.cursor = plan->resume[plan->pass].cursors[plan->level];
}

static void leave_pass(struct plan *plan, uint32_t size)
{
	bool most = (uint64_t)size * 100 > (uint64_t)plan->turns.began * BELIEVED;
	if (plan->level && plan->turns.all && most)
		plan->turns.on[plan->pass] = size;
	plan->ran[plan->pass] = true;
	plan->pass++;
}

/* The current pass begins where its last visit was ended. */
static void enter_pass(struct plan *plan, uint32_t (*levels)(void *, uint32_t), void *arg,
                       uint32_t size)
{
	uint32_t *first = &plan->resume[plan->pass].level;
	if (plan->thorough || (*first && *first >= levels(arg, plan->pass)))
		*first = 0;
	plan->level = *first;
	plan->turns.dry = !plan->level;
	plan->turns.all = true;
	plan->turns.began = size;
	plan->leave = false;
}

bool plan_is_at_last(const struct plan *plan)
{
	return plan->pauses && !plan->end.last && passes_table[plan->pass].flags & PASS_LAST;
}

bool plan_goes_first(const struct plan *plan, const struct testcase *tc,
                     uint32_t (*levels)(void *, uint32_t), void *arg)
{
	bool first = false;
	for (uint32_t i = plan->pass; i < passes_n && !first; i++)
		first = passes_table[i].flags & PASS_BEFORE_EARLY && !may_skip(plan, i, tc) &&
		        !plan->ran[i] && (plan->pass == i ? plan->level : 0) < levels(arg, i);
	return first;
}

bool plan_is_best(const struct plan *plan, const struct pass_run *run, const struct testcase *now)
{
	uint64_t own = opening_worth(&plan->opening, run->pass, run->level);
	uint32_t row, level;
	return opening_best(&plan->opening, &plan->enabled, now, &row, &level) &&
	       own * OPENING_STAYS >= opening_worth(&plan->opening, row, level);
}

void plan_learn(struct plan *plan, const struct pass_run *run, uint32_t answers, uint32_t before,
                uint32_t after)
{
	if (plan->opening.on)
		opening_learn(&plan->opening, run->pass, run->level, answers, before, after);
}

/* The next run of the opening; false: it is over. */
static bool open_next(struct plan *plan, const struct testcase *tc,
                      uint32_t (*levels)(void *, uint32_t), void *arg, struct pass_run *run)
{
	while (opening_best(&plan->opening, &plan->enabled, tc, &plan->pass, &plan->level)) {
		uint32_t n = levels(arg, plan->pass);
		if (opening_count(&plan->opening, plan->pass, n, tc->size))
			continue;
		begin_run(plan, n, tc->size, run);
		if (passes_table[plan->pass].order != HUNT_BLOCKS)
			run->hunt.window = OPENING_WINDOW;
		return true;
	}
	plan->opening.on = false;
	plan->pass = plan->level = 0;
	memset(plan->resume, 0, sizeof plan->resume);
	plan->tier_start_size = plan->end.round_start_size = tc->size;
	plan->all = true;
	plan->changed = false;
	return false;
}

/* A run of the opening has ended. */
static void open_report(struct plan *plan, const struct pass_run *run, bool changed, bool cut_short,
                        uint32_t size)
{
	plan->ran[run->pass] |= run->last && !cut_short;
	opening_learn(&plan->opening, run->pass, run->level, RUN_COSTS, size, size);
	if (!changed && !cut_short && !run->hunt.cursor.at)
		opening_dry(&plan->opening, run->pass, run->level, size);
}

bool plan_next(struct plan *plan, const struct testcase *tc, uint32_t (*levels)(void *, uint32_t),
               void *arg, struct pass_run *run)
{
	if (hash_equal(plan->end.enough_on, tc->hash))
		return false;
	if (plan->opening.on && open_next(plan, tc, levels, arg, run))
		return true;
	for (;;) {
		uint8_t tier = passes_table[plan->pass].tier;
		uint32_t n =
			plan->leave || may_skip(plan, plan->pass, tc) ? 0 : levels(arg, plan->pass);
		if (plan->level < n) {
			if (plan_is_at_last(plan))
				return false;
			begin_run(plan, n, tc->size, run);
			return true;
		}
		if (plan->level && plan->turns.dry)
			plan->dry[plan->pass] = tc->hash;
		else if (plan->thorough && !plan->level && !plan->leave &&
		         !may_skip(plan, plan->pass, tc))
			plan->dry[plan->pass] =
				tc->hash; /* there is nothing of its kind here; earlier it
			             may only have been too soon to look */
		leave_pass(plan, tc->size);
		bool tier_ends = plan->pass == passes_n || passes_table[plan->pass].tier != tier;
		if (tier_ends && !next_tier(plan, tier, tc))
			return false;
		enter_pass(plan, levels, arg, tc->size);
	}
}

/* Whether RUN says all that its pass has to say. Of a pass of details that has never found anything
 * so does one that was ended early. */
static bool is_all(const struct plan *plan, const struct pass_run *run, bool changed,
                   bool cut_short)
{
	bool details = passes_table[run->pass].tier >= DETAILS;
	return !cut_short || (details && !changed && !plan->won[run->pass]);
}

void plan_report(struct plan *plan, const struct pass_run *run, bool changed,
                 const struct search_cursor *cut_short_at, uint32_t size)
{
	bool last_word = plan->thorough && is_brief(plan, run->pass);
	if (changed || (cut_short_at && !last_word) || run->hunt.cursor.at)
		plan->turns.dry = false;
	plan->turns.all &= is_all(plan, run, changed, cut_short_at);
	if (changed) {
		plan->changed = true;
		plan->won[run->pass] |= PLAN_WON | (run->last && plan->saved ? PLAN_WON_LAST : 0);
		plan->turns.on[run->pass] = 0;
		plan->thorough &= plan->end.certify <= PLAN_CERTIFY_FULL;
	}
	if (plan->thorough && run->tired && passes_table[run->pass].flags & PASS_CERTIFIES_SMALL)
		plan->end.spent = size;
	if (run->level < PLAN_CURSORS)
		plan->resume[run->pass].cursors[run->level] =
			cut_short_at ? *cut_short_at : (struct search_cursor){ 0 };
	if (plan->opening.on) {
		open_report(plan, run, changed, cut_short_at, size);
		return;
	}
	if (run->again) {
		plan->ran[run->pass] = false;
		return;
	}
	plan->level++;
	plan->resume[run->pass].level = cut_short_at ? plan->level : 0;
	plan->leave = cut_short_at && !(passes_table[run->pass].flags & PASS_KINDS);
}

void plan_doubt(struct plan *plan)
{
	memset(plan->turns.on, 0, sizeof plan->turns.on);
}

void plan_forget(struct plan *plan, uint32_t pass)
{
	plan->dry[pass] = (struct hash){ 0 };
	plan->turns.on[pass] = 0;
	plan->resume[pass] = (struct plan_resume){ 0 };
	plan->opening.rows[pass] = (struct opening_row){ 0 };
}

void plan_renew(struct plan *plan)
{
	memset(plan->dry, 0, sizeof plan->dry);
	memset(plan->ran, 0, sizeof plan->ran);
	memset(plan->resume, 0, sizeof plan->resume);
	plan_doubt(plan);
	begin_again(plan);
	plan->all = true;
	opening_renew(&plan->opening);
}

void plan_saved(struct plan *plan, const struct pass_run *run, uint32_t before, uint32_t after)
{
	uint8_t tier = passes_table[run->pass].tier, last = passes_table[passes_n - 1].tier;
	plan->saved = after < before;
	for (uint32_t i = 0; i < passes_n && tier == last && before; i++)
		if (passes_table[i].tier < last)
			plan->turns.on[i] =
				(uint32_t)((uint64_t)plan->turns.on[i] * after / before);
}

const char *plan_certificate(const struct plan *plan, const struct testcase *tc, char *buf,
                             size_t size)
{
	size_t len = 0;
	*buf = '\0';
	for (uint32_t i = 0; i < passes_n; i++) {
		const char *unit = passes_table[i].unit;
		bool known = unit && passes_has(&plan->enabled, i) && is_dry(plan, i, tc->hash);
		/* Of large test cases bytes are cut several at a time (strat_text.c). */
		if (!known || (passes_table[i].flags & PASS_CERTIFIES_SMALL &&
		               tc->size >= STRATEGY_BYTES_MAX))
			continue;
		int n = snprintf(buf + len, size - len, "%s%s", len ? ", " : "", unit);
		if (n < 0 || (size_t)n >= size - len)
			break;
		len += (size_t)n;
	}
	return buf;
}
