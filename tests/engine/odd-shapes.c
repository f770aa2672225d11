/* Inputs of odd shapes through the whole engine, without processes: a million nested brackets, a
 * megabyte on one line, NUL bytes, invalid UTF-8, three bytes, ... All with a stack of 256 KB, so
 * that recursion over the depth of an input ends the program. Each result is right, and no byte and
 * no line of it can be cut.
 *
 * Large shapes are reduced in STEPS sizes, each GROWTH times the one before. From one to the next
 * questions may double on the average (the logarithm of the size grows by a third at most),
 * processor time may grow by MAX_RATIO: linear is GROWTH, quadratic GROWTH squared. A list so large
 * that only its outermost structure is made takes no more questions than a small one. odd-shapes
 * [-v]: figures of each shape */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <time.h>

#include "base/buf.h"
#include "base/err.h"
#include "base/mem.h"
#include "reduce/driver.h"
#include "../run/inproc.h"

enum {
	STACK = 256 * 1024,
	LARGE = 1024 * 1024,
	STEPS = 3,
	GROWTH = 16,
	MAX_RATIO = 80,
	COARSE = 12800000, /* bytes */
	COARSE_MOST = 80,  /* questions */
};

typedef bool test_fn(const uint8_t *text, uint32_t size);

static bool has_needle(const uint8_t *text, uint32_t size)
{
	return memmem(text, size, "needle", 6) != NULL;
}

/* Round brackets pair up, the needle stands in at least three of them. */
static bool nested_needle(const uint8_t *text, uint32_t size)
{
	const uint8_t *needle = memmem(text, size, "needle", 6);
	int64_t depth = 0, at_needle = 0;
	for (uint32_t i = 0; needle && i < size; i++) {
		depth += text[i] == '(' ? 1 : text[i] == ')' ? -1 : 0;
		if (depth < 0)
			return false;
		if (text + i == needle)
			at_needle = depth;
	}
	return needle && !depth && at_needle >= 3;
}

static bool has_nul_pair(const uint8_t *text, uint32_t size)
{
	return memmem(text, size, "\0A\0", 3) != NULL;
}

static bool has_bad_utf8(const uint8_t *text, uint32_t size)
{
	return memmem(text, size, "\300\200", 2) && memchr(text, 0xff, size);
}

static bool two_crlf(const uint8_t *text, uint32_t size)
{
	const uint8_t *first = memmem(text, size, "\r\n", 2);
	return first && memmem(first + 2, size - (uint32_t)(first + 2 - text), "b\r\n", 3);
}

static bool no_line_end(const uint8_t *text, uint32_t size)
{
	return size && text[size - 1] == 'z' && memchr(text, '\n', size);
}

static bool first_and_last(const uint8_t *text, uint32_t size)
{
	return size >= 2 && text[0] == 'a' && text[size - 1] == 'c';
}

static bool whole(const uint8_t *text, uint32_t size)
{
	return size == 12 && !memcmp(text, "f(x, { 1 });", 12);
}

/* BEFORE as often as fits into half of SIZE, MIDDLE, AFTER as often. */
struct shape {
	const char *name, *file;
	const char *before, *middle, *after;
	size_t before_len, middle_len, after_len;
	test_fn *test;
	const char *result;
	size_t result_len;
	uint32_t size; /* 0: MIDDLE alone */
};

