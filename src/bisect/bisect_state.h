/* What is known of a bisection while it runs: shared by all that takes part in it (bisection.h). */
#ifndef WHITTLE_BISECT_BISECT_STATE_H
#define WHITTLE_BISECT_BISECT_STATE_H

#include <signal.h>
#include <stdbool.h>
#include <sys/types.h>

#include "bisect/bisect.h"
#include "bisect/bisect_judge.h"
#include "bisect/bisect_known.h"
#include "bisect/bisect_tree.h"
#include "disk/input.h"
#include "text/testcase.h"

/* Judges at work, see bisect_work.h. */
struct bisect_worker {
	pid_t pid;                   /* 0: idle */
	char id[BISECT_ID_SIZE];     /* of the revision */
	const struct testcase *tc;   /* the caller's, until the worker has ended */
	struct judge_result *result; /* shared */
	double cpus; /* processors that it kept busy on average, when it has ended */
};

struct bisect_work {
	struct bisect_worker *list;
	unsigned n;                 /* workers, busy or not */
	struct bisect_worker *last; /* the one that finished last */
	sigset_t signals, outside;  /* those that wake us; the mask as we found it */
	int stop_signal;            /* that came; 0: none */
	pid_t ahead;                /* another child (bisect_ahead.h); 0: none, or it has ended */
};

struct bisection {
	const struct bisect_options *options;
	char *here, *common, *dir,
		*test;      /* absolute paths: where git is asked, see bisect_tree.h, the test */
	char *good, *bad;   /* ids of the ends */
	char *name;         /* of the reduction */
	char *unjudged;     /* why an end cannot be judged; NULL: it can, or that is not known */
	struct input input; /* the operands, */
	char **operands;    /* their paths in a test case, */
	struct testcase *original; /* and what they hold */
	struct bisect_trees trees;
	struct bisect_known known;
	struct bisect_work work; /* while judges are needed: not during the reduction */
	unsigned width;          /* revisions judged at a time */
	bool slow;               /* judging one takes long enough to be worth some effort */
	uint64_t limit_ns;       /* deadline of one run of the test on one side, in the reduction */
	int lock;
};

/* Path of a thing in the directory, the caller's. */
char *bisection_path(const struct bisection *b, const char *leaf);

/* How wrote-out (bisection.h) names TC, the caller's. */
char *bisection_out_line(const struct testcase *tc);

#endif
