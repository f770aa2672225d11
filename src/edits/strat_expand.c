/* Expanding a definition: the statement that defines a name goes, and each use of the name becomes
 * what the definition says. That may be longer than before, so it is a pump (reduce/stages.h), not
 * a pass. Known by the shape of tokens alone: what stands behind the name (a macro, a constant, a
 * variable), before it (a typedef), in the last bracket group of the statement (a function), or at
 * the end of the list that the name stands in (Lisp, SMT-LIB). In
 * what a function says its parameters become the arguments of the use: what stands between the
 * brackets behind its name, item by item, of a parameter the first or the last identifier. Other
 * definitions have forms. */
#include <string.h>

#include "base/buf.h"
#include "edits/names.h"
#include "edits/significant.h"
#include "edits/strategies.h"

/* Forms: definitions that cannot be known by what is around their name alone: a binding between
 * two words (let x = e in), a query behind a name (with c as (q)), a type between a name and its
 * value, a variable that is declared in one statement and set in another, and a function in
 * brackets whose calls are in brackets, too: (define (f a) e), (f 1). */

/* What is known of a view; its strategy owns it. */
struct forms {
	struct names *names;
	uint32_t *item;  /* per token: the innermost item that holds it, TREE_NONE */
	uint32_t *group; /* per token: the group that begins there, TREE_NONE */
};

enum form_way { LET, QUERY, TYPED, SET, FORM, FORMS_N_WAYS };
enum { MAX_PARAMETERS = 16, FORMS_TEXT = 4096 };

/* Tokens [first, last). */
struct stretch {
	uint32_t first, last;
};

/* What goes, in front of all uses, and what these become. PARAMETERS: the first item of them,
 * TREE_NONE where there are none. DECLARED: what goes besides, empty: nothing. */
struct form {
	struct stretch gone, declared, body;
	uint32_t parameters;
};

static const struct stretch NOTHING = { 0, 0 };

/* In ARENA. The view has its tree. */
static struct forms *forms_new(const struct view *v, struct arena *arena)
{
	struct forms *x = arena_alloc(arena, sizeof *x);
	size_t n = v->tokens.n + (size_t)1;
	x->names = names_new(v, arena);
	x->item = names_innermost_items(v, arena);
	x->group = arena_alloc(arena, n * sizeof *x->group);
	memset(x->group, 0xff, n * sizeof *x->group);
	for (uint32_t i = v->tree.n; i-- > 1;)
		if (v->tree.nodes[i].kind == TREE_GROUP)
			x->group[v->tree.nodes[i].first] = i;
	return x;
}

static struct stretch trimmed(const struct view *v, uint32_t first, uint32_t last)
{
	first = view_significant_from(v, first, last);
	while (last > first && !view_token_significant(v, last - 1))
		last--;
	return (struct stretch){ first, last };
}

/* Behind the token, or behind the group that it opens. */
static uint32_t step(const struct forms *x, const struct view *v, uint32_t token)
{
	return x->group[token] == TREE_NONE ? token + 1 : v->tree.nodes[x->group[token]].last;
}

static bool assigns(const struct view *v, uint32_t token)
{
	return token_is(v, token, "=") || token_is(v, token, ":=");
}

/* The token WORD that belongs to the OPENER in front of FROM, which may nest; TREE_NONE: a
 * statement or what is around ends before. */
static uint32_t partner(const struct forms *x, const struct view *v, uint32_t from,
                        const char *opener, const char *word)
{
	uint32_t depth = 1;
	for (uint32_t t = from; t < v->tokens.n; t = step(x, v, t)) {
		uint8_t kind = v->tokens.list[t].kind;
		if (kind == TOKEN_TERMINATOR || kind == TOKEN_CLOSE)
			break;
		depth += token_is(v, t, opener);
		if (token_is(v, t, word) && !--depth)
			return t;
	}
	return TREE_NONE;
}

/* let NAME = body in */
static bool find_let(const struct forms *x, const struct view *v, uint32_t name, struct form *out)
{
	uint32_t let = view_significant_before(v, name),
		 equals = view_significant_from(v, name + 1, v->tokens.n);
	if (let == TREE_NONE || !token_is(v, let, "let") || equals == v->tokens.n ||
	    !assigns(v, equals))
		return false;
	uint32_t in = partner(x, v, equals + 1, "let", "in");
	if (in == TREE_NONE)
		return false;
	out->gone = (struct stretch){ let, in + 1 };
	out->body = trimmed(v, equals + 1, in);
	return true;
}

