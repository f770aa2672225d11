/* Random reductions, each with one slot and with four whose answers come in a scrambled order: the
 * same candidates are accepted, in the same order. Thousands in a few minutes, under the
 * sanitizers; those of the command, with its store: bench/loops.
 *
 *     loops [COUNT [SEED [TEST]]]
 *
 * With TEST, the path of loops-test, each once more at one slot and at four with processes, which
 * takes a tenth of a second or so.
 *
 * The inputs are text, nested blocks, brackets at random, bytes, and trees of these; the tests want
 * some of the input's words, and every other one says no to one candidate in eight besides, by its
 * hash, so that what is interesting has no order. Exits with 1 at the first difference. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "../rounds.h"
#include "base/buf.h"
#include "base/err.h"
#include "base/io.h"
#include "base/mem.h"
#include "base/rng.h"
#include "reduce/driver.h"
#include "reduce/passes.h"
#include "loops-test.h"
#include "../run/inproc.h"
#include "run/setup.h"
#include "lang/tokenizers.h"

enum { WORDS_MAX = 4, FILES_MAX = 6, QUESTIONS = 1500, REPORT = 500 };
enum { FEWER = 120, POOL_LASTS = 50 }; /* with processes */

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
	uint64_t hash = LOOPS_BEGIN;
	for (uint32_t i = 0; test->odd && i < tc->n_files; i++)
		hash = loops_hash(hash, tc->files[i].data, testcase_file_size(&tc->files[i]));
	return !test->odd || !loops_refuses(hash);
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
static struct hash reduce(const struct input *in, struct oracle *oracle, uint64_t seed,
                          uint64_t questions, uint64_t *tests)
{
	struct err err = { 0 };
	struct hash all = { 0 };
	struct reducer_options ro = { .enabled = passes_all(),
		                      .tokenizers = in->several,
		                      .seed = seed,
		                      .max_questions = questions };
	struct reducer_observer observer = { .accepted = accepted, .arg = &all };
	struct driver_options options = { .wake_fd = -1, .tick_ms = -1 };
	struct driver_stats stats = { 0 };
	struct verdicts verdicts = { 0 };
	struct reducer *r = reducer_new(in->tc, in->one, &ro, &observer);
	check(driver_run(r, oracle, &verdicts, &options, &stats, &err) == DRIVER_FAILED, &err);
	uint64_t asked = reducer_questions(r);
	all = hash_bytes(&asked, sizeof asked, all.lo);
	*tests += stats.tests;
	reducer_free(r);
	verdicts_release(&verdicts);
	return all;
}

static struct hash in_process(const struct input *in, struct test *test, unsigned slots,
                              uint64_t seed, uint64_t questions)
{
	struct oracle *oracle = inproc_new(is_interesting, test, slots);
	if (slots > 1)
		inproc_scramble(oracle, seed);
	uint64_t tests = 0;
	struct hash all = reduce(in, oracle, seed, questions, &tests);
	oracle_free(oracle);
	return all;
}

/* ---- with processes ---- */

/* Two pools, and what tells their tests what is wanted. */
struct pools {
	char *rule;
	const char *args[2];
	struct setup setup;
	struct oracle *one, *four; /* NULL: not now */
	uint64_t tests;
};

static void open_pools(struct pools *p)
{
	struct err err = { 0 };
	p->setup.jobs = 1;
	p->one = setup_open(&p->setup, &err);
	check(!p->one, &err);
	p->setup.jobs = 4;
	p->four = setup_open(&p->setup, &err);
	check(!p->four, &err);
}

static void close_pools(struct pools *p)
{
	oracle_free(p->one);
	oracle_free(p->four);
	p->one = p->four = NULL;
}

static void write_rule(const struct pools *p, const struct input *in, const struct test *test)
{
	struct buf text = { 0 };
	struct err err = { 0 };
	buf_addf(&text, "%s\n", test->odd ? "odd" : "even");
	for (unsigned i = 0; i < test->n; i++)
		buf_addf(&text, "%s\n", test->wanted[i]);
	buf_addf(&text, "\n");
	for (uint32_t i = 0; i < in->tc->n_files; i++)
		buf_addf(&text, "%s\n", in->tc->files[i].path);
	check(io_replace_file(p->rule, text.data, text.len, 0600, &err) < 0, &err);
	buf_release(&text);
}

static void begin_pools(struct pools *p, const char *test)
{
	p->rule = io_temporary_name("loops-rule");
	int fd = mkstemp(p->rule);
	if (fd < 0) {
		perror("loops");
		exit(ERR_SYSTEM);
	}
	close(fd);
	static const char *const operands[] = { "d/", NULL }; /* a candidate may have no file */
	p->args[0] = p->rule;
	p->setup = (struct setup){
		.test = test, .args = p->args, .operands = operands, .input = SETUP_INPUT_BASENAME
	};
}

static void end_pools(struct pools *p)
{
	close_pools(p);
	unlink(p->rule);
	free(p->rule);
}

static bool same_with_processes(struct pools *p, const struct input *in, struct test *test,
                                uint64_t seed)
{
	if (seed % POOL_LASTS == 0)
		close_pools(p);
	if (!p->one)
		open_pools(p);
	write_rule(p, in, test);
	struct hash all = in_process(in, test, 1, seed, FEWER);
	return hash_equal(all, reduce(in, p->one, seed, FEWER, &p->tests)) &&
	       hash_equal(all, reduce(in, p->four, seed, FEWER, &p->tests));
}

/* Whether number SEED comes out the same; POOLS: NULL for none. */
static bool same(uint64_t seed, struct pools *pools)
{
	struct rng rng = { seed };
	struct input in = make_input(&rng);
	struct test test = make_test(in.tc, &rng);
	bool yes = hash_equal(in_process(&in, &test, 1, seed, QUESTIONS),
	                      in_process(&in, &test, 4, seed, QUESTIONS));
	if (pools)
		yes &= same_with_processes(pools, &in, &test, seed);
	testcase_unref(in.tc);
	tokenizer_free(in.one);
	tokenizers_free(in.several);
	return yes;
}

static void report(uint64_t n, const struct pools *pools)
{
	printf("%llu reductions with one slot and with four", (unsigned long long)n);
	if (pools)
		printf(", and again with processes (%llu of them)",
		       (unsigned long long)pools->tests);
	puts(": no difference");
	fflush(stdout);
}

int main(int argc, char **argv)
{
	uint64_t count = argc > 1 ? strtoull(argv[1], NULL, 10) : rounds(200),
		 seed = argc > 2 ? strtoull(argv[2], NULL, 10) : 1;
	struct pools pools = { 0 };
	bool processes = argc > 3;
	if (processes)
		begin_pools(&pools, argv[3]);
	int differs = 0;
	for (uint64_t i = 1; i <= count && !differs; i++) {
		differs = !same(seed + i, processes ? &pools : NULL);
		if (differs)
			printf("%llu: one slot and four differ\n", (unsigned long long)(seed + i));
		else if (i % REPORT == 0 || i == count)
			report(i, processes ? &pools : NULL);
	}
	if (processes)
		end_pools(&pools);
	return differs;
}
