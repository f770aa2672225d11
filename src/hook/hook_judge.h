/* Judges files: is each interesting still, and could it be much smaller?
 *
 * First the test of each file runs on the file, twice, so that a test that is not sure is noticed,
 * and once for a driver on an empty file. Only then is looked for smaller versions: a reduction of
 * each file asks about candidates until a version shows that more than the slack is superfluous, or
 * until so many in a row were refused as its size deserves. So a finding depends on the file, the
 * test and the settings. The time decides how many files are judged; what the test said of the
 * others is kept (hook_list.h), and the next push goes on from there.
 *
 * All of it happens in one process beside this one, with one pool for each test. It is killed when
 * it does not end in time, whatever it is that takes long: a slow tokenizer, a test that cannot be
 * stopped.
 */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include "base/buf.h"

struct err;
struct hook_job;
struct hook_plan;
struct hook_seen;
struct session_options;

enum hook_finding {
	HOOK_BEGUN,    /* nothing yet: its test is started */
	HOOK_GOOD,     /* interesting, and no more than the slack was found to be superfluous */
	HOOK_DULL,     /* not interesting */
	HOOK_LARGE,    /* more than the slack is superfluous */
	HOOK_UNJUDGED, /* there was no answer: err says why */
};

struct hook_judgement {
	uint32_t best;       /* bytes of the smallest version found */
	bool fixpoint;       /* nothing smaller is to be found */
	struct buf smallest; /* HOOK_LARGE with minimize: the version */
	struct buf output;   /* HOOK_DULL: what the test printed */
};

struct hook_judging {
	const struct session_options *base; /* jobs, passes, fence, directories of tokenizers */
	struct hook_plan *plan;             /* its drivers have their budgets */
	struct hook_seen *seen;
	const char *common; /* git directory */
	bool again;         /* what is remembered does not count */
	bool minimize;      /* what is too large is reduced further in what time is left */
	/* Hears what comes of each file, in the order in which it is known; its memory is gone
	 * afterwards. */
	void (*told)(void *arg, struct hook_job *job, enum hook_finding finding,
	             const struct hook_judgement *judgement, struct err *err);
	void *arg;
};

/* Judges as many as the budgets allow, or until a signal asks for the end: those that are not done
 * then were not judged. The caller has blocked SIGCHLD and catches signals (base/signals.h). */
void hook_judge(const struct hook_judging *how);
