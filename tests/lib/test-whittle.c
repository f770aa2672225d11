/* The library through its one header: call back and ask and tell, one answer whatever the order,
 * journals, errors, two reductions in two threads. $WHITTLE_INTERLEAVINGS: how many random orders
 * are tried. */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include <fcntl.h>
#include <limits.h>
#include <stdbool.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "../rounds.h"
#include "lib/whittle.h"

static const char text[] =
	"int unused(int a, int b)\n{\n\treturn a + b;\n}\n\n"
	"struct point { int x; int y; };\n\n"
	"int main(void)\n{\n\tint needle = 42;\n\tif (needle > 7)\n\t\treturn 1;\n"
	"\tint list[] = { 1, 2, 3, needle, 5 };\n\treturn list[3];\n}\n";
enum { SIZE = sizeof text - 1 };

/* Interesting: "needle", then a brace open before it, and an odd number of digits in all. */
static int holds(const void *bytes, size_t size, void *calls)
{
	const char *p = bytes, *needle = memmem(p, size, "needle", 6);
	unsigned digits = 0;
	if (calls)
		++*(unsigned *)calls;
	for (size_t i = 0; i < size; i++)
		digits += p[i] >= '0' && p[i] <= '9';
	return needle && memchr(p, '{', (size_t)(needle - p)) && digits % 2;
}

static const char *directories[2]; /* filled in by main, then only read */

static struct whittle_options options_for(uint64_t seed)
{
	return (struct whittle_options){ .struct_size = sizeof(struct whittle_options),
		                         .name = "crash.c",
		                         .directories = directories,
		                         .seed = seed };
}

/* What a reduction ended with. */
struct outcome {
	int end;
	char bytes[SIZE];
	size_t size;
	uint64_t answers;
	char message[256];
};

static void take_outcome(const struct whittle *w, struct outcome *out)
{
	const void *best = whittle_result(w, &out->size);
	memcpy(out->bytes, best, out->size);
	out->end = (int)whittle_state(w);
	out->answers = whittle_answers(w);
	snprintf(out->message, sizeof out->message, "%s", whittle_message(w));
}

static void assert_same(const struct outcome *a, const struct outcome *b)
{
	assert_int_equal(a->end, b->end);
	assert_int_equal(a->size, b->size);
	assert_memory_equal(a->bytes, b->bytes, a->size);
	assert_int_equal(a->answers, b->answers);
	assert_string_equal(a->message, b->message);
}

static struct whittle *open_text(const struct whittle_options *o)
{
	int error = 0;
	char message[256] = "";
	struct whittle *w = whittle_open(text, SIZE, o, &error, message, sizeof message);
	if (!w)
		fail_msg("%d: %s", error, message);
	return w;
}

/* One after the other. */
static void run_in_order(const struct whittle_options *o, struct outcome *out)
{
	struct whittle *w = open_text(o);
	struct whittle_candidate c;
	while (whittle_next(w, &c, 1) == 1)
		assert_int_equal(whittle_tell(w, c.ticket, holds(c.bytes, c.size, NULL)), 0);
	take_outcome(w, out);
	whittle_free(w);
}

static void call_back_is_ask_and_tell(void **state)
{
	(void)state;
	struct whittle_options o = options_for(1);
	struct outcome told, called = { 0 };
	unsigned calls = 0;
	run_in_order(&o, &told);
	called.end = whittle_reduce(text, SIZE, &o, holds, &calls, called.bytes, &called.size,
	                            called.message, sizeof called.message);
	called.answers = told.answers;
	assert_same(&told, &called);
	assert_int_equal(called.end, WHITTLE_FIXPOINT);
	assert_non_null(strstr(called.message, "no single one of these can be cut"));
	assert_true(called.size < 12 && holds(called.bytes, called.size, NULL));
	assert_true(calls > 10 && calls <= told.answers + 1);
}

static uint64_t draw(uint64_t *seed, uint64_t below)
{
	*seed = *seed * 6364136223846793005u + 1442695040888963407u;
	return (*seed >> 33) % below;
}

enum { OUT_MAX = 64 };

/* In an order drawn from SEED: how many are asked for, which of them is told next, which is given
 * back unjudged. */
