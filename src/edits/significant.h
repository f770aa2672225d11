/* The tokens that matter: a view's tokens without blanks and comments, as strategies over tokens
 * count them. */
#pragma once

#include "search/view.h"
#include "base/mem.h"

#include "base/hash.h"
#include "search/strategy.h"

struct significant {
	uint32_t n;
	uint32_t *token; /* index of each; n entries */
	uint64_t *text;  /* hash of each one's bytes; NULL unless asked for */
};

/* In ARENA. Tokens of no bytes (layout) are left out. */
struct significant *significant_new(const struct view *view, bool with_text, struct arena *arena);

/* Where significant token I begins; I == n gives the end of the last one. */
uint32_t significant_begin(const struct view *view, const struct significant *s, uint32_t i);

/* The cut of significant tokens [i, j): up to the next one on the same line, or else to the end of
 * the last. */
struct edit_part significant_cut(const struct view *view, const struct significant *s, uint32_t i,
                                 uint32_t j);

/* The bytes of token I of the view. */
static inline const uint8_t *token_text(const struct view *v, uint32_t i, uint32_t *len)
{
	*len = view_token_end(v, i) - view_token_begin(v, i);
	return v->tc->bytes + view_token_begin(v, i);
}

static inline bool token_is(const struct view *v, uint32_t token, const char *text)
{
	uint32_t len;
	const uint8_t *bytes = token_text(v, token, &len);
	return len == strlen(text) && !memcmp(bytes, text, len);
}

static inline bool token_same_text(const struct view *v, uint32_t a, uint32_t b)
{
	uint32_t a_len, b_len;
	const uint8_t *x = token_text(v, a, &a_len), *y = token_text(v, b, &b_len);
	return a_len == b_len && !memcmp(x, y, a_len);
}
