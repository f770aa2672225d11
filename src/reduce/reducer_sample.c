/* A sample of what is refused, to be asked about again when the test is not sure.
 *
 * Taken by hash, it is a function of the set of candidates alone: not of the order in which they
 * are asked about, and so the same at any number of workers and for a run that resumes. Those found
 * interesting stay in it, for else it would depend on when their answers came.
 */

#include "reduce/reducer.h"
#include "reduce/reducer_impl.h"

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
	s->list[at] = (struct sampled){ tc->hash, ask->id, testcase_ref(tc), false };
}

void sample_is_new(struct reducer *r, uint64_t id)
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
