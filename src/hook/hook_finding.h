/* What the judgement of a file says, see hook_judge.h. */
#ifndef WHITTLE_HOOK_HOOK_FINDING_H
#define WHITTLE_HOOK_HOOK_FINDING_H

#include <stdbool.h>
#include <stdint.h>

#include "base/buf.h"

enum hook_finding {
	HOOK_GOOD,        /* interesting, and no more than the slack was found to be superfluous */
	HOOK_DULL,        /* not interesting */
	HOOK_LARGE,       /* more than the slack is superfluous */
	HOOK_UNJUDGED,    /* there was no answer: err says why */
	HOOK_INTERRUPTED, /* the user stopped it */
};

struct hook_judgement {
	uint32_t best;       /* bytes of the smallest version found */
	bool fixpoint;       /* nothing smaller is to be found */
	struct buf smallest; /* HOOK_LARGE with minimize: the version */
	struct buf output;   /* HOOK_DULL: what the test printed */
};

#endif
