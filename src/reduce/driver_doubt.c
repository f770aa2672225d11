/* Doubts of what was found interesting. */
#include "base/mem.h"
#include "reduce/driver_impl.h"

bool driver_is_doubtful(struct driver *d, struct hash key)
{
	struct hash none = { 0 };
	if (d->looked || hash_equal(d->options.after, none) || !hash_equal(d->options.after, key))
		return false;
	d->doubts = d->looked = true;
	return true;
}

/* The best test case was asked about again, and stands. */
static int believe(struct driver *d, struct flight f)
{
	verdicts_put(d->verdicts, f.hash, VERDICT_INTERESTING, 0);
	if (d->options.verdict &&
	    d->options.verdict(d->options.arg, f.hash, VERDICT_INTERESTING, 0, d->err) < 0)
		return -1;
	driver_tell(d, f.ask, f.hash, VERDICT_INTERESTING);
	return 0;
}

/* Cancels running tests; true when none is left. The question about the best test case stays
 * open: the outcome of the doubts answers it. */
static bool is_quiet(struct driver *d)
{
	bool quiet = true;
	for (uint32_t i = d->n_flights; i-- > 0;) {
		struct flight *f = &d->flights[i];
		bool needed = f->real && !f->is_again;
		if (f->ticket && (needed || !oracle_can_cancel(d->oracle))) {
			quiet = false;
		} else if (f->is_again) {
			oracle_cancel(d->oracle, f->ticket);
			f->ticket = 0;
		} else {
			d->stats->cancelled += !f->is_request;
			driver_cancel(d, f);
		}
	}
	return quiet;
}

enum driver_end driver_settle(struct driver *d)
{
	ahead_drop(&d->ahead);
	if (!is_quiet(d))
		return DRIVER_RUNS;
	switch (d->options.doubted(d->options.arg, reducer_newest(d->reducer), d->err)) {
	case DOUBT_FALSE:
		return DRIVER_DOUBT;
	case DOUBT_STOP:
		return DRIVER_STOPPED;
	case DOUBT_FAILED:
		return DRIVER_FAILED;
	default:
		d->doubts = false;
	}
	while (d->n_flights) {
		struct flight f = d->flights[0];
		driver_land(d, &d->flights[0]);
		if (believe(d, f) < 0)
			return DRIVER_FAILED;
	}
	return DRIVER_RUNS;
}
