/* Finding definitions and sections. */
#include <ctype.h>
#include <stdio.h>

#include "base/hash.h"
#include "base/map.h"
#include "base/mem.h"
#include "lang/references.h"
#include "lang/references_def.h"
#include "lang/rewrite.h"
#include "lang/tokenizer_def.h"

/* Where a scan is, and lists that grow. */
struct finder {
	struct references *g;
	const struct tokenizer *tok;
	const struct tokens *tokens;
	const struct tree *tree;
	struct rewrite_ground *ground;
	struct arena scratch;
	uint16_t separators; /* strengths of what is between items, as commas are */
	struct map names;    /* of definitions */
	struct {             /* room in the lists */
		uint32_t definitions, mentions, matches, choices, statements, sections, scopes,
			open;
	} cap;
	uint32_t scope, section, statement; /* MEND_NONE: in none; the statement is a node */
	uint32_t body;                      /* the node of the group with sections */
	uint32_t number;                    /* the next in the scope */
	uint32_t top;                       /* the node of the item of the top */
	uint32_t *open;                     /* groups around a token */
};

static inline const struct token *finder_token(const struct finder *f, uint32_t t)
{
	return &f->tokens->list[t];
}

static inline uint32_t finder_begin(const struct finder *f, uint32_t t)
{
	return tokens_begin(f->tokens, t);
}

static inline bool finder_is_significant(const struct finder *f, uint32_t t)
{
	return !token_is_blank(finder_token(f, t)) && finder_begin(f, t) != finder_begin(f, t + 1);
}

static bool is_label(const struct finder *f, uint32_t t)
{
	uint32_t begin = finder_begin(f, t);
	return finder_token(f, t)->kind == TOKEN_IDENTIFIER &&
	       tokenizer_is_label(f->tok, f->g->bytes + begin, finder_begin(f, t + 1) - begin);
}

/* The innermost item of a body that begins with T and is no part of a statement; TREE_NONE: none
 * does. */
static uint32_t finder_statement(const struct finder *f, uint32_t t)
{
	uint32_t node = f->ground->item[t];
	while (node != TREE_NONE &&
	       (f->tree->nodes[node].kind != TREE_ITEM || !f->tree->nodes[node].strength ||
	        f->separators >> f->tree->nodes[node].strength & 1))
		node = f->tree->nodes[node].first == t ? tree_parent(f->tree, node) : TREE_NONE;
	uint32_t body = tree_group_around(f->tree, node);
	bool outermost = body != TREE_NONE &&
	                 tree_group_around(f->tree, tree_parent(f->tree, body)) == TREE_NONE;
	return outermost && f->tree->nodes[node].first == t ? node : TREE_NONE;
}

/* The first significant token behind T; that behind the last one: there is none. */
static uint32_t finder_behind(const struct finder *f, uint32_t t)
{
	do
		t++;
	while (t < f->tokens->n && !finder_is_significant(f, t));
	return t;
}

/* Whether "=" follows T. */
static bool is_defined(const struct finder *f, uint32_t t)
{
	t = finder_behind(f, t);
	return t < f->tokens->n && finder_begin(f, t + 1) == finder_begin(f, t) + 1 &&
	       f->g->bytes[finder_begin(f, t)] == '=';
}

/* What stands in for mentions of the name T, which "=" follows. */
static const char *stand_in_for(const struct finder *f, uint32_t t)
{
	const char *text;
	uint32_t begin = finder_begin(f, finder_behind(f, finder_behind(f, t)));
	uint32_t left = finder_begin(f, f->tokens->n) - begin;
	for (uint32_t i = 0; (text = tokenizer_stand_in(f->tok, STAND_IN_MENTION, i)); i++) {
		const char *blank = strchr(text, ' ');
		size_t len = blank ? (size_t)(blank - text) : 0;
		if (len && len <= left && !memcmp(f->g->bytes + begin, text, len))
			return blank + 1;
	}
	return NULL;
}

/* The hash of a name as it is mentioned in a scope. */
static uint64_t name_hash(const char *mark, const uint8_t *name, uint32_t len, uint32_t scope)
{
	return hash_bytes(name, len, scope * (uint64_t)UINT8_MAX + (uint8_t)*mark).lo;
}

