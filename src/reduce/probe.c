#include "reduce/probe.h"

#include <errno.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/err.h"
#include "base/io.h"
#include "base/mem.h"
#include "base/quote.h"
#include "run/repeat.h"

enum {
	LEAST_RUNS = 3,
	LEAST_FLAKY_RUNS = 20,
	FIRST_FLAKY_RUNS = 100, /* from these follows how many are needed */
	PER_SERVER = 5,    /* runs of a fork server: it costs more than ten of them to start one */
	LIMIT_FACTOR = 20, /* automatic deadline: so many times the slowest run on the input... */
	LIMIT_SLOW = 6,    /* ... or so many times and LIMIT_LEAST_NS, if that is less: 38 s and
	                      not 100 for runs of 5 s, as on a machine that is busy already */
};
/* Runs beyond the least begin within these times. What fails one time in ten is noticed in 20 runs
 * nine times in ten; but the user waits for them. */
static const uint64_t SURE_FOR_NS = 1000000000u, FLAKY_FOR_NS = 30000000000u;
/* ... but no less than this. A busy machine can hold up a test of milliseconds for seconds, and a
 * timeout of what would have been interesting leads to another result; a test that does hang costs
 * one worker so long, and few candidates make it. */
static const uint64_t LIMIT_LEAST_NS = 8000000000u;

/* A missing file's name says nothing without the directory that it is relative to. */
static void no_test(const char *test, struct err *err)
{
	const char *why = strerror(errno);
	MEM_SCOPED char *dir = *test == '/' ? NULL : getcwd(NULL, 0);
	if (dir)
		err_set(err, ERR_TEST, "the interestingness test %s: %s (in %s)", test, why, dir);
	else
		err_set(err, ERR_TEST, "the interestingness test %s: %s", test, why);
}

static void not_executable(const char *name, struct err *err)
{
	MEM_SCOPED char *operand = quote_operand(name);
	err_set(err, ERR_TEST, "the interestingness test %s is not executable (chmod +x %s)", name,
	        operand);
}

char *probe_find(const char *name, struct err *err)
{
	struct stat st;
	char *test = realpath(name, NULL);
	if (!test || stat(test, &st) < 0)
		no_test(name, err);
	else if (!S_ISREG(st.st_mode))
		err_set(err, ERR_TEST, "the interestingness test %s is not a file", name);
	else if (access(test, X_OK) < 0)
		not_executable(name, err);
	else
		return test;
	free(test);
	return NULL;
}

static int stopped(struct err *err)
{
	return err_set(err, ERR_STOPPED, "stopped before the reduction began");
}

/* Asks the test about TC once. */
static int ask_once(const struct probe_options *o, const struct testcase *tc, struct answer *a,
                    struct err *err)
{
	const struct oracle_request rq = { .ticket = 1, .tc = tc, .limits = o->limits };
	int rc = oracle_ask(o->oracle, &rq, o->stop_fd, a, err);
	return rc > 0 ? stopped(err) : rc;
}

/* What the test has exceeded, and the option that says how much that may be. */
static const char *const excesses[ANSWER_WHYS] = {
	[ANSWER_WORKER] = "kills the process that runs it",
	[ANSWER_FILES] = "writes more than --file-limit allows",
	[ANSWER_MEMORY] = "needs more memory than --memory-limit allows",
	[ANSWER_PROCESSES] = "starts more processes than --process-limit allows",
};

static int show_failure(const struct probe_options *o, const struct testcase *original,
                        struct session_probe *probe, const struct answer *a, struct err *err)
{
	struct answer again;
	probe->timed_out = a->verdict == VERDICT_TIMEOUT;
	probe->exceeded = a->why != ANSWER_OWN;
	if (a->verdict == VERDICT_TIMEOUT)
		return err_set(
			err, ERR_TEST,
			"the interestingness test does not end within %.6g s on %s (see --timeout)",
			(double)a->limit_ns / 1e9, o->file);
	if (a->why != ANSWER_OWN)
		return err_set(err, ERR_TEST, "the interestingness test %s on %s", excesses[a->why],
		               o->file);
	const struct oracle_request rq = { .ticket = 1, .tc = original, .limits = o->limits };
	int rc = oracle_ask_verbose(o->oracle, &rq, o->stop_fd, &again, &probe->output, err);
	if (rc)
		return rc < 0 ? -1 : stopped(err);
	return err_set(err, ERR_TEST,
	               o->asks ? "%s is not interesting to begin with: %s does not meet the "
	                         "conditions on it"
	                       : "%s is not interesting to begin with: the test %s does not exit "
	                         "with 0 on it",
	               o->file, o->test);
}

