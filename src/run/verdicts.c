#include "run/verdicts.h"

#include "base/mem.h"

/* No deadline is the longest. */
static uint64_t limit_rank(uint64_t limit_ns)
{
	return limit_ns ? limit_ns : UINT64_MAX;
}

/* The entry of HASH; NULL: there is none. */
static struct verdicts_entry *find(const struct verdicts *v, struct hash hash)
{
	size_t at;
	uint32_t i = map_first(&v->map, hash.lo, &at);
	while (i != MAP_END && !hash_equal(v->entries[i].hash, hash))
		i = map_next(&v->map, hash.lo, &at);
	return i == MAP_END ? NULL : &v->entries[i];
}

enum verdict verdicts_get(struct verdicts *v, struct hash hash, uint64_t limit_ns)
{
	const struct verdicts_entry *e = find(v, hash);
	bool known = e;
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
	struct verdicts_entry *e = find(v, hash);
	if (e) {
		bool longer = limit_rank(limit_ns) > limit_rank(e->limit_ns);
		bool stays =
			e->verdict != VERDICT_TIMEOUT || (verdict == VERDICT_TIMEOUT && !longer);
		if (e->verdict && stays)
			return;
	} else {
		map_add(&v->map, hash.lo, (uint32_t)v->n);
		MEM_GROW(v->entries, v->n, v->cap);
		e = &v->entries[v->n++];
	}
	*e = (struct verdicts_entry){ .hash = hash, .limit_ns = limit_ns, .verdict = verdict };
}

void verdicts_overrule(struct verdicts *v, struct hash hash, enum verdict verdict)
{
	struct verdicts_entry *e = find(v, hash);
	verdicts_put(v, hash, verdict, 0);
	if (e)
		*e = (struct verdicts_entry){ .hash = hash, .verdict = verdict };
}

bool verdicts_use(struct verdicts *v, struct hash hash)
{
	struct verdicts_entry *e = find(v, hash);
	bool first = e && !e->used;
	if (e)
		e->used = true;
	return first;
}

struct hash verdicts_confirmed(struct hash hash)
{
	const char text[] = "confirmed";
	return hash_again(hash, hash_bytes(text, sizeof text - 1, 0).lo);
}

void verdicts_forget_claims(struct verdicts *v)
{
	for (size_t i = 0; i < v->n; i++) {
		struct verdicts_entry *e = &v->entries[i];
		if (e->verdict == VERDICT_INTERESTING && !find(v, verdicts_confirmed(e->hash)))
			e->verdict = VERDICT_UNKNOWN;
	}
}

void verdicts_use_none(struct verdicts *v)
{
	for (size_t i = 0; i < v->n; i++)
		v->entries[i].used = false;
}

void verdicts_release(struct verdicts *v)
{
	map_release(&v->map);
	free(v->entries);
	*v = (struct verdicts){ 0 };
}
