#include "search/view.h"

#include "base/err.h"

enum { LARGE = 1 << 20 }; /* bytes: what was needed to make the tree of them is worth a call */

struct view *view_new(struct testcase *tc, const struct tokenizer *tokenizer)
{
	struct view *v = mem_alloc(sizeof *v);
	if (!tc->is_tree)
		testcase_flat(tc);
	*v = (struct view){ .refs = 1,
		            .tc = testcase_ref(tc),
		            .tokenizer = tokenizer,
		            .within = mem_zero(1, sizeof *v->within) };
	return v;
}

struct view *view_new_tree(struct testcase *tc, const struct tokenizers *tokenizers)
{
	struct view *v = view_new(tc, NULL);
	testcase_flat(tc);
	v->tokenizers = tokenizers;
	return v;
}

const struct tokenizer *view_tokenizer_at(const struct view *v, uint32_t offset)
{
	if (!v->tokenizers)
		return v->tokenizer;
	return tokenizers_get(v->tokenizers,
	                      v->tc->files[testcase_file_at(v->tc, offset)].language);
}

struct view *view_ref(struct view *view)
{
	view->refs++;
	return view;
}

void view_unref(struct view *view)
{
	if (!view || --view->refs)
		return;
	if (view->has_tree)
		tree_release(&view->tree);
	if (view->has_tokens)
		tokens_release(&view->tokens);
	references_free(view->references);
	for (uint32_t i = 0; i < view->within->words.n; i++)
		view_unref(view->within->views[i]);
	free(view->within->views);
	coded_release(&view->within->words);
	free(view->within);
	free(view->lines);
	free(view->gave_up);
	spans_unref(view->spans);
	records_unref(view->records);
	testcase_unref(view->tc);
	free(view);
}

void view_use_records(struct view *view, struct records *records)
{
	view->records = records_ref(records);
	if (records->proven && !records->is_text && !view->spans && records->n)
		view->spans = records_spans(records);
}

static int tokenize(struct view *view, struct err *err)
{
	struct err why;
	int rc = view->tokenizers ? lexer_run_mixed(view->tokenizers, view->tc, view->grain,
	                                            &view->tokens, &why)
	                          : lexer_run_on(view->tokenizer, view->tc, view->grain,
	                                         &view->tokens, &why);
	if (rc < 0 && view->is_lenient) {
		view->gave_up = mem_strdup(why.msg);
		return 0;
	}
	if (rc < 0) {
		tokens_release(&view->tokens);
		*err = why;
	}
	return rc;
}

int view_need_tokens(struct view *view, struct err *err)
{
	if (view->has_tokens)
		return 0;
	if (tokenize(view, err) < 0)
		return -1;
	if (view->spans)
		tokens_cut(&view->tokens, view->spans);
	for (uint32_t i = 0; i < view->tokens.n; i++)
		if (view->tokens.list[i].kind == TOKEN_SEPARATOR)
			view->separators |= (uint16_t)(1u << view->tokens.list[i].strength);
	view->has_tokens = true;
	return 0;
}

int view_need_tree(struct view *view, struct err *err)
{
	if (view->has_tree)
		return 0;
	if (view_need_tokens(view, err) < 0)
		return -1;
	if (view->spans)
		tree_build_spans(view->spans, &view->tokens, &view->tree);
	else
		tree_build(view->tokenizer, view->tc, &view->tokens, &view->tree);
	view->has_tree = true;
	if (view->tc->size >= LARGE)
		mem_give_back();
	return 0;
}

const struct references *view_references(struct view *view)
{
	if (view->has_references || !view->tokenizer || view->spans || view->grain ||
	    !references_may_be(view->tokenizer, view->tc))
		return view->references;
	if (!view->has_tree) {
		tree_build(view->tokenizer, view->tc, &view->tokens, &view->tree);
		view->has_tree = true;
	}
	view->references = references_new(view->tokenizer, view->tc, &view->tokens, &view->tree);
	view->has_references = true;
	return view->references;
}

/* End of the line that begins at AT, not beyond END. */
static uint32_t line_end(const struct testcase *tc, uint32_t at, uint32_t end)
{
	const uint8_t *nl = memchr(tc->bytes + at, '\n', end - at);
	return nl ? (uint32_t)(nl - tc->bytes) + 1 : end;
}

/* The lines of one file, counted, and written to OUT unless that is NULL. The frame belongs to the
 * last line, and is one when there is no other. */
static uint32_t file_lines(const struct view *v, const struct testcase_file *f, uint32_t *out)
{
	uint32_t n = 0, least = v->grain ? v->grain - 1 : 0;
	for (uint32_t at = f->begin; at < f->end || (v->tc->is_tree && !n); n++) {
		if (out)
			out[n] = at;
		at += least < f->end - at ? least : f->end - at;
		at = line_end(v->tc, at, f->end);
	}
	return n;
}

void view_need_lines(struct view *view)
{
	if (view->has_lines)
		return;
	const struct testcase *tc = view->tc;
	uint32_t n = 0;
	for (uint32_t f = 0; f < tc->n_files; f++)
		n += file_lines(view, &tc->files[f], NULL);
	view->lines = mem_alloc((n + (size_t)1) * sizeof *view->lines);
	view->n_lines = n;
	n = 0;
	for (uint32_t f = 0; f < tc->n_files; f++)
		n += file_lines(view, &tc->files[f], view->lines + n);
	view->lines[n] = tc->size;
	view->has_lines = true;
}
