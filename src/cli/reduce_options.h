/* The options of `whittle reduce` and `whittle check`, as one table. */
#pragma once

#include "first/ask.h"
#include "cli/others.h"
#include "reduce/session.h"

struct option_row;

struct reduce_options {
	struct session_options session;
	const char *events;     /* file name, or digits: a descriptor; NULL: none */
	struct ask_options ask; /* the test, when it is a command */
	struct others others;   /* that are kept besides */
	int operands_end;       /* index after the last operand */
	uint64_t jobs, until_size;
	const char *label; /* what is made; NULL: more is said than how far it is */
	bool stats, quiet, verbose, plain, help, help_all, list_passes, version;
};

/* Fills *o from the command line; returns the index of the first operand, or -1 and err. */
int reduce_options_parse(struct reduce_options *o, int argc, char **argv, struct err *err);

/* The two halves of that: the defaults, and what the command line changes. */
void reduce_options_defaults(struct reduce_options *o);
int reduce_options_change(struct reduce_options *o, int argc, char **argv, struct err *err);

/* Checks what holds without operands, and takes it over into o->session. */
int reduce_options_check(struct reduce_options *o, struct err *err);

/* The row of the option --NAME, for the table of a command that has it, too; its target is a struct
 * reduce_options. */
const struct option_row *reduce_options_row(const char *name);

/* All of them; the last has no `set`. */
const struct option_row *reduce_options_rows(void);

/* Prints the options: ALL, or those that one needs most. */
void reduce_options_help(bool all);

/* Takes TEST and FILE, or the files in front of a command, and checks what must fit together. */
int reduce_options_operands(struct reduce_options *o, int argc, char **argv, int first,
                            struct err *err);

/* Reduces as O says, and tells the user about it; returns the exit code. */
int reduce_run(struct reduce_options *o);

/* Answers --help, --help-all, --version or --list-passes; returns the exit code. */
int reduce_options_answer(const struct reduce_options *o);
