#include "run/verdicts.h"

#include <stdlib.h>

#include "base/mem.h"

enum { FIRST_SIZE = 1024 };

/* No deadline is the longest. */
static uint64_t limit_rank(uint64_t limit_ns)
{
	return limit_ns ? limit_ns : UINT64_MAX;
}

/* The entry of HASH, or the free place where it belongs: linear probing, the hash is uniform as it
 * is. */
static struct verdicts_entry *find(const struct verdicts *v, struct hash hash)
{
	size_t i = hash.lo & (v->size - 1);
	while (v->entries[i].verdict != VERDICT_UNKNOWN && !hash_equal(v->entries[i].hash, hash))
		i = (i + 1) & (v->size - 1);
	return &v->entries[i];
}

static void grow(struct verdicts *v)
{
	struct verdicts old = *v;
	v->size = old.size ? old.size * 2 : FIRST_SIZE;
	v->entries = mem_zero(v->size, sizeof *v->entries);
	for (size_t i = 0; i < old.size; i++)
		if (old.entries[i].verdict != VERDICT_UNKNOWN)
			*find(v, old.entries[i].hash) = old.entries[i];
	free(old.entries);
}

enum verdict verdicts_get(struct verdicts *v, struct hash hash, uint64_t limit_ns)
{
	const struct verdicts_entry *e = v->size ? find(v, hash) : NULL;
	bool known = e && e->verdict != VERDICT_UNKNOWN;
	if (known && e->verdict == VERDICT_TIMEOUT &&
	    limit_rank(limit_ns) > limit_rank(e->limit_ns))
		known = false;
	v->hits += known;
	v->misses += !known;
	return known ? e->verdict : VERDICT_UNKNOWN;
}

void verdicts_put(struct verdicts *v, struct hash hash, enum verdict verdict, uint64_t limit_ns)
{
	if (verdict == VERDICT_UNKNOWN)
		return;
	if (4 * (v->n + 1) > 3 * v->size)
		grow(v);
	struct verdicts_entry *e = find(v, hash);
	if (e->verdict != VERDICT_UNKNOWN) {
		bool longer = limit_rank(limit_ns) > limit_rank(e->limit_ns);
		if (e->verdict != VERDICT_TIMEOUT || (verdict == VERDICT_TIMEOUT && !longer))
			return;
	}
	v->n += e->verdict == VERDICT_UNKNOWN;
	*e = (struct verdicts_entry){ hash, limit_ns, verdict };
}

void verdicts_release(struct verdicts *v)
{
	free(v->entries);
	*v = (struct verdicts){ 0 };
}
