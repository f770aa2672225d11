/* What a persistent test or a fork server says, and when it is believed. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>

#include <cmocka.h>

#include "run/persistent.h"

static enum dialog_state take(const char *text, int *status)
{
	struct dialog d = { .question = "/c1/in\t/c1/on", .len = 13 };
	return dialog_take(&d, text, strlen(text), status);
}

static void lines_are_statuses(void **state)
{
	(void)state;
	static const struct {
		const char *text;
		enum dialog_state state;
		int status;
	} rows[] = { { "0\n", DIALOG_ANSWER, 0 },
		     { "255\r\n", DIALOG_ANSWER, 255 },
		     { "007\n", DIALOG_ANSWER, 7 },
		     { "25", DIALOG_MORE, 0 },
		     { "256\n", DIALOG_GARBAGE, 0 },
		     { "\n", DIALOG_GARBAGE, 0 },
		     { "-1\n", DIALOG_GARBAGE, 0 },
		     { " 1\n", DIALOG_GARBAGE, 0 },
		     { "1\n0\n", DIALOG_GARBAGE, 0 },
		     { "1\n0", DIALOG_GARBAGE, 0 },
		     { "0x1\n", DIALOG_GARBAGE, 0 },
		     { "yes\n", DIALOG_GARBAGE, 0 },
		     { "00000000", DIALOG_GARBAGE, 0 },
		     { "1 /c1/in\t/c1/on\n", DIALOG_ANSWER, 1 },
		     { "3 /c1/in\t/c1/on\r\n", DIALOG_ANSWER, 3 },
		     { "1 /c1/in\t", DIALOG_MORE, 0 },
		     { "1 /c2/in\t/c2/on\n", DIALOG_GARBAGE, 0 },
		     { "1 /c1/in\n", DIALOG_GARBAGE, 0 },
		     { "1 \n", DIALOG_GARBAGE, 0 },
		     { "1 /c1/in\t/c1/on2\n", DIALOG_GARBAGE, 0 },
		     { "1 /c1/in\t/c1/on\n0\n", DIALOG_GARBAGE, 0 } };
	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
		int status = 0;
		assert_int_equal(take(rows[i].text, &status), rows[i].state);
		if (rows[i].state == DIALOG_ANSWER)
			assert_int_equal(status, rows[i].status);
	}
}

static void pieces_are_joined(void **state)
{
	(void)state;
	struct dialog d = { 0 };
	int status = 0;
	assert_int_equal(dialog_take(&d, "1", 1, &status), DIALOG_MORE);
	assert_int_equal(dialog_take(&d, "2", 1, &status), DIALOG_MORE);
	assert_int_equal(dialog_take(&d, "\n", 1, &status), DIALOG_ANSWER);
	assert_int_equal(status, 12);
}

/* Only a plain no of a process that has answered before stands. */
static void success_is_doubted(void **state)
{
	(void)state;
	struct dialog_doubt d = { .end = DIALOG_ANSWERED };
	assert_true(dialog_stands(&d));
	d.due = true;
	assert_false(dialog_stands(&d));
	d = (struct dialog_doubt){ .end = DIALOG_ANSWERED, .interesting = true };
	assert_false(dialog_stands(&d));
	d = (struct dialog_doubt){ .end = DIALOG_ANSWERED, .no_answer = true };
	assert_false(dialog_stands(&d));
	d = (struct dialog_doubt){ .end = DIALOG_BROKEN };
	assert_false(dialog_stands(&d));
}

/* Feeds a fork server's bytes; what it says last. */
static enum forkserver_event feed(struct forkserver *f, const void *bytes, size_t n, uint32_t *word)
{
	enum forkserver_event event = FORKSERVER_MORE;
	for (size_t i = 0; i < n && event == FORKSERVER_MORE; i++)
		event = forkserver_take(f, ((const unsigned char *)bytes)[i], word);
	return event;
}

static void run_once(struct forkserver *f)
{
	const uint32_t pid = 4711, status = 139;
	uint32_t word = 0;
	forkserver_asked(f);
	assert_int_equal(feed(f, &pid, 4, &word), FORKSERVER_MORE);
	assert_int_equal(feed(f, &status, 4, &word), FORKSERVER_ANSWER);
	assert_int_equal(word, 139);
}

static void old_fork_server(void **state)
{
	(void)state;
	const uint32_t hellos[] = { 0, 0xc1800001u, 0x91000001u };
	for (size_t i = 0; i < sizeof hellos / sizeof *hellos; i++) {
		struct forkserver f = { 0 };
		uint32_t word = 0;
		assert_int_equal(feed(&f, &hellos[i], 4, &word), FORKSERVER_BEGINS);
		run_once(&f);
		run_once(&f);
	}
}

static void new_fork_server(void **state)
{
	(void)state;
	struct forkserver f = { 0 };
	const uint32_t hello = 0x41464c01, rest[] = { 0x801, 65536, 5 };
	uint32_t word = 0;
	assert_int_equal(feed(&f, &hello, 4, &word), FORKSERVER_SEND);
	assert_int_equal(word, ~hello);
	assert_int_equal(feed(&f, rest, sizeof rest, &word), FORKSERVER_MORE);
	assert_int_equal(feed(&f, "\4word", 5, &word), FORKSERVER_MORE);
	assert_int_equal(feed(&f, &hello, 4, &word), FORKSERVER_BEGINS);
	run_once(&f);
}

static void strange_fork_server(void **state)
{
	(void)state;
	const uint32_t failed = 0xf800008f, nobody = 0;
	struct forkserver f = { 0 };
	uint32_t word = 0;
	assert_int_equal(feed(&f, &failed, 4, &word), FORKSERVER_STRANGE);
	f = (struct forkserver){ .phase = FORKSERVER_READY };
	assert_int_equal(feed(&f, &nobody, 4, &word), FORKSERVER_STRANGE);
	f = (struct forkserver){ .phase = FORKSERVER_PID };
	assert_int_equal(feed(&f, &nobody, 4, &word), FORKSERVER_STRANGE);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(lines_are_statuses), cmocka_unit_test(pieces_are_joined),
		cmocka_unit_test(success_is_doubted), cmocka_unit_test(old_fork_server),
		cmocka_unit_test(new_fork_server),    cmocka_unit_test(strange_fork_server)
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