static void run_at_random(const struct whittle_options *o, uint64_t seed, struct outcome *out)
{
	struct whittle *w = open_text(o);
	struct whittle_candidate list[OUT_MAX];
	size_t n = 0, most = 1 + draw(&seed, OUT_MAX);
	while (whittle_state(w) == WHITTLE_RUNS) {
		size_t room = most - n;
		int got = whittle_next(w, list + n, room ? draw(&seed, room + 1) : 0);
		assert_true(got >= 0 && (size_t)got <= room);
		n += (size_t)got;
		for (uint64_t tells = n ? 1 + draw(&seed, n) : 0; tells--;) {
			size_t i = draw(&seed, n);
			struct whittle_candidate c = list[i];
			bool unjudged = draw(&seed, 16) == 0 ||
			                (!whittle_wanted(w, c.ticket) && seed & 1 << 20);
			list[i] = list[--n];
			assert_int_equal(whittle_tell(w, c.ticket,
			                              unjudged ? WHITTLE_UNJUDGED
			                                       : holds(c.bytes, c.size, NULL)),
			                 0);
		}
	}
	take_outcome(w, out);
	whittle_free(w);
}

static void order_does_not_matter(void **state)
{
	(void)state;
	const char *times = getenv("WHITTLE_INTERLEAVINGS");
	unsigned long n = times ? strtoul(times, NULL, 10) : rounds(200);
	struct whittle_options o = options_for(7);
	struct outcome first, other;
	run_in_order(&o, &first);
	for (unsigned long i = 0; i < n; i++) {
		run_at_random(&o, i, &other);
		assert_same(&first, &other);
	}
	print_message("  %lu orders: %zu bytes, %llu answers\n", n, first.size,
	              (unsigned long long)first.answers);
}

/* Judges up to MOST candidates. The number of those that it was given last; 0: none is left. */
static int judge(struct whittle *w, unsigned most)
{
	struct whittle_candidate c;
	int got = 1;
	for (unsigned i = 0; i < most && (got = whittle_next(w, &c, 1)) == 1; i++)
		whittle_tell(w, c.ticket, holds(c.bytes, c.size, NULL));
	return got;
}

static void put_file(const char *path, const void *bytes, size_t size)
{
	int fd = open(path, O_WRONLY | O_CREAT | O_TRUNC, 0600);
	assert_int_equal(write(fd, bytes, size), size);
	close(fd);
}

/* The journal of O is refused with this code, in these words. */
static void is_refused(struct whittle_options o, size_t size, int code, const char *words)
{
	int error = 0;
	char message[256];
	assert_null(whittle_open(text, size, &o, &error, message, sizeof message));
	assert_int_equal(error, code);
	assert_non_null(strstr(message, words));
}

/* A file of the user's is left as it is, however short; only what a kill leaves of a header is
 * mended. */
static void short_files_are_checked(struct whittle_options o, const char *path)
{
	enum { HEADER = 40 };
	static const char words[] = "WHITTLE is what I do";
	char header[HEADER], now[sizeof words];
	int fd = open(path, O_RDONLY);
	assert_int_equal(read(fd, header, HEADER), HEADER);
	close(fd);
	for (size_t size = 1; size < sizeof words; size++) {
		put_file(path, words + sizeof words - 1 - size, size);
		is_refused(o, SIZE, WHITTLE_ERR_ARGUMENT, "not a journal");
		fd = open(path, O_RDONLY);
		assert_int_equal(read(fd, now, sizeof now), size);
		assert_memory_equal(now, words + sizeof words - 1 - size, size);
		close(fd);
	}
	put_file(path, header, HEADER / 2);
	whittle_free(open_text(&o));
}

/* Another test, another original, no journal at all, what would be waited for or read without an
 * end: refused, each in its words. */
static void journals_are_checked(struct whittle_options o, const char *path)
{
	o.test_id = "another";
	is_refused(o, SIZE, WHITTLE_ERR_ARGUMENT, "another test");
	o.test_id = "holds";
	is_refused(o, SIZE - 1, WHITTLE_ERR_ARGUMENT, "");
	short_files_are_checked(o, path);
	put_file(path, text, SIZE);
	is_refused(o, SIZE, WHITTLE_ERR_ARGUMENT, "not a journal");
	unlink(path);
	assert_int_equal(mkfifo(path, 0600), 0);
	is_refused(o, SIZE, WHITTLE_ERR_ARGUMENT, "not a regular file");
	o.journal = "/dev/zero";
	is_refused(o, SIZE, WHITTLE_ERR_ARGUMENT, "not a regular file");
	o.journal = "/nowhere/at/all";
	is_refused(o, SIZE, WHITTLE_ERR_SYSTEM, "");
}