/* with NAME as (body), or one more behind a comma */
static bool find_query(const struct forms *x, const struct view *v, uint32_t name, struct form *out)
{
	uint32_t n = v->tokens.n, before = view_significant_before(v, name),
		 as = view_significant_from(v, name + 1, n);
	uint32_t open = as < n ? view_significant_from(v, as + 1, n) : n;
	if (before == TREE_NONE || open == n || x->group[open] == TREE_NONE ||
	    v->tokens.list[as].kind != TOKEN_KEYWORD)
		return false;
	uint8_t kind = v->tokens.list[before].kind;
	if (kind != TOKEN_KEYWORD && kind != TOKEN_SEPARATOR)
		return false;
	out->body = (struct stretch){ open, v->tree.nodes[x->group[open]].last };
	out->gone = (struct stretch){ before, out->body.last };
	return true;
}

/* An item with what ends it. */
static struct stretch with_separator(const struct view *v, uint32_t item)
{
	const struct tree_node *n = &v->tree.nodes[item];
	return (struct stretch){ n->first, n->sep_last > n->sep_first ? n->sep_last : n->last };
}

/* ... NAME : type = body, up to the end of the statement */
static bool find_typed(const struct forms *x, const struct view *v, uint32_t name, struct form *out)
{
	uint32_t statement = names_statement(v, x->item[name]);
	if (statement == TREE_NONE || view_is_file(v, statement))
		return false;
	const struct tree_node *s = &v->tree.nodes[statement];
	uint32_t next = view_significant_from(v, name + 1, s->last), t = next;
	while (t < s->last && !assigns(v, t))
		t = step(x, v, t);
	if (t >= s->last || t == next || v->tokens.list[next].kind == TOKEN_SEPARATOR)
		return false; /* strat_expand.c knows those without a type */
	out->gone = with_separator(v, statement);
	out->body = trimmed(v, t + 1, s->last);
	return true;
}

/* ... NAME; NAME = body; the first of them is FIRST */
static bool find_set(const struct forms *x, const struct view *v, uint32_t first, uint32_t name,
                     struct form *out)
{
	uint32_t declaration = x->item[first], statement = names_statement(v, x->item[name]);
	if (declaration == TREE_NONE || statement == TREE_NONE || statement == declaration ||
	    v->tree.nodes[statement].first != name)
		return false;
	uint32_t last = v->tree.nodes[statement].last,
		 equals = view_significant_from(v, name + 1, last);
	if (equals == last || !(assigns(v, equals) || token_is(v, equals, "<=")))
		return false;
	out->declared = with_separator(v, declaration);
	out->gone = with_separator(v, statement);
	out->body = trimmed(v, equals + 1, last);
	return out->declared.last <= out->gone.first;
}

static uint32_t next_item(const struct view *v, uint32_t node)
{
	while (node != TREE_NONE && v->tree.nodes[node].kind != TREE_ITEM)
		node = v->tree.nodes[node].next;
	return node;
}

/* The first item in GROUP; TREE_NONE: there is none. */
static uint32_t first_in(const struct view *v, uint32_t group)
{
	return group == TREE_NONE ? group : next_item(v, v->tree.nodes[group].child);
}

static uint32_t item_behind(const struct view *v, uint32_t item)
{
	return item == TREE_NONE ? item : next_item(v, v->tree.nodes[item].next);
}

/* Does ITEM begin what is in its brackets? */
static bool is_first(const struct view *v, uint32_t item)
{
	return item != TREE_NONE && v->tree.nodes[item].parent != TREE_NONE &&
	       v->tree.nodes[v->tree.nodes[item].parent].child == item;
}

/* (define (NAME parameters) body), (defun NAME (parameters) body) */
static bool find_form(const struct forms *x, const struct view *v, uint32_t name, struct form *out)
{
	const struct tree_node *nodes = v->tree.nodes;
	uint32_t item = x->item[name], head = item;
	if (item == TREE_NONE || nodes[item].first != name || nodes[item].last != name + 1)
		return false;
	if (is_first(v, item)) { /* within the brackets of the head */
		head = names_item_above(&v->tree, item);
		out->parameters = item_behind(v, item);
	} else {
		uint32_t list = item_behind(v, item);
		uint32_t group = list == TREE_NONE ? TREE_NONE : x->group[nodes[list].first];
		out->parameters = first_in(v, group);
	}
	if (out->parameters == TREE_NONE || head == TREE_NONE || is_first(v, head) ||
	    nodes[head].parent == TREE_NONE || nodes[nodes[head].parent].kind != TREE_GROUP)
		return false;
	uint32_t last = head;
	for (uint32_t c = head; c != TREE_NONE; c = item_behind(v, c))
		last = c;
	const struct tree_node *whole = &nodes[nodes[head].parent];
	out->gone = (struct stretch){ whole->first, whole->last };
	out->body = (struct stretch){ nodes[last].first, nodes[last].last };
	return last != head && whole->first != whole->last && nodes[head].parent;
}

