/* What a living test says, and when it is believed. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>

#include <cmocka.h>

#include "run/dialog.h"

static enum dialog_state take(const char *text, int *status)
{
	struct dialog d = { 0 };
	return dialog_take(&d, text, strlen(text), status);
}

static void lines_are_statuses(void **state)
{
	(void)state;
	static const struct {
		const char *text;
		enum dialog_state state;
		int status;
	} rows[] = { { "0\n", DIALOG_ANSWER, 0 },      { "255\r\n", DIALOG_ANSWER, 255 },
		     { "007\n", DIALOG_ANSWER, 7 },    { "25", DIALOG_MORE, 0 },
		     { "256\n", DIALOG_GARBAGE, 0 },   { "\n", DIALOG_GARBAGE, 0 },
		     { "-1\n", DIALOG_GARBAGE, 0 },    { " 1\n", DIALOG_GARBAGE, 0 },
		     { "1\n0\n", DIALOG_GARBAGE, 0 },  { "1\n0", DIALOG_GARBAGE, 0 },
		     { "0x1\n", DIALOG_GARBAGE, 0 },   { "yes\n", DIALOG_GARBAGE, 0 },
		     { "00000000", DIALOG_GARBAGE, 0 } };
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
	struct dialog_doubt d = { .end = DIALOG_ANSWERED, .status = 1, .no_answer = 9 };
	assert_true(dialog_stands(&d));
	d.due = true;
	assert_false(dialog_stands(&d));
	d.due = false;
	d.status = 0;
	assert_false(dialog_stands(&d));
	d.interesting = 3;
	assert_true(dialog_stands(&d));
	d.status = 3;
	assert_false(dialog_stands(&d));
	d.status = 9;
	assert_false(dialog_stands(&d));
	d.no_answer = 0;
	assert_true(dialog_stands(&d));
	d.end = DIALOG_BROKEN;
	assert_false(dialog_stands(&d));
}

int main(void)
{
	const struct CMUnitTest tests[] = { cmocka_unit_test(lines_are_statuses),
		                            cmocka_unit_test(pieces_are_joined),
		                            cmocka_unit_test(success_is_doubted) };
	return cmocka_run_group_tests(tests, NULL, NULL);
}
