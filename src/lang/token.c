#include "lang/token.h"

#include "base/mem.h"
#include "text/spans.h"

static const char *const kind_names[TOKEN_N_KINDS] = {
	[TOKEN_OTHER] = "other",
	[TOKEN_BLANK] = "blank",
	[TOKEN_NEWLINE] = "newline",
	[TOKEN_COMMENT] = "comment",
	[TOKEN_STRING] = "string",
	[TOKEN_NUMBER] = "number",
	[TOKEN_IDENTIFIER] = "identifier",
	[TOKEN_KEYWORD] = "keyword",
	[TOKEN_OPEN] = "open",
	[TOKEN_CLOSE] = "close",
	[TOKEN_SEPARATOR] = "separator",
	[TOKEN_TERMINATOR] = "terminator",
};

const char *token_kind_name(enum token_kind kind)
{
	return kind_names[kind];
}

void tokens_release(struct tokens *tokens)
{
	free(tokens->list);
	free(tokens->near);
	free(tokens->rows);
	free(tokens->far);
	*tokens = (struct tokens){ 0 };
}

/* The last row, whose first N tokens begin near, goes to `far`. */
static void move_row(struct tokens *tokens, uint32_t n)
{
	uint32_t *row = &tokens->rows[tokens->n_rows - 1];
	uint8_t *near = &tokens->near[tokens->n - n];
	for (uint32_t i = 0; i < TOKENS_ROW; i++)
		MEM_PUSH(tokens->far, tokens->n_far, tokens->cap_far, i < n ? *row + near[i] : 0);
	*row = (uint32_t)tokens->n_far - TOKENS_ROW;
	near[0] = true;
}

void tokens_push(struct tokens *tokens, struct token t, uint32_t begin)
{
	uint32_t n = tokens->n % TOKENS_ROW;
	MEM_GROW(tokens->list, tokens->n, tokens->cap);
	MEM_GROW(tokens->near, tokens->n, tokens->cap_near);
	if (!n)
		MEM_PUSH(tokens->rows, tokens->n_rows, tokens->cap_rows, begin);
	uint32_t row = tokens->rows[tokens->n_rows - 1];
	uint8_t *near = &tokens->near[tokens->n - n];
	near[n] = 0;
	if (!near[0] && begin - row > UINT8_MAX)
		move_row(tokens, n);
	if (near[0])
		tokens->far[tokens->rows[tokens->n_rows - 1] + n] = begin;
	else
		near[n] = (uint8_t)(begin - row);
	tokens->list[tokens->n++] = t;
}

void tokens_finish(struct tokens *tokens, uint32_t size)
{
	tokens_push(tokens, (struct token){ 0 }, size);
	tokens->list = mem_resize(tokens->list, tokens->n, sizeof *tokens->list);
	tokens->near = mem_resize(tokens->near, tokens->n, sizeof *tokens->near);
	tokens->n--;
}

uint32_t tokens_first(const struct tokens *tokens, uint64_t offset)
{
	uint32_t lo = 0, hi = tokens->n;
	while (lo < hi) {
		uint32_t mid = lo + (hi - lo) / 2;
		if (tokens_begin(tokens, mid) < offset)
			lo = mid + 1;
		else
			hi = mid;
	}
	return lo;
}

void tokens_cut(struct tokens *tokens, const struct spans *spans)
{
	uint32_t n_cuts = 2 * spans->n, k = 0;
	MEM_SCOPED uint32_t *cuts = mem_alloc((n_cuts + (size_t)1) * sizeof *cuts);
	for (uint32_t i = 0; i < spans->n; i++) {
		cuts[2 * i] = spans->list[i].begin;
		cuts[2 * i + 1] = spans->list[i].end;
	}
	MEM_SORT(cuts, n_cuts, mem_order_u32);
	struct tokens out = { .unmatched = tokens->unmatched };
	for (uint32_t i = 0; i < tokens->n; i++) {
		uint32_t whole = out.n, at = tokens_begin(tokens, i), end = tokens_end(tokens, i);
		tokens_push(&out, tokens->list[i], at);
		while (k < n_cuts && cuts[k] <= at)
			k++;
		for (; k < n_cuts && cuts[k] < end; k++) {
			if (cuts[k] == at)
				continue;
			if (!token_is_blank(&out.list[whole]))
				out.list[whole] = (struct token){ .kind = TOKEN_OTHER };
			at = cuts[k];
			tokens_push(&out, (struct token){ .kind = out.list[whole].kind }, at);
		}
	}
	tokens_finish(&out, tokens_begin(tokens, tokens->n));
	tokens_release(tokens);
	*tokens = out;
}
