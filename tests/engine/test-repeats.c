/* Nothing is asked about twice, and what is asked does not depend on how many questions are open.
 */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include <stdlib.h>
#include <string.h>

#include "base/err.h"
#include "base/mem.h"
#include "base/rng.h"
#include "reduce/recipe.h"
#include "reduce/reducer.h"

enum { MAX_OPEN = 40, MAX_ASKED = 20000 };

/* Many cuts of the same lines and tokens lead to the same bytes. */
static const char text[] = "f(a, a, a, a) { g(a); g(a); g(a); g(a); }\n"
			   "f(a, a, a, b) { g(a); g(a); h(b); g(a); }\n"
			   "\n\n\n\n"
			   "f(a, a, a, a) { g(a); g(a); g(a); g(a); }\n";

static bool holds(const struct testcase *tc)
{
	const uint8_t *f = memchr(tc->bytes, 'f', tc->size);
	const uint8_t *h = memchr(tc->bytes, 'h', tc->size);
	uint32_t open = 0, close = 0;
	for (uint32_t i = 0; i < tc->size; i++) {
		open += tc->bytes[i] == '(';
		close += tc->bytes[i] == ')';
	}
	return f && h && f < h && open == close && open > 1;
}

struct asked {
	uint32_t n;
	struct hash hashes[MAX_ASKED];
};

static void note(struct asked *asked, struct hash hash)
{
	for (uint32_t i = 0; i < asked->n; i++)
		assert_false(hash_equal(asked->hashes[i], hash));
	assert_in_range(asked->n, 0, MAX_ASKED - 1);
	asked->hashes[asked->n++] = hash;
}

struct open {
	uint64_t id;
	bool yes;
};

/* Answers one of the N open questions, whichever RNG says. */
static uint32_t answer(struct reducer *r, struct open *open, uint32_t n, struct rng *rng)
{
	uint32_t i = (uint32_t)rng_below(rng, n);
	struct open one = open[i];
	open[i] = open[n - 1];
	reducer_tell(r, one.id, one.yes ? VERDICT_INTERESTING : VERDICT_NOT_INTERESTING, 0);
	return n - 1;
}

/* Reduces with up to MOST questions open, with CLONES by clones of clones. */
static struct hash reduce(const struct tokenizer *tokenizer, uint32_t most, bool clones,
                          struct asked *asked)
{
	struct err err = { 0 };
	struct rng rng = { most };
	struct reducer_options options = { .enabled = passes_all() };
	struct testcase *tc =
		testcase_new("a.c", 0644, mem_dup(text, sizeof text), (uint32_t)sizeof text - 1);
	struct reducer *r = reducer_new(tc, tokenizer, &options, NULL);
	struct open open[MAX_OPEN];
	struct ask ask;
	enum reducer_state state = REDUCER_WAIT;
	uint32_t n = 0;
	asked->n = 0;
	while ((state = n < most ? reducer_next(r, &ask, &err) : REDUCER_WAIT) != REDUCER_DONE) {
		if (state == REDUCER_WAIT) {
			assert_in_range(n, 1, MAX_OPEN);
			n = answer(r, open, n, &rng);
			continue;
		}
		assert_int_equal(state, REDUCER_ASK);
		note(asked, ask.candidate->hash);
		open[n++] = (struct open){ ask.id, holds(ask.candidate) };
		testcase_unref(ask.candidate);
		recipe_release(&ask.recipe);
		struct reducer *clone = clones ? reducer_clone(r) : NULL;
		for (uint32_t i = 0; clone && i < n; i++)
			reducer_tell(clone, open[i].id, VERDICT_NOT_INTERESTING, 0);
		reducer_free(clone);
	}
	struct hash result = reducer_current(r)->hash;
	reducer_free(r);
	testcase_unref(tc);
	return result;
}

static void asks_once_in_any_order(void **state)
{
	struct asked *first = mem_zero(1, sizeof *first), *next = mem_zero(1, sizeof *next);
	struct hash result = reduce(*state, 1, false, first);
	assert_true(first->n > 50);
	for (uint32_t most = 2; most <= MAX_OPEN; most += 3) {
		struct hash other = reduce(*state, most, most % 2, next);
		assert_true(hash_equal(other, result));
		assert_int_equal(next->n, first->n);
		for (uint32_t i = 0; i < next->n; i++)
			assert_true(hash_equal(next->hashes[i], first->hashes[i]));
	}
	free(first);
	free(next);
}

static int setup(void **state)
{
	struct err err = { 0 };
	const char *dirs[] = { getenv("WHITTLE_TOKENIZERS"), NULL };
	struct tokenizer *t = tokenizer_find("c", NULL, (const uint8_t *)"", 0, dirs, &err);
	if (!t)
		fail_msg("%s", err.msg);
	*state = t;
	return 0;
}

static int teardown(void **state)
{
	tokenizer_free(*state);
	return 0;
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(asks_once_in_any_order),
	};
	return cmocka_run_group_tests(tests, setup, teardown);
}
