/* Strategies over identifiers: what mentions one goes with it; shorter names; two names become one,
 * also where one is defined by the other. */
#include <ctype.h>

#include "edits/names.h"
#include "edits/significant.h"
#include "edits/strategies.h"
#include "edits/ties.h"

enum { MERGE_PARTNERS = 12, SIBLINGS_MOST = 256, INLINE_CHOICES = 8 };

/* Coupled deletion: an identifier goes with the items that mention it, its definition and its uses
 * at once. */
enum coupled_reach { /* which item goes for a use; tried in this order by deterministic mode, from
	                the last */
	             COUPLED_MENTION,   /* what declares it, or gives it a value; a 0 for a use */
	             COUPLED_OUTER,     /* the statement around the innermost statement */
	             COUPLED_INNERMOST, /* an argument, a member, whatever is innermost */
	             COUPLED_STATEMENT, /* the innermost item of the strongest separators of its
	                                   group: a statement, a declaration */
	             COUPLED_N_REACHES,
};

struct coupled {
	struct names *names;
	uint32_t *order; /* names, those with many uses first */
};

static int more_uses_first(const void *a, const void *b, void *arg)
{
	const struct names *n = arg;
	uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;
	uint32_t ux = n->first[x + 1] - n->first[x], uy = n->first[y + 1] - n->first[y];
	return ux != uy ? (ux > uy ? -1 : 1) : x < y ? -1 : x > y;
}

static void coupled_open(struct edit_sites *p)
{
	struct coupled *c = arena_alloc(&p->arena, sizeof *c);
	c->names = names_new_placed(p->view, &p->arena);
	c->order = arena_alloc(&p->arena, (c->names->n + (size_t)1) * sizeof *c->order);
	for (uint32_t i = 0; i < c->names->n; i++)
		c->order[i] = i;
	qsort_r(c->order, c->names->n, sizeof *c->order, more_uses_first, c->names);
	p->data = c;
	p->n = c->names->n;
	ties_add(p);
}

static uint32_t coupled_ends(const struct edit_sites *p, uint32_t i)
{
	const struct coupled *c = p->data;
	uint32_t n;
	names_uses(c->names, c->order[i], &n);
	return n > NAMES_MAX_USES ? 0 : COUPLED_N_REACHES;
}

static uint32_t item_for_use(const struct view *v, uint32_t item, uint32_t reach)
{
	if (item == TREE_NONE || reach == COUPLED_INNERMOST)
		return item;
	uint32_t statement = names_statement(v, item);
	if (statement == TREE_NONE)
		return item;
	if (reach == COUPLED_STATEMENT)
		return statement;
	uint32_t above = names_item_above(&v->tree, statement),
		 outer = above == TREE_NONE ? above : names_statement(v, above);
	return outer == TREE_NONE ? statement : outer;
}

/* Where what comes behind TOKEN begins, before LAST. */
static uint32_t behind_token(const struct view *v, uint32_t token, uint32_t last)
{
	return view_token_begin(v, view_significant_from(v, token + 1, last));
}

/* The group of parameters of a template that ITEM is one of; TREE_NONE: it is none. */
static uint32_t template_around(const struct view *v, uint32_t item)
{
	uint32_t group = view_group_around(v, item), before;
	bool angle = group && group != TREE_NONE && token_is(v, v->tree.nodes[group].first, "<");
	before = angle ? view_significant_before(v, v->tree.nodes[group].first) : TREE_NONE;
	return before != TREE_NONE && token_is(v, before, "template") ? group : TREE_NONE;
}

/* A parameter of a template, or the head of the template if it is the only one. */
static struct edit_part parameter_cut(const struct view *v, uint32_t item, uint32_t group)
{
	const struct tree_node *n = &v->tree.nodes[group];
	if (item != group + 1 || tree_next(&v->tree, item) != TREE_NONE)
		return names_listed_cut(v, item);
	return (struct edit_part){ .begin = view_token_begin(v,
		                                             view_significant_before(v, n->first)),
		                   .end = view_node_end(v, group) };
}

/* A name that ITEM declares, beside others or alone: then all of the statement goes, but for the
 * value that it gets. */
static struct edit_part declared_cut(const struct view *v, uint32_t item, uint32_t token,
                                     uint32_t behind)
{
	const struct tree_node *nodes = v->tree.nodes;
	uint32_t statement = names_statement(v, item);
	if (item != statement && nodes[tree_parent(&v->tree, item)].kind == TREE_ITEM)
		return names_declarator_cut(v, item, token);
	struct edit_part cut = names_item_cut(v, statement == TREE_NONE ? item : statement);
	if (statement != TREE_NONE && names_is_assignment(v, behind))
		cut.end = behind_token(v, behind, tree_end(&v->tree, item));
	return cut;
}

