/* What computes says how far it is (base/work.h): nowhere does a reducer go on for long without a
 * look whether all is over. Long is counted, not measured: libsteps.a is all of the program,
 * compiled such that each branch calls __sanitizer_cov_trace_pc (-fsanitize-coverage=trace-pc), and
 * so no loop is forgotten. Inside of libraries nothing is counted.
 *
 *     steps [SIZE [QUESTIONS [PASSES]]]
 *
 * On inputs of SIZE bytes, a reduction of QUESTIONS questions may go through BLOCKS basic blocks
 * for each byte, and a few more, from one look to the next: a loop that is short and linear may,
 * one that is quadratic, or far from short, may not. On 20 MB that is some 0.1 s. */
#include <execinfo.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include <zlib.h>

#include "base/buf.h"
#include "base/err.h"
#include "base/mem.h"
#include "base/rng.h"
#include "lang/tokenizers.h"
#include "reduce/driver.h"
#include "reduce/passes.h"
#include "../run/inproc.h"

enum { SIZE = 200000, QUESTIONS = 20, BLOCKS = 10, MORE = 2000000, DEPTH = 24 };

/* What the compiler's calls count: since the last look; and where it was too many first. */
static uint64_t blocks, most, allowed;
static bool counts;
static void *where[DEPTH];
static int depth;

void __sanitizer_cov_trace_pc(void);
void __sanitizer_cov_trace_pc(void)
{
	if (!counts || ++blocks != allowed || depth)
		return;
	counts = false;
	depth = backtrace(where, DEPTH);
	counts = true;
}

static bool is_over(void *arg)
{
	(void)arg;
	most = blocks > most ? blocks : most;
	blocks = 0;
	return false;
}

static uint64_t questions, questions_wanted;

static bool should_stop(void *arg)
{
	is_over(arg);
	return questions >= questions_wanted;
}

static bool holds(const struct testcase *tc, void *arg)
{
	(void)arg;
	counts = false;
	questions++;
	bool yes = memmem(tc->bytes, tc->size, "needle", 6) != NULL;
	counts = true;
	return yes;
}

/* ---- inputs ---- */

static void add_nuls(struct buf *out, size_t size)
{
	while (out->len < size)
		buf_add(out, "\0\0\0\0\0\0\0\0", 8);
}

static void add_base64(struct buf *out, size_t size)
{
	static const char digits[] =
		"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
	struct rng rng = { 1 };
	buf_addf(out, "x = \"");
	while (out->len < size)
		buf_addch(out, digits[rng_below(&rng, 64)]);
	buf_addf(out, "\"\n");
}

static void add_random(struct buf *out, size_t size)
{
	struct rng rng = { 1 };
	while (out->len < size)
		buf_addch(out, (char)rng_below(&rng, 256));
}

static void add_nested(struct buf *out, size_t size)
{
	while (out->len < size / 2)
		buf_addch(out, '(');
	while (out->len < size)
		buf_addch(out, ')');
}

static void add_script(struct buf *out, size_t size)
{
	for (unsigned i = 0; out->len < size; i++)
		buf_addf(out,
		         "function f%u(a,b){var c=f%u(a,\"%u\");if(b>%u){return "
		         "c[%u]+a}else{for(var "
		         "i=0;i<%u;i++)c.push({k:i,v:[a,b]})}return c}",
		         i, i / 2, i % 97, i % 89, i % 7, i % 13);
}