/* USES: of the name, N of them. */
static bool find(const struct forms *x, const struct view *v, const uint32_t *uses, uint32_t n,
                 enum form_way way, struct form *out)
{
	*out = (struct form){ NOTHING, NOTHING, NOTHING, TREE_NONE };
	if (way == SET)
		return n > 2 && find_set(x, v, uses[0], uses[1], out);
	return way == LET     ? find_let(x, v, uses[0], out)
	       : way == QUERY ? find_query(x, v, uses[0], out)
	       : way == TYPED ? find_typed(x, v, uses[0], out)
	                      : find_form(x, v, uses[0], out);
}

static void add_tokens(const struct view *v, struct stretch s, struct buf *out)
{
	uint32_t begin = v->tokens.list[s.first].begin;
	if (s.first < s.last)
		buf_add(out, v->tc->bytes + begin, view_token_end(v, s.last - 1) - begin);
}

static struct stretch text_of(const struct view *v, uint32_t item)
{
	return trimmed(v, v->tree.nodes[item].first, v->tree.nodes[item].last);
}

/* Whether TOKEN is the first (else last) identifier of an item. */
static bool names_parameter(const struct view *v, uint32_t token, uint32_t item, bool first)
{
	struct stretch b = text_of(v, item);
	for (uint32_t k = 0; k < b.last - b.first; k++) {
		uint32_t t = first ? b.first + k : b.last - 1 - k;
		if (v->tokens.list[t].kind == TOKEN_IDENTIFIER)
			return token_same_text(v, t, token);
	}
	return false;
}

/* What TOKEN of a body becomes: the argument for what it names among the parameters, or itself. Of
 * both the first item, TREE_NONE: there is none. */
static struct stretch argument_for(const struct view *v, uint32_t token, uint32_t parameter,
                                   uint32_t argument, bool first)
{
	bool named = v->tokens.list[token].kind == TOKEN_IDENTIFIER;
	for (uint32_t n = 0;
	     named && n < MAX_PARAMETERS && parameter != TREE_NONE && argument != TREE_NONE; n++) {
		if (names_parameter(v, token, parameter, first))
			return text_of(v, argument);
		parameter = item_behind(v, parameter);
		argument = item_behind(v, argument);
	}
	return (struct stretch){ token, token + 1 };
}

/* The text in ARENA, as that of a part. */
static void keep_text(struct buf *text, struct arena *arena, struct edit_part *part)
{
	uint8_t *copy = arena_alloc(arena, text->len + (size_t)1);
	if (text->len)
		memcpy(copy, text->data, text->len);
	part->text = copy;
	part->len = (uint32_t)text->len;
	buf_release(text);
}

/* PART becomes a body with arguments in place of parameters. */
static void with_arguments(const struct view *v, struct stretch body, uint32_t parameter,
                           uint32_t argument, bool first, struct arena *arena,
                           struct edit_part *part)
{
	struct buf text = { 0 };
	for (uint32_t t = body.first; t < body.last; t++)
		add_tokens(v, argument_for(v, t, parameter, argument, first), &text);
	keep_text(&text, arena, part);
}

/* PART becomes a body: several tokens are one operand only in parentheses, unless they are in
 * brackets already. */
static void with_brackets(const struct forms *x, const struct view *v, struct stretch body,
                          struct arena *arena, struct edit_part *part)
{
	struct buf text = { 0 };
	bool whole = step(x, v, body.first) >= body.last;
	buf_addf(&text, "%s", whole ? "" : "(");
	add_tokens(v, body, &text);
	buf_addf(&text, "%s", whole ? "" : ")");
	keep_text(&text, arena, part);
}

