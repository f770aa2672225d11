/* The journal: torn at every byte, damaged in every field, resynchronised, reloaded in time linear
 * in its size. */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include <errno.h>
#include <stdio.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/buf.h"
#include "base/err.h"
#include "base/io.h"
#include "base/mem.h"
#include "base/fault.h"
#include "store/journal.h"

enum { RECORDS = 5 };

static const struct hash identity = { 7, 9 };
static char *dir, *path;

static struct store_entry verdict_of(uint64_t i)
{
	return (struct store_entry){ .hash = hash_bytes(&i, sizeof i, 0),
		                     .verdict = (uint8_t)(1 + i % 3),
		                     .number = i * 1000,
		                     .kind = (uint8_t)(i % STORE_KINDS) };
}

struct seen {
	uint64_t n;
	uint64_t numbers[RECORDS * 2];
	bool strange;
};

static void see(void *ctx, const struct store_entry *v)
{
	struct seen *seen = ctx;
	for (uint64_t i = 0; i < RECORDS * 2; i++) {
		struct store_entry want = verdict_of(i);
		if (hash_equal(v->hash, want.hash)) {
			seen->strange |= v->verdict != want.verdict || v->kind != want.kind ||
			                 v->number != want.number || seen->n == RECORDS * 2;
			if (seen->n < RECORDS * 2)
				seen->numbers[seen->n++] = i;
			return;
		}
	}
	seen->strange = true;
}

static struct journal_report reload(struct seen *seen)
{
	struct journal_report report;
	struct err err;
	*seen = (struct seen){ 0 };
	assert_int_equal(journal_read(path, identity, see, seen, &report, &err), 0);
	assert_false(seen->strange);
	assert_int_equal(seen->n, report.records);
	return report;
}

static void append(uint64_t first, uint64_t n)
{
	struct journal j;
	struct err err;
	struct faults faults = { 0 };
	struct seen seen;
	struct journal_report report = reload(&seen);
	assert_int_equal(journal_open(&j, path, identity, &report, &faults, &err), 0);
	for (uint64_t i = first; i < first + n; i++) {
		struct store_entry v = verdict_of(i);
		assert_int_equal(journal_append(&j, &v, &err), 0);
	}
	assert_int_equal(journal_sync(&j, &err), 0);
	journal_close(&j);
}

static struct buf fresh_journal(void)
{
	struct buf text = { 0 };
	struct err err;
	unlink(path);
	append(0, RECORDS);
	assert_int_equal(io_read_file(path, &text, &err), 0);
	assert_int_equal(text.len, JOURNAL_HEADER + RECORDS * JOURNAL_RECORD);
	return text;
}

static void put_file(const void *bytes, size_t len)
{
	struct err err;
	assert_int_equal(io_replace_file(path, bytes, len, 0600, &err), 0);
}

static void test_reload(void **state)
{
	(void)state;
	struct seen seen;
	struct buf text = fresh_journal();
	struct journal_report report = reload(&seen);
	assert_int_equal(report.records, RECORDS);
	assert_int_equal(report.torn_at, 0);
	assert_int_equal(report.damaged, 0);
	for (uint64_t i = 0; i < RECORDS; i++)
		assert_int_equal(seen.numbers[i], i);
	buf_release(&text);
}

static void test_missing(void **state)
{
	(void)state;
	struct seen seen;
	unlink(path);
	assert_int_equal(reload(&seen).records, 0);
}

/* Cut anywhere within the last record: the others stay, the tear is told, and appending goes on
 * cleanly. */
static void test_torn_anywhere(void **state)
{
	(void)state;
	struct seen seen;
	struct buf text = fresh_journal();
	size_t last = text.len - JOURNAL_RECORD;
	for (size_t cut = last; cut < text.len; cut++) {
		put_file(text.data, cut);
		struct journal_report report = reload(&seen);
		assert_int_equal(report.records, RECORDS - 1);
		assert_int_equal(report.torn_at, cut == last ? 0 : last);
		assert_int_equal(report.damaged, 0);
		append(RECORDS, 1);
		report = reload(&seen);
		assert_int_equal(report.records, RECORDS);
		assert_int_equal(report.torn_at, 0);
		assert_int_equal(report.damaged, 0);
		assert_int_equal(seen.numbers[RECORDS - 1], RECORDS);
	}
	buf_release(&text);
}

