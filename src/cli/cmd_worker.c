/* whittle worker: runs tests for a whittle elsewhere. */
#include "config.h"

#include <signal.h>
#include <stdio.h>
#include <unistd.h>

#include "base/err.h"
#include "base/io.h"
#include "base/signals.h"
#include "cli/commands.h"
#include "cli/git_config.h"
#include "cli/jobs.h"
#include "base/options.h"
#include "cli/reduce_options.h"
#include "far/worker.h"
#include "fence/fence.h"

static const char *const shared[] = { "jobs", "fence", "allow-write", "help" };
enum { N_SHARED = sizeof shared / sizeof *shared, BEAT_MS = 2000 };

static int help(const struct option_row *rows)
{
	puts("usage: whittle worker [OPTIONS]\n\n"
	     "Runs tests for a whittle on another machine, which starts this (--workers).\n"
	     "Questions come on standard input, and verdicts go to standard output; see\n"
	     "whittle-workers(7).\n");
	options_help(rows, NULL);
	return 0;
}

static int work(struct reduce_options *o, struct err *err)
{
	struct fence fence;
	struct worker_options wo = { .in = 0,
		                     .out = 1,
		                     .stop_fd = signals_catch(),
		                     .jobs = o->session.tests.jobs,
		                     .fence = &fence,
		                     .shims = o->session.tests.shims,
		                     .dir = io_temporary(),
		                     .version = PACKAGE_VERSION,
		                     .beat_ms = BEAT_MS };
	signal(SIGPIPE, SIG_IGN);
	signal(SIGXFSZ, SIG_IGN);
	int rc = fence_find(&fence, &o->session.settings.fence, err);
	if (rc == 0)
		rc = worker_run(&wo, err);
	fence_release(&fence);
	close(wo.stop_fd);
	return rc < 0 ? command_fail(err) : 0;
}

int cmd_worker(int argc, char **argv)
{
	static struct reduce_options o; /* what it points to lives as long as the program */
	struct option_row rows[N_SHARED + 1] = { { 0 } };
	struct err err = { 0 };
	for (int i = 0; i < N_SHARED; i++)
		rows[i] = *reduce_options_row(shared[i]);
	reduce_options_defaults(&o);
	int first = options_parse(rows, argc, argv, &o, &err);
	if (first < 0)
		return command_fail(&err);
	if (o.help)
		return help(rows);
	if (first < argc) {
		err_set(&err, ERR_USAGE, "worker takes no operands: %s", argv[first]);
		return command_fail(&err);
	}
	if (jobs_choose(&o.session, o.jobs, true, &err) < 0 ||
	    fence_config(".", &o.session.settings.fence, &err) < 0)
		return command_fail(&err);
	return work(&o, &err);
}
