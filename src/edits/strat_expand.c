/* Expanding a definition: the statement that defines a name goes, and each use of the name becomes
 * what the definition says. That may be longer than before, so it is a pump (reduce/stages.h), not
 * a pass. Known by the shape of tokens alone: what stands behind the name (a macro, a constant, a
 * variable), before it (a typedef), in the last bracket group of the statement (a function), or at
 * the end of the list that the name stands in (Lisp, SMT-LIB). In what a function says its
 * parameters become the arguments of the use: what stands between the brackets behind its name,
 * item by item, of a parameter the first or the last identifier. Other definitions have forms. */

#include "base/buf.h"
#include "edits/names.h"
#include "edits/significant.h"
#include "edits/strategies.h"

/* Ways: where the definition is, what the uses become, and how. The last six are forms:
 * definitions that cannot be known by what is around their name alone: a binding between two words
 * (let x = e in), a query behind a name (with c as (q)), a type between a name and its value, a
 * variable that is declared in one statement and set in another, a function between words that are
 * brackets (function f(a) b end), and one in brackets whose calls are in brackets, too: (define (f
 * a) e), (f 1). */
enum way {
	BEHIND,     /* all behind the name */
	BEHIND_ONE, /* without the first token of it: "=" */
	BEFORE_ONE, /* all before the name, without the first token: "typedef" */
	GROUP,      /* name and arguments of the use become the last group */
	VALUE, /* the arguments of the use become the last item of the last group, without its first
	          token: "return" */
	ASSIGNED, /* all before the name, where it stands last, without the token before it: "=" */
	LAST, /* the last item of the list that the name stands in, and what holds that list goes:
	         a definition in brackets, a binding */
	IN_LIST, /* as BEHIND_ONE, in parentheses, and only the innermost item goes: an expression,
	            a query, a parameter with its value, a declarator */
	N_WAYS,  /* of each use, which may be in the definition; those below only of the first */
	LET = N_WAYS,
	QUERY,
	TYPED,
	SET,
	WORDS,
	FORM,
	ALL_WAYS
};
enum { MAX_USES = 8, MAX_PARAMETERS = 16, FORMS_TEXT = 4096 };

/* Tokens [first, last). */
struct stretch {
	uint32_t first, last;
};

/* A definition: what goes, in tokens and as a cut, what goes besides, and what the uses become;
 * empty: nothing. PARAMETERS: the first item of them, TREE_NONE where there are none. */
struct form {
	struct stretch gone, body;
	struct edit_part cut, declared;
	uint32_t parameters;
};

static bool is_function(enum way way)
{
	return way == GROUP || way == VALUE;
}

static struct stretch trimmed(const struct view *v, uint32_t first, uint32_t last)
{
	first = view_significant_from(v, first, last);
	while (last > first && !view_token_significant(v, last - 1))
		last--;
	return (struct stretch){ first, last };
}

static struct stretch text_of(const struct view *v, uint32_t node)
{
	return trimmed(v, v->tree.nodes[node].first, tree_end(&v->tree, node));
}

static uint32_t next_item(const struct view *v, uint32_t node)
{
	while (node != TREE_NONE && v->tree.nodes[node].kind != TREE_ITEM)
		node = tree_next(&v->tree, node);
	return node;
}

/* The first item in GROUP; TREE_NONE: there is none. */
static uint32_t first_in(const struct view *v, uint32_t group)
{
	return group == TREE_NONE ? group : next_item(v, tree_child(v->tree.nodes, group));
}

static uint32_t item_behind(const struct view *v, uint32_t item)
{
	return item == TREE_NONE ? item : next_item(v, tree_next(&v->tree, item));
}

/* The last item of the list of ITEM. */
static uint32_t last_beside(const struct view *v, uint32_t item)
{
	uint32_t last = item;
	while ((item = item_behind(v, item)) != TREE_NONE)
		last = item;
	return last;
}

/* Behind the token, or behind the group that it opens. */
static uint32_t step(const struct names *x, const struct view *v, uint32_t token)
{
	return x->group[token] == TREE_NONE ? token + 1 : tree_end(&v->tree, x->group[token]);
}

/* The token WORD that belongs to the OPENER in front of FROM, which may nest; TREE_NONE: a
 * statement or what is around ends before. */
