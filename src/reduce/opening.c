#include "reduce/opening.h"

enum {
	TIERS = 2,        /* that have a part */
	ANSWERS = 8,      /* that what is expected before the first one counts for */
	FIRST = 32,       /* of the first tier: an answer removes one part in so many */
	SECOND = 192,     /* of the second */
	BELIEVED = 10,    /* what was in vain may have become possible when one part in so many has
	                     gone */
	PAYS = 224,       /* what removes less than one part in so many is left to the plan */
	MOST = 128,       /* answers: of more, the older ones count half */
	LEAST = 4 << 10,  /* bytes: smaller test cases are done soon in any order */
	BRIEF = 32 << 10, /* of smaller ones it ends where the items begin */
	DEAR = 6 << 20,   /* bytes: structure of larger ones takes longer than many answers */
};

void opening_init(struct opening *o, uint32_t size, bool opens)
{
	*o = (struct opening){ .size = size,
		               .dear = size >= DEAR,
		               .brief = size < BRIEF,
		               .never = !opens || size < LEAST };
	o->on = !o->never;
}

void opening_renew(struct opening *o)
{
	*o = (struct opening){ .on = !o->never,
		               .size = o->size,
		               .dear = o->size >= DEAR,
		               .brief = o->brief,
		               .never = o->never };
}

/* Has it a part in it? */
static bool has_part(uint32_t row)
{
	const struct pass *def = &passes_table[row];
	return def->tier < TIERS && !(def->flags & PASS_LAST);
}

enum price { PRICE_LINES, PRICE_TREE, PRICE_GRAPH };

/* What has to be known before its first question. */
static enum price price_of(uint32_t row)
{
	if (!(passes_table[row].strategy->needs & STRATEGY_TOKENS))
		return PRICE_LINES;
	return passes_table[row].flags & PASS_WHOLE ? PRICE_GRAPH : PRICE_TREE;
}

/* Lists of the first tier; where structure is dear, all that need none. */
static bool is_first(const struct opening *o, uint32_t row)
{
	const struct pass *def = &passes_table[row];
	bool cheap = o->dear && price_of(row) == PRICE_LINES;
	return def->order == HUNT_BLOCKS && (!def->tier || cheap);
}

uint64_t opening_worth(const struct opening *o, uint32_t row, uint32_t level)
{
	if (level >= OPENING_LEVELS)
		return 0;
	const struct opening_arm *a = &o->rows[row].arms[level];
	uint64_t prior = OPENING_ONE / (is_first(o, row) ? FIRST : SECOND);
	prior = prior / OPENING_SHARES * (OPENING_SHARES - a->lacks);
	return (prior * ANSWERS + a->gain) / (ANSWERS + a->answers);
}

/* Is it to be believed that it finds nothing in SIZE bytes? */
static bool is_dry(const struct opening_arm *a, uint32_t size)
{
	return a->dry && (uint64_t)size * BELIEVED >= (a->dry - (uint64_t)1) * (BELIEVED - 1);
}

bool opening_best(const struct opening *o, const struct pass_set *enabled,
                  const struct testcase *now, uint32_t *row, uint32_t *level)
{
	uint64_t most = OPENING_ONE / PAYS;
	bool found = false;
	for (uint32_t i = 0; i < passes_n; i++) {
		bool has = passes_has(enabled, i) && has_part(i);
		uint32_t n = !has ? 0 : o->rows[i].n ? o->rows[i].n : 1;
		for (uint32_t k = 0; k < n; k++) {
			uint64_t worth = opening_worth(o, i, k);
			bool cheaper = o->dear && found && price_of(i) < price_of(*row);
			if (worth < most + !cheaper || is_dry(&o->rows[i].arms[k], now->size))
				continue;
			most = worth;
			*row = i;
			*level = k;
			found = true;
		}
	}
	return found && !(o->brief && passes_table[*row].flags & PASS_OPENS);
}

bool opening_count(struct opening *o, uint32_t row, uint32_t n, uint32_t size)
{
	struct opening_row *r = &o->rows[row];
	uint32_t before = r->n;
	r->n = n < OPENING_LEVELS ? n : OPENING_LEVELS;
	if (!r->n)
		opening_dry(o, row, 0, size);
	return r->n != before || !r->n;
}

static void halve(struct opening_arm *a)
{
	a->gain /= 2;
	a->answers /= 2;
}

void opening_learn(struct opening *o, uint32_t row, uint32_t level, uint32_t answers,
                   uint32_t before, uint32_t after)
{
	if (level >= OPENING_LEVELS)
		return;
	struct opening_arm *a = &o->rows[row].arms[level];
	a->answers += answers;
	if (before > after)
		a->dry = 0;
	if (before > after)
		a->gain += OPENING_ONE / before * (before - after);
	while (a->answers > MOST)
		halve(a);
	for (; after < o->size / 2; o->size /= 2)
		for (uint32_t i = 0; i < passes_n; i++)
			for (uint32_t k = 0; k < OPENING_LEVELS; k++)
				halve(&o->rows[i].arms[k]);
}

void opening_covers(struct opening *o, uint32_t row, uint32_t level, uint64_t cuts, uint32_t size)
{
	if (level >= OPENING_LEVELS)
		return;
	o->rows[row].arms[level].lacks =
		cuts < size ? (uint32_t)((size - cuts) * OPENING_SHARES / size) : 0;
}

void opening_dry(struct opening *o, uint32_t row, uint32_t level, uint32_t size)
{
	if (level >= OPENING_LEVELS)
		return;
	o->rows[row].arms[level].dry = size + 1;
}