/* From LEAST to MOST more runs, and those beyond the least within FOR_NS. */
static int survey(const struct probe_options *o, const struct repeat_survey *how,
                  struct session_probe *probe, struct err *err)
{
	struct rate seen;
	uint64_t slowest_ns;
	int rc = repeat_survey(o->oracle, how, &seen, &slowest_ns, err);
	probe->runs += seen.runs;
	probe->interesting += seen.yes;
	if (slowest_ns > probe->slowest_ns)
		probe->slowest_ns = slowest_ns;
	return rc > 0 ? stopped(err) : rc;
}

/* As many as make the rate known, in the time that is left of those begun at START_NS. */
static int measure_rate(const struct probe_options *o, struct repeat_survey how, uint64_t start_ns,
                        struct session_probe *probe, struct err *err)
{
	const struct rate seen = { probe->runs, probe->interesting };
	unsigned needed = rate_runs_to_measure(seen, probe->runs, o->most_runs);
	uint64_t used_ns = io_now() - start_ns;
	how.least = 0;
	how.most = needed > probe->runs ? needed - probe->runs : 0;
	how.for_ns = used_ns < FLAKY_FOR_NS ? FLAKY_FOR_NS - used_ns : 0;
	return survey(o, &how, probe, err);
}

/* The runs behind the first. */
static int ask_more(const struct probe_options *o, const struct testcase *original,
                    struct session_probe *probe, struct err *err)
{
	const uint64_t start_ns = io_now();
	unsigned least = (o->flaky ? LEAST_FLAKY_RUNS : LEAST_RUNS) - probe->runs;
	unsigned most =
		o->flaky && o->most_runs > FIRST_FLAKY_RUNS ? FIRST_FLAKY_RUNS : o->most_runs;
	const struct repeat_survey first = { .tc = original,
		                             .limits = o->limits,
		                             .least = least,
		                             .most = most > probe->runs ? most - probe->runs : 0,
		                             .for_ns = o->flaky ? FLAKY_FOR_NS : SURE_FOR_NS,
		                             .per_start = o->forks && !o->flaky ? PER_SERVER : 1,
		                             .other = o->flaky ? NULL : o->empty,
		                             .on_other = o->on_empty,
		                             .stop_fd = o->stop_fd };
	if (survey(o, &first, probe, err) < 0)
		return -1;
	return o->flaky ? measure_rate(o, first, start_ns, probe, err) : 0;
}

/* What the test says of an empty file. */
static int judge_empty(const struct probe_options *o, struct session_probe *probe, struct err *err)
{
	probe->empty_interesting = o->on_empty->verdict == VERDICT_INTERESTING;
	if (!probe->empty_interesting || o->allow_trivial)
		return 0;
	return err_set(err, ERR_TEST,
	               "the interestingness test is interesting on an empty file, so the result "
	               "would be empty; it must look for the bug itself (or use --allow-trivial)");
}

int probe_input(const struct probe_options *o, const struct testcase *original,
                struct session_probe *probe, struct err *err)
{
	struct answer a = { 0 };
	if (ask_once(o, original, &a, err) < 0)
		return -1;
	bool yes = a.verdict == VERDICT_INTERESTING;
	probe->slowest_ns = a.wall_ns;
	if (!yes && !o->flaky)
		return show_failure(o, original, probe, &a, err);
	probe->runs = 1;
	probe->interesting = yes;
	if (ask_more(o, original, probe, err) < 0)
		return -1;
	if (!probe->interesting)
		return show_failure(o, original, probe, &a, err);
	if (probe->interesting == probe->runs || o->flaky)
		return o->empty && !o->flaky ? judge_empty(o, probe, err) : 0;
	return err_set(err, ERR_TEST,
	               "the interestingness test is flaky: of %u runs on %s, %u found it "
	               "interesting (see --flaky and --repeat)",
	               probe->runs, o->file, probe->interesting);
}

int probe_empty(const struct probe_options *o, struct session_probe *probe, struct err *err)
{
	int rc = ask_once(o, o->empty, o->on_empty, err);
	return rc < 0 ? -1 : judge_empty(o, probe, err);
}

int probe_result(const struct probe_options *o, const struct testcase *result, struct err *err)
{
	struct answer a = { .verdict = VERDICT_NOT_INTERESTING };
	for (unsigned i = 0; i < (o->flaky ? PROBE_RUNS : 1u); i++) {
		if (ask_once(o, result, &a, err) < 0)
			return -1;
		if (a.verdict == VERDICT_INTERESTING)
			return 0;
	}
	return err_set(err, ERR_TEST,
	               "%s was reduced before; the test %s does not find that result interesting "
	               "(--fresh starts over)",
	               o->file, o->test);
}

uint64_t probe_limit(uint64_t slowest_ns)
{
	uint64_t limit = LIMIT_LEAST_NS;
	while (limit < slowest_ns * LIMIT_FACTOR &&
	       limit < LIMIT_LEAST_NS + slowest_ns * LIMIT_SLOW)
		limit *= 2;
	return limit;
}
