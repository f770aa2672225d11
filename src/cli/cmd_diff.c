/* whittle diff: what changed between two snapshots. */
#include <stdio.h>

#include "base/err.h"
#include "base/mem.h"
#include "cli/commands.h"
#include "base/options.h"
#include "cli/pager.h"
#include "cli/stored.h"
#include "store/history.h"

static const struct option_row rows[] = {
	STORED_COMMON_ROWS,
	{ 0 },
};

/* The step that the second operand names, which may repeat the name of the first one. */
static const char *second_step(const char *first, const char *second)
{
	const char *colon = first ? strrchr(first, ':') : NULL;
	size_t len = colon ? (size_t)(colon - first) + 1 : 0;
	return len && !strncmp(first, second, len) ? second + len : second;
}

/* From the step named, or the original, to the second step named, or the last. */
static int diff(struct reduction *r, const struct stored_options *o, struct err *err)
{
	size_t a = r->step_given ? r->at : 0;
	if (reduction_seek(r, o->second ? second_step(o->first, o->second) : "last", err) < 0)
		return -1;
	MEM_SCOPED char *text = NULL;
	size_t len = 0;
	FILE *out = open_memstream(&text, &len);
	int rc = out ? reduction_diff(r, a, r->at, out, err) : err_errno(err, "diff");
	if (out && fclose(out) != 0 && rc == 0)
		rc = err_errno(err, "diff");
	if (rc == 0) {
		SCOPED(pager_close) struct pager pager;
		pager_open(&pager);
		pager_write_diff(&pager, text, len);
	}
	return rc;
}

int cmd_diff(int argc, char **argv)
{
	static const struct stored_usage usage = { "diff [OPTIONS] [NAME[:STEP] [STEP]]", rows, 2,
		                                   "two snapshots" };
	return stored_run(&usage, argc, argv, diff);
}
