/* What the commands about kept reductions share: status, list, log, show, diff, report, restore,
 * prune. */
#pragma once

#include <stdbool.h>

struct err;
struct option_row;

int cmd_list(int argc, char **argv);
int cmd_log(int argc, char **argv);
int cmd_show(int argc, char **argv);
int cmd_diff(int argc, char **argv);
int cmd_report(int argc, char **argv);
int cmd_restore(int argc, char **argv);
int cmd_prune(int argc, char **argv);
int cmd_status(int argc, char **argv);

/* Their options; each command takes some of them. */
struct stored_options {
	const char *dir;   /* -C */
	const char *store; /* --store */
	const char *output;
	const char *first;  /* the reduction as it was named; NULL: it was not */
	const char *second; /* the operand behind the reduction's name; NULL: there is none */
	bool zero, porcelain, dry_run, delete, force, all, also, follow, help;
};

/* What a command takes. */
struct stored_usage {
	const char *usage;
	const struct option_row *rows; /* fill a struct stored_options */
	int most;                      /* operands; -1: any number */
	const char *takes;             /* that, in words: "one name" */
};

/* Parses the options, and goes to the -C directory. Returns the index of the first operand; -1:
 * err; 0: help was printed. */
int stored_parse(const struct stored_usage *usage, int argc, char **argv, struct stored_options *o,
                 struct err *err);

/* A command about one reduction, the first operand: parses, opens it, and calls ACT with it, which
 * returns 0, or -1 and err. Returns the exit code; errors are printed, also that standard output
 * cannot be written to. */
struct reduction;
int stored_run(const struct stored_usage *usage, int argc, char **argv,
               int (*act)(struct reduction *r, const struct stored_options *o, struct err *err));

/* The word for the state of a reduction. */
struct reduction_info;
const char *stored_state(const struct reduction_info *info);

/* Flushes standard output and turns a write error into one of the command. */
int stored_finish(struct err *err);

/* Rows that all of them have. */
#define STORED_COMMON_ROWS                                              \
	{ 'C',                                                          \
	  NULL,                                                         \
	  "DIR",                                                        \
	  "change to DIR first",                                        \
	  options_set_text,                                             \
	  offsetof(struct stored_options, dir) },                       \
		{ 0,                                                    \
		  "store",                                              \
		  "DIR",                                                \
		  "the repository that keeps the reductions",           \
		  options_set_text,                                     \
		  offsetof(struct stored_options, store) },             \
	{                                                               \
		'h', "help", NULL, "print this help", options_set_flag, \
			offsetof(struct stored_options, help)           \
	}
