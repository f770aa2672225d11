/* A view: a test case with the structure that strategies look at, computed when first asked for.
 *
 * Views are counted references, shared by a search and its clones. Nothing in a view changes once it is computed.
 */
#ifndef WHITTLE_SEARCH_VIEW_H
#define WHITTLE_SEARCH_VIEW_H

#include "base/mem.h"
#include "text/lexer.h"
#include "text/testcase.h"
#include "text/tokenizer.h"
#include "text/tree.h"

struct err;

struct view {
	unsigned refs;
	struct testcase *tc;
	const struct tokenizer *tokenizer; /* borrowed; outlives the view */
	bool has_tokens, has_tree, has_lines;
	struct tokens tokens;
	uint16_t separators; /* bit set of the strengths of tokens that stand between items, as commas do */
	struct tree tree;
	uint32_t n_lines;
	uint32_t *lines; /* n_lines + 1 offsets; line i is [lines[i], lines[i + 1]), its line end included */
};

struct view *view_new(struct testcase *tc, const struct tokenizer *tokenizer); /* takes a reference of its own on TC */
struct view *view_ref(struct view *view);
void view_unref(struct view *view);

/* Computes what is missing; 0, or -1 and err (a tokenizer's limit was hit). */
int view_need_tokens(struct view *view, struct err *err);
int view_need_tree(struct view *view, struct err *err);
void view_need_lines(struct view *view);

static inline uint32_t view_token_end(const struct view *v, uint32_t token) { return v->tokens.list[token + 1].begin; }

/* Neither blank, line end nor comment. */
static inline bool view_token_solid(const struct view *v, uint32_t token)
{
	uint8_t kind = v->tokens.list[token].kind;
	return kind != TOKEN_BLANK && kind != TOKEN_NEWLINE && kind != TOKEN_COMMENT;
}

/* An item of a list that is not separated by commas or their like: a statement, a declaration, a line. */
static inline bool view_is_statement(const struct view *v, uint32_t node)
{
	const struct tree_node *n = &v->tree.nodes[node];
	return n->kind == TREE_ITEM && n->strength && !(v->separators >> n->strength & 1);
}

#endif
