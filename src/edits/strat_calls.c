/* Calls of what is defined in brackets of words: function f(a) ... end, macro(f a) ... endmacro().
 * As in strat_expand.c the definition goes, and each call becomes its body with arguments in place
 * of parameters; a parameter may be mentioned with a mark (edits/marks.h). The same with elements
 * of XML. */
#include <string.h>

#include "base/buf.h"
#include "edits/marks.h"
#include "edits/names.h"
#include "edits/strategies.h"
#include "edits/words.h"

/* Elements that refer to others by name. */

enum { PARAMETERS = 8, TAGS_TEXT = 4096 };

/* An element, as bytes. */
struct tag {
	struct range all, content; /* content: empty where it has none */
	uint32_t node;
};

static struct tag tag_of(const struct view *v, uint32_t node)
{
	const struct tree_node *n = &v->tree.nodes[node];
	struct tag tag = { { view_token_begin(v, n->first), view_token_begin(v, n->last) },
		           { 0, 0 },
		           node };
	const struct tree_node *head = n->child == TREE_NONE ? n : &v->tree.nodes[n->child];
	if (head != n && head->sep_last > head->sep_first)
		tag.content = (struct range){ view_token_begin(v, head->sep_last),
			                      view_token_begin(v, n->last - 1) };
	return tag;
}

