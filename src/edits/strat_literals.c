/* Strategies over numbers that are names, with a sign in front: the variables of formulas, in
 * clauses that end with a zero. Which tokens these are the tokenizer says (numeric-names). */

#include "base/buf.h"
#include "edits/names.h"
#include "edits/strategies.h"

enum {
	PARTNERS = 8,   /* variables that one is replaced with */
	DIGITS_MAX = 9, /* of a variable */
};

/* What happens to a variable; the last one is tried first. */
enum {
	FLIP,                        /* its sign changes everywhere */
	MERGE,                       /* it becomes another one, or the opposite of that, by turns */
	GONE = MERGE + 2 * PARTNERS, /* it is taken out of its clauses */
	FREE,                        /* its clauses go */
	REFUTED, /* it has the value that makes fewer clauses true; these go, and it is taken out
	            of the others */
	ASSUMED, /* the other value */
	N_WAYS,
};

struct literal {
	uint32_t value, token, clause;
	bool negative;
};

struct clause {
	uint32_t first; /* of its literals */
	uint32_t begin, end;
};

struct literals {
	uint32_t n, n_clauses, n_names;
	struct literal *list;   /* in document order */
	struct clause *clauses; /* one more than there are */
	uint32_t *order;        /* literals by value */
	uint32_t *first;        /* of each name in `order`; one more than there are */
};

/* The sign in front of names that are numbers; NULL: numbers at TOKEN are none. */
static const char *sign_at(const struct view *v, uint32_t token)
{
	const struct token *t = &v->tokens.list[token];
	return t->kind == TOKEN_NUMBER && t->strength
	               ? tokenizer_numeric_sign(view_tokenizer_at(v, view_token_begin(v, token)))
	               : NULL;
}

static uint32_t read_digits(const uint8_t *text, uint32_t len)
{
	uint32_t value = 0;
	if (!len || len > DIGITS_MAX || (len > 1 && text[0] == '0'))
		return UINT32_MAX;
	for (uint32_t i = 0; i < len; i++) {
		if (text[i] < '0' || text[i] > '9')
			return UINT32_MAX;
		value = value * 10 + (text[i] - '0');
	}
	return value;
}

/* Reads TOKEN, whose names have SIGN in front; false: it is no number. */
static bool read_literal(const struct view *v, uint32_t token, const char *sign,
                         struct literal *out)
{
	uint32_t len, skip = (uint32_t)strlen(sign);
	const uint8_t *text = v->tc->bytes + view_token_begin(v, token);
	len = view_token_end(v, token) - view_token_begin(v, token);
	out->negative = len > skip && !memcmp(text, sign, skip);
	skip = out->negative ? skip : 0;
	out->value = read_digits(text + skip, len - skip);
	out->token = token;
	return out->value != UINT32_MAX;
}

/* Where what follows TOKEN begins: white space goes with it, up to a line end at most. */
static uint32_t cut_end(const struct view *v, uint32_t token, bool line_end)
{
	uint32_t t = token + 1;
	while (t < v->tokens.n && v->tokens.list[t].kind == TOKEN_BLANK)
		t++;
	if (line_end && t < v->tokens.n && v->tokens.list[t].kind == TOKEN_NEWLINE)
		t++;
	return view_token_begin(v, t);
}

static void read_clauses(const struct view *v, struct literals *l)
{
	uint32_t open = 0;
	for (uint32_t t = 0; t < v->tokens.n; t++) {
		const char *sign = sign_at(v, t);
		struct literal *x = &l->list[l->n];
		if (!sign || !read_literal(v, t, sign, x))
			continue;
		if (!open++)
			l->clauses[l->n_clauses] =
				(struct clause){ .first = l->n, .begin = view_token_begin(v, t) };
		l->clauses[l->n_clauses].end = cut_end(v, t, true);
		x->clause = l->n_clauses;
		if (x->value)
			l->n++;
		else
			open = 0;
		l->n_clauses += !open;
	}
	l->n_clauses += open > 0;
	l->clauses[l->n_clauses] = (struct clause){ .first = l->n };
}

static int by_value(const void *a, const void *b, void *arg)
{
	const struct literal *list = arg;
	uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;
	if (list[x].value != list[y].value)
		return list[x].value < list[y].value ? -1 : 1;
	return x < y ? -1 : x > y;
}

