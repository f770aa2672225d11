/* virtual-workers [-c] [LINES]
 * virtual-workers -t TEST FILE: the speed-up by many workers in virtual time.
 *
 * The oracle is a function with a clock of its own: a test takes a second of it (or, second column,
 * half a second to one and a half), as many run at a time as there are workers, and nothing else
 * takes any time. So only the order of questions counts, and figures are the same on each machine.
 * The tests are those of bench/scaling: of a file of LINES (default: 1000) lines, 1 % or 50 % must
 * stay; with the pass over lines alone, and with all. Bounds, with lines alone and tests of a
 * second: where 50 % stay 64 workers are 45 times as fast as one, 500 are 200 times as fast; where
 * 1 % stays there are too few tests for that, and both are 20 times as fast: seven rounds. Results
 * are compared. Exits with 1 when a bound is missed.
 *
 * -t: of a real problem, with all passes and 8, 16, 64 and 500 workers. TEST is run once for each
 * candidate, with the name of FILE as its argument in a directory that has nothing else.
 *
 * -c: what asking costs. Processor time of the engine for an answer and for a candidate, with the
 * pass over lines alone: making and judging candidates, running ahead, and putting each question
 * into the words of the protocol, for one of 64 workers that know what they were told. The virtual
 * workers and the system's calls are not counted. Bounds: 30 us for a candidate, 15.6 us for an
 * answer. */
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "base/buf.h"
#include "base/err.h"
#include "base/io.h"
#include "base/mem.h"
#include "base/rng.h"
#include "far/bases.h"
#include "reduce/driver.h"
#include "run/oracle.h"
#include "run/verdicts.h"

enum { SECOND = 1000, LINE = 16, TOLD = 64 };

/* What workers have been told, when that is looked at. */
struct told {
	struct bases bases;
	struct bases_there there[TOLD];
	unsigned next;
	uint64_t numbers, bytes;
};

struct pending {
	struct answer answer;
	uint64_t due;
	struct testcase *tc; /* NULL: what is told is not looked at */
	struct origin made;
};

/* A real one. */
struct problem {
	const char *test; /* absolute */
	const char *file;
	const char *dir;       /* where the test runs */
	struct verdicts known; /* of all runs so far */
};

struct virtual
{
	struct oracle oracle;    /* first */
	struct problem *problem; /* NULL: the list */
	const bool *needed;      /* by the number of the line */
	uint32_t lines, n_needed;
	bool varied; /* how long a test takes, which depends on the candidate */
	uint64_t now, tests;
	unsigned slots, n;
	struct pending *pending; /* n of slots */
	struct told *told;       /* NULL: it is not looked at */
	uint64_t ns;             /* processor time of the reduction, without all this */
};

static uint64_t processor_ns(void)
{
	struct timespec t;
	clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
	return (uint64_t)t.tv_sec * 1000000000u + (uint64_t)t.tv_nsec;
}

static unsigned slots_of(struct oracle *oracle, bool ahead)
{
	(void)ahead;
	const struct virtual *v = (struct virtual *)oracle;
	return v->slots - v->n;
}

/* Are all lines there that are needed, in one piece? */
static bool holds(const struct virtual *v, const struct testcase *tc)
{
	uint32_t found = 0, i;
	const char *at = (const char *)tc->bytes, *end = at + tc->size;
	while (at < end) {
		const char *stop = memchr(at, '\n', (size_t)(end - at));
		char line[LINE] = "", want[LINE];
		size_t len = (size_t)((stop ? stop : end) - at);
		if (len < sizeof line) {
			memcpy(line, at, len);
			i = (uint32_t)strtoul(len > 5 ? line + 5 : "", NULL, 10);
			snprintf(want, sizeof want, "line %u", i);
			found += i < v->lines && v->needed[i] && !strcmp(line, want);
		}
		at += len + 1;
	}
	return found >= v->n_needed;
}

static void fail(const char *what)
{
	fprintf(stderr, "virtual-workers: %s\n", what);
	exit(1);
}

static const char *leaf_of(const char *path)
{
	const char *slash = strrchr(path, '/');
	return slash ? slash + 1 : path;
}

