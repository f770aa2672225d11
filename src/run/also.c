#include "run/also.h"

#include <sys/wait.h>

#include "base/mem.h"

/* A test that runs. */
struct open_test {
	uint64_t ticket;
	struct testcase *tc;
};

struct also {
	struct oracle oracle; /* first */
	bool wanted[ALSO_STATUSES];
	struct open_test *open;
	size_t n, cap;
	struct also_seen seen[ALSO_MOST];
	size_t n_seen;
};

static int also_submit(struct oracle *oracle, const struct oracle_request *rq, struct err *err)
{
	struct also *a = (struct also *)oracle;
	if (oracle_submit(oracle->inner, rq, err) < 0)
		return -1;
	if (rq->words || rq->output || !testcase_shown_size(rq->tc) || rq->tc->size > ORACLE_HOLDS)
		return 0;
	MEM_PUSH(a->open, a->n, a->cap,
	         (struct open_test){ rq->ticket,
	                             testcase_ref((struct testcase *)(uintptr_t)rq->tc) });
	return 0;
}

/* The candidate of TICKET, a reference; NULL: it is not followed. */
static struct testcase *take(struct also *a, uint64_t ticket)
{
	for (size_t i = 0; i < a->n; i++)
		if (a->open[i].ticket == ticket) {
			struct testcase *tc = a->open[i].tc;
			a->open[i] = a->open[--a->n];
			return tc;
		}
	return NULL;
}

void also_meet(struct oracle *oracle, int status, struct testcase *tc)
{
	struct also *a = (struct also *)oracle;
	size_t i = 0;
	while (i < a->n_seen && a->seen[i].status != status)
		i++;
	if (i == ALSO_MOST || (i < a->n_seen && testcase_compare(tc, a->seen[i].tc) >= 0))
		return;
	if (i == a->n_seen)
		a->n_seen++;
	else
		testcase_unref(a->seen[i].tc);
	a->seen[i] = (struct also_seen){ status, testcase_ref(tc) };
}

static int also_wait(struct oracle *oracle, struct answer *answer, int wake_fd, int timeout_ms,
                     struct err *err)
{
	struct also *a = (struct also *)oracle;
	int rc = oracle_wait(oracle->inner, answer, wake_fd, timeout_ms, err);
	TESTCASE_SCOPED struct testcase *tc = rc > 0 ? take(a, answer->ticket) : NULL;
	if (tc && answer->verdict == VERDICT_NOT_INTERESTING && answer->why == ANSWER_OWN &&
	    WIFEXITED(answer->status) && a->wanted[WEXITSTATUS(answer->status)])
		also_meet(oracle, WEXITSTATUS(answer->status), tc);
	return rc;
}

static void also_cancel(struct oracle *oracle, uint64_t ticket)
{
	struct also *a = (struct also *)oracle;
	testcase_unref(take(a, ticket));
	oracle_cancel(oracle->inner, ticket);
}

static void also_free(struct oracle *oracle)
{
	struct also *a = (struct also *)oracle;
	while (a->n)
		testcase_unref(a->open[--a->n].tc);
	while (a->n_seen)
		testcase_unref(a->seen[--a->n_seen].tc);
	oracle_free(oracle->inner);
	free(a->open);
	free(a);
}

struct oracle *also_new(struct oracle *inner, const bool wanted[ALSO_STATUSES])
{
	static const struct oracle_ops ops = {
		.submit = also_submit,
		.wait = also_wait,
		.cancel = also_cancel,
		.free = also_free,
	};
	struct also *a = mem_zero(1, sizeof *a);
	a->oracle = (struct oracle){ .ops = &ops, .inner = inner };
	memcpy(a->wanted, wanted, sizeof a->wanted);
	return &a->oracle;
}

const struct also_seen *also_seen(const struct oracle *oracle, size_t *n)
{
	const struct also *a = (const struct also *)oracle;
	*n = a->n_seen;
	return a->seen;
}
