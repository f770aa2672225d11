#include "search/strategy.h"

#include <stdlib.h>
#include <string.h>

#include "base/err.h"
#include "search/strategies.h"

const struct strategy *const strategy_table[] = {
	&strategy_files,    &strategy_links,       &strategy_modes,
	&strategy_comments, &strategy_blank_lines, &strategy_items,    &strategy_names,       &strategy_twins,
	&strategy_lines,    &strategy_hollow,      &strategy_brackets, &strategy_lift,        &strategy_spans,
	&strategy_prefixes, &strategy_ngrams,      &strategy_tokens,   &strategy_duplicates,  &strategy_strings,
	&strategy_numbers,  &strategy_runs,        &strategy_windows,  &strategy_nests,       &strategy_inside,
	&strategy_rename,   &strategy_merge_names, &strategy_clones,   &strategy_blanks,      &strategy_repeats,
	&strategy_bytes,    &strategy_byte_runs,   &strategy_lower,    &strategy_inline,      &strategy_columns,
	&strategy_indent,   &strategy_stand_ins, &strategy_rewrites,  &strategy_unify,
	NULL,
};

const struct strategy *strategy_by_name(const char *name)
{
	for (const struct strategy *const *s = strategy_table; *s; s++)
		if (!strcmp((*s)->name, name))
			return *s;
	return NULL;
}

struct places *places_new(const struct strategy *strategy, struct view *view, uint32_t level,
                          const struct strategy_options *options)
{
	struct places *p = mem_alloc(sizeof *p);
	*p = (struct places){ .refs = 1, .strategy = strategy, .view = view_ref(view) };
	strategy->open(p, level, options);
	return p;
}

struct places *places_ref(struct places *places)
{
	places->refs++;
	return places;
}

void places_unref(struct places *places)
{
	if (!places || --places->refs)
		return;
	view_unref(places->view);
	arena_release(&places->arena);
	free(places);
}

void places_begin(struct places *places, uint32_t max_elements, uint32_t max_parts)
{
	places->first = arena_alloc(&places->arena, (max_elements + (size_t)2) * sizeof *places->first);
	places->parts = arena_alloc(&places->arena, max_parts * sizeof *places->parts);
	places->first[0] = 0;
	places->n = 0;
	places->first[1] = 0;
}

void places_add_part(struct places *places, uint32_t begin, uint32_t end, const char *text, uint32_t len)
{
	uint32_t *at = &places->first[places->n + 1];
	places->parts[(*at)++] = (struct edit_part){ begin, end, len, len ? (const uint8_t *)text : NULL };
}

void places_end_element(struct places *places)
{
	if (places->first[places->n + 1] == places->first[places->n])
		return;
	places->n++;
	places->first[places->n + 1] = places->first[places->n];
}

void places_add(struct places *places, uint32_t begin, uint32_t end, const char *text, uint32_t len)
{
	if (begin == end && !len)
		return;
	places_add_part(places, begin, end, text, len);
	places_end_element(places);
}
