/* What comes while no search is under way: the next run of the plan, external pass or pump. */

#include "base/err.h"
#include "base/mem.h"
#include "binary/forest.h"
#include "reduce/reducer_impl.h"

enum {
	LOOKAHEAD_MAX = 256u << 10, /* largest base that speculation analyses anew */
	EARLY_EVERY = 16,           /* questions between two turns of early external passes, twice
	                               as many after each that was in vain */
	EARLY_DOUBLINGS = 20,
};

/* A question to a program: ids are of their own for each list and each batch. */
static enum turn ask_program(struct reducer *r, const struct external_stage *s,
                             struct external_request request, struct ask *ask)
{
	r->n_searches += !request.instance || s->n_asked == 1;
	*ask = (struct ask){ .id = (uint64_t)r->n_searches << 32 | request.instance,
		             .candidate = testcase_ref(r->base->tc),
		             .is_request = true,
		             .request = request };
	r->n_open++;
	return TURN_ASK;
}

/* Is the batch that is asked for, or waited for, to be skipped? Then its answers are none. */
static bool skips_batch(struct reducer *r, const struct external_stage *s)
{
	enum { REQUESTS = 63, PUMPS = 62 }; /* bits that no number of rounds has */
	uint64_t moment = s->batches | (uint64_t)1 << REQUESTS | (uint64_t)s->pumps << PUMPS;
	if (!external_stage_asks(s) || !reducer_skips_at(r, moment))
		return false;
	r->n_open = 0; /* nothing else is, while no search is under way */
	r->n_searches++;
	return true;
}

static enum turn external_turn(struct reducer *r, struct ask *ask)
{
	struct external_request request;
	enum external_step step = external_stage_next(&r->external, r->base->tc, &request);
	if ((step == EXTERNAL_ASK || step == EXTERNAL_WAIT) && skips_batch(r, &r->external)) {
		external_stage_skip(&r->external);
		r->left_external = true;
		return TURN_TAKEN;
	}
	switch (step) {
	case EXTERNAL_ASK:
		return ask_program(r, &r->external, request, ask);
	case EXTERNAL_WAIT:
		return TURN_WAIT;
	case EXTERNAL_HUNT:
		break;
	case EXTERNAL_OVER:
		return TURN_TAKEN;
	}
	struct edit_sites *edit_sites = external_stage_places(&r->external, r->base);
	r->run = (struct pass_run){ .name = r->options.externals->passes[r->external.pass].name,
		                    .hunt = { .order = HUNT_SWEEP } };
	reducer_begin_search(r, hunt_new(edit_sites, &r->run.hunt));
	edit_sites_unref(edit_sites);
	return TURN_TAKEN;
}

static enum turn pump_turn(struct reducer *r, struct ask *ask, struct err *err)
{
	struct external_request request;
	enum external_step step = pump_step(r, &request, err);
	if ((step == EXTERNAL_ASK || step == EXTERNAL_WAIT) && skips_batch(r, &r->pump.external)) {
		pump_skip(r);
		return TURN_TAKEN;
	}
	switch (step) {
	case EXTERNAL_ASK:
		return ask_program(r, &r->pump.external, request, ask);
	case EXTERNAL_WAIT:
		return TURN_WAIT;
	default:
		return err->code ? TURN_FAILED : TURN_TAKEN;
	}
}

/* External passes and pumps that were skipped have their turn again; false: none were. */
static bool begin_what_was_left(struct reducer *r)
{
	bool any = r->left_external || r->left_pumps;
	if (r->left_external)
		r->external_on = (struct hash){ 0 };
	if (r->left_pumps)
		r->pump.tried_on = (struct hash){ 0 };
	r->left_external = r->left_pumps = false;
	return any;
}

/* It has come to nothing but what was packed, or is now. */
static enum turn end_excursion(struct reducer *r)
{
	bool kept = r->pump.kept;
	if (pump_pack(r))
		return TURN_TAKEN;
	pump_give_up(r);
	if (kept)
		reducer_find_records(r);
	return TURN_TAKEN;
}

