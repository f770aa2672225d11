#include "lang/shape.h"

#include <stddef.h>

#include "base/mem.h"
#include "lang/tokenizer.h"

enum { DEEPEST = 1024 }; /* nests that are kept apart */

/* Of the items that one strength separates: where the last one begins, and where the smaller ones
 * before it that are one item by now. */
struct row {
	uint32_t run, item;
};

/* An open bracket and the items in it; all are numbers of tokens that are kept. */
struct nest {
	uint32_t token;
	uint8_t bracket;
	struct row rows[TOKEN_STRENGTH_FILE];
};

static struct nest *top(struct coarse *c)
{
	return &c->nests[c->n_nests - 1];
}

static void push_nest(struct coarse *c, uint32_t token, uint8_t bracket)
{
	MEM_GROW(c->nests, c->n_nests, c->cap_nests);
	struct nest *nest = &c->nests[c->n_nests++];
	*nest = (struct nest){ .token = token, .bracket = bracket };
	for (unsigned k = 0; k < TOKEN_STRENGTH_FILE; k++)
		nest->rows[k] = (struct row){ c->out.n, c->out.n };
}

static void push_token(struct coarse *c, struct draft t)
{
	MEM_PUSH(c->out.list, c->out.n, c->out.cap, t);
}

/* Makes the tokens [FROM, TO) one, which ends an item if the last of all does. */
static void merge(struct coarse *c, uint32_t from, uint32_t to)
{
	struct draft *list = c->out.list;
	if (to - from < 2)
		return;
	list[from].as = (struct token){
		.kind = TOKEN_OTHER,
		.strength = to < c->out.n ? 0 : list[to - 1].as.strength,
	};
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
	struct token *before = &c->out.list[at].as, *last = &c->out.list[at + 1].as;
	if (before->strength || is_bracket(before) || is_bracket(last) || token_separates(last) ||
	    !is_small(c, at, end))
		return;
	unsigned kind = before->kind;
	bool blank = token_is_blank(before) && token_is_blank(last) && !last->strength;
	merge(c, at, n);
	if (blank)
		c->out.list[at].as.kind = kind & 15u;
}

/* An item has ended with the last token, which has this strength, at END. */
static void end_coarse_item(struct coarse *c, uint8_t strength, uint32_t end)
{
	struct nest *nest = top(c);
	struct row *row = &nest->rows[strength];
	uint32_t sep = token_separates(&c->out.list[c->out.n - 1].as);
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
static void close_nest(struct coarse *c, uint8_t bracket, uint32_t end)
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

static void take(struct coarse *c, struct draft draft, uint32_t end)
{
	struct token t = draft.as;
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
	push_token(c, (struct draft){ draft.begin, t });
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
		end_coarse_item(c, t.strength, end);
	}
}

void coarse_take(struct coarse *c, const struct draft *list, uint32_t n)
{
	for (uint32_t i = 0; i < n; i++)
		take(c, list[i], list[i + 1].begin);
}

void coarse_init(struct coarse *c, uint32_t grain)
{
	*c = (struct coarse){ .grain = grain, .open = mem_zero(UINT8_MAX + 1, sizeof *c->open) };
	begin_file(c);
}

void coarse_release(struct coarse *c)
{
	free(c->out.list);
	free(c->nests);
	free(c->open);
}

#define SHAPE_NONE UINT32_MAX

static struct open_bracket *top_frame(const struct shape *shape)
{
	return &shape->frames[shape->n_frames - 1];
}

static struct tokenset set_of(unsigned bit)
{
	struct tokenset set = { { 0, 0 } };
	tokenset_add(&set, bit);
	return set;
}

static struct token *append(struct shape *shape, uint32_t begin, enum token_kind kind)
{
	struct drafts *d = &shape->tokens;
	MEM_PUSH(d->list, d->n, d->cap,
	         (struct draft){ shape->base + begin, { .kind = kind & 15u } });
	return &d->list[d->n - 1].as;
}

/* Puts a token of no bytes before the newlines behind the last token: the end of its line belongs
 * outside. */
static void insert_virtual(struct shape *shape, enum token_kind kind, uint32_t offset)
{
	append(shape, offset, kind);
	uint32_t at = shape->newline == SHAPE_NONE ? shape->tokens.n - 1 : shape->newline;
	struct draft *list = shape->tokens.list;
	uint32_t begin = at + 1 == shape->tokens.n ? shape->base + offset : list[at].begin;
	memmove(&list[at + 1], &list[at], (shape->tokens.n - 1 - at) * sizeof *list);
	list[at] =
		(struct draft){ begin, { .kind = kind & 15u, .bracket = shape->tok->layout_pair } };
	if (shape->newline != SHAPE_NONE)
		shape->newline++;
	shape->last = at;
	shape->last_set = set_of(kind);
	const struct pair *pair = &shape->tok->pairs[shape->tok->layout_pair];
	uint8_t bit = kind == TOKEN_OPEN ? pair->open_bit : pair->close_bit;
	if (bit)
		tokenset_add(&shape->last_set, bit);
	shape->ended = 0;
}

