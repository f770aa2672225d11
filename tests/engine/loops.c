/* Random reductions without processes, each with one slot and with four whose answers come in a
 * scrambled order: the same candidates are accepted, in the same order. Thousands in a few minutes,
 * under the sanitizers; with processes: bench/loops.
 *
 *     loops [COUNT [SEED]]
 *
 * The inputs are text, nested blocks, brackets at random, bytes, and trees of these; the tests want
 * some of the input's words, and every other one says no to one candidate in eight besides, by its
 * hash, so that what is interesting has no order. Exits with 1 at the first difference. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/buf.h"
#include "base/err.h"
#include "base/mem.h"
#include "base/rng.h"
#include "reduce/driver.h"
#include "reduce/passes.h"
#include "run/inproc.h"
#include "text/tokenizers.h"

enum { WORDS_MAX = 4, FILES_MAX = 6, QUESTIONS = 1500, REPORT = 500 };

static const char *const words[] = { "alpha", "beta", "gamma", "delta", "eps", "zeta",
	                             "eta",   "iota", "kappa", "mu",    "nu",  "xi" };
static const char *const paths[FILES_MAX] = { "a.c",    "b.txt",    "d/c.json",
	                                      "d/e.py", "d/f/g.rs", "h.bin" };

struct test {
	const char *wanted[WORDS_MAX];
	unsigned n;
	bool odd; /* says no at random */
};

static const char *word(struct rng *rng)
{
	return words[rng_below(rng, sizeof words / sizeof *words)];
}

/* ---- inputs ---- */

static void add_lines(struct buf *out, struct rng *rng)
{
	for (uint64_t n = 2 + rng_below(rng, 30); n; n--)
		buf_addf(out, "%s %s%s%llu\n", word(rng), word(rng), rng_below(rng, 2) ? "; " : " ",
		         (unsigned long long)rng_below(rng, 10000));
}

static void add_block(struct buf *out, struct rng *rng, int depth)
{
	if (!depth) {
		buf_addf(out, "%s(%llu, \"%s\");\n", word(rng),
		         (unsigned long long)rng_below(rng, 1000), word(rng));
		return;
	}
	buf_addf(out, rng_below(rng, 2) ? "if (%s) {\n" : "int %s(int a) {\n", word(rng));
	for (uint64_t n = 1 + rng_below(rng, 4); n; n--)
		add_block(out, rng, rng_below(rng, 2) ? depth - 1 : 0);
	buf_addf(out, "}\n");
}

static void add_blocks(struct buf *out, struct rng *rng)
{
	for (uint64_t n = 1 + rng_below(rng, 5); n; n--)
		add_block(out, rng, 3);
}

static void add_noise(struct buf *out, struct rng *rng)
{
	static const char some[] = "()[]{}<>,;=+-*/ab01 \t\n\"'\\#";
	for (uint64_t n = 20 + rng_below(rng, 300); n; n--)
		buf_add(out, &some[rng_below(rng, sizeof some - 1)], 1);
	buf_addf(out, "%s\n", word(rng));
}

static void add_bytes(struct buf *out, struct rng *rng)
{
	for (uint64_t n = 20 + rng_below(rng, 200); n; n--) {
		char c = (char)rng_below(rng, 256);
		buf_add(out, &c, 1);
	}
	buf_addf(out, "%s", word(rng));
}

static void add_something(struct buf *out, struct rng *rng)
{
	static void (*const kinds[])(struct buf *, struct rng *) = { add_lines, add_blocks,
		                                                     add_noise, add_bytes };
	kinds[rng_below(rng, sizeof kinds / sizeof *kinds)](out, rng);
}

static struct testcase *make_file(struct rng *rng, unsigned i)
{
	struct buf text = { 0 };
	add_something(&text, rng);
	uint32_t size = (uint32_t)text.len;
	buf_add(&text, "", 1);
	return testcase_new(paths[i], 0644, (uint8_t *)text.data, size);
}

static struct testcase *make_tree(struct rng *rng)
{
	struct buf text = { 0 };
	struct testcase_file files[FILES_MAX] = { 0 };
	uint32_t n = 2 + (uint32_t)rng_below(rng, FILES_MAX - 1);
	for (uint32_t i = 0; i < n; i++) {
		files[i] = (struct testcase_file){ .path = paths[i],
			                           .mode = 0644,
			                           .begin = (uint32_t)text.len };
		add_something(&text, rng);
		files[i].end = (uint32_t)text.len;
		buf_add(&text, "", 1);
	}
	buf_add(&text, "", 1);
	return testcase_tree(files, n, (uint8_t *)text.data);
}

