/* Spans from outside: any file of spans is read or refused; what is read nests, is within the test
 * case, and stays so through an edit; tokens and a tree can be made of it. Input: four bytes of
 * edit and more, "%%", spans, "%%", a text. */
#include <unistd.h>

#include "base/err.h"
#include "base/mem.h"
#include "fuzz.h"
#include "search/view.h"
#include "text/edit.h"
#include "text/spans.h"
#include "text/testcase.h"

static void check(const struct spans *spans, uint32_t size)
{
	for (uint32_t i = 0; i < spans->n; i++) {
		const struct span_given *s = &spans->list[i], *before = i ? s - 1 : NULL;
		FUZZ_REQUIRE(s->begin < s->end && s->end <= size);
		FUZZ_REQUIRE(!before || before->begin <= s->begin);
		FUZZ_REQUIRE(!before || before->end <= s->begin || before->end >= s->end);
	}
}

static void look(struct testcase *tc, const struct tokenizer *tok, struct spans *spans)
{
	struct err err;
	struct view *view = view_new(tc, tok);
	check(spans, tc->size);
	view->spans = spans_ref(spans);
	if (view_need_tree(view, &err) == 0) {
		fuzz_check_tokens(tc, &view->tokens);
		fuzz_check_tree(&view->tokens, &view->tree);
	}
	view_unref(view);
}

int target_spans(const uint8_t *data, size_t size)
{
	static struct tokenizer *tok;
	tok = tok ? tok : fuzz_tokenizer("generic");
	struct fuzz text = { data, data + size }, edits = fuzz_section(&text),
		    given = fuzz_section(&text);
	char path[FUZZ_PATH_SIZE];
	struct err err;
	struct arena arena = { 0 };
	struct testcase *tc = fuzz_testcase(text.at, fuzz_left(&text));
	int fd = fuzz_file(given.at, fuzz_left(&given), path);
	struct spans *spans = spans_read(path, tc->size, &err);
	if (spans) {
		look(tc, tok, spans);
		struct edit edit = fuzz_edit(&edits, tc->size, &arena);
		struct testcase *after = edit_apply(tc, edit);
		struct spans *mapped = spans_map(spans, edit);
		look(after, tok, mapped);
		spans_unref(mapped);
		testcase_unref(after);
	}
	spans_unref(spans);
	close(fd);
	testcase_unref(tc);
	arena_release(&arena);
	return 0;
}
