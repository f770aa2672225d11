/* Expanding a definition whose uses look otherwise than its name: $x, ${x}, $(x), &x;, `x, *x. As
 * in strat_expand.c the line or statement that defines a name goes, and each use becomes what it
 * says; known by the words alone, in whatever tokens they stand, so that a string which mentions a
 * variable is a use, too. What marks a use goes with it. Numbers in what it says stand for the
 * arguments of the use: #1, $1. The same with elements of XML and members of objects that others
 * name. */

#include "base/buf.h"
#include "base/work.h"
#include "edits/marks.h"
#include "edits/names.h"
#include "edits/strategies.h"
#include "edits/words.h"

enum way {
	REST,   /* all behind the name and the signs that follow it */
	QUOTED, /* what the last string behind the name says */
	GROUP,  /* what the last brackets behind the name enclose */
	KEPT,   /* as REST, but only the name with its mark goes: an anchor */
	N_WAYS,
};
/* Further ways: the line of the name as REST; as QUOTED, but uses within the brackets around the
 * definition alone; elements. */
enum { LINE = N_WAYS, SCOPED, ELEMENTS };
enum { MARKED_TEXT = 4096, ARGUMENTS = 9 };

static bool is_marked(struct range use, struct range w)
{
	return use.begin < w.begin;
}

/* What the statement NODE is the head of, if that is brackets alone: [name] of a table. Else NODE.
 */
static uint32_t headed_by(const struct view *v, uint32_t node)
{
	const struct tree_node *nodes = v->tree.nodes;
	uint32_t group = node == TREE_NONE ? node : tree_child(nodes, node),
		 above = group == TREE_NONE ? group : tree_parent(&v->tree, node);
	bool head = above != TREE_NONE && above && nodes[above].kind == TREE_ITEM &&
	            tree_child(nodes, above) == node && nodes[group].kind == TREE_GROUP &&
	            nodes[group].first == nodes[node].first &&
	            tree_end(&v->tree, group) == tree_end(&v->tree, node);
	return head ? above : node;
}

/* The statement that the word stands in; of what stands in a tag, the element. TREE_NONE: none. */
static uint32_t statement_of(const struct marked_words *x, const struct view *v, struct range w)
{
	uint32_t node = headed_by(v, names_statement(v, x->item[marks_token_at(v, w.begin)]));
	uint32_t first = node, group = node == TREE_NONE ? TREE_NONE : tree_parent(&v->tree, node);
	while (group != TREE_NONE && v->tree.nodes[group].kind == TREE_ITEM) {
		first = group;
		group = tree_parent(&v->tree, group);
	}
	if (group == TREE_NONE || tree_child(v->tree.nodes, group) != first ||
	    v->tc->bytes[view_token_begin(v, v->tree.nodes[group].first)] != '<')
		return node;
	uint32_t above = names_item_above(&v->tree, group);
	return above == TREE_NONE ? node : names_statement(v, above);
}

/* The statement that the word stands in with what ends it, or its line; empty: there is none. */
static struct range definition_of(const struct marked_words *x, const struct view *v,
                                  struct range w, bool line)
{
	const uint8_t *bytes = v->tc->bytes;
	struct range r = { w.begin, w.end };
	if (!line) {
		uint32_t item = statement_of(x, v, w);
		if (item == TREE_NONE || view_is_file(v, item))
			return (struct range){ 0, 0 };
		struct edit_part cut = names_item_cut(v, item);
		return (struct range){ cut.begin, cut.end };
	}
	while (r.begin > 0 && bytes[r.begin - 1] != '\n')
		r.begin--;
	while (r.end < v->tc->size && bytes[r.end++] != '\n')
		;
	return r;
}

/* The last of the outermost groups that begin behind the word and end within R; what it encloses.
 */
static struct range last_group(const struct view *v, struct range w, struct range r)
{
	struct range found = { 0, 0 };
	uint32_t outside = 0;
	for (uint32_t i = marks_group_behind(v, marks_token_at(v, w.end)); i < v->tree.n; i++) {
		const struct tree_node *n = &v->tree.nodes[i];
		uint32_t begin = view_token_begin(v, n->first), end = view_node_end(v, i);
		if (begin > r.end)
			break;
		if (n->kind != TREE_GROUP || tree_end(&v->tree, i) < n->first + 2 ||
		    begin < w.end || begin < outside || end > r.end)
			continue;
		outside = end;
		found = (struct range){ view_token_begin(v, n->first + 1),
			                view_token_begin(v, tree_end(&v->tree, i) - 1) };
	}
	return found;
}

