/* Schemas: any `record` lines are a schema or an error that names a line, and what a schema says of
 * any file is within it; after an edit with its repairs what is still known agrees with the bytes.
 * Input: record lines, "%%", an edit, "%%", a file. */
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/err.h"
#include "base/mem.h"
#include "fuzz.h"
#include "text/edit.h"
#include "binary/records.h"
#include "binary/records_reach.h"
#include "binary/schema.h"
#include "text/testcase.h"
#include "lang/tokenizer.h"

static void check_unreached(const struct records *r, const struct testcase *tc, bool roots)
{
	struct element *e;
	uint32_t n = records_unreached(r, tc->bytes, roots, &e);
	for (uint32_t i = 0; i < n; i++)
		FUZZ_REQUIRE(e[i].begin < e[i].end && e[i].end <= tc->size &&
		             (!i || e[i].begin >= e[i - 1].begin));
	free(e);
}

static void read_file(const struct schema *schema, bool loose, struct fuzz edits,
                      struct testcase *tc)
{
	struct arena arena = { 0 };
	uint32_t farthest = 0;
	struct records *r = schema_records(schema, tc->bytes, tc->size, loose, &farthest);
	FUZZ_REQUIRE(farthest <= tc->size);
	if (!r)
		return;
	fuzz_check_records(r, tc);
	check_unreached(r, tc, false);
	check_unreached(r, tc, true);
	struct edit plain = fuzz_edit(&edits, tc->size, &arena);
	struct edit edit = repair_edit(r->repair, tc->bytes, plain, &arena);
	fuzz_check_edit(tc, edit);
	struct testcase *after = edit_apply(tc, edit);
	testcase_flat(after);
	struct records *mapped = records_map(r, NULL, edit, after->bytes, after->size, true);
	fuzz_check_records(mapped, after);
	check_unreached(mapped, after, false);
	records_unref(mapped);
	testcase_unref(after);
	arena_release(&arena);
	records_unref(r);
}

int target_schema(const uint8_t *data, size_t size)
{
	struct fuzz text = { data, data + size }, definition = fuzz_section(&text),
		    edits = fuzz_section(&text);
	char path[FUZZ_PATH_SIZE];
	struct err err;
	int fd = fuzz_file(definition.at, fuzz_left(&definition), path);
	struct tokenizer *tok = tokenizer_load(path, &err);
	close(fd);
	if (!tok)
		FUZZ_REQUIRE(strstr(err.msg, ":"));
	if (tok && tokenizer_schema(tok)) {
		struct testcase *tc = fuzz_testcase(text.at, fuzz_left(&text));
		read_file(tokenizer_schema(tok), false, edits, tc);
		read_file(tokenizer_schema(tok), true, edits, tc);
		testcase_unref(tc);
	}
	tokenizer_free(tok);
	return 0;
}
