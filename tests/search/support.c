#include "support.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "base/err.h"

struct testcase *support_testcase(const void *bytes, size_t size)
{
	uint8_t *copy = mem_alloc(size + 1);
	memcpy(copy, bytes, size);
	return testcase_new("input", 0644, copy, (uint32_t)size);
}

/* Each shipped tokenizer is loaded once. */
static const struct tokenizer *shipped(const char *name)
{
	static struct {
		const char *name;
		struct tokenizer *tokenizer;
	} loaded[8];
	const char *dir = getenv("WHITTLE_TOKENIZERS");
	const char *dirs[] = { dir ? dir : "tokenizers", NULL };
	struct err err;
	size_t i = 0;
	while (loaded[i].name && strcmp(loaded[i].name, name))
		i++;
	assert_in_range(i, 0, 7);
	if (!loaded[i].name) {
		loaded[i].tokenizer =
			tokenizer_find(name, NULL, (const uint8_t *)"", 0, dirs, &err);
		if (!loaded[i].tokenizer)
			fail_msg("%s", err.msg);
		loaded[i].name = name;
	}
	return loaded[i].tokenizer;
}

struct view *support_view(const char *tokenizer, const char *text)
{
	return support_binary_view(tokenizer, text, strlen(text));
}

struct view *support_binary_view(const char *tokenizer, const void *bytes, size_t size)
{
	const struct tokenizer *tok = shipped(tokenizer);
	struct testcase *tc = support_testcase(bytes, size);
	struct view *view = view_new(tc, tok);
	struct err err;
	testcase_unref(tc);
	view_need_lines(view);
	if (view_need_tree(view, &err) < 0)
		fail_msg("%s", err.msg);
	return view;
}

struct search *support_hunt(const struct strategy *strategy, struct view *view, uint32_t level,
                            const struct hunt_options *options)
{
	struct strategy_options none = { 0 };
	struct edit_sites *edit_sites = edit_sites_new(strategy, view, level, &none);
	struct search *search = hunt_new(edit_sites, options);
	edit_sites_unref(edit_sites);
	return search;
}

void trace_release(struct trace *trace)
{
	free(trace->accepted);
	testcase_unref(trace->result);
}

bool trace_equal(const struct trace *a, const struct trace *b)
{
	bool same = a->n_accepted == b->n_accepted && hash_equal(a->result->hash, b->result->hash);
	for (uint32_t i = 0; same && i < a->n_accepted; i++)
		same = hash_equal(a->accepted[i], b->accepted[i]);
	return same;
}

static bool judge(const struct testcase *base, struct edit edit, const struct predicate *p)
{
	struct testcase *candidate = edit_apply(base, edit);
	bool holds = p->holds(candidate, p->arg);
	testcase_unref(candidate);
	return holds;
}

/* Equal edits have equal hashes. */
static struct hash hash_of(struct edit edit)
{
	struct hash h = { 0, edit.n };
	for (uint32_t i = 0; i < edit.n; i++) {
		const struct edit_part *p = &edit.parts[i];
		uint64_t words[4] = { h.hi, h.lo, (uint64_t)p->begin << 32 | p->end, p->len };
		h = hash_bytes(words, sizeof words, p->len ? hash_bytes(p->text, p->len, 0).lo : 0);
	}
	return h;
}

/* Tells, and notes what was accepted. */
static void tell(struct trace *t, struct search *s, uint32_t id, bool verdict,
                 const struct testcase *base, const struct predicate *p)
{
	uint32_t before = s->n_accepted;
	search_tell(s, id, verdict);
	if (s->n_accepted == before)
		return;
	assert_true(judge(base, s->accepted, p));
	MEM_GROW(t->accepted, t->n_accepted, t->cap);
	t->accepted[t->n_accepted++] = hash_of(s->accepted);
}

static struct trace finish(struct trace *t, struct search *s, const struct testcase *base)
{
	assert_true(s->done);
	t->result = edit_apply(base, s->accepted);
	search_free(s);
	return *t;
}

struct trace support_run(struct search *s, const struct testcase *base, const struct predicate *p)
{
	struct trace t = { 0 };
	struct arena arena = { 0 };
	struct question q;
	while (search_next(s, &arena, &q)) {
		t.questions++;
		tell(&t, s, q.id, judge(base, q.edit, p), base, p);
		arena_release(&arena);
	}
	return finish(&t, s, base);
}

struct open_question {
	uint32_t id;
	bool verdict;
};

/* Asks for at most MAX_OPEN; returns how many are open then. */
static uint32_t ask(struct trace *t, struct search *s, struct open_question *open, uint32_t n,
                    uint32_t max_open, const struct testcase *base, const struct predicate *p)
{
	struct arena arena = { 0 };
	struct question q;
	while (n < max_open && search_next(s, &arena, &q)) {
		open[n++] = (struct open_question){ q.id, judge(base, q.edit, p) };
		t->questions++;
		arena_release(&arena);
	}
	return n;
}

struct trace support_run_scrambled(struct search *s, const struct testcase *base,
                                   const struct predicate *p, uint32_t max_open, bool clones,
                                   struct rng *rng)
{
	struct trace t = { 0 };
	struct open_question open[256];
	uint32_t n = 0;
	assert_in_range(max_open, 1, 256);
	while (!s->done || n) {
		n = ask(&t, s, open, n, 1 + (uint32_t)rng_below(rng, max_open), base, p);
		if (!n)
			break;
		if (clones && !rng_below(rng, 3)) {
			struct search *copy = search_clone(s);
			search_free(s);
			s = copy;
		}
		uint32_t i = (uint32_t)rng_below(rng, n);
		struct open_question told = open[i];
		open[i] = open[--n];
		tell(&t, s, told.id, told.verdict, base, p);
	}
	return finish(&t, s, base);
}

uint32_t support_count(const struct testcase *tc, char c)
{
	uint32_t n = 0;
	for (uint32_t i = 0; i < tc->size; i++)
		n += tc->bytes[i] == (uint8_t)c;
	return n;
}

bool support_same_in_any_order(struct search *(*make)(struct view *), struct view *view,
                               const struct predicate *p, bool clones, uint64_t seed)
{
	static const uint32_t open[] = { 1, 2, 3, 16, 64, 256 };
	struct rng rng = { seed };
	struct trace plain = support_run(make(view), view->tc, p);
	bool same = true;
	for (size_t i = 0; i < sizeof open / sizeof *open; i++) {
		struct trace other =
			support_run_scrambled(make(view), view->tc, p, open[i], clones, &rng);
		same = same && trace_equal(&plain, &other);
		trace_release(&other);
	}
	trace_release(&plain);
	return same;
}
