/* Pumps: steps that may make the test case larger, and what is done with them. */

#include "base/err.h"
#include "edits/strategies.h"
#include "reduce/reducer_impl.h"

enum {
	EXCURSION = 100, /* questions of an excursion, or one part in EXCURSION_SHARE of those asked
	                    before if that is more */
	EXCURSION_SHARE = 50,
	FRUITLESS = 150, /* questions of pumps without a gain, or one part in FRUITLESS_SHARE of
	                    those asked before */
	FRUITLESS_SHARE = 8,
	UNPACKED = 4000,   /* questions of an excursion after what is packed was unpacked */
	PACKS = 4,         /* one part in so many of what is open gone: it is packed */
	GROWS_LEAST = 256, /* a pump may double the test case, or add so many bytes */
};

/* Sources are rows of the table of passes; behind them stand the external pumps. */
static uint32_t next_source(const struct reducer *r, uint32_t row)
{
	while (row < passes_n_rows && !passes_has(&r->options.enabled, row))
		row++;
	return row;
}

/* Is it the source, or the excursion, of what comes first? */
static bool is_opening(const struct reducer *r)
{
	uint32_t source = r->pump.source;
	return source < passes_n_rows && passes_table[source].flags & PASS_FIRST;
}

/* Is it the turn of a pump that may come first? */
bool pump_opens(const struct reducer *r)
{
	return r->pump.asking && is_opening(r);
}

static uint64_t at_least(uint64_t least, uint64_t n)
{
	return n > least ? n : least;
}

static void begin(struct reducer *r, uint32_t source, bool first)
{
	struct pump_stage *p = &r->pump;
	p->active = true;
	p->first = first;
	p->source = source;
	p->began = reducer_steps(r);
	p->home = view_ref(r->base);
	external_stage_begin(&p->external, false);
}

bool pump_begin(struct reducer *r)
{
	struct pump_stage *p = &r->pump;
	if (hash_equal(p->tried_on, r->base->tc->hash))
		return false;
	begin(r, next_source(r, passes_n), false);
	return true;
}

/* The pump that comes first; passes_n_rows: there is none. */
static uint32_t first_source(const struct reducer *r)
{
	uint32_t row = next_source(r, passes_n);
	while (row < passes_n_rows && !(passes_table[row].flags & PASS_FIRST))
		row = next_source(r, row + 1);
	return row;
}

bool pump_begin_first(struct reducer *r)
{
	uint32_t row = first_source(r);
	if (row == passes_n_rows)
		return false;
	begin(r, row, true);
	return true;
}

/* The pumps' turn is over. */
static void leave(struct reducer *r)
{
	struct pump_stage *p = &r->pump;
	edit_sites_unref(p->edit_sites);
	view_unref(p->home);
	p->edit_sites = NULL;
	p->home = NULL;
	p->active = p->away = p->kept = false;
	p->external.phase = EXTERNAL_IDLE;
}

static bool open_places(struct reducer *r, struct edit_sites *edit_sites)
{
	r->pump.edit_sites = edit_sites;
	r->pump.next = (struct first_cursor){ 0 };
	return true;
}

/* Were there questions enough for nothing? */
static bool is_spent(const struct reducer *r)
{
	const struct pump_stage *p = &r->pump;
	if (p->first) /* one source, and it has begun */
		return p->source == passes_n_rows;
	return reducer_steps(r) - p->began >= at_least(FRUITLESS, p->began / FRUITLESS_SHARE);
}

enum external_step pump_step(struct reducer *r, struct external_request *request, struct err *err)
{
	struct pump_stage *p = &r->pump;
	bool in_house = p->source < passes_n_rows, spent = is_spent(r);
	enum external_step step = EXTERNAL_HUNT;
	if (!p->edit_sites && in_house && !spent) {
		if (passes_table[p->source].strategy->needs && view_need_tree(r->base, err) < 0)
			return EXTERNAL_OVER;
		open_places(r, edit_sites_new(passes_table[p->source].strategy, r->base, 0,
		                              &r->options.strategy));
	} else if (!p->edit_sites && !spent) {
		step = r->options.externals
		               ? external_stage_next(&p->external, r->base->tc, request)
		               : EXTERNAL_OVER;
		if (step == EXTERNAL_HUNT)
			open_places(r, external_stage_places(&p->external, r->base));
	}
	if (spent || step == EXTERNAL_OVER) {
		if (!p->first)
			p->tried_on = r->base->tc->hash;
		leave(r);
		return EXTERNAL_OVER;
	}
	if (step != EXTERNAL_HUNT)
		return step;
	r->run = (struct pass_run){ .name = in_house ? passes_table[p->source].name : "pump" };
	if (!in_house)
		r->run.name = r->options.externals->passes[p->external.pass].name;
	p->asking = true;
	reducer_begin_search(r, first_new(p->edit_sites, p->next));
	return EXTERNAL_HUNT;
}

bool pump_admits(const struct reducer *r, const struct testcase *candidate)
{
	uint64_t size = r->base->tc->size;
	if (pump_opens(r))
		return true;
	return !hash_equal(candidate->hash, r->base->tc->hash) &&
	       candidate->size <= size + at_least(GROWS_LEAST, size);
}

