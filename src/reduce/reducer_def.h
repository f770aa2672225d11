/* What a reducer is given, asks and says; see reducer.h. */
#ifndef WHITTLE_REDUCE_REDUCER_DEF_H
#define WHITTLE_REDUCE_REDUCER_DEF_H

#include <stdbool.h>
#include <stdint.h>

#include "reduce/external.h"
#include "reduce/external_host.h"
#include "reduce/plan.h"
#include "reduce/recipe.h"
#include "run/oracle.h"
#include "search/search.h"
#include "search/view.h"

struct reducer;

enum reducer_state { REDUCER_ASK, REDUCER_WAIT, REDUCER_DONE, REDUCER_FAILED };

struct ask {
	uint64_t id;
	uint8_t chance;             /* that it is interesting, in percent */
	struct testcase *candidate; /* the caller's reference; of a request: the test case that it
	                               is about */
	struct origin made;         /* how it was made; borrowed until the next call of reducer_next
	                               or reducer_tell */
	bool is_request; /* a question to an external pass, to be answered with reducer_give; never
	                    to a test */
	struct external_request request;
	struct recipe recipe; /* of a candidate that an oracle does not keep; none from clones; the
	                         caller's */
	bool is_again; /* a test case once more, the best one or what is about to be: expected is
	                  that it is interesting still */
	bool lasting;  /* one of those: need not be asked of a fork server that was just started */
	struct hash key; /* of such a question, among the verdicts */
};

enum { REDUCER_SAMPLE = 20 };

/* A candidate that is kept to be asked about again. */
struct sampled {
	struct hash hash;
	uint64_t id;         /* of the question */
	struct testcase *tc; /* a reference */
	bool is_new;         /* the answer was not used before */
};

/* A question with its answer. */
struct answered {
	uint64_t id;
	struct hash hash; /* of the candidate */
	enum verdict verdict;
	uint64_t limit_ns; /* of a timeout: the deadline in force */
};

/* Where a reducer stands, for displays. */
struct reducer_at {
	const char *pass;   /* that runs; NULL: none does */
	uint32_t block;     /* elements that it takes at once; 0: not its way */
	int permille;       /* of its way, at this size of blocks; -1: not known */
	uint64_t questions; /* answered in this run */
	int64_t bytes;      /* saved in it */
	bool waits;         /* for its program, which is asked for candidates */
};

/* What the owner hears of; only from the reducer it gave it to, never from clones. */
struct reducer_observer {
	/* A strictly simpler test case was found interesting. */
	void (*accepted)(void *arg, struct reducer *, struct testcase *now,
	                 const struct pass_run *);
	void (*pass_ended)(void *arg, struct reducer *, const struct pass_run *);
	/* Between two rounds of a pass, and while an external program is asked for candidates: is
	 * the pass to be skipped for now? It has its turn again later, so a fixpoint means what it
	 * always does. MOMENT, a number of the round or the batch, names the moment: who answers
	 * the same at the same moments gets the same result. While a program is waited for the
	 * same moment is asked about again and again. *KEY is what the answer yes is kept under,
	 * among the verdicts (reducer_answered). */
	bool (*skips)(void *arg, struct reducer *, uint64_t moment, struct hash *key);
	/* A tokenizer has given up on what is the base now, so that it has less structure; once. */
	void (*notice)(void *arg, const char *message);
	void *arg;
};

struct reducer_options {
	struct pass_set enabled;
	uint64_t seed;
	struct strategy_options strategy;
	struct spans *spans; /* of a single file, from outside; borrowed; NULL: none */
	const struct tokenizers
		*tokenizers; /* of a tree, whose entries have their languages; borrowed */
	const struct externals *externals; /* borrowed; NULL: none */
	uint64_t max_questions;            /* end after so many that are new; 0: never */
	uint64_t stop_after; /* end after so many new ones since the last success; 0: never */
	uint32_t until_size; /* end when the test case is no larger; 0: never */
	enum plan_certify certify;
	bool again;    /* ask about the best test case again now and then */
	bool confirms; /* what becomes a step is asked about once more, first */
};

/* Why it is done. Like all else a function of the verdicts: limits that depend on time are the
 * driver's. */
enum reducer_end {
	REDUCER_FIXPOINT,
	REDUCER_SIZE_REACHED,
	REDUCER_MAX_QUESTIONS,
	REDUCER_NO_SUCCESS,
};

#endif
