#include "edits/significant.h"

struct significant *significant_new(const struct view *v, bool with_text, struct arena *arena)
{
	struct significant *s = arena_alloc(arena, sizeof *s);
	*s = (struct significant){ .token = arena_alloc(arena, (v->tokens.n + (size_t)1) *
		                                                       sizeof *s->token) };
	if (with_text)
		s->text = arena_alloc(arena, (v->tokens.n + (size_t)1) * sizeof *s->text);
	for (uint32_t i = 0; i < v->tokens.n; i++) {
		uint32_t len;
		const uint8_t *bytes = token_text(v, i, &len);
		if (!len || !view_token_significant(v, i))
			continue;
		if (with_text)
			s->text[s->n] = hash_bytes(bytes, len, 0).lo;
		s->token[s->n++] = i;
	}
	return s;
}

uint32_t significant_begin(const struct view *v, const struct significant *s, uint32_t i)
{
	if (i < s->n)
		return view_token_begin(v, s->token[i]);
	return s->n ? view_token_end(v, s->token[s->n - 1]) : 0;
}

struct edit_part significant_cut(const struct view *v, const struct significant *s, uint32_t i,
                                 uint32_t j)
{
	uint32_t last = s->token[j - 1] + 1;
	if (last < v->tokens.n && v->tokens.list[last].kind == TOKEN_BLANK)
		last++;
	return (struct edit_part){ .begin = significant_begin(v, s, i),
		                   .end = view_token_begin(v, last) };
}
