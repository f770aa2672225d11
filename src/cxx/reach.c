#include "cxx/reach.h"

#include "base/work.h"
#include "cxx/reach_impl.h"
#include "edits/significant.h"

struct edit_part reach_cut(const struct reach *r, uint32_t item)
{
	const struct reach_item *i = &r->items[item];
	if (i->kind != REACH_BODY)
		return (struct edit_part){ i->begin, i->end, 0, NULL };
	return (struct edit_part){ i->begin, i->end, (uint32_t)strlen(i->def.stub),
		                   (const uint8_t *)i->def.stub };
}

struct reach *reach_ref(struct reach *r)
{
	r->refs++;
	return r;
}

void reach_unref(struct reach *r)
{
	if (!r || --r->refs)
		return;
	view_unref(r->view);
	arena_release(&r->arena);
	free(r->items);
	free(r->names);
	free(r->where);
	free(r->first_child);
	free(r->child);
	free(r->first_by);
	free(r->by);
	free(r->first_in);
	free(r->in);
	map_release(&r->texts.numbers);
	free(r->texts.hashes);
	free(r->methods);
	free(r->level[0]);
	free(r->level[1]);
	free(r);
}

bool reach_is_member(const struct reach *r, uint32_t i)
{
	uint32_t parent = r->items[i].parent;
	uint8_t kind = parent == REACH_NONE ? REACH_SPACE : r->items[parent].kind;
	return kind == REACH_TYPE || kind == REACH_CODE;
}

/* ---- texts ---- */

uint32_t reach_significant_before(const struct view *v, uint32_t token)
{
	while (token && !view_token_significant(v, token - 1))
		token--;
	return token ? token - 1 : REACH_NONE;
}

static uint32_t find(const struct reach_texts *x, uint64_t hash)
{
	size_t at;
	uint32_t i = map_first(&x->numbers, hash, &at);
	while (i != MAP_END && x->hashes[i] != hash)
		i = map_next(&x->numbers, hash, &at);
	return i;
}

static uint32_t number(struct reach_texts *x, uint64_t hash)
{
	uint32_t i = find(x, hash);
	if (i != MAP_END)
		return i;
	map_add(&x->numbers, hash, x->n);
	MEM_PUSH(x->hashes, x->n, x->cap, hash);
	return x->n - 1;
}

static uint64_t hash_of(const struct view *v, uint32_t token)
{
	uint32_t len;
	const uint8_t *text = token_text(v, token, &len);
	return tokenizer_hash(v->tokenizer, text, len,
	                      v->tokens.list[token].kind != TOKEN_IDENTIFIER);
}

uint32_t reach_text(struct reach *r, uint32_t token)
{
	return number(&r->texts, hash_of(r->view, token));
}

uint32_t reach_word(struct reach *r, const char *word, size_t len)
{
	bool of_operator = !(word[0] == '_' || (word[0] | 32) >= 'a');
	return number(&r->texts,
	              tokenizer_hash(r->view->tokenizer, word, (uint32_t)len, of_operator));
}

uint32_t reach_name_at(const struct reach *r, uint32_t token)
{
	uint8_t kind = r->view->tokens.list[token].kind;
	bool named = kind == TOKEN_IDENTIFIER || kind == TOKEN_OTHER || kind == TOKEN_KEYWORD;
	return named ? find(&r->texts, hash_of(r->view, token)) : REACH_NONE;
}

void reach_add_name(struct reach *r, uint32_t name, uint8_t where)
{
	uint32_t cap = r->cap_names;
	MEM_GROW(r->names, r->n_names, r->cap_names);
	if (cap != r->cap_names)
		r->where = mem_resize(r->where, r->cap_names, 1);
	r->where[r->n_names] = where;
	r->names[r->n_names++] = name;
}

void reach_fill(uint32_t *list, size_t n)
{
	work_step(n);
	for (size_t i = 0; i < n; i++)
		list[i] = REACH_NONE;
}

uint32_t reach_cut_end(const struct view *v, uint32_t node, uint32_t first)
{
	uint32_t t = view_behind(v, node);
	bool begins_line = !first || v->tokens.list[first - 1].kind == TOKEN_NEWLINE ||
	                   v->tc->bytes[view_token_begin(v, first) - 1] == '\n';
	while (begins_line && t < v->tokens.n &&
	       (v->tokens.list[t].kind == TOKEN_BLANK || v->tokens.list[t].kind == TOKEN_NEWLINE))
		t++;
	return view_token_begin(v, t);
}

/* ---- languages ---- */

/* What is to be known of the language of a view, or of each file of a tree. */

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
	uint32_t parent = tree_parent(&v->tree, node);
	return parent && view_is_file(v, parent) ? 0 : parent;
}

bool reach_knows(const struct view *v, uint32_t node)
{
	uint32_t at = view_token_begin(v, v->tree.nodes[node].first);
	return !v->tokenizers ||
	       (!view_is_file(v, node) && tokenizer_shares_names(view_tokenizer_at(v, at)));
}
