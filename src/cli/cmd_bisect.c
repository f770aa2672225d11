/* whittle bisect: as the command of `git bisect run`, or, with --good and --bad, as a command of
 * its own. */
#include <stdio.h>

#include "base/err.h"
#include "base/mem.h"
#include "base/quote.h"
#include "base/show.h"
#include "cli/commands.h"
#include "base/options.h"
#include "cli/reduce_options.h"
#include "bisect/bisect.h"
#include "bisect/bisection.h"
#include "lang/tokenizer.h"
#include "store/location.h"
#include "store/store_types.h"

struct options {
	struct reduce_options reduce; /* first: its rows are used */
	struct bisect_options bisect;
};

#define IN(field) offsetof(struct options, bisect.field)

static const struct option_row own_rows[] = {
	{ 0, "good", "REV", "revision at which the bug does not show", options_set_text, IN(good) },
	{ 0, "bad", "REV", "revision at which the bug shows", options_set_text, IN(bad) },
	{ 0, "build", "CMD", "shell command that builds a revision, run in its tree",
	  options_set_text, IN(build) },
	{ 0, "repeat", "N",
	  "run a flaky test N times on a revision; it is bad if the bug shows in any run",
	  options_set_count, IN(repeat) },
	{ 0, "note", NULL, "attach the reduced file to the commit, as a git note", options_set_flag,
	  IN(note) },
	{ 0, "keep", NULL, "keep worktrees, logs and verdicts", options_set_flag, IN(keep) },
	{ 0, "no-reduce", NULL, "only find the commit", options_set_flag, IN(no_reduce) },
};

/* Options of `whittle reduce` that mean the same here. */
static const char *const shared[] = { "jobs",       "output",       "tokenizer", "seed",
	                              "timeout",    "memory-limit", "fence",     "allow-write",
	                              "input",      "time-limit",   "deadline",  "max-tests",
	                              "until-size", "passes",       "certify",   "keep-names",
	                              "store",      "quiet",        "verbose",   "help" };

enum { N_OWN = sizeof own_rows / sizeof *own_rows, N_SHARED = sizeof shared / sizeof *shared };

static void collect_rows(struct option_row rows[N_OWN + N_SHARED + 1])
{
	memcpy(rows, own_rows, sizeof own_rows);
	for (int i = 0; i < N_SHARED; i++)
		rows[N_OWN + i] = *reduce_options_row(shared[i]);
	rows[N_OWN + N_SHARED] = (struct option_row){ 0 };
}

static int help(const struct option_row *rows)
{
	puts("usage: whittle bisect --good REV --bad REV [OPTIONS] TEST FILE...\n"
	     "       git bisect run whittle bisect [OPTIONS] TEST FILE...\n"
	     "\n"
	     "Finds the commit that introduced the bug, prints it, and reduces FILE to what\n"
	     "shows the bug there and not at its parent. TEST exits with 0 if the bug shows;\n"
	     "$WHITTLE_TREE is the directory of the built revision. Without --good and --bad,\n"
	     "it builds and tests the revision that is checked out, and tells git whether\n"
	     "the bug shows.\n");
	options_help(rows, NULL);
	return 0;
}

/* The reduction comes after all builds of the bisection: what cannot be found then is said now. */
static int check_tokenizer(const struct session_options *s, struct err *err)
{
	if (!s->settings.tokenizer)
		return 0;
	struct tokenizer *t =
		tokenizer_find(s->settings.tokenizer, "", NULL, 0, s->tokenizer_dirs, err);
	tokenizer_free(t);
	return t ? 0 : -1;
}

static int operands(struct options *o, int argc, char **argv, int first, struct err *err)
{
	if (argc - first < 2)
		return err_set(err, ERR_USAGE,
		               "TEST and FILE are needed (see whittle bisect --help)");
	if (!o->bisect.repeat)
		return err_set(err, ERR_USAGE, "option --repeat: the test must run at least once");
	if (!o->bisect.good != !o->bisect.bad)
		return err_set(err, ERR_USAGE,
		               "--good and --bad must be given together, or, under git bisect run, "
		               "not at all");
	if (reduce_options_operands(&o->reduce, argc, argv, first, err) < 0)
		return -1;
	const struct session_options *s = &o->reduce.session;
	o->bisect.test = s->test;
	o->bisect.files = s->files;
	o->bisect.n_files = s->n_files;
	o->bisect.timeout_ns = s->tests.timeout_ns;
	o->bisect.memory_limit = s->settings.memory_limit;
	o->bisect.input = s->settings.input;
	o->bisect.fence = s->settings.fence;
	o->bisect.out = s->out;
	o->bisect.quiet = o->reduce.quiet;
	return check_tokenizer(s, err);
}

/* Reduces under the two-sided test. Returns 0 when there is a file to continue with, else the
 * exit code. */
static int reduce(const struct options *o, const struct bisection *b,
                  const struct bisect_reduction *r, struct err *err)
{
	struct reduce_options ro = o->reduce;
	ro.session.test = r->test;
	ro.session.out = r->result;
	ro.session.out_is_passing = true;
	ro.session.tests.timeout_ns = r->timeout_ns;
	ro.session.tests.no_answer = BISECT_STOP;
	ro.session.store.name = b->name;
	for (int i = 0; i < 2; i++)
		if (fence_options_allow(&ro.session.settings.fence, r->trees[i], err) < 0)
			return command_fail(err);
	if (!ro.session.store.repository)
		ro.session.store.repository = b->common;
	int code = reduce_run(&ro);
	return code == ERR_STOPPED
	               ? 0
	               : code; /* stopped by a limit: the file is smaller, which is what counts */
}

