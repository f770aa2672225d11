#include "lang/coarse.h"

#include "base/mem.h"

enum { DEEPEST = 1024 }; /* nests that are kept apart */

/* Of the items that one strength separates: where the last one begins, and where the smaller ones
 * before it that are one item by now. */
struct row {
	uint32_t run, item;
};

/* An open bracket and the items in it; all are numbers of tokens that are kept. */
struct nest {
	uint32_t token;
	uint16_t bracket;
	struct row rows[TOKEN_STRENGTH_FILE];
};

static struct nest *top(struct coarse *c)
{
	return &c->nests[c->n_nests - 1];
}

static void push_nest(struct coarse *c, uint32_t token, uint16_t bracket)
{
	MEM_GROW(c->nests, c->n_nests, c->cap_nests);
	struct nest *nest = &c->nests[c->n_nests++];
	*nest = (struct nest){ .token = token, .bracket = bracket };
	for (unsigned k = 0; k < TOKEN_STRENGTH_FILE; k++)
		nest->rows[k] = (struct row){ c->out.n, c->out.n };
}

static void push_token(struct coarse *c, struct token t)
{
	MEM_PUSH(c->out.list, c->out.n, c->cap, t);
}

/* Makes the tokens [FROM, TO) one, which ends an item if the last of all does. */
static void merge(struct coarse *c, uint32_t from, uint32_t to)
{
	struct token *list = c->out.list;
	if (to - from < 2)
		return;
	list[from] = (struct token){ .begin = list[from].begin,
		                     .kind = TOKEN_OTHER,
		                     .strength = to < c->out.n ? 0 : list[to - 1].strength };
	memmove(list + from + 1, list + to, (c->out.n - to) * sizeof *list);
	c->out.n -= to - from - 1;
}

static bool is_small(const struct coarse *c, uint32_t from, uint32_t end)
{
	return from >= c->out.n || end - c->out.list[from].begin < c->grain;
}

static bool is_bracket(const struct token *t)
{
	return t->kind == TOKEN_OPEN || t->kind == TOKEN_CLOSE;
}

/* The last token becomes part of the one before it, if both are small and in one item. */
static void join_last(struct coarse *c, uint32_t end)
{
	uint32_t n = c->out.n, at = n - 2;
	if (n < 2 || at < top(c)->token + (c->n_nests > 1))
		return;
	struct token *before = &c->out.list[at], *last = before + 1;
	if (before->strength || is_bracket(before) || is_bracket(last) || token_separates(last) ||
	    !is_small(c, at, end))
		return;
	uint8_t kind = before->kind;
	bool blank = token_is_blank(before) && token_is_blank(last) && !last->strength;
	merge(c, at, n);
	if (blank)
		c->out.list[at].kind = kind;
}

/* An item has ended with the last token, which has this strength, at END. */
static void end_item(struct coarse *c, uint8_t strength, uint32_t end)
{
	struct nest *nest = top(c);
	struct row *row = &nest->rows[strength];
	uint32_t sep = token_separates(&c->out.list[c->out.n - 1]);
	bool small = is_small(c, row->item, end);
	if (small)
		merge(c, row->item, c->out.n - sep);
	if (small && is_small(c, row->run, end))
		merge(c, row->run, c->out.n - sep);
	else
		row->run = small ? row->item : c->out.n;
	row->item = c->out.n;
	for (unsigned k = 0; k < strength; k++)
		nest->rows[k] = (struct row){ c->out.n, c->out.n };
}

/* The group that T closes; T is the last token. */
static void close_nest(struct coarse *c, uint16_t bracket, uint32_t end)
{
	uint32_t token;
	bool matches;
	do {
		token = top(c)->token;
		matches = top(c)->bracket == bracket;
		c->open[top(c)->bracket]--;
		c->n_nests--;
	} while (!matches);
	if (!is_small(c, token, end))
		return;
	merge(c, token, c->out.n);
	join_last(c, end);
}

static void begin_file(struct coarse *c)
{
	for (; c->n_nests; c->n_nests--)
		c->open[top(c)->bracket]--;
	push_nest(c, c->out.n, 0);
	c->open[0]++;
	c->deeper = 0;
}

static void take(struct coarse *c, struct token t, uint32_t end)
{
	bool opens = t.kind == TOKEN_OPEN && !t.strength, closes = t.kind == TOKEN_CLOSE;
	if (opens && (c->deeper || c->n_nests > DEEPEST)) {
		c->deeper++;
		opens = false;
	} else if (closes && c->deeper) {
		c->deeper--;
		closes = false;
	}
	closes = closes && t.bracket && c->open[t.bracket];
	if (!opens && !closes && is_bracket(&t)) {
		t.kind = TOKEN_OTHER;
		t.bracket = 0;
	}
	push_token(c, t);
	if (closes)
		close_nest(c, t.bracket, end);
	else if (opens)
		push_nest(c, c->out.n - 1, t.bracket);
	else
		join_last(c, end);
	if (opens) {
		c->open[t.bracket]++;
	} else if (t.strength == TOKEN_STRENGTH_FILE) {
		begin_file(c);
	} else if (t.strength) {
		end_item(c, t.strength, end);
	}
}

void coarse_take(struct coarse *c, const struct token *list, uint32_t n)
{
	for (uint32_t i = 0; i < n; i++)
		take(c, list[i], list[i + 1].begin);
}

void coarse_init(struct coarse *c, uint32_t grain)
{
	*c = (struct coarse){ .grain = grain, .open = mem_zero(UINT16_MAX + 1, sizeof *c->open) };
	begin_file(c);
}

void coarse_release(struct coarse *c)
{
	free(c->nests);
	free(c->open);
}