static void test_torn_header(void **state)
{
	(void)state;
	struct seen seen;
	struct buf text = fresh_journal();
	for (size_t cut = 0; cut < JOURNAL_HEADER; cut++) {
		put_file(text.data, cut);
		append(0, 1);
		assert_int_equal(reload(&seen).records, 1);
	}
	buf_release(&text);
}

/* What is as short and no part of a header is damage, not what a kill leaves. */
static void test_short_other(void **state)
{
	(void)state;
	struct seen seen;
	struct buf text = fresh_journal();
	for (size_t cut = 1; cut < JOURNAL_HEADER; cut++) {
		text.data[cut - 1] ^= 1;
		put_file(text.data, cut);
		text.data[cut - 1] ^= 1;
		struct journal_report report = reload(&seen);
		assert_int_equal(report.torn_at, 0);
		assert_int_equal(report.damaged, cut);
	}
	buf_release(&text);
}

/* Nobody waits for who writes to a FIFO, or reads from it. */
static void test_fifo(void **state)
{
	(void)state;
	struct journal j;
	struct journal_report report;
	struct err err;
	struct faults faults = { 0 };
	unlink(path);
	assert_int_equal(mkfifo(path, 0600), 0);
	assert_int_equal(journal_read(path, identity, NULL, NULL, &report, &err), -1);
	assert_int_equal(journal_open(&j, path, identity, &report, &faults, &err), -1);
	int reader = open(path, O_RDONLY | O_NONBLOCK);
	assert_int_equal(journal_open(&j, path, identity, &report, &faults, &err), -1);
	close(reader);
	unlink(path);
}

/* One flipped bit anywhere: at most the record it is in is lost, and its offset is told. */
static void test_flipped_bits(void **state)
{
	(void)state;
	struct seen seen;
	struct buf text = fresh_journal();
	for (size_t at = 0; at < text.len; at++) {
		text.data[at] ^= (char)(1 << at % 8);
		put_file(text.data, text.len);
		text.data[at] ^= (char)(1 << at % 8);
		struct journal_report report = reload(&seen);
		size_t record = at < JOURNAL_HEADER
		                        ? 0
		                        : (at - JOURNAL_HEADER) / JOURNAL_RECORD * JOURNAL_RECORD +
		                                  JOURNAL_HEADER;
		assert_false(report.foreign);
		assert_int_equal(report.records, at < JOURNAL_HEADER ? RECORDS : RECORDS - 1);
		assert_int_equal(report.damaged,
		                 at < JOURNAL_HEADER ? JOURNAL_HEADER : JOURNAL_RECORD);
		assert_int_equal(report.damaged_at, record);
	}
	buf_release(&text);
}

/* Bytes lost or added in the middle: what is intact behind them is found again. */
static void test_resynchronises(void **state)
{
	(void)state;
	struct seen seen;
	struct buf text = fresh_journal();
	size_t second = JOURNAL_HEADER + JOURNAL_RECORD;
	for (size_t lost = 1; lost < JOURNAL_RECORD; lost++) {
		struct buf cut = { 0 };
		buf_add(&cut, text.data, second);
		buf_add(&cut, text.data + second + lost, text.len - second - lost);
		put_file(cut.data, cut.len);
		struct journal_report report = reload(&seen);
		assert_int_equal(report.records, RECORDS - 1);
		assert_int_equal(report.damaged_at, second);
		assert_int_equal(report.damaged, JOURNAL_RECORD - lost);
		buf_release(&cut);
	}
	struct buf more = { 0 };
	buf_add(&more, text.data, second);
	buf_add(&more, "VVVVgarbage", 11);
	buf_add(&more, text.data + second, text.len - second);
	put_file(more.data, more.len);
	assert_int_equal(reload(&seen).records, RECORDS);
	buf_release(&more);
	buf_release(&text);
}