static struct literals *literals_new(const struct view *v, struct arena *arena)
{
	struct literals *l = arena_zero(arena, sizeof *l);
	uint32_t room = 1;
	for (uint32_t t = 0; t < v->tokens.n; t++)
		room += sign_at(v, t) != NULL;
	l->list = arena_alloc(arena, (room + (size_t)1) * sizeof *l->list);
	l->clauses = arena_alloc(arena, (room + (size_t)1) * sizeof *l->clauses);
	l->order = arena_alloc(arena, room * sizeof *l->order);
	l->first = arena_alloc(arena, (room + (size_t)1) * sizeof *l->first);
	read_clauses(v, l);
	for (uint32_t i = 0; i < l->n; i++)
		l->order[i] = i;
	qsort_r(l->order, l->n, sizeof *l->order, by_value, l->list);
	for (uint32_t i = 0; i < l->n; i++)
		if (!i || l->list[l->order[i]].value != l->list[l->order[i - 1]].value)
			l->first[l->n_names++] = i;
	l->first[l->n_names] = l->n;
	return l;
}

static void literals_open(struct edit_sites *p)
{
	struct literals *l = literals_new(p->view, &p->arena);
	p->data = l;
	p->n = p->options.keep_names ? 0 : l->n_names;
}

static uint32_t literals_ends(const struct edit_sites *p, uint32_t i)
{
	const struct literals *l = p->data;
	return l->first[i + 1] - l->first[i] > NAMES_MAX_USES ? 0 : N_WAYS;
}

static struct edit_part clause_cut(const struct literals *l, uint32_t clause)
{
	return (struct edit_part){ .begin = l->clauses[clause].begin,
		                   .end = l->clauses[clause].end };
}

static struct edit_part literal_cut(const struct view *v, const struct literal *x)
{
	return (struct edit_part){ .begin = view_token_begin(v, x->token),
		                   .end = cut_end(v, x->token, false) };
}

/* X written as VALUE with or without the sign. */
static struct edit_part literal_as(const struct view *v, const struct literal *x, uint32_t value,
                                   bool negative, struct arena *arena)
{
	BUF_SCOPED struct buf text = { 0 };
	buf_addf(&text, "%s%u", negative ? sign_at(v, x->token) : "", value);
	uint8_t *kept = arena_copy(arena, text.data, text.len);
	return (struct edit_part){ .begin = view_token_begin(v, x->token),
		                   .end = view_token_end(v, x->token),
		                   .len = (uint32_t)text.len,
		                   .text = kept };
}

/* Clauses in which the name has the sign NEGATIVE go, or ALL in which it is, or NONE; it goes from
 * the others. */
static uint32_t cut_parts(const struct view *v, const struct literals *l, uint32_t name, bool all,
                          bool none, bool negative, struct edit_part *parts)
{
	uint32_t n = 0;
	for (uint32_t k = l->first[name]; k < l->first[name + 1]; k++) {
		const struct literal *x = &l->list[l->order[k]];
		bool whole = all || (!none && x->negative == negative);
		parts[n++] = whole ? clause_cut(l, x->clause) : literal_cut(v, x);
	}
	return n;
}

/* The sign of VALUE in a clause: bit 0: without, bit 1: with; literals of OTHER count as VALUE,
 * turned round if FLIPPED. */
static unsigned signs_in(const struct literals *l, uint32_t clause, uint32_t value, uint32_t other,
                         bool flipped)
{
	unsigned signs = 0;
	for (uint32_t i = l->clauses[clause].first; i < l->clauses[clause + 1].first; i++) {
		const struct literal *x = &l->list[i];
		if (x->value == value)
			signs |= 1u << x->negative;
		else if (x->value == other)
			signs |= 1u << (x->negative != flipped);
	}
	return signs;
}

static bool has_before(const struct literals *l, uint32_t at, uint32_t other)
{
	const struct literal *x = &l->list[at];
	for (uint32_t i = l->clauses[x->clause].first; i < at; i++)
		if (l->list[i].value == other)
			return true;
	return false;
}

/* The name becomes VALUE: clauses that this makes true for sure go, and what is said twice. */
static uint32_t merge_parts(const struct view *v, const struct literals *l, uint32_t name,
                            uint32_t value, bool flipped, struct edit_part *parts,
                            struct arena *arena)
{
	uint32_t n = 0, last = UINT32_MAX, old = l->list[l->order[l->first[name]]].value;
	unsigned before = 0, signs = 0;
	for (uint32_t k = l->first[name]; k < l->first[name + 1]; k++) {
		const struct literal *x = &l->list[l->order[k]];
		bool again = x->clause == last;
		if (!again) {
			before = signs_in(l, x->clause, value, value, false);
			signs = signs_in(l, x->clause, value, old, flipped);
			last = x->clause;
		}
		if (signs == 3 && before != 3)
			parts[n++] = clause_cut(l, x->clause);
		else if (before || (again && has_before(l, l->order[k], old)))
			parts[n++] = literal_cut(v, x);
		else
			parts[n++] = literal_as(v, x, value, x->negative != flipped, arena);
	}
	return n;
}

