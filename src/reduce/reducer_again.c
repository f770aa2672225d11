#include "base/err.h"
#include "base/hash.h"
#include "base/mem.h"
#include "run/verdicts.h"
#include "reduce/reducer.h"
#include "reduce/reducer_impl.h"
#include "search/within.h"

/* A sample of what is refused, to be asked about again when the test is not sure.
 *
 * Taken by hash, it is a function of the set of candidates alone: not of the order in which they
 * are asked about, and so the same at any number of workers and for a run that resumes. Those found
 * interesting stay in it, for else it would depend on when their answers came.
 */

enum { SAMPLED_MAX = 1 << 18 }; /* larger candidates would take too much memory */

static bool is_before(struct hash a, struct hash b)
{
	return a.hi != b.hi ? a.hi < b.hi : a.lo < b.lo;
}

/* The last one makes room for the one at place AT. */
static void make_room(struct reducer_sample *s, unsigned at)
{
	if (s->n == REDUCER_SAMPLE)
		testcase_unref(s->list[--s->n].tc);
	memmove(&s->list[at + 1], &s->list[at], (s->n - at) * sizeof s->list[0]);
	s->n++;
}

void sample_take(struct reducer *r, const struct ask *ask)
{
	struct reducer_sample *s = &r->sample;
	struct testcase *tc = ask->candidate;
	unsigned at = s->n;
	if (r->is_clone || r->pump.active || tc->size > SAMPLED_MAX)
		return;
	while (at && is_before(tc->hash, s->list[at - 1].hash))
		at--;
	if (at == REDUCER_SAMPLE || (at && hash_equal(s->list[at - 1].hash, tc->hash)))
		return;
	make_room(s, at);
	testcase_flat(tc); /* it outlives what it was made from */
	s->list[at] = (struct sampled){ tc->hash, ask->id, testcase_ref(tc), false };
}

/* The answer to the question ID was not used before. */
static void sample_is_new(struct reducer *r, uint64_t id)
{
	for (unsigned i = 0; i < r->sample.n; i++)
		if (r->sample.list[i].id == id)
			r->sample.list[i].is_new = true;
}

void sample_drop(struct reducer *r)
{
	while (r->sample.n)
		testcase_unref(r->sample.list[--r->sample.n].tc);
}

const struct sampled *reducer_sampled(const struct reducer *r, size_t *n)
{
	*n = r->sample.n;
	return r->sample.list;
}

/* A verdict is about bytes, however an edit came to them: nothing is asked about twice.
 *
 * Of questions about the same bytes in one round the first is asked, and the others get its answer.
 * What was refused in a former round is refused again; that counts from the next round on, when no
 * question is open, so that it does not matter in which order verdicts arrive. Timeouts do not
 * count, since the limit may grow, and what is interesting is asked about again.
 */

/* Shared by a reducer and its clones, of which only the reducer itself adds to it: what clones
 * foresee is not known. */
struct refused {
	unsigned refs;
	struct seen seen;
};

void repeats_init(struct reducer_repeats *r)
{
	r->refused = mem_zero(1, sizeof *r->refused);
	r->refused->refs = 1;
}

void repeats_copy(struct reducer_repeats *r)
{
	r->refused->refs++;
	r->list = mem_dup(r->list, r->cap * sizeof *r->list);
}

void repeats_release(struct reducer_repeats *r)
{
	free(r->list);
	if (--r->refused->refs)
		return;
	seen_release(&r->refused->seen);
	free(r->refused);
}

enum verdict repeats_ask(struct reducer_repeats *r, uint64_t id, struct hash hash, bool *waits)
{
	uint64_t key = hash.hi ^ hash.lo;
	struct repeat one = { .id = id, .key = key };
	*waits = false;
	if (seen_has(&r->refused->seen, key))
		return VERDICT_NOT_INTERESTING;
	for (uint32_t i = 0; i < r->n; i++) {
		if (r->list[i].key != key)
			continue;
		if (r->list[i].verdict != VERDICT_UNKNOWN)
			return r->list[i].verdict;
		*waits = one.waits = true;
		r->n_waiting++;
		break;
	}
	MEM_PUSH(r->list, r->n, r->cap, one);
	return VERDICT_UNKNOWN;
}

/* Ids are used again within a round, once they are answered. */
static struct repeat *open_one(struct reducer_repeats *r, uint64_t id)
{
	for (uint32_t i = r->n; i > 0; i--)
		if (r->list[i - 1].id == id && r->list[i - 1].verdict == VERDICT_UNKNOWN)
			return &r->list[i - 1];
	return NULL;
}

uint64_t repeats_tell(struct reducer_repeats *r, uint64_t id, enum verdict verdict)
{
	struct repeat *one = open_one(r, id);
	if (!one)
		bug("an answer to a question that was not asked");
	one->verdict = verdict;
	return one->key;
}

