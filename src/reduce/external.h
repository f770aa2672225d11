/* External passes: programs of others that transform the test case; whittle-passes(7) describes
 * what they are asked and answer. A program declares passes; for a test case a pass gives
 * candidates: as edits in one list, or as a number of instances, each of which is then asked for.
 *
 * What a program answers is taken to be a function of the program, the pass, the test case and the
 * instance. That is why an answer is a value here (struct external_result), remembered like a
 * verdict (external_host.h), and the reducer stays a pure machine: it asks for results as it asks
 * for verdicts.
 */
#ifndef WHITTLE_REDUCE_EXTERNAL_H
#define WHITTLE_REDUCE_EXTERNAL_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/hash.h"
#include "base/mem.h"
#include "search/strategy.h"
#include "text/edit.h"

struct err;
struct oracle_asker;

struct external_pass {
	char *name; /* PROGRAM:PASS, for people */
	char *word; /* what the program calls it */
	uint32_t program;
	bool pump;          /* its candidates may be larger than the test case */
	uint32_t max_bytes; /* larger test cases are not for it */
};

struct external_program {
	char **words;         /* absolute path and arguments, NULL at the end */
	char *name;           /* as it calls itself */
	char *version;        /* likewise */
	uint64_t limit_ns;    /* deadline of an answer */
	struct hash identity; /* of its file and all it declares: with other ones results are other
	                         ones */
};

/* The programs of a reduction and their passes; fixed once it has begun. Zero-initialise. */
struct externals {
	uint32_t n_programs, cap_programs, n_passes, cap_passes;
	struct external_program *programs;
	struct external_pass *passes;
};

enum { EXTERNAL_MAX_PASSES = 1024, EXTERNAL_MAX_EDITS = 4096 };

/* Adds what COMMAND (words separated by blanks, the first one a path or found in PATH) declares for
 * files that TOKENIZER reads. Asks it through ASKER, whose oracle is idle, with EMPTY, an empty
 * file of the test case's name. -1 and err when it does not answer as it should: a program that was
 * named must work. */
int externals_add(struct externals *x, const char *command, const char *tokenizer,
                  const struct testcase *empty, const struct oracle_asker *asker, struct err *err);
void externals_release(struct externals *x);

/* "NAME VERSION HASH; ..." of the programs, the same on another machine that has them; part of the
 * settings; the caller's. Empty: none. */
char *externals_identity(const struct externals *x);

/* The commands, separated by "; ": enough to find the programs on this machine again; the caller's.
 */
char *externals_commands(const struct externals *x);

/* For programs that are used when they are installed: the command for TOKENIZER, with our side of
 * it in DIR; the caller's. NULL: nothing is there, found out by a few looks for files. */
char *externals_installed(const char *tokenizer, const char *dir);

/* One answer: immutable, counted. */
struct external_result {
	unsigned refs;
	bool failed;        /* crashed, hung, or answered what cannot be understood: no candidate */
	uint32_t instances; /* of a list: how many can be asked for */
	uint32_t n;         /* candidates: edits of the test case that was asked about */
	struct edit *edits;
	struct arena arena;
};

/* FAILED or an answer without candidates. */
struct external_result *external_result_new(bool failed);
struct external_result *external_result_ref(struct external_result *result);
void external_result_unref(struct external_result *result); /* NULL is fine */

/* The answer to "list" about BASE, line by line; one that makes no sense is a failed one. */
struct external_result *external_parse_list(const struct testcase *base, const char *text,
                                            size_t len);

/* The answer to "apply": the whole new file. */
struct external_result *external_parse_file(const struct testcase *base, const uint8_t *bytes,
                                            uint32_t len);

/* The candidates of N results as places of a cutting strategy over VIEW; the caller's. Nothing of
 * the results is referred to. */
struct places *external_places(struct view *view, struct external_result *const *results,
                               uint32_t n);

#endif