/* The number that NAME is, or MEND_NONE. */
static uint32_t number_of(const uint8_t *name, uint32_t len)
{
	uint32_t n = 0;
	if (!len || len > 8 || (len > 1 && *name == '0'))
		return MEND_NONE;
	for (uint32_t i = 0; i < len; i++) {
		if (!isdigit(name[i]))
			return MEND_NONE;
		n = n * 10 + (uint32_t)(name[i] - '0');
	}
	return n;
}

/* The name in the token [begin, end), *len bytes, and the mark in front of it where it is mentioned
 * (none: an empty string). */
static const uint8_t *finder_name(const struct finder *f, uint32_t begin, uint32_t end,
                                  char mark[2], uint32_t *len)
{
	uint32_t first = begin, last = end;
	tokenizer_name_part(f->tok, f->g->bytes, &first, &last);
	mark[0] = first > begin ? (char)f->g->bytes[begin] : last < end ? f->g->mark[0] : '\0';
	mark[1] = '\0';
	*len = last - first;
	return f->g->bytes + first;
}

static uint32_t add_definition(struct finder *f, struct references_definition d)
{
	struct references *g = f->g;
	MEM_GROW(g->definitions, g->n.definitions, f->cap.definitions);
	g->definitions[g->n.definitions] = d;
	return g->n.definitions++;
}

/* The definition that the token T is. */
static uint32_t define(struct finder *f, uint32_t t, uint32_t scope)
{
	char mark[2];
	uint32_t len, begin = finder_begin(f, t), end = finder_begin(f, t + 1);
	const uint8_t *name = finder_name(f, begin, end, mark, &len);
	uint32_t number = f->tok->numbered_names && mark[0] ? number_of(name, len) : MEND_NONE;
	uint32_t d = add_definition(
		f, (struct references_definition){ .begin = begin,
	                                           .end = end,
	                                           .name_begin = (uint32_t)(name - f->g->bytes),
	                                           .name_len = len,
	                                           .number = number,
	                                           .scope = scope,
	                                           .section = MEND_NONE });
	if (number != MEND_NONE && scope != MEND_NONE) {
		f->g->scopes[scope].numbered = true;
		f->number = number + 1;
	}
	return d;
}

static void add_section(struct finder *f, struct references_section s)
{
	struct references *g = f->g;
	MEM_GROW(g->sections, g->n.sections, f->cap.sections);
	g->sections[g->n.sections] = s;
	f->section = g->n.sections++;
	g->scopes[f->scope].n_sections++;
}

static void end_section(struct finder *f, uint32_t end)
{
	if (f->section == MEND_NONE)
		return;
	struct references_section *s = &f->g->sections[f->section];
	s->end = end;
	if (f->statement != MEND_NONE) {
		s->last_begin = finder_begin(f, f->tree->nodes[f->statement].first);
		s->last_end = finder_begin(f, tree_end(f->tree, f->statement));
	}
}

/* A section without a label begins with token T. If names are numbered it has the next number. */
static void begin_nameless(struct finder *f, uint32_t t, uint32_t before)
{
	add_section(f, (struct references_section){ .begin = finder_begin(f, t),
	                                            .definition = MEND_NONE,
	                                            .before = before });
	if (!f->tok->numbered_names)
		return;
	uint32_t d =
		add_definition(f, (struct references_definition){ .begin = finder_begin(f, t),
	                                                          .end = finder_begin(f, t) + 1,
	                                                          .nameless = true,
	                                                          .number = f->number++,
	                                                          .scope = f->scope,
	                                                          .section = f->section });
	f->g->sections[f->section].definition = d;
	f->g->scopes[f->scope].numbered = true;
}

/* The names that are numbers in front of a body are defined there. */
static void begin_body(struct finder *f, uint32_t node)
{
	uint32_t first = f->tree->nodes[node].first, open = f->tree->nodes[f->body].first;
	f->number = 0;
	for (uint32_t t = first; t < open; t++) {
		char mark[2];
		uint32_t len;
		if (finder_token(f, t)->kind != TOKEN_IDENTIFIER)
			continue;
		const uint8_t *name =
			finder_name(f, finder_begin(f, t), finder_begin(f, t + 1), mark, &len);
		if (mark[0] == f->g->mark[0] && number_of(name, len) == f->number)
			define(f, t, f->scope);
	}
}

