#include "reduce/driver.h"

#include <stdlib.h>
#include <string.h>

#include "base/err.h"
#include "base/mem.h"
#include "reduce/driver_impl.h"

enum {
	ASKED_AT_ONCE = 64, /* questions answered from the table between two calls of should_stop */
};

struct flight *driver_flight(struct driver *d, struct hash hash)
{
	for (uint32_t i = 0; i < d->n_flights; i++)
		if (hash_equal(d->flights[i].hash, hash))
			return &d->flights[i];
	return NULL;
}

void driver_tell(struct driver *d, uint64_t ask, struct hash hash, enum verdict v)
{
	if (verdicts_use(d->verdicts, hash))
		reducer_counts_test(d->reducer, ask);
	bool interesting = v == VERDICT_INTERESTING;
	ahead_confirm(&d->ahead, hash, interesting);
	reducer_tell(d->reducer, ask, v, d->options.limits.wall_ns);
}

/* The reducer learns what a program answered. Predicted was that it has nothing to offer. */
static void give_reducer(struct driver *d, uint64_t ask, struct hash key,
                         struct external_result *result)
{
	ahead_confirm(&d->ahead, key, result->n || result->instances);
	reducer_give(d->reducer, ask, result);
}

struct hash driver_key(const struct driver *d, const struct ask *ask)
{
	return ask->is_request ? external_key(d->options.host, ask->request, ask->candidate)
	       : ask->is_again ? ask->key
	                       : ask->candidate->hash;
}

void driver_drop_ask(struct ask *ask)
{
	testcase_unref(ask->candidate);
	recipe_release(&ask->recipe);
}

void driver_land(struct driver *d, struct flight *from)
{
	recipe_release(&from->recipe);
	*from = d->flights[--d->n_flights];
}

/* For the oracle: a worker died, and its question with it. A speculative question is not asked
 * again, since nobody waits for it. */
static struct testcase *again(void *arg, uint64_t ticket)
{
	struct driver *d = arg;
	for (uint32_t i = 0; i < d->n_flights; i++)
		if (d->flights[i].ticket == ticket) {
			struct testcase *tc = recipe_follow(&d->flights[i].recipe);
			if (!tc)
				driver_land(d, &d->flights[i]);
			return tc;
		}
	return NULL;
}

static int submit_test(struct driver *d, const struct ask *ask, uint64_t ticket)
{
	const struct oracle_request rq = { .ticket = ticket,
		                           .tc = ask->candidate,
		                           .made = &ask->made,
		                           .anew = ask->is_again,
		                           .lasting = ask->lasting,
		                           .claims = d->options.claims,
		                           .limits = d->options.limits,
		                           .again = again,
		                           .again_arg = d };
	return oracle_submit(d->oracle, &rq, d->err);
}

int driver_submit(struct driver *d, struct ask *ask, bool real)
{
	uint64_t ticket = ++d->tickets;
	int rc = ask->is_request ? external_host_start(d->options.host, d->oracle, ask->request,
	                                               ask->candidate, ticket, d->err)
	                         : submit_test(d, ask, ticket);
	if (rc < 0)
		return -1;
	MEM_GROW(d->flights, d->n_flights, d->cap_flights);
	d->flights[d->n_flights++] = (struct flight){ .ticket = ticket,
		                                      .hash = driver_key(d, ask),
		                                      .ask = ask->id,
		                                      .real = real,
		                                      .chance = ask->chance,
		                                      .epoch = d->ahead.epoch,
		                                      .is_request = ask->is_request,
		                                      .is_again = ask->is_again,
		                                      .recipe = ask->recipe };
	ask->recipe = (struct recipe){ 0 };
	d->stats->tests += !ask->is_request;
	d->stats->speculated += !ask->is_request && !real;
	return 0;
}

void driver_cancel(struct driver *d, struct flight *f)
{
	oracle_cancel(d->oracle, f->ticket);
	if (f->is_request)
		external_host_cancelled(d->options.host, f->ticket);
	driver_land(d, f);
}

/* Makes room for a real question: cancels a test that nobody waits for, preferably one that no
 * longer follows from anything. */
