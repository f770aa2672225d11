/* What a session is told (session.h): the operands, options, and who wants to hear of it. */
#pragma once

#include <stdbool.h>
#include <stdint.h>
#include <time.h>

#include "far/far_options.h"
#include "reduce/settings.h"
#include "run/jobserver.h"
#include "run/setup.h"

struct condition;
struct session;

/* What the user wants while it runs. What is not said otherwise changes nothing in the result. */
struct session_wishes {
	bool stop;   /* and keep what there is */
	bool paused; /* for as long as this is so, no test is started */
	bool skip;   /* the pass that runs, for now. Changes the result, and is kept with the
	                verdicts: a resumed reduction does the same at the same place */
	int jobs;    /* so many tests more at a time, or fewer */
};

struct session_observer {
	void (*started)(void *arg, const struct session *);
	void (*accepted)(void *arg, const struct session *, const char *pass, uint32_t before,
	                 uint32_t after);
	void (*pass_ended)(void *arg, const struct session *, const char *pass);
	void (*tick)(void *arg, const struct session *); /* now and then, for displays */
	/* Asked after each tick; NULL: there are none. */
	void (*wishes)(void *arg, const struct session *, struct session_wishes *);
	/* Nothing moves while WHAT is waited for ("the first runs of the test"), for NS by now, or,
	 * with 0, it begins and is known to take long; NULL: that is over. Also while opening. */
	void (*waits)(void *arg, const char *what, uint64_t ns);
	void (*notice)(void *arg, const char *message); /* what the user should know and is no
	                                                   failure; also while opening */
	void *arg;
};

enum { SESSION_MAX_EXTERNAL = 16, SESSION_RESTART_AFTER = 1000 };

/* How tests are run. */
struct session_tests {
	unsigned jobs;
	bool under_make; /* `make` is the job server of a make above; the session's from
	                    session_open on */
	struct jobserver make;
	const char *shims;      /* see struct setup */
	bool persistent;        /* the test stays alive; started anew after restart_after answers */
	uint64_t restart_after; /* 0: SESSION_RESTART_AFTER */
	const struct condition *forks; /* the test is asked of a fork server (struct setup) */
	const char *fork_program;      /* its program's path */
	int no_answer;                 /* as in struct setup */
	uint64_t timeout_ns;           /* 0: automatic */
	bool allow_trivial;            /* the test may be satisfied by an empty file */
	const char *const *args;       /* before the candidate; see struct setup */
	/* By exit status of the test: of those that are not interesting the smallest candidate is
	 * kept in memory (session_also.h); NULL: of none. */
	const bool *also;
};

/* Who runs tests elsewhere (far/far_options.h). */
struct session_far {
	const char *commands[FAR_WORKERS]; /* n of them */
	const char *with[FAR_WITH];        /* n_with of them */
	const char *from;                  /* as in struct far_options */
	unsigned n, n_with;
	bool only; /* no test runs here */
};

/* When to stop before the fixpoint. */
struct session_end {
	uint64_t time_limit_ns;  /* 0: none */
	time_t deadline;         /* stop at this time; 0: none */
	uint64_t max_questions;  /* 0: none */
	uint64_t idle_ns;        /* stop after this time without a success; 0: none */
	uint64_t idle_questions; /* after so many answers without one; 0: none */
	uint32_t until_size;     /* 0: none */
	int stop_fd;             /* readable when the user wants to stop; -1: none */
};

/* Why it ends with DRIVER_STOPPED. */
enum session_stop {
	SESSION_RUNS,
	SESSION_ASKED,
	SESSION_TIME_LIMIT,
	SESSION_DEADLINE,
	SESSION_IDLE
};

/* Where the reduction is kept. */
struct session_store_wishes {
	bool none;                /* keep nothing: no resuming */
	bool fresh;               /* start over; what is kept is set aside */
	bool fresh_if_changed;    /* the same where what is kept cannot be resumed */
	const char *name;         /* of the reduction; NULL: from the file */
	const char *repository;   /* that keeps it; NULL: the one that holds the file */
	const char *dir;          /* -C, for commands that are shown; NULL: not given */
	const char *also, *about; /* see struct session_store_options */
	const char *based_on;     /* name of a kept reduction whose verdicts hold for this one, too;
	                             NULL: none */
	const char *branch_of;    /* name of the reduction from a snapshot of which a new one
	                             starts; NULL: none */
};

/* External passes. */
struct session_external {
	const char *commands[SESSION_MAX_EXTERNAL]; /* n of them */
	uint32_t n;
	const char *pass_dir;    /* our side of installed ones; NULL: none of those */
	const char *program_dir; /* programs of ours; used with pass_dir */
};

struct session_options {
	const char *test; /* as given: a path, or a name with no slash in the current directory */
	const char
		*command;  /* what TEST is a condition on, for messages; NULL: TEST is a program */
	const char *needs; /* files that it uses where they are, "a, b"; NULL: none but itself */
	const char *const *files; /* input: the operands, files and directories */
	uint32_t n_files;
	const char *file;    /* the first of them */
	const char *out;     /* result; NULL: in place */
	bool out_is_passing; /* `out` is for the caller alone: the last words do not name it */
	const char *format;  /* shell command that formats the result; NULL: none */
	const char *const *tokenizer_dirs;
	bool look_only;           /* session_reduce is not going to be called */
	struct settings settings; /* session_open fills in what is found out about the machine */
	struct session_tests tests;
	struct session_far far;
	struct session_end end;
	struct session_store_wishes store;
	struct session_external external;
	struct session_observer observer;
};
