/* The edit algebra against its definition, and differences of texts. Input: two edits, "%%", a
 * text, "%%", another text. */
#include <stdlib.h>
#include <string.h>

#include "base/buf.h"
#include "base/mem.h"
#include "fuzz.h"
#include "text/diff.h"
#include "text/edit.h"
#include "text/testcase.h"

static bool same(const struct testcase *a, const struct testcase *b)
{
	return a->size == b->size && !memcmp(a->bytes, b->bytes, a->size);
}

/* What EDIT means, byte by byte. */
static struct testcase *naive(const struct testcase *base, struct edit edit)
{
	struct buf out = { 0 };
	uint32_t at = 0;
	for (uint32_t i = 0; i < edit.n; i++) {
		const struct edit_part *p = &edit.parts[i];
		buf_add(&out, base->bytes + at, p->begin - at);
		buf_add(&out, p->len ? p->text : (const uint8_t *)"", p->len);
		at = p->end;
	}
	buf_add(&out, base->bytes + at, base->size - at);
	struct testcase *tc = fuzz_testcase(out.data, out.len);
	buf_release(&out);
	return tc;
}

static struct testcase *apply(struct testcase *base, struct edit edit)
{
	fuzz_check_edit(base, edit);
	struct testcase *tc = edit_apply(base, edit), *wanted = naive(base, edit);
	testcase_flat(tc);
	FUZZ_REQUIRE(same(tc, wanted));
	testcase_unref(wanted);
	return tc;
}

static void check_difference(struct arena *arena, struct testcase *a, struct testcase *b)
{
	struct edit edit = diff_edit(arena, a, b->bytes, b->size);
	struct testcase *made = apply(a, edit);
	FUZZ_REQUIRE(same(made, b) && (edit.n > 0) == !same(a, b));
	testcase_unref(made);
}

/* Both at once is one behind the other, where they do not meet. */
static void check_union(struct arena *arena, struct testcase *tc, struct edit a, struct edit b)
{
	struct edit both, other;
	bool united = edit_union(arena, a, b, &both);
	FUZZ_REQUIRE(united == edit_union(arena, b, a, &other));
	if (!united)
		return;
	FUZZ_REQUIRE(edit_equal(both, other));
	testcase_unref(apply(tc, both));
}

/* An edit of what another one has made. */
static void check_sequence(struct arena *arena, struct testcase *tc, struct edit a, struct fuzz *in)
{
	struct testcase *half = apply(tc, a);
	testcase_unref(apply(half, fuzz_edit(in, half->size, arena)));
	testcase_unref(half);
}

int target_edit(const uint8_t *data, size_t size)
{
	struct fuzz in = { data, data + size }, edits = fuzz_section(&in), one = fuzz_section(&in);
	struct arena arena = { 0 };
	struct testcase *a = fuzz_testcase(one.at, fuzz_left(&one));
	struct testcase *b = fuzz_testcase(in.at, fuzz_left(&in));
	struct edit x = fuzz_edit(&edits, a->size, &arena), y = fuzz_edit(&edits, a->size, &arena);
	check_union(&arena, a, x, y);
	check_sequence(&arena, a, x, &edits);
	check_difference(&arena, a, b);
	testcase_unref(b);
	testcase_unref(a);
	arena_release(&arena);
	return 0;
}
