/* Blocks of indented lines as one line. */
#include <stdio.h>

#include "base/buf.h"
#include "base/work.h"
#include "edits/significant.h"
#include "edits/strategies.h"

enum { MAX_INDENT = 128 };

/* A block of indented lines in one line, as the tokenizer says (stand-in line): what it opens with,
 * the lines with what separates them, what it closes with. All that is in it is written so, too.
 * Where lines begin with a mark, as the items of a list in YAML, they are a block of their own,
 * also at the depth of the line before, and what stands behind the mark may be one that goes on in
 * the lines below. */
enum { LINE_TEXT = 16 };

struct line_form {
	char separator[LINE_TEXT], open[LINE_TEXT], close[LINE_TEXT], mark[LINE_TEXT];
};

/* A line with something in it: its first significant token, how deep that stands, where the last
 * one ends, and whether the first is the mark. */
struct code_line {
	uint32_t first, column, end;
	bool marked;
};

/* A block that is open while its lines are written. */
struct open_block {
	uint32_t column;
	const struct line_form *form;
};

struct one_line {
	const struct view *v;
	struct line_form forms[2]; /* of blocks with the mark: 1 */
	struct code_line *lines;
	uint32_t n;
	struct open_block open[MAX_INDENT + 2]; /* the first is around the block */
	uint32_t depth;
	struct buf text;
};

/* What the tokenizer says of blocks in one line; false: nothing. */
static bool read_forms(const struct tokenizer *tok, struct line_form forms[2])
{
	const char *said;
	bool any = false;
	memset(forms, 0, 2 * sizeof *forms);
	for (uint32_t i = 0; tok && (said = tokenizer_stand_in(tok, STAND_IN_LINE, i)); i++) {
		struct line_form f = { 0 };
		sscanf(said, "%15s %15s %15s %15s", f.separator, f.open, f.close, f.mark);
		forms[*f.mark != 0] = f;
		any |= !*f.mark;
	}
	return any;
}

static uint32_t column_of(const struct view *v, uint32_t token)
{
	const uint8_t *bytes = v->tc->bytes;
	uint32_t begin = view_token_begin(v, token), at = begin;
	while (at && begin - at <= MAX_INDENT && bytes[at - 1] != '\n' && bytes[at - 1] != '\r' &&
	       bytes[at - 1])
		at--;
	return begin - at;
}

static bool is_mark(const struct one_line *x, uint32_t token)
{
	const char *mark = x->forms[1].mark;
	return *mark && token_is(x->v, token, mark);
}

/* Lines that end within brackets go on. */
static void find_lines(struct one_line *x, struct arena *arena)
{
	const struct view *v = x->v;
	uint32_t depth = 0;
	bool starts = true;
	x->lines = arena_alloc(arena, (v->tokens.n + (size_t)1) * sizeof *x->lines);
	for (uint32_t t = 0; t < v->tokens.n; t++) {
		work_step(1);
		uint8_t kind = v->tokens.list[t].kind;
		starts |= view_token_frame(v, t) || (kind == TOKEN_NEWLINE && !depth);
		if (!view_token_significant(v, t) || view_token_begin(v, t) == view_token_end(v, t))
			continue;
		if (starts)
			x->lines[x->n++] = (struct code_line){ .first = t,
				                               .column = column_of(v, t),
				                               .marked = is_mark(x, t) };
		starts = false;
		depth += kind == TOKEN_OPEN;
		depth -= kind == TOKEN_CLOSE;
		x->lines[x->n - 1].end = view_token_end(v, t);
	}
}

/* The token behind the mark TOKEN in LINE; TREE_NONE: there is none. */
static uint32_t behind_mark(const struct one_line *x, const struct code_line *line, uint32_t token)
{
	uint32_t next = view_significant_from(x->v, token + 1, x->v->tokens.n);
	while (next < x->v->tokens.n && view_token_begin(x->v, next) == view_token_end(x->v, next))
		next = view_significant_from(x->v, next + 1, x->v->tokens.n);
	return view_token_begin(x->v, next) < line->end ? next : TREE_NONE;
}

/* Behind the block that begins with line I; I: none does. */
static uint32_t block_end(const struct one_line *x, uint32_t i)
{
	const struct code_line *l = &x->lines[i], *before = l - 1;
	uint32_t j = i,
		 content = before->marked ? behind_mark(x, before, before->first) : TREE_NONE;
	bool beside = l->column == before->column && l->marked && !before->marked;
	if ((l->column <= before->column && !beside) || l->column > MAX_INDENT ||
	    (content != TREE_NONE && column_of(x->v, content) == l->column))
		return i;
	while (j < x->n && (x->lines[j].column > l->column ||
	                    (x->lines[j].column == l->column && (!beside || x->lines[j].marked))))
		j++;
	return j;
}

