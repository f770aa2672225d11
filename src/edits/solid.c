#include "edits/solid.h"

struct solid *solid_new(const struct view *v, bool with_text, struct arena *arena)
{
	struct solid *s = arena_alloc(arena, sizeof *s);
	*s = (struct solid){ .token = arena_alloc(arena,
		                                  (v->tokens.n + (size_t)1) * sizeof *s->token) };
	if (with_text)
		s->text = arena_alloc(arena, (v->tokens.n + (size_t)1) * sizeof *s->text);
	for (uint32_t i = 0; i < v->tokens.n; i++) {
		uint32_t len;
		const uint8_t *bytes = token_text(v, i, &len);
		if (!len || !view_token_solid(v, i))
			continue;
		if (with_text)
			s->text[s->n] = hash_bytes(bytes, len, 0).lo;
		s->token[s->n++] = i;
	}
	return s;
}

uint32_t solid_begin(const struct view *v, const struct solid *s, uint32_t i)
{
	if (i < s->n)
		return v->tokens.list[s->token[i]].begin;
	return s->n ? view_token_end(v, s->token[s->n - 1]) : 0;
}

struct edit_part solid_cut(const struct view *v, const struct solid *s, uint32_t i, uint32_t j)
{
	uint32_t last = s->token[j - 1] + 1;
	if (last < v->tokens.n && v->tokens.list[last].kind == TOKEN_BLANK)
		last++;
	return (struct edit_part){ .begin = solid_begin(v, s, i),
		                   .end = v->tokens.list[last].begin };
}