/* Streams that are deflated, with their lengths, and where each object begins. */
static void add_pdf(struct buf *out, size_t size)
{
	struct buf text = { 0 }, edit_sites = { 0 };
	uint8_t packed[4096];
	unsigned n = 1;
	for (buf_addf(out, "%%PDF-1.5\n"); out->len < size; n++) {
		text.len = 0;
		for (unsigned i = 0; i < 40; i++)
			buf_addf(&text, "%u %u m %u l S ", n * i % 997, n % 499, i * i % 97);
		uLongf len = sizeof packed;
		compress(packed, &len, (const Bytef *)text.data, text.len);
		buf_addf(&edit_sites, "%010zu 00000 n \n", out->len);
		buf_addf(out, "%u 0 obj\n<< /Length %lu /Filter /FlateDecode >>\nstream\n", n, len);
		buf_add(out, packed, len);
		buf_addf(out, "\nendstream\nendobj\n");
	}
	size_t at = out->len;
	buf_addf(out, "xref\n0 %u\n0000000000 65535 f \n", n);
	buf_add(out, edit_sites.data, edit_sites.len);
	buf_addf(out, "trailer\n<< /Size %u >>\nstartxref\n%zu\n%%%%EOF\n", n, at);
	buf_release(&text);
	buf_release(&edit_sites);
}

static const struct input {
	const char *name;
	void (*add)(struct buf *out, size_t size);
} inputs[] = { { "nuls.dat", add_nuls },     { "base64.txt", add_base64 },
	       { "random.dat", add_random }, { "nested.txt", add_nested },
	       { "script.js", add_script },  { "streams.pdf", add_pdf } };

/* ---- a reduction ---- */

static enum driver_end reduce(struct testcase *tc, const struct tokenizer *tokenizer,
                              struct pass_set passes, struct err *err)
{
	const struct reducer_options ro = { .enabled = passes };
	const struct driver_options options = {
		.wake_fd = -1, .tick_ms = -1, .should_stop = should_stop, .is_over = is_over
	};
	struct driver_stats stats = { 0 };
	struct verdicts verdicts = { 0 };
	struct oracle *oracle = inproc_new(holds, NULL, 1);
	struct reducer *reducer = reducer_new(tc, tokenizer, &ro, NULL);
	questions = blocks = most = 0;
	depth = 0;
	counts = true;
	enum driver_end end = driver_run(reducer, oracle, &verdicts, &options, &stats, err);
	counts = false;
	reducer_free(reducer);
	oracle_free(oracle);
	verdicts_release(&verdicts);
	return end;
}

/* Did it look often enough? */
static bool looks(const struct input *input, size_t size, struct pass_set passes)
{
	struct err err = { 0 };
	struct buf bytes = { 0 };
	const char *dirs[] = { getenv("WHITTLE_TOKENIZERS"), NULL };
	input->add(&bytes, size);
	buf_addf(&bytes, "needle");
	struct tokenizer *tokenizer = tokenizer_find(NULL, input->name, (const uint8_t *)bytes.data,
	                                             bytes.len, dirs, &err);
	if (!tokenizer) {
		puts(err.msg);
		return false;
	}
	allowed = BLOCKS * bytes.len + MORE;
	struct testcase *tc =
		testcase_new(input->name, 0644, (uint8_t *)bytes.data, (uint32_t)bytes.len);
	bool good = reduce(tc, tokenizer, passes, &err) != DRIVER_FAILED && most < allowed;
	printf("%s: %llu blocks at most, %.1f a byte%s\n", input->name, (unsigned long long)most,
	       (double)most / tc->size, good ? "" : ": too many");
	fflush(stdout);
	if (!good)
		backtrace_symbols_fd(where, depth, STDOUT_FILENO);
	testcase_unref(tc);
	tokenizer_free(tokenizer);
	return good;
}

int main(int argc, char **argv)
{
	struct err err;
	size_t size = argc > 1 ? strtoul(argv[1], NULL, 10) : SIZE;
	struct pass_set passes = passes_all();
	bool good = true;
	questions_wanted = argc > 2 ? strtoul(argv[2], NULL, 10) : QUESTIONS;
	if (argc > 3 && passes_parse(argv[3], &passes, &err) < 0) {
		puts(err.msg);
		return 2;
	}
	for (size_t i = 0; i < sizeof inputs / sizeof *inputs; i++)
		good &= looks(&inputs[i], size, passes);
	return !good;
}