/* Whether the statement that begins with T is one that sections end with: by its first word, after
 * what it defines if it does. */
static bool is_branch(const struct finder *f, uint32_t t)
{
	if (finder_token(f, t)->kind == TOKEN_IDENTIFIER && is_defined(f, t))
		for (int significant = 0; t + 1 < f->tokens->n && significant < 2;)
			significant += finder_is_significant(f, ++t);
	uint32_t begin = finder_begin(f, t), len = finder_begin(f, t + 1) - begin;
	return texts_have_bytes(&f->tok->branches, f->g->bytes + begin, len);
}

/* A statement begins with T: the first of a section if it is a label, or nothing or a branch is in
 * front of it. */
static void begin_statement(struct finder *f, uint32_t t)
{
	uint32_t before = f->section;
	bool label = is_label(f, t);
	if (!label && before != MEND_NONE && !is_branch(f, f->tree->nodes[f->statement].first))
		return;
	end_section(f, finder_begin(f, t));
	if (!label) {
		begin_nameless(f, t, before);
		return;
	}
	uint32_t d = define(f, t, f->scope);
	add_section(f, (struct references_section){
			       .begin = finder_begin(f, t), .definition = d, .before = before });
	f->g->definitions[d].section = f->section;
}

/* The token of the name of the function that the item NODE declares (`declaration`): the first one
 * with a mark that no label has. MEND_NONE: it declares none. */
static uint32_t find_function(const struct finder *f, uint32_t node)
{
	uint32_t first = f->tree->nodes[node].first, end = tree_end(f->tree, node), len;
	uint32_t begin = finder_begin(f, first);
	if (!tokenizer_declares(f->tok, DECLARES_FUNCTION, f->g->bytes + begin,
	                        finder_begin(f, first + 1) - begin))
		return MEND_NONE;
	for (uint32_t t = first; t < end; t++) {
		char mark[2] = "";
		if (finder_token(f, t)->kind == TOKEN_IDENTIFIER)
			finder_name(f, finder_begin(f, t), finder_begin(f, t + 1), mark, &len);
		if (mark[0] && mark[0] != f->g->mark[0])
			return t;
	}
	return MEND_NONE;
}

/* Definitions and sections of the item NODE of the top. */
static void scan_definitions(struct finder *f, uint32_t node)
{
	const struct tree_node *n = &f->tree->nodes[node];
	struct references *g = f->g;
	MEM_GROW(g->scopes, g->n.scopes, f->cap.scopes);
	f->scope = g->n.scopes++;
	g->scopes[f->scope] =
		(struct references_scope){ .begin = finder_begin(f, n->first),
		                           .end = finder_begin(f, tree_end(f->tree, node)),
		                           .section = g->n.sections };
	f->section = f->statement = MEND_NONE;
	f->body = TREE_NONE;
	bool defined =
		finder_token(f, n->first)->kind == TOKEN_IDENTIFIER && is_defined(f, n->first);
	uint32_t name = defined ? n->first : find_function(f, node);
	if (name != MEND_NONE) {
		uint32_t d = define(f, name, MEND_NONE);
		g->definitions[d].stand_in = defined ? stand_in_for(f, name) : NULL;
	}
	if (!defined || !f->tok->numbered_names) /* else it is a type or a value in brackets */
		f->body = tree_last(f->tree, node, TREE_GROUP);
	if (f->body == TREE_NONE)
		return;
	begin_body(f, node);
	const struct tree_node *body = &f->tree->nodes[f->body];
	g->scopes[f->scope].body = finder_begin(f, body->first);
	for (uint32_t t = body->first + 1; t + 1 < tree_end(f->tree, f->body); t++) {
		uint32_t statement = finder_statement(f, t);
		if (statement != TREE_NONE) {
			begin_statement(f, t);
			f->statement = statement;
		}
		if (finder_token(f, t)->kind == TOKEN_IDENTIFIER && !is_label(f, t) &&
		    f->ground->item[t] != TREE_NONE && is_defined(f, t))
			define(f, t, f->scope);
	}
	end_section(f, finder_begin(f, tree_end(f->tree, f->body) - 1));
}

