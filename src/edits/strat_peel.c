/* What brackets or quotes enclose stays, what is around it goes at once on both sides: the word in
 * front of a string that holds code, the head of a function inside of its brackets with the call
 * behind it, or with the statement that hands it to somebody; the head of a scope with its name
 * in front of others (a::b) and what qualifies its members (a->f()).
 * Layout is left to lift, which moves its lines. */
#include <ctype.h>

#include "base/mem.h"
#include "base/work.h"
#include "edits/marks.h"
#include "edits/names.h"
#include "edits/significant.h"
#include "edits/strategies.h"

enum head {
	OPEN,
	ONE_BEFORE,
	ITEM,
	STATEMENT,
	INNER,
	FIRST,
	STATEMENT_INNER,
	STATEMENT_FIRST,
	AROUND,
	BEFORE_AROUND,
	SCOPE
};
enum tail { CLOSE, NEXT_GROUP, STATEMENT_END, AROUND_END };

/* Both sides of a group, and of a string. INNER: up to the first group within; FIRST: up to the
 * second item. The last ones are for brackets that are words, which have their heads inside. */
static const struct {
	uint8_t head, tail;
} around_group[] = {
	{ ONE_BEFORE, CLOSE }, { ITEM, CLOSE }, { STATEMENT, NEXT_GROUP }, { INNER, NEXT_GROUP },
	{ SCOPE, CLOSE }, { FIRST, CLOSE }, { STATEMENT_INNER, STATEMENT_END },
	{ STATEMENT_FIRST, STATEMENT_END },
}, around_string[] = {
	{ OPEN, CLOSE }, { ITEM, CLOSE }, { AROUND, AROUND_END }, { BEFORE_AROUND, AROUND_END },
};
enum {
	N_GROUP = sizeof around_group / sizeof *around_group,
	N_WORD = 3, /* for brackets that are words */
	N_STRING = sizeof around_string / sizeof *around_string
};

struct peeling {
	struct peel {
		uint32_t first, last; /* tokens */
		uint32_t node;        /* the group; of a string the one around it */
		uint32_t begin, end;  /* bytes: what is inside */
		bool string;
	} * starts;
	uint32_t *open; /* per token: the one that opens the group that it closes, itself: none */
	struct names *names;
};

/* What a string says: what is between its quotes; of a here-document the lines. */
static void set_inside(const struct view *v, struct peel *s)
{
	const uint8_t *bytes = v->tc->bytes;
	uint32_t begin = view_token_begin(v, s->first), end = view_token_begin(v, s->last);
	s->begin = begin + 1;
	s->end = end - 1;
	if (bytes[begin] != '\n')
		return;
	while (s->end > begin && bytes[s->end - 1] != '\n')
		s->end--;
	while (s->begin < s->end && bytes[s->begin - 1] != '\n')
		s->begin++;
	if (s->end > s->begin)
		s->end--;
}

static void peel_open(struct edit_sites *p)
{
	const struct view *v = p->view;
	struct peeling *x = arena_alloc(&p->arena, sizeof *x);
	x->names = names_new_placed(v, &p->arena);
	x->open = arena_alloc(&p->arena, (v->tokens.n + (size_t)1) * sizeof *x->open);
	for (uint32_t t = 0; t <= v->tokens.n; t++)
		x->open[t] = t;
	x->starts = arena_alloc(&p->arena, (v->tree.n + v->tokens.n) * sizeof *x->starts);
	for (uint32_t i = 1; i < v->tree.n; i++) {
		const struct tree_node *n = &v->tree.nodes[i];
		struct peel s = { .first = n->first, .last = tree_end(&v->tree, i), .node = i };
		s.begin = view_token_begin(v, n->first + 1);
		if (n->kind != TREE_GROUP || view_token_begin(v, n->first) == s.begin)
			continue;
		s.end = view_token_begin(v, tree_end(&v->tree, i) - 1);
		x->open[tree_end(&v->tree, i) - 1] = n->first;
		x->starts[p->n++] = s;
	}
	for (uint32_t t = 0; t < v->tokens.n; t++) {
		struct peel s = { .first = t, .last = t + 1, .string = true };
		if (v->tokens.list[t].kind != TOKEN_STRING ||
		    view_token_end(v, t) <= view_token_begin(v, t) + 2)
			continue;
		s.node = view_group_around(v, x->names->item[t]);
		set_inside(v, &s);
		x->starts[p->n++] = s;
	}
	p->data = x;
}

