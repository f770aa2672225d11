/* An element that refers to another one by name becomes what that one holds: a template that is
 * called, a symbol that is used, a group of a schema. */
#include "edits/calls_tags.h"

#include <string.h>

#include "base/buf.h"

enum { PARAMETERS = 8, TAGS_TEXT = 4096 };

/* An element, as bytes. */
struct tag {
	struct range all, content; /* content: empty where it has none */
	uint32_t node;
};

static uint32_t begin_of(const struct view *v, uint32_t token)
{
	return v->tokens.list[token].begin;
}

static struct tag tag_of(const struct view *v, uint32_t node)
{
	const struct tree_node *n = &v->tree.nodes[node];
	struct tag tag = { { begin_of(v, n->first), begin_of(v, n->last) }, { 0, 0 }, node };
	const struct tree_node *head = n->child == TREE_NONE ? n : &v->tree.nodes[n->child];
	if (head != n && head->sep_last > head->sep_first)
		tag.content =
			(struct range){ begin_of(v, head->sep_last), begin_of(v, n->last - 1) };
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
		struct range r = { begin_of(v, n->first), begin_of(v, n->last) };
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
static void add_body(const struct marked_words *x, const struct view *v, struct range body,
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

static struct edit_part call_part(const struct marked_words *x, const struct view *v,
                                  const struct tag *call, struct range body, struct arena *arena)
{
	struct handed h = handed_by(v, call);
	struct buf text = { 0 };
	add_body(x, v, body, &h, &text);
	uint8_t *copy = arena_alloc(arena, text.len + (size_t)1);
	if (text.len)
		memcpy(copy, text.data, text.len);
	struct edit_part part = { call->all.begin, call->all.end, (uint32_t)text.len, copy };
	buf_release(&text);
	return part;
}

bool calls_tags_edit(const struct marked_words *x, const struct view *v, struct word_class c,
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
		parts[n++] = call_part(x, v, &call, d.content, arena);
	}
	return n > 1 && edit_make(arena, parts, n, out);
}
