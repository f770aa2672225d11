/* whittle prune: makes room, and says what goes. */
#include <stdio.h>
#include <unistd.h>

#include "base/err.h"
#include "base/io.h"
#include "base/mem.h"
#include "base/show.h"
#include "cli/commands.h"
#include "base/options.h"
#include "cli/stored.h"
#include "disk/leftovers.h"
#include "store/history.h"

static const struct option_row rows[] = {
	{ 'n', "dry-run", NULL, "only say what would be removed", options_set_flag,
	  offsetof(struct stored_options, dry_run) },
	{ 0, "delete", NULL, "remove the named reductions completely, including results",
	  options_set_flag, offsetof(struct stored_options, delete) },
	STORED_COMMON_ROWS,
	{ 0 },
};

static int add_finished(void *ctx, const struct reduction_info *info, UNUSED struct err *err)
{
	if (!info->damaged && !info->owner && info->last.kind == STEP_FINISHED)
		texts_add(ctx, mem_strdup(info->name));
	return 0;
}

/* What a killed process has left beside FILE is known from what goes. A list that is damaged says
 * nothing, and is no reason to keep the rest. */
static int remove_leftovers(const struct reduction *r, struct err *err)
{
	MEM_SCOPED char *list = location_path(&r->location, "temps");
	int rc = leftovers_remove(list, err);
	if (rc == 0 || err->code != ERR_USAGE)
		return rc;
	MEM_SCOPED char *message =
		mem_printf("%s; files that it names beside FILE are left", err->msg);
	show_message(message);
	return 0;
}

static int prune(struct reduction *r, const struct stored_options *o, struct err *err)
{
	size_t steps = r->chain.n > 2 ? r->chain.n - 2 : 0;
	const char *would = o->dry_run ? "would be removed" : "removed";
	int lock = reduction_lock(r, err), rc = 0;
	if (lock < 0)
		return -1;
	if (!o->delete &&r->chain.last.kind != STEP_FINISHED)
		rc = err_set(err, ERR_USAGE,
		             "reduction '%s' is not finished: pruning would make it impossible to "
		             "resume (--delete removes it completely)",
		             r->location.name);
	else if (!o->dry_run && (rc = remove_leftovers(r, err)) == 0)
		rc = o->delete ? reduction_delete(r, err) : reduction_squash(r, err);
	if (rc == 0 && o->delete)
		show_printf(stdout, "%s: all of it %s, %u steps and its result of %lu bytes\n",
		            r->location.name, would, r->chain.last.number,
		            (unsigned long)r->chain.last.bytes);
	else if (rc == 0)
		show_printf(stdout,
		            "%s: %zu steps between original and result and the journal of verdicts "
		            "%s\n",
		            r->location.name, steps, would);
	close(lock);
	return rc;
}

/* A damaged reduction can still be removed, and what a killed process left without a ref. */
static int delete_damaged(struct reduction *r, const struct stored_options *o, struct err *err)
{
	const char *why = r->damaged ? "it was damaged" : "a killed process had left it";
	IO_SCOPED int lock = reduction_lock(r, err);
	int rc = lock < 0 ? -1 : 0;
	if (rc == 0 && !o->dry_run && (rc = remove_leftovers(r, err)) == 0)
		rc = reduction_delete(r, err);
	if (rc == 0)
		show_printf(stdout, "%s: all of it %s; %s\n", r->location.name,
		            o->dry_run ? "would be removed" : "removed", why);
	return rc;
}

/* -1 and err as it is when nothing is left of NAME, either. */
static int delete_rest(const char *name, const struct stored_options *o, struct err *err)
{
	SCOPED(reduction_close) struct reduction rest;
	int rc = reduction_open_rest(&rest, ".", o->store, name);
	if (rc == 0)
		rc = delete_damaged(&rest, o, err);
	return rc;
}

static int prune_named(const char *name, const struct stored_options *o, struct err *err)
{
	SCOPED(reduction_close) struct reduction r;
	int rc = reduction_open(&r, ".", o->store, name, err);
	if (rc == 0 && r.step_given)
		rc = err_set(err, ERR_USAGE, "'%s' is a step; prune takes whole reductions", name);
	else if (rc == 0)
		rc = prune(&r, o, err);
	else if (r.damaged && o->delete)
		rc = delete_damaged(&r, o, err);
	else if (o->delete)
		rc = delete_rest(name, o, err);
	return rc;
}

static int prune_finished(const struct stored_options *o, struct err *err)
{
	TEXTS_SCOPED struct texts names = { 0 };
	int rc = history_each(".", o->store, false, add_finished, &names, err);
	for (size_t i = 0; rc == 0 && i < names.n; i++)
		rc = prune_named(names.list[i], o, err);
	if (rc == 0 && !names.n)
		puts("there is no finished reduction");
	return rc;
}

int cmd_prune(int argc, char **argv)
{
	static const struct stored_usage usage = { "prune [OPTIONS] [NAME...]", rows, -1, NULL };
	struct stored_options o = { 0 };
	struct err err;
	int first = stored_parse(&usage, argc, argv, &o, &err);
	if (first == 0)
		return 0;
	if (first == argc && o.delete)
		first = err_set(&err, ERR_USAGE,
		                "--delete needs the names of the reductions to remove");
	if (first < 0)
		return command_fail(&err);
	int rc = first == argc ? prune_finished(&o, &err) : 0;
	for (int i = first; rc == 0 && i < argc; i++)
		rc = prune_named(argv[i], &o, &err);
	return rc < 0 || stored_finish(&err) < 0 ? command_fail(&err) : 0;
}