static void push_frame(struct shape *shape, uint8_t bracket, uint8_t pair, uint32_t column)
{
	MEM_PUSH(shape->frames, shape->n_frames, shape->cap_frames,
	         (struct open_bracket){ .bracket = bracket,
	                                .pair = pair,
	                                .column = column,
	                                .opened_after = shape->last_set });
	shape->open[bracket]++;
	shape->pairs_open[pair]++;
	tokenset_add(&shape->within, pair);
}

static void pop_frame(struct shape *shape)
{
	struct open_bracket *frame = top_frame(shape);
	shape->opened_after = frame->opened_after;
	shape->open[frame->bracket]--;
	if (!--shape->pairs_open[frame->pair])
		tokenset_remove(&shape->within, frame->pair);
	shape->n_frames--;
}

static void close_layout(struct shape *shape, uint32_t offset)
{
	pop_frame(shape);
	insert_virtual(shape, TOKEN_CLOSE, offset);
	tokenset_unite(&top_frame(shape)->item, shape->last_set);
	tokenset_unite(&top_frame(shape)->group, shape->last_set);
}

static void open_layout(struct shape *shape, uint32_t offset, uint32_t column)
{
	struct tokenset before = shape->last_set;
	insert_virtual(shape, TOKEN_OPEN, offset);
	tokenset_unite(&top_frame(shape)->item, shape->last_set);
	tokenset_unite(&top_frame(shape)->group, shape->last_set);
	push_frame(shape, shape->tok->layout_pair, shape->tok->layout_pair, column);
	top_frame(shape)->opened_after = before;
}

/* Width of the white space before OFFSET on its line. */
static uint32_t indentation(const struct shape *shape, uint32_t offset)
{
	uint32_t start = offset, column = 0;
	while (start > 0 && (shape->bytes[start - 1] == ' ' || shape->bytes[start - 1] == '\t'))
		start--;
	if (shape->tok->layout == LAYOUT_TAB)
		return start < offset && shape->bytes[start] == '\t';
	for (; start < offset; start++)
		column = shape->bytes[start] == '\t' ? (column / 8 + 1) * 8 : column + 1;
	return column;
}

static void apply_layout(struct shape *shape, uint32_t offset)
{
	uint32_t column = indentation(shape, offset);
	struct open_bracket *frame = top_frame(shape);
	if (!tokenset_meets(shape->tok->layout_inside, set_of(frame->pair)))
		return;
	if (shape->last == SHAPE_NONE) {
		frame->column = column;
		return;
	}
	while (frame->pair == shape->tok->layout_pair && column < frame->column) {
		close_layout(shape, offset);
		frame = top_frame(shape);
	}
	if (column > frame->column)
		open_layout(shape, offset, column);
}

static bool guard_holds(const struct guard *guard, const struct tokenset *now)
{
	for (unsigned a = 0; a < ASPECT_N; a++) {
		if (guard->wanted & 1u << a && !tokenset_meets(guard->want[a], now[a]))
			return false;
		if (tokenset_meets(guard->refuse[a], now[a]))
			return false;
	}
	return true;
}

static void look(const struct shape *shape, struct tokenset next, struct tokenset now[ASPECT_N])
{
	const struct open_bracket *frame = top_frame(shape);
	now[ASPECT_AFTER] = shape->last_set;
	now[ASPECT_BEFORE] = next;
	now[ASPECT_OPENED_AFTER] = shape->opened_after;
	now[ASPECT_INSIDE] = set_of(frame->pair);
	now[ASPECT_WITHIN] = shape->within;
	now[ASPECT_ITEM] = frame->item;
	now[ASPECT_GROUP] = frame->group;
}

bool shape_guard_holds(const struct shape *shape, int guard)
{
	struct tokenset now[ASPECT_N];
	look(shape, (struct tokenset){ { 0, 0 } }, now);
	if (shape->line_start)
		tokenset_add(&now[ASPECT_AFTER], TOKENSET_LINE);
	return guard_holds(&shape->tok->guards[guard], now);
}

/* The strength that the strongest rule of this type gives to a token with SET before NEXT; 0 when
 * no rule applies. */