#define TEXT(field, s) .field = s, .field##_len = sizeof s - 1
static const struct shape shapes[] = {
	{ .name = "nested",
	  .file = "a.c",
	  TEXT(before, "("),
	  TEXT(middle, "needle"),
	  TEXT(after, ")"),
	  .test = has_needle,
	  TEXT(result, "needle"),
	  .size = LARGE },
	{ .name = "nested, pairs must stay",
	  .file = "a.c",
	  TEXT(before, "("),
	  TEXT(middle, "needle"),
	  TEXT(after, ")"),
	  .test = nested_needle,
	  TEXT(result, "(((needle)))"),
	  .size = LARGE },
	{ .name = "nested in three ways",
	  .file = "a.json",
	  TEXT(before, "[{\"a\":"),
	  TEXT(middle, "needle"),
	  TEXT(after, "}]"),
	  .test = has_needle,
	  TEXT(result, "needle"),
	  .size = LARGE },
	{ .name = "blocks in blocks",
	  .file = "a.c",
	  TEXT(before, "{"),
	  TEXT(middle, "needle"),
	  TEXT(after, "}"),
	  .test = has_needle,
	  TEXT(result, "needle"),
	  .size = LARGE / 8 },
	{ .name = "functions of LLVM IR",
	  .file = "a.ll",
	  TEXT(before, "define void @f() {\n\tret void\n}\n"),
	  TEXT(middle, "needle"),
	  TEXT(after, "\n@g = global i32 0, !dbg !0"),
	  .test = has_needle,
	  TEXT(result, "needle"),
	  .size = LARGE },
	{ .name = "never closed",
	  .file = "a.lisp",
	  TEXT(before, "(x "),
	  TEXT(middle, "needle"),
	  TEXT(after, "("),
	  .test = has_needle,
	  TEXT(result, "needle"),
	  .size = LARGE },
	{ .name = "one line of words",
	  .file = "a.txt",
	  TEXT(before, "word "),
	  TEXT(middle, "needle"),
	  TEXT(after, " xy"),
	  .test = has_needle,
	  TEXT(result, "needle"),
	  .size = LARGE },
	{ .name = "one word",
	  .file = "a.c",
	  TEXT(before, "x"),
	  TEXT(middle, "needle"),
	  TEXT(after, "y"),
	  .test = has_needle,
	  TEXT(result, "needle"),
	  .size = LARGE },
	{ .name = "one line of statements",
	  .file = "a.js",
	  TEXT(before, "f(a, 1);"),
	  TEXT(middle, "needle;"),
	  TEXT(after, "g(2);"),
	  .test = has_needle,
	  TEXT(result, "needle"),
	  .size = LARGE },
	{ .name = "one line, coarse",
	  .file = "a.json",
	  TEXT(before, "1,"),
	  TEXT(middle, "[\"needle\"]"),
	  TEXT(after, ",1"),
	  .test = has_needle,
	  TEXT(result, "needle"),
	  .size = COARSE },
	{ .name = "NUL bytes",
	  .file = "a.bin",
	  TEXT(before, "\0\0B"),
	  TEXT(middle, "\0A\0"),
	  TEXT(after, "\0\0"),
	  .test = has_nul_pair,
	  TEXT(result, "\0A\0"),
	  .size = 20000 },
	{ .name = "NUL bytes in C",
	  .file = "a.c",
	  TEXT(before, "int\0a;\n"),
	  TEXT(middle, "\0A\0"),
	  TEXT(after, "{\0}"),
	  .test = has_nul_pair,
	  TEXT(result, "\0A\0"),
	  .size = 20000 },
	{ .name = "invalid UTF-8",
	  .file = "a.c",
	  TEXT(before, "\377 \355\240\200 x;\n"),
	  TEXT(middle, "\300\200"),
	  TEXT(after, "\303("),
	  .test = has_bad_utf8,
	  TEXT(result, "\377\300\200"),
	  .size = 20000 },
	{ .name = "CRLF",
	  .file = "a.c",
	  TEXT(before, "int a;\r\n"),
	  TEXT(middle, "b\r\n"),
	  TEXT(after, "c\r\n"),
	  .test = two_crlf,
	  TEXT(result, "\r\nb\r\n"),
	  .size = 20000 },
	{ .name = "no line end at the end",
	  .file = "a.py",
	  TEXT(before, "if a:\n\tb\n"),
	  TEXT(middle, "y"),
	  TEXT(after, "z"),
	  .test = no_line_end,
	  TEXT(result, "\nz"),
	  .size = 20000 },
	{ .name = "three bytes",
	  .file = "a.txt",
	  TEXT(middle, "abc"),
	  .test = first_and_last,
	  TEXT(result, "ac") },
	{ .name = "one byte more",
	  .file = "a.txt",
	  TEXT(middle, "xneedle"),
	  .test = has_needle,
	  TEXT(result, "needle") },
	{ .name = "minimal already",
	  .file = "a.c",
	  TEXT(middle, "f(x, { 1 });"),
	  .test = whole,
	  TEXT(result, "f(x, { 1 });") },
};

static struct testcase *make_input(const struct shape *s, uint32_t size)
{
	struct buf text = { 0 };
	for (uint32_t i = 0; s->before && i < size / 2 / s->before_len; i++)
		buf_add(&text, s->before, s->before_len);
	buf_add(&text, s->middle, s->middle_len);
	for (uint32_t i = 0; s->after && i < size / 2 / s->after_len; i++)
		buf_add(&text, s->after, s->after_len);
	return testcase_new(s->file, 0644, (uint8_t *)text.data, (uint32_t)text.len);
}

static bool is_interesting(const struct testcase *tc, void *arg)
{
	const struct shape *s = arg;
	return s->test(tc->bytes, tc->size);
}

static noreturn void fail(const struct shape *s, const char *what)
{
	fprintf(stderr, "FAILED: %s: %s\n", s->name, what);
	exit(1);
}

struct outcome {
	struct testcase *result;
	uint64_t questions, cpu_ns;
};

static uint64_t cpu_now(void)
{
	struct timespec t;
	clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
	return (uint64_t)t.tv_sec * 1000000000 + (uint64_t)t.tv_nsec;
}

