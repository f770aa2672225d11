#include "edits/tallies.h"

#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "binary/codes.h"

struct tallies {
	const struct view *v;
	struct field *fields;
	struct element *lines;
	struct element_list *lists;
	uint32_t n, cap, n_lines, cap_lines, n_lists, cap_lists;
};

/* A number in a head. */
struct number {
	uint32_t at, width;
	uint64_t value;
};

/* The second number behind the token SIGN in the group NODE, with no blank between them; false:
 * there is none. */
static bool find_number(const struct view *v, const struct tree_node *node, char sign,
                        struct number *out)
{
	uint32_t seen = 0;
	bool behind = false;
	for (uint32_t t = node->first + 1; t + 1 < node->last; t++) {
		const struct token *token = &v->tokens.list[t];
		const uint8_t *text = v->tc->bytes + token->begin;
		if (token->kind == TOKEN_BLANK)
			behind = false;
		if (token[1].begin == token->begin + 1 && *text == (uint8_t)sign) {
			behind = true;
			seen = 0;
		}
		uint32_t width = token[1].begin - token->begin;
		if (token->kind != TOKEN_NUMBER || !behind || ++seen < 2)
			continue;
		*out = (struct number){ .at = token->begin, .width = width };
		return code_read(CODE_DECIMAL, text, text + width, &width, &out->value) &&
		       width == out->width;
	}
	return false;
}

/* The lines below the head, from FROM to TO, that do not begin with OTHER, up to the number of
 * them; not as many: there is no field. */
static void add_tally(struct tallies *t, struct number number, uint32_t from, uint32_t to,
                      char other)
{
	const uint8_t *bytes = t->v->tc->bytes;
	uint32_t first = t->n_lines, at = from;
	while (at < to && t->n_lines - first < number.value) {
		const uint8_t *nl = memchr(bytes + at, '\n', to - at);
		uint32_t end = nl ? (uint32_t)(nl - bytes) + 1 : to;
		if (bytes[at] != (uint8_t)other && bytes[at] != '\\') {
			MEM_GROW(t->lines, t->n_lines, t->cap_lines);
			t->lines[t->n_lines++] = (struct element){ at, end };
		}
		at = end;
	}
	uint32_t n = t->n_lines - first;
	if (!n || n < number.value) {
		t->n_lines = first;
		return;
	}
	MEM_GROW(t->fields, t->n, t->cap);
	t->fields[t->n++] = (struct field){ .kind = FIELD_COUNT,
		                            .code = CODE_DECIMAL,
		                            .at = number.at,
		                            .width = number.width,
		                            .from = from,
		                            .to = at,
		                            .list = t->n_lists,
		                            .depth = 1 };
	MEM_GROW(t->lists, t->n_lists, t->cap_lists);
	t->lists[t->n_lists++] = (struct element_list){ .first = first, .n = n };
}

/* The two numbers of the head NODE, which count lines before TO. */
static void add_head(struct tallies *t, const struct tree_node *node, const char *signs,
                     uint32_t to)
{
	const struct view *v = t->v;
	uint32_t end = v->tokens.list[node->last].begin;
	const uint8_t *nl = end < to ? memchr(v->tc->bytes + end, '\n', to - end) : NULL;
	struct number number;
	for (int k = 0; k < 2 && nl; k++)
		if (find_number(v, node, signs[k], &number))
			add_tally(t, number, (uint32_t)(nl - v->tc->bytes) + 1, to, signs[!k]);
}

/* From the last head to the first: what one counts ends before the next one. */
struct repair *tallies_find(const struct view *v)
{
	struct tallies t = { .v = v };
	const char *signs;
	int pair = v->tokenizer ? tokenizer_tally(v->tokenizer, &signs) : 0;
	uint32_t to = v->tc->size;
	for (uint32_t i = v->tree.n; pair && i-- > 1;) {
		const struct tree_node *node = &v->tree.nodes[i];
		if (node->kind != TREE_GROUP || v->tokens.list[node->first].bracket != pair)
			continue;
		add_head(&t, node, signs, to);
		to = v->tokens.list[node->first].begin;
	}
	if (t.n)
		return repair_new(t.fields, t.n, t.lines, t.n_lines, t.lists, t.n_lists);
	free(t.fields);
	free(t.lines);
	free(t.lists);
	return NULL;
}