/* Where the innermost group around the word ends that is within R, before its bracket; else R. ITEM
 * is the innermost one around it. */
static uint32_t end_around(const struct view *v, uint32_t item, struct range r)
{
	for (uint32_t i = item; i != TREE_NONE && i; i = tree_parent(&v->tree, i)) {
		const struct tree_node *n = &v->tree.nodes[i];
		if (n->kind != TREE_GROUP)
			continue;
		uint32_t end = view_node_end(v, i);
		bool within = view_token_begin(v, n->first) >= r.begin && end <= r.end;
		struct range behind = marks_trimmed(v->tc->bytes, (struct range){ end, r.end });
		if (within && view_token_begin(v, n->first) == r.begin && behind.begin < behind.end)
			return r.end; /* a head in brackets, [name], and what belongs to it */
		return within ? view_token_begin(v, tree_end(&v->tree, i) - 1) : r.end;
	}
	return r.end;
}

/* What stands between the last two quotes in R. */
static struct range quoted(const uint8_t *bytes, struct range r)
{
	uint32_t end = r.end, begin;
	while (end > r.begin && !marks_one_of(bytes[end - 1], "\"'"))
		end--;
	if (end == r.begin)
		return (struct range){ 0, 0 };
	uint8_t open = bytes[--end];
	for (begin = end; begin > r.begin; begin--)
		if (bytes[begin - 1] == open || (open == '\'' && bytes[begin - 1] == '`'))
			return (struct range){ begin, end };
	return (struct range){ 0, 0 };
}

/* What the uses become; empty: it cannot be done in this way. */
static struct range value_of(const struct view *v, struct range w, uint32_t item,
                             struct range definition, enum way way)
{
	const uint8_t *bytes = v->tc->bytes;
	if (way == GROUP)
		return marks_trimmed(bytes, last_group(v, w, definition));
	struct range rest = { w.end, end_around(v, item, definition) };
	if (way == QUOTED)
		return quoted(bytes, rest);
	rest = marks_trimmed(bytes, rest);
	while (rest.begin < rest.end && marks_one_of(bytes[rest.begin], ":?+!=,'\")}"))
		rest.begin++;
	while (rest.begin < rest.end && marks_one_of(bytes[rest.end - 1], ";>"))
		rest.end--;
	return marks_trimmed(bytes, rest);
}

/* Where the brackets around the statement of a word end; UINT32_MAX: it stands outside of all, or
 * all its class does within. */
static uint32_t scope_end(const struct marked_words *x, const struct view *v, struct word_class c)
{
	struct range w = x->words.list[x->words.order[c.first]],
		     last = x->words.list[x->words.order[c.last - 1]];
	uint32_t node = statement_of(x, v, w);
	while (node != TREE_NONE && v->tree.nodes[node].kind != TREE_GROUP)
		node = tree_parent(&v->tree, node);
	if (node == TREE_NONE || !node)
		return UINT32_MAX;
	uint32_t end = view_node_end(v, node);
	return last.begin < end ? UINT32_MAX : end;
}

/* The arguments of a use, as bytes. */
struct arguments {
	uint32_t n, end; /* end: behind the last one */
	struct range list[ARGUMENTS];
};

/* Which of the arguments the byte AT of R stands for, from 1 on; 0: none. */
static uint32_t parameter_at(const uint8_t *bytes, struct range r, uint32_t at)
{
	bool is = at + 1 < r.end && marks_one_of(bytes[at], "$#") && bytes[at + 1] > '0' &&
	          bytes[at + 1] <= '9';
	return is ? (uint32_t)(bytes[at + 1] - '0') : 0;
}

/* How many arguments VALUE has. */
static uint32_t count_parameters(const uint8_t *bytes, struct range value)
{
	uint32_t most = 0;
	for (uint32_t at = value.begin; at < value.end; at++) {
		uint32_t k = parameter_at(bytes, value, at);
		most = k > most ? k : most;
	}
	return most;
}