/* The mention of a name at TOKEN, in ITEM, goes: where it is FIRST, declared; where it gets a
 * value; where it is used, BY stands for it. */
static struct edit_part mention_cut(const struct names *names, const struct view *v, uint32_t token,
                                    bool first, const char *by)
{
	const struct tree_node *nodes = v->tree.nodes;
	uint32_t item = names->item[token], last = tree_end(&v->tree, item),
		 behind = view_significant_from(v, token + 1, last),
		 before = view_significant_before(v, token),
		 group = first ? template_around(v, item) : names_group_behind(names, v, token);
	if (first && group != TREE_NONE)
		return parameter_cut(v, item, group);
	if (first)
		return declared_cut(v, item, token, behind);
	if (behind < last && names_is_assignment(v, behind))
		return (struct edit_part){ .begin = view_token_begin(v, token),
			                   .end = behind_token(v, behind, last) };
	bool called = group != TREE_NONE && tree_parent(&v->tree, group) == item;
	bool address =
		before != TREE_NONE && before >= nodes[item].first && token_is(v, before, "&");
	return (struct edit_part){ .begin = view_token_begin(v, address ? before : token),
		                   .end = view_token_begin(v, called ? tree_end(&v->tree, group)
		                                                     : token + 1),
		                   .text = (const uint8_t *)by,
		                   .len = (uint32_t)strlen(by) };
}

/* What stands for the uses of what is declared at TOKEN: a type for one, else a number. */
static const char *stand_in_for(const struct view *v, uint32_t token, const uint32_t *item)
{
	const struct tokenizer *tok = view_tokenizer_at(v, view_token_begin(v, token));
	uint32_t before = view_significant_before(v, token);
	bool type = before != TREE_NONE && item[token] != TREE_NONE &&
	            (token_is(v, before, "class") || token_is(v, before, "typename")) &&
	            template_around(v, item[token]) != TREE_NONE;
	const char *by = !tok   ? NULL
	                 : type ? tokenizer_stand_in(tok, STAND_IN_IDENTIFIER, 0)
	                        : tokenizer_simplest(tok, TOKEN_NUMBER);
	return by ? by : "0";
}

static bool coupled_edit(const struct edit_sites *p, uint32_t i, uint32_t j, struct arena *arena,
                         struct edit *out)
{
	const struct coupled *c = p->data;
	const struct view *v = p->view;
	uint32_t n;
	const uint32_t *uses = names_uses(c->names, c->order[i], &n);
	struct edit_part *parts = arena_alloc(arena, n * sizeof *parts);
	const char *by = stand_in_for(v, uses[0], c->names->item);
	for (uint32_t u = 0; u < n; u++) {
		uint32_t item = item_for_use(v, c->names->item[uses[u]], j);
		if (item == TREE_NONE)
			return false;
		parts[u] = j == COUPLED_MENTION ? mention_cut(c->names, v, uses[u], !u, by)
		                                : names_item_cut(v, item);
	}
	return edit_make(arena, parts, n, out);
}

const struct strategy strategy_names = {
	.shape = STRATEGY_CUTTING,
	.needs = STRATEGY_TREE,
	.open = coupled_open,
	.ends = coupled_ends,
	.edit = coupled_edit,
};

enum spelling { SMALL, CAPITAL, N_SPELLINGS };

/* The number of the short name of this SPELLING that TEXT is; N: it is none of the first N. */
static uint32_t number_of(const uint8_t *text, uint32_t len, enum spelling spelling, uint32_t n)
{
	char small[8];
	if (spelling == SMALL)
		return names_short_number(text, len, n);
	if (!len || len > sizeof small || text[0] < 'A' || text[0] > 'Z')
		return n;
	memcpy(small, text, len);
	small[0] = (char)(text[0] - 'A' + 'a');
	return names_short_number((const uint8_t *)small, len, n);
}

/* Which of the first N short names are tokens already: one byte each. */
static uint8_t *names_taken(const struct view *v, enum spelling spelling, uint32_t n,
                            struct arena *arena)
{
	uint8_t *taken = arena_zero(arena, n + (size_t)1);
	for (uint32_t t = 0; t < v->tokens.n; t++) {
		uint32_t len;
		const uint8_t *text = token_text(v, t, &len), *name;
		taken[number_of(text, len, spelling, n)] = 1;
		name = names_text(v, t, &len);
		taken[number_of(name, len, spelling, n)] = 1;
	}
	taken[n] = 0;
	return taken;
}