static bool open_one(struct one_line *x, uint32_t column, bool marked, const char *apart)
{
	if (x->depth == MAX_INDENT + 1)
		return false;
	x->open[++x->depth] = (struct open_block){ column, &x->forms[marked] };
	buf_addf(&x->text, "%s%s", apart, x->forms[marked].open);
	return true;
}

static void close_one(struct one_line *x)
{
	buf_addf(&x->text, "%s", x->open[x->depth--].form->close);
}

/* Does what stands behind the mark of line K at COLUMN go on in a line below, before J? */
static bool goes_on(const struct one_line *x, uint32_t k, uint32_t j, uint32_t column)
{
	do
		k++;
	while (k < j && x->lines[k].column > column);
	return k < j && x->lines[k].column == column;
}

/* What stands between line K and the one before in one line, into the text: up to which token;
 * TREE_NONE: it cannot be. */
static uint32_t between_lines(struct one_line *x, uint32_t k, uint32_t j)
{
	const struct code_line *l = &x->lines[k];
	const struct line_form *form = &x->forms[l->marked];
	while (x->depth && (x->open[x->depth].column > l->column ||
	                    (x->open[x->depth].column == l->column &&
	                     x->open[x->depth].form != form && !l->marked)))
		close_one(x);
	if (x->depth && x->open[x->depth].column == l->column && x->open[x->depth].form == form)
		buf_addf(&x->text, "%s", form->separator);
	else if (!open_one(x, l->column, l->marked, " "))
		return TREE_NONE;
	uint32_t token = l->first;
	while (is_mark(x, token)) {
		uint32_t next = behind_mark(x, l, token);
		if (next == TREE_NONE)
			return token + 1;
		token = next;
		bool list = is_mark(x, token);
		if ((list || goes_on(x, k, j, column_of(x->v, token))) &&
		    !open_one(x, column_of(x->v, token), list, ""))
			return TREE_NONE;
	}
	return token;
}

/* The lines [I, J) in one, with the line before, as parts of the next element; how many, 0: they
 * cannot be, or that saves nothing. */
static uint32_t join_lines(struct one_line *x, uint32_t i, uint32_t j, struct arena *arena,
                           struct edit_part *parts)
{
	uint32_t n = 0;
	x->depth = 0;
	for (uint32_t k = i; k <= j; k++) {
		uint32_t begin = x->lines[k - 1].end, token = 0;
		x->text.len = 0;
		if (k < j)
			token = between_lines(x, k, j);
		while (k == j && x->depth)
			close_one(x);
		if (token == TREE_NONE)
			return 0;
		parts[n++] = (struct edit_part){
			.begin = begin,
			.end = k < j ? view_token_begin(x->v, token) : begin,
			.len = (uint32_t)x->text.len,
			.text = arena_copy(arena, x->text.data ? x->text.data : "", x->text.len),
		};
	}
	n -= !parts[n - 1].len;
	return edit_saving((struct edit){ n, parts }) > 0 ? n : 0;
}

/* INNER: only blocks in which there is none. */
static void add_blocks(struct edit_sites *p, struct one_line *x, bool inner)
{
	struct edit_part *parts = arena_alloc(&p->arena, (x->n + (size_t)1) * sizeof *parts);
	for (uint32_t i = 1, j; i<x->n; i = j> i ? j : i + 1) {
		j = block_end(x, i);
		work_step(1 + j - i);
		for (uint32_t k = i + 1; inner && k < j; k++)
			if (block_end(x, k) > k)
				j = i;
		uint32_t n = j > i ? join_lines(x, i, j, &p->arena, parts) : 0;
		for (uint32_t k = 0; k < n; k++)
			edit_sites_add_part(p, parts[k].begin, parts[k].end,
			                    (const char *)parts[k].text, parts[k].len);
		if (n)
			edit_sites_end_element(p);
	}
}

enum indent_level { OUTERMOST, INNERMOST, N_LEVELS };

static void indent_open(struct edit_sites *p)
{
	struct one_line x = { .v = p->view };
	if (!p->view->tokenizer || !read_forms(p->view->tokenizer, x.forms))
		return;
	ARENA_SCOPED struct arena scratch = { 0 };
	find_lines(&x, &scratch);
	add_blocks(p, &x, p->level == INNERMOST);
	buf_release(&x.text);
}

const struct strategy strategy_indent = {
	.shape = STRATEGY_LIST,
	.needs = STRATEGY_LINES | STRATEGY_TOKENS,
	.n_levels = N_LEVELS,
	.open = indent_open,
};
