/* The journal: of any file the intact records are read, and what is appended then is read back
 * behind them. Input: a program that makes the file out of good records and damage. */
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/buf.h"
#include "base/err.h"
#include "base/fault.h"
#include "base/io.h"
#include "base/mem.h"
#include "fuzz.h"
#include "store/journal.h"

static const struct hash identity = { 0x0123456789abcdef, 42 };

struct seen {
	uint64_t n;
	struct store_entry last;
};

static void see(void *ctx, const struct store_entry *v)
{
	struct seen *seen = ctx;
	seen->n++;
	seen->last = *v;
}

static struct store_entry verdict(uint8_t seed)
{
	return (struct store_entry){ .hash = { seed, 7 }, .number = seed, .verdict = seed % 4 };
}

/* A whole journal with records of some verdicts, by the writer itself. */
static void write_records(const char *path, struct hash id, unsigned n)
{
	struct journal_report report;
	struct journal j;
	struct faults none = { 0 };
	struct err err;
	if (journal_read(path, id, NULL, NULL, &report, &err) < 0 || report.foreign)
		return;
	FUZZ_REQUIRE(journal_open(&j, path, id, &report, &none, &err) == 0);
	for (unsigned i = 0; i < n; i++) {
		struct store_entry v = verdict((uint8_t)i);
		FUZZ_REQUIRE(journal_append(&j, &v, &err) == 0);
	}
	journal_close(&j);
}

/* One thing that may happen to a journal. */
static void happen(const char *path, struct fuzz *in)
{
	uint8_t what = fuzz_byte(in);
	struct buf bytes = { 0 };
	struct err err;
	struct hash other = { identity.hi, 43 };
	if (what % 8 < 2) {
		write_records(path, what % 8 ? other : identity, what / 8 % 4);
		return;
	}
	FUZZ_REQUIRE(io_read_file(path, &bytes, &err) == 0);
	uint32_t at = fuzz_below(in, (uint32_t)bytes.len), n = fuzz_byte(in) % 64;
	if (what % 8 < 4 && bytes.len) {
		bytes.data[at] = (char)(bytes.data[at] ^ fuzz_byte(in));
	} else if (what % 8 < 6) {
		bytes.len = at;
	} else {
		for (uint32_t i = 0; i < n; i++)
			buf_addch(&bytes, (char)fuzz_byte(in));
	}
	FUZZ_REQUIRE(truncate(path, 0) == 0);
	FUZZ_REQUIRE(io_replace_file(path, bytes.data ? bytes.data : "", bytes.len, 0600, &err) ==
	             0);
	buf_release(&bytes);
}

static void append_and_read(const char *path)
{
	struct journal_report before, after;
	struct seen first = { 0 }, second = { 0 };
	struct journal j;
	struct faults none = { 0 };
	struct err err;
	struct store_entry v = verdict(200);
	FUZZ_REQUIRE(journal_read(path, identity, see, &first, &before, &err) == 0);
	FUZZ_REQUIRE(first.n == before.records);
	if (before.foreign)
		return;
	FUZZ_REQUIRE(journal_open(&j, path, identity, &before, &none, &err) == 0);
	FUZZ_REQUIRE(journal_append(&j, &v, &err) == 0);
	journal_close(&j);
	FUZZ_REQUIRE(journal_read(path, identity, see, &second, &after, &err) == 0);
	FUZZ_REQUIRE(second.n == first.n + 1);
	FUZZ_REQUIRE(hash_equal(second.last.hash, v.hash) && second.last.number == v.number);
	FUZZ_REQUIRE(second.last.verdict == v.verdict && !after.torn_at);
}

int target_journal(const uint8_t *data, size_t size)
{
	struct fuzz in = { data, data + size };
	struct err err;
	char *path = mem_printf("%s/journal", fuzz_directory());
	FUZZ_REQUIRE(io_replace_file(path, "", 0, 0600, &err) == 0);
	for (unsigned n = 0; n < 32 && fuzz_left(&in); n++)
		happen(path, &in);
	append_and_read(path);
	unlink(path);
	free(path);
	return 0;
}