static uint8_t item_strength(const struct shape *shape, enum item_rule_type type,
                             struct tokenset set, struct tokenset next, bool *found)
{
	struct tokenset now[ASPECT_N];
	uint8_t strength = 0;
	look(shape, next, now);
	for (size_t i = 0; i < shape->tok->n_items; i++) {
		const struct item_rule *rule = &shape->tok->items[i];
		if (rule->type != type || !tokenset_meets(rule->tokens, set) ||
		    !guard_holds(&rule->guard, now))
			continue;
		*found = true;
		if (rule->strength > strength)
			strength = rule->strength;
	}
	return strength;
}

static void end_item(struct shape *shape, uint32_t token, uint8_t strength)
{
	shape->tokens.list[token].as.strength = strength & 15u;
	shape->ended = strength;
	top_frame(shape)->item = (struct tokenset){ { 0, 0 } };
}

/* Decides, now that NEXT is known, whether an item ends with the last token or with the newline
 * behind it. */
static void settle(struct shape *shape, struct tokenset next)
{
	const struct tokenizer *tok = shape->tok;
	bool found = false;
	if (shape->last == SHAPE_NONE || shape->tokens.list[shape->last].as.kind == TOKEN_OPEN)
		return;
	if (tokenset_meets(tok->item_tokens[ITEM_JOIN], shape->last_set)) {
		item_strength(shape, ITEM_JOIN, shape->last_set, next, &found);
		if (found)
			shape->ended = shape->tokens.list[shape->last].as.strength = 0;
	}
	if (!found && tokenset_meets(tok->item_tokens[ITEM_END], shape->last_set)) {
		uint8_t strength = item_strength(shape, ITEM_END, shape->last_set, next, &found);
		if (strength > shape->ended)
			end_item(shape, shape->last, strength);
	}
	struct tokenset newline = set_of(TOKEN_NEWLINE);
	if (shape->newline != SHAPE_NONE && tokenset_meets(tok->item_tokens[ITEM_END], newline)) {
		uint8_t strength = item_strength(shape, ITEM_END, newline, next, &found);
		if (strength > shape->ended)
			end_item(shape, shape->newline, strength);
	}
}

/* Puts a terminator of no bytes before a token that begins an item. */
static void begin_item(struct shape *shape, uint32_t offset, struct tokenset set)
{
	bool found = false;
	if (shape->last == SHAPE_NONE || shape->tokens.list[shape->last].as.kind == TOKEN_OPEN)
		return;
	uint8_t strength =
		item_strength(shape, ITEM_BEGIN, set, (struct tokenset){ { 0, 0 } }, &found);
	if (strength <= shape->ended)
		return;
	append(shape, offset, TOKEN_TERMINATOR);
	end_item(shape, shape->tokens.n - 1, strength);
}

static void close_bracket(struct shape *shape, const struct shape_token *token)
{
	shape->opened_after = (struct tokenset){ { 0, 0 } };
	if (!shape->open[token->bracket])
		return;
	while (top_frame(shape)->bracket != token->bracket) {
		if (shape->tok->layout && top_frame(shape)->pair == shape->tok->layout_pair)
			close_layout(shape, token->begin);
		else
			pop_frame(shape);
	}
	pop_frame(shape);
}

static struct tokenset properties(const struct shape *shape, const struct shape_token *token)
{
	struct tokenset set = set_of(token->kind);
	if (token->word && token->word->bit)
		tokenset_add(&set, token->word->bit);
	if (token->pair) {
		const struct pair *pair = &shape->tok->pairs[token->pair];
		uint8_t bit = token->kind == TOKEN_OPEN ? pair->open_bit : pair->close_bit;
		if (bit)
			tokenset_add(&set, bit);
	}
	if (shape->line_start)
		tokenset_add(&set, TOKENSET_LINE);
	if (token->kind == TOKEN_IDENTIFIER && shape->tok->name_marks[0]) {
		const uint8_t *text = shape->bytes + token->begin;
		if (tokenizer_is_label(shape->tok, text, token->len))
			tokenset_add(&set, TOKENSET_LABEL);
		if (text[token->len + strspn((const char *)text + token->len, " \t")] == '=')
			tokenset_add(&set, TOKENSET_DEFINED);
	}
	return set;
}

void shape_blank(struct shape *shape, uint32_t begin, enum token_kind kind)
{
	append(shape, begin, kind);
	if (kind != TOKEN_NEWLINE)
		return;
	shape->line_start = true;
	if (shape->newline == SHAPE_NONE)
		shape->newline = shape->tokens.n - 1;
}