static uint32_t partner(const struct names *x, const struct view *v, uint32_t from,
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
static bool find_let(const struct names *x, const struct view *v, uint32_t name, struct form *out)
{
	uint32_t let = view_significant_before(v, name),
		 equals = view_significant_from(v, name + 1, v->tokens.n);
	if (let == TREE_NONE || !token_is(v, let, "let") || !names_is_assignment(v, equals))
		return false;
	uint32_t in = partner(x, v, equals + 1, "let", "in");
	if (in == TREE_NONE)
		return false;
	out->gone = (struct stretch){ let, in + 1 };
	out->body = trimmed(v, equals + 1, in);
	return true;
}

/* with NAME as (body), or one more behind a comma */
static bool find_query(const struct names *x, const struct view *v, uint32_t name, struct form *out)
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
	out->body = (struct stretch){ open, tree_end(&v->tree, x->group[open]) };
	out->gone = (struct stretch){ before, out->body.last };
	return true;
}

/* The item NODE goes with what ends it. */
static void set_gone(const struct view *v, uint32_t node, struct form *out)
{
	out->gone = (struct stretch){ v->tree.nodes[node].first, tree_end(&v->tree, node) };
	out->cut = names_item_cut(v, node);
}

/* ... NAME : type = body, up to the end of the statement */
static bool find_typed(const struct names *x, const struct view *v, uint32_t name, struct form *out)
{
	uint32_t statement = names_statement(v, x->item[name]);
	if (statement == TREE_NONE || view_is_file(v, statement))
		return false;
	uint32_t next = view_significant_from(v, name + 1, tree_end(&v->tree, statement)), t = next;
	while (t < tree_end(&v->tree, statement) && !names_is_assignment(v, t))
		t = step(x, v, t);
	if (t >= tree_end(&v->tree, statement) || t == next ||
	    v->tokens.list[next].kind == TOKEN_SEPARATOR)
		return false; /* other ways know those without a type */
	set_gone(v, statement, out);
	out->body = trimmed(v, t + 1, tree_end(&v->tree, statement));
	return true;
}

/* ... NAME; NAME = body; the first of them is FIRST */
static bool find_set(const struct names *x, const struct view *v, uint32_t first, uint32_t name,
                     struct form *out)
{
	uint32_t declaration = x->item[first], statement = names_statement(v, x->item[name]);
	if (declaration == TREE_NONE || statement == TREE_NONE || statement == declaration ||
	    v->tree.nodes[statement].first != name)
		return false;
	uint32_t last = tree_end(&v->tree, statement),
		 equals = view_significant_from(v, name + 1, last);
	if (equals == last || !(names_is_assignment(v, equals) || token_is(v, equals, "<=")))
		return false;
	out->declared = names_item_cut(v, declaration);
	set_gone(v, statement, out);
	out->body = trimmed(v, equals + 1, last);
	return out->declared.end <= out->cut.begin;
}

/* function NAME(parameters) body end */
static bool find_words(const struct names *x, const struct view *v, uint32_t name, struct form *out)
{
	uint32_t item = x->item[name], statement = names_definition(v, item, name), word, len,
		 group = statement == item ? TREE_NONE : tree_parent(&v->tree, item);
	if (group == TREE_NONE || v->tree.nodes[statement].first != v->tree.nodes[group].first)
		return false;
	const struct tree_node *g = &v->tree.nodes[group];
	const struct tokenizer *tok = view_tokenizer_at(v, view_token_begin(v, name));
	const uint8_t *text = token_text(v, g->first, &len);
	if (!tok || !tokenizer_declares(tok, DECLARES_FUNCTION, text, len))
		return false;
	set_gone(v, statement, out);
	word = names_group_behind(x, v, name);
	out->parameters = first_in(v, word);
	out->body = trimmed(v, word == TREE_NONE ? name + 1 : tree_end(&v->tree, word),
	                    tree_end(&v->tree, group) - 1);
	if (out->body.first < out->body.last && token_is(v, out->body.first, "return"))
		out->body.first = view_significant_from(v, out->body.first + 1, out->body.last);
	return true;
}

/* Does ITEM begin what is in its brackets? */
static bool is_first(const struct view *v, uint32_t item)
{
	return item != TREE_NONE && tree_parent(&v->tree, item) != TREE_NONE &&
	       tree_parent(&v->tree, item) + 1 == item;
}

