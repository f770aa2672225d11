/* whittle log: the steps of a reduction. */
#include <inttypes.h>
#include <stdio.h>

#include "base/err.h"
#include "base/mem.h"
#include "base/show.h"
#include "cli/commands.h"
#include "cli/now.h"
#include "base/options.h"
#include "cli/pager.h"
#include "cli/stored.h"
#include "store/history.h"
#include "text/testcase.h"

static const struct option_row rows[] = {
	{ 0, "porcelain", NULL,
	  "print one line each, with fields separated by tabs; this format does not change",
	  options_set_flag, offsetof(struct stored_options, porcelain) },
	{ 'z', NULL, NULL, "like --porcelain, with NUL instead of line ends", options_set_flag,
	  offsetof(struct stored_options, zero) },
	{ 0, "also", NULL, "list the other failures that were kept", options_set_flag,
	  offsetof(struct stored_options, also) },
	STORED_COMMON_ROWS,
	{ 0 },
};

static const char *what(const struct step *step)
{
	static const char *const kinds[] = { "original", "", "finished", "paused" };
	return step->kind == STEP_SNAPSHOT ? step->pass : kinds[step->kind];
}

struct log {
	const struct stored_options *options;
	struct pager pager;
};

static int print_step(void *ctx, const struct step *step, const git_oid *id, UNUSED struct err *err)
{
	const struct log *log = ctx;
	const struct stored_options *o = log->options;
	char hex[GIT_OID_HEXSZ + 1];
	git_oid_tostr(hex, sizeof hex, id);
	MEM_SCOPED char *pass = show_text(what(step)); /* of a commit that may be anybody's */
	if (o->porcelain || o->zero)
		printf("%u\t%" PRIu64 "\t%" PRIu64 "\t%s\t%s%c", step->number, step->bytes,
		       step->questions, hex, pass, o->zero ? '\0' : '\n');
	else
		printf("%6u %10" PRIu64 " bytes %8" PRIu64 " answers  %s%.10s%s  %s\n",
		       step->number, step->bytes, step->questions,
		       pager_begin(&log->pager, PAGER_COMMIT), hex, pager_end(&log->pager), pass);
	return 0;
}

/* What the file holds when that is further than the last step: the commits come in batches, and not
 * when a run is killed. */
static int print_now(struct reduction *r, const struct stored_options *o, struct err *err)
{
	SCOPED(now_release) struct now now = { 0 };
	int rc = o->porcelain || o->zero ? 0 : now_look(r, &now, err);
	if (rc == 0 && now.is == NOW_AHEAD)
		show_printf(stdout, "%6s %10u bytes, in %s; not committed yet\n", "now",
		            (unsigned)testcase_shown_size(now.tc), now.path);
	return rc;
}

struct others {
	const struct stored_options *options;
	const char *name; /* of the reduction that has met them */
};

static int print_other(void *ctx, const struct reduction_info *info, UNUSED struct err *err)
{
	const struct others *others = ctx;
	const struct stored_options *o = others->options;
	if (!info->also || strcmp(info->also, others->name) != 0)
		return 0;
	MEM_SCOPED char *about = show_text(info->about ? info->about : "");
	if (o->porcelain || o->zero)
		printf("%s\t%" PRIu64 "\t%s%c", info->name, info->last.bytes, about,
		       o->zero ? '\0' : '\n');
	else
		show_printf(stdout, "%-20s %10" PRIu64 " bytes  %s\n", info->name, info->last.bytes,
		            about);
	return 0;
}

/* The other failures, as reductions that can be shown, restored and resumed by name. */
static int print_others(const struct reduction *r, const struct stored_options *o, struct err *err)
{
	struct others others = { o, r->location.name };
	return history_each(NULL, r->location.common, false, print_other, &others, err);
}

static int print_steps(struct reduction *r, const struct stored_options *o, struct err *err)
{
	struct log log = { .options = o };
	pager_open(&log.pager);
	int rc = reduction_each(r, print_step, &log, err);
	if (rc == 0)
		rc = print_now(r, o, err);
	pager_close(&log.pager);
	return rc;
}

static int act(struct reduction *r, const struct stored_options *o, struct err *err)
{
	return o->also ? print_others(r, o, err) : print_steps(r, o, err);
}

int cmd_log(int argc, char **argv)
{
	static const struct stored_usage usage = { "log [OPTIONS] [NAME]", rows, 1, "one name" };
	return stored_run(&usage, argc, argv, act);
}
