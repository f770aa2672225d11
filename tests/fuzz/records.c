/* Records of any file: what is found is within it, and after an edit with its repairs what is still
 * known agrees with the bytes. Input: four bytes of edit and more, "%%", a file. */
#include "base/mem.h"
#include "fuzz.h"
#include "text/edit.h"
#include "binary/records.h"
#include "text/testcase.h"

int target_records(const uint8_t *data, size_t size)
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
		fuzz_check_records(r, tc);
		fuzz_check_records(mapped, after);
		records_unref(mapped);
		testcase_unref(after);
		arena_release(&arena);
	}
	records_unref(r);
	testcase_unref(tc);
	return 0;
}