/* Each name to a short one that does not occur, in order of first use. Where none becomes shorter
 * they stay as they are: others of the same length would be nothing but bytes that no pass knows.
 * Where a capital says what kind of name it is, as in OCaml and Prolog, the short one has it, too.
 */
static void rename_open(struct edit_sites *p)
{
	const struct view *v = p->view;
	ARENA_SCOPED struct arena scratch = { 0 };
	struct names *names = names_new(v, &scratch);
	uint32_t count = 0;
	bool shorter = false;
	uint8_t *taken = names_taken(v, p->level, v->tokens.n + names->n,
	                             &scratch); /* no more are ever passed over or given */
	for (uint32_t i = 0; i < names->n && !p->options.keep_names; i++) {
		char text[8];
		uint32_t len, old_len;
		while (taken[count])
			count++;
		len = names_short(count, text);
		const uint8_t *old = names_text(v, names->uses[names->first[i]], &old_len);
		if (p->level == CAPITAL)
			text[0] = (char)(text[0] - 'a' + 'A');
		if ((p->level == CAPITAL && !isupper(*old)) || len > old_len ||
		    (len == old_len && memcmp(text, old, len) >= 0))
			continue;
		count++;
		shorter |= len < old_len;
		char *kept = arena_copy(&p->arena, text, len);
		for (uint32_t u = names->first[i]; u < names->first[i + 1]; u++) {
			struct edit_part part = names_part(v, names->uses[u]);
			edit_sites_add_part(p, part.begin, part.end, kept, len);
		}
		edit_sites_end_element(p);
	}
	p->n = shorter ? p->n : 0;
}

const struct strategy strategy_rename = {
	.shape = STRATEGY_LIST,
	.needs = STRATEGY_TOKENS,
	.n_levels = N_SPELLINGS,
	.open = rename_open,
};

/* A name becomes another one: of two, or of what it is defined by. */

/* Is ITEM, with the name at BY in place of the one at NAME, what its sibling SAME is? */
static bool becomes(const struct view *v, uint32_t name, uint32_t by, uint32_t item, uint32_t same)
{
	const struct tree_node *x = &v->tree.nodes[item], *y = &v->tree.nodes[same];
	uint32_t a = view_significant_from(v, x->first, tree_end(&v->tree, item)),
		 b = view_significant_from(v, y->first, tree_end(&v->tree, same));
	for (; a < tree_end(&v->tree, item) && b < tree_end(&v->tree, same);
	     a = view_significant_from(v, a + 1, tree_end(&v->tree, item)),
	     b = view_significant_from(v, b + 1, tree_end(&v->tree, same))) {
		bool names = v->tokens.list[a].kind == v->tokens.list[b].kind &&
		             names_are_same(v, a, name) && names_are_same(v, b, by);
		if (!names && !token_same_text(v, a, b))
			return false;
	}
	return a == tree_end(&v->tree, item) && b == tree_end(&v->tree, same);
}

/* The statement around TOKEN, a mention of a name, that the list of it has already where that
 * becomes the one at BY; TREE_NONE: none. */
static uint32_t found_again(const struct names *names, const struct view *v, uint32_t token,
                            uint32_t by)
{
	const struct tree_node *nodes = v->tree.nodes;
	uint32_t item = names_statement(v, names->item[token]), left = SIBLINGS_MOST;
	uint32_t c = item == TREE_NONE ? TREE_NONE : tree_child(nodes, tree_parent(&v->tree, item));
	for (; c != TREE_NONE && left; c = tree_next(&v->tree, c), left--)
		if (c != item && nodes[c].kind == TREE_ITEM && becomes(v, token, by, item, c))
			return item;
	return TREE_NONE;
}

/* The name I becomes the one at BY, behind the statement GONE, which goes (TREE_NONE: everywhere).
 * AGAIN: without the statements that are there twice then, as two definitions of what has become
 * one; false where there are none. */