/* Runs the test on TC. */
static enum verdict run(const struct problem *p, const struct testcase *tc)
{
	const char *name = leaf_of(p->file);
	int status = 0;
	FILE *out = chdir(p->dir) < 0 ? NULL : fopen(name, "w");
	if (!out || fwrite(tc->bytes, 1, tc->size, out) < tc->size || fclose(out) < 0)
		fail("a candidate cannot be written");
	pid_t pid = fork();
	if (pid == 0) {
		if (!freopen("/dev/null", "w", stdout) || !freopen("/dev/null", "w", stderr))
			_exit(125);
		execlp("timeout", "timeout", "20", p->test, name, (char *)NULL);
		_exit(125);
	}
	if (pid < 0 || waitpid(pid, &status, 0) < 0)
		fail("no test can be run");
	return WIFEXITED(status) && !WEXITSTATUS(status) ? VERDICT_INTERESTING
	                                                 : VERDICT_NOT_INTERESTING;
}

static enum verdict judge(const struct virtual *v, const struct testcase *tc)
{
	if (!v->problem)
		return holds(v, tc) ? VERDICT_INTERESTING : VERDICT_NOT_INTERESTING;
	enum verdict verdict = verdicts_get(&v->problem->known, tc->hash, 0);
	if (!verdict) {
		verdict = run(v->problem, tc);
		verdicts_put(&v->problem->known, tc->hash, verdict, 0);
	}
	return verdict;
}

/* One after the other is asked. */
static void tell(struct told *t, const struct oracle_request *rq)
{
	struct buf message = { 0 };
	const struct bases_question q = { .tc = (struct testcase *)(uintptr_t)rq->tc,
		                          .made = rq->made,
		                          .number = ++t->numbers };
	bases_tell(&t->bases, &t->there[t->next++ % TOLD], &q, &message);
	t->bytes += message.len;
	buf_release(&message);
}

static int submit(struct oracle *oracle, const struct oracle_request *rq, struct err *err)
{
	struct virtual *v = (struct virtual *)oracle;
	(void)err;
	if (v->told)
		tell(v->told, rq);
	uint64_t began = processor_ns();
	uint64_t takes = v->varied ? SECOND / 2 + rq->tc->hash.lo % SECOND : SECOND;
	v->pending[v->n++] = (struct pending){
		.answer = { .ticket = rq->ticket, .verdict = judge(v, rq->tc) },
		.due = v->now + takes,
	};
	if (v->told) {
		v->pending[v->n - 1].tc = testcase_ref((struct testcase *)(uintptr_t)rq->tc);
		v->pending[v->n - 1].made = bases_keep(rq->made);
	}
	v->tests++;
	v->ns -= processor_ns() - began;
	return 0;
}

static void take_out(struct virtual *v, unsigned i)
{
	testcase_unref(v->pending[i].tc);
	edit_drop(v->pending[i].made.edit);
	v->n--;
	memmove(&v->pending[i], &v->pending[i + 1], (v->n - i) * sizeof v->pending[0]);
}

static int await(struct oracle *oracle, struct answer *answer, int wake_fd, int ms, struct err *err)
{
	struct virtual *v = (struct virtual *)oracle;
	unsigned first = 0;
	(void)wake_fd;
	(void)ms;
	(void)err;
	uint64_t began = processor_ns();
	if (!v->n)
		return 0;
	for (unsigned i = 1; i < v->n; i++)
		if (v->pending[i].due < v->pending[first].due)
			first = i;
	v->now = v->pending[first].due;
	*answer = v->pending[first].answer;
	if (v->told && answer->verdict == VERDICT_INTERESTING)
		bases_add(&v->told->bases, v->pending[first].tc, &v->pending[first].made);
	take_out(v, first);
	v->ns -= processor_ns() - began;
	return 1;
}

/* What ends at the same time has come at the same time. */
static bool is_ready(struct oracle *oracle)
{
	const struct virtual *v = (struct virtual *)oracle;
	for (unsigned i = 0; i < v->n; i++)
		if (v->pending[i].due <= v->now)
			return true;
	return false;
}