/* The reduction comes after all builds: a store that cannot be used is said before them. */
static int check_store(const struct options *o, const struct bisection *b, struct err *err)
{
	const char *asked = o->reduce.session.store.repository;
	struct store_options so = { .file = o->bisect.files[0],
		                    .name = b->name,
		                    .repository = asked ? asked : b->common };
	SCOPED(location_release) struct location location;
	return location_find(&location, &so, err);
}

/* The commit, and then the reduction, for which the two sides are built already; the exit code. */
static int search(const struct options *o, struct bisection *b)
{
	SCOPED(bisect_reduction_release) struct bisect_reduction r = { 0 };
	struct err err = { 0 };
	bool reduces = !o->bisect.no_reduce;
	int code = 0;
	if ((reduces && check_store(o, b, &err) < 0) || bisection_find(b, &err) < 0 ||
	    (reduces && bisection_prepare(b, &r, &err) < 0))
		code = command_fail(&err);
	else if (reduces)
		code = reduce(o, b, &r, &err);
	if (code == 0 && bisection_finish(b, r.result, &err) < 0)
		code = command_fail(&err);
	if (code == 0 && reduces && !o->bisect.quiet) {
		MEM_SCOPED char *show =
			quote_command("show", NULL, o->reduce.session.store.repository, b->name);
		show_printf(stderr, "whittle: the reduced file: %s\n", show);
	}
	return code;
}

static int one_command(const struct options *o)
{
	struct err err = { 0 };
	struct bisection b;
	int code = bisection_open(&b, &o->bisect, &err) < 0 ? command_fail(&err) : search(o, &b);
	int sig = b.judges.stop_signal;
	/* After an interruption, or a failure of the system, the same command resumes. */
	bisection_close(&b,
	                !o->bisect.keep && (code == 0 || code == ERR_TEST || code == ERR_USAGE));
	return sig ? 128 + sig : code;
}

static int refuse(UNUSED void *target, const struct option_row *row, UNUSED const char *text,
                  struct err *err)
{
	return row->name ? err_set(err, ERR_USAGE, "bisect does not take --%s (see --help)",
	                           row->name)
	                 : err_set(err, ERR_USAGE, "bisect does not take -%c (see --help)",
	                           row->letter);
}

/* Is it an option of `whittle reduce` that was not taken? Then ERR says so: O, which a second look
 * at the arguments fills again, is of no use any more. */
static void explain(const struct option_row *taken, int argc, char **argv, struct options *o,
                    struct err *err)
{
	size_t n = 0, n_all = N_OWN + N_SHARED;
	while (reduce_options_rows()[n].set)
		n++;
	MEM_SCOPED struct option_row *all = mem_zero(n_all + n + 1, sizeof *all);
	memcpy(all, taken, n_all * sizeof *all);
	for (const struct option_row *row = reduce_options_rows(); row->set; row++) {
		bool is_taken = false;
		for (size_t i = 0; i < N_OWN + N_SHARED; i++)
			is_taken |= row->name && taken[i].name ? !strcmp(row->name, taken[i].name)
			                                       : row->letter == taken[i].letter;
		if (is_taken)
			continue;
		all[n_all] = *row;
		all[n_all++].set = refuse;
	}
	struct err better = { 0 };
	if (options_parse(all, argc, argv, o, &better) < 0 && strstr(better.msg, "does not take"))
		*err = better;
}

/* Is one of the ends named, wherever? Then git is not the one that reads the exit status. */
static bool names_ends(int argc, char **argv)
{
	static const char *const names[] = { "good", "bad" };
	static const size_t least[] = { 1, 2 }; /* --b may also be --build */
	bool found = false;
	for (int i = 1; i < argc && strcmp(argv[i], "--") != 0; i++) {
		size_t len = strncmp(argv[i], "--", 2) ? 0 : strcspn(argv[i] + 2, "=");
		for (size_t k = 0; k < sizeof names / sizeof *names; k++)
			found |= len >= least[k] && !strncmp(argv[i] + 2, names[k], len);
	}
	return found;
}

int cmd_bisect(int argc, char **argv)
{
	struct err err = { 0 };
	struct options o = { .bisect.repeat = 1 };
	struct option_row rows[N_OWN + N_SHARED + 1];
	collect_rows(rows);
	reduce_options_defaults(&o.reduce);
	bool alone = names_ends(argc, argv);
	int first = options_parse(rows, argc, argv, &o, &err);
	if (first < 0)
		explain(rows, argc, argv, &o, &err);
	if (first >= 0 && o.reduce.help)
		return help(rows);
	if (first >= 0 && operands(&o, argc, argv, first, &err) == 0)
		return o.bisect.good ? one_command(&o) : bisect_helper(&o.bisect);
	int code = command_fail(&err);
	return alone ? code : BISECT_STOP; /* git takes each smaller number for an answer */
}
