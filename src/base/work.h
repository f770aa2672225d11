/* Own work, and how it is left.
 *
 * A computation may take long, and whoever it is for may not want to wait for its end. It says how
 * far it is (work_step); who has entered a guard is asked now and then whether all this is over,
 * and if so the computation is left: longjmp goes back to the guard. An allocation that fails
 * leaves it in the same way (mem.h). What was being changed then is in no known state.
 *
 * Life cycle: work_guard_enter; work_allow around what computes and holds nothing but memory;
 * work_guard_leave. Without a guard a computation runs to its end. Guards can be nested, and each
 * thread has its own. */
#pragma once

#include <setjmp.h>
#include <stdbool.h>
#include <stddef.h>

/* What setjmp returns. */
enum work_left {
	WORK_WHOLE = 0, /* nothing was left yet */
	WORK_NO_MEMORY, /* an allocation failed; who has no answer to that calls mem_exhausted again
	                 */
	WORK_OVER,      /* is_over() */
};

struct work_guard {
	jmp_buf back;                         /* set by the caller before it enters */
	bool (*is_over)(void *arg);           /* leave what computes? NULL: never */
	int (*retry)(void *arg, size_t size); /* try an allocation again? NULL: never */
	void *arg;
	struct work_guard *outer;
	bool allowed; /* of the outer one */
};

void work_guard_enter(struct work_guard *guard); /* nothing is allowed yet */
void work_guard_leave(struct work_guard *guard);

/* May the computation that follows be left because all is over? What was so before. */
bool work_allow(bool leaving);

/* So many bytes, elements or comparisons of a loop over the input were looked at. */
#define work_step(n)                                 \
	do {                                         \
		size_t stepped_ = (n);               \
		if (stepped_ < work_until_look)      \
			work_until_look -= stepped_; \
		else                                 \
			work_look();                 \
	} while (0)

extern _Thread_local size_t work_until_look __attribute__((visibility("hidden")));
void work_look(void);

/* For mem.c: is the allocation of SIZE bytes, which has failed, to be tried again? And leaving for
 * want of memory, which returns when there is no guard. */
bool work_retry(size_t size);
void work_give_up(void);

/* Was a computation left? Then memory was lost that nobody can name. */
bool work_was_left(void);
