/* whittle bisect: as the command of `git bisect run`, or as a command of its own. */
#include <stddef.h>
#include <stdio.h>
#include <string.h>

#include "base/err.h"
#include "cli/commands.h"
#include "cli/options.h"
#include "cli/reduce_options.h"
#include "integ/bisect.h"
#include "integ/bisect_helper.h"

struct options {
	struct reduce_options reduce; /* first: its rows are used */
	struct bisect_options bisect;
};

#define IN(field) offsetof(struct options, bisect.field)

static const struct option_row own_rows[] = {
	{ 0, "build", "CMD", "shell command that builds a revision, run in its tree", options_set_text, IN(build) },
	{ 0, "repeat", "N", "run a flaky test N times on a revision: bad if the bug shows in any", options_set_count, IN(repeat) },
};

/* Options of `whittle reduce` that mean the same here. */
static const char *const shared[] = { "timeout", "memory-limit", "input", "help" };

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
	puts("usage: git bisect run whittle bisect [OPTIONS] TEST FILE\n\n"
	     "Builds the revision that is checked out, runs TEST on FILE, and tells git whether the bug shows (TEST exits\n"
	     "with 0).\n");
	options_help(rows);
	return 0;
}

static int operands(struct options *o, int argc, char **argv, int first, struct err *err)
{
	if (argc - first != 2)
		return err_set(err, ERR_USAGE, "%s (see whittle bisect --help)",
			       argc - first < 2 ? "TEST and FILE are needed" : "more than one FILE was given");
	if (!o->bisect.repeat)
		return err_set(err, ERR_USAGE, "option --repeat: the test must run at least once");
	o->bisect.test = argv[first];
	o->bisect.file = argv[first + 1];
	o->bisect.timeout_ns = o->reduce.session.timeout_ns;
	o->bisect.memory_limit = o->reduce.session.memory_limit;
	o->bisect.input = o->reduce.session.input;
	return 0;
}

int cmd_bisect(int argc, char **argv)
{
	struct err err = { 0 };
	struct options o = { .bisect.repeat = 1 };
	struct option_row rows[N_OWN + N_SHARED + 1];
	collect_rows(rows);
	reduce_options_defaults(&o.reduce);
	int first = options_parse(rows, argc, argv, &o, &err);
	if (first >= 0 && o.reduce.help)
		return help(rows);
	if (first >= 0 && operands(&o, argc, argv, first, &err) == 0)
		return bisect_helper(&o.bisect);
	command_fail(&err);
	return BISECT_STOP; /* to git each smaller number says something about the revision */
}