/* (define (NAME parameters) body), (defun NAME (parameters) body) */
static bool find_form(const struct names *x, const struct view *v, uint32_t name, struct form *out)
{
	const struct tree_node *nodes = v->tree.nodes;
	uint32_t item = x->item[name], head = item;
	if (item == TREE_NONE || nodes[item].first != name || tree_end(&v->tree, item) != name + 1)
		return false;
	out->parameters = item_behind(v, item);
	if (is_first(v, item)) /* within the brackets of the head */
		head = names_item_above(&v->tree, item);
	else if (out->parameters != TREE_NONE)
		out->parameters = first_in(v, x->group[nodes[out->parameters].first]);
	if (out->parameters == TREE_NONE || head == TREE_NONE || is_first(v, head) ||
	    tree_parent(&v->tree, head) == TREE_NONE ||
	    nodes[tree_parent(&v->tree, head)].kind != TREE_GROUP)
		return false;
	uint32_t whole = tree_parent(&v->tree, head), last = last_beside(v, head);
	out->gone = (struct stretch){ nodes[whole].first, tree_end(&v->tree, whole) };
	out->body = text_of(v, last);
	return last != head && out->gone.first != out->gone.last && whole;
}

/* The item that goes when the name at TOKEN is expanded so; TREE_NONE: none. */
static uint32_t definition_of(const struct names *x, const struct view *v, uint32_t token,
                              enum way way)
{
	uint32_t item = x->item[token];
	if (item == TREE_NONE || way == IN_LIST)
		return item;
	return way == LAST ? names_item_above(&v->tree, item) : names_statement(v, item);
}

/* What the uses become of what STATEMENT defines at NAME; empty: it cannot be done in this way. */
static struct stretch find_body(const struct names *x, const struct view *v, uint32_t statement,
                                uint32_t name, enum way way)
{
	const struct tree_node *nodes = v->tree.nodes, *s = &nodes[statement];
	struct stretch none = { 0, 0 }, body = none;
	uint32_t last = last_beside(v, x->item[name]),
		 node = tree_last(&v->tree, statement, TREE_GROUP);
	if (node != TREE_NONE && way != GROUP)
		node = tree_last(&v->tree, node, TREE_ITEM);
	if (way == LAST)
		body = last == x->item[name] ? none : text_of(v, last);
	else if (is_function(way))
		body = node == TREE_NONE || nodes[node].first <= name ? none : text_of(v, node);
	else if (way == BEFORE_ONE || way == ASSIGNED)
		body = trimmed(v, s->first, name);
	else
		body = trimmed(v, name + 1, tree_end(&v->tree, statement));
	if (body.first == body.last)
		return none;
	if (way == ASSIGNED)
		return view_significant_from(v, name + 1, tree_end(&v->tree, statement)) ==
		                       tree_end(&v->tree, statement)
		               ? trimmed(v, body.first, body.last - 1)
		               : none;
	if (way == BEHIND_ONE || way == BEFORE_ONE || way == VALUE || way == IN_LIST)
		body.first = view_significant_from(v, body.first + 1, body.last);
	return body;
}

/* The definition at NAME, one of its USES; false: it is none of this way. */
static bool find(const struct names *x, const struct view *v, const uint32_t *uses, uint32_t name,
                 enum way way, struct form *out)
{
	*out = (struct form){ .parameters = TREE_NONE };
	bool found = way == LET     ? find_let(x, v, name, out)
	             : way == QUERY ? find_query(x, v, name, out)
	             : way == TYPED ? find_typed(x, v, name, out)
	             : way == SET   ? find_set(x, v, uses[0], name, out)
	             : way == WORDS ? find_words(x, v, name, out)
	                            : way == FORM && find_form(x, v, name, out);
	if (way >= N_WAYS) {
		if (out->cut.begin == out->cut.end) {
			out->cut.begin = view_token_begin(v, out->gone.first);
			out->cut.end = view_token_begin(v, out->gone.last);
		}
		return found && out->body.last - out->body.first <= FORMS_TEXT;
	}
	uint32_t node = definition_of(x, v, name, way), parent;
	if (node == TREE_NONE || (name != uses[0] && !is_function(way) && way != ASSIGNED))
		return false;
	set_gone(v, node, out);
	parent = tree_parent(&v->tree, node);
	if (way == IN_LIST && parent != TREE_NONE && v->tree.nodes[parent].kind == TREE_ITEM)
		out->cut = names_declarator_cut(v, node, name);
	if (is_function(way))
		out->parameters = first_in(v, names_group_behind(x, v, name));
	out->body = find_body(x, v, node, name, way);
	return true;
}

static void add_tokens(const struct view *v, struct stretch s, struct buf *out)
{
	uint32_t begin = view_token_begin(v, s.first);
	if (s.first < s.last)
		buf_add(out, v->tc->bytes + begin, view_token_end(v, s.last - 1) - begin);
}

/* Whether TOKEN is the first or the last identifier of an item: in C a parameter has its name
 * last, in Pascal first. */
