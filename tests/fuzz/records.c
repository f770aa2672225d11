/* Records of any file: what is found is within it, and after an edit with its repairs what is still
 * known agrees with the bytes. Input: four bytes of edit and more, "%%", a file. */
#include "base/mem.h"
#include "fuzz.h"
#include "text/edit.h"
#include "text/records.h"
#include "text/testcase.h"

static void check(const struct records *r, const struct testcase *tc)
{
	for (uint32_t i = 0; i < r->n; i++) {
		const struct record *x = &r->list[i];
		FUZZ_REQUIRE(x->begin < x->end && x->end <= tc->size);
		FUZZ_REQUIRE(x->body <= x->body_end && x->body_end <= x->end);
	}
	for (uint32_t i = 0; i < r->repair->n; i++)
		FUZZ_REQUIRE(field_holds(r->repair, &r->repair->fields[i], tc->bytes, tc->size));
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct fuzz text = { data, data + size }, edits = fuzz_section(&text);
	struct testcase *tc = fuzz_testcase(text.at, fuzz_left(&text));
	struct records *r = records_find(tc->bytes, tc->size);
	if (r) {
		struct arena arena = { 0 };
		struct edit plain = fuzz_edit(&edits, tc->size, &arena);
		struct edit edit = repair_edit(r->repair, tc->bytes, plain, &arena);
		fuzz_check_edit(tc, edit);
		struct testcase *after = edit_apply(tc, edit);
		testcase_flat(after);
		struct records *mapped =
			records_map(r, NULL, edit, after->bytes, after->size, true);
		check(r, tc);
		check(mapped, after);
		records_unref(mapped);
		testcase_unref(after);
		arena_release(&arena);
	}
	records_unref(r);
	testcase_unref(tc);
	return 0;
}
