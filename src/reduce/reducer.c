#include "reduce/reducer.h"

#include "base/err.h"
#include "base/mem.h"
#include "base/work.h"
#include "binary/forest.h"
#include "search/within.h"
#include "reduce/reducer_impl.h"

/* What comes while no search is under way: the next run of the plan, external pass or pump. */

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

/* Binaries have no opening, nor has a tree, unless its files know each other's names. */
static bool opens(const struct testcase *tc, const struct tokenizers *tokenizers)
{
	bool shares = tokenizers && tokenizers_share_names(tokenizers);
	return !testcase_is_binary(tc) && (!tc->is_tree || shares);
}

struct reducer *reducer_new(struct testcase *tc, const struct tokenizer *tokenizer,
                            const struct reducer_options *options,
                            const struct reducer_observer *observer)
{
	struct reducer *r = mem_zero(1, sizeof *r);
	plan_init(&r->plan, &options->enabled, options->seed, tc->size,
	          opens(tc, options->tokenizers));
	r->plan.pauses = true;
	r->plan.end.certify = options->certify;
	r->options = *options;
	repeats_init(&r->repeats);
	external_stage_init(&r->external, options->externals);
	external_stage_init(&r->pump.external, options->externals);
	r->pump.external.pumps = true;
	if (observer)
		r->observer = *observer;
	r->base = reducer_view(r, tc, tokenizer);
	if (options->spans)
		r->base->spans = spans_ref(options->spans);
	r->current = testcase_ref(tc);
	return r;
}

struct reducer *reducer_clone(const struct reducer *from)
{
	struct reducer *r = mem_dup(from, sizeof *from);
	r->is_clone = true;
	r->observer = (struct reducer_observer){ 0 };
	r->log = (struct reducer_log){ 0 };
	r->sample = (struct reducer_sample){ 0 };
	repeats_copy(&r->repeats);
	r->asking = (struct arena){ 0 };
	view_ref(r->base);
	testcase_ref(r->current);
	if (r->again.before)
		testcase_ref(r->again.before);
	external_stage_copy(&r->external);
	pump_copy(&r->pump);
	if (r->search)
		r->search = search_clone(from->search);
	return r;
}

void reducer_leave(struct reducer *r)
{
	r->left = true;
}

void reducer_free(struct reducer *r)
{
	if (!r || r->left)
		return;
	search_free(r->search);
	arena_release(&r->asking);
	sample_drop(r);
	repeats_release(&r->repeats);
	external_stage_release(&r->external);
	pump_release(&r->pump);
	testcase_unref(r->again.before);
	testcase_unref(r->current);
	view_unref(r->base);
	free(r->log.list);
	free(r);
}

static void note_run(struct reducer *r, bool changed)
{
	if (!r->pump.asking && r->external.phase == EXTERNAL_HUNTING && r->external.early)
		r->early_vain = changed ? 0 : r->early_vain;
	if (!reducer_is_of_plan(r))
		return;
	plan_saved(&r->plan, &r->run, r->base->tc->size, r->current->size);
	r->run.again = r->search->again || pump_may_pack(r);
	plan_learn(&r->plan, &r->run, r->marks.mark_questions, r->marks.mark_size,
	           r->current->size);
	plan_report(&r->plan, &r->run, changed, r->stopping ? &r->search->cursor : NULL,
	            r->base->tc->size);
	if (r->skipped)
		opening_dry(&r->plan.opening, r->run.pass, r->run.level, r->base->tc->size);
}

/* What was accepted becomes the base. The former one, and the search that looks at it, go first:
 * the memory of a large tree is used again when nobody else holds it. */
static void move_base(struct reducer *r)
{
	const struct tokenizer *tokenizer = r->base->tokenizer;
	const struct records *known = r->base->records;
	struct edit edit = r->search->accepted;
	struct spans *spans = r->base->spans && !known ? spans_map(r->base->spans, edit) : NULL;
	if (known || pump_opens(r))
		testcase_flat(r->current);
	struct records *records = reducer_map_records(r, known, edit);
	struct view *from = records && within_has_layers(r->base) ? view_ref(r->base) : NULL;
	struct edit kept = from ? edit_keep(edit) : EDIT_NONE;
	if (!r->pump.asking) { /* pumps want to know where it was */
		search_free(r->search);
		r->search = NULL;
	}
	bool coarse = r->base->grain;
	view_unref(r->base);
	r->base = reducer_view(r, r->current, tokenizer);
	if (coarse && !r->base->grain) {
		plan_renew(&r->plan);
		r->has_begun = records;
	}
	r->base->is_lenient = true;
	if (spans)
		r->base->spans = spans_ref(spans);
	if (records)
		view_use_records(r->base, records);
	if (from)
		within_follow(from, r->base, kept);
	edit_drop(kept);
	view_unref(from);
	spans_unref(spans);
	records_unref(records);
}