static void add_argument(struct arguments *a, struct range r, uint32_t end)
{
	a->list[a->n++] = r;
	a->end = end;
}

/* What stands between blanks behind TOKEN, up to the end of its item. */
static void arguments_beside(const struct view *v, uint32_t token, uint32_t last, uint32_t most,
                             struct arguments *a)
{
	const struct token *list = v->tokens.list;
	for (uint32_t t = token, first; t < last && a->n < most; t++) {
		if (list[t].kind == TOKEN_BLANK)
			continue;
		for (first = t; t + 1 < last && list[t + 1].kind != TOKEN_BLANK; t++)
			for (first = t; t + 1 < last && list[t + 1].kind != TOKEN_BLANK; t++)
				work_step(1);
		add_argument(
			a, (struct range){ view_token_begin(v, first), view_token_begin(v, t + 1) },
			view_token_begin(v, t + 1));
	}
}

/* The first MOST arguments of a use: brackets that follow one another, or the items of round ones,
 * or what stands beside it. */
static struct arguments arguments_of(const struct marked_words *x, const struct view *v,
                                     struct range use, uint32_t most)
{
	const struct tree_node *nodes = v->tree.nodes;
	struct arguments a = { .end = use.end };
	uint32_t t = marks_token_at(v, use.end - 1) + 1, group = marks_group_behind(v, t),
		 item = x->item[marks_token_at(v, use.begin)];
	while (a.n < most && group != TREE_NONE && nodes[group].first == t &&
	       tree_end(&v->tree, group) > t + 1) {
		uint32_t end = view_token_begin(v, t = tree_end(&v->tree, group)),
			 c = tree_child(nodes, group);
		if (v->tc->bytes[view_token_begin(v, nodes[group].first)] != '(')
			add_argument(&a,
			             (struct range){ view_token_begin(v, nodes[group].first + 1),
			                             view_token_begin(v, t - 1) },
			             end);
		else
			for (; c != TREE_NONE && a.n < most; c = tree_next(&v->tree, c))
				add_argument(&a,
				             (struct range){ view_token_begin(v, nodes[c].first),
				                             view_node_end(v, c) },
				             end);
		group = marks_group_behind(v, t);
	}
	if (!a.n && item != TREE_NONE)
		arguments_beside(v, t, tree_end(&v->tree, item), most, &a);
	return a;
}

/* USE becomes VALUE, with its arguments in place of the numbers. */
static struct edit_part put_value(const struct marked_words *x, const struct view *v,
                                  struct range use, struct range value, struct arena *arena)
{
	const uint8_t *bytes = v->tc->bytes;
	uint32_t most = count_parameters(bytes, value);
	if (!most)
		return range_become(bytes, use, value);
	SCOPED(buf_release) struct buf text = { 0 };
	struct arguments a = arguments_of(x, v, use, most);
	for (uint32_t at = value.begin; at < value.end; at++) {
		uint32_t k = parameter_at(bytes, value, at);
		if (!k)
			buf_add(&text, bytes + at, 1);
		else if (k <= a.n)
			buf_add(&text, bytes + a.list[k - 1].begin,
			        a.list[k - 1].end - a.list[k - 1].begin);
		at += k > 0;
	}
	return (struct edit_part){ use.begin, a.end, (uint32_t)text.len,
		                   arena_copy(arena, text.data, text.len) };
}

/* All uses of the class before STOP but the first word become VALUE; how many parts, 0: it cannot
 * be. */
static uint32_t replace_uses(const struct marked_words *x, const struct view *v,
                             struct word_class c, struct range gone, struct range value,
                             uint32_t stop, bool plain, struct arena *arena,
                             struct edit_part *parts)
{
	uint32_t n = 0;
	for (uint32_t i = c.first + 1; i < c.last; i++) {
		struct range w = x->words.list[x->words.order[i]];
		struct range use = marks_use(v, w);
		if (w.begin >= stop)
			break;
		if (is_marked(use, w) == plain)
			continue;
		if (use.begin < gone.end || (use.begin < value.end && value.begin < use.end))
			return 0; /* it mentions itself */
		parts[n++] = put_value(x, v, use, value, arena);
	}
	return n;
}

