/* A journal that cannot grow is an error of the call, and does not end the program that has the
 * library: a write beyond the limit on the size of files sends it a signal. */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <unistd.h>

#include "lib/whittle.h"

static const char text[] = "int hay;\nint main(void)\n{\n\treturn needle(1, 2) + hay;\n}\n";
enum { SIZE = sizeof text - 1 };

static const char *directories[2]; /* filled in by main, then only read */

static struct whittle *open_text(const char *path, int *error)
{
	const struct whittle_options o = { .struct_size = sizeof o,
		                           .name = "crash.c",
		                           .directories = directories,
		                           .journal = path };
	char message[256] = "";
	struct whittle *w = whittle_open(text, SIZE, &o, error, message, sizeof message);
	if (!w)
		assert_non_null(strstr(message, "cannot write journal"));
	return w;
}

/* Judges until nothing more is handed out: 0, or the error. */
static int judge(struct whittle *w)
{
	struct whittle_candidate c;
	int got;
	while ((got = whittle_next(w, &c, 1)) == 1)
		whittle_tell(w, c.ticket, memmem(c.bytes, c.size, "needle", 6) != NULL);
	return got;
}

static void limit_file_size(rlim_t most)
{
	struct rlimit l;
	assert_int_equal(getrlimit(RLIMIT_FSIZE, &l), 0);
	l.rlim_cur = most < l.rlim_max ? most : l.rlim_max;
	assert_int_equal(setrlimit(RLIMIT_FSIZE, &l), 0);
}

/* What is there up to the limit is resumed from. */
static void a_full_one_is_an_error(void **state)
{
	enum { NO_HEADER = 20, SOME_RECORDS = 700 };
	const char *path = *state;
	int error = 0;
	limit_file_size(NO_HEADER);
	assert_null(open_text(path, &error));
	assert_int_equal(error, WHITTLE_ERR_SYSTEM);
	limit_file_size(SOME_RECORDS);
	struct whittle *w = open_text(path, &error);
	assert_non_null(w);
	assert_int_equal(judge(w), WHITTLE_ERR_SYSTEM);
	assert_non_null(strstr(whittle_message(w), "cannot write journal"));
	whittle_free(w);
	limit_file_size(RLIM_INFINITY);
	w = open_text(path, &error);
	assert_non_null(w);
	assert_int_equal(judge(w), 0);
	assert_int_equal(whittle_state(w), WHITTLE_FIXPOINT);
	assert_true(whittle_answers(w) > whittle_tests(w) + 10);
	whittle_free(w);
}

/* A signal that waits for the program, which has blocked it, still does so afterwards. */
static void a_signal_of_others_is_theirs(void **state)
{
	int error = 0, sig;
	sigset_t excess, before, pending;
	sigemptyset(&excess);
	sigaddset(&excess, SIGXFSZ);
	pthread_sigmask(SIG_BLOCK, &excess, &before);
	raise(SIGXFSZ);
	a_full_one_is_an_error(state);
	sigpending(&pending);
	assert_int_equal(sigismember(&pending, SIGXFSZ), 1);
	sigwait(&excess, &sig);
	pthread_sigmask(SIG_SETMASK, &before, NULL);
	struct whittle *w = open_text(*state, &error);
	assert_non_null(w);
	assert_int_equal(judge(w), 0);
	whittle_free(w);
}

static int clear(void **state)
{
	unlink(*state);
	return 0;
}

int main(void)
{
	const char *tmp = getenv("TMPDIR");
	char path[4096];
	snprintf(path, sizeof path, "%s/libwhittle-journal-%ld", tmp ? tmp : "/tmp",
	         (long)getpid());
	directories[0] = getenv("WHITTLE_TOKENIZERS");
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_prestate_setup_teardown(a_full_one_is_an_error, NULL, clear, path),
		cmocka_unit_test_prestate_setup_teardown(a_signal_of_others_is_theirs, NULL, clear,
		                                         path),
	};
	return cmocka_run_group_tests_name("lib/journal", tests, NULL, NULL);
}
