#include "run/minder_live.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/buf.h"
#include "base/mem.h"
#include "run/reap.h"

/* One question to one process. */
struct question {
	const struct wire_request *rq;
	struct attention attention;
	enum end end;
	enum dialog_state said;
	int status; /* DIALOG_ANSWER */
	bool gone;  /* could not even be asked */
};

/* ---- the process ---- */

/* A spare place, the test, its arguments: candidates come later. */
static char **live_argv(const struct setup *setup)
{
	size_t n = 0;
	while (setup->args && setup->args[n])
		n++;
	char **argv = mem_zero(n + 3, sizeof *argv);
	argv[1] = mem_strdup(setup->test);
	for (size_t i = 0; i < n; i++)
		argv[i + 2] = mem_strdup(setup->args[i]);
	return argv;
}

static int start(struct minder *m, const struct wire_request *rq)
{
	int in, out, err = minder_output(m, rq, WIRE_STDERR);
	char dir[SETS_NAME_SIZE], **argv = live_argv(m->setup);
	sets_name(dir, 'w', WIRE_LIVING);
	int rc = living_open(&m->living, &in, &out);
	if (rc == 0) {
		const struct child_spec spec = {
			.argv = argv,
			.envp = m->envp[WIRE_LIVING],
			.dir = dir,
			.in = in,
			.out = out,
			.err = err >= 0 ? err : minder_output(m, rq, WIRE_STDOUT),
			.jobs = -1,
			.memory_limit = rq->memory_limit,
			.file_limit = rq->file_limit,
			.fence = m->fence.rules,
		};
		m->living.pid = minder_start(m, &spec);
		int saved = errno;
		close(in);
		close(out);
		errno = saved;
	}
	for (char **p = argv + 1; *p; p++)
		free(*p);
	free(argv);
	if (rc == 0 && m->living.pid > 0)
		return 0;
	int saved = errno;
	if (rc == 0) {
		close(m->living.to);
		close(m->living.from);
	}
	m->living.pid = 0;
	errno = saved;
	return -1;
}

static int end_process(struct minder *m)
{
	int status = living_end(&m->living);
	m->shared->leader = 0;
	sets_renew(&m->sets, WIRE_LIVING);
	fence_slot_renew(&m->fence);
	return status;
}

void minder_live_end(struct minder *m)
{
	if (m->living.pid > 0)
		end_process(m);
}

bool minder_live_tidy(const struct minder *m)
{
	if (m->living.pid <= 0)
		return false;
	reap_strays(m->living.pid);
	return true;
}

/* ---- a question ---- */

/* The paths of the candidate, with tabs between them. */
static struct buf line_of(const struct minder *m, unsigned generation)
{
	struct buf line = { 0 };
	const char *name = m->names;
	for (uint32_t i = 0; i < m->n_names; i++, name += strlen(name) + 1) {
		char *path = minder_candidate(m, generation, name);
		buf_addf(&line, "%s%s", i ? "\t" : "", path);
		free(path);
	}
	buf_addch(&line, '\n');
	return line;
}

/* Lets a cancelled question run on for as long as a start would take. */
static enum end linger(struct minder *m, int fd, struct question *q)
{
	struct attention *a = &q->attention;
	uint64_t until = ticks_spent(&a->ticks) + m->living.first_ns;
	if (!a->limit || until < a->limit)
		a->limit = until;
	a->cancelled = true;
	return minder_watch(m, m->living.pid, fd, a);
}

static enum end listen(struct minder *m, int fd, struct question *q)
{
	for (;;) {
		enum end end = minder_watch(m, m->living.pid, fd, &q->attention);
		if (end == END_CANCELLED)
			end = linger(m, fd, q);
		if (end != END_SAYS)
			return end;
		q->said = living_hear(&m->living, &q->status);
		if (q->said != DIALOG_MORE)
			return END_SAYS;
	}
}

