/* Has a file judged in a process of its own, which is ended after its time. */
#ifndef WHITTLE_HOOK_HOOK_APART_H
#define WHITTLE_HOOK_HOOK_APART_H

#include <stdint.h>

#include "hook/hook_finding.h"

struct err;

typedef enum hook_finding hook_judge_fn(const void *arg, struct hook_judgement *j, struct err *err);

/* JUDGE(ARG, j, err) in a child, whose answer comes back. When it takes more than TIME_NS by more
 * than a moment, it is killed: HOOK_UNJUDGED. After a signal that asks for the end:
 * HOOK_INTERRUPTED. What the child has started is gone then, or goes by itself. */
enum hook_finding hook_apart(hook_judge_fn *judge, const void *arg, uint64_t time_ns,
                             struct hook_judgement *j, struct err *err);

#endif