/* The plan as it is on bytes that it has not seen. On an excursion it does not stop for pumps. */
static void start_over(struct plan *plan, uint32_t size, bool away)
{
	if (away)
		plan_doubt(plan);
	plan->thorough = false;
	plan->end.last = away;
	plan->pass = plan->level = 0;
	plan->turns.dry = true;
	plan->tier_start_size = size;
}

/* The least size at which what is packed of SIZE bytes is not yet packed again. Below it there are
 * fewer bytes, however few: each time that it is packed, it is for something. */
static uint32_t packs_below(uint32_t size)
{
	uint32_t less = size / PACKS;
	return size - (less ? less - 1 : 0);
}

void pump_report(struct reducer *r, bool changed)
{
	struct pump_stage *p = &r->pump;
	bool opened = pump_opens(r);
	p->asking = false;
	if (opened && changed) {
		p->opened = true;
		p->pack_below = packs_below(r->base->tc->size);
	}
	if (!p->active) { /* it paid at once */
		start_over(&r->plan, r->base->tc->size, false);
		return;
	}
	p->next = first_cursor(r->search);
	if (changed) {
		p->away = true;
		p->left = reducer_steps(r);
		p->plan = r->plan;
		start_over(&r->plan, r->base->tc->size, true);
		if (opened) /* what was packed is new to all passes */
			memset(r->plan.ran, 0, sizeof r->plan.ran);
		return;
	}
	edit_sites_unref(p->edit_sites);
	p->edit_sites = NULL;
	if (p->first)
		p->source = passes_n_rows;
	else if (p->source < passes_n_rows)
		p->source = next_source(r, p->source + 1);
	else
		external_stage_report(&p->external, r->base->tc, false);
}

bool pump_is_tired(const struct reducer *r)
{
	const struct pump_stage *p = &r->pump;
	return reducer_steps(r) - p->left >=
	       at_least(is_opening(r) ? UNPACKED : EXCURSION, p->began / EXCURSION_SHARE);
}

void pump_pays(struct reducer *r)
{
	if (r->pump.away)
		r->plan.end.last = false;
	if (r->pump.active)
		leave(r);
}

bool pump_may_pack(const struct reducer *r)
{
	const struct pump_stage *p = &r->pump;
	return p->opened && r->current->size < p->pack_below &&
	       (!p->active || (p->away && is_opening(r)));
}

bool pump_pack(struct reducer *r)
{
	struct pump_stage *p = &r->pump;
	p->pack_below = packs_below(r->current->size);
	struct hash now = r->base->tc->hash;
	uint32_t row = first_source(r);
	if (row == passes_n_rows || hash_equal(p->packed_on, now))
		return false;
	struct edit_sites *sites = edit_sites_new(&strategy_pack, r->base, 0, &r->options.strategy);
	p->packs = sites->n > 0;
	if (p->packs) {
		p->packed_on = now;
		r->run = (struct pass_run){ .name = passes_table[row].name };
		reducer_begin_search(r, first_new(sites, (struct first_cursor){ 0 }));
	}
	edit_sites_unref(sites);
	return p->packs;
}

void pump_keep(struct reducer *r, struct testcase *packed)
{
	struct pump_stage *p = &r->pump;
	leave(r);
	begin(r, first_source(r), true);
	view_unref(p->home);
	p->home = reducer_view(r, packed, r->base->tokenizer);
	testcase_unref(packed);
	p->away = p->kept = r->plan.end.last = true;
	p->left = reducer_steps(r);
}

int64_t pump_way_back(const struct reducer *r)
{
	return (int64_t)r->current->size - r->pump.home->tc->size;
}

void pump_skip(struct reducer *r)
{
	if (r->pump.active && !r->pump.away)
		leave(r);
	r->left_pumps = true;
}

void pump_give_up(struct reducer *r)
{
	struct pump_stage *p = &r->pump;
	p->stats.bytes += pump_way_back(r);
	view_unref(r->base);
	r->base = view_ref(p->home);
	testcase_unref(r->current);
	r->current = testcase_ref(r->base->tc);
	p->opened = false;
	if (p->kept) { /* the plan as it was there knows nothing of it; it is opened again */
		leave(r);
		start_over(&r->plan, r->base->tc->size, false);
		pump_begin_first(r);
		return;
	}
	memcpy(p->plan.stats, r->plan.stats, sizeof p->plan.stats);
	p->plan.n_runs = r->plan.n_runs;
	r->plan = p->plan;
	p->away = false;
}

void pump_follow(struct reducer *r, struct hash from)
{
	if (hash_equal(r->pump.tried_on, from))
		r->pump.tried_on = r->base->tc->hash;
}

void pump_copy(struct pump_stage *p)
{
	if (p->edit_sites)
		edit_sites_ref(p->edit_sites);
	if (p->home)
		view_ref(p->home);
	external_stage_copy(&p->external);
}

void pump_release(struct pump_stage *p)
{
	edit_sites_unref(p->edit_sites);
	view_unref(p->home);
	external_stage_release(&p->external);
}
