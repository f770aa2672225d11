/* whittle diff: what changed between two snapshots. */
#include <stddef.h>
#include <stdio.h>

#include "base/err.h"
#include "cli/commands.h"
#include "cli/options.h"
#include "cli/stored.h"
#include "store/history.h"

static const struct option_row rows[] = {
	STORED_COMMON_ROWS,
	{ 0 },
};

/* From the step named, or the original, to the second step named, or the last. */
static int diff(struct reduction *r, const char *to, struct err *err)
{
	size_t a = r->step_given ? r->at : 0;
	if (reduction_seek(r, to ? to : "last", err) < 0)
		return -1;
	return reduction_diff(r, a, r->at, stdout, err);
}

int cmd_diff(int argc, char **argv)
{
	struct stored_options o = { 0 };
	struct err err;
	int first = stored_parse("diff [OPTIONS] [NAME[:STEP] [STEP]]", rows, argc, argv, &o, &err);
	if (first == 0)
		return 0;
	if (first > 0 && first + 2 < argc)
		first = err_set(&err, ERR_USAGE, "diff takes two snapshots");
	if (first < 0)
		return command_fail(&err);
	struct reduction r;
	int rc = reduction_open(&r, ".", o.store, argv[first], &err);
	if (rc == 0)
		rc = diff(&r, first + 1 < argc ? argv[first + 1] : NULL, &err);
	reduction_close(&r);
	return rc < 0 || stored_finish(&err) < 0 ? command_fail(&err) : 0;
}
