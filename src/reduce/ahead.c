#include "reduce/ahead.h"

#include <stdlib.h>

#include "base/mem.h"
#include "reduce/external_result.h"
#include "reduce/reducer.h"

struct prediction {
	uint64_t ask;
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
static struct prediction *find(const struct ahead *a, uint64_t ask)
{
	for (uint32_t i = 0; i < a->n; i++)
		if (a->predictions[i].ask == ask)
			return &a->predictions[i];
	return NULL;
}

bool ahead_predicted(const struct ahead *a, uint64_t ask)
{
	return find(a, ask);
}

void ahead_check(struct ahead *a, uint64_t ask, bool interesting)
{
	const struct prediction *p = find(a, ask);
	if (p && p->interesting != interesting)
		ahead_drop(a);
}

void ahead_confirm(struct ahead *a, uint64_t ask, bool interesting)
{
	ahead_check(a, ask, interesting);
	struct prediction *p = find(a, ask);
	if (p)
		*p = a->predictions[--a->n];
}

static void note(struct ahead *a, uint64_t ask, bool interesting)
{
	MEM_GROW(a->predictions, a->n, a->cap);
	a->predictions[a->n++] = (struct prediction){ ask, interesting };
}

void ahead_predict(struct ahead *a, uint64_t ask, bool interesting)
{
	note(a, ask, interesting);
	reducer_tell(a->reducer, ask, interesting ? VERDICT_INTERESTING : VERDICT_BORING, 0);
}

void ahead_predict_result(struct ahead *a, uint64_t ask, struct external_result *result)
{
	struct external_result *nothing = result ? NULL : external_result_new(false);
	note(a, ask, result && (result->n || result->instances));
	reducer_give(a->reducer, ask, result ? result : nothing);
	external_result_unref(nothing);
}
