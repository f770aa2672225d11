/* whittle list: the reductions kept in a repository. */
#include <inttypes.h>
#include <stdio.h>
#include <time.h>
#include <unistd.h>

#include "base/err.h"
#include "base/mem.h"
#include "base/show.h"
#include "cli/commands.h"
#include "cli/now.h"
#include "base/options.h"
#include "cli/stored.h"
#include "store/history.h"

static const struct option_row rows[] = {
	{ 'a', "all", NULL, "include reductions of files that are elsewhere", options_set_flag,
	  offsetof(struct stored_options, all) },
	{ 0, "porcelain", NULL,
	  "print one line each, with fields separated by tabs; this format does not change",
	  options_set_flag, offsetof(struct stored_options, porcelain) },
	{ 'z', NULL, NULL, "like --porcelain, with NUL instead of line ends", options_set_flag,
	  offsetof(struct stored_options, zero) },
	STORED_COMMON_ROWS,
	{ 0 },
};

enum { COLUMNS = 6, CELL = 64, LEAST_NAME = 8 };

/* One reduction, as it is printed. */
struct line {
	char *name, *porcelain;
	struct timespec when;
	char cells[COLUMNS][CELL]; /* the first is that of the name, and not used */
};

struct list {
	const struct stored_options *options;
	struct line *lines;
	size_t n, cap, elsewhere;
};

static void time_cell(char *cell, time_t when)
{
	struct tm tm;
	snprintf(cell, CELL, "-");
	if (when && localtime_r(&when, &tm))
		strftime(cell, CELL, "%Y-%m-%d %H:%M", &tm);
}

static int add(void *ctx, const struct reduction_info *info, UNUSED struct err *err)
{
	struct list *list = ctx;
	const struct step *last = &info->last;
	bool ahead;
	if (!info->is_here && !list->options->all) {
		list->elsewhere++;
		return 0;
	}
	uint64_t bytes = now_bytes(info, &ahead);
	MEM_GROW(list->lines, list->n, list->cap);
	struct line *l = &list->lines[list->n++];
	*l = (struct line){ .name = show_text(info->name), .when = info->when };
	l->porcelain =
		mem_printf("%s\t%s\t%" PRIu64 "\t%" PRIu64 "\t%u\t%" PRIu64 "\t%ld\t%lld",
	                   info->name, stored_state(info), last->original, bytes, last->number,
	                   last->questions, (long)info->owner, (long long)info->when.tv_sec);
	snprintf(l->cells[1], CELL, "%s", stored_state(info));
	if (!info->damaged) {
		snprintf(l->cells[2], CELL, "%" PRIu64 " → %" PRIu64, last->original, bytes);
		snprintf(l->cells[3], CELL, "%u%s", last->number, ahead ? "+" : "");
	}
	time_cell(l->cells[4], info->when.tv_sec);
	if (info->owner)
		snprintf(l->cells[5], CELL, "process %ld", (long)info->owner);
	return 0;
}

/* The newest first; of the same age by name. */
static int by_age(const void *a, const void *b)
{
	const struct line *x = a, *y = b;
	int order = MEM_ORDER_TWO(y, x, when.tv_sec, when.tv_nsec);
	return order ? order : strcmp(x->name, y->name);
}

static const char *cell(const struct line *l, int column)
{
	return column ? l->cells[column] : l->name;
}

/* A name that is longer than its column stands in a line of its own. */
static void print_line(const struct line *l, const int *widths)
{
	int last = COLUMNS - 1;
	bool apart = (int)show_columns(l->name) > *widths;
	while (last > 0 && !*cell(l, last))
		last--;
	if (apart)
		printf("%s\n%*s", l->name, *widths + 2, "");
	for (int i = apart; i <= last; i++) {
		int pad = i < last ? widths[i] - (int)show_columns(cell(l, i)) + 2 : 0;
		bool right = i == 2 || i == 3;
		printf("%*s%s%*s", right ? pad - 2 : 0, "", cell(l, i), right ? 2 : pad, "");
	}
	putchar('\n');
}

static void print_table(const struct list *list)
{
	static char name[] = "NAME";
	struct line header = { .name = name,
		               .cells = { "", "STATE", "BYTES", "STEPS", "LAST VERDICT" } };
	int widths[COLUMNS];
	for (int i = 0; i < COLUMNS; i++) {
		widths[i] = (int)show_columns(cell(&header, i));
		for (size_t k = 0; k < list->n; k++)
			if ((int)show_columns(cell(&list->lines[k], i)) > widths[i])
				widths[i] = (int)show_columns(cell(&list->lines[k], i));
	}
	int rest = 0;
	for (int i = 1; i < COLUMNS; i++)
		rest += widths[i] ? widths[i] + 2 : 0;
	int room = (int)show_width(stdout) - rest;
	if (isatty(STDOUT_FILENO) && *widths > room) /* else it is searched by lines */
		*widths = room > LEAST_NAME ? room : LEAST_NAME;
	if (list->n)
		print_line(&header, widths);
	for (size_t k = 0; k < list->n; k++)
		print_line(&list->lines[k], widths);
}

static void print(const struct list *list)
{
	const struct stored_options *o = list->options;
	if (!o->porcelain && !o->zero) {
		print_table(list);
		if (list->elsewhere)
			fprintf(stderr, "whittle: %zu more elsewhere (whittle list --all)\n",
			        list->elsewhere);
		return;
	}
	for (size_t k = 0; k < list->n; k++)
		printf("%s%c", list->lines[k].porcelain, o->zero ? '\0' : '\n');
}

int cmd_list(int argc, char **argv)
{
	static const struct stored_usage usage = { "list [OPTIONS]", rows, 0, "no arguments" };
	struct stored_options o = { 0 };
	struct err err;
	struct list list = { .options = &o };
	int first = stored_parse(&usage, argc, argv, &o, &err);
	if (first == 0)
		return 0;
	int rc = first < 0 ? -1 : history_each(".", o.store, o.all, add, &list, &err);
	if (rc == 0 && list.n)
		qsort(list.lines, list.n, sizeof *list.lines, by_age);
	if (rc == 0)
		print(&list);
	for (size_t k = 0; k < list.n; k++) {
		free(list.lines[k].name);
		free(list.lines[k].porcelain);
	}
	free(list.lines);
	return rc < 0 || stored_finish(&err) < 0 ? command_fail(&err) : 0;
}
