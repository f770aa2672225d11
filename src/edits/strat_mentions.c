/* Members of an archive with what names them in others: a part of a document, and the elements of
 * its manifest and relations that stand for it, or its line in a list. A reader that looks for what
 * is named refuses the one without the other. A string names a member whose entry in the directory
 * has its text, if no other has; an element that has a name of its own (an id) takes those with it
 * that say this name elsewhere. */
#include <stdlib.h>
#include <string.h>

#include "base/err.h"
#include "base/mem.h"
#include "base/work.h"
#include "edits/names.h"
#include "edits/strategies.h"
#include "search/within.h"

enum {
	NAME_LEAST = 3,         /* characters of a name of a member */
	STRINGS_MOST = 1 << 22, /* that are looked at, each for all members */
	MEMBERS_MOST = 512,
	OWN_MOST = 32, /* strings in an element that may have a name of its own */
	NOWHERE = UINT32_MAX,
};

/* A string in a layer, without its quotes, and the element that it stands in, in the layer. */
struct string {
	const uint8_t *text;
	uint32_t len, word, member; /* MEMBER: which one it names, or NOWHERE */
	struct edit_part cut;
};

struct strings {
	struct coded_list words;
	struct view **views; /* of the words */
	const struct record **members;
	struct string *list;
	uint32_t n, cap, n_members;
};

/* The innermost item around each token that begins with a bracket; TREE_NONE: there is none. */
static uint32_t *elements_of(const struct view *v, struct arena *arena)
{
	uint32_t *of = arena_alloc(arena, (v->tokens.n + (size_t)1) * sizeof *of);
	memset(of, 0xff, (v->tokens.n + (size_t)1) * sizeof *of); /* TREE_NONE */
	for (uint32_t i = 1; i < v->tree.n; i++) {
		const struct tree_node *n = &v->tree.nodes[i];
		if (n->kind != TREE_ITEM || n->first == tree_end(&v->tree, i) ||
		    v->tokens.list[n->first].kind != TOKEN_OPEN)
			continue;
		for (uint32_t t = n->first; t < tree_end(&v->tree, i); t++)
			of[t] = i;
		work_step(tree_end(&v->tree, i) - n->first);
	}
	return of;
}

/* Which member alone has the text in its entry; NOWHERE: none, or several. */
static uint32_t named_by(const struct strings *s, const uint8_t *bytes, const struct string *text)
{
	uint32_t found = NOWHERE;
	for (uint32_t i = 0; i < s->n_members && text->len >= NAME_LEAST; i++) {
		const struct record *x = s->members[i];
		work_step(x->twin_end - x->twin);
		if (!memmem(bytes + x->twin, x->twin_end - x->twin, text->text, text->len))
			continue;
		if (found != NOWHERE)
			return NOWHERE;
		found = i;
	}
	return found;
}

static void add_strings(struct strings *s, const uint8_t *bytes, uint32_t word, struct arena *arena)
{
	const struct view *v = s->views[word];
	const uint32_t *element = elements_of(v, arena);
	for (uint32_t t = 0; t < v->tokens.n && s->n < STRINGS_MOST / (s->n_members + 1); t++) {
		const uint8_t *text = v->tc->bytes + view_token_begin(v, t);
		const uint8_t *end = v->tc->bytes + view_token_end(v, t);
		if (v->tokens.list[t].kind != TOKEN_STRING || element[t] == TREE_NONE ||
		    end - text < 4)
			continue;
		text += 1 + (text[1] == '/'); /* from the root of the archive */
		end--;
		struct string x = { text, (uint32_t)(end - text), word, NOWHERE,
			            names_item_cut(v, element[t]) };
		x.member = named_by(s, bytes, &x);
		MEM_PUSH(s->list, s->n, s->cap, x);
	}
}

/* The words with which lines begin, as in lists of what is there, if they name a member. */
static void add_lines(struct strings *s, const uint8_t *bytes, uint32_t word)
{
	const struct view *v = s->views[word];
	for (uint32_t i = 0; i < v->n_lines && s->n < STRINGS_MOST / (s->n_members + 1); i++) {
		const uint8_t *text = v->tc->bytes + v->lines[i];
		uint32_t len = 0, all = v->lines[i + 1] - v->lines[i];
		while (len < all && !strchr(", \t\r\n", text[len]))
			len++;
		struct string x = {
			text, len, word, NOWHERE, { v->lines[i], v->lines[i + 1], 0, NULL }
		};
		x.member = named_by(s, bytes, &x);
		if (x.member != NOWHERE)
			MEM_PUSH(s->list, s->n, s->cap, x);
	}
}

/* The members, and the strings in all that is open. */
static void read_strings(struct strings *s, const struct view *v, struct arena *arena)
{
	const struct records *r = v->records;
	struct coded_list all = { 0 };
	struct err err;
	within_words(v, 0, &all);
	s->members = arena_alloc(arena, MEMBERS_MOST * sizeof *s->members);
	s->views = arena_alloc(arena, (all.n + (size_t)1) * sizeof(struct view *));
	for (uint32_t i = 0; i < r->n && s->n_members < MEMBERS_MOST; i++)
		if (r->list[i].twin < r->list[i].twin_end && !r->list[i].zero)
			s->members[s->n_members++] = &r->list[i];
	for (uint32_t i = 0; i < all.n; i++) {
		struct view *w =
			all.list[i].kind == CODED_STORED ? within_view(v, &all.list[i]) : NULL;
		if (!w || view_need_tree(w, &err)) {
			view_unref(w);
			continue;
		}
		s->views[s->words.n] = w;
		MEM_PUSH(s->words.list, s->words.n, s->words.cap, all.list[i]);
		add_strings(s, v->tc->bytes, s->words.n - 1, arena);
		add_lines(s, v->tc->bytes, s->words.n - 1);
	}
	coded_release(&all);
}