/* ---- tests ---- */

static bool has(const struct testcase *tc, const char *wanted)
{
	for (uint32_t i = 0; i < tc->n_files; i++)
		if (memmem(tc->files[i].data, testcase_file_size(&tc->files[i]), wanted,
		           strlen(wanted)))
			return true;
	return false;
}

static bool is_interesting(const struct testcase *tc, void *arg)
{
	const struct test *test = arg;
	for (unsigned i = 0; i < test->n; i++)
		if (!has(tc, test->wanted[i]))
			return false;
	return !test->odd || tc->hash.lo >> 8 & 7;
}

static struct test make_test(const struct testcase *tc, struct rng *rng)
{
	struct test test = { .odd = rng_below(rng, 2) };
	for (uint64_t n = 1 + rng_below(rng, WORDS_MAX); n; n--) {
		const char *w = word(rng);
		if (has(tc, w))
			test.wanted[test.n++] = w;
	}
	return test;
}

/* ---- reductions ---- */

static void accepted(void *arg, struct reducer *r, struct testcase *now, const struct pass_run *run)
{
	struct hash *all = arg;
	(void)r;
	(void)run;
	*all = hash_bytes(&now->hash, sizeof now->hash, all->lo);
}

static void check(int failed, const struct err *err)
{
	if (failed) {
		fprintf(stderr, "loops: %s\n", err->msg);
		exit((int)err->code);
	}
}

/* A test case with what reads it. */
struct input {
	struct testcase *tc;
	struct tokenizer *one;      /* of a file */
	struct tokenizers *several; /* of a tree */
};

static struct input make_input(struct rng *rng)
{
	struct err err = { 0 };
	const char *dirs[] = { getenv("WHITTLE_TOKENIZERS"), NULL };
	struct input in = { 0 };
	if (rng_below(rng, 3)) {
		in.tc = make_file(rng, (unsigned)rng_below(rng, FILES_MAX));
		in.one = tokenizer_find(NULL, in.tc->files[0].path, in.tc->bytes, in.tc->size, dirs,
		                        &err);
		check(!in.one, &err);
	} else {
		in.tc = make_tree(rng);
		in.several = tokenizers_new(NULL, dirs, &err);
		check(!in.several || tokenizers_assign(in.several, in.tc, &err) < 0, &err);
	}
	return in;
}

/* What stands for all that the input went through. */
static struct hash reduce(const struct input *in, struct test *test, unsigned slots, uint64_t seed)
{
	struct err err = { 0 };
	struct hash all = { 0 };
	struct reducer_options ro = { .enabled = passes_all(),
		                      .tokenizers = in->several,
		                      .seed = seed,
		                      .max_questions = QUESTIONS };
	struct reducer_observer observer = { .accepted = accepted, .arg = &all };
	struct driver_options options = { .wake_fd = -1, .tick_ms = -1 };
	struct driver_stats stats = { 0 };
	struct verdicts verdicts = { 0 };
	struct oracle *oracle = inproc_new(is_interesting, test, slots);
	if (slots > 1)
		inproc_scramble(oracle, seed);
	struct reducer *r = reducer_new(in->tc, in->one, &ro, &observer);
	check(driver_run(r, oracle, &verdicts, &options, &stats, &err) == DRIVER_FAILED, &err);
	uint64_t questions = reducer_questions(r);
	all = hash_bytes(&questions, sizeof questions, all.lo);
	reducer_free(r);
	oracle_free(oracle);
	verdicts_release(&verdicts);
	return all;
}

/* Whether number SEED comes out the same. */
static bool same(uint64_t seed)
{
	struct rng rng = { seed };
	struct input in = make_input(&rng);
	struct test test = make_test(in.tc, &rng);
	struct hash a = reduce(&in, &test, 1, seed), b = reduce(&in, &test, 4, seed);
	testcase_unref(in.tc);
	tokenizer_free(in.one);
	tokenizers_free(in.several);
	return a.lo == b.lo && a.hi == b.hi;
}

int main(int argc, char **argv)
{
	uint64_t count = argc > 1 ? strtoull(argv[1], NULL, 10) : 200,
		 seed = argc > 2 ? strtoull(argv[2], NULL, 10) : 1;
	for (uint64_t i = 1; i <= count; i++) {
		if (!same(seed + i)) {
			printf("%llu: one slot and four differ\n", (unsigned long long)(seed + i));
			return 1;
		}
		if (i % REPORT == 0 || i == count) {
			printf("%llu reductions with one slot and with four: no difference\n",
			       (unsigned long long)i);
			fflush(stdout);
		}
	}
	return 0;
}