/* Stopped anywhere, and resumed with the journal: the same, and nothing is asked twice. */
static void journal_resumes(void **state)
{
	(void)state;
	const char *tmp = getenv("TMPDIR");
	char dir[4096], path[sizeof dir + 16];
	snprintf(dir, sizeof dir, "%s/libwhittle-XXXXXX", tmp ? tmp : "/tmp");
	assert_non_null(mkdtemp(dir));
	snprintf(path, sizeof path, "%s/journal", dir);
	struct whittle_options o = options_for(3);
	struct outcome whole, resumed;
	run_in_order(&o, &whole);
	struct whittle *w = open_text(&o);
	assert_int_equal(judge(w, UINT_MAX), 0);
	uint64_t tests = 0, in_one_go = whittle_tests(w);
	whittle_free(w);
	o.journal = path;
	o.test_id = "holds";
	for (int part = 0, got = 1; got; part++) {
		w = open_text(&o);
		got = judge(w, 20);
		tests += whittle_tests(w);
		take_outcome(w, &resumed);
		whittle_free(w);
		assert_true(part < 1000);
	}
	assert_same(&whole, &resumed);
	assert_int_equal(tests, in_one_go);
	journals_are_checked(o, path);
	unlink(path);
	rmdir(dir);
}

/* No bytes are a fixpoint, wherever they are not. */
static void nothing_is_a_fixpoint(void **state)
{
	(void)state;
	struct whittle_options o = options_for(0);
	const char *const nowhere[] = { NULL, "" };
	for (size_t i = 0; i < 2; i++) {
		struct whittle *w = whittle_open(nowhere[i], 0, &o, NULL, NULL, 0);
		struct whittle_candidate c;
		size_t size = 1;
		assert_non_null(w);
		assert_int_equal(whittle_next(w, &c, 1), 0);
		assert_int_equal(whittle_state(w), WHITTLE_FIXPOINT);
		whittle_result(w, &size);
		assert_int_equal(size, 0);
		whittle_free(w);
	}
}

static void errors_are_values(void **state)
{
	(void)state;
	struct whittle_options o = options_for(0);
	int error = 0;
	char message[256], result[SIZE];
	size_t size;
	o.struct_size = 0;
	assert_null(whittle_open(text, SIZE, &o, &error, message, sizeof message));
	assert_int_equal(error, WHITTLE_ERR_ARGUMENT);
	o = options_for(0);
	o.passes = "items,no-such-pass";
	assert_null(whittle_open(text, SIZE, &o, &error, message, sizeof message));
	assert_non_null(strstr(message, "no-such-pass"));
	o = options_for(0);
	o.certify = "sloth";
	assert_null(whittle_open(text, SIZE, &o, &error, message, sizeof message));
	assert_non_null(strstr(message, "\"sloth\" is not auto, full, token or none"));
	o = options_for(0);
	o.tokenizer = "no-such-language";
	assert_null(whittle_open(text, SIZE, &o, NULL, NULL, 0));
	assert_null(whittle_open(NULL, 3, NULL, &error, message, sizeof message));
	assert_int_equal(error, WHITTLE_ERR_ARGUMENT);
	o = options_for(0);
	assert_int_equal(
		whittle_reduce("dull", 4, &o, holds, NULL, result, &size, message, sizeof message),
		WHITTLE_ERR_TEST);
	assert_int_equal(size, 4);
	assert_memory_equal(result, "dull", 4);
	const int missing[] = {
		whittle_reduce(NULL, 4, &o, holds, NULL, result, &size, NULL, 0),
		whittle_reduce("dull", 4, &o, NULL, NULL, result, &size, NULL, 0),
		whittle_reduce("dull", 4, &o, holds, NULL, NULL, &size, NULL, 0),
		whittle_reduce("dull", 4, &o, holds, NULL, result, NULL, NULL, 0),
	};
	for (size_t i = 0; i < sizeof missing / sizeof *missing; i++)
		assert_int_equal(missing[i], WHITTLE_ERR_ARGUMENT);
}