/* What came of the question, in the words of a test that ran. The process stays only when it has
 * answered. */
static void conclude(struct minder *m, struct question *q, struct wire_reply *answer)
{
	answer->wall_ns = ticks_spent(&q->attention.ticks);
	answer->timed_out = q->end == END_DEADLINE;
	answer->exceeded = q->attention.excess;
	if (q->end == END_SAYS && q->said == DIALOG_ANSWER) {
		if (!m->living.answers++)
			m->living.first_ns = answer->wall_ns;
		answer->status = W_EXITCODE(q->status, 0);
		return;
	}
	answer->status = end_process(m);
	if (m->shared->error)
		minder_fail(answer, (enum wire_stage)m->shared->stage, m->shared->error);
	else if (q->end == END_SAYS && q->said == DIALOG_GARBAGE)
		answer->said |= WIRE_GARBAGE;
	else if (q->end == END_SAYS || q->end == END_SELF)
		answer->said |= WIRE_SILENT;
}

/* Asks the process that lives, or starts one. */
static struct question ask(struct minder *m, const struct wire_request *rq,
                           struct wire_reply *answer)
{
	struct question q = { .rq = rq,
		              .attention = { .ticks = ticks_start(),
		                             .limit = rq->limit_ns,
		                             .meter = meter_start(rq, &m->sets) } };
	*answer = (struct wire_reply){ .kind = WIRE_ANSWER, .seq = rq->seq };
	if (m->living.pid <= 0 && start(m, rq) < 0) {
		minder_fail(answer, WIRE_FORK, errno);
		return q;
	}
	minder_phase(m, CHILD_RUNS);
	struct buf line = line_of(m, rq->generation);
	q.attention.says = m->living.from;
	q.gone = !living_ask(&m->living, line.data, line.len);
	buf_release(&line);
	int fd = ending_open(&m->ending, m->living.pid);
	if (!q.gone && fd >= 0)
		q.end = listen(m, fd, &q);
	minder_phase(m, CHILD_ENDS);
	ending_close(&m->ending, fd);
	conclude(m, &q, answer);
	return q;
}

static bool stands(const struct minder *m, const struct question *q, const struct wire_reply *a)
{
	bool answered = q->end == END_SAYS && q->said == DIALOG_ANSWER;
	const struct dialog_doubt doubt = { .end = answered ? DIALOG_ANSWERED : DIALOG_BROKEN,
		                            .status = WEXITSTATUS(a->status),
		                            .interesting = m->setup->exit_code,
		                            .no_answer = m->setup->no_answer,
		                            .due = q->rq->fresh };
	return q->attention.cancelled || q->end == END_POOL_GONE || dialog_stands(&doubt);
}

/* Asks a process that has answered before, and a fresh one when that does not stand. */
static struct question ask_twice(struct minder *m, const struct wire_request *rq,
                                 struct wire_reply *answer)
{
	bool stale = m->living.pid > 0;
	struct question q = ask(m, rq, answer), again;
	if (!stale || stands(m, &q, answer))
		return q;
	const struct wire_reply before = *answer;
	minder_live_end(m);
	again = ask(m, rq, answer);
	if (q.said == DIALOG_ANSWER && again.said == DIALOG_ANSWER &&
	    before.status != answer->status)
		answer->said |= WIRE_DIFFERS;
	return again;
}

enum end minder_live_judge(struct minder *m, const struct wire_request *rq,
                           struct wire_reply *answer)
{
	bool heard = rq->outputs; /* by somebody: by one of its own */
	if (heard || m->living.answers >= m->setup->live.answers)
		minder_live_end(m);
	struct question q = ask_twice(m, rq, answer);
	if (heard)
		minder_live_end(m);
	if (q.end == END_POOL_GONE)
		return END_POOL_GONE;
	return q.attention.cancelled ? END_CANCELLED : q.end == END_SAYS ? END_SELF : q.end;
}
