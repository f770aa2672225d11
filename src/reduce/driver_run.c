/* A driver from beginning to end, and what callers that wait for answers themselves ask it. */
#include "reduce/driver.h"

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

enum driver_end driver_run(struct reducer *reducer, struct oracle *oracle,
                           struct verdicts *verdicts, const struct driver_options *options,
                           struct driver_stats *stats, struct err *err)
{
	struct driver *d = driver_new(reducer, oracle, verdicts, options, stats);
	enum driver_end end;
	while ((end = driver_ask(d, err)) == DRIVER_RUNS &&
	       take_answers(d, oracle, options, err) == 0)
		;
	driver_free(d);
	if (end == DRIVER_RUNS)
		end = DRIVER_FAILED;
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
