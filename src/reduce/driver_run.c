/* A driver from beginning to end, and what callers that wait for answers themselves ask it. */
#include "reduce/driver.h"

#include "base/mem.h"
#include "base/work.h"
#include "reduce/driver_impl.h"

/* Waits for an answer, and takes all that have come with it, unless there are doubts of one. -1:
 * err.
 */
static int take_answers(struct driver *d, struct oracle *oracle,
                        const struct driver_options *options, struct err *err)
{
	int tick_ms = options->tick_ms;
	do {
		struct answer a;
		int got = oracle_wait(oracle, &a, options->wake_fd, tick_ms, err);
		if (got < 0 || (got > 0 && driver_answer(d, &a, err) < 0))
			return -1;
		if (got == 0)
			break;
		tick_ms = 0;
	} while (!d->doubts && oracle_is_ready(oracle));
	return 0;
}

static enum driver_end run(struct driver *d, struct oracle *oracle,
                           const struct driver_options *options, struct err *err)
{
	enum driver_end end;
	while ((end = driver_ask(d, err)) == DRIVER_RUNS &&
	       take_answers(d, oracle, options, err) == 0)
		;
	return end == DRIVER_RUNS ? DRIVER_FAILED : end;
}

/* The reducer, or a clone, computes, and nobody wants to know what. */
static enum driver_end leave(struct driver *d, enum work_left why)
{
	if (why == WORK_NO_MEMORY)
		mem_exhausted();
	d->left = true;
	reducer_leave(d->reducer);
	return DRIVER_STOPPED;
}

/* As run, but what the reducer computes is left when all is over. */
static enum driver_end run_guarded(struct driver *d, struct oracle *oracle,
                                   const struct driver_options *options, struct err *err)
{
	struct work_guard guard = { .is_over = options->is_over, .arg = options->arg };
	int left = setjmp(guard.back);
	if (left != WORK_WHOLE)
		return leave(d, (enum work_left)left);
	work_guard_enter(&guard);
	enum driver_end end = run(d, oracle, options, err);
	work_guard_leave(&guard);
	return end;
}

enum driver_end driver_run(struct reducer *reducer, struct oracle *oracle,
                           struct verdicts *verdicts, const struct driver_options *options,
                           struct driver_stats *stats, struct err *err)
{
	struct driver *d = driver_new(reducer, oracle, verdicts, options, stats);
	enum driver_end end = run_guarded(d, oracle, options, err);
	driver_free(d);
	return end;
}

bool driver_wants(const struct driver *d, uint64_t ticket)
{
	for (uint32_t i = 0; i < d->n_flights; i++)
		if (d->flights[i].ticket == ticket)
			return d->flights[i].real || d->flights[i].epoch == d->ahead.epoch;
	return false;
}

bool driver_forget(struct driver *d, uint64_t ticket)
{
	for (uint32_t i = 0; i < d->n_flights; i++)
		if (d->flights[i].ticket == ticket) {
			if (d->flights[i].real)
				return false;
			d->stats->cancelled++;
			driver_cancel(d, &d->flights[i]);
			return true;
		}
	return true;
}
