#include "reduce/ahead.h"

#include <stdlib.h>

#include "base/mem.h"
#include "reduce/external_result.h"
#include "reduce/reducer.h"

struct prediction {
	struct hash key;
	bool interesting;
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

void ahead_check(struct ahead *a, struct hash key, bool interesting)
{
	const struct prediction *p = find(a, key);
	if (p && p->interesting != interesting)
		ahead_drop(a);
}

void ahead_confirm(struct ahead *a, struct hash key, bool interesting)
{
	ahead_check(a, key, interesting);
	struct prediction *p = find(a, key);
	if (p)
		*p = a->predictions[--a->n];
}

static void note(struct ahead *a, struct hash key, bool interesting)
{
	MEM_GROW(a->predictions, a->n, a->cap);
	a->predictions[a->n++] = (struct prediction){ key, interesting };
}

void ahead_predict(struct ahead *a, uint64_t ask, struct hash key, bool interesting)
{
	note(a, key, interesting);
	reducer_tell(a->reducer, ask, interesting ? VERDICT_INTERESTING : VERDICT_BORING, 0);
}

void ahead_predict_result(struct ahead *a, uint64_t ask, struct hash key,
                          struct external_result *result)
{
	struct external_result *nothing = result ? NULL : external_result_new(false);
	note(a, key, result && (result->n || result->instances));
	reducer_give(a->reducer, ask, result ? result : nothing);
	external_result_unref(nothing);
}