static void cancel(struct oracle *oracle, uint64_t ticket)
{
	struct virtual *v = (struct virtual *)oracle;
	for (unsigned i = v->n; i-- > 0;)
		if (v->pending[i].answer.ticket == ticket)
			take_out(v, i);
}

static void release(struct oracle *oracle)
{
	struct virtual *v = (struct virtual *)oracle;
	while (v->n)
		take_out(v, v->n - 1);
	free(v->pending);
}

/* What is to be reduced, in TEXT; its name. */
static const char *read_input(const struct virtual *v, struct buf *text)
{
	struct err err = { 0 };
	for (uint32_t i = 0; !v->problem && i < v->lines; i++)
		buf_addf(text, "line %u\n", i);
	if (v->problem && io_read_file(v->problem->file, text, &err) < 0)
		fail(err.msg);
	return v->problem ? leaf_of(v->problem->file) : "input.txt";
}

/* One reduction. The result, a reference; *v has the time that passed and the tests. */
static struct testcase *reduce(struct virtual *v, struct pass_set passes)
{
	static const struct oracle_ops ops = { .slots = slots_of,
		                               .submit = submit,
		                               .wait = await,
		                               .ready = is_ready,
		                               .cancel = cancel,
		                               .free = release };
	struct err err = { 0 };
	struct buf text = { 0 };
	const char *name = read_input(v, &text);
	uint32_t size = (uint32_t)text.len;
	const char *dirs[] = { getenv("WHITTLE_TOKENIZERS"), NULL };
	struct tokenizer *tokenizer =
		tokenizer_find(NULL, name, (const uint8_t *)text.data, size, dirs, &err);
	struct reducer_options ro = { .enabled = passes };
	struct reducer_observer observer = { 0 };
	struct driver_options options = { .wake_fd = -1, .tick_ms = -1 };
	struct driver_stats stats = { 0 };
	struct verdicts verdicts = { 0 };
	v->oracle.ops = &ops;
	v->pending = mem_zero(v->slots, sizeof *v->pending);
	buf_addch(&text, '\0');
	struct testcase *tc = testcase_new(name, 0644, (uint8_t *)text.data, size);
	struct reducer *r = tokenizer ? reducer_new(tc, tokenizer, &ro, &observer) : NULL;
	if (v->told)
		bases_add(&v->told->bases, tc, NULL); /* workers are asked about it first */
	uint64_t began = processor_ns();
	if (!r || driver_run(r, &v->oracle, &verdicts, &options, &stats, &err) == DRIVER_FAILED)
		fail(err.msg);
	v->ns += processor_ns() - began;
	struct testcase *result = testcase_ref(reducer_current(r));
	reducer_free(r);
	oracle_free(&v->oracle);
	verdicts_release(&verdicts);
	testcase_unref(tc);
	tokenizer_free(tokenizer);
	return result;
}

/* As many workers beside one: how many times as fast they are, and how many times as many tests
 * they run. */
static double compare(struct virtual v, struct pass_set passes, unsigned workers, double *more)
{
	struct virtual one = v, many = v;
	one.slots = 1;
	many.slots = workers;
	struct testcase *a = reduce(&one, passes), *b = reduce(&many, passes);
	if (!hash_equal(a->hash, b->hash))
		fail("many workers have another result");
	testcase_unref(a);
	testcase_unref(b);
	*more = (double)many.tests / (double)one.tests;
	return (double)one.now / (double)many.now;
}

static bool measure(struct virtual v, unsigned percent, const char *name, struct pass_set passes)
{
	static const struct {
		unsigned workers;
		double least, least_of_few; /* at 50 %, at 1 % */
	} rows[] = { { 16, 0, 0 }, { 64, 45, 20 }, { 500, 200, 20 } };
	bool bounded = !strcmp(name, "lines"), fine = true;
	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
		double more, ignored, factor = compare(v, passes, rows[i].workers, &more);
		v.varied = true;
		double varied = compare(v, passes, rows[i].workers, &ignored);
		v.varied = false;
		double least = percent == 1 ? rows[i].least_of_few : rows[i].least;
		bool holds_here = !bounded || factor >= least;
		printf("%2u %% stay, %-5s %3u workers: %6.1f times as fast (varied: %6.1f), %.2f "
		       "times as many tests%s\n",
		       percent, name, rows[i].workers, factor, varied, more,
		       holds_here ? "" : "  MISSED");
		fine &= holds_here;
	}
	return fine;
}

