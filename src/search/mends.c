#include "search/mends.h"

#include <ctype.h>
#include <stdio.h>
#include <strings.h>

static bool fills(const struct view *v)
{
	return v->has_tree && v->tokenizer && !v->spans && !v->grain &&
	       tokenizer_stand_in(v->tokenizer, STAND_IN_INSIDE, 0);
}

bool mends_any(struct view *view, bool tree)
{
	return view_references(view) || (tree && fills(view));
}

uint32_t mends_group_at(const struct view *v, uint32_t token)
{
	const struct tree *t = &v->tree;
	if (!view_is_bracket(v, token))
		return TREE_NONE;
	uint32_t i = MEM_FIRST(t->nodes, t->n, first, token);
	while (i < t->n && t->nodes[i].first == token && (!i || t->nodes[i].kind != TREE_GROUP))
		i++;
	return i < t->n && t->nodes[i].first == token ? i : TREE_NONE;
}

/* Is token T the LEN bytes at TEXT, in any case? */
static bool is_text(const struct view *v, uint32_t t, const char *text, size_t len)
{
	uint32_t begin = t == TREE_NONE ? 0 : view_token_begin(v, t);
	return t != TREE_NONE && view_token_end(v, t) - begin == len &&
	       !strncasecmp((const char *)v->tc->bytes + begin, text, len);
}

/* Does LINE begin with what opens brackets, at token OPEN, or with the word before it and that? */
static bool opens(const struct view *v, uint32_t open, const char *line)
{
	static const char layout[] = "layout";
	size_t len = strcspn(line, " "), n = view_token_end(v, open) - view_token_begin(v, open);
	if (!n) /* nothing but layout opens the group */
		return len == strlen(layout) && !memcmp(line, layout, len);
	return len >= n && is_text(v, open, line + len - n, n) &&
	       (len == n || is_text(v, view_significant_before(v, open), line, len - n));
}

const char *mends_stand_in(const struct view *v, uint32_t group, struct arena *arena)
{
	uint32_t open = v->tree.nodes[group].first, begin = view_token_begin(v, open);
	const struct tokenizer *tok = view_tokenizer_at(v, begin);
	const char *line = NULL;
	for (uint32_t i = 0; tok && (line = tokenizer_stand_in(tok, STAND_IN_INSIDE, i)); i++)
		if (opens(v, open, line))
			break;
	if (!line)
		return NULL;
	const char *text = line + strcspn(line, " ");
	text += strspn(text, " ");
	if (view_token_end(v, open) == begin || !isalpha(v->tc->bytes[begin]) || !*text)
		return text;
	size_t size = strlen(text) + 3;
	char *apart = arena_alloc(arena, size);
	snprintf(apart, size, " %s ", text);
	return apart;
}

/* The cut from FROM to TO may be as large. */
static bool has_room(struct edit plain, uint32_t k, uint32_t from, uint32_t to)
{
	return (!k || plain.parts[k - 1].end <= from) &&
	       (k + 1 == plain.n || plain.parts[k + 1].begin >= to);
}

/* Part K of PLAIN; where it takes all that is inside of brackets, with what stands in for that. */
static struct edit_part filled(const struct view *v, struct edit plain, uint32_t k,
                               struct arena *arena)
{
	struct edit_part part = plain.parts[k];
	uint32_t first = tokens_first(&v->tokens, part.begin), open, group;
	first = view_significant_from(v, first, v->tokens.n);
	open = first ? view_significant_before(v, first) : TREE_NONE;
	group = open != TREE_NONE && !part.len && view_token_begin(v, first) < part.end &&
	                        view_token_end(v, open) <= part.begin
	                ? mends_group_at(v, open)
	                : TREE_NONE;
	if (group == TREE_NONE)
		return part;
	uint32_t close = tree_end(&v->tree, group) - 1, last = view_significant_before(v, close);
	const char *text =
		part.end < view_token_end(v, last) || part.end > view_token_begin(v, close)
			? NULL
			: mends_stand_in(v, group, arena);
	uint32_t begin = view_token_begin(v, open), end = view_token_end(v, close);
	if (text && !*text && has_room(plain, k, begin, end))
		return (struct edit_part){ .begin = begin, .end = end };
	if (text && strlen(text) < part.end - part.begin) {
		part.len = (uint32_t)strlen(text);
		part.text = part.len ? (const uint8_t *)text : NULL;
	}
	return part;
}

struct edit mends_edit(struct view *view, struct edit plain, struct arena *arena)
{
	const struct references *references = view_references(view);
	struct edit_part *parts;
	if (references)
		plain = references_edit(references, plain, arena);
	if (!fills(view))
		return plain;
	parts = arena_alloc(arena, (plain.n + (size_t)1) * sizeof *parts);
	for (uint32_t k = 0; k < plain.n; k++)
		parts[k] = filled(view, plain, k, arena);
	return (struct edit){ plain.n, parts };
}