static uint32_t peel_ends(const struct edit_sites *p, uint32_t i)
{
	const struct peeling *x = p->data;
	const struct peel *s = &x->starts[i];
	if (s->string)
		return N_STRING;
	return isalpha(p->view->tc->bytes[view_token_begin(p->view, s->first)]) ? N_GROUP
	                                                                        : N_GROUP - N_WORD;
}

/* The first group that begins at TOKEN or behind, at most 6 tokens later; TREE_NONE: none. */
static uint32_t group_near(const struct view *v, uint32_t token, uint32_t stop)
{
	uint32_t i = marks_group_behind(v, token);
	return i != TREE_NONE && v->tree.nodes[i].first <= token + 6 &&
	                       tree_end(&v->tree, i) <= stop
	               ? i
	               : TREE_NONE;
}

/* The token at which what goes in front begins; TREE_NONE: there is none. */
static uint32_t head_begin(const struct peeling *x, const struct view *v, const struct peel *s,
                           enum head head)
{
	uint32_t item = x->names->item[s->first];
	if (head == ONE_BEFORE)
		return view_significant_before(v, s->first);
	if (head == AROUND || head == BEFORE_AROUND) {
		uint32_t open = s->node == TREE_NONE ? TREE_NONE : v->tree.nodes[s->node].first;
		return head == AROUND || open == TREE_NONE ? open
		                                           : view_significant_before(v, open);
	}
	if (head == OPEN || head == INNER || head == FIRST)
		return s->first;
	if (head != ITEM && head != SCOPE)
		item = names_statement(v, item);
	if (item == TREE_NONE || v->tree.nodes[item].first >= s->first)
		return TREE_NONE;
	return v->tree.nodes[item].first;
}

/* Where the head that stands within the brackets ends; the end of all: there is none. */
static uint32_t inner_head_end(const struct view *v, const struct peel *s, enum head head)
{
	uint32_t node;
	if (head == INNER || head == STATEMENT_INNER) {
		node = group_near(v, s->first + 1, s->last - 1);
		return node == TREE_NONE ? s->end : view_node_end(v, node);
	}
	for (node = tree_child(v->tree.nodes, s->node); node != TREE_NONE;
	     node = tree_next(&v->tree, node))
		if (v->tree.nodes[node].kind == TREE_ITEM)
			return names_item_cut(v, node).end;
	return s->end;
}

/* Where what goes in front begins and ends, in bytes; begin == end: there is none. */
static struct edit_part head_of(const struct peeling *x, const struct view *v, const struct peel *s,
                                enum head head)
{
	uint32_t from = head_begin(x, v, s, head);
	struct edit_part part = { 0 };
	if (from == TREE_NONE)
		return part;
	part.begin = view_token_begin(v, from);
	part.end = s->begin;
	if (head == INNER || head == FIRST || head == STATEMENT_INNER || head == STATEMENT_FIRST)
		part.end = inner_head_end(v, s, head);
	return part;
}

static struct edit_part tail_of(const struct peeling *x, const struct view *v, const struct peel *s,
                                enum tail tail)
{
	uint32_t item = x->names->item[s->first], to = s->last, group;
	struct edit_part part = { .begin = s->end };
	if (tail == AROUND_END && s->node != TREE_NONE)
		to = tree_end(&v->tree, s->node);
	else if (tail == NEXT_GROUP) {
		group = group_near(v, s->last, v->tokens.n);
		to = group == TREE_NONE ? s->first : tree_end(&v->tree, group);
	} else if (tail == STATEMENT_END) {
		item = names_statement(v, item);
		to = item == TREE_NONE ? s->first : tree_end(&v->tree, item);
	}
	part.end = view_token_begin(v, to);
	return part;
}

/* Is the name at TOKEN what the head of another scope says besides that one's: class b extends a?
 */
static bool is_said_besides(const struct peeling *x, const struct view *v, uint32_t token)
{
	uint32_t word = view_significant_before(v, token),
		 name = word == TREE_NONE ? word : view_significant_before(v, word);
	return name != TREE_NONE && x->names->of[name] != TREE_NONE &&
	       (v->tokens.list[word].kind == TOKEN_KEYWORD || token_is(v, word, ":") ||
	        token_is(v, word, "<"));
}

/* The name of a scope: the first one in an item that begins with a word of the language, or that in
 * front of its brackets. TREE_NONE: there is none. */
