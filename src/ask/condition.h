/* A condition: a command and what has to come of it for a candidate to be interesting. It is kept
 * as a file, "KEY VALUE" lines, that is executed by the program whittle-judge (judge_main.c): to
 * the reduction it is a test like any other.
 *
 * In words of the command, "\1" to "\9" stand for the operands (what is being reduced), "\\" for
 * "\".
 */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include "ask/outcome.h"

struct err;

enum ended { /* how the command has to end */
	     ENDED_ANYHOW,
	     ENDED_STATUS,  /* with the exit status `number` */
	     ENDED_NONZERO, /* any other than 0, or by a signal */
	     ENDED_CRASH,   /* by a signal, or as a shell tells of one */
	     ENDED_SIGNAL,  /* by the signal `number`, or as a shell tells of it */
	     ENDED_TIMEOUT, /* not: it runs longer than limit_ns */
};

enum { STREAM_OUT = 1, STREAM_ERR = 2, STREAM_BOTH = 3 };

struct look { /* at what was printed */
	int streams;
	bool absent; /* the pattern must not match */
	char *pattern;
};

enum { CONDITION_LOOKS = 16 };

struct condition {
	char **words; /* of the command; NULL at the end */
	bool shell;   /* the words, with blanks between, are a command line of sh */
	enum ended ended;
	int number;
	uint64_t limit_ns;       /* of one run of any command, in wall time; 0: none */
	uint64_t slower_than_ns; /* processor time it must take at least; 0: no matter */
	struct look looks[CONDITION_LOOKS];
	unsigned n_looks;
	char *creates;         /* file that must be there afterwards; NULL: none */
	char *creates_pattern; /* what it must hold; NULL: no matter */
	char *family;          /* text of the signature's family (signature.h); NULL: none */
	char *family_name;
	char *signature; /* what it has to find */
	bool alone;      /* and nothing that the family takes for another failure */
	char *valid;   /* command lines of sh, in which {} is the candidate: must succeed first; */
	char *differs; /* must print or return something else; */
	int reference; /* its wait status has to be this, plus 1; 0: any */
	bool steady;   /* and either does the same again when both are run once more */
	bool apart;    /* and differs in what a pattern for standard output matches */
	char *agrees;  /* must do as `differs` does. NULL: none */
};

void condition_release(struct condition *c);

/* The text of the file, after a first line "#!" and PROGRAM; the caller's. */
char *condition_text(const struct condition *c, const char *program);

/* The reverse. -1 and err when it is damaged; release in either case. */
int condition_parse(struct condition *c, const char *text, struct err *err);

/* Checks what is given: patterns, what goes together. */
int condition_check(const struct condition *c, struct err *err);

/* A word with operands put in; the caller's. */
char *condition_word(const char *word, char *const *operands);

/* LINE, a command line of sh, in which each {} is the first operand, in whatever quotes it stands;
 * the caller's. */
char *condition_line(const char *line);

/* The reverse, for people: LINE in which NAMES stand for the operands, whether that is $1, $2 or,
 * for the first, {}; the caller's. */
char *condition_line_named(const char *line, char *const *names);

/* The program of the command, which no shell runs, as a shell would find it here; the caller's.
 * NULL and errno: there is none. */
char *condition_program(const struct condition *c);

/* Do the patterns of C for standard output match the same texts in A and B? */
bool condition_sees_alike(const struct condition *c, const struct outcome *a,
                          const struct outcome *b);

/* Is what came of the command what is asked for? OPERANDS: paths of the candidates. */
bool condition_holds(const struct condition *c, const struct outcome *o, char *const *operands);

/* What is asked for and did not come of it, in words; the caller's. NULL: nothing. */
char *condition_fails(const struct condition *c, const struct outcome *o, char *const *operands);

/* Runs the commands on the candidates OPERANDS (NULL at the end) in the current directory. 1, 0, or
 * -1 and err when a command cannot be started. *OUT is what came of the command, all zero when it
 * was not run; the caller releases it. */
int condition_judge(const struct condition *c, char *const *operands, struct outcome *out,
                    struct err *err);

/* Runs the command alone, once. */
int condition_run(const struct condition *c, char *const *operands, struct outcome *out,
                  struct err *err);