static struct outcome reduce(const struct shape *s, uint32_t size)
{
	struct err err = { 0 };
	struct testcase *input = make_input(s, size);
	const char *dirs[] = { getenv("WHITTLE_TOKENIZERS"), NULL };
	struct tokenizer *tokenizer =
		tokenizer_find(NULL, s->file, input->bytes, input->size, dirs, &err);
	if (!tokenizer)
		fail(s, err.msg);
	struct reducer_options ro = { .enabled = passes_first(passes_n) };
	struct driver_options options = { .wake_fd = -1, .tick_ms = -1 };
	struct driver_stats stats = { 0 };
	struct verdicts verdicts = { 0 };
	struct oracle *oracle = inproc_new(is_interesting, (void *)(uintptr_t)s, 1);
	uint64_t begin = cpu_now();
	struct reducer *reducer = reducer_new(input, tokenizer, &ro, NULL);
	if (driver_run(reducer, oracle, &verdicts, &options, &stats, &err) != DRIVER_FIXPOINT)
		fail(s, err.msg);
	struct outcome out = { testcase_ref(reducer_current(reducer)), inproc_calls(oracle),
		               cpu_now() - begin };
	reducer_free(reducer);
	oracle_free(oracle);
	verdicts_release(&verdicts);
	tokenizer_free(tokenizer);
	testcase_unref(input);
	return out;
}

/* Is RESULT still interesting without [begin, end)? */
static bool without(const struct shape *s, const struct testcase *result, uint32_t begin,
                    uint32_t end)
{
	uint8_t *rest = mem_alloc(result->size);
	memcpy(rest, result->bytes, begin);
	memcpy(rest + begin, result->bytes + end, result->size - end);
	bool interesting = s->test(rest, result->size - (end - begin));
	free(rest);
	return interesting;
}

static void check_result(const struct shape *s, const struct testcase *result)
{
	for (uint32_t i = 0; i < result->size; i++)
		if (without(s, result, i, i + 1))
			fail(s, "a byte of the result can be cut");
	for (uint32_t begin = 0, end; begin < result->size; begin = end) {
		const uint8_t *nl = memchr(result->bytes + begin, '\n', result->size - begin);
		end = nl ? (uint32_t)(nl - result->bytes) + 1 : result->size;
		if (without(s, result, begin, end))
			fail(s, "a line of the result can be cut");
	}
	if (result->size != s->result_len || memcmp(result->bytes, s->result, s->result_len)) {
		fprintf(stderr, "%u bytes: %.*s\n", result->size,
		        (int)(result->size < 200 ? result->size : 200),
		        (const char *)result->bytes);
		fail(s, "another result than expected");
	}
}

static void compare_sizes(const struct shape *s, const struct outcome *before,
                          const struct outcome *now, bool verbose)
{
	double questions = (double)now->questions / (double)before->questions,
	       cpu = (double)now->cpu_ns / (double)before->cpu_ns;
	if (verbose)
		printf("%-26s %6llu and %6llu questions (%.2f), %8.1f and %8.1f ms (%.1f)\n",
		       s->name, (unsigned long long)before->questions,
		       (unsigned long long)now->questions, questions, (double)before->cpu_ns / 1e6,
		       (double)now->cpu_ns / 1e6, cpu);
	if (cpu > MAX_RATIO)
		fail(s, "time grows faster than the size");
}

static void check_shape(const struct shape *s, bool verbose)
{
	struct outcome before, now = { 0 };
	uint64_t at_first = 0;
	bool large = s->size == LARGE;
	uint32_t size = large ? s->size / GROWTH / GROWTH : s->size;
	for (int step = 0; step < (large ? STEPS : 1); step++, size *= GROWTH) {
		before = now;
		now = reduce(s, size);
		check_result(s, now.result);
		testcase_unref(now.result);
		if (step)
			compare_sizes(s, &before, &now, verbose);
		else
			at_first = now.questions;
	}
	if (s->size == COARSE && now.questions > COARSE_MOST)
		fail(s, "too many questions");
	/* From one step to the next it may be chance: some passes ask at random. */
	if (now.questions > at_first * (1 << (STEPS - 1)))
		fail(s, "the number of questions grows with the size");
	if (!large && verbose)
		printf("%-26s %6llu questions, %8.1f ms\n", s->name,
		       (unsigned long long)now.questions, (double)now.cpu_ns / 1e6);
}

int main(int argc, char **argv)
{
	struct rlimit stack;
	bool verbose = argc > 1 && !strcmp(argv[1], "-v");
	if (getrlimit(RLIMIT_STACK, &stack) < 0)
		return 99;
	stack.rlim_cur = STACK;
	if (setrlimit(RLIMIT_STACK, &stack) < 0)
		return 99;
	setvbuf(stdout, NULL, _IOLBF, 0);
	for (size_t i = 0; i < sizeof shapes / sizeof *shapes; i++)
		if (!verbose || argc < 3 || strstr(shapes[i].name, argv[2]))
			check_shape(&shapes[i], verbose);
	return 0;
}
