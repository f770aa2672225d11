#include "edits/tree_stand_in.h"

#include <stdio.h>
#include <string.h>
#include <strings.h>

const char *tree_stand_in(const struct view *v, uint32_t group, struct arena *arena)
{
	static const char layout[] = "layout";
	const struct token *open = &v->tokens.list[v->tree.nodes[group].first];
	uint32_t n = open[1].begin - open->begin; /* 0: nothing but layout opens the group */
	const char *opener = n ? (const char *)v->tc->bytes + open->begin : layout,
		   *apart = n ? " " : "", *line = NULL;
	size_t len = n ? n : strlen(layout);
	const struct tokenizer *tok = view_tokenizer_at(v, open->begin);
	for (uint32_t i = 0; tok; i++) {
		line = tokenizer_stand_in(tok, STAND_IN_INSIDE, i);
		if (!line || (strcspn(line, " ") == len && !strncasecmp(line, opener, len)))
			break;
	}
	if (!line)
		return NULL;
	const char *text = line + len + strspn(line + len, " ");
	size_t size = strlen(text) + 2 * strlen(apart) + 1;
	char *out = arena_alloc(arena, size);
	snprintf(out, size, "%s%s%s", apart, text, apart);
	return out;
}
