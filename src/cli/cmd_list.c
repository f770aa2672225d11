/* whittle list: the reductions kept in a repository. */
#include <inttypes.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>
#include <time.h>

#include "base/err.h"
#include "base/show.h"
#include "cli/commands.h"
#include "cli/options.h"
#include "cli/stored.h"
#include "store/history.h"

static const struct option_row rows[] = {
	{ 0, "porcelain", NULL,
	  "one line each, fields separated by tabs; this form does not change", options_set_flag,
	  offsetof(struct stored_options, porcelain) },
	{ 'z', NULL, NULL, "--porcelain, with NUL instead of line ends", options_set_flag,
	  offsetof(struct stored_options, zero) },
	STORED_COMMON_ROWS,
	{ 0 },
};

static void print_time(time_t when)
{
	char text[32] = "-";
	struct tm tm;
	if (when && localtime_r(&when, &tm))
		strftime(text, sizeof text, "%Y-%m-%d %H:%M", &tm);
	fputs(text, stdout);
}

static int print_one(void *ctx, const struct reduction_info *info, struct err *err)
{
	const struct stored_options *o = ctx;
	const struct step *last = &info->last;
	(void)err;
	if (o->porcelain || o->zero) {
		printf("%s\t%s\t%" PRIu64 "\t%" PRIu64 "\t%u\t%" PRIu64 "\t%ld\t%lld%c", info->name,
		       stored_state(info), last->original, last->bytes, last->number,
		       last->questions, (long)info->owner, (long long)info->when,
		       o->zero ? '\0' : '\n');
		return 0;
	}
	show_printf(stdout, "%-24s %-9s ", info->name, stored_state(info));
	if (info->damaged)
		printf("%40s  ", "");
	else
		printf("%10" PRIu64 " → %-10" PRIu64 " bytes %6u steps  ", last->original,
		       last->bytes, last->number);
	print_time(info->when);
	if (info->owner)
		printf("  process %ld", (long)info->owner);
	putchar('\n');
	return 0;
}

int cmd_list(int argc, char **argv)
{
	struct stored_options o = { 0 };
	struct err err;
	int first = stored_parse("list [OPTIONS]", rows, argc, argv, &o, &err);
	if (first == 0)
		return 0;
	if (first > 0 && first < argc)
		first = err_set(&err, ERR_USAGE, "list takes no arguments");
	if (first < 0 || history_each(".", o.store, print_one, &o, &err) < 0 ||
	    stored_finish(&err) < 0)
		return command_fail(&err);
	return 0;
}
