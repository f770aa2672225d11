#include "edits/forms.h"

#include "edits/significant.h"
#include "lang/tokenizer.h"

/* The group that ends ITEM, behind nothing but a quote. */
static uint32_t form_group(const struct view *v, uint32_t item)
{
	const struct tree_node *nodes = v->tree.nodes;
	uint32_t child = tree_child(nodes, item);
	bool is = child != TREE_NONE && nodes[item].kind == TREE_ITEM &&
	          nodes[child].kind == TREE_GROUP &&
	          tree_end(&v->tree, child) == tree_end(&v->tree, item);
	return is ? child : TREE_NONE;
}

bool has_forms(const struct view *v)
{
	return v->tokenizer && tokenizer_stand_in(v->tokenizer, STAND_IN_FORM, 0);
}

const char *form_stand_in(const struct view *v, uint32_t item)
{
	const struct tokenizer *tok =
		view_tokenizer_at(v, view_token_begin(v, v->tree.nodes[item].first));
	const char *text = tok ? tokenizer_stand_in(tok, STAND_IN_FORM, 0) : NULL;
	return text && form_group(v, item) != TREE_NONE ? text : NULL;
}

/* The first item of tokens from NODE on; TREE_NONE. */
static uint32_t part(const struct view *v, uint32_t node)
{
	const struct tree_node *nodes = v->tree.nodes;
	while (node != TREE_NONE &&
	       (nodes[node].kind != TREE_ITEM || nodes[node].first == tree_end(&v->tree, node)))
		node = tree_next(&v->tree, node);
	return node;
}

static uint32_t next_part(const struct view *v, uint32_t item)
{
	return item == TREE_NONE ? item : part(v, tree_next(&v->tree, item));
}

static bool declares(const struct view *v, uint32_t item, enum declares what)
{
	uint32_t len, token = v->tree.nodes[item].first;
	const uint8_t *text = token_text(v, token, &len);
	return tokenizer_declares(view_tokenizer_at(v, view_token_begin(v, token)), what, text,
	                          len);
}

uint32_t form_body(const struct view *v, uint32_t item)
{
	const struct tree_node *nodes = v->tree.nodes;
	uint32_t word = form_stand_in(v, item) ? part(v, tree_child(nodes, form_group(v, item)))
	                                       : TREE_NONE;
	if (word == TREE_NONE)
		return TREE_NONE;
	uint32_t name = next_part(v, word), body = next_part(v, name), behind = next_part(v, body);
	bool function = declares(v, word, DECLARES_FUNCTION);
	if (body == TREE_NONE || (!function && !declares(v, word, DECLARES_VARIABLE)))
		return TREE_NONE;
	/* (defn name "what it is for" [parameters] body) */
	while (function && form_group(v, name) == TREE_NONE && behind != TREE_NONE &&
	       v->tokens.list[nodes[body].first].kind == TOKEN_STRING) {
		body = behind;
		behind = next_part(v, body);
	}
	if (function && form_group(v, name) == TREE_NONE && behind != TREE_NONE &&
	    form_group(v, body) != TREE_NONE)
		body = behind;
	if (declares(v, word, DECLARES_TYPED) && (behind = next_part(v, body)) != TREE_NONE)
		body = behind;
	return nodes[body].first;
}
