/* What is looked at before the first question, and before the next ones when the answer is no,
 * grows with the size and not faster, whichever finder or pass of the opening has its turn. Counted
 * are the steps that computations say (base/work.h), so the load of the machine changes nothing;
 * bench/growth has the seconds.
 *
 *     growth [SIZE [KIND...]]
 *
 * Of inputs of SIZE bytes and four times as many (bench/cases/grown.awk). */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/buf.h"
#include "base/err.h"
#include "base/mem.h"
#include "base/work.h"
#include "lang/tokenizers.h"
#include "reduce/passes.h"
#include "reduce/reducer.h"

enum {
	SIZE = 400000,
	TIMES = 4,
	QUESTIONS = 24, /* by then each pass of the opening has had a turn */
};

static const double EXPONENT_MOST = 1.1;

/* Up to a question, the steps for each byte of the larger input: of text, and of bytes, in which
 * chains of records are looked for at more places. What goes through a file for each of some
 * hundred numbers or places grows like the file, too. Now text needs 38 to 68 and 44 to 195, bytes
 * 624 and 629; without the budget of binary/repeated.c the first question takes 331 to 1,734. */
static const struct bound {
	const char *what;
	uint64_t question;
	double most, most_binary;
} bounds[] = { { "first question", 1, 150, 800 }, { "later ones", QUESTIONS, 300, 850 } };
enum { N_BOUNDS = sizeof bounds / sizeof *bounds };

static struct testcase *made(const char *kind, size_t size, struct err *err)
{
	const char *top = getenv("top_srcdir");
	MEM_SCOPED char *line = mem_printf("LC_ALL=C awk -v kind=%s -v size=%zu -f "
	                                   "'%s/bench/cases/grown.awk'",
	                                   kind, size, top ? top : ".");
	FILE *from = popen(line, "r");
	struct buf bytes = { 0 };
	char part[65536];
	for (size_t n; from && (n = fread(part, 1, sizeof part, from));)
		buf_add(&bytes, part, n);
	if (!from || pclose(from) || !bytes.len) {
		err_set(err, ERR_SYSTEM, "cannot run %s", line);
		return NULL;
	}
	buf_addch(&bytes, '\0');
	MEM_SCOPED char *name = mem_printf("input.%s", strcmp(kind, "list") ? kind : "json");
	return testcase_new(name, 0644, (uint8_t *)bytes.data, (uint32_t)bytes.len - 1);
}

/* The steps up to each of the bounds' questions. False: err. */
static bool count(struct testcase *tc, uint64_t steps[N_BOUNDS], struct err *err)
{
	const char *dirs[] = { getenv("WHITTLE_TOKENIZERS"), NULL };
	struct tokenizer *tokenizer =
		tokenizer_find(NULL, tc->files[0].path, tc->bytes, tc->size, dirs, err);
	if (!tokenizer)
		return false;
	const struct reducer_options ro = { .enabled = passes_all() };
	work_until_look = SIZE_MAX;
	struct reducer *r = reducer_new(tc, tokenizer, &ro, NULL);
	enum reducer_state state = REDUCER_ASK;
	for (uint64_t n = 1, b = 0; state == REDUCER_ASK && b < N_BOUNDS; n++) {
		struct ask ask;
		state = reducer_next(r, &ask, err);
		if (state == REDUCER_ASK && n == bounds[b].question)
			steps[b++] = SIZE_MAX - work_until_look;
		if (state != REDUCER_ASK)
			err_set(err, ERR_SYSTEM, "no question %llu", (unsigned long long)n);
		else
			reducer_tell(r, ask.id, VERDICT_NOT_INTERESTING, 0);
		testcase_unref(ask.candidate);
		recipe_release(&ask.recipe);
	}
	reducer_free(r);
	tokenizer_free(tokenizer);
	return state == REDUCER_ASK;
}

static bool check(const char *kind, size_t size)
{
	struct err err = { 0 };
	uint64_t steps[2][N_BOUNDS] = { { 0 } };
	uint32_t sizes[2] = { 0 };
	bool good = true;
	for (unsigned i = 0; i < 2; i++) {
		struct testcase *tc = made(kind, i ? TIMES * size : size, &err);
		if (!tc || !count(tc, steps[i], &err)) {
			printf("%s: %s\n", kind, err.msg);
			testcase_unref(tc);
			return false;
		}
		sizes[i] = tc->size;
		testcase_unref(tc);
	}
	for (unsigned b = 0; b < N_BOUNDS; b++) {
		double more = (double)steps[1][b] / (double)steps[0][b];
		double exponent = log(more) / log((double)sizes[1] / sizes[0]);
		double each = (double)steps[1][b] / sizes[1];
		double most = strcmp(kind, "bin") ? bounds[b].most : bounds[b].most_binary;
		bool fine = exponent <= EXPONENT_MOST && each <= most;
		printf("%-5s %-15s %6.1f steps a byte, exponent %.2f%s\n", kind, bounds[b].what,
		       each, exponent, fine ? "" : ": too many");
		good &= fine;
	}
	return good;
}

int main(int argc, char **argv)
{
	static const char *const all[] = { "c", "js", "py", "json", "csv", "log", "bin", "list" };
	size_t size = argc > 1 ? strtoul(argv[1], NULL, 10) : SIZE;
	bool good = true;
	for (int i = 2; i < argc; i++)
		good &= check(argv[i], size);
	for (size_t i = 0; argc <= 2 && i < sizeof all / sizeof *all; i++)
		good &= check(all[i], size);
	return !good;
}