static void test_foreign(void **state)
{
	(void)state;
	struct journal_report report;
	struct err err;
	struct seen seen = { 0 };
	struct buf text = fresh_journal();
	assert_int_equal(journal_read(path, (struct hash){ 8, 9 }, see, &seen, &report, &err), 0);
	assert_true(report.foreign);
	assert_int_equal(seen.n, 0);
	buf_release(&text);
}

/* A write that fails leaves the journal as it was; the next one succeeds. */
static void faulty_write(const char *spec)
{
	struct journal j;
	struct err err;
	struct faults faults = { 0 };
	struct journal_report report;
	struct seen seen;
	struct buf text = fresh_journal();
	setenv("WHITTLE_FAULT", spec, 1);
	assert_int_equal(faults_load(&faults, &err), 0);
	unsetenv("WHITTLE_FAULT");
	report = reload(&seen);
	assert_int_equal(journal_open(&j, path, identity, &report, &faults, &err), 0);
	struct store_entry before = verdict_of(RECORDS), v = verdict_of(RECORDS + 1);
	assert_int_equal(journal_append(&j, &before, &err), 0);
	assert_int_equal(journal_append(&j, &v, &err), -1);
	assert_non_null(strstr(err.msg, path));
	assert_int_equal(faults.list[0].hits, 1);
	report = reload(&seen);
	assert_int_equal(report.records, RECORDS + 1);
	assert_int_equal(report.torn_at, 0);
	assert_int_equal(journal_append(&j, &v, &err), 0);
	journal_close(&j);
	assert_int_equal(reload(&seen).records, RECORDS + 2);
	buf_release(&text);
}

static void test_faults(void **state)
{
	(void)state;
	faulty_write("journal-write:ENOSPC@2!");
	faulty_write("journal-write:EIO@2!");
	faulty_write("journal-write:short@2!");
}

static void test_unknown_fault(void **state)
{
	(void)state;
	struct faults faults;
	struct err err;
	static const char *const bad[] = { "journal-wrote:EIO", "journal-write",
		                           "journal-write:", "journal-write:EFOO",
		                           "journal-write:EIO@0" };
	for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
		setenv("WHITTLE_FAULT", bad[i], 1);
		assert_int_equal(faults_load(&faults, &err), -1);
	}
	unsetenv("WHITTLE_FAULT");
}

/* Verdicts in commits come back as they were, and damage in them is seen. */
static void test_verdict_list(void **state)
{
	(void)state;
	struct store_entry list[RECORDS];
	struct buf text = { 0 };
	struct seen seen = { 0 };
	struct err err;
	for (uint64_t i = 0; i < RECORDS; i++)
		list[i] = verdict_of(i);
	store_entries_encode(&text, list, RECORDS);
	assert_int_equal(store_entries_decode(text.data, text.len, see, &seen, &err), 0);
	assert_int_equal(seen.n, RECORDS);
	assert_false(seen.strange);
	assert_int_equal(store_entries_decode(text.data, text.len - 1, see, &seen, &err), -1);
	text.data[3] ^= 1;
	assert_int_equal(store_entries_decode(text.data, text.len, see, &seen, &err), -1);
	buf_release(&text);
}

static int make_dir(void **state)
{
	(void)state;
	dir = io_temporary_name("journal");
	path = mkdtemp(dir) ? mem_printf("%s/journal", dir) : NULL;
	return path ? 0 : -1;
}

static int remove_dir(void **state)
{
	(void)state;
	unlink(path);
	int rc = rmdir(dir);
	free(path);
	free(dir);
	return rc;
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_reload),        cmocka_unit_test(test_missing),
		cmocka_unit_test(test_torn_anywhere), cmocka_unit_test(test_torn_header),
		cmocka_unit_test(test_flipped_bits),  cmocka_unit_test(test_resynchronises),
		cmocka_unit_test(test_short_other),   cmocka_unit_test(test_fifo),
		cmocka_unit_test(test_foreign),       cmocka_unit_test(test_faults),
		cmocka_unit_test(test_unknown_fault), cmocka_unit_test(test_verdict_list),
	};
	return cmocka_run_group_tests(tests, make_dir, remove_dir);
}
