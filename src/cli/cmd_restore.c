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
#include "cli/stored_place.h"
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

static void tell_ahead(const struct reduction *r, const struct testcase *tc, const char *place)
{
	show_printf(stdout, "%s: %u bytes, ahead of step %u of '%s'\n", place,
	            (unsigned)testcase_shown_size(tc), r->step, r->location.name);
}

/* In the place of FILE, or of what the reduction writes in its stead (-o); NOW is what FILE holds
 * if that is further than the last step, and stays there. */
static int restore_to(struct reduction *r, const struct now *now, const struct stored_options *o,
                      struct err *err)
{
	SCOPED(stored_release) struct stored_place place = { 0 };
	TESTCASE_SCOPED struct testcase *tc =
		now ? testcase_ref(now->tc) : reduction_testcase(r, err);
	MEM_SCOPED char *own = reduction_local(r, SESSION_STORE_OUT);
	const char *out = o->output ? o->output : own;
	int rc = tc ? stored_find(&place, r, tc, out, err) : -1;
	const char *shown = rc < 0 ? NULL : out ? out : place.in.operands[0].path;
	if (rc == 0 && !tc->is_tree)
		rc = check_kind(shown, err);
	if (rc == 0 && !o->force && (tc->is_tree || !o->output))
		rc = stored_check(&place, r, tc, WAYS_OUT, err);
	if (rc == 0)
		rc = stored_write(&place, o->output ? NULL : r, tc, err);
	if (rc == 0 && now)
		tell_ahead(r, tc, shown);
	else if (rc == 0)
		tell(r, tc, shown);
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
	bool ahead = now.is == NOW_AHEAD;
	if (rc == 0 && ahead && !o->output)
		tell_ahead(r, now.tc, now.path);
	else if (rc == 0)
		rc = restore_to(r, ahead ? &now : NULL, o, err);
	return rc;
}

int cmd_restore(int argc, char **argv)
{
	static const struct stored_usage usage = { "restore [OPTIONS] [NAME[:STEP]]", rows, 1,
		                                   "one snapshot" };
	return stored_run(&usage, argc, argv, restore);
}