/* An element, as bytes. */
struct tag {
	struct range all, content; /* content: empty where it has none */
	uint32_t node;
};

static struct tag tag_of(const struct view *v, uint32_t node)
{
	const struct tree_node *n = &v->tree.nodes[node];
	struct tag tag = { { view_token_begin(v, n->first), view_node_end(v, node) },
		           { 0, 0 },
		           node };
	const struct tree_node *head = n + n->has_child;
	if (head != n && head->has_sep)
		tag.content =
			(struct range){ view_token_begin(v, view_behind(v, node + n->has_child)),
			                view_token_begin(v, tree_end(&v->tree, node) - 1) };
	return tag;
}

/* The element in whose first tag a word stands; its node is TREE_NONE where there is none. */
static struct tag tag_around(const struct marked_words *x, const struct view *v, struct range w)
{
	uint32_t node = x->item[marks_token_at(v, w.begin)];
	while (node != TREE_NONE && v->tree.nodes[node].kind != TREE_GROUP)
		node = tree_parent(&v->tree, node);
	struct tag tag = { .node = TREE_NONE };
	if (node == TREE_NONE || !node)
		return tag;
	tag = tag_of(v, node);
	if (tag.all.end - tag.all.begin < 2 || v->tc->bytes[tag.all.begin] != '<' ||
	    v->tc->bytes[tag.all.begin + 1] == '!' ||
	    (tag.content.begin && w.begin >= tag.content.begin))
		tag.node = TREE_NONE;
	return tag;
}

/* Does the group hold nothing but ITEM? */
static bool holds_one(const struct view *v, uint32_t group, uint32_t item)
{
	return tree_child(v->tree.nodes, group) == item && tree_next(&v->tree, item) == TREE_NONE;
}

/* The member of an object whose key a word stands in, with its value, which is in brackets: {
 * "key": { ... } }; else, of one that is MENTIONED, the object that consists of the mention: {
 * "$ref":
 * "#/a/key" }. Its node is TREE_NONE where there is none. */
static struct tag member_around(const struct marked_words *x, const struct view *v, struct range w,
                                bool mentioned)
{
	const struct tree_node *nodes = v->tree.nodes;
	uint32_t token = marks_token_at(v, w.begin), item = x->item[token],
		 group = item == TREE_NONE ? item
	                 : mentioned       ? tree_parent(&v->tree, item)
	                                   : tree_last(&v->tree, item, TREE_GROUP);
	struct tag tag = { .node = TREE_NONE };
	if (group == TREE_NONE || !group || nodes[group].kind != TREE_GROUP ||
	    v->tc->bytes[view_token_begin(v, nodes[group].first)] != '{' ||
	    (nodes[item].first == token) == mentioned)
		return tag;
	tag.content =
		(struct range){ view_token_begin(v, nodes[group].first), view_node_end(v, group) };
	tag.all = tag.content;
	if (mentioned && !holds_one(v, group, item))
		return tag;
	tag.node = group;
	if (!mentioned) {
		struct edit_part cut = names_listed_cut(v, item);
		tag.all = (struct range){ cut.begin, cut.end };
	}
	return tag;
}

/* The value of the first word of the class C that is the key of a member comes in place of the
 * objects that mention it. False where there are none. */
static bool members_edit(const struct marked_words *x, const struct view *v, struct word_class c,
                         struct arena *arena, struct edit *out)
{
	struct tag d = { .node = TREE_NONE };
	uint32_t n = 1, k = c.first, defined;
	for (; k < c.last && d.node == TREE_NONE; k++)
		d = member_around(x, v, x->words.list[x->words.order[k]], false);
	defined = k - 1;
	if (d.node == TREE_NONE || d.content.end - d.content.begin > MARKED_TEXT)
		return false;
	struct edit_part *parts = arena_alloc(arena, (c.last - c.first) * sizeof *parts);
	parts[0] = (struct edit_part){ .begin = d.all.begin, .end = d.all.end };
	for (k = c.first; k < c.last; k++) {
		struct tag use = member_around(x, v, x->words.list[x->words.order[k]], true);
		if (k == defined || use.node == TREE_NONE)
			continue;
		if (use.all.begin < d.all.end && d.all.begin < use.all.end)
			return false; /* it mentions itself */
		parts[n++] = range_become(v->tc->bytes, use.all, d.content);
	}
	return n > 1 && edit_make(arena, parts, n, out);
}

