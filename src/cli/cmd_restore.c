/* whittle restore: puts a snapshot back in place. */
#include <stdio.h>
#include <sys/stat.h>

#include "base/buf.h"
#include "base/err.h"
#include "base/io.h"
#include "base/mem.h"
#include "base/quote.h"
#include "base/show.h"
#include "cli/commands.h"
#include "cli/named.h"
#include "cli/now.h"
#include "base/options.h"
#include "cli/stored.h"
#include "cli/stored_tree.h"
#include "disk/input.h"
#include "reduce/session_store.h"
#include "store/history.h"
#include "text/testcase.h"

static const struct option_row rows[] = {
	{ 'o', "output", "PATH", "write to this file, or several files to this directory",
	  options_set_text, offsetof(struct stored_options, output) },
	{ 'f', "force", NULL, "replace FILE even if it holds something that is in no snapshot",
	  options_set_flag, offsetof(struct stored_options, force) },
	STORED_COMMON_ROWS,
	{ 0 },
};

static const char WAYS_OUT[] = "--force overwrites it, -o writes elsewhere";

/* A pipe or a device would become a file. */
static int check_kind(const char *place, struct err *err)
{
	struct stat st;
	if (stat(place, &st) < 0 || S_ISREG(st.st_mode))
		return 0;
	return err_set(err, ERR_USAGE, "%s is not a file", place);
}

static void tell(const struct reduction *r, const struct testcase *tc, const char *place)
{
	show_printf(stdout, "%s: %u bytes, step %u of '%s'\n", place,
	            (unsigned)testcase_shown_size(tc), r->step, r->location.name);
	if (!r->step_given || !r->step || r->at + 1 >= r->chain.n)
		return;
	/* Without the step it would go on from the end of what is kept. */
	MEM_SCOPED char *spec = mem_printf("%s:%u", r->location.name, r->step);
	MEM_SCOPED char *resume = quote_command("resume", NULL, r->location.asked, spec);
	BUF_SCOPED struct buf hint = { 0 };
	show_add_hint(&hint, "to go on from there:", resume);
	show_printf(stdout, "%.*s\n", (int)hint.len, hint.data);
}

/* OUT: where the reduction writes its results; NULL: in place. */
static int restore_file(struct reduction *r, const struct testcase *tc,
                        const struct stored_options *o, const char *out, struct err *err)
{
	const char *named = o->output ? o->output : out;
	MEM_SCOPED char *place =
		named ? mem_strdup(named) : reduction_file(r, tc->files[0].path, err);
	int rc = place ? check_kind(place, err) : -1;
	if (rc == 0 && !o->output && !o->force)
		rc = stored_file_check(r, place, tc, WAYS_OUT, err);
	if (rc == 0)
		rc = (o->output ? stored_file_export : stored_file_write)(r, place, tc, err);
	if (rc == 0)
		tell(r, tc, place);
	return rc;
}

static int restore_tree(struct reduction *r, const struct testcase *tc,
                        const struct stored_options *o, const char *out, struct err *err)
{
	SCOPED(input_release) struct input in;
	const char *place = o->output ? o->output : out;
	int rc = stored_tree_find(r, &in, err);
	if (rc == 0 && !o->force)
		rc = place ? stored_tree_check_free(r, &in, place, err)
		           : stored_tree_check(r, &in, WAYS_OUT, err);
	if (rc == 0)
		rc = stored_tree_write(&(struct stored_tree){ &in, place, o->output ? NULL : r },
		                       tc, err);
	if (rc == 0)
		tell(r, tc, place ? place : in.operands[0].path);
	return rc;
}

/* In the place of FILE, or of the file that the reduction writes in its stead (-o). */
static int restore_step(struct reduction *r, const struct stored_options *o, struct err *err)
{
	TESTCASE_SCOPED struct testcase *tc = reduction_testcase(r, err);
	MEM_SCOPED char *out = reduction_local(r, SESSION_STORE_OUT);
	return tc ? (tc->is_tree ? restore_tree : restore_file)(r, tc, o, out, err) : -1;
}

/* Writes what the file holds, which is further than the last step, where -o says; or leaves it
 * there. */
static int restore_now(struct reduction *r, const struct now *now, const struct stored_options *o,
                       struct err *err)
{
	struct testcase *tc = now->tc;
	const char *path = o->output;
	struct input in = { 0 };
	int rc = path && tc->is_tree ? stored_tree_find(r, &in, err) : 0;
	if (rc == 0 && path && tc->is_tree && !o->force)
		rc = stored_tree_check_free(r, &in, path, err);
	if (rc == 0 && path && !tc->is_tree)
		rc = check_kind(path, err);
	if (rc == 0 && path && !tc->is_tree)
		rc = stored_file_export(r, path, tc, err);
	else if (rc == 0 && path)
		rc = stored_tree_write(&(struct stored_tree){ &in, path, NULL }, tc, err);
	input_release(&in);
	if (rc == 0)
		show_printf(stdout, "%s: %u bytes, ahead of step %u of '%s'\n",
		            path ? path : now->path, (unsigned)testcase_shown_size(tc), r->step,
		            r->location.name);
	return rc;
}

static int restore(struct reduction *r, const struct stored_options *o, struct err *err)
{
	SCOPED(now_release) struct now now = { 0 };
	if (o->output && named_check_reduction(r, o->output, false, err) < 0)
		return -1;
	IO_SCOPED int lock = o->output ? -1 : reduction_lock(r, err);
	if (lock < 0 && !o->output)
		return -1;
	int rc = r->step_given ? 0 : now_look(r, &now, err);
	if (rc == 0 && now.is == NOW_AHEAD)
		rc = restore_now(r, &now, o, err);
	else if (rc == 0)
		rc = restore_step(r, o, err);
	return rc;
}

int cmd_restore(int argc, char **argv)
{
	static const struct stored_usage usage = { "restore [OPTIONS] [NAME[:STEP]]", rows, 1,
		                                   "one snapshot" };
	return stored_run(&usage, argc, argv, restore);
}