/* The element in whose first tag a word stands; its node is TREE_NONE where there is none. */
static struct tag tag_around(const struct marked_words *x, const struct view *v, struct word w)
{
	uint32_t node = x->item[marks_token_at(v, w.begin)];
	while (node != TREE_NONE && v->tree.nodes[node].kind != TREE_GROUP)
		node = v->tree.nodes[node].parent;
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

/* What is between the first quotes in R, or the last ones; empty: there are none. */
static struct range quoted(const uint8_t *bytes, struct range r, bool last)
{
	struct range found = { 0, 0 };
	for (uint32_t at = r.begin; at < r.end; at++) {
		const uint8_t *end = marks_one_of(bytes[at], "\"'")
		                             ? memchr(bytes + at + 1, bytes[at], r.end - at - 1)
		                             : NULL;
		if (!end)
			continue;
		found = (struct range){ at + 1, (uint32_t)(end - bytes) };
		at = found.end;
		if (!last)
			break;
	}
	return found;
}

/* What a call hands over: names and values. */
struct handed {
	struct range name[PARAMETERS], value[PARAMETERS];
	uint32_t n;
};

static struct handed handed_by(const struct view *v, const struct tag *call)
{
	struct handed h = { .n = 0 };
	for (uint32_t i = call->node + 1; i < v->tree.n && h.n < PARAMETERS; i++) {
		const struct tree_node *n = &v->tree.nodes[i];
		struct range r = { view_token_begin(v, n->first), view_token_begin(v, n->last) };
		if (r.begin >= call->all.end)
			break;
		if (n->kind != TREE_GROUP || r.begin < call->content.begin)
			continue;
		h.name[h.n] = quoted(v->tc->bytes, r, false);
		h.value[h.n] = quoted(v->tc->bytes, r, true);
		h.n += h.name[h.n].begin > 0;
	}
	return h;
}

static uint32_t find_handed(const struct handed *h, const uint8_t *bytes, struct word w)
{
	uint32_t i = 0;
	while (i < h->n && (h->name[i].end - h->name[i].begin != w.end - w.begin ||
	                    memcmp(bytes + h->name[i].begin, bytes + w.begin, w.end - w.begin)))
		i++;
	return i;
}

/* BODY with values in place of parameters, and without the elements that declare those. */
static void add_tag_body(const struct marked_words *x, const struct view *v, struct range body,
                         const struct handed *h, struct buf *out)
{
	const uint8_t *bytes = v->tc->bytes;
	uint32_t at = body.begin;
	for (uint32_t i = words_behind(&x->words, at); i < x->words.n; i++) {
		struct word w = x->words.list[i];
		if (w.end > body.end)
			break;
		uint32_t k = find_handed(h, bytes, w);
		struct range use = marks_use(v, w);
		if (k == h->n || use.begin < at)
			continue;
		struct tag declared = tag_around(x, v, w);
		bool is_use = use.begin < w.begin;
		if (!is_use && (declared.node == TREE_NONE || declared.content.begin ||
		                declared.all.begin < at))
			continue;
		uint32_t from = is_use ? use.begin : declared.all.begin;
		buf_add(out, bytes + at, from - at);
		if (is_use)
			buf_add(out, bytes + h->value[k].begin,
			        h->value[k].end - h->value[k].begin);
		at = is_use ? use.end : declared.all.end;
	}
	buf_add(out, bytes + at, body.end - at);
}

static struct edit_part tag_call_part(const struct marked_words *x, const struct view *v,
                                      const struct tag *call, struct range body,
                                      struct arena *arena)
{
	struct handed h = handed_by(v, call);
	struct buf text = { 0 };
	add_tag_body(x, v, body, &h, &text);
	uint8_t *copy = arena_alloc(arena, text.len + (size_t)1);
	if (text.len)
		memcpy(copy, text.data, text.len);
	struct edit_part part = { call->all.begin, call->all.end, (uint32_t)text.len, copy };
	buf_release(&text);
	return part;
}

/* The first element that has a word of the class C in its first tag, or the LAST one, goes; what it
 * holds comes in place of the others, with what they hand over in place of its parameters:
 * <call name="f"><with name="a" select="1"/></call>. False where there are none. */
static bool calls_tags_edit(const struct marked_words *x, const struct view *v, struct word_class c,
                            bool last, struct arena *arena, struct edit *out)
{
	uint32_t defined = last ? c.last - 1 : c.first, n = 1;
	struct tag d = tag_around(x, v, x->words.list[x->words.order[defined]]);
	if (d.node == TREE_NONE || d.content.begin >= d.content.end ||
	    d.content.end - d.content.begin > TAGS_TEXT)
		return false;
	struct edit_part *parts = arena_alloc(arena, (c.last - c.first) * sizeof *parts);
	parts[0] = (struct edit_part){ .begin = d.all.begin, .end = d.all.end };
	for (uint32_t k = c.first; k < c.last; k++) {
		struct word w = x->words.list[x->words.order[k]];
		struct tag call = tag_around(x, v, w);
		uint32_t mark = marks_use(v, w).begin;
		if (k == defined || call.node == TREE_NONE ||
		    (mark < w.begin && v->tc->bytes[mark] != '#'))
			continue;
		if (call.all.begin < d.all.end && d.all.begin < call.all.end)
			return false; /* it calls itself, or is part of a call */
		parts[n++] = tag_call_part(x, v, &call, d.content, arena);
	}
	return n > 1 && edit_make(arena, parts, n, out);
}

enum { CALLS_ARGUMENTS = 8, CALLS_TEXT = 4096 };

static uint32_t calls_ends(const struct edit_sites *p, uint32_t i)
{
	(void)p, (void)i;
	return 4; /* the name within the brackets of the parameters, before them; of an element
	             that is the first to have it, the last */
}

/* The first group that begins at TOKEN, or behind it before STOP; TREE_NONE: none. */
static uint32_t group_behind(const struct view *v, uint32_t token, uint32_t stop)
{
	uint32_t i = marks_group_behind(v, token);
	return i != TREE_NONE && v->tree.nodes[i].last <= stop ? i : TREE_NONE;
}

/* What goes, and its parts, as nodes. */
struct definition {
	uint32_t all, parameters;
};

static bool find_definition(const struct marked_words *x, const struct view *v, struct word w,
                            bool before, struct definition *out)
{
	const struct tree_node *nodes = v->tree.nodes;
	uint32_t token = marks_token_at(v, w.begin);
	uint32_t around = view_group_around(v, x->item[token]);
	if (around == TREE_NONE)
		return false;
	*out = (struct definition){ around, around };
	if (before)
		out->parameters = group_behind(v, token + 1, nodes[around].last - 1);
	else
		out->all = view_group_around(v, nodes[around].parent);
	if (out->parameters == TREE_NONE || out->all == TREE_NONE)
		return false;
	uint32_t head = before ? nodes[out->parameters].first : token;
	return head < nodes[out->all].first + 6; /* the name is in its head */
}

/* The COUNTth item of a group as bytes; empty: there is none. */
static struct range argument(const struct view *v, uint32_t group, uint32_t count)
{
	const struct tree_node *nodes = v->tree.nodes;
	for (uint32_t c = nodes[group].child; c != TREE_NONE; c = nodes[c].next)
		if (nodes[c].kind == TREE_ITEM && !count--)
			return marks_trimmed(v->tc->bytes,
			                     (struct range){ v->tokens.list[nodes[c].first].begin,
			                                     v->tokens.list[nodes[c].last].begin });
	return (struct range){ 0, 0 };
}

/* Which parameter the word Q is; CALLS_ARGUMENTS: none. NAME is no parameter. */
static uint32_t parameter_of(const struct marked_words *x, const struct view *v,
                             uint32_t parameters, struct word name, struct word q)
{
	const struct tree_node *n = &v->tree.nodes[parameters];
	uint32_t begin = v->tokens.list[n->first].begin, end = v->tokens.list[n->last].begin, k = 0;
	for (uint32_t i = words_behind(&x->words, begin); i < x->words.n && k < CALLS_ARGUMENTS;
	     i++) {
		struct word w = x->words.list[i];
		if (w.end > end)
			break;
		if (w.begin == name.begin)
			continue;
		if (words_are_equal(&x->words, w, q))
			return k;
		k++;
	}
	return CALLS_ARGUMENTS;
}

/* BODY with the arguments of the group CALL. */
static void add_body(const struct marked_words *x, const struct view *v, struct range body,
                     uint32_t parameters, struct word name, uint32_t call, struct buf *out)
{
	const uint8_t *bytes = v->tc->bytes;
	uint32_t at = body.begin;
	for (uint32_t i = words_behind(&x->words, body.begin); i < x->words.n; i++) {
		struct word q = x->words.list[i];
		if (q.end > body.end)
			break;
		uint32_t k = parameter_of(x, v, parameters, name, q);
		struct range use = marks_use(v, q);
		if (k == CALLS_ARGUMENTS || use.begin < at || use.end > body.end)
			continue;
		struct range by = argument(v, call, k);
		buf_add(out, bytes + at, use.begin - at);
		buf_add(out, bytes + by.begin, by.end - by.begin);
		at = use.end;
	}
	buf_add(out, bytes + at, body.end - at);
}

static struct edit_part call_part(const struct marked_words *x, const struct view *v,
                                  struct range body, uint32_t parameters, struct word name,
                                  struct word use, struct arena *arena)
{
	uint32_t behind = marks_token_at(v, use.begin) + 1;
	uint32_t call = group_behind(v, behind, v->tokens.n);
	struct edit_part part = { .begin = use.begin, .end = use.begin };
	if (call == TREE_NONE || v->tree.nodes[call].first > behind + 1)
		return part;
	struct buf text = { 0 };
	add_body(x, v, body, parameters, name, call, &text);
	uint8_t *copy = arena_alloc(arena, text.len + (size_t)1);
	if (text.len)
		memcpy(copy, text.data, text.len);
	part.end = v->tokens.list[v->tree.nodes[call].last].begin;
	part.len = (uint32_t)text.len;
	part.text = copy;
	buf_release(&text);
	return part;
}

static bool calls_edit(const struct edit_sites *p, uint32_t i, uint32_t j, struct arena *arena,
                       struct edit *out)
{
	const struct marked_words *x = p->data;
	const struct view *v = p->view;
	struct word_class c = x->classes[i];
	struct word name = x->words.list[x->words.order[c.first]];
	struct definition d;
	if (j > 1)
		return calls_tags_edit(x, v, c, j == 3, arena, out);
	if (!find_definition(x, v, name, j == 1, &d))
		return false;
	const struct tree_node *all = &v->tree.nodes[d.all];
	struct range gone = { v->tokens.list[all->first].begin, v->tokens.list[all->last].begin };
	struct range body = { v->tokens.list[v->tree.nodes[d.parameters].last].begin,
		              v->tokens.list[all->last - 1].begin };
	body = marks_trimmed(v->tc->bytes, body);
	if (body.begin >= body.end || body.end - body.begin > CALLS_TEXT)
		return false;
	struct edit_part *parts = arena_alloc(arena, (c.last - c.first) * sizeof *parts);
	parts[0] = (struct edit_part){ .begin = gone.begin, .end = gone.end };
	uint32_t n = 1;
	for (uint32_t k = c.first + 1; k < c.last; k++) {
		struct word use = x->words.list[x->words.order[k]];
		if (use.begin < gone.end)
			return false; /* it calls itself */
		parts[n] = call_part(x, v, body, d.parameters, name, use, arena);
		n += parts[n].begin < parts[n].end;
	}
	return n > 1 && edit_make(arena, parts, n, out);
}

const struct strategy strategy_calls = {
	.shape = STRATEGY_CUTTING,
	.needs = STRATEGY_TREE,
	.open = marks_open,
	.ends = calls_ends,
	.edit = calls_edit,
};