/* The call at the token USE as a part; false: it is none. */
static bool replace_call(const struct forms *x, const struct view *v, const struct form *f,
                         uint32_t use, struct arena *arena, struct edit_part *part)
{
	const struct tree_node *nodes = v->tree.nodes;
	uint32_t item = x->item[use];
	if (item == TREE_NONE || nodes[item].first != use || !is_first(v, item) ||
	    nodes[nodes[item].parent].kind != TREE_GROUP || !nodes[item].parent)
		return false;
	const struct tree_node *call = &nodes[nodes[item].parent];
	with_arguments(v, f->body, f->parameters, item_behind(v, item), true, arena, part);
	part->begin = v->tokens.list[call->first].begin;
	part->end = view_token_end(v, call->last - 1);
	return true;
}

static struct edit_part cut_of(const struct view *v, struct stretch s)
{
	struct edit_part part = { 0 };
	if (s.first < s.last) {
		part.begin = v->tokens.list[s.first].begin;
		part.end = view_token_end(v, s.last - 1);
	}
	return part;
}

/* The definition of name I goes, and each use becomes what it says, in one of the ways; false: it
 * cannot be. */
static bool forms_edit(const struct forms *x, const struct view *v, uint32_t i, uint32_t way,
                       struct arena *arena, struct edit *out)
{
	uint32_t n = x->names->first[i + 1] - x->names->first[i], defined = way == SET ? 2 : 1,
		 m = 2;
	const uint32_t *uses = x->names->uses + x->names->first[i];
	struct form f;
	if (!find(x, v, uses, n, (enum form_way)way, &f) || f.body.first >= f.body.last ||
	    f.body.last - f.body.first > FORMS_TEXT)
		return false;
	struct edit_part *parts = arena_alloc(arena, (n + (size_t)2) * sizeof *parts);
	parts[0] = cut_of(v, f.declared);
	parts[1] = cut_of(v, f.gone);
	for (uint32_t u = defined; u < n; u++) {
		if (uses[u] < f.gone.last || v->tokens.list[uses[u]].kind != TOKEN_IDENTIFIER)
			return false; /* it mentions itself */
		parts[m] = (struct edit_part){ v->tokens.list[uses[u]].begin,
			                       view_token_end(v, uses[u]), 0, NULL };
		if (way != FORM)
			with_brackets(x, v, f.body, arena, &parts[m]);
		else if (!replace_call(x, v, &f, uses[u], arena, &parts[m]))
			return false;
		m++;
	}
	return m > 2 && edit_make(arena, parts, m, out);
}

enum way {
	BEHIND,     /* all behind the name */
	BEHIND_ONE, /* without the first token of it: "=" */
	BEFORE,     /* all before the name */
	BEFORE_ONE, /* without the first token: "typedef" */
	GROUP,      /* name and arguments of the use become the last group; parameters are the last
	               identifiers of theirs */
	VALUE, /* the arguments of the use become the last item of the last group, without its first
	          token: "return" */
	GROUP_FIRST, /* as GROUP, where parameters are the first identifiers */
	VALUE_FIRST,
	ASSIGNED, /* all before the name, where it stands last, without the token before it: "=" */
	WRAPPED,  /* all behind the name without the first token of it, in parentheses: an
	             expression, a query */
	LAST, /* the last item of the list that the name stands in, and what holds that list goes: a
	         definition in brackets, a binding */
	IN_LIST, /* as BEHIND_ONE or WRAPPED, and only the innermost item goes: a parameter with its
	            value, a declarator */
	N_WAYS,
};
enum { MAX_USES = 8 };

static void expand_open(struct edit_sites *p)
{
	struct forms *x = forms_new(p->view, &p->arena);
	p->data = x;
	p->n = x->names->n;
}

static uint32_t expand_ends(const struct edit_sites *p, uint32_t i)
{
	const struct names *n = ((const struct forms *)p->data)->names;
	uint32_t uses = n->first[i + 1] - n->first[i];
	/* Each use may be in the definition. */
	return uses > 1 && uses <= MAX_USES ? N_WAYS * uses + FORMS_N_WAYS : 0;
}

static bool is_function(enum way way)
{
	return way == GROUP || way == VALUE || way == GROUP_FIRST || way == VALUE_FIRST;
}

static bool is_group(enum way way)
{
	return way == GROUP || way == GROUP_FIRST;
}

