#include "scripted.h"

#include <poll.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/err.h"
#include "base/io.h"
#include "base/mem.h"

/* A question that is to be answered. */
struct open {
	uint64_t ticket, limit_ns;
	const struct scripted_line *line;
	unsigned late;
};

struct scripted {
	struct oracle oracle; /* first */
	const struct scripted_line *lines;
	size_t n_lines;
	uint32_t n_asked, cap_asked;
	struct scripted_question *asked;
	unsigned slots, n;
	struct open open[]; /* n of slots, in the order of the questions */
};

static unsigned scripted_slots(struct oracle *oracle, bool ahead)
{
	(void)ahead;
	const struct scripted *s = (struct scripted *)oracle;
	return s->slots - s->n;
}

static void note(struct scripted *s, const struct oracle_request *rq)
{
	MEM_GROW(s->asked, s->n_asked, s->cap_asked);
	s->asked[s->n_asked++] = (struct scripted_question){ .ticket = rq->ticket,
		                                             .hash = rq->tc->hash,
		                                             .limits = rq->limits,
		                                             .is_program = rq->words != NULL,
		                                             .has_output = rq->output != NULL };
}

static int scripted_submit(struct oracle *oracle, const struct oracle_request *rq, struct err *err)
{
	struct scripted *s = (struct scripted *)oracle;
	if (s->n == s->slots)
		bug("a question was submitted to an oracle without a free slot");
	size_t i = s->n_asked < s->n_lines ? s->n_asked : s->n_lines - 1;
	const struct scripted_line *line = &s->lines[i];
	note(s, rq);
	if (line->refused)
		return err_set(err, ERR_SYSTEM, "%s", line->refused);
	if (line->output && rq->output && rq->output->out >= 0)
		io_write_all(rq->output->out, line->output, strlen(line->output));
	s->open[s->n++] = (struct open){ rq->ticket, rq->limits.wall_ns, line, line->late };
	return 0;
}

static void take_out(struct scripted *s, unsigned i)
{
	s->n--;
	memmove(&s->open[i], &s->open[i + 1], (s->n - i) * sizeof s->open[0]);
}

/* The next one to be answered: the first that nobody is to overtake, or the first of all. */
static unsigned next(struct scripted *s)
{
	for (unsigned i = 0; i < s->n; i++) {
		if (!s->open[i].late)
			return i;
		s->open[i].late--;
	}
	return 0;
}

static int scripted_wait(struct oracle *oracle, struct answer *answer, int wake_fd, int timeout_ms,
                         struct err *err)
{
	struct scripted *s = (struct scripted *)oracle;
	struct pollfd wake = { .fd = wake_fd, .events = POLLIN };
	(void)timeout_ms;
	if (!s->n)
		return 0;
	unsigned i = next(s);
	const struct open open = s->open[i];
	/* Output that is being captured wakes, and does so once. */
	if (wake_fd >= 0 && !open.line->output && poll(&wake, 1, 0) > 0)
		return 0;
	take_out(s, i);
	*answer = (struct answer){ .ticket = open.ticket,
		                   .verdict = open.line->verdict,
		                   .status = open.line->status,
		                   .wall_ns = open.line->wall_ns,
		                   .limit_ns = open.limit_ns };
	return open.line->lost ? err_set(err, ERR_SYSTEM, "%s", open.line->lost) : 1;
}

static void scripted_cancel(struct oracle *oracle, uint64_t ticket)
{
	struct scripted *s = (struct scripted *)oracle;
	for (unsigned i = s->n; i-- > 0;)
		if (s->open[i].ticket == ticket)
			take_out(s, i);
	for (uint32_t i = 0; i < s->n_asked; i++)
		s->asked[i].cancelled |= s->asked[i].ticket == ticket;
}

static void scripted_free(struct oracle *oracle)
{
	free(((struct scripted *)oracle)->asked);
	free(oracle);
}

static const struct oracle_ops scripted_ops = {
	.slots = scripted_slots,
	.submit = scripted_submit,
	.wait = scripted_wait,
	.cancel = scripted_cancel,
	.free = scripted_free,
};

struct oracle *scripted_new(const struct scripted_line *lines, size_t n, unsigned slots)
{
	struct scripted *s = mem_zero(1, sizeof *s + slots * sizeof s->open[0]);
	s->oracle.ops = &scripted_ops;
	s->lines = lines;
	s->n_lines = n;
	s->slots = slots;
	return &s->oracle;
}

const struct scripted_question *scripted_asked(const struct oracle *oracle, size_t *n)
{
	const struct scripted *s = (const struct scripted *)oracle;
	*n = s->n_asked;
	return s->asked;
}