static bool names_parameter(const struct view *v, uint32_t token, uint32_t item)
{
	struct stretch b = text_of(v, item);
	while (b.first < b.last && v->tokens.list[b.first].kind != TOKEN_IDENTIFIER)
		b.first++;
	while (b.last > b.first && v->tokens.list[b.last - 1].kind != TOKEN_IDENTIFIER)
		b.last--;
	return b.first < b.last &&
	       (token_same_text(v, b.first, token) || token_same_text(v, b.last - 1, token));
}

/* What TOKEN of a body becomes: the argument for what it names among the parameters, or itself. Of
 * both the first item, TREE_NONE: there is none. */
static struct stretch argument_for(const struct view *v, uint32_t token, uint32_t parameter,
                                   uint32_t argument)
{
	bool named = v->tokens.list[token].kind == TOKEN_IDENTIFIER;
	for (uint32_t n = 0;
	     named && n < MAX_PARAMETERS && parameter != TREE_NONE && argument != TREE_NONE; n++) {
		if (names_parameter(v, token, parameter))
			return text_of(v, argument);
		parameter = item_behind(v, parameter);
		argument = item_behind(v, argument);
	}
	return (struct stretch){ token, token + 1 };
}

/* PART becomes the body, with arguments in place of parameters, ARGUMENT the first. As one operand
 * several tokens are in parentheses, unless they are in brackets already. */
static void put_body(const struct names *x, const struct view *v, const struct form *f,
                     enum way way, uint32_t argument, struct arena *arena, struct edit_part *part)
{
	SCOPED(buf_release) struct buf text = { 0 };
	bool operand = way == IN_LIST || (way >= N_WAYS && way < WORDS),
	     apart = operand && step(x, v, f->body.first) < f->body.last;
	buf_addf(&text, "%s", apart ? "(" : "");
	for (uint32_t t = f->body.first; t < f->body.last; t++)
		add_tokens(v, argument_for(v, t, f->parameters, argument), &text);
	buf_addf(&text, "%s", apart ? ")" : "");
	part->text = arena_copy(arena, text.data, text.len);
	part->len = (uint32_t)text.len;
}

/* The call at the token USE as a part; how many, 0: it is none. */
static uint32_t replace_call(const struct names *x, const struct view *v, const struct form *f,
                             uint32_t use, struct arena *arena, struct edit_part *part)
{
	const struct tree_node *nodes = v->tree.nodes;
	uint32_t item = x->item[use];
	if (item == TREE_NONE || nodes[item].first != use || !is_first(v, item) ||
	    nodes[tree_parent(&v->tree, item)].kind != TREE_GROUP || !tree_parent(&v->tree, item))
		return 0;
	uint32_t call = tree_parent(&v->tree, item);
	put_body(x, v, f, FORM, item_behind(v, item), arena, part);
	part->begin = view_token_begin(v, nodes[call].first);
	part->end = view_node_end(v, call);
	return 1;
}

/* The word that a statement consists of together with the call of the name at TOKEN, whose
 * arguments are GROUP: call f(x), return f(x), @include f(x). Without arguments (TREE_NONE) it may
 * be the name itself: use t; p; TREE_NONE: there is no such word, or there is more. */
static uint32_t word_of_call(const struct names *x, const struct view *v, uint32_t token,
                             uint32_t group)
{
	uint32_t statement = names_statement(v, x->item[token]);
	if (statement == TREE_NONE || view_is_file(v, statement))
		return TREE_NONE;
	const struct tree_node *s = &v->tree.nodes[statement];
	uint8_t kind = v->tokens.list[s->first].kind;
	bool second =
		     view_significant_from(v, s->first + 1, tree_end(&v->tree, statement)) == token,
	     ends = group == TREE_NONE
	                    ? view_significant_from(v, token + 1, tree_end(&v->tree, statement)) ==
	                              tree_end(&v->tree, statement)
	                    : tree_end(&v->tree, group) == tree_end(&v->tree, statement);
	if (!ends || (kind != TOKEN_KEYWORD && kind != TOKEN_IDENTIFIER))
		return TREE_NONE;
	return second || (group == TREE_NONE && s->first == token) ? s->first : TREE_NONE;
}

