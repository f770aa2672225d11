#include "cli/stored.h"

#include <stdio.h>
#include <unistd.h>

#include "base/err.h"
#include "cli/options.h"
#include "store/history.h"

int stored_parse(const char *usage, const struct option_row *rows, int argc, char **argv,
                 struct stored_options *o, struct err *err)
{
	int first = options_parse(rows, argc, argv, o, err);
	if (first < 0)
		return -1;
	if (o->help) {
		printf("usage: whittle %s\n\n", usage);
		options_help(rows);
		return 0;
	}
	if (o->dir && chdir(o->dir) < 0)
		return err_errno(err, "cannot go to %s", o->dir);
	return first;
}

const char *stored_state(const struct reduction_info *info)
{
	if (info->damaged)
		return "damaged";
	if (info->owner)
		return "running";
	return info->last.kind == STEP_FINISHED ? "finished" : "stopped";
}

int stored_finish(struct err *err)
{
	return fflush(stdout) == EOF || ferror(stdout)
	               ? err_errno(err, "cannot write to standard output")
	               : 0;
}
