#include "inproc.h"

#include <poll.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>

#include "base/err.h"
#include "base/mem.h"
#include "base/rng.h"

struct inproc {
	struct oracle oracle; /* first */
	inproc_fn *fn;
	void *arg;
	uint64_t calls;
	bool scrambled;
	struct rng rng;
	unsigned slots, n;
	struct answer pending[]; /* n of slots, in the order of the questions */
};

static unsigned inproc_slots(struct oracle *oracle, bool ahead)
{
	(void)ahead;
	const struct inproc *in = (struct inproc *)oracle;
	return in->slots - in->n;
}

static int inproc_submit(struct oracle *oracle, const struct oracle_request *request,
                         struct err *err)
{
	struct inproc *in = (struct inproc *)oracle;
	(void)err;
	if (in->n == in->slots)
		bug("a question was submitted to an oracle without a free slot");
	struct answer *a = &in->pending[in->n++];
	*a = (struct answer){ .ticket = request->ticket, .verdict = VERDICT_NOT_INTERESTING };
	if (request->words) {
		a->status = W_EXITCODE(127, 0);
		return 0;
	}
	in->calls++;
	if (in->fn(request->tc, in->arg))
		a->verdict = VERDICT_INTERESTING;
	return 0;
}

static void take_out(struct inproc *in, unsigned i)
{
	in->n--;
	memmove(&in->pending[i], &in->pending[i + 1], (in->n - i) * sizeof in->pending[0]);
}

static int inproc_wait(struct oracle *oracle, struct answer *answer, int wake_fd, int timeout_ms,
                       struct err *err)
{
	struct inproc *in = (struct inproc *)oracle;
	(void)timeout_ms;
	(void)err;
	struct pollfd wake = { .fd = wake_fd, .events = POLLIN };
	if (!in->n || (wake_fd >= 0 && poll(&wake, 1, 0) > 0))
		return 0;
	unsigned i = in->scrambled ? (unsigned)rng_below(&in->rng, in->n) : 0;
	*answer = in->pending[i];
	take_out(in, i);
	return 1;
}

static void inproc_cancel(struct oracle *oracle, uint64_t ticket)
{
	struct inproc *in = (struct inproc *)oracle;
	for (unsigned i = in->n; i-- > 0;)
		if (in->pending[i].ticket == ticket)
			take_out(in, i);
}

static void inproc_free(struct oracle *oracle)
{
	free(oracle);
}

static const struct oracle_ops inproc_ops = {
	.slots = inproc_slots,
	.submit = inproc_submit,
	.wait = inproc_wait,
	.cancel = inproc_cancel,
	.free = inproc_free,
};

struct oracle *inproc_new(inproc_fn *fn, void *arg, unsigned slots)
{
	struct inproc *in = mem_zero(1, sizeof *in + slots * sizeof in->pending[0]);
	in->oracle.ops = &inproc_ops;
	in->fn = fn;
	in->arg = arg;
	in->slots = slots;
	return &in->oracle;
}

void inproc_scramble(struct oracle *oracle, uint64_t seed)
{
	struct inproc *in = (struct inproc *)oracle;
	in->scrambled = seed != 0;
	in->rng = (struct rng){ seed };
}

uint64_t inproc_calls(const struct oracle *oracle)
{
	return ((const struct inproc *)oracle)->calls;
}
