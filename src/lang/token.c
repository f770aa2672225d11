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
	*tokens = (struct tokens){ 0 };
}

void tokens_cut(struct tokens *tokens, const struct spans *spans)
{
	uint32_t n_cuts = 2 * spans->n, n = 0, k = 0;
	MEM_SCOPED uint32_t *cuts = mem_alloc((n_cuts + (size_t)1) * sizeof *cuts);
	for (uint32_t i = 0; i < spans->n; i++) {
		cuts[2 * i] = spans->list[i].begin;
		cuts[2 * i + 1] = spans->list[i].end;
	}
	MEM_SORT(cuts, n_cuts, mem_order_u32);
	struct token *list = mem_alloc((tokens->n + n_cuts + (size_t)1) * sizeof *list);
	for (uint32_t i = 0; i < tokens->n; i++) {
		struct token *whole = &list[n];
		list[n++] = tokens->list[i];
		while (k < n_cuts && cuts[k] <= tokens->list[i].begin)
			k++;
		for (; k < n_cuts && cuts[k] < tokens->list[i + 1].begin; k++) {
			if (cuts[k] == list[n - 1].begin)
				continue;
			bool blank = whole->kind == TOKEN_BLANK || whole->kind == TOKEN_NEWLINE ||
			             whole->kind == TOKEN_COMMENT;
			if (!blank)
				*whole = (struct token){ .begin = whole->begin,
					                 .kind = TOKEN_OTHER };
			list[n++] = (struct token){ .begin = cuts[k], .kind = whole->kind };
		}
	}
	list[n] = tokens->list[tokens->n];
	free(tokens->list);
	tokens->n = n;
	tokens->list = list;
}