bool repeats_next(struct reducer_repeats *r, uint64_t key, enum verdict verdict, uint64_t *other)
{
	for (uint32_t i = 0; i < r->n && r->n_waiting; i++)
		if (r->list[i].waits && r->list[i].key == key) {
			r->list[i].waits = false;
			r->n_waiting--;
			r->list[i].verdict = verdict;
			*other = r->list[i].id;
			return true;
		}
	return false;
}

void repeats_round(struct reducer_repeats *r, bool is_clone)
{
	for (uint32_t i = 0; i < r->n && !is_clone; i++)
		if (r->list[i].verdict == VERDICT_NOT_INTERESTING)
			seen_add(&r->refused->seen, r->list[i].key);
	r->n = r->n_waiting = 0;
}

/* What a reducer says of itself. */

enum reducer_end reducer_why(const struct reducer *r)
{
	if (r->options.until_size && testcase_shown_size(reducer_best(r)) <= r->options.until_size)
		return REDUCER_SIZE_REACHED;
	uint64_t most = r->options.max_questions;
	if (most && reducer_new_questions(r) >= most)
		return REDUCER_MAX_QUESTIONS;
	return r->counts.is_idle ? REDUCER_NO_SUCCESS : REDUCER_FIXPOINT;
}

struct testcase *reducer_current(struct reducer *r)
{
	return r->again.before ? r->again.before : reducer_best(r);
}

struct testcase *reducer_newest(struct reducer *r)
{
	return reducer_best(r);
}

const struct pass_stats *reducer_external_stats(const struct reducer *r, uint32_t pass)
{
	return &r->external.passes[pass].stats;
}

struct pass_stats reducer_pump_stats(const struct reducer *r)
{
	struct pass_stats s = r->pump.stats;
	if (r->pump.active)
		s.bytes += pump_way_back(r);
	return s;
}

/* A list goes from its end to its beginning, at each size of blocks; a sweep to the smallest
 * start. */
static int way_gone(const struct reducer *r)
{
	const struct search_cursor *cursor = &r->search->cursor;
	uint32_t all = cursor->block ? r->base->tc->size : r->marks.run_farthest;
	bool in_order = cursor->block || r->run.hunt.order == HUNT_SWEEP;
	return in_order && cursor->at && cursor->at <= all
	               ? 1000 - (int)((uint64_t)cursor->at * 1000 / all)
	               : -1;
}

struct reducer_at reducer_at(const struct reducer *r)
{
	const struct external_stage *asks = external_stage_asks(&r->external) ? &r->external
	                                    : r->pump.active                  ? &r->pump.external
	                                                                      : NULL;
	if (!r->search && asks && external_stage_asks(asks))
		return (struct reducer_at){ .pass = r->options.externals->passes[asks->pass].name,
			                    .waits = true,
			                    .permille = -1 };
	if (!r->search)
		return (struct reducer_at){ .permille = -1 };
	return (struct reducer_at){ .pass = r->run.name,
		                    .block = r->search->cursor.block,
		                    .permille = way_gone(r),
		                    .questions = r->counts.questions - r->marks.run_questions,
		                    .bytes = (int64_t)r->marks.run_size - r->current->size };
}

const struct plan *reducer_plan(const struct reducer *r)
{
	return &r->plan;
}

bool reducer_is_made(const struct reducer *r)
{
	return within_is_made(r->base);
}

uint64_t reducer_skips(const struct reducer *r)
{
	return r->counts.skips;
}

uint64_t reducer_questions(const struct reducer *r)
{
	return r->counts.questions;
}

uint64_t reducer_new_questions(const struct reducer *r)
{
	return r->counts.is_new ? r->counts.asked - r->counts.known : 0;
}

uint64_t reducer_questions_since(const struct reducer *r)
{
	return r->counts.questions - r->counts.last_success;
}

void reducer_log_question(struct reducer *r, const struct ask *ask)
{
	if (r->is_clone)
		return;
	MEM_PUSH(r->log.list, r->log.n, r->log.cap,
	         (struct answered){ .id = ask->id, .hash = ask->candidate->hash });
}

void reducer_log_answer(struct reducer *r, uint64_t id, enum verdict verdict, uint64_t limit_ns)
{
	for (size_t i = r->log.n; i > 0; i--)
		if (r->log.list[i - 1].id == id && r->log.list[i - 1].verdict == VERDICT_UNKNOWN) {
			r->log.list[i - 1].verdict = verdict;
			r->log.list[i - 1].limit_ns = verdict == VERDICT_TIMEOUT ? limit_ns : 0;
			return;
		}
}

const struct answered *reducer_answered(struct reducer *r, size_t *n)
{
	*n = r->log.n;
	r->log.n = 0;
	return r->log.list;
}

void reducer_is_new(struct reducer *r)
{
	if (r->counts.is_new)
		return;
	r->counts.is_new = true;
	r->counts.known = r->counts.asked - 1;
}

/* The best test case is asked about again now and then: a test that is not sure shows itself so.
 *
 * When is a matter of tests counted between rounds, in the order in which the reducer asks, so it
 * is the same at any number of workers, and for a run that resumes. The search takes no notice, and
 * what the driver makes of a refusal is the owner's business.
 */

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