static void release(struct strings *s)
{
	for (uint32_t i = 0; i < s->words.n; i++)
		view_unref(s->views[i]);
	coded_release(&s->words);
	free(s->list);
}

static bool is_within(struct edit_part inner, struct edit_part outer)
{
	return inner.begin >= outer.begin && inner.end <= outer.end;
}

/* The string elsewhere that says what X does, alone; NULL. */
static const struct string *other_of(const struct strings *s, const struct string *x)
{
	const struct string *found = NULL;
	for (uint32_t i = 0; i < s->n; i++) {
		const struct string *y = &s->list[i];
		if (y == x || y->len != x->len || memcmp(y->text, x->text, x->len) != 0)
			continue;
		if (found)
			return NULL;
		found = y;
	}
	work_step(s->n);
	return found;
}

/* Which strings of a member have their element cut. */
struct chosen {
	const struct string **list;
	uint32_t n;
};

/* Those that name MEMBER, and stand outside of it. */
static void choose(const struct strings *s, uint32_t member, struct chosen *c)
{
	const struct record *x = s->members[member];
	c->n = 0;
	for (uint32_t i = 0; i < s->n; i++) {
		const struct coded *w = &s->words.list[s->list[i].word];
		if (s->list[i].member == member && (w->begin < x->begin || w->end > x->end))
			c->list[c->n++] = &s->list[i];
	}
	work_step(s->n);
}

static bool is_in(const struct string *x, const struct string *element)
{
	return x->word == element->word && is_within(x->cut, element->cut);
}

/* How many strings stand in the element of OF. */
static uint32_t strings_in(const struct strings *s, const struct string *of)
{
	uint32_t n = 0;
	for (uint32_t i = 0; i < s->n; i++)
		n += is_in(&s->list[i], of);
	work_step(s->n);
	return n;
}

/* And those that say what else only they and one of their elements do. */
static bool choose_more(const struct strings *s, struct chosen *c)
{
	uint32_t before = c->n;
	for (uint32_t k = 0; k < before; k++) {
		const struct string *of = c->list[k];
		if (strings_in(s, of) > OWN_MOST)
			continue;
		for (uint32_t i = 0; i < s->n && c->n < s->n; i++) {
			const struct string *x = &s->list[i], *other = NULL;
			if (is_in(x, of))
				other = other_of(s, x);
			if (other && !is_in(other, of))
				c->list[c->n++] = other;
		}
	}
	return c->n > before;
}

/* MEMBER and what was chosen as one edit. */
static struct edit edit_of(const struct edit_sites *p, const struct strings *s, uint32_t member,
                           const struct chosen *c, struct arena *arena)
{
	const struct record *x = s->members[member];
	struct edit_part own[] = { { .begin = x->begin, .end = x->end },
		                   { .begin = x->twin, .end = x->twin_end } };
	struct edit_part *parts = arena_alloc(arena, (c->n + (size_t)1) * sizeof *parts);
	struct edit all, within, next;
	if (!edit_make(arena, own, 2, &all))
		return EDIT_NONE;
	for (uint32_t w = 0; w < s->words.n; w++) {
		uint32_t n = 0;
		for (uint32_t i = 0; i < c->n; i++)
			if (c->list[i]->word == w)
				parts[n++] = c->list[i]->cut;
		if (!n)
			continue;
		if (!edit_make(arena, parts, n, &within))
			return EDIT_NONE;
		within = coded_edit(&s->words.list[w], p->view->tc->bytes, s->views[w]->tc->bytes,
		                    within, arena);
		if (!edit_union(arena, all, within, &next))
			return EDIT_NONE;
		all = next;
	}
	return all;
}

static uint32_t mentions_levels(const struct view *v)
{
	return within_has_layers(v);
}

static void mentions_open(struct edit_sites *p)
{
	struct strings s = { 0 };
	struct arena *arena = &p->arena;
	read_strings(&s, p->view, arena);
	struct chosen c = { arena_alloc(arena, (s.n + (size_t)1) * sizeof(struct string *)), 0 };
	for (uint32_t i = 0; i < 2 * s.n_members; i++) {
		choose(&s, i % s.n_members, &c);
		if (!c.n || (i >= s.n_members && !choose_more(&s, &c)))
			continue;
		struct edit edit = edit_of(p, &s, i % s.n_members, &c, arena);
		for (const struct edit_part *x = edit.parts; x < edit.parts + edit.n; x++)
			edit_sites_add_part(p, x->begin, x->end, (const char *)x->text, x->len);
		edit_sites_end_element(p);
	}
	release(&s);
}

const struct strategy strategy_mentions = {
	.shape = STRATEGY_LIST,
	.bare = true,
	.levels = mentions_levels,
	.open = mentions_open,
};
