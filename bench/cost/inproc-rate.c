/* inproc-rate [-v]: candidates a second of the reducer and the driver when the test is a function
 * that costs next to nothing. What remains is the program's own work: making, hashing and judging
 * candidates of 100 KB.
 *
 * Three kinds of test. "stays": what is smaller than 99 % of 100 KB is not interesting; "combs": of
 * 200 KB of lines about every second one must go and the others, with 99 KB in all, must stay, so
 * that edits have thousands of parts; "shrinks": three words must be there, most candidates are
 * small. Beside each figure: how many times as fast memcpy copies a file of 100 KB, and which part
 * of the time the test itself takes. The bound is for the first two kinds, whose candidates have
 * their 100 KB: so many copies of the file may a candidate cost, which is made, hashed, compared
 * and looked at; through the library's header as many candidates as 0.95 of what the driver does.
 * -v: time by pass. Exits with 1 when a bound is missed. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "base/buf.h"
#include "base/err.h"
#include "base/io.h"
#include "base/mem.h"
#include "base/rng.h"
#include "lib/whittle.h"
#include "reduce/driver.h"
#include "../../tests/run/inproc.h"

enum { SIZE = 100000, QUESTIONS = 60000, COPIES = 4000, ROUNDS = 3 };

static const char *const words[] = { "needle_one", "needle_two", "needle_three" };
enum { N_WORDS = sizeof words / sizeof *words };

static const char *word_at(uint32_t i, uint32_t n)
{
	for (uint32_t w = 0; w < N_WORDS; w++)
		if (i == (2 * w + 1) * n / (2 * N_WORDS))
			return words[w];
	return "other";
}

static void c_text(struct buf *text)
{
	struct rng rng = { 1 };
	enum { FUNCTIONS = 530 };
	for (uint32_t i = 0; text->len < SIZE; i++) {
		uint32_t a = (uint32_t)rng_below(&rng, 90), b = (uint32_t)rng_below(&rng, 4);
		buf_addf(text,
		         "static int f%u(int a, const char *b)\n{\n\tstruct %s v = { a, %u, "
		         "\"x%u\" };\n",
		         i, word_at(i, FUNCTIONS), a, i);
		for (uint32_t k = 0; k < b; k++)
			buf_addf(text,
			         "\tif (v.a > %u && b[%u] == 'q')\n\t\ta += f%u(v.b, \"s%u\"); /* "
			         "step */\n",
			         a + k, k, i / 2, k);
		buf_addf(text, "\treturn a * %u;\n}\n\n", a + b);
	}
}

static void line_text(struct buf *text)
{
	struct rng rng = { 2 };
	enum { LINES = 6000 };
	for (uint32_t i = 0; text->len < SIZE; i++)
		buf_addf(text, "%u %s %llx\n", i, word_at(i, LINES),
		         (unsigned long long)rng_below(&rng, 1000000));
}

/* Lines that are needed hold a character outside ASCII. */
static void comb_text(struct buf *text)
{
	struct rng rng = { 3 };
	for (uint32_t i = 0; text->len < 2 * SIZE; i++)
		buf_addf(text, "%u %s %llx\n", i, rng_below(&rng, 100) < 48 ? "\303\251" : "ee",
		         (unsigned long long)rng_below(&rng, 1000000));
}

struct test {
	const char *name;
	const char *file;
	void (*text)(struct buf *text);
	bool (*holds)(const struct test *test, const struct testcase *tc);
	double most;    /* copies that a candidate may cost; 0: no bound */
	uint32_t marks; /* in the text */
	uint64_t calls, bytes, ns;
};

static bool stays(const struct test *test, const struct testcase *tc)
{
	(void)test;
	return tc->size >= SIZE / 100 * 99;
}

/* Bytes outside ASCII, eight at a time. */
static uint32_t count_marks(const uint8_t *bytes, size_t size)
{
	uint64_t n = 0;
	size_t i = 0;
	for (uint64_t word; i + sizeof word <= size; i += sizeof word) {
		memcpy(&word, bytes + i, sizeof word);
		n += ((word >> 7 & 0x0101010101010101) * 0x0101010101010101) >> 56;
	}
	for (; i < size; i++)
		n += bytes[i] >> 7;
	return (uint32_t)n;
}

