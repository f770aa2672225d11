/* A verdict is about bytes, however an edit came to them: nothing is asked about twice.
 *
 * Of questions about the same bytes in one round the first is asked, and the others get its answer.
 * What was refused in a former round is refused again; that counts from the next round on, when no
 * question is open, so that it does not matter in which order verdicts arrive. Timeouts do not
 * count, since the limit may grow, and what is interesting is asked about again.
 */

#include "base/err.h"
#include "base/mem.h"
#include "reduce/reducer_impl.h"

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