static bool become(const struct edit_sites *p, uint32_t i, uint32_t by, uint32_t gone, bool again,
                   struct arena *arena, struct edit *out)
{
	const struct names *names = p->data;
	const struct view *v = p->view;
	uint32_t n, m = 0, left = 0, twice = 0;
	const uint32_t *uses = names_uses(names, i, &n);
	struct edit_part *parts = arena_alloc(arena, (n + (size_t)1) * sizeof *parts);
	if (gone != TREE_NONE)
		parts[m++] = names_item_cut(v, gone);
	for (uint32_t u = 0; u < n; u++) {
		if (gone != TREE_NONE && uses[u] < tree_end(&v->tree, gone))
			continue;
		uint32_t item = again ? found_again(names, v, uses[u], by) : TREE_NONE;
		twice += item != TREE_NONE;
		left++;
		parts[m++] =
			item == TREE_NONE ? names_become(v, uses[u], by) : names_item_cut(v, item);
	}
	return left && (twice || !again) && edit_make(arena, parts, m, out);
}

static void merge_open(struct edit_sites *p)
{
	names_open(p);
	p->n = p->options.keep_names ? 0 : p->n;
}

static uint32_t merge_ends(const struct edit_sites *p, UNUSED uint32_t i)
{
	return 2 * (p->n - 1 < MERGE_PARTNERS ? p->n - 1 : MERGE_PARTNERS);
}

/* Two names become one: name i replaced by one of those around it in the order of first use.
 * j even: all that it names stays; j odd: without what is there twice then. */
static bool merge_edit(const struct edit_sites *p, uint32_t i, uint32_t j, struct arena *arena,
                       struct edit *out)
{
	const struct names *names = p->data;
	uint32_t len, old_len, n, by = names->uses[names->first[(i + p->n - 1 - j / 2) % p->n]];
	names_text(p->view, by, &len);
	names_text(p->view, names_uses(names, i, &n)[0], &old_len);
	return len <= old_len && n <= NAMES_MAX_USES &&
	       become(p, i, by, TREE_NONE, j % 2, arena, out);
}

const struct strategy strategy_merge_names = {
	.shape = STRATEGY_CUTTING,
	.needs = STRATEGY_TREE,
	.open = merge_open,
	.ends = merge_ends,
	.edit = merge_edit,
};

/* Inlining a name: the statement that defines it goes, and its uses become one of the names which
 * that statement mentions: an alias, a copy, a view of a view. */
static uint32_t inline_ends(const struct edit_sites *p, uint32_t i)
{
	uint32_t n;
	names_uses(p->data, i, &n);
	return n > 1 && n <= NAMES_MAX_USES ? INLINE_CHOICES : 0;
}

/* The statement in which name I stands first; of one behind the word that opens brackets, as in
 * class X ... end, that around them. TREE_NONE: there is none. */
static uint32_t defining_statement(const struct edit_sites *p, uint32_t i)
{
	const struct names *names = p->data;
	uint32_t token = names->uses[names->first[i]];
	return names_definition(p->view, names_statement(p->view, names->item[token]), token);
}

static bool inline_edit(const struct edit_sites *p, uint32_t i, uint32_t j, struct arena *arena,
                        struct edit *out)
{
	const struct names *names = p->data;
	const struct view *v = p->view;
	uint32_t statement = defining_statement(p, i), name = names->uses[names->first[i]];
	if (statement == TREE_NONE)
		return false;
	for (uint32_t t = tree_end(&v->tree, statement); t-- > v->tree.nodes[statement].first;)
		if (v->tokens.list[t].kind == TOKEN_IDENTIFIER && !token_same_text(v, t, name) &&
		    !j--)
			return become(p, i, t, statement, false, arena, out);
	return false;
}

const struct strategy strategy_inline = {
	.shape = STRATEGY_CUTTING,
	.needs = STRATEGY_TREE,
	.open = names_open,
	.ends = inline_ends,
	.edit = inline_edit,
};

/* Unifying: the statement that defines a name goes, and its uses become a name that was there
 * already: one of two types, or functions, does. Partners are the names around it in the order of
 * first use. */
static uint32_t unify_ends(const struct edit_sites *p, uint32_t i)
{
	return inline_ends(p, i) < p->n ? inline_ends(p, i) : p->n - 1;
}

static bool unify_edit(const struct edit_sites *p, uint32_t i, uint32_t j, struct arena *arena,
                       struct edit *out)
{
	const struct names *names = p->data;
	uint32_t half = j / 2 + 1, other = (j % 2 ? i + half : i + p->n - half) % p->n,
		 statement = defining_statement(p, i);
	return statement != TREE_NONE && other != i &&
	       become(p, i, names->uses[names->first[other]], statement, false, arena, out);
}

const struct strategy strategy_unify = {
	.shape = STRATEGY_CUTTING,
	.needs = STRATEGY_TREE,
	.open = names_open,
	.ends = unify_ends,
	.edit = unify_edit,
};
