/* A view: a test case with the structure that strategies look at, computed when first asked for.
 *
 * Views are counted references, shared by a search and its clones. Nothing in a view changes once
 * it is computed.
 */
#pragma once

#include "base/mem.h"
#include "text/edit.h"
#include "lang/coded.h"
#include "lang/references.h"
#include "binary/records.h"
#include "text/spans.h"
#include "lang/lexer.h"
#include "text/testcase.h"
#include "lang/tokenizer.h"
#include "lang/tokenizers.h"
#include "lang/tree.h"

struct err;

/* The coded words of a view and what they say, once asked for (within.h). */
struct within {
	bool known;
	struct coded_list words;
	struct view **views; /* of each; NULL: not looked at yet */
};

struct view {
	unsigned refs;
	struct testcase *tc;
	const struct tokenizer *tokenizer;   /* borrowed; outlives the view; of a tree NULL, for its
	                                        entries have each their own */
	const struct tokenizers *tokenizers; /* those, borrowed */
	struct spans *spans;                 /* the tree from outside; NULL: of the tokens */
	struct records *records;             /* of a binary; NULL: none were found */
	uint32_t grain; /* items, tokens and lines are not kept apart where they are smaller
	                   (lang/shape.h); 0: all are */
	bool has_tokens, has_tree, has_lines, has_references;
	bool is_lenient; /* a tokenizer that gives up is no failure: the rest is bytes */
	char *gave_up;   /* how it did; NULL: it did not */
	struct tokens tokens;
	uint16_t separators; /* bit set of the strengths of tokens that are between items, as
	                        commas do */
	struct tree tree;
	struct references *references; /* NULL: nothing goes with definitions */
	uint32_t n_lines;
	struct within *within;
	uint32_t *lines; /* n_lines + 1 offsets; line i is [lines[i], lines[i + 1]), its line end
	                    included */
};

struct view *view_new(struct testcase *tc,
                      const struct tokenizer *tokenizer); /* takes a reference of its own on TC */
/* Of a tree whose entries have their languages. Its bytes are put in one piece. */
struct view *view_new_tree(struct testcase *tc, const struct tokenizers *tokenizers);
struct view *view_ref(struct view *view);
void view_unref(struct view *view);

/* Before anything is computed, `spans`, of which the view has a reference then, `grain` and
 * `is_lenient` may be set; and this makes it know of RECORDS, on which it takes a reference: when
 * they are proven, the tree is made of them. */
void view_use_records(struct view *view, struct records *records);

/* Computes what is missing; 0, or -1 and err (a tokenizer's limit was hit). */
int view_need_tokens(struct view *view, struct err *err);
int view_need_tree(struct view *view, struct err *err);
void view_need_lines(struct view *view);

/* What goes with the definitions of a view that has its tokens; NULL: nothing. */
const struct references *view_references(struct view *view);

/* The tokenizer in force at an offset. */
const struct tokenizer *view_tokenizer_at(const struct view *view, uint32_t offset);

static inline uint32_t view_token_begin(const struct view *v, uint32_t token)
{
	return tokens_begin(&v->tokens, token);
}

static inline uint32_t view_token_end(const struct view *v, uint32_t token)
{
	return tokens_end(&v->tokens, token);
}

/* Is it the frame of a tree's file? */
static inline bool view_token_frame(const struct view *v, uint32_t token)
{
	return v->tokens.list[token].strength == TOKEN_STRENGTH_FILE;
}

/* Neither blank, line end, comment nor frame. */
static inline bool view_token_significant(const struct view *v, uint32_t token)
{
	uint8_t kind = v->tokens.list[token].kind;
	return kind != TOKEN_BLANK && kind != TOKEN_NEWLINE && kind != TOKEN_COMMENT &&
	       !view_token_frame(v, token);
}

/* The item that is a whole file of a tree. */
static inline bool view_is_file(const struct view *v, uint32_t node)
{
	return v->tree.nodes[node].kind == TREE_ITEM &&
	       v->tree.nodes[node].strength == TOKEN_STRENGTH_FILE;
}

/* All of the file around an offset, frame included, as a part that cuts it. */
static inline struct edit_part view_file_cut(const struct view *v, uint32_t offset)
{
	const struct testcase_file *f = &v->tc->files[testcase_file_at(v->tc, offset)];
	return (struct edit_part){ .begin = f->begin, .end = f->end + 1 };
}

/* Where a node ends. */
static inline uint32_t view_node_end(const struct view *v, uint32_t node)
{
	return view_token_begin(v, tree_end(&v->tree, node));
}

/* The token behind a node and the separator after it. */
static inline uint32_t view_behind(const struct view *v, uint32_t node)
{
	return tree_behind(&v->tree, v->tokens.list, node);
}

/* The comma or its like behind item NODE, with blanks; empty: there is none. */
static inline struct edit_part view_comma(const struct view *v, uint32_t node)
{
	const struct tree_node *n = &v->tree.nodes[node];
	uint32_t sep = tree_separator(&v->tree, v->tokens.list, node);
	bool comma = n->has_sep && v->tokens.list[sep].kind == TOKEN_SEPARATOR;
	return comma ? (struct edit_part){ .begin = view_token_begin(v, sep),
		                           .end = view_token_end(v, sep) }
	             : (struct edit_part){ 0 };
}

/* Where the separator behind item NODE begins; without one, what follows the item. */
static inline uint32_t view_separator_begin(const struct view *v, uint32_t node)
{
	return view_token_begin(v, tree_separator(&v->tree, v->tokens.list, node));
}

/* An item of a list that is not separated by commas or their like: a statement, a declaration, a
 * line. */
static inline bool view_is_statement(const struct view *v, uint32_t node)
{
	const struct tree_node *n = &v->tree.nodes[node];
	return n->kind == TREE_ITEM && n->strength && !(v->separators >> n->strength & 1);
}

/* Is what the group or item NODE holds statements? */
static inline bool view_holds_statements(const struct view *v, uint32_t node)
{
	return v->tree.nodes[node].has_child && view_is_statement(v, node + 1);
}

/* The first significant token from TOKEN on, before LAST; LAST: none. */
static inline uint32_t view_significant_from(const struct view *v, uint32_t token, uint32_t last)
{
	while (token < last && !view_token_significant(v, token))
		token++;
	return token;
}

/* The last significant token before TOKEN, in the same file; TREE_NONE: none. */
static inline uint32_t view_significant_before(const struct view *v, uint32_t token)
{
	while (token-- > 0 && !view_token_frame(v, token))
		if (view_token_significant(v, token))
			return token;
	return TREE_NONE;
}

/* The bracket group that NODE is or stands in; TREE_NONE: it stands in none. */
static inline uint32_t view_group_around(const struct view *v, uint32_t node)
{
	return tree_group_around(&v->tree, node);
}

static inline bool view_is_bracket(const struct view *v, uint32_t token)
{
	uint8_t kind = v->tokens.list[token].kind;
	return kind == TOKEN_OPEN || kind == TOKEN_CLOSE;
}