static void wrong_verdicts_are_errors(void **state)
{
	(void)state;
	struct whittle_options o = options_for(0);
	struct whittle *w = open_text(&o);
	struct whittle_candidate c;
	assert_int_equal(whittle_tell(w, 99, WHITTLE_NOT_INTERESTING), WHITTLE_ERR_ARGUMENT);
	assert_non_null(strstr(whittle_message(w), "ticket 99"));
	assert_int_equal(whittle_next(w, NULL, 1), WHITTLE_ERR_ARGUMENT);
	assert_int_equal(whittle_next(w, &c, 1), 1);
	const int no_verdicts[] = { -2, 2, INT_MAX, INT_MIN };
	for (size_t i = 0; i < sizeof no_verdicts / sizeof *no_verdicts; i++) {
		enum whittle_verdict none;
		assert_int_equal(sizeof none, sizeof no_verdicts[i]);
		memcpy(&none, &no_verdicts[i], sizeof none); /* as a caller in another language */
		assert_int_equal(whittle_tell(w, c.ticket, none), WHITTLE_ERR_ARGUMENT);
		assert_non_null(strstr(whittle_message(w), "verdict"));
		assert_int_equal(whittle_answers(w), 0);
	}
	assert_int_equal(whittle_tell(w, c.ticket, WHITTLE_NOT_INTERESTING), 0);
	assert_int_equal(whittle_tell(w, c.ticket, WHITTLE_NOT_INTERESTING), WHITTLE_ERR_ARGUMENT);
	assert_int_equal(whittle_state(w), WHITTLE_RUNS);
	whittle_free(w);
	whittle_free(NULL);
}

struct hearer {
	unsigned accepted, asked;
	size_t last;
};

static void hear(void *arg, const struct whittle *w)
{
	struct hearer *h = arg;
	size_t size;
	whittle_result(w, &size);
	assert_true(!h->last || size <= h->last);
	h->last = size;
	h->accepted++;
}

static int stop_at_ten(void *arg)
{
	return ++((struct hearer *)arg)->asked == 10;
}

static void limits_end_it(void **state)
{
	(void)state;
	struct whittle_options o = options_for(0);
	struct hearer h = { 0 };
	struct outcome out;
	o.accepted = hear;
	o.arg = &h;
	o.max_answers = 25;
	run_in_order(&o, &out);
	assert_int_equal(out.end, WHITTLE_LIMIT);
	assert_int_equal(out.answers, 25);
	assert_true(h.accepted > 0 && h.last == out.size);
	h = (struct hearer){ 0 };
	o.max_answers = 0;
	o.until_size = 40;
	run_in_order(&o, &out);
	assert_int_equal(out.end, WHITTLE_LIMIT);
	assert_true(out.size <= 40);
	h = (struct hearer){ 0 };
	o.until_size = 0;
	o.stop = stop_at_ten;
	run_in_order(&o, &out);
	assert_int_equal(out.end, WHITTLE_STOPPED);
}

struct job {
	uint64_t seed;
	struct outcome outcome;
};

static void *run_job(void *arg)
{
	struct job *job = arg;
	struct whittle_options o = options_for(job->seed % 2);
	run_at_random(&o, job->seed, &job->outcome);
	return NULL;
}

static void threads_do_not_meet(void **state)
{
	(void)state;
	enum { JOBS = 8 };
	struct job jobs[JOBS];
	struct outcome expected[2];
	pthread_t threads[JOBS];
	for (uint64_t i = 0; i < 2; i++) {
		struct whittle_options o = options_for(i);
		run_in_order(&o, &expected[i]);
	}
	for (uint64_t i = 0; i < JOBS; i++) {
		jobs[i].seed = i;
		assert_int_equal(pthread_create(&threads[i], NULL, run_job, &jobs[i]), 0);
	}
	for (int i = 0; i < JOBS; i++) {
		assert_int_equal(pthread_join(threads[i], NULL), 0);
		assert_same(&expected[i % 2], &jobs[i].outcome);
	}
}

int main(void)
{
	directories[0] = getenv("WHITTLE_TOKENIZERS");
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(call_back_is_ask_and_tell),
		cmocka_unit_test(order_does_not_matter),
		cmocka_unit_test(journal_resumes),
		cmocka_unit_test(nothing_is_a_fixpoint),
		cmocka_unit_test(errors_are_values),
		cmocka_unit_test(wrong_verdicts_are_errors),
		cmocka_unit_test(limits_end_it),
		cmocka_unit_test(threads_do_not_meet),
	};
	return cmocka_run_group_tests_name("lib/whittle", tests, NULL, NULL);
}
