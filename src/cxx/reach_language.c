/* What is to be known of the language of a view, or of each file of a tree. */
#include "cxx/reach_impl.h"

const char *reach_empty_body(const struct view *v, uint32_t offset)
{
	const struct tokenizer *tok = view_tokenizer_at(v, offset);
	const char *body = tok ? tokenizer_stand_in(tok, STAND_IN_BODY, 0) : NULL;
	return body ? body : "{}";
}

bool reach_is_forward_in(const struct view *view)
{
	return !view->tokenizers && *reach_empty_body(view, 0) != '{';
}

bool reach_is_worded(const struct view *view)
{
	if (!view->tokenizers)
		return view->tokenizer && tokenizer_has_declarations(view->tokenizer);
	return tokenizers_share_names(view->tokenizers);
}

uint32_t reach_parent(const struct view *v, uint32_t node)
{
	uint32_t parent = v->tree.nodes[node].parent;
	return parent && view_is_file(v, parent) ? 0 : parent;
}

bool reach_knows(const struct view *v, uint32_t node)
{
	uint32_t at = v->tokens.list[v->tree.nodes[node].first].begin;
	return !v->tokenizers ||
	       (!view_is_file(v, node) && tokenizer_shares_names(view_tokenizer_at(v, at)));
}