static int measure_problem(const char *test, const char *file)
{
	static const unsigned workers[] = { 8, 16, 64, 500 };
	char *dir = io_temporary_name("virtual-XXXXXX");
	struct problem p = { realpath(test, NULL), realpath(file, NULL), mkdtemp(dir), { 0 } };
	struct virtual v = { .problem = &p };
	if (!p.test || !p.file || !p.dir)
		fail("no such test or file");
	for (size_t i = 0; i < sizeof workers / sizeof *workers; i++) {
		double more, ignored, factor = compare(v, passes_all(), workers[i], &more);
		v.varied = true;
		double varied = compare(v, passes_all(), workers[i], &ignored);
		v.varied = false;
		printf("%3u workers: %5.1f times as fast (varied: %5.1f), %.2f times as many "
		       "tests\n",
		       workers[i], factor, varied, more);
	}
	verdicts_release(&p.known);
	int rc = io_remove_tree(AT_FDCWD, dir);
	free(dir);
	return rc < 0;
}

/* Candidates are counted where they are made. */
static uint64_t candidates;
struct testcase *__real_edit_apply(const struct testcase *base, struct edit edit);
struct testcase *__wrap_edit_apply(const struct testcase *base, struct edit edit);
struct testcase *__wrap_edit_apply(const struct testcase *base, struct edit edit)
{
	candidates++;
	return __real_edit_apply(base, edit);
}

static bool measure_cost(struct virtual v, unsigned percent, struct pass_set passes)
{
	struct told *told = mem_zero(1, sizeof *told);
	free(mem_alloc(1 << 20)); /* the allocator keeps what is freed after that, as in whittle */
	v.told = told;
	v.slots = TOLD;
	v.varied = true;
	candidates = 0;
	testcase_unref(reduce(&v, passes));
	double us = (double)v.ns / 1000, tests = (double)v.tests, n = (double)candidates;
	bool fine = us / n <= 30 && us / tests <= 1000.0 / TOLD;
	printf("%2u %% stay: %llu tests, %.2f candidates for a test; %.2f us for a candidate, "
	       "%.1f us for an answer; %.0f bytes sent for a test%s\n",
	       percent, (unsigned long long)v.tests, n / tests, us / n, us / tests,
	       (double)told->bytes / tests, fine ? "" : "  MISSED");
	bases_release(&told->bases);
	free(told);
	return fine;
}

int main(int argc, char **argv)
{
	static const unsigned percents[] = { 1, 50 };
	bool fine = true, cost = argc > 1 && !strcmp(argv[1], "-c");
	setvbuf(stdout, NULL, _IOLBF, 0);
	if (argc == 4 && !strcmp(argv[1], "-t"))
		return measure_problem(argv[2], argv[3]);
	argc -= cost;
	argv += cost;
	uint32_t lines = argc > 1 ? (uint32_t)strtoul(argv[1], NULL, 10) : 1000;
	const struct pass_set only_lines = passes_named("lines", strlen("lines"));
	for (size_t p = 0; p < sizeof percents / sizeof *percents; p++) {
		struct rng rng = { 1 };
		bool *needed = mem_zero(lines, sizeof *needed);
		struct virtual v = { .needed = needed, .lines = lines };
		for (uint32_t i = 0; i < lines; i++)
			v.n_needed += needed[i] = rng_below(&rng, 100) < percents[p];
		if (cost)
			fine &= measure_cost(v, percents[p], only_lines);
		else
			fine &= measure(v, percents[p], "lines", only_lines);
		if (!cost)
			fine &= measure(v, percents[p], "all", passes_first(passes_n));
		free(needed);
	}
	return !fine;
}