/* The use at TOKEN as parts of the edit; how many, 0: it cannot be. */
static uint32_t replace_use(const struct names *x, const struct view *v, uint32_t token,
                            const struct form *definition, enum way way, struct arena *arena,
                            struct edit_part parts[2])
{
	const struct token *list = v->tokens.list;
	struct form f = *definition;
	if (way == FORM)
		return replace_call(x, v, &f, token, arena, parts);
	parts[0] =
		(struct edit_part){ view_token_begin(v, token), view_token_end(v, token), 0, NULL };
	uint32_t group = names_group_behind(x, v, token);
	if (!is_function(way)) {
		bool called = way == WORDS && group != TREE_NONE;
		if (way == WORDS)
			parts[0].begin = view_token_begin(v, names_qualifier(v, token, NULL));
		if (called)
			parts[0].end = view_node_end(v, group);
		put_body(x, v, &f, way, called ? first_in(v, group) : TREE_NONE, arena, parts);
		return 1;
	}
	uint32_t from = way == GROUP ? word_of_call(x, v, token, group) : TREE_NONE,
		 end = group == TREE_NONE ? token + 1 : tree_end(&v->tree, group);
	if (group == TREE_NONE && from == TREE_NONE)
		return 0;
	if (from != TREE_NONE) { /* what is between the brackets is statements, as this is */
		f.body = trimmed(v, f.body.first + 1, f.body.last - 1);
		if (f.body.first < f.body.last && list[end].kind == TOKEN_TERMINATOR &&
		    list[f.body.last - 1].kind == TOKEN_TERMINATOR)
			f.body.last--;
	}
	parts[0].begin =
		view_token_begin(v, from == TREE_NONE ? names_qualifier(v, token, NULL) : from);
	if (way == GROUP)
		parts[0].end = view_token_begin(v, end);
	else
		parts[1] = (struct edit_part){ view_token_begin(v, v->tree.nodes[group].first + 1),
			                       view_token_begin(v, end - 1), 0, NULL };
	put_body(x, v, &f, way, first_in(v, group), arena, &parts[way != GROUP]);
	return way == GROUP ? 1 : 2;
}

/* Is TOKEN within what is around the statement of the name at NAME? */
static bool is_near(const struct names *x, const struct view *v, uint32_t token, uint32_t name)
{
	uint32_t statement = names_statement(v, x->item[name]),
		 above = names_item_above(&v->tree, statement);
	return above == TREE_NONE ||
	       (token >= v->tree.nodes[above].first && token < tree_end(&v->tree, above));
}

/* Does the use at TOKEN become what the name at NAME says? A name may have several roles: a
 * function may be defined at any use of its name, and only calls become what it says; of a variable
 * that is assigned from it is the uses around. */
static bool is_concerned(const struct names *x, const struct view *v, uint32_t token, uint32_t name,
                         enum way way)
{
	if (is_function(way) && names_group_behind(x, v, token) == TREE_NONE)
		return way == GROUP && word_of_call(x, v, token, TREE_NONE) != TREE_NONE;
	return way != ASSIGNED || is_near(x, v, token, name);
}

static uint32_t expand_ends(const struct edit_sites *p, uint32_t i)
{
	uint32_t n;
	names_uses(p->data, i, &n);
	return n > 1 && n <= MAX_USES ? N_WAYS * n + ALL_WAYS - N_WAYS : 0;
}

static bool expand_edit(const struct edit_sites *p, uint32_t i, uint32_t j, struct arena *arena,
                        struct edit *out)
{
	const struct names *x = p->data;
	const struct view *v = p->view;
	uint32_t n, m = 2;
	const uint32_t *uses = names_uses(x, i, &n);
	enum way way = (enum way)(j < n * N_WAYS ? j % N_WAYS : N_WAYS + j - n * N_WAYS);
	uint32_t definition = way < N_WAYS ? j / N_WAYS : way == SET;
	struct form f;
	if (!find(x, v, uses, uses[definition], way, &f) || f.body.first >= f.body.last)
		return false;
	struct edit_part *parts = arena_alloc(arena, 2 * (n + (size_t)1) * sizeof *parts);
	parts[0] = f.declared;
	parts[1] = f.cut;
	for (uint32_t u = 0; u < n; u++) {
		if (u == definition || (way == SET && !u))
			continue;
		if (uses[u] >= f.gone.first && uses[u] < f.gone.last)
			return false; /* it mentions itself */
		if (!is_concerned(x, v, uses[u], uses[definition], way))
			continue;
		if (v->tokens.list[uses[u]].kind != TOKEN_IDENTIFIER)
			return false; /* that of a tag */
		uint32_t more = replace_use(x, v, uses[u], &f, way, arena, &parts[m]);
		if (!more)
			return false;
		m += more;
	}
	return m > 2 && edit_make(arena, parts, m, out);
}

const struct strategy strategy_expand = {
	.shape = STRATEGY_CUTTING,
	.needs = STRATEGY_TREE,
	.open = names_open,
	.ends = expand_ends,
	.edit = expand_edit,
};
