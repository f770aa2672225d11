#include "text/spans.h"

#include <inttypes.h>
#include <stdio.h>

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
		return MEM_ORDER(x, y, span.begin);
	return x->span.end != y->span.end ? MEM_ORDER(y, x, span.end) : MEM_ORDER(x, y, line);
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
	const struct io_bounds bounds = { .most = TESTCASE_MAX_SIZE };
	BUF_SCOPED struct buf text = { 0 };
	MEM_SCOPED struct line_span *list = NULL;
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
	return spans;
}

/* ---- following edits ---- */

static uint32_t map_offset(struct edit edit, const int64_t *shift, uint32_t at)
{
	return edit_moved(edit, shift, MEM_FIRST(edit.parts, edit.n, begin, at), at);
}

struct spans *spans_map(const struct spans *spans, struct edit edit)
{
	struct spans *out = mem_alloc(sizeof *out);
	*out = (struct spans){ .refs = 1,
		               .list = mem_alloc((spans->n + (size_t)1) * sizeof *out->list) };
	MEM_SCOPED int64_t *shift = edit_shifts(edit);
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
	return out;
}