/* Fewer signs are simpler. */
static uint32_t flip_parts(const struct view *v, const struct literals *l, uint32_t name,
                           struct edit_part *parts, struct arena *arena)
{
	uint32_t n = 0, negative = 0;
	for (uint32_t k = l->first[name]; k < l->first[name + 1]; k++) {
		const struct literal *x = &l->list[l->order[k]];
		negative += x->negative;
		parts[n++] = literal_as(v, x, x->value, !x->negative, arena);
	}
	return 2 * negative > n ? n : 0;
}

static bool literals_edit(const struct edit_sites *p, uint32_t i, uint32_t j, struct arena *arena,
                          struct edit *out)
{
	const struct literals *l = p->data;
	const struct view *v = p->view;
	uint32_t uses = l->first[i + 1] - l->first[i], n, negative = 0;
	struct edit_part *parts = arena_alloc(arena, (uses + (size_t)1) * sizeof *parts);
	for (uint32_t k = l->first[i]; k < l->first[i + 1]; k++)
		negative += l->list[l->order[k]].negative;
	bool more = 2 * negative > uses;
	if (j == FLIP)
		n = flip_parts(v, l, i, parts, arena);
	else if (j < GONE) {
		uint32_t step = (GONE - 1 - j) / 2 + 1;
		if (step >= l->n_names)
			return false;
		uint32_t other = (i + l->n_names - step) % l->n_names;
		n = merge_parts(v, l, i, l->list[l->order[l->first[other]]].value,
		                !((GONE - 1 - j) % 2 == 0), parts, arena);
	} else
		n = cut_parts(v, l, i, j == FREE, j == GONE, j == ASSUMED ? more : !more, parts);
	return n && edit_make(arena, parts, n, out);
}

const struct strategy strategy_literals = {
	.shape = STRATEGY_CUTTING,
	.needs = STRATEGY_TOKENS,
	.open = literals_open,
	.ends = literals_ends,
	.edit = literals_edit,
};

/* ---- numbers without gaps ---- */

/* The first number in front of the clauses that is no name and bounds all, as large as they need.
 */
static void add_bound(struct edit_sites *p, uint32_t largest, uint32_t n)
{
	const struct view *v = p->view;
	for (uint32_t t = 0; t < v->tokens.n; t++) {
		struct literal x;
		if (sign_at(v, t))
			return;
		if (v->tokens.list[t].kind != TOKEN_NUMBER || !read_literal(v, t, "", &x) ||
		    x.value < largest)
			continue;
		struct edit_part part = literal_as(v, &x, n, false, &p->arena);
		if (x.value > n)
			edit_sites_add_part(p, part.begin, part.end, (const char *)part.text,
			                    part.len);
		return;
	}
}

/* What each literal's name becomes: those above their number one that is free below; 0: it stays.
 */
static uint32_t *free_numbers(const struct literals *l, struct arena *arena)
{
	uint32_t *to = arena_zero(arena, (l->n + (size_t)1) * sizeof *to), next = 1, used = 0;
	for (uint32_t name = 0; name < l->n_names; name++) {
		if (l->list[l->order[l->first[name]]].value <= l->n_names)
			continue;
		for (; l->list[l->order[l->first[used]]].value == next; used++)
			next++;
		for (uint32_t k = l->first[name]; k < l->first[name + 1]; k++)
			to[l->order[k]] = next;
		next++;
	}
	return to;
}

static void add_renamed(struct edit_sites *p, const struct literal *x, uint32_t to)
{
	if (!to)
		return;
	struct edit_part part = literal_as(p->view, x, to, x->negative, &p->arena);
	edit_sites_add_part(p, part.begin, part.end, (const char *)part.text, part.len);
}

/* All names at once, with the first number that is none and bounds them; then each by itself. */
static void dense_open(struct edit_sites *p)
{
	struct literals *l = literals_new(p->view, &p->arena);
	uint32_t n = l->n_names;
	if (!n || p->options.keep_names)
		return;
	uint32_t *to = free_numbers(l, &p->arena);
	if (p->level == 0) {
		add_bound(p, l->list[l->order[l->first[n - 1]]].value, n);
		for (uint32_t i = 0; i < l->n; i++)
			add_renamed(p, &l->list[i], to[i]);
		edit_sites_end_element(p);
		return;
	}
	for (uint32_t name = 0; name < n; name++) {
		for (uint32_t k = l->first[name]; k < l->first[name + 1]; k++)
			add_renamed(p, &l->list[l->order[k]], to[l->order[k]]);
		edit_sites_end_element(p);
	}
}

const struct strategy strategy_dense = {
	.shape = STRATEGY_LIST,
	.needs = STRATEGY_TOKENS,
	.n_levels = 2,
	.open = dense_open,
};