void shape_token(struct shape *shape, const struct shape_token *token)
{
	if (shape->line_start && shape->tok->layout)
		apply_layout(shape, token->begin);
	struct tokenset set = properties(shape, token);
	if (shape->tok->n_items) {
		settle(shape, set);
		if (tokenset_meets(shape->tok->item_tokens[ITEM_BEGIN], set))
			begin_item(shape, token->begin, set);
	}
	tokenset_remove(&set,
	                TOKENSET_LINE); /* what comes behind it is not the first on the line */
	if (token->kind == TOKEN_CLOSE)
		close_bracket(shape, token);
	struct open_bracket *frame = top_frame(shape);
	tokenset_unite(&frame->item, set);
	tokenset_unite(&frame->group, set);
	if (token->strength)
		frame->item = (struct tokenset){ { 0, 0 } };
	if (token->kind == TOKEN_OPEN)
		push_frame(shape, token->bracket, token->pair, frame->column);
	struct token *t = append(shape, token->begin, (enum token_kind)token->kind);
	t->bracket = token->bracket;
	shape->ended = token->strength;
	t->strength = token->strength & 15u;
	shape->last = shape->tokens.n - 1;
	shape->last_set = set;
	shape->newline = SHAPE_NONE;
	uint8_t end = shape->bytes[token->begin + token->len - 1];
	shape->line_start = end == '\n' || end == '\r';
}

uint8_t shape_reopen_item(struct shape *shape)
{
	struct token *last = shape->last == SHAPE_NONE ? NULL : &shape->tokens.list[shape->last].as;
	if (!last || last->kind != TOKEN_TERMINATOR)
		return 0;
	uint8_t strength = last->strength;
	shape->ended = last->strength = 0;
	return strength;
}

void shape_init(struct shape *shape, const struct tokenizer *tok)
{
	*shape = (struct shape){ .tok = tok, .open = mem_zero(UINT8_MAX + 1, sizeof *shape->open) };
}

void shape_release(struct shape *shape)
{
	free(shape->open);
	free(shape->frames);
}

void shape_begin_file(struct shape *shape, const uint8_t *bytes, uint32_t base)
{
	shape->bytes = bytes;
	shape->base = base;
	MEM_GROW(shape->frames, 0, shape->cap_frames);
	shape->n_frames = 1;
	shape->frames[0] = (struct open_bracket){ .bracket = 0 };
	shape->last = shape->newline = SHAPE_NONE;
	shape->last_set = shape->opened_after = (struct tokenset){ { 0, 0 } };
	shape->ended = 0;
	shape->line_start = true;
}

void shape_end_file(struct shape *shape, uint32_t size)
{
	while (shape->n_frames > 1) {
		if (shape->tok->layout && top_frame(shape)->pair == shape->tok->layout_pair)
			close_layout(shape, size);
		else
			pop_frame(shape);
	}
	settle(shape, (struct tokenset){ { 0, 0 } });
}

/* Hands over the first N of the last tokens. */
static void hand_over(struct shape *shape, uint32_t n)
{
	struct drafts *t = &shape->tokens;
	if (shape->coarse)
		coarse_take(shape->coarse, t->list, n);
	for (uint32_t i = 0; i < n && !shape->coarse; i++)
		tokens_push(shape->out, t->list[i].as, t->list[i].begin);
	t->n -= n;
	if (n)
		memmove(t->list, t->list + n, t->n * sizeof *t->list);
}

void shape_hand_over(struct shape *shape)
{
	struct drafts *t = &shape->tokens;
	uint32_t n = t->n - 1; /* the last one ends where the next one begins */
	if (shape->last != SHAPE_NONE && shape->last < n)
		n = shape->last;
	if (shape->newline != SHAPE_NONE && shape->newline < n)
		n = shape->newline;
	hand_over(shape, n);
	shape->last -= shape->last == SHAPE_NONE ? 0 : n;
	shape->newline -= shape->newline == SHAPE_NONE ? 0 : n;
}

void shape_finish(struct shape *shape, uint32_t size)
{
	struct coarse *c = shape->coarse;
	uint32_t n = shape->tokens.n;
	shape->base = 0;
	append(shape, size, TOKEN_OTHER);
	hand_over(shape, n);
	for (uint32_t i = 0; c && i < c->out.n; i++)
		tokens_push(shape->out, c->out.list[i].as, c->out.list[i].begin);
	tokens_finish(shape->out, size);
}

void shape_frame(struct shape *shape, uint32_t size)
{
	append(shape, size, TOKEN_TERMINATOR)->strength = TOKEN_STRENGTH_FILE;
}
