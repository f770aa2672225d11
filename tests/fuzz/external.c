/* Answers of external passes: any list, any new file, any file of kept answers. Input: which of
 * them, "%%", the test case, "%%", the answer. */
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/buf.h"
#include "base/err.h"
#include "base/hash.h"
#include "base/io.h"
#include "base/mem.h"
#include "fuzz.h"
#include "external/external.h"
#include "external/external_host.h"
#include "text/testcase.h"

enum { MARK = 0x32525857 };

static void check(struct testcase *tc, struct external_result *r)
{
	FUZZ_REQUIRE(r->n <= EXTERNAL_MAX_EDITS && r->instances <= EXTERNAL_MAX_EDITS);
	FUZZ_REQUIRE(!r->failed || !r->n);
	for (uint32_t i = 0; i < r->n; i++)
		fuzz_check_edit(tc, r->edits[i]);
	external_result_unref(r);
}

struct found {
	unsigned n;
	struct external_extent extents[8];
};

static void find(void *arg, struct hash key, struct external_extent extent)
{
	struct found *found = arg;
	(void)key;
	if (found->n < 8)
		found->extents[found->n++] = extent;
}

/* A file with one record whose checksum is right, whatever it holds, and bytes behind it. */
static void write_file(const char *path, struct fuzz record, struct fuzz behind)
{
	struct {
		uint32_t mark, len;
		struct hash key;
	} h = { MARK, (uint32_t)fuzz_left(&record), { 1, 2 } };
	struct buf b = { 0 };
	struct err err;
	uint64_t sum = hash_bytes(record.at, h.len, hash_bytes(&h, sizeof h, 0).lo).lo;
	buf_add(&b, &h, sizeof h);
	buf_add(&b, record.at, h.len);
	buf_add(&b, &sum, sizeof sum);
	buf_add(&b, behind.at, fuzz_left(&behind));
	FUZZ_REQUIRE(io_replace_file(path, b.data, b.len, 0600, &err) == 0);
	buf_release(&b);
}

/* What was kept is either an answer about TC or none. */
static void read_file(struct testcase *tc, const char *path)
{
	struct external_file f;
	struct found found = { 0 };
	struct err err;
	FUZZ_REQUIRE(external_file_open(&f, path, find, &found, &err) == 0);
	for (unsigned i = 0; i < found.n; i++) {
		struct external_result *r = external_file_get(&f, found.extents[i], tc->size);
		if (r)
			check(tc, r);
	}
	external_file_close(&f);
}

int target_external(const uint8_t *data, size_t size)
{
	struct fuzz in = { data, data + size }, which = fuzz_section(&in), base = fuzz_section(&in);
	struct testcase *tc = fuzz_testcase(base.at, fuzz_left(&base));
	switch (fuzz_byte(&which) % 3) {
	case 0:
		check(tc, external_parse_list(tc, (const char *)in.at, fuzz_left(&in)));
		break;
	case 1:
		check(tc, external_parse_file(tc, in.at, (uint32_t)fuzz_left(&in)));
		break;
	default: {
		char *path = mem_printf("%s/external", fuzz_directory());
		write_file(path, in, which);
		read_file(tc, path);
		unlink(path);
		free(path);
	}
	}
	testcase_unref(tc);
	return 0;
}