/* The definition of a name in a scope (MEND_NONE: outside of all), or MEND_NONE. */
static uint32_t finder_definition(const struct finder *f, const char *mark, const uint8_t *name,
                                  uint32_t len, uint32_t scope)
{
	size_t at;
	uint64_t hash = name_hash(mark, name, len, scope);
	for (uint32_t d = map_first(&f->names, hash, &at); d != MAP_END;
	     d = map_next(&f->names, hash, &at)) {
		const struct references_definition *x = &f->g->definitions[d];
		bool same = x->nameless ? number_of(name, len) == x->number
		                        : x->name_len == len &&
		                                  !memcmp(f->g->bytes + x->name_begin, name, len);
		if (same && x->scope == scope)
			return d;
	}
	return MEND_NONE;
}

/* Finding what mentions definitions, choices, and what mentions become. */

/* The definition of the name in the token [begin, end), MEND_NONE. */
static uint32_t definition_of(const struct finder *f, uint32_t begin, uint32_t end)
{
	char mark[2];
	uint32_t len;
	const uint8_t *name = finder_name(f, begin, end, mark, &len);
	uint32_t d = finder_definition(f, mark, name, len, f->scope);
	return d == MEND_NONE ? finder_definition(f, mark, name, len, MEND_NONE) : d;
}

static uint32_t item_end(const struct finder *f, uint32_t node)
{
	return finder_begin(f, tree_behind(f->tree, f->tokens->list, node));
}

static void add_mention(struct finder *f, uint32_t t, uint32_t definition)
{
	struct references *g = f->g;
	uint32_t item = f->statement == MEND_NONE ? f->top : f->statement;
	MEM_PUSH(g->mentions, g->n.mentions, f->cap.mentions,
	         (struct references_mention){ .begin = finder_begin(f, t),
	                                      .end = finder_begin(f, t + 1),
	                                      .definition = definition,
	                                      .section = f->section,
	                                      .choice = MEND_NONE,
	                                      .item = finder_begin(f, f->tree->nodes[item].first),
	                                      .item_end = item_end(f, item) });
	g->definitions[definition].n++;
	if (f->section != MEND_NONE) {
		struct references_section *s = &g->sections[f->section];
		if (!s->n_mentions++)
			s->mention = g->n.mentions - 1;
	}
}

/* The definition whose token is at offset BEGIN, or MEND_NONE. */
static uint32_t defined_at(const struct references *g, uint32_t begin)
{
	uint32_t d = references_first_behind(g, begin);
	d += d < g->n.definitions && g->definitions[d].nameless;
	return d < g->n.definitions && g->definitions[d].begin == begin ? d : MEND_NONE;
}

/* The last mention is the last name in the group that ends with the token T: a choice of the
 * statement, if that defines a name. */
static void add_choice(struct finder *f, uint32_t group, uint32_t t)
{
	struct references *g = f->g;
	struct references_mention *m = g->n.mentions ? &g->mentions[g->n.mentions - 1] : NULL;
	uint32_t last = t;
	while (last && !finder_is_significant(f, last - 1))
		last--;
	if (!m || f->section == MEND_NONE || f->statement == MEND_NONE ||
	    m->end != finder_begin(f, last) || g->definitions[m->definition].section == MEND_NONE)
		return;
	uint32_t begin = finder_begin(f, f->tree->nodes[f->statement].first);
	uint32_t definition = defined_at(g, begin);
	if (definition == MEND_NONE)
		return;
	uint32_t end = item_end(f, f->statement);
	if (!g->n.statements || g->statements[g->n.statements - 1].begin != begin) {
		MEM_PUSH(g->statements, g->n.statements, f->cap.statements,
		         (struct references_statement){ begin, end, g->n.choices, 0, definition });
		g->scopes[f->scope].n_statements++;
	}
	struct references_statement *s = &g->statements[g->n.statements - 1];
	uint32_t rank = 0; /* of more than these few all stay, or all go */
	for (uint32_t i = 0; i < s->n && s->n < 64; i++)
		rank += g->mentions[g->choices[s->first + i].mention].definition == m->definition;
	MEM_GROW(g->choices, g->n.choices, f->cap.choices);
	g->choices[g->n.choices] = (struct references_choice){
		.begin = finder_begin(f, f->tree->nodes[group].first),
		.end = finder_begin(f, t + 1),
		.mention = g->n.mentions - 1,
		.section = f->section,
		.rank = rank,
	};
	m->choice = g->n.choices++;
	s->n++;
}

