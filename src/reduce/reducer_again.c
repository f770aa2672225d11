/* The best test case is asked about again now and then: a test that is not sure shows itself so.
 *
 * When is a matter of tests counted between rounds, in the order in which the reducer asks, so it
 * is the same at any number of workers, and for a run that resumes. The search takes no notice, and
 * what the driver makes of a refusal is the owner's business.
 */

#include "base/hash.h"
#include "reduce/reducer.h"
#include "reduce/reducer_impl.h"
#include "run/verdicts.h"

/* After 64 tests, and each 40 from then on: what fails one time in ten is found within a hundred
 * nine times in ten, the first runs included (20, unless the test is slow). What was found
 * interesting so often in a row is believed. The result is asked about as often as is left of one
 * test in 22, and twice in any case: then all of it is no more than five in a hundred, from 40
 * tests on. With once, ten times as many small reductions by a test that says yes by mistake ended
 * at such a mistake. */
enum { FIRST = 64, EVERY = 40, ENOUGH = 20, ONE_IN = 22, LEAST_AT_END = 2 };

/* One in five is asked of a fork server of its own: it costs more than ten of them to start one. */
enum { PER_SERVER = 5 };

static const uint64_t NO_SEARCH = (uint64_t)UINT32_MAX << 32;
static const uint64_t STEP = (uint64_t)1 << 31; /* of such questions those about steps */

static uint64_t next_point(uint64_t points)
{
	return FIRST + points * EVERY;
}

/* MOST further questions, unless the test case was asked about often enough. */
static void want(struct reducer *r, unsigned most)
{
	struct reducer_again *a = &r->again;
	struct hash best = reducer_best(r)->hash;
	if (!hash_equal(a->on, best))
		a->times = 0;
	a->on = best;
	a->due = ENOUGH - a->times < most ? ENOUGH - a->times : most;
}

void reducer_counts_test(struct reducer *r, uint64_t id)
{
	r->counts.tests += !again_is(id);
	sample_is_new(r, id);
}

void again_look(struct reducer *r)
{
	struct reducer_again *a = &r->again;
	if (!r->options.again || r->counts.tests < next_point(a->points))
		return;
	while (r->counts.tests >= next_point(a->points))
		a->points++;
	want(r, 1);
}

void again_end(struct reducer *r)
{
	uint64_t most = r->counts.tests / ONE_IN, asked = r->again.asked;
	uint64_t left = most > asked + LEAST_AT_END ? most - asked : LEAST_AT_END;
	r->again.at_end = true;
	if (r->options.again)
		want(r, left < ENOUGH ? (unsigned)left : ENOUGH);
}

/* Each question has an answer of its own. */
static struct hash key_of(struct hash hash, uint64_t number)
{
	const uint64_t text[] = { hash.hi, hash.lo, number };
	return hash_bytes(text, sizeof text, hash_bytes("again", strlen("again"), 0).lo);
}

/* The question NUMBER, about the best one. */
static struct ask question(struct reducer *r, uint64_t number, struct hash key)
{
	struct testcase *best = reducer_best(r);
	bool large = !r->is_clone && best->size > ORACLE_HOLDS;
	struct ask ask = { .id = NO_SEARCH | number,
		           .chance = 100,
		           .candidate = testcase_ref(best),
		           .is_again = true,
		           .lasting = !(number & STEP) && number % PER_SERVER,
		           .key = key };
	if (large)
		ask.recipe = (struct recipe){ testcase_ref(best), edit_keep((struct edit){ 0 }) };
	r->n_open++;
	return ask;
}

void again_ask(struct reducer *r, struct ask *ask)
{
	uint64_t number = r->again.asked++;
	r->again.due--;
	r->again.times++;
	r->again.open++;
	*ask = question(r, number, key_of(reducer_best(r)->hash, number));
}

void again_confirm(struct reducer *r, struct testcase *before)
{
	r->again.before = before;
	r->again.is_asked = false;
}

bool again_confirms(struct reducer *r, struct ask *ask)
{
	struct reducer_again *a = &r->again;
	bool asks = a->before && !a->is_asked;
	*ask = (struct ask){ 0 };
	if (asks)
		*ask = question(r, STEP | a->steps++, verdicts_confirmed(reducer_best(r)->hash));
	a->is_asked = a->before;
	return a->before;
}

bool again_tell(struct reducer *r, uint64_t id)
{
	bool step = id & STEP;
	r->n_open--;
	if (!step) {
		r->again.open--;
		return false;
	}
	testcase_unref(r->again.before);
	r->again.before = NULL;
	return true;
}

bool again_is(uint64_t id)
{
	return id >> 32 == NO_SEARCH >> 32;
}