/* Tells whose search it was. */
static void report_run(struct reducer *r, bool changed)
{
	bool skipped = r->skipped;
	r->skipped = false;
	if (r->pump.packs) {
		r->pump.packs = false;
	} else if (r->pump.asking) {
		pump_report(r, changed);
		if (skipped)
			pump_skip(r);
	} else if (r->external.phase == EXTERNAL_HUNTING && skipped) {
		external_stage_skip(&r->external);
		r->left_external = true;
	} else if (r->external.phase == EXTERNAL_HUNTING)
		external_stage_report(&r->external, r->base->tc, changed);
}

static void end_run(struct reducer *r)
{
	bool changed = r->current != r->base->tc;
	struct hash before = r->base->tc->hash;
	repeats_round(&r->repeats, r->is_clone);
	note_run(r, changed);
	if (r->observer.pass_ended)
		r->observer.pass_ended(r->observer.arg, r, &r->run);
	if (changed)
		move_base(r);
	if (changed && passes_table[r->run.pass].flags & PASS_LAST)
		pump_follow(r, before);
	report_run(r, changed);
	search_free(r->search);
	r->search = NULL;
}

static struct testcase *apply(const struct reducer *r, struct edit edit)
{
	return r->options.shares ? edit_apply_shared(r->base->tc, edit)
	                         : edit_apply(r->base->tc, edit);
}

/* A candidate for the question, or NULL when it is no simpler than what we have; a pump's may be
 * larger. */
static struct testcase *candidate_for(struct reducer *r, struct edit edit)
{
	struct testcase *tc = apply(r, edit);
	const struct testcase *now = r->pump.packs ? reducer_best(r) : r->current;
	if (r->pump.asking ? pump_admits(r, tc) : testcase_compare(tc, now) < 0)
		return tc;
	testcase_unref(tc);
	return NULL;
}

static struct recipe recipe_for(const struct reducer *r, const struct testcase *candidate,
                                struct edit edit)
{
	if (r->is_clone || candidate->size <= ORACLE_HOLDS)
		return (struct recipe){ 0 };
	return (struct recipe){ testcase_ref(r->base->tc), edit_keep(edit) };
}

/* What is the best one now is a step. */
static void tell_step(struct reducer *r)
{
	if (r->observer.accepted)
		r->observer.accepted(r->observer.arg, r, reducer_best(r), &r->run);
}

static void note_acceptance(struct reducer *r)
{
	if (r->search->n_accepted == r->marks.n_accepted)
		return;
	struct testcase *before = reducer_best(r);
	r->marks.n_accepted = r->search->n_accepted;
	struct testcase *now = apply(r, r->search->accepted);
	reducer_run_stats(r)->bytes += (int64_t)r->current->size - now->size;
	reducer_run_stats(r)->successes++;
	if (r->pump.active && testcase_compare(now, before) >= 0) {
		testcase_unref(r->current);
		r->current = now;
		return;
	}
	testcase_ref(before);
	if (r->pump.packs) {
		pump_keep(r, now);
	} else {
		testcase_unref(r->current);
		r->current = now;
		pump_pays(r);
	}
	r->counts.last_success = r->counts.questions;
	sample_drop(r);
	if (r->options.confirms) {
		again_confirm(r, before);
		return;
	}
	testcase_unref(before);
	tell_step(r);
}

static void ask_to_skip(struct reducer *r)
{
	if (!r->search->done && !r->stopping && reducer_skips_at(r, r->counts.rounds))
		r->stopping = r->skipped = true;
}

/* Does the run still pay? Asked between rounds only: in the middle of one it would depend on which
 * verdicts are in. */
static void judge_run(struct reducer *r)
{
	r->counts.rounds++;
	r->stopping |= (r->pump.away && pump_is_tired(r)) || pump_may_pack(r);
	if (r->plan.opening.on && reducer_is_of_plan(r)) {
		plan_learn(&r->plan, &r->run, r->marks.mark_questions, r->marks.mark_size,
		           r->current->size);
		r->marks.mark_questions = 0;
		r->marks.mark_size = r->current->size;
		r->stopping |=
			!r->search->goes_well && !plan_is_best(&r->plan, &r->run, r->current);
		return;
	}
	struct pass_patience patience = r->run.patience;
	if (!patience.questions || r->marks.mark_questions < patience.questions ||
	    r->search->goes_well)
		return;
	if (r->marks.mark_size - r->current->size <= r->marks.mark_size / patience.pays)
		r->stopping = r->run.tired = true;
	r->marks.mark_size = r->current->size;
	r->marks.mark_questions = 0;
}

/* Has there been no success for too long? Asked between rounds only, as well. */
static void judge_patience(struct reducer *r)
{
	uint64_t idle = r->options.stop_after;
	uint64_t since =
		r->counts.last_success > r->counts.known ? r->counts.last_success : r->counts.known;
	r->counts.is_idle |= r->counts.is_new && idle && r->counts.questions >= since + idle;
}