static bool combs(const struct test *test, const struct testcase *tc)
{
	return tc->size >= SIZE / 100 * 99 && count_marks(tc->bytes, tc->size) == test->marks;
}

static bool shrinks(const struct test *test, const struct testcase *tc)
{
	(void)test;
	for (uint32_t w = 0; w < N_WORDS; w++)
		if (!memmem(tc->bytes, tc->size, words[w], strlen(words[w])))
			return false;
	return true;
}

static bool is_interesting(const struct testcase *tc, void *arg)
{
	struct test *test = arg;
	uint64_t begin = io_now();
	bool holds = test->holds(test, tc);
	test->ns += io_now() - begin;
	test->calls++;
	test->bytes += tc->size;
	return holds;
}

static const double LIBRARY_SHARE = 0.95;

/* Processor time, which others on the machine do not take. */
static double cpu_seconds(void)
{
	struct timespec t;
	clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
	return (double)t.tv_sec + (double)t.tv_nsec / 1e9;
}

/* Copies of BYTES that memcpy makes in a second. */
static double copies_a_second(const struct buf *bytes)
{
	char *to = mem_alloc(bytes->len);
	double begin = cpu_seconds();
	for (int i = 0; i < COPIES; i++) {
		memcpy(to, bytes->data, bytes->len);
		__asm__ volatile("" : : "r"(to) : "memory"); /* or the copy is optimised away */
	}
	double seconds = cpu_seconds() - begin;
	free(to);
	return COPIES / seconds;
}

struct times {
	uint64_t since, ns[PASSES_MAX];
	uint64_t questions_before, questions[PASSES_MAX];
};

static void pass_ended(void *arg, struct reducer *r, const struct pass_run *run)
{
	struct times *t = arg;
	uint64_t now = io_now(), questions = reducer_questions(r);
	t->ns[run->pass] += now - t->since;
	t->questions[run->pass] += questions - t->questions_before;
	t->since = now;
	t->questions_before = questions;
}

static void print_times(const struct times *t)
{
	for (uint32_t i = 0; i < passes_n; i++)
		if (t->ns[i] > 1000000)
			printf("    %-14s %8llu answers %8.1f ms %8.1f us each\n",
			       passes_table[i].name, (unsigned long long)t->questions[i],
			       (double)t->ns[i] / 1e6,
			       t->questions[i] ? (double)t->ns[i] / 1e3 / (double)t->questions[i]
			                       : 0.0);
}

static struct tokenizer *find_tokenizer(const char *name, const struct buf *text)
{
	struct err err = { 0 };
	const char *dirs[] = { getenv("WHITTLE_TOKENIZERS"), NULL };
	struct tokenizer *t =
		tokenizer_find(NULL, name, (const uint8_t *)text->data, text->len, dirs, &err);
	if (!t) {
		fprintf(stderr, "inproc-rate: %s\n", err.msg);
		exit((int)err.code);
	}
	return t;
}

/* One reduction of TEXT, from the start to the fixpoint or to so many answers. Seconds. */
static double reduce(const struct buf *text, struct test *test, struct times *times)
{
	struct err err = { 0 };
	struct tokenizer *tokenizer = find_tokenizer(test->file, text);
	struct testcase *tc = testcase_new(test->file, 0644, mem_dup(text->data, text->len + 1),
	                                   (uint32_t)text->len);
	struct reducer_options ro = { .enabled = passes_first(passes_n),
		                      .max_questions = QUESTIONS };
	struct reducer_observer observer = { .pass_ended = pass_ended, .arg = times };
	struct driver_options options = { .wake_fd = -1, .tick_ms = -1 };
	struct driver_stats stats = { 0 };
	struct verdicts verdicts = { 0 };
	struct oracle *oracle = inproc_new(is_interesting, test, 1);
	times->since = io_now();
	double begin = cpu_seconds();
	struct reducer *reducer = reducer_new(tc, tokenizer, &ro, &observer);
	if (driver_run(reducer, oracle, &verdicts, &options, &stats, &err) == DRIVER_FAILED) {
		fprintf(stderr, "inproc-rate: %s\n", err.msg);
		exit((int)err.code);
	}
	double seconds = cpu_seconds() - begin;
	reducer_free(reducer);
	oracle_free(oracle);
	verdicts_release(&verdicts);
	testcase_unref(tc);
	tokenizer_free(tokenizer);
	return seconds;
}

