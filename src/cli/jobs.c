#include "cli/jobs.h"

#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "base/err.h"
#include "base/mem.h"
#include "base/installed.h"
#include "cli/commands.h"

enum { MAX_JOBS = 1024 };

static unsigned usable_processors(void)
{
	cpu_set_t set;
	int n = sched_getaffinity(0, sizeof set, &set) == 0 ? CPU_COUNT(&set) : 1;
	return n < 1 ? 1 : n > MAX_JOBS ? MAX_JOBS : (unsigned)n;
}

/* As many as there may come tokens for. */
static void ask_make(struct session_options *o, bool quiet)
{
	enum jobserver_found found = jobserver_find(&o->tests.make, getenv("MAKEFLAGS"));
	o->tests.jobs = usable_processors();
	if (found == JOBSERVER_UNUSABLE) {
		o->tests.jobs = 1;
		if (!quiet)
			fputs("whittle: warning: cannot reach make's job server, so one test runs "
			      "at a time; put + before the command in the makefile, or use -j\n",
			      stderr);
	} else if (found == JOBSERVER_FOUND) {
		o->tests.under_make = true;
		if (o->tests.make.jobs)
			o->tests.jobs =
				o->tests.make.jobs < MAX_JOBS ? o->tests.make.jobs : MAX_JOBS;
	}
}

int jobs_choose(struct session_options *o, uint64_t jobs, bool quiet, struct err *err)
{
	bool elsewhere = o->far.n || o->far.from;
	o->far.only = !jobs && elsewhere;
	if ((!jobs && !elsewhere) || (jobs > MAX_JOBS && jobs != JOBS_DEFAULT))
		return err_set(err, ERR_USAGE,
		               "option -j: from 1 to %d tests can run at a time (0: none here, "
		               "with --workers)",
		               MAX_JOBS);
	if (!jobs)
		o->tests.jobs = 1; /* for what is no test */
	else if (jobs == JOBS_DEFAULT)
		ask_make(o, quiet);
	else
		o->tests.jobs = (unsigned)jobs;
	o->tests.shims = jobs_shims();
	return 0;
}

const char *jobs_shims(void)
{
	static char *dir;
	if (dir)
		return dir;
	dir = command_build_dir("src/shims");
	return dir ? dir : (dir = mem_printf("%s/shims", installed_programs()));
}