/* Between two questions, or rounds. */
static void go_on(struct reducer *r)
{
	if (r->search->n_rounds != r->marks.n_rounds) {
		repeats_round(&r->repeats, r->is_clone);
		judge_run(r);
		ask_to_skip(r);
		judge_patience(r);
		again_look(r);
	}
	if (r->search->cursor.at > r->marks.run_farthest)
		r->marks.run_farthest = r->search->cursor.at;
	r->marks.n_rounds = r->search->n_rounds;
}

static void learn(struct reducer *r, uint32_t question, bool interesting)
{
	search_tell(r->search, question, interesting);
	note_acceptance(r);
	if (!r->again.before)
		go_on(r);
}

/* What came of the search's next question: it is to be asked, it needed no test, or the search
 * waits for answers. */
enum asked { ASKED_ONE, ASKED_NOTHING, ASKED_WAIT };

/* Need the question ID not be asked? */
static bool is_saved(struct reducer *r, uint64_t id, const struct testcase *tc)
{
	bool waits;
	enum verdict known = repeats_ask(&r->repeats, id, tc->hash, &waits);
	if (known == VERDICT_UNKNOWN && !waits)
		return false;
	r->repeats.n_saved++;
	r->marks.mark_questions++;
	if (known != VERDICT_UNKNOWN)
		learn(r, (uint32_t)id, known == VERDICT_INTERESTING);
	return true;
}

static enum asked ask_next(struct reducer *r, struct ask *ask)
{
	struct question q;
	arena_release(&r->asking);
	if (!search_next(r->search, &r->asking, &q))
		return ASKED_WAIT;
	struct testcase *tc = candidate_for(r, q.edit);
	uint64_t id = (uint64_t)r->n_searches << 32 | q.id;
	bool asks = tc && !is_saved(r, id, tc);
	if (asks)
		*ask = (struct ask){ .id = id,
			             .chance = q.chance,
			             .candidate = tc,
			             .made = { r->base->tc->hash, q.edit },
			             .recipe = recipe_for(r, tc, q.edit) };
	if (!tc)
		learn(r, q.id, false);
	else if (!asks)
		testcase_unref(tc);
	return asks ? ASKED_ONE : ASKED_NOTHING;
}

static enum reducer_state next(struct reducer *r, struct ask *ask, struct err *err)
{
	for (;;) {
		if (again_confirms(r, ask))
			return ask->candidate ? REDUCER_ASK : REDUCER_WAIT;
		if (reducer_why(r) != REDUCER_FIXPOINT)
			return r->n_open ? REDUCER_WAIT : REDUCER_DONE;
		if (r->again.due) {
			again_ask(r, ask);
			return REDUCER_ASK;
		}
		if (r->again.open)
			return REDUCER_WAIT;
		if (!r->search) {
			enum turn turn = reducer_turn(r, ask, err);
			if (turn == TURN_DONE && !r->again.at_end) {
				again_end(r);
				continue;
			}
			if (turn != TURN_TAKEN)
				return (enum reducer_state)turn;
			continue;
		}
		if (r->search->done || r->stopping) {
			end_run(r);
			continue;
		}
		enum asked asked = ask_next(r, ask);
		if (asked == ASKED_WAIT)
			return REDUCER_WAIT;
		if (asked == ASKED_NOTHING)
			continue;
		r->n_open++;
		r->counts.asked++;
		reducer_log_question(r, ask);
		sample_take(r, ask);
		return REDUCER_ASK;
	}
}

enum reducer_state reducer_next(struct reducer *r, struct ask *ask, struct err *err)
{
	bool before = work_allow(true);
	enum reducer_state state = next(r, ask, err);
	work_allow(before);
	return state;
}

static void tell(struct reducer *r, uint64_t id, enum verdict verdict, uint64_t limit_ns)
{
	if (again_is(id)) {
		if (again_tell(r, id)) {
			tell_step(r);
			go_on(r);
		}
		return;
	}
	if (id >> 32 != r->n_searches)
		bug("verdict for a question of another run");
	reducer_log_answer(r, id, verdict, limit_ns);
	uint64_t key = repeats_tell(&r->repeats, id, verdict), other;
	r->n_open--;
	r->counts.questions++;
	r->marks.mark_questions++;
	reducer_run_stats(r)->questions++;
	learn(r, (uint32_t)id, verdict == VERDICT_INTERESTING);
	while (repeats_next(&r->repeats, key, verdict, &other))
		learn(r, (uint32_t)other, verdict == VERDICT_INTERESTING);
}

void reducer_tell(struct reducer *r, uint64_t id, enum verdict verdict, uint64_t limit_ns)
{
	bool before = work_allow(true);
	tell(r, id, verdict, limit_ns);
	work_allow(before);
}

void reducer_give(struct reducer *r, uint64_t id, struct external_result *result)
{
	if (id >> 32 != r->n_searches) /* that was skipped */
		return;
	bool pass = r->external.phase != EXTERNAL_IDLE, before = work_allow(true);
	r->n_open--;
	external_stage_give(pass ? &r->external : &r->pump.external, (uint32_t)id, result);
	work_allow(before);
}