static int is_interesting_bytes(const void *bytes, size_t size, void *arg)
{
	const struct testcase tc = { .size = (uint32_t)size, .bytes = (uint8_t *)(uintptr_t)bytes };
	return is_interesting(&tc, arg);
}

/* The same through the public header. */
static void reduce_as_library(const struct buf *text, struct test *test)
{
	const char *directories[] = { getenv("WHITTLE_TOKENIZERS"), NULL };
	const struct whittle_options options = { .struct_size = sizeof options,
		                                 .name = test->file,
		                                 .directories = directories,
		                                 .max_answers = QUESTIONS };
	char *result = mem_alloc(text->len), message[256];
	size_t size;
	int end = whittle_reduce(text->data, text->len, &options, is_interesting_bytes, test,
	                         result, &size, message, sizeof message);
	free(result);
	if (end < 0) {
		fprintf(stderr, "inproc-rate: %s\n", message);
		exit(1);
	}
}

/* Candidates in a second of processor time through the library and through the driver, the best of
 * a few rounds in turns. */
static bool measure_library(struct test test, const struct buf *text)
{
	double best[2] = { 0 };
	for (int round = 0; round < 2 * ROUNDS; round++) {
		struct times times = { 0 };
		bool library = round % 2;
		test.calls = 0;
		double begin = cpu_seconds();
		if (library)
			reduce_as_library(text, &test);
		else
			reduce(text, &test, &times);
		double rate = (double)test.calls / (cpu_seconds() - begin);
		best[library] = rate > best[library] ? rate : best[library];
	}
	bool fine = best[1] >= LIBRARY_SHARE * best[0];
	printf("%-8s %-8s %7.0f candidates in a second of processor time through whittle.h, "
	       "%.3f of the driver's  %s\n",
	       test.file, test.name, best[1], best[1] / best[0],
	       fine ? "ok" : "MISSED (0.95 or more)");
	return fine;
}

/* The best of a few rounds; false when it misses the bound. */
static bool measure(struct test test, bool verbose)
{
	struct buf text = { 0 };
	test.text(&text);
	test.marks = count_marks((const uint8_t *)text.data, text.len);
	double best = 0, copies = 0, share = 0;
	struct times times = { 0 };
	for (int round = 0; round < ROUNDS; round++) {
		double now = copies_a_second(&text) * (double)text.len / SIZE;
		copies = now > copies ? now : copies;
		test.calls = test.bytes = test.ns = 0;
		times = (struct times){ 0 };
		double seconds = reduce(&text, &test, &times), rate = (double)test.calls / seconds;
		best = rate > best ? rate : best;
		share = (double)test.ns / 1e9 / seconds;
		if (test.most > 0 && copies / rate > 4 * test.most)
			break; /* no need to see it twice */
	}
	bool bounded = test.most > 0, fine = !bounded || copies / best <= test.most;
	printf("%-8s %-8s %7.0f candidates/s of processor time, of %6.0f bytes on average, %2.0f "
	       "%% of it in the "
	       "test; memcpy: %4.1f times",
	       test.file, test.name, best, (double)test.bytes / (double)test.calls, 100 * share,
	       copies / best);
	if (bounded)
		printf("  %s (%.0f or fewer)", fine ? "ok" : "MISSED", test.most);
	putchar('\n');
	if (verbose)
		print_times(&times);
	fine &= !bounded || measure_library(test, &text);
	buf_release(&text);
	return fine;
}

int main(int argc, char **argv)
{
	static const struct test tests[] = {
		{ "stays", "text.c", c_text, stays, .most = 25 },
		{ "stays", "text.txt", line_text, stays, .most = 25 },
		{ "combs", "text.txt", comb_text, combs, .most = 100 },
		{ "shrinks", "text.c", c_text, shrinks, .most = 0 },
		{ "shrinks", "text.txt", line_text, shrinks, .most = 0 },
	};
	bool verbose = argc > 1 && !strcmp(argv[1], "-v"), fine = true;
	setvbuf(stdout, NULL, _IOLBF, 0);
	for (size_t i = 0; i < sizeof tests / sizeof *tests; i++)
		fine &= measure(tests[i], verbose);
	return !fine;
}
