/* whittle show: the bytes of a snapshot. */

#include "base/err.h"
#include "base/mem.h"
#include "cli/commands.h"
#include "cli/now.h"
#include "base/options.h"
#include "cli/pager.h"
#include "cli/stored.h"
#include "store/history.h"
#include "text/testcase.h"

static const struct option_row rows[] = {
	STORED_COMMON_ROWS,
	{ 0 },
};

static const struct testcase_file *find_file(const struct testcase *tc, const char *path,
                                             struct err *err)
{
	if (!path && tc->n_files == 1)
		return &tc->files[0];
	for (uint32_t i = 0; path && i < tc->n_files; i++)
		if (!strcmp(tc->files[i].path, path))
			return &tc->files[i];
	err_set(err, ERR_USAGE,
	        path ? "this test case has no file '%s'"
	             : "the test case has several files; name one, such as %s",
	        path          ? path
	        : tc->n_files ? tc->files[0].path
	                      : "none");
	return NULL;
}

/* The snapshot that was asked for. Without a step that is what the file holds, when it is further
 * than the last one. */
static struct testcase *find(struct reduction *r, struct err *err)
{
	SCOPED(now_release) struct now now = { 0 };
	struct testcase *tc = NULL;
	int rc = r->step_given ? 0 : now_look(r, &now, err);
	if (rc == 0)
		tc = now.is == NOW_AHEAD ? testcase_ref(now.tc) : reduction_testcase(r, err);
	return tc;
}

static int show(struct reduction *r, const struct stored_options *o, struct err *err)
{
	TESTCASE_SCOPED struct testcase *tc = find(r, err);
	const struct testcase_file *f = tc ? find_file(tc, o->second, err) : NULL;
	if (f) {
		SCOPED(pager_close) struct pager pager;
		pager_open(&pager);
		pager_write(&pager, (const char *)f->data, testcase_file_size(f));
	}
	return f ? 0 : -1;
}

int cmd_show(int argc, char **argv)
{
	static const struct stored_usage usage = { "show [OPTIONS] [NAME[:STEP] [PATH]]", rows, 2,
		                                   "one snapshot and one path" };
	return stored_run(&usage, argc, argv, show);
}