static bool make_room(struct driver *d)
{
	struct flight *victim = NULL;
	if (!oracle_can_cancel(d->oracle))
		return false;
	for (uint32_t i = 0; i < d->n_flights; i++)
		if (!d->flights[i].real && (!victim || d->flights[i].epoch < victim->epoch ||
		                            (d->flights[i].epoch == victim->epoch &&
		                             d->flights[i].ticket > victim->ticket)))
			victim = &d->flights[i];
	if (!victim)
		return false;
	d->stats->cancelled += !victim->is_request;
	driver_cancel(d, victim);
	return true;
}

/* Answers a question of the reducer from what is known. */
static bool answer_at_once(struct driver *d, const struct ask *ask)
{
	if (ask->is_request) {
		struct hash key = driver_key(d, ask);
		struct external_result *result =
			external_host_known(d->options.host, key, ask->candidate->size);
		if (result)
			give_reducer(d, ask->id, key, result);
		external_result_unref(result);
		return result != NULL;
	}
	struct hash key = driver_key(d, ask);
	enum verdict known = verdicts_get(d->verdicts, key, d->options.limits.wall_ns);
	if (known)
		driver_tell(d, ask->id, key, known);
	return known != VERDICT_UNKNOWN;
}

/* ASK waits until it can be handled; how it was made lives no longer with the reducer than until it
 * is told something. */
static void hold(struct driver *d, const struct ask *ask)
{
	if (ask->made.edit.parts != d->held_edit.parts)
		d->held_edit = edit_keep(ask->made.edit);
	d->holding = true;
	d->held = *ask;
	d->held.made.edit = d->held_edit;
}

static void stop_holding(struct driver *d)
{
	edit_drop(d->held_edit);
	d->held_edit = EDIT_NONE;
}

/* A real question: answered from the table, attached to a test that runs already, started, or held.
 * 0, or -1 and err. */
static int handle_ask(struct driver *d, struct ask *ask)
{
	int rc = 0;
	if (d->ahead.reducer && !ahead_predicted(&d->ahead, driver_key(d, ask)))
		ahead_drop(&d->ahead); /* the reducer has overtaken its clone */
	if (driver_is_doubtful(d, driver_key(d, ask))) {
		hold(d, ask);
		return 0;
	}
	bool known = answer_at_once(d, ask);
	struct flight *f = known ? NULL : driver_flight(d, driver_key(d, ask));
	if (!known && !ask->is_request && !ask->is_again)
		reducer_is_new(d->reducer);
	if (known)
		;
	else if (f && !f->real) {
		f->real = true;
		f->ask = ask->id;
		f->chance = ask->chance;
		f->recipe = ask->recipe;
		ask->recipe = (struct recipe){ 0 };
	} else if (!f && (oracle_free_slots(d->oracle) || make_room(d)) &&
	           oracle_free_slots(d->oracle))
		rc = driver_submit(d, ask, true);
	else {
		hold(d, ask);
		return 0;
	}
	driver_drop_ask(ask);
	return rc;
}

/* A skip, which the clone knows nothing of: programs that were asked for the reducer are waited for
 * no more. (What it asks them now is yet to be handled.) */
static void note_skips(struct driver *d)
{
	if (d->skips == reducer_skips(d->reducer))
		return;
	d->skips = reducer_skips(d->reducer);
	ahead_drop(&d->ahead);
	for (uint32_t i = d->n_flights; i-- > 0;)
		if (d->flights[i].real && d->flights[i].is_request && oracle_can_cancel(d->oracle))
			driver_cancel(d, &d->flights[i]);
}

/* Asks for the reducer until it must wait or no slot is free; REDUCER_ASK: not yet, but answers
 * that are known have kept it busy for long enough to look whether it is to stop. */
static enum reducer_state ask_reducer(struct driver *d)
{
	for (int asked = 0; asked < ASKED_AT_ONCE; asked++) {
		struct ask ask;
		if (d->holding) {
			d->holding = false;
			ask = d->held;
		} else {
			enum reducer_state s = reducer_next(d->reducer, &ask, d->err);
			note_skips(d);
			if (s != REDUCER_ASK)
				return s;
		}
		if (handle_ask(d, &ask) < 0)
			return REDUCER_FAILED;
		if (d->holding)
			return REDUCER_WAIT;
		stop_holding(d);
	}
	return REDUCER_ASK;
}

