#include "run/repeat.h"

#include "base/io.h"
#include "base/mem.h"

/* A candidate between its first run and its verdict. */
struct open_question {
	struct oracle_request rq; /* tc: a reference of ours, or NULL: `again` gives it */
	struct rate seen;
	uint64_t wall_ns;
	unsigned timeouts;
	bool waits; /* for a slot of the inner oracle */
};

struct repeat {
	struct oracle oracle; /* first */
	struct rate_rule rule;
	struct open_question *open; /* as many as are asked at a time */
	size_t n, cap, n_waiting;
};

static unsigned repeat_slots(struct oracle *oracle, bool ahead)
{
	const struct repeat *r = (struct repeat *)oracle;
	unsigned slots = oracle_slots(oracle->inner, ahead);
	return slots > r->n_waiting ? slots - (unsigned)r->n_waiting : 0;
}

static struct open_question *find(struct repeat *r, uint64_t ticket)
{
	for (size_t i = 0; i < r->n; i++)
		if (r->open[i].rq.ticket == ticket)
			return &r->open[i];
	return NULL;
}

static void forget(struct repeat *r, struct open_question *q)
{
	r->n_waiting -= q->waits;
	testcase_unref((struct testcase *)(uintptr_t)q->rq.tc);
	*q = r->open[--r->n];
}

static int repeat_submit(struct oracle *oracle, const struct oracle_request *rq, struct err *err)
{
	struct repeat *r = (struct repeat *)oracle;
	if (oracle_submit(r->oracle.inner, rq, err) < 0)
		return -1;
	if (rq->words || rq->output)
		return 0;
	MEM_GROW(r->open, r->n, r->cap);
	struct open_question *q = &r->open[r->n++];
	*q = (struct open_question){ .rq = *rq };
	q->rq.made = NULL;
	bool holds = !rq->again || rq->tc->size <= ORACLE_HOLDS;
	q->rq.tc = holds ? testcase_ref((struct testcase *)(uintptr_t)rq->tc) : NULL;
	return 0;
}

/* Another run of Q. */
static int submit_again(struct repeat *r, struct open_question *q, struct err *err)
{
	struct oracle_request rq = q->rq;
	struct testcase *tc = NULL;
	if (!rq.tc && !(rq.tc = tc = rq.again(rq.again_arg, rq.ticket))) {
		forget(r, q); /* nobody waits for it */
		return 0;
	}
	int rc = oracle_submit(r->oracle.inner, &rq, err);
	testcase_unref(tc);
	r->n_waiting -= q->waits;
	q->waits = false;
	return rc;
}

static int submit_waiting(struct repeat *r, struct err *err)
{
	for (size_t i = r->n; i-- > 0 && r->n_waiting && oracle_free_slots(r->oracle.inner);)
		if (i < r->n && r->open[i].waits && submit_again(r, &r->open[i], err) < 0)
			return -1;
	return 0;
}

/* Takes a run into account. True: *answer is what they come to. */
static bool decide(struct repeat *r, struct open_question *q, struct answer *answer)
{
	q->seen.runs++;
	q->seen.yes += answer->verdict == VERDICT_INTERESTING;
	q->timeouts += answer->verdict == VERDICT_TIMEOUT;
	if (answer->wall_ns > q->wall_ns)
		q->wall_ns = answer->wall_ns;
	enum verdict verdict = rate_decide(&r->rule, q->seen);
	if (!verdict) {
		q->waits = true;
		r->n_waiting++;
		return false;
	}
	if (verdict == VERDICT_NOT_INTERESTING && q->timeouts == q->seen.runs)
		verdict = VERDICT_TIMEOUT;
	answer->verdict = verdict;
	answer->wall_ns = q->wall_ns;
	forget(r, q);
	return true;
}

static int repeat_wait(struct oracle *oracle, struct answer *answer, int wake_fd, int timeout_ms,
                       struct err *err)
{
	struct repeat *r = (struct repeat *)oracle;
	for (;;) {
		if (submit_waiting(r, err) < 0)
			return -1;
		int rc = oracle_wait(r->oracle.inner, answer, wake_fd, timeout_ms, err);
		if (rc <= 0)
			return rc;
		struct open_question *q = find(r, answer->ticket);
		if (!q || decide(r, q, answer))
			return 1;
		if (io_is_readable(wake_fd))
			return submit_waiting(r, err);
	}
}

static void repeat_cancel(struct oracle *oracle, uint64_t ticket)
{
	struct repeat *r = (struct repeat *)oracle;
	struct open_question *q = find(r, ticket);
	bool runs = !q || !q->waits;
	if (q)
		forget(r, q);
	if (runs)
		oracle_cancel(r->oracle.inner, ticket);
}

static void repeat_free(struct oracle *oracle)
{
	struct repeat *r = (struct repeat *)oracle;
	while (r->n)
		forget(r, &r->open[r->n - 1]);
	oracle_free(r->oracle.inner);
	free(r->open);
	free(r);
}

struct oracle *repeat_new(struct oracle *inner, const struct rate_rule *rule)
{
	static const struct oracle_ops ops = {
		.slots = repeat_slots,
		.submit = repeat_submit,
		.wait = repeat_wait,
		.cancel = repeat_cancel,
		.free = repeat_free,
	};
	struct repeat *r = mem_zero(1, sizeof *r);
	r->oracle = (struct oracle){ .ops = &ops, .inner = inner };
	r->rule = *rule;
	return &r->oracle;
}

/* ---- how often ---- */

static bool wants_more(const struct repeat_survey *s, unsigned begun, uint64_t start_ns)
{
	return begun < s->least || (begun < s->most && io_now() - start_ns < s->for_ns);
}

enum { OTHER = 0 }; /* its ticket */

/* All that may still run. */
static void take_back(struct oracle *inner, unsigned begun)
{
	for (unsigned ticket = OTHER; ticket <= begun; ticket++)
		oracle_cancel(inner, ticket);
}

static void note_run(const struct answer *a, struct rate *seen, uint64_t *slowest_ns)
{
	seen->runs++;
	seen->yes += a->verdict == VERDICT_INTERESTING;
	if (a->wall_ns > *slowest_ns)
		*slowest_ns = a->wall_ns;
}

int repeat_survey(struct oracle *inner, const struct repeat_survey *s, struct rate *seen,
                  uint64_t *slowest_ns, struct err *err)
{
	const uint64_t start_ns = io_now();
	struct oracle_request rq = { .limits = s->limits };
	unsigned begun = 0, per_start = s->per_start ? s->per_start : 1;
	bool asks = s->other, waits = asks; /* the other is to be asked about, and to be answered */
	*seen = (struct rate){ 0 };
	*slowest_ns = 0;
	for (;;) {
		struct answer a = { 0 };
		while ((asks || wants_more(s, begun, start_ns)) && oracle_free_slots(inner)) {
			bool now = asks && begun >= s->least;
			asks &= !now;
			rq.ticket = now ? OTHER : ++begun;
			rq.anew = !now && begun % per_start == 0;
			rq.tc = now ? s->other : s->tc;
			if (oracle_submit(inner, &rq, err) < 0)
				return -1;
		}
		if (!waits && seen->runs == begun)
			return 0;
		int rc = oracle_wait_long(inner, &a, s->stop_fd, err);
		if (rc < 0 || io_is_readable(s->stop_fd)) {
			take_back(inner, begun);
			return rc < 0 ? -1 : 1;
		}
		if (rc && waits && a.ticket == OTHER) {
			*s->on_other = a;
			waits = false;
		} else if (rc)
			note_run(&a, seen, slowest_ns);
	}
}