/* What the uses become; empty: it cannot be done in this way. */
static struct stretch find_body(const struct view *v, uint32_t statement, uint32_t name,
                                enum way way)
{
	const struct tree_node *s = &v->tree.nodes[statement];
	struct stretch body = { 0, 0 };
	uint32_t group = tree_last(&v->tree, statement, TREE_GROUP),
		 item = group == TREE_NONE ? TREE_NONE : tree_last(&v->tree, group, TREE_ITEM);
	switch (way) {
	case BEHIND:
	case BEHIND_ONE:
	case WRAPPED:
	case IN_LIST:
		body = trimmed(v, name + 1, s->last);
		break;
	case BEFORE:
	case BEFORE_ONE:
		body = trimmed(v, s->first, name);
		break;
	case GROUP:
	case GROUP_FIRST:
		if (group != TREE_NONE && v->tree.nodes[group].first > name)
			body = (struct stretch){ v->tree.nodes[group].first,
				                 v->tree.nodes[group].last };
		break;
	case VALUE:
	case VALUE_FIRST:
		if (item != TREE_NONE && v->tree.nodes[item].first > name)
			body = trimmed(v, v->tree.nodes[item].first, v->tree.nodes[item].last);
		break;
	case ASSIGNED:
		if (view_significant_from(v, name + 1, s->last) == s->last)
			body = trimmed(v, s->first, name);
		if (body.first < body.last)
			body = trimmed(v, body.first, body.last - 1);
		break;
	case LAST:
	case N_WAYS:
		break;
	}
	bool one_less = way == BEHIND_ONE || way == BEFORE_ONE || way == VALUE ||
	                way == VALUE_FIRST || way == WRAPPED || way == IN_LIST;
	if (one_less && body.first < body.last)
		body.first = view_significant_from(v, body.first + 1, body.last);
	return body;
}

/* The last item behind ITEM in its list; empty: there is none. */
static struct stretch end_of_list(const struct view *v, uint32_t item)
{
	uint32_t last = item;
	for (uint32_t c = item; c != TREE_NONE; c = v->tree.nodes[c].next)
		if (v->tree.nodes[c].kind == TREE_ITEM)
			last = c;
	struct stretch none = { 0, 0 };
	return last == item ? none : text_of(v, last);
}

/* What goes when the name at TOKEN is expanded so; TREE_NONE: nothing. */
static uint32_t definition_of(const struct forms *x, const struct view *v, uint32_t token,
                              enum way way)
{
	uint32_t item = x->item[token];
	if (item == TREE_NONE || way == IN_LIST)
		return item;
	return way == LAST ? names_item_above(&v->tree, item) : names_statement(v, item);
}

/* What of the item NODE goes with the definition of the name at TOKEN in it. */
static struct edit_part definition_cut(const struct view *v, uint32_t node, uint32_t token,
                                       enum way way)
{
	uint32_t parent = v->tree.nodes[node].parent;
	bool listed =
		way == IN_LIST && parent != TREE_NONE && v->tree.nodes[parent].kind == TREE_ITEM;
	return listed ? names_declarator_cut(v, node, token) : names_item_cut(v, node);
}

/* The group behind the token of a name: parameters, arguments. TREE_NONE: none. */
static uint32_t group_behind(const struct forms *x, const struct view *v, uint32_t token)
{
	uint32_t behind = view_significant_from(v, token + 1, v->tokens.n);
	return behind < v->tokens.n ? x->group[behind] : TREE_NONE;
}

/* The word that a statement consists of together with the call of the name at TOKEN, whose
 * arguments are GROUP: call f(x), return f(x), @include f(x). Without arguments (TREE_NONE) it may
 * be the name itself: use t; p; TREE_NONE: there is no such word, or there is more. */
static uint32_t word_of_call(const struct forms *x, const struct view *v, uint32_t token,
                             uint32_t group)
{
	uint32_t statement = names_statement(v, x->item[token]);
	if (statement == TREE_NONE || view_is_file(v, statement))
		return TREE_NONE;
	const struct tree_node *s = &v->tree.nodes[statement];
	uint8_t kind = v->tokens.list[s->first].kind;
	bool second = view_significant_from(v, s->first + 1, s->last) == token,
	     ends = group == TREE_NONE ? view_significant_from(v, token + 1, s->last) == s->last
	                               : v->tree.nodes[group].last == s->last;
	if (!ends || (kind != TOKEN_KEYWORD && kind != TOKEN_IDENTIFIER))
		return TREE_NONE;
	return second || (group == TREE_NONE && s->first == token) ? s->first : TREE_NONE;
}

