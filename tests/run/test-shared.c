/* Refusals that are shared: they are believed until the test says otherwise. */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <cmocka.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/err.h"
#include "base/io.h"
#include "base/mem.h"
#include "inproc.h"
#include "run/shared.h"
#include "support.h"

enum { CANDIDATES = 1000 };

static bool says(const struct testcase *tc, void *arg)
{
	(void)tc;
	return *(bool *)arg;
}

static void count(void *arg, const char *message)
{
	(void)message;
	++*(unsigned *)arg;
}

static struct oracle *with(const char *dir, uint64_t test, bool *yes, unsigned *notices,
                           struct oracle **inner)
{
	struct err err;
	const struct shared_options o = {
		.dir = dir, .test = { test, 0 }, .notice = count, .arg = notices
	};
	*inner = inproc_new(says, yes, 1);
	struct oracle *s = shared_new(*inner, &o, &err);
	if (!s)
		fail_msg("%s", err.msg);
	return s;
}

static struct answer ask(struct oracle *o, unsigned i)
{
	char text[20];
	snprintf(text, sizeof text, "number %u", i);
	struct testcase *tc = support_case("a", text);
	struct answer a = support_ask(o, tc);
	testcase_unref(tc);
	return a;
}

/* How many of the candidates are interesting. */
static unsigned ask_all(struct oracle *o)
{
	unsigned n = 0;
	for (unsigned i = 0; i < CANDIDATES; i++)
		n += ask(o, i).verdict == VERDICT_INTERESTING;
	return n;
}

static void refusals_are_believed(void **state)
{
	const char *dir = *state;
	bool yes = false;
	unsigned notices = 0;
	struct oracle *inner, *o = with(dir, 1, &yes, &notices, &inner);
	assert_int_equal(ask_all(o), 0);
	assert_int_equal(inproc_calls(inner), CANDIDATES);
	oracle_free(o);
	o = with(dir, 1, &yes, &notices, &inner);
	assert_int_equal(ask_all(o), 0);
	uint64_t checked = inproc_calls(inner);
	assert_true(checked > 0 && checked < CANDIDATES / 20);
	assert_int_equal(ask_all(o), 0); /* a second time: from the test */
	assert_int_equal(inproc_calls(inner), checked + CANDIDATES);
	assert_int_equal(notices, 0);
	oracle_free(o);
}

static void until_the_test_says_otherwise(void **state)
{
	const char *dir = *state;
	bool yes = true;
	unsigned notices = 0;
	struct oracle *inner, *o = with(dir, 1, &yes, &notices, &inner);
	unsigned n = ask_all(o);
	assert_true(n > CANDIDATES / 2 && n < CANDIDATES);
	assert_int_equal(notices, 1);
	oracle_free(o);
	o = with(dir, 2, &yes, &notices, &inner); /* another test */
	assert_int_equal(ask_all(o), CANDIDATES);
	oracle_free(o);
	yes = false; /* nothing of what was interesting is kept */
	o = with(dir, 2, &yes, &notices, &inner);
	assert_int_equal(ask_all(o), 0);
	assert_int_equal(inproc_calls(inner), CANDIDATES);
	assert_int_equal(notices, 1);
	oracle_free(o);
}

/* To find out whether the test is usable, it is asked itself, and what it refuses then is not kept.
 */
static void a_test_is_tried_without_them(void **state)
{
	const char *dir = *state;
	bool yes = false;
	unsigned notices = 0;
	struct testcase *tc = support_case("a", "tried");
	const struct oracle_request rq = { .ticket = 1, .tc = tc, .firsthand = true };
	struct answer a;
	struct err err;
	struct oracle *inner, *o = with(dir, 5, &yes, &notices, &inner);
	assert_int_not_equal(tc->hash.lo % 64, 0);
	assert_int_equal(oracle_ask(o, &rq, -1, &a, &err), 0);
	oracle_free(o);
	o = with(dir, 5, &yes, &notices, &inner);
	support_ask(o, tc); /* now it is kept */
	assert_int_equal(inproc_calls(inner), 1);
	oracle_free(o);
	yes = true;
	o = with(dir, 5, &yes, &notices, &inner);
	assert_int_equal(oracle_ask(o, &rq, -1, &a, &err), 0);
	assert_int_equal(a.verdict, VERDICT_INTERESTING);
	assert_int_equal(notices, 1);
	oracle_free(o);
	testcase_unref(tc);
}

/* Answers that need no test are taken back, too, and are no more than there are slots. */
static void known_answers_are_taken_back(void **state)
{
	const char *dir = *state;
	bool yes = false;
	unsigned notices = 0, open = 0;
	struct oracle *inner, *o = with(dir, 1, &yes, &notices, &inner);
	struct answer a;
	struct err err;
	for (unsigned i = 0; oracle_free_slots(o); i++, open++) {
		char text[20];
		snprintf(text, sizeof text, "number %u", i);
		struct testcase *tc = support_case("a", text);
		assert_int_equal(support_submit(o, tc, i + 1, &err), 0);
		testcase_unref(tc);
	}
	assert_int_equal(open, 1);
	oracle_cancel(o, 1);
	assert_true(oracle_free_slots(o) > 0);
	assert_int_equal(oracle_wait(o, &a, -1, 0, &err), 0);
	oracle_free(o);
}

/* Links that others have put there lead nowhere. */
static void links_are_not_followed(void **state)
{
	const char *dir = *state;
	bool yes = false;
	unsigned notices = 0;
	struct err err;
	char *victim = mem_printf("%s/victim", dir), *mine = mem_printf("%s/%016x%016x", dir, 3, 0),
	     *other = mem_printf("%s/%016x%016x", dir, 4, 0);
	assert_int_equal(mkdir(victim, 0777) + mkdir(mine, 0777), 0);
	for (unsigned i = 0; i < 256; i++) {
		char *link = mem_printf("%s/%02x", mine, i);
		assert_int_equal(symlink(victim, link), 0);
		free(link);
	}
	struct oracle *inner, *o = with(dir, 3, &yes, &notices, &inner);
	assert_int_equal(ask_all(o), 0);
	assert_int_equal(notices, 1);
	oracle_free(o);
	assert_int_equal(symlink(victim, other), 0);
	const struct shared_options all = { .dir = dir, .test = { 4, 0 } };
	assert_null(shared_new(inproc_new(says, &yes, 1), &all, &err));
	assert_int_equal(rmdir(victim), 0); /* nothing was made there */
	free(other);
	free(mine);
	free(victim);
}

static int make_dir(void **state)
{
	char *dir = io_temporary_name("shared");
	*state = mkdtemp(dir);
	return *state ? 0 : -1;
}

static int remove_dir(void **state)
{
	int rc = io_remove_tree(AT_FDCWD, *state);
	free(*state);
	return rc;
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(refusals_are_believed),
		cmocka_unit_test(until_the_test_says_otherwise),
		cmocka_unit_test(a_test_is_tried_without_them),
		cmocka_unit_test(known_answers_are_taken_back),
		cmocka_unit_test(links_are_not_followed),
	};
	return cmocka_run_group_tests_name("run/shared", tests, make_dir, remove_dir);
}
