/* Judges one file: is it interesting still, and could it be much smaller? A session reduces a copy,
 * keeps nothing, and ends as soon as the answer is known or the time is over. Coarse cuts come
 * first in a reduction, so what can be had cheaply is found within any reasonable time.
 *
 * All this happens in a process of its own, which is ended when it does not end by itself: whatever
 * it is that takes long (reading a large file, a slow tokenizer, a test that cannot be stopped),
 * hook_judge returns less than half a second after the time that it was given.
 */
#ifndef WHITTLE_HOOK_HOOK_JUDGE_H
#define WHITTLE_HOOK_HOOK_JUDGE_H

#include <stdbool.h>
#include <stdint.h>

#include "hook/hook_finding.h"

struct err;
struct session_options;

struct hook_case {
	const struct session_options *base; /* jobs, passes and the like */
	const char *test, *tokenizer;
	const char *blob; /* object id of the file in the repository around */
	const char *name; /* under which the test sees it */
	const char *dir;  /* empty; the copy goes there */
	const char *out;  /* where a smaller version may be written; not in DIR */
	uint32_t size;    /* bytes of the file */
	unsigned slack;   /* percent */
	bool minimize;    /* reduce to the end, not only until the answer is known */
	uint64_t time_ns; /* for all of it */
};

/* The caller, who has blocked SIGCHLD and catches signals (base/signals.h), releases the judgement
 * whatever the finding. */
enum hook_finding hook_judge(const struct hook_case *c, struct hook_judgement *j, struct err *err);
void hook_judgement_release(struct hook_judgement *j);

#endif
