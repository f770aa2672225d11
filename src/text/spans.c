#include "text/spans.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/buf.h"
#include "base/err.h"
#include "base/io.h"
#include "base/mem.h"

struct spans *spans_ref(struct spans *spans)
{
	spans->refs++;
	return spans;
}

void spans_unref(struct spans *spans)
{
	if (!spans || --spans->refs)
		return;
	free(spans->list);
	free(spans);
}

/* ---- reading ---- */

/* A span and the line that gave it. */
struct line_span {
	struct span_given span;
	uint32_t line;
};

static int by_place(const void *a, const void *b)
{
	const struct line_span *x = a, *y = b;
	if (x->span.begin != y->span.begin)
		return x->span.begin < y->span.begin ? -1 : 1;
	if (x->span.end != y->span.end)
		return x->span.end > y->span.end ? -1 : 1;
	return x->line < y->line ? -1 : x->line > y->line;
}

/* The span of a line; 1, 0 when it holds none, or -1. */
static int parse_line(char *text, uint32_t size, struct span_given *out)
{
	char kind[16] = "item", rest;
	uint64_t begin, end;
	text[strcspn(text, "#")] = '\0';
	if (!text[strspn(text, " \t\r")])
		return 0;
	int n = sscanf(text, "%" SCNu64 " %" SCNu64 " %15s %c", &begin, &end, kind, &rest);
	bool group = !strcmp(kind, "group");
	if (n < 2 || n > 3 || begin >= end || end > size || (!group && strcmp(kind, "item") != 0))
		return -1;
	*out = (struct span_given){ (uint32_t)begin, (uint32_t)end, group };
	return 1;
}

static int parse(const char *file, char *text, uint32_t size, struct line_span **list, uint32_t *n,
                 struct err *err)
{
	uint32_t cap = 0, line = 0;
	for (char *save, *p = text; p && *p; p = save) {
		save = strchr(p, '\n');
		if (save)
			*save++ = '\0';
		line++;
		struct line_span found = { .line = line };
		int rc = parse_line(p, size, &found.span);
		if (rc < 0)
			return err_set(
				err, ERR_USAGE,
				"%s:%u: BEGIN END [item|group] expected, 0 <= BEGIN < END <= %u",
				file, line, size);
		if (!rc)
			continue;
		MEM_GROW(*list, *n, cap);
		(*list)[(*n)++] = found;
	}
	return 0;
}

/* Sorted spans nest when none begins within an open one and ends behind it. */
static int check_nesting(const char *file, const struct line_span *list, uint32_t n,
                         struct err *err)
{
	uint32_t *open = mem_alloc((n + (size_t)1) * sizeof *open), depth = 0;
	int rc = 0;
	for (uint32_t i = 0; i < n && rc == 0; i++) {
		while (depth && list[open[depth - 1]].span.end <= list[i].span.begin)
			depth--;
		if (depth && list[open[depth - 1]].span.end < list[i].span.end)
			rc = err_set(err, ERR_USAGE,
			             "%s:%u: this span overlaps that of line %u, but is not nested "
			             "in it",
			             file, list[i].line, list[open[depth - 1]].line);
		open[depth++] = i;
	}
	free(open);
	return rc;
}

struct spans *spans_read(const char *file, uint32_t size, struct err *err)
{
	const struct io_bounds bounds = { .most = UINT32_MAX };
	struct buf text = { 0 };
	struct line_span *list = NULL;
	struct spans *spans = NULL;
	uint32_t n = 0;
	if (io_read_bounded(file, bounds, &text, err) < 0) {
		err->code = err->code == ERR_STOPPED ? ERR_STOPPED : ERR_USAGE;
		return NULL;
	}
	buf_addch(&text, '\0');
	int rc = parse(file, text.data, size, &list, &n, err);
	if (rc == 0 && !n)
		rc = err_set(err, ERR_USAGE, "%s contains no span", file);
	if (rc == 0) {
		qsort(list, n, sizeof *list, by_place);
		rc = check_nesting(file, list, n, err);
	}
	if (rc == 0) {
		spans = mem_alloc(sizeof *spans);
		*spans = (struct spans){ .refs = 1,
			                 .n = n,
			                 .list = mem_alloc(n * sizeof *spans->list) };
		for (uint32_t i = 0; i < n; i++)
			spans->list[i] = list[i].span;
	}
	free(list);
	buf_release(&text);
	return spans;
}

/* ---- following edits ---- */

/* Where AT is after EDIT; a place within a part is as far into its text as the text goes, so that
 * order is kept. */
static uint32_t map_offset(struct edit edit, const int64_t *shift, uint32_t at)
{
	uint32_t lo = 0, hi = edit.n; /* the parts that begin before AT */
	while (lo < hi) {
		uint32_t mid = lo + (hi - lo) / 2;
		if (edit.parts[mid].begin < at)
			lo = mid + 1;
		else
			hi = mid;
	}
	if (!lo)
		return at;
	const struct edit_part *p = &edit.parts[lo - 1];
	if (p->end <= at)
		return (uint32_t)(at + shift[lo]);
	return (uint32_t)(p->begin + shift[lo - 1]) +
	       (at - p->begin < p->len ? at - p->begin : p->len);
}