/* Mentions and choices in the item NODE of the top, which is the current scope; *next_section is
 * the first section that does not begin before it. */
static void finder_mentions(struct finder *f, uint32_t node, uint32_t *next_section)
{
	const struct tree_node *n = &f->tree->nodes[node];
	struct references *g = f->g;
	struct references_scope *scope = &g->scopes[f->scope];
	uint32_t depth = 0;
	f->top = node;
	scope->mention = g->n.mentions;
	scope->statement = g->n.statements;
	f->section = f->statement = MEND_NONE;
	for (uint32_t t = n->first; t < tree_end(f->tree, node); t++) {
		uint32_t statement = finder_statement(f, t), at = finder_begin(f, t), d;
		while (*next_section < g->n.sections && g->sections[*next_section].begin <= at)
			f->section = (*next_section)++;
		if (f->section != MEND_NONE && at >= g->sections[f->section].end)
			f->section = MEND_NONE;
		if (statement != TREE_NONE)
			f->statement = statement;
		if (f->ground->group[t] != TREE_NONE)
			MEM_PUSH(f->open, depth, f->cap.open, f->ground->group[t]);
		if (finder_token(f, t)->kind == TOKEN_IDENTIFIER &&
		    defined_at(g, at) == MEND_NONE) {
			d = definition_of(f, at, finder_begin(f, t + 1));
			if (d != MEND_NONE)
				add_mention(f, t, d);
		}
		if (depth && tree_end(f->tree, f->open[depth - 1]) == t + 1) {
			uint32_t group = f->open[--depth];
			if (finder_token(f, t)->bracket == f->tok->choices && f->tok->choices)
				add_choice(f, group, t);
		}
	}
	scope->n_mentions = g->n.mentions - scope->mention;
}

/* Lists of mentions by definition, once all are known. */
static void finder_sort_uses(struct references *g)
{
	uint32_t all = 0;
	g->uses = mem_alloc((g->n.mentions + (size_t)1) * sizeof *g->uses);
	g->edges = mem_alloc((g->n.mentions + (size_t)1) * sizeof *g->edges);
	for (uint32_t d = 0; d < g->n.definitions; d++) {
		g->definitions[d].first = g->definitions[d].edges = all;
		all += g->definitions[d].n;
		g->definitions[d].n = 0;
	}
	for (uint32_t m = 0; m < g->n.mentions; m++) {
		struct references_definition *d = &g->definitions[g->mentions[m].definition];
		g->uses[d->first + d->n++] = m;
		if (g->mentions[m].choice == MEND_NONE)
			g->edges[d->edges + d->n_edges++] = m;
	}
}

/* The mention at offset BEGIN, MEND_NONE. */
static uint32_t mentioned_at(const struct references *g, uint32_t begin)
{
	uint32_t lo = MEM_FIRST(g->mentions, g->n.mentions, begin, begin);
	return lo < g->n.mentions && g->mentions[lo].begin == begin ? lo : MEND_NONE;
}

static void add_match(void *arg, const struct rewrite_match *match)
{
	struct finder *f = arg;
	struct references *g = f->g;
	struct references_match m = {
		.item = match->item, .n = match->n, .parts = match->parts, .n_gone = match->n_gone
	};
	for (uint32_t i = 0; i < m.n_gone; i++) {
		m.gone[i] = mentioned_at(g, finder_begin(f, match->gone[i]));
		if (m.gone[i] == MEND_NONE)
			return;
	}
	MEM_PUSH(g->matches, g->n.matches, f->cap.matches, m);
}

