/* How the interestingness test is run: which program, what it is given, how many of it at a time,
 * and where. setup_open makes an oracle of that. What may differ from one question
 * to the next, its limits and where its output goes, is part of the request (oracle.h).
 */
#pragma once

#include <stdbool.h>
#include <stdint.h>

struct condition;
struct fence;
struct jobserver;

enum setup_input {                           /* how the test gets the candidate; a set */
	           SETUP_INPUT_BASENAME = 1, /* under its own name in the current directory */
	           SETUP_INPUT_ARG = 2,   /* absolute path as $1 (and the further files as $2...) */
	           SETUP_INPUT_STDIN = 4, /* bytes of the (first) file on standard input */
	           SETUP_INPUT_ALL = 7,
};

/* A test that stays alive: started once per slot, it gets the paths of a candidate on a line of its
 * standard input and answers a status on a line of its standard output (whittle-live(7)). */
struct setup_live {
	unsigned
		answers; /* started anew after so many; 0: the test is started for each candidate */
	/* Not NULL: a fork server (persistent.h), which is this command; how what it starts has to
	 * end, and nothing else, decides. */
	const struct condition *forks;
	const char *program; /* absolute path of its first word */
};

struct setup {
	const char *test; /* absolute path of the program */
	const char *const
		*args; /* further arguments before the candidate, NULL-terminated; may be NULL */
	/* What the test gets as $1, $2...: paths within a candidate, those of directories with a
	 * '/' after them, which are there even when they are empty. NULL at the end. NULL: the
	 * candidate's files. */
	const char *const *operands;
	unsigned jobs;      /* slots, at least 1 */
	unsigned jobs_most; /* that there may be in the end (oracle_allow); fewer than jobs: none
	                       are added */
	const struct jobserver
		*make; /* job server of a make above, which tests take tokens from; NULL: none */
	bool serve; /* a job server for tests that run several jobs themselves, so that all of them
	               together never run more than there are slots (or tokens of the make above) */
	const char *shims;    /* directory of make/make, ninja/ninja... for that (testenv.h); NULL:
	                         none */
	unsigned input;       /* set of enum setup_input */
	const char *work_dir; /* where candidates are written; NULL: chosen, memory-backed where
	                         there is room */
	uint64_t input_size;  /* bytes of the largest candidate, to choose a place with room */
	uint64_t files_size;  /* bytes that one test may write, likewise */
	const struct fence *fence; /* around the tests; NULL: none */
	bool groups;               /* control groups for the tests, where they can be made */
	struct setup_live live;
	int exit_code; /* the test's exit status that means interesting; normally 0 */
	int no_answer; /* its exit status that means that it could give no answer; 0: none does */
	/* Hears what the user should know and is no failure (NULL: nobody does). */
	void (*notice)(void *arg, const char *message);
	void *notice_arg;
};

struct err;
struct oracle;

/* The oracle, ready for questions. The strings in SETUP outlive it; no signal disposition is
 * changed. NULL and err when the system refuses. Free with oracle_free. */
struct oracle *setup_open(const struct setup *setup, struct err *err);

struct setup;

/* STATUS: of the test's leader as from waitpid, or of what a fork server has started. */
bool wanted_status(const struct setup *setup, int status);
