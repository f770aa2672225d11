#include "reduce/ahead.h"

#include "base/mem.h"
#include "external/external_result.h"
#include "reduce/reducer.h"

struct prediction {
	uint64_t ask;
	struct hash key;
	bool interesting;
	bool told; /* to the clone */
};

void ahead_drop(struct ahead *a)
{
	reducer_free(a->reducer);
	a->reducer = NULL;
	a->n = 0;
	a->epoch++;
}

void ahead_release(struct ahead *a)
{
	ahead_drop(a);
	free(a->predictions);
}

/* NULL: there is none. */
static struct prediction *find(const struct ahead *a, struct hash key)
{
	for (uint32_t i = 0; i < a->n; i++)
		if (hash_equal(a->predictions[i].key, key))
			return &a->predictions[i];
	return NULL;
}

bool ahead_predicted(const struct ahead *a, struct hash key)
{
	return find(a, key);
}

static void tell(struct ahead *a, struct prediction *p)
{
	p->told = true;
	reducer_tell(a->reducer, p->ask,
	             p->interesting ? VERDICT_INTERESTING : VERDICT_NOT_INTERESTING, 0);
}

void ahead_check(struct ahead *a, struct hash key, bool interesting)
{
	for (uint32_t i = 0; i < a->n; i++) {
		struct prediction *p = &a->predictions[i];
		if (!hash_equal(p->key, key))
			continue;
		if (p->told && p->interesting != interesting) {
			ahead_drop(a);
			return;
		}
		p->interesting = interesting;
		if (!p->told)
			tell(a, p);
	}
}

void ahead_confirm(struct ahead *a, struct hash key, bool interesting)
{
	ahead_check(a, key, interesting);
	struct prediction *p = find(a, key);
	if (p)
		memmove(p, p + 1, (size_t)(a->predictions + --a->n - p) * sizeof *p);
}

static struct prediction *note(struct ahead *a, uint64_t ask, struct hash key, bool interesting)
{
	MEM_GROW(a->predictions, a->n, a->cap);
	a->predictions[a->n] = (struct prediction){ .ask = ask, key, interesting };
	return &a->predictions[a->n++];
}

void ahead_tell(struct ahead *a, uint64_t ask, struct hash key, bool interesting)
{
	tell(a, note(a, ask, key, interesting));
}

void ahead_predict(struct ahead *a, uint64_t ask, struct hash key, bool interesting)
{
	note(a, ask, key, interesting);
}

bool ahead_guess(struct ahead *a, const struct hash *only)
{
	uint32_t i = 0;
	while (i < a->n && a->predictions[i].told)
		i++;
	if (i == a->n || (only && !hash_equal(a->predictions[i].key, *only)))
		return false;
	tell(a, &a->predictions[i]);
	return true;
}

void ahead_predict_result(struct ahead *a, uint64_t ask, struct hash key,
                          struct external_result *result)
{
	struct external_result *nothing = result ? NULL : external_result_new(false);
	note(a, ask, key, result && (result->n || result->instances))->told = true;
	reducer_give(a->reducer, ask, result ? result : nothing);
	external_result_unref(nothing);
}