/* What mentions become, once all are known. */
static void finder_matches(struct finder *f)
{
	struct references *g = f->g;
	uint32_t all = 0;
	const struct rewrite *rewrite;
	for (uint32_t i = 0; (rewrite = tokenizer_rewrite(f->tok, true, i)); i++)
		rewrite_find(f->ground, f->tok, rewrite, 0, f->tokens->n, &g->arena, add_match, f);
	for (uint32_t i = 0; i < g->n.matches; i++)
		for (uint32_t k = 0; k < g->matches[i].n_gone; k++)
			g->mentions[g->matches[i].gone[k]].n++;
	for (uint32_t m = 0; m < g->n.mentions; m++) {
		g->mentions[m].first = all;
		all += g->mentions[m].n;
		g->mentions[m].n = 0;
	}
	g->order = mem_alloc((all + (size_t)1) * sizeof *g->order);
	for (uint32_t i = 0; i < g->n.matches; i++)
		for (uint32_t k = 0; k < g->matches[i].n_gone; k++) {
			struct references_mention *m = &g->mentions[g->matches[i].gone[k]];
			g->order[m->first + m->n++] = i;
		}
}

static int by_begin(const void *a, const void *b)
{
	const struct references_definition *x = a, *y = b;
	return x->begin != y->begin ? MEM_ORDER(x, y, begin) : MEM_ORDER(y, x, nameless);
}

/* In the order in which they begin; a section without a name comes before what begins with it. */
static void sort_definitions(struct finder *f)
{
	struct references *g = f->g;
	MEM_SORT(g->definitions, g->n.definitions, by_begin);
	map_reserve(&f->names, g->n.definitions);
	for (uint32_t d = 0; d < g->n.definitions; d++) {
		const struct references_definition *x = &g->definitions[d];
		char mark[2], text[16];
		uint32_t len;
		const uint8_t *name = (uint8_t *)text;
		if (x->nameless) {
			len = (uint32_t)snprintf(text, sizeof text, "%u", x->number);
			memcpy(mark, g->mark, sizeof mark);
		} else {
			name = finder_name(f, x->begin, x->end, mark, &len);
		}
		if (finder_definition(f, mark, name, len, x->scope) == MEND_NONE)
			map_add(&f->names, name_hash(mark, name, len, x->scope), d);
		if (x->section != MEND_NONE)
			g->sections[x->section].definition = d;
	}
}

bool references_may_be(const struct tokenizer *tok, const struct testcase *tc)
{
	return (tok->n_gone || tok->gone_items) && tok->name_marks[0] && !tc->is_tree;
}

struct references *references_new(const struct tokenizer *tok, const struct testcase *tc,
                                  const struct tokens *tokens, const struct tree *tree)
{
	struct references *g = mem_zero(1, sizeof *g);
	struct finder f = { .g = g, .tok = tok, .tokens = tokens, .tree = tree };
	uint32_t scope = 0, next_section = 0;
	g->bytes = tc->bytes;
	g->mark[0] = tok->name_marks[0][0];
	g->section_end = tok->section_end;
	g->cascades = tok->gone_items;
	for (uint32_t t = 0; t < tokens->n; t++)
		if (tokens->list[t].kind == TOKEN_SEPARATOR)
			f.separators |= (uint16_t)(1u << tokens->list[t].strength);
	f.ground = rewrite_ground_new(tc, tokens, tree, &f.scratch);
	rewrite_ground_operands(f.ground, tok, 0, tokens->n);
	for (uint32_t c = tree_child(tree->nodes, 0); c != TREE_NONE; c = tree_next(tree, c))
		scan_definitions(&f, c);
	sort_definitions(&f);
	for (uint32_t c = tree_child(tree->nodes, 0); c != TREE_NONE; c = tree_next(tree, c)) {
		f.scope = scope++;
		finder_mentions(&f, c, &next_section);
	}
	finder_sort_uses(g);
	finder_matches(&f);
	g->reached = mem_zero(g->n.sections + (size_t)1, 1);
	for (uint32_t i = 0; i < g->n.scopes; i++)
		references_reach(g, &g->scopes[i], NULL, g->reached + g->scopes[i].section);
	map_release(&f.names);
	free(f.open);
	arena_release(&f.scratch);
	return g;
}

void references_free(struct references *g)
{
	if (!g)
		return;
	free(g->definitions);
	free(g->mentions);
	free(g->uses);
	free(g->edges);
	free(g->matches);
	free(g->order);
	free(g->choices);
	free(g->statements);
	free(g->sections);
	free(g->reached);
	free(g->scopes);
	arena_release(&g->arena);
	free(g);
}