/* The first element that has a word of the class C in its first tag, or the LAST one, goes; what it
 * holds comes in place of the others: <g id="a">x</g> <use href="#a"/>. False where there are none.
 */
static bool elements_edit(const struct marked_words *x, const struct view *v, struct word_class c,
                          bool last, struct arena *arena, struct edit *out)
{
	uint32_t defined = last ? c.last - 1 : c.first, n = 1;
	struct tag d = tag_around(x, v, x->words.list[x->words.order[defined]]);
	if (d.node == TREE_NONE || d.content.begin >= d.content.end ||
	    d.content.end - d.content.begin > MARKED_TEXT)
		return false;
	struct edit_part *parts = arena_alloc(arena, (c.last - c.first) * sizeof *parts);
	parts[0] = (struct edit_part){ .begin = d.all.begin, .end = d.all.end };
	for (uint32_t k = c.first; k < c.last; k++) {
		struct range w = x->words.list[x->words.order[k]];
		struct tag call = tag_around(x, v, w);
		uint32_t mark = marks_use(v, w).begin;
		if (k == defined || call.node == TREE_NONE ||
		    (mark < w.begin && v->tc->bytes[mark] != '#'))
			continue;
		if (call.all.begin < d.all.end && d.all.begin < call.all.end)
			return false; /* it calls itself, or is part of a call */
		parts[n++] = range_become(v->tc->bytes, call.all, d.content);
	}
	return n > 1 && edit_make(arena, parts, n, out);
}

static bool member_edit(const struct edit_sites *p, uint32_t i, UNUSED uint32_t j,
                        struct arena *arena, struct edit *out)
{
	const struct marked_words *x = p->data;
	return members_edit(x, p->view, x->classes[i], arena, out);
}

/* The same as a pass: what is mentioned once becomes shorter, and may be all that is left of a
 * document. */
const struct strategy strategy_members = {
	.shape = STRATEGY_CUTTING,
	.needs = STRATEGY_TREE,
	.open = marks_open,
	.edit = member_edit,
};

/* Uses without a mark are those of strat_expand.c, but for those of a command, and of m4,
 * where what a name stands for is a string. */
static bool marked_edit(const struct edit_sites *p, uint32_t i, uint32_t j, struct arena *arena,
                        struct edit *out)
{
	const struct marked_words *x = p->data;
	const struct view *v = p->view;
	struct word_class c = x->classes[i];
	if (j >= ELEMENTS)
		return elements_edit(x, v, c, j > ELEMENTS, arena, out) ||
		       (j > ELEMENTS && members_edit(x, v, c, arena, out));
	enum way way = j < LINE ? (enum way)j : j == LINE ? REST : QUOTED;
	struct range w = x->words.list[x->words.order[c.first]];
	struct range gone = definition_of(x, v, w, j == LINE);
	uint32_t stop = j < SCOPED ? UINT32_MAX : scope_end(x, v, c);
	if (gone.begin >= gone.end || (j == SCOPED && stop == UINT32_MAX))
		return false;
	struct range value = value_of(v, w, x->item[marks_token_at(v, w.begin)], gone, way),
		     own = marks_use(v, w);
	if (value.begin >= value.end || value.end - value.begin > MARKED_TEXT)
		return false;
	if (way == KEPT)
		gone = own;
	if (way == KEPT && !is_marked(own, w))
		return false;
	struct edit_part *parts = arena_alloc(arena, (c.last - c.first) * sizeof *parts);
	parts[0] = (struct edit_part){ .begin = gone.begin, .end = gone.end };
	uint32_t n = replace_uses(x, v, c, gone, value, stop, false, arena, parts + 1);
	if (!n && (way == GROUP || way == QUOTED))
		n = replace_uses(x, v, c, gone, value, stop, true, arena, parts + 1);
	return n && edit_make(arena, parts, n + 1, out);
}

const struct strategy strategy_marked = {
	.shape = STRATEGY_CUTTING,
	.needs = STRATEGY_TREE,
	.open = marks_open,
	/* Of a statement, of a line, within the brackets around alone, of elements. */
	.n_ends = ELEMENTS + 2,
	.edit = marked_edit,
};
