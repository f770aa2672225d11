#include "lang/token.h"

#include <stdlib.h>

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
