/* The strategies of all passes over a text of any language: each edit that one proposes is an edit
 * of the text. Input: the name of a tokenizer on a line of its own, then the text. */
#include <stdlib.h>
#include <string.h>

#include "base/err.h"
#include "base/mem.h"
#include "fuzz.h"
#include "reduce/passes.h"
#include "search/search.h"
#include "search/strategy.h"
#include "search/view.h"
#include "text/testcase.h"

enum { MAX_TRIED = 64, MAX_LEVELS = 12, MAX_ASKED = 24 };

static const char *const languages[] = { "c",       "python", "json", "xml",  "generic",
	                                 "rust",    "lisp",   "sql",  "yaml", "bytes",
	                                 "fortran", "ruby",   "ada" };
enum { N_LANGUAGES = sizeof languages / sizeof *languages };

static const struct tokenizer *choose(struct fuzz *in)
{
	static struct tokenizer *loaded[N_LANGUAGES];
	const uint8_t *line = memchr(in->at, '\n', fuzz_left(in));
	size_t len = line ? (size_t)(line - in->at) : 0;
	unsigned i = 0;
	while (i < N_LANGUAGES &&
	       (strlen(languages[i]) != len || memcmp(languages[i], in->at, len)))
		i++;
	if (i < N_LANGUAGES)
		in->at = line + 1;
	else
		i = fuzz_byte(in) % N_LANGUAGES;
	if (!loaded[i])
		loaded[i] = fuzz_tokenizer(languages[i]);
	return loaded[i];
}

/* Of places within a coded word, what ELEMENT of them is to the whole text. */
static void check_coded(const struct edit_sites *p, struct edit element)
{
	struct arena arena = { 0 };
	const struct shell *s = p->shell;
	while (s->outer)
		s = s->outer;
	fuzz_check_edit(s->view->tc, edit_sites_edit(p, element, &arena));
	arena_release(&arena);
}

static void check_list(const struct edit_sites *p)
{
	for (uint32_t e = 0; e < p->n; e++) {
		uint32_t first = edit_sites_first(p, e), n = edit_sites_first(p, e + 1) - first;
		struct edit_part *parts = mem_alloc((n + (size_t)1) * sizeof *parts);
		for (uint32_t i = 0; i < n; i++)
			parts[i] = edit_sites_part(p, first + i);
		struct edit edit = { n, parts };
		fuzz_check_edit(p->view->tc, edit);
		if (p->shell)
			check_coded(p, edit);
		free(parts);
	}
}

static void check_cuts(const struct edit_sites *p)
{
	const struct strategy *s = p->strategy;
	struct arena arena = { 0 };
	unsigned tried = 0;
	for (uint32_t i = 0; i < p->n && tried < MAX_TRIED; i++) {
		uint32_t ends = edit_sites_ends(p, i);
		for (uint32_t j = 0; j < ends && tried < MAX_TRIED; j++) {
			struct edit edit;
			tried++;
			if (!edit_sites_cut(p, i, j, &arena, &edit))
				continue;
			fuzz_check_edit(p->view->tc, edit);
			for (uint32_t k = 1;
			     k < 4 && s->enlarge && s->enlarge(p, i, j, k, &arena, &edit); k++)
				fuzz_check_edit(p->view->tc, edit);
		}
	}
	arena_release(&arena);
}

static void try_strategy(const struct strategy *s, struct view *view)
{
	const struct strategy_options options = { 0 };
	uint32_t levels = strategy_levels(s, view);
	for (uint32_t level = 0; level < levels && level < MAX_LEVELS; level++) {
		struct edit_sites *p = edit_sites_new(s, view, level, &options);
		if (s->shape == STRATEGY_LIST)
			check_list(p);
		else
			check_cuts(p);
		edit_sites_unref(p);
	}
}

/* A search of its own, whose questions are answered by their number: ANSWERS has a bit for each. */
static void try_search(const struct strategy *s, struct view *view, uint64_t answers)
{
	uint32_t levels = strategy_levels(s, view);
	for (uint32_t level = 0; level < levels && level < MAX_LEVELS; level++) {
		struct search *search = s->search(view, level);
		struct arena arena = { 0 };
		struct question q;
		for (unsigned i = 0; i < MAX_ASKED && search_next(search, &arena, &q); i++) {
			fuzz_check_edit(view->tc, q.edit);
			struct search *clone = search_clone(search);
			search_free(search);
			search = clone;
			search_tell(search, q.id, answers >> i % 64 & 1);
			fuzz_check_edit(view->tc, search->accepted);
		}
		arena_release(&arena);
		search_free(search);
	}
}

int target_strategies(const uint8_t *data, size_t size)
{
	struct fuzz in = { data, data + size };
	struct err err;
	const struct tokenizer *tok = choose(&in);
	struct testcase *tc = fuzz_testcase(in.at, fuzz_left(&in));
	struct view *view = view_new(tc, tok);
	view_need_lines(view);
	for (uint32_t i = 0; view_need_tree(view, &err) == 0 && i < passes_n_rows; i++) {
		if (!passes_table[i].strategy->search)
			try_strategy(passes_table[i].strategy, view);
		else
			try_search(passes_table[i].strategy, view, tc->hash.lo);
	}
	view_unref(view);
	testcase_unref(tc);
	return 0;
}