static uint32_t scope_name(const struct peeling *x, const struct view *v, const struct peel *s)
{
	uint32_t item = x->names->item[s->first], front = view_significant_before(v, s->first);
	uint32_t t = item == TREE_NONE ? s->first : v->tree.nodes[item].first;
	if (t < s->first && v->tokens.list[t].kind == TOKEN_KEYWORD)
		for (; t < s->first; t++)
			if (x->names->of[t] != TREE_NONE)
				return x->names->of[t];
	return front == TREE_NONE ? TREE_NONE : x->names->of[front];
}

/* Per name: does something in the scope begin with it, or with words and it, and brackets? */
static bool *find_members(const struct peeling *x, const struct view *v, const struct peel *s,
                          struct arena *arena)
{
	bool *is = arena_zero(arena, x->names->n * sizeof *is);
	for (uint32_t t = s->first + 1; t + 1 < s->last; t++)
		if (x->names->of[t] != TREE_NONE && x->names->item[t] != TREE_NONE &&
		    view_group_around(v, x->names->item[t]) == s->node)
			is[x->names->of[t]] |= v->tokens.list[t + 1].kind == TOKEN_OPEN;
	return is;
}

/* What goes at TOKEN with a scope of this NAME and these MEMBERS: its name in front of others and
 * in the heads of other scopes, what qualifies its members; begin == end: nothing. */
static struct edit_part scope_part(const struct peeling *x, const struct view *v, uint32_t token,
                                   uint32_t name, const bool *members)
{
	struct edit_part part = { .begin = view_token_begin(v, token),
		                  .end = view_token_begin(v, token) };
	if (x->names->of[token] == name && token + 2 < v->tokens.n && names_is_mark(v, token + 1) &&
	    x->names->of[token + 2] != TREE_NONE)
		part.end = view_token_begin(v, token + 2);
	else if (x->names->of[token] == name && is_said_besides(x, v, token)) {
		part.begin = view_token_begin(v, view_significant_before(v, token));
		part.end = view_token_end(v, token);
	} else if (x->names->of[token] != TREE_NONE && members[x->names->of[token]])
		part.begin = view_token_begin(v, names_qualifier(v, token, x->open));
	return part;
}

/* The head and the end of a scope in ENDS, with its name wherever that qualifies another, and with
 * what qualifies its members: class a { function f() {} } $x->f() becomes function f() {} f(). */
static bool scope_edit(const struct peeling *x, const struct view *v, const struct peel *s,
                       const struct edit_part *ends, struct arena *arena, struct edit *out)
{
	uint32_t name = scope_name(x, v, s), n = 0, side = 0, done = 0;
	if (name == TREE_NONE || ends[0].begin >= ends[0].end || ends[1].begin >= ends[1].end)
		return false;
	const bool *members = find_members(x, v, s, arena);
	MEM_SCOPED struct edit_part *parts = NULL;
	uint32_t cap = 0;
	work_step(v->tokens.n);
	for (uint32_t t = 0; t <= v->tokens.n; t++) {
		for (; side < 2 && view_token_begin(v, t) >= ends[side].begin; side++) {
			while (n && parts[n - 1].end > ends[side].begin)
				n--; /* goes as a whole */
			MEM_PUSH(parts, n, cap, ends[side]);
			done = ends[side].end;
		}
		struct edit_part part = scope_part(x, v, t, name, members);
		if (part.begin >= part.end || part.begin < done)
			continue;
		MEM_PUSH(parts, n, cap, part);
		done = part.end;
	}
	struct edit_part *kept = arena_copy(arena, parts, n * sizeof *kept);
	return n > 2 && edit_make(arena, kept, n, out);
}

static bool peel_edit(const struct edit_sites *p, uint32_t i, uint32_t j, struct arena *arena,
                      struct edit *out)
{
	const struct peeling *x = p->data;
	const struct peel *s = &x->starts[i];
	enum head head = s->string ? around_string[j].head : around_group[j].head;
	enum tail tail = s->string ? around_string[j].tail : around_group[j].tail;
	struct edit_part *parts = arena_alloc(arena, 2 * sizeof *parts);
	parts[0] = head_of(x, p->view, s, head);
	parts[1] = tail_of(x, p->view, s, tail);
	if (head == SCOPE)
		return scope_edit(x, p->view, s, parts, arena, out);
	return parts[0].begin < parts[0].end && parts[0].end < parts[1].begin &&
	       parts[1].begin < parts[1].end && edit_make(arena, parts, 2, out);
}

const struct strategy strategy_peel = {
	.shape = STRATEGY_CUTTING,
	.needs = STRATEGY_TREE,
	.open = peel_open,
	.ends = peel_ends,
	.edit = peel_edit,
};
