/* Expanding a definition whose uses look otherwise than its name: $x, ${x}, $(x), &x;, `x, *x. As
 * in strat_expand.c the line or statement that defines a name goes, and each use becomes what it
 * says; known by the words alone, in whatever tokens they stand, so that a string which mentions a
 * variable is a use, too. What marks a use goes with it. The same with elements of XML that others
 * name. */

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
enum { ELEMENTS = 4 * N_WAYS, MARKED_TEXT = 4096 };

static bool is_marked(struct range use, struct range w)
{
	return use.begin < w.begin;
}

/* The statement that the word stands in; of what stands in a tag, the element. TREE_NONE: none. */
static uint32_t statement_of(const struct marked_words *x, const struct view *v, struct range w)
{
	uint32_t node = names_statement(v, x->item[marks_token_at(v, w.begin)]);
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
		bool within =
			view_token_begin(v, n->first) >= r.begin && view_node_end(v, i) <= r.end;
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

/* All uses of the class before STOP but the first word become VALUE; how many parts, 0: it cannot
 * be. */
static uint32_t replace_uses(const struct marked_words *x, const struct view *v,
                             struct word_class c, struct range gone, struct range value,
                             uint32_t stop, bool plain, struct edit_part *parts)
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
		parts[n++] = range_become(v->tc->bytes, use, value);
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

/* Uses without a mark are those of strat_expand.c, but for those of a command, and of m4,
 * where what a name stands for is a string. */
static bool marked_edit(const struct edit_sites *p, uint32_t i, uint32_t j, struct arena *arena,
                        struct edit *out)
{
	const struct marked_words *x = p->data;
	const struct view *v = p->view;
	struct word_class c = x->classes[i];
	if (j >= ELEMENTS)
		return elements_edit(x, v, c, j > ELEMENTS, arena, out);
	enum way way = (enum way)(j % N_WAYS);
	struct range w = x->words.list[x->words.order[c.first]];
	struct range gone = definition_of(x, v, w, j / N_WAYS & 1);
	uint32_t stop = j < 2 * N_WAYS ? UINT32_MAX : scope_end(x, v, c);
	if (gone.begin >= gone.end || (j >= 2 * N_WAYS && stop == UINT32_MAX))
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
	uint32_t n = replace_uses(x, v, c, gone, value, stop, false, parts + 1);
	if (!n && (way == GROUP || way == QUOTED))
		n = replace_uses(x, v, c, gone, value, stop, true, parts + 1);
	return n && edit_make(arena, parts, n + 1, out);
}

const struct strategy strategy_marked = {
	.shape = STRATEGY_CUTTING,
	.needs = STRATEGY_TREE,
	.open = marks_open,
	/* Of a statement, of a line; both within the brackets around alone; of elements. */
	.n_ends = ELEMENTS + 2,
	.edit = marked_edit,
};
