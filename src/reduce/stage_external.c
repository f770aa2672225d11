
#include "base/err.h"
#include "reduce/stages.h"

enum { MAX_FAILURES = 3 }; /* a pass whose program failed so often is left alone */

void external_stage_init(struct external_stage *s, const struct externals *all)
{
	*s = (struct external_stage){ .all = all };
	s->passes = mem_zero(all ? all->n_passes : 0, sizeof *s->passes);
}

void external_stage_copy(struct external_stage *s)
{
	s->passes = mem_dup(s->passes, (s->all ? s->all->n_passes : 0) * sizeof *s->passes);
	for (uint32_t i = 0; i < EXTERNAL_BATCH; i++)
		if (s->results[i])
			external_result_ref(s->results[i]);
}

static void drop_results(struct external_stage *s)
{
	for (uint32_t i = 0; i < EXTERNAL_BATCH; i++) {
		external_result_unref(s->results[i]);
		s->results[i] = NULL;
	}
}

void external_stage_release(struct external_stage *s)
{
	drop_results(s);
	free(s->passes);
}

static void begin_pass(struct external_stage *s, uint32_t pass)
{
	s->pass = pass;
	s->phase = EXTERNAL_LIST;
	s->first = 1;
	s->clean = true;
}

void external_stage_begin(struct external_stage *s, bool early)
{
	s->early = early;
	begin_pass(s, 0);
}

/* Is PASS one for this test case? Programs see one file. */
static bool suits(const struct external_stage *s, uint32_t pass, const struct testcase *tc)
{
	const struct external_pass *p = &s->all->passes[pass];
	const struct external_pass_state *state = &s->passes[pass];
	return !tc->is_tree && tc->size >= p->min_bytes && tc->size <= p->max_bytes &&
	       state->failures < MAX_FAILURES && !hash_equal(state->dry_on, tc->hash);
}

/* Is it the turn of the pass, too? */
static bool applies(const struct external_stage *s, const struct testcase *tc)
{
	const struct external_pass *p = &s->all->passes[s->pass];
	return p->pump == s->pumps && p->early == s->early && suits(s, s->pass, tc);
}

bool external_stage_has_early(const struct external_stage *s, const struct testcase *tc)
{
	bool any = false;
	for (uint32_t i = 0; s->all && i < s->all->n_passes && !any; i++)
		any = s->all->passes[i].early && suits(s, i, tc);
	return any;
}

static void begin_batch(struct external_stage *s, enum external_phase phase)
{
	s->phase = phase;
	s->batches++;
	s->failures = s->passes[s->pass].failures;
}

void external_stage_skip(struct external_stage *s)
{
	if (external_stage_asks(s))
		s->passes[s->pass].failures = s->failures;
	drop_results(s);
	begin_pass(s, s->pass + 1);
}

/* All instances were tried, or there are none. One that succeeded begins again, on what has become
 * of the test case; an early one when it is its turn again. */
static void end_pass(struct external_stage *s, const struct testcase *tc)
{
	if (s->clean)
		s->passes[s->pass].dry_on = tc->hash;
	begin_pass(s, s->clean || s->early ? s->pass + 1 : s->pass);
}

static void next_batch(struct external_stage *s, const struct testcase *tc)
{
	drop_results(s);
	if (s->first > s->n_instances || s->passes[s->pass].failures >= MAX_FAILURES) {
		end_pass(s, tc);
		return;
	}
	uint32_t left = s->n_instances - s->first + 1;
	s->n_wanted = left < EXTERNAL_BATCH ? left : EXTERNAL_BATCH;
	s->n_asked = s->n_got = 0;
	begin_batch(s, EXTERNAL_FETCHING);
}

static bool has_candidates(const struct external_stage *s)
{
	for (uint32_t i = 0; i < s->n_wanted; i++)
		if (s->results[i] && s->results[i]->n)
			return true;
	return false;
}

/* False: there is nothing to hunt in. */
static bool begin_hunt(struct external_stage *s)
{
	bool any = has_candidates(s);
	if (any)
		s->phase = EXTERNAL_HUNTING;
	return any;
}

/* The next instance of the batch; over when all are here and there is nothing to hunt in. */
static enum external_step fetch(struct external_stage *s, struct external_request *request)
{
	if (s->n_asked < s->n_wanted) {
		*request = (struct external_request){ s->pass, s->first + s->n_asked++ };
		return EXTERNAL_ASK;
	}
	if (s->n_got < s->n_wanted)
		return EXTERNAL_WAIT;
	return begin_hunt(s) ? EXTERNAL_HUNT : EXTERNAL_OVER;
}

enum external_step external_stage_next(struct external_stage *s, const struct testcase *tc,
                                       struct external_request *request)
{
	enum external_step step;
	for (;;) {
		if (s->pass >= s->all->n_passes) {
			s->phase = EXTERNAL_IDLE;
			return EXTERNAL_OVER;
		}
		switch (s->phase) {
		case EXTERNAL_LIST:
			drop_results(s);
			if (!applies(s, tc)) {
				begin_pass(s, s->pass + 1);
				continue;
			}
			*request = (struct external_request){ s->pass, 0 };
			begin_batch(s, EXTERNAL_LISTING);
			return EXTERNAL_ASK;
		case EXTERNAL_FETCHING:
			step = fetch(s, request);
			if (step != EXTERNAL_OVER)
				return step;
			s->first += s->n_wanted;
			next_batch(s, tc);
			continue;
		case EXTERNAL_LISTING:
			if (!s->results[0])
				return EXTERNAL_WAIT;
			s->n_wanted = 1;
			/* A list is all there is. */
			s->n_instances = has_candidates(s) ? 0 : s->results[0]->instances;
			if (begin_hunt(s))
				return EXTERNAL_HUNT;
			next_batch(s, tc);
			continue;
		case EXTERNAL_IDLE:
		case EXTERNAL_HUNTING:
			bug("external stage asked in phase %d", (int)s->phase);
		}
	}
}

void external_stage_give(struct external_stage *s, uint32_t instance,
                         struct external_result *result)
{
	uint32_t at = instance ? instance - s->first : 0;
	if (at >= EXTERNAL_BATCH || s->results[at])
		bug("an answer of an external pass that nobody waits for");
	s->results[at] = external_result_ref(result);
	s->n_got += instance != 0;
	s->passes[s->pass].failures += result->failed;
}

struct edit_sites *external_stage_places(const struct external_stage *s, struct view *view)
{
	return external_places(view, s->results, s->n_wanted);
}

void external_stage_report(struct external_stage *s, const struct testcase *tc, bool changed)
{
	s->clean &= !changed;
	if (changed && s->early)
		begin_pass(s, s->pass + 1);
	else if (changed)
		s->phase = EXTERNAL_LIST; /* of the new bytes, from behind the instances that were
		                             tried */
	else {
		s->first += s->n_wanted;
		next_batch(s, tc);
	}
}
