/* A driver from beginning to end. */
#include "reduce/driver.h"

enum driver_end driver_run(struct reducer *reducer, struct oracle *oracle,
                           struct verdicts *verdicts, const struct driver_options *options,
                           struct driver_stats *stats, struct err *err)
{
	struct driver *d = driver_new(reducer, oracle, verdicts, options, stats);
	enum driver_end end;
	while ((end = driver_ask(d, err)) == DRIVER_RUNS) {
		struct answer a;
		int got = oracle_wait(oracle, &a, options->wake_fd, options->tick_ms, err);
		if (got < 0 || (got > 0 && driver_answer(d, &a, err) < 0)) {
			end = DRIVER_FAILED;
			break;
		}
	}
	driver_free(d);
	return end;
}
