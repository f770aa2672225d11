/* The options of `whittle reduce` and `whittle check`, as one table. */
#ifndef WHITTLE_CLI_REDUCE_OPTIONS_H
#define WHITTLE_CLI_REDUCE_OPTIONS_H

#include "reduce/session.h"

struct reduce_options {
	struct session_options session;
	const char *events; /* file name, or digits: a descriptor; NULL: none */
	uint64_t jobs, until_size;
	bool stats, quiet, verbose, help, list_passes, version;
};

/* Fills *o from the command line; returns the index of the first operand, or -1 and err. */
int reduce_options_parse(struct reduce_options *o, int argc, char **argv, struct err *err);

/* Takes TEST and FILE and checks what must fit together. */
int reduce_options_operands(struct reduce_options *o, int argc, char **argv, int first, struct err *err);

/* Answers --help, --version or --list-passes; returns the exit code. */
int reduce_options_answer(const struct reduce_options *o);

#endif
