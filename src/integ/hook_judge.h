/* Judges one file: is it interesting still, and could it be much smaller? A session reduces a copy,
 * keeps nothing, and ends as soon as the answer is known or the time is over. Coarse cuts come
 * first in a reduction, so what can be had cheaply is found within any reasonable time. */
#ifndef WHITTLE_INTEG_HOOK_JUDGE_H
#define WHITTLE_INTEG_HOOK_JUDGE_H

#include <stdbool.h>
#include <stdint.h>

#include "base/buf.h"

struct err;
struct hook_stop;
struct session_options;

enum hook_finding {
	HOOK_GOOD,        /* interesting, and no more than the slack was found to be superfluous */
	HOOK_DULL,        /* not interesting */
	HOOK_LARGE,       /* more than the slack is superfluous */
	HOOK_UNJUDGED,    /* there was no answer: err says why */
	HOOK_INTERRUPTED, /* the user stopped it */
};

struct hook_case {
	const struct session_options *base; /* jobs, passes and the like */
	const char *test, *tokenizer;
	const char *file, *out;       /* the copy, and where a smaller version may be written */
	uint32_t size;                /* bytes of the copy */
	unsigned slack;               /* percent */
	bool minimize;                /* go on to the end, not only until the answer is known */
	const struct hook_stop *stop; /* armed */
};

struct hook_judgement {
	uint32_t best;       /* bytes of the smallest version found */
	bool fixpoint;       /* nothing smaller is to be found */
	struct buf smallest; /* HOOK_LARGE with minimize: the version */
	char *output;        /* HOOK_DULL: what the test printed */
};

/* The caller releases the judgement whatever the finding. */
enum hook_finding hook_judge(const struct hook_case *c, struct hook_judgement *j, struct err *err);
void hook_judgement_release(struct hook_judgement *j);

#endif