/* The plan finds nothing more, for now or for good: what comes next? */
static enum turn when_dry(struct reducer *r)
{
	if (r->pump.away)
		return end_excursion(r);
	if (reducer_look_closer(r))
		return TURN_TAKEN;
	/* Definitions are expanded while each name has one role, so the pumps have a turn before
	   names are merged. */
	if (plan_is_at_last(&r->plan)) {
		r->plan.end.last = true;
		pump_begin(r);
		return TURN_TAKEN;
	}
	if (reducer_seek_records(r) && r->plan.thorough)
		return TURN_TAKEN;
	bool tried = hash_equal(r->external_on, r->base->tc->hash);
	r->external_on = r->base->tc->hash;
	if (!tried && r->options.externals)
		external_stage_begin(&r->external, false);
	else if (!r->plan.thorough && r->plan.end.certify != PLAN_CERTIFY_NONE)
		r->plan.thorough = true;
	else if (!pump_begin(r) && !begin_what_was_left(r) && !pump_pack(r))
		return TURN_DONE;
	return TURN_TAKEN;
}

/* Between runs of the plan: external passes that go before it, and behind the few questions of a
 * pass that sees more while they have taken out nothing. */
static bool begin_early(struct reducer *r)
{
	if (r->pump.active || reducer_steps(r) < r->early_next ||
	    !external_stage_has_early(&r->external, r->base->tc) ||
	    plan_goes_first(&r->plan, r->base->tc, reducer_levels, r))
		return false;
	r->early_next = reducer_steps(r) + ((uint64_t)EARLY_EVERY << r->early_vain);
	r->early_vain += r->early_vain < EARLY_DOUBLINGS;
	external_stage_begin(&r->external, true);
	return true;
}

/* That a tokenizer gives up on the original is an error, and nothing has changed then. What is made
 * of it may be more than a pattern can bear, too, but that is no reason to end. */
static void tell_giving_up(struct reducer *r)
{
	if (!r->base->gave_up || r->told || !r->observer.notice)
		return;
	MEM_SCOPED char *message =
		mem_printf("%s; from there on it is reduced byte by byte", r->base->gave_up);
	r->observer.notice(r->observer.arg, message);
	r->told = true;
}

/* What comes before the plan; of a large text it is its structure, and this when it is small. */
static bool begin_first(struct reducer *r)
{
	const struct testcase *tc = r->base->tc;
	r->has_begun = true;
	if (tc->is_tree || (r->base->grain && bytes_are_text(tc->bytes, tc->size)))
		return false;
	if (!r->options.spans && !r->is_clone)
		reducer_find_records(r);
	return pump_begin_first(r);
}

enum turn reducer_turn(struct reducer *r, struct ask *ask, struct err *err)
{
	bool costly = r->is_clone && !r->base->has_tree && r->base->tc->size > LOOKAHEAD_MAX;
	err->code = ERR_NONE;
	if (r->external.phase != EXTERNAL_IDLE)
		return external_turn(r, ask);
	if (costly)
		return TURN_WAIT;
	if (r->pump.active && !r->pump.away)
		return pump_turn(r, ask, err);
	if (r->pump.away && pump_is_tired(r))
		return end_excursion(r);
	if (pump_may_pack(r) && pump_pack(r))
		return TURN_TAKEN;
	if (!r->has_begun && !r->pump.active && begin_first(r))
		return TURN_TAKEN;
	r->err = err;
	bool early = begin_early(r);
	if (err->code)
		return TURN_FAILED;
	if (early)
		return TURN_TAKEN;
	bool runs = reducer_start_run(r, err);
	if (err->code)
		return TURN_FAILED;
	tell_giving_up(r);
	return runs ? TURN_TAKEN : when_dry(r);
}