/* The use at TOKEN as parts of the edit; how many, 0: it cannot be. */
static uint32_t replace_use(const struct forms *x, const struct view *v, uint32_t token,
                            uint32_t name, struct stretch body, enum way way, struct arena *arena,
                            struct edit_part parts[2])
{
	const struct token *list = v->tokens.list;
	uint32_t group = group_behind(x, v, token);
	parts[0] = (struct edit_part){ list[token].begin, view_token_end(v, token), 0, NULL };
	if (way == WRAPPED || way == IN_LIST) {
		with_brackets(x, v, body, arena, &parts[0]);
		return 1;
	}
	if (!is_function(way)) {
		with_arguments(v, body, TREE_NONE, TREE_NONE, false, arena, &parts[0]);
		return 1;
	}
	bool first = way == GROUP_FIRST || way == VALUE_FIRST, value = !is_group(way);
	uint32_t from = value ? TREE_NONE : word_of_call(x, v, token, group),
		 end = group == TREE_NONE ? token + 1 : v->tree.nodes[group].last;
	if (group == TREE_NONE && from == TREE_NONE)
		return 0;
	if (from != TREE_NONE) { /* what is between the brackets is statements, as this is */
		body = trimmed(v, body.first + 1, body.last - 1);
		if (body.first < body.last && list[end].kind == TOKEN_TERMINATOR &&
		    list[body.last - 1].kind == TOKEN_TERMINATOR)
			body.last--;
	}
	uint32_t parameter = first_in(v, group_behind(x, v, name)), argument = first_in(v, group),
		 whole = names_qualifier(v, token, NULL);
	parts[0].begin = list[from == TREE_NONE ? whole : from].begin;
	if (!value) {
		parts[0].end = list[end].begin;
		with_arguments(v, body, parameter, argument, first, arena, &parts[0]);
		return 1;
	}
	const struct tree_node *g = &v->tree.nodes[group];
	parts[1] =
		(struct edit_part){ view_token_end(v, g->first), list[g->last - 1].begin, 0, NULL };
	with_arguments(v, body, parameter, argument, first, arena, &parts[1]);
	return 2;
}

/* Within what is around a statement. */
static bool is_near(const struct view *v, uint32_t token, uint32_t statement)
{
	uint32_t above = names_item_above(&v->tree, statement);
	return above == TREE_NONE ||
	       (token >= v->tree.nodes[above].first && token < v->tree.nodes[above].last);
}

/* A name may have several roles: a function may be defined at any use of its name, and only calls
 * become what it says; of a variable that is assigned from it is the uses around. */
static bool expand_edit(const struct edit_sites *p, uint32_t i, uint32_t j, struct arena *arena,
                        struct edit *out)
{
	const struct forms *x = p->data;
	const struct view *v = p->view;
	enum way way = (enum way)(j % N_WAYS);
	uint32_t definition = j / N_WAYS, n = x->names->first[i + 1] - x->names->first[i];
	if (definition >= n)
		return forms_edit(x, v, i, j - n * N_WAYS, arena, out);
	const uint32_t *uses = x->names->uses + x->names->first[i];
	uint32_t name = uses[definition], statement = definition_of(x, v, name, way);
	if (statement == TREE_NONE || (definition && !is_function(way) && way != ASSIGNED))
		return false;
	struct stretch body =
		way == LAST ? end_of_list(v, x->item[name]) : find_body(v, statement, name, way);
	if (body.first >= body.last)
		return false;
	struct edit_part *parts = arena_alloc(arena, (2 * n + (size_t)1) * sizeof *parts);
	uint32_t m = 0;
	parts[m++] = definition_cut(v, statement, name, way);
	for (uint32_t u = 0; u < n; u++) {
		bool within = uses[u] >= v->tree.nodes[statement].first &&
		              uses[u] < v->tree.nodes[statement].last;
		if (within && u != definition)
			return false; /* it mentions itself */
		bool called =
			group_behind(x, v, uses[u]) != TREE_NONE ||
			(is_group(way) && word_of_call(x, v, uses[u], TREE_NONE) != TREE_NONE);
		bool other = (is_function(way) && !called) ||
		             (way == ASSIGNED && !is_near(v, uses[u], statement));
		if (within || other)
			continue;
		if (v->tokens.list[uses[u]].kind != TOKEN_IDENTIFIER)
			return false; /* that of a tag */
		m += replace_use(x, v, uses[u], name, body, way, arena, &parts[m]);
	}
	return m > 1 && edit_make(arena, parts, m, out);
}

const struct strategy strategy_expand = {
	.shape = STRATEGY_CUTTING,
	.needs = STRATEGY_TREE,
	.open = expand_open,
	.ends = expand_ends,
	.edit = expand_edit,
};