/* A program has ended. */
static void take_program(struct driver *d, const struct flight *f, const struct answer *a)
{
	struct external_result *result = external_host_finish(d->options.host, a);
	if (f->real)
		give_reducer(d, f->ask, f->hash, result);
	else if (f->epoch == d->ahead.epoch)
		ahead_check(&d->ahead, f->hash, result->n || result->instances);
	external_result_unref(result);
}

/* The best test case is not interesting any more. */
static int doubt(struct driver *d, struct flight *f)
{
	f->ticket = 0;
	d->doubts = true;
	return 0;
}

/* Keeps a verdict. */
static int note_verdict(struct driver *d, struct hash key, enum verdict verdict, uint64_t limit_ns)
{
	verdicts_put(d->verdicts, key, verdict, limit_ns);
	return d->options.verdict
	               ? d->options.verdict(d->options.arg, key, verdict, limit_ns, d->err)
	               : 0;
}

/* An answer came in. */
static int take_answer(struct driver *d, const struct answer *a)
{
	uint32_t i = 0;
	while (i < d->n_flights && d->flights[i].ticket != a->ticket)
		i++;
	if (i == d->n_flights)
		bug("answer to a question that nobody asked");
	struct flight f = d->flights[i];
	if (f.is_again && a->verdict != VERDICT_INTERESTING)
		return doubt(d, &d->flights[i]);
	driver_land(d, &d->flights[i]);
	if (f.is_request) {
		take_program(d, &f, a);
		return 0;
	}
	d->stats->timeouts += a->verdict == VERDICT_TIMEOUT;
	d->stats->why[a->why]++;
	d->stats->verdicts[a->verdict]++;
	bool confirmed = a->verdict == VERDICT_INTERESTING && !a->claimed && !f.is_again;
	if (note_verdict(d, f.hash, a->verdict, a->limit_ns) < 0 ||
	    (d->options.claims && confirmed &&
	     note_verdict(d, verdicts_confirmed(f.hash), VERDICT_INTERESTING, 0) < 0))
		return -1;
	if (f.real)
		driver_tell(d, f.ask, f.hash, a->verdict);
	else if (f.epoch == d->ahead.epoch)
		ahead_check(&d->ahead, f.hash, a->verdict == VERDICT_INTERESTING);
	return 0;
}

static enum driver_end why_done(const struct reducer *r)
{
	switch (reducer_why(r)) {
	case REDUCER_SIZE_REACHED:
		return DRIVER_SIZE_REACHED;
	case REDUCER_MAX_QUESTIONS:
		return DRIVER_MAX_QUESTIONS;
	case REDUCER_NO_SUCCESS:
		return DRIVER_NO_SUCCESS;
	default:
		return DRIVER_FIXPOINT;
	}
}

enum driver_end driver_ask(struct driver *d, struct err *err)
{
	d->err = err;
	for (;;) {
		if (d->doubts) {
			enum driver_end end = driver_settle(d);
			if (end != DRIVER_RUNS || d->doubts)
				return end;
		}
		enum reducer_state s = ask_reducer(d);
		if (s == REDUCER_FAILED)
			return DRIVER_FAILED;
		if (s == REDUCER_DONE)
			return why_done(d->reducer);
		if (d->doubts)
			continue;
		if (d->options.should_stop && d->options.should_stop(d->options.arg))
			return DRIVER_STOPPED;
		if (s == REDUCER_ASK)
			continue;
		int rc = driver_speculate(d);
		d->stats->busy = d->n_flights;
		return rc < 0 ? DRIVER_FAILED : DRIVER_RUNS;
	}
}

int driver_answer(struct driver *d, const struct answer *answer, struct err *err)
{
	d->err = err;
	return take_answer(d, answer);
}

struct driver *driver_new(struct reducer *reducer, struct oracle *oracle, struct verdicts *verdicts,
                          const struct driver_options *options, struct driver_stats *stats)
{
	struct driver *d = mem_zero(1, sizeof *d);
	d->reducer = reducer;
	d->oracle = oracle;
	d->verdicts = verdicts;
	d->options = *options;
	d->stats = stats;
	return d;
}

void driver_free(struct driver *d)
{
	if (!d)
		return;
	while (d->n_flights)
		driver_cancel(d, &d->flights[0]);
	if (!d->left) {
		if (d->holding)
			driver_drop_ask(&d->held);
		stop_holding(d);
		ahead_release(&d->ahead);
	}
	free(d->flights);
	free(d);
}