struct spans *spans_map(const struct spans *spans, struct edit edit)
{
	struct spans *out = mem_alloc(sizeof *out);
	*out = (struct spans){ .refs = 1,
		               .list = mem_alloc((spans->n + (size_t)1) * sizeof *out->list) };
	int64_t *shift = mem_zero(edit.n + (size_t)1, sizeof *shift); /* behind the first k parts */
	for (uint32_t i = 0; i < edit.n; i++)
		shift[i + 1] = shift[i] + edit.parts[i].len -
		               (int64_t)(edit.parts[i].end - edit.parts[i].begin);
	for (uint32_t i = 0; i < spans->n; i++) {
		struct span_given s = spans->list[i];
		s.begin = map_offset(edit, shift, s.begin);
		s.end = map_offset(edit, shift, s.end);
		const struct span_given *last = out->n ? &out->list[out->n - 1] : NULL;
		bool again = last && last->begin == s.begin && last->end == s.end &&
		             last->group == s.group;
		if (s.begin < s.end && !again)
			out->list[out->n++] = s;
	}
	free(shift);
	return out;
}

/* ---- over tokens ---- */

static int by_value(const void *a, const void *b)
{
	uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;
	return x < y ? -1 : x > y;
}

void spans_cut_tokens(const struct spans *spans, struct tokens *tokens)
{
	uint32_t n_cuts = 2 * spans->n, n = 0, k = 0;
	uint32_t *cuts = mem_alloc((n_cuts + (size_t)1) * sizeof *cuts);
	for (uint32_t i = 0; i < spans->n; i++) {
		cuts[2 * i] = spans->list[i].begin;
		cuts[2 * i + 1] = spans->list[i].end;
	}
	if (n_cuts)
		qsort(cuts, n_cuts, sizeof *cuts, by_value);
	struct token *list = mem_alloc((tokens->n + n_cuts + (size_t)1) * sizeof *list);
	for (uint32_t i = 0; i < tokens->n; i++) {
		struct token *whole = &list[n];
		list[n++] = tokens->list[i];
		while (k < n_cuts && cuts[k] <= tokens->list[i].begin)
			k++;
		for (; k < n_cuts && cuts[k] < tokens->list[i + 1].begin; k++) {
			if (cuts[k] == list[n - 1].begin)
				continue;
			bool blank = whole->kind == TOKEN_BLANK || whole->kind == TOKEN_NEWLINE ||
			             whole->kind == TOKEN_COMMENT;
			if (!blank)
				*whole = (struct token){ .begin = whole->begin,
					                 .kind = TOKEN_OTHER };
			list[n++] = (struct token){ .begin = cuts[k], .kind = whole->kind };
		}
	}
	list[n] = tokens->list[tokens->n];
	free(tokens->list);
	free(cuts);
	tokens->n = n;
	tokens->list = list;
}

static uint32_t token_at(const struct tokens *tokens, uint32_t offset)
{
	uint32_t lo = 0, hi = tokens->n;
	while (lo < hi) {
		uint32_t mid = lo + (hi - lo) / 2;
		if (tokens->list[mid].begin < offset)
			lo = mid + 1;
		else
			hi = mid;
	}
	return lo;
}

void spans_tree(const struct spans *spans, const struct tokens *tokens, struct tree *out)
{
	struct tree_node *nodes = mem_alloc((spans->n + (size_t)1) * sizeof *nodes);
	uint32_t *last_child = mem_alloc((spans->n + (size_t)1) * sizeof *last_child);
	*out = (struct tree){ .n = 1, .nodes = nodes };
	nodes[0] = (struct tree_node){ .last = tokens->n,
		                       .parent = TREE_NONE,
		                       .child = TREE_NONE,
		                       .next = TREE_NONE,
		                       .kind = TREE_GROUP };
	for (uint32_t i = 0, node = 0; i < spans->n; i++) {
		uint32_t first = token_at(tokens, spans->list[i].begin),
			 last = token_at(tokens, spans->list[i].end);
		if (first >= last)
			continue;
		while (node && nodes[node].last <= first)
			node = nodes[node].parent;
		bool group = spans->list[i].group && last - first > 1;
		uint32_t id = out->n++, depth = nodes[node].depth + group;
		nodes[id] = (struct tree_node){ .first = first,
			                        .last = last,
			                        .parent = node,
			                        .child = TREE_NONE,
			                        .next = TREE_NONE,
			                        .depth = depth,
			                        .sep_first = last,
			                        .sep_last = last,
			                        .kind = group ? TREE_GROUP : TREE_ITEM,
			                        .strength = group ? 0 : 1 };
		if (nodes[node].child == TREE_NONE)
			nodes[node].child = id;
		else
			nodes[last_child[node]].next = id;
		last_child[node] = id;
		out->max_depth = depth > out->max_depth ? depth : out->max_depth;
		node = id;
	}
	free(last_child);
}
