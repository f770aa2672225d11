#include "run/minder_live.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "ask/condition.h"
#include "base/buf.h"
#include "base/mem.h"
#include "run/reap.h"
#include "run/wanted.h"

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

/* Where a fork server finds each candidate: in its directory, under the candidate's name. */
static char *fixed_path(const struct minder *m)
{
	return mem_printf("%s/%s/w%u/%.*s", m->root_path, m->slot, m->living.set,
	                  (int)strcspn(m->names, "/"), m->names);
}

/* A spare place, the words of a fork server. */
static char **fork_argv(const struct minder *m)
{
	char *operands[] = { fixed_path(m), NULL }, **words = m->setup->live.forks->words;
	size_t n = 0;
	while (words[n])
		n++;
	char **argv = mem_zero(n + 2, sizeof *argv);
	argv[1] = mem_strdup(m->setup->live.program);
	for (size_t i = 1; i < n; i++)
		argv[i + 1] = condition_word(words[i], operands);
	free(operands[0]);
	return argv;
}

/* A spare place, the test, its arguments: candidates come later. */
static char **live_argv(const struct minder *m)
{
	const struct setup *setup = m->setup;
	size_t n = 0;
	if (setup->live.forks)
		return fork_argv(m);
	while (setup->args && setup->args[n])
		n++;
	char **argv = mem_zero(n + 3, sizeof *argv);
	argv[1] = mem_strdup(setup->test);
	for (size_t i = 0; i < n; i++)
		argv[i + 2] = mem_strdup(setup->args[i]);
	return argv;
}

static void free_argv(char **argv)
{
	for (char **p = argv + 1; *p; p++)
		free(*p);
	free(argv);
}

/* Starts it between the pipes whose ends IN and OUT are. */
static pid_t start_between(struct minder *m, const struct wire_request *rq, int in, int out)
{
	int seen = minder_output(m, rq, WIRE_STDOUT), err = minder_output(m, rq, WIRE_STDERR);
	bool forks = m->living.forks;
	char dir[SETS_NAME_SIZE];
	sets_name(dir, 'w', m->living.set);
	const struct child_spec spec = {
		.argv = live_argv(m),
		.envp = m->envp[m->living.set],
		.dir = dir,
		.in = forks ? m->living.input : in,
		.out = forks ? seen : out,
		.asks = forks ? in : 0,
		.answers = forks ? out : 0,
		.err = err >= 0 ? err : seen,
		.jobs = -1,
		.memory_limit = rq->memory_limit,
		.file_limit = rq->file_limit,
		.fence = m->fence.rules,
	};
	pid_t pid = minder_start(m, &spec);
	int saved = errno;
	free_argv(spec.argv);
	errno = saved;
	return pid;
}

static int start(struct minder *m, const struct wire_request *rq)
{
	int in, out;
	if (living_open(&m->living, m->setup->live.forks, &in, &out) < 0)
		return -1;
	m->living.pid = start_between(m, rq, in, out);
	int saved = errno;
	close(in);
	close(out);
	if (m->living.pid > 0)
		return 0;
	living_close(&m->living);
	m->living.pid = 0;
	errno = saved;
	return -1;
}

static int end_process(struct minder *m)
{
	int status = living_end(&m->living, m->aside.pid);
	m->shared->leader = m->aside.pid;
	sets_renew(&m->sets, m->living.set);
	if (!m->aside.pid)
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
	reap_strays(m->living.pid, 0);
	return true;
}

void minder_live_clear(struct minder *m)
{
	if (!m->living.forks)
		return;
	if (!sets_clear(&m->sets, m->living.set))
		end_process(m);
	else if (fence_slot_used(&m->fence))
		m->living.fresh = false;
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

/* Makes FROM what a fork server's processes read. */
static bool copy_input(int to, int from)
{
	char chunk[1 << 14];
	off_t at = 0;
	struct stat st;
	if (fcntl(to, F_SETFL, 0) < 0) /* as they may have set it to append */
		return false;
	for (;;) {
		ssize_t n = io_read_all(from, chunk, sizeof chunk);
		if (n < 0 || (n > 0 && pwrite(to, chunk, (size_t)n, at) != n))
			return false;
		at += n;
		if ((size_t)n < sizeof chunk)
			break;
	}
	if (fstat(to, &st) < 0 || (st.st_size != at && ftruncate(to, at) < 0))
		return false;
	return lseek(to, 0, SEEK_SET) == 0;
}

/* Puts the candidate where a fork server looks for it: under its path, and on its standard input,
 * which a directory does not have. */
static bool place(struct minder *m, unsigned generation)
{
	char *fixed = fixed_path(m), *path = minder_candidate(m, generation, m->names);
	unlink(fixed); /* of the last candidate, if that was asked about twice */
	bool placed = symlink(path, fixed) == 0;
	free(fixed);
	free(path);
	if (!placed || m->names[strlen(m->names) - 1] == '/')
		return placed;
	int from = sets_open_candidate(&m->sets, generation, m->names);
	placed = from >= 0 && copy_input(m->living.input, from);
	if (from >= 0)
		close(from);
	return placed;
}

/* As minder_watch. What takes long may need all processors. */
static enum end watch(struct minder *m, int fd, struct attention *a)
{
	uint64_t limit = a->limit;
	if (!nearby_holds(&m->near, m->living.pid) || (limit && limit <= NEARBY_NS))
		return minder_watch(m, m->living.pid, fd, a);
	a->limit = NEARBY_NS;
	enum end end = minder_watch(m, m->living.pid, fd, a);
	a->limit = limit;
	if (end != END_DEADLINE)
		return end;
	nearby_let_go(&m->near, (pid_t)m->living.server.child);
	return minder_watch(m, m->living.pid, fd, a);
}

static enum end listen(struct minder *m, int fd, struct question *q)
{
	for (;;) {
		q->attention.takes = m->living.left ? m->living.to : -1;
		enum end end = watch(m, fd, &q->attention);
		if (end == END_CANCELLED)
			end = linger(m, fd, q);
		if (end == END_TAKES && living_go_on(&m->living))
			continue;
		if (end != END_SAYS)
			return end == END_TAKES ? END_SELF : end; /* it hears no more */
		q->said = living_hear(&m->living, &q->status);
		if (q->said != DIALOG_MORE)
			return END_SAYS;
	}
}

/* Finds out, once, whether each answer is that of a fresh process. */
static void note_freshness(struct living *l, int status)
{
	if (l->forks && !l->answers)
		l->fresh = living_keeps_apart(l);
	if (WIFSTOPPED(status)) /* what has stopped may go on with the next candidate */
		l->fresh = false;
}

/* What came of the question, in the words of a test that ran. The process stays only when it has
 * answered. */
static void conclude(struct minder *m, struct question *q, struct wire_reply *answer)
{
	answer->wall_ns = ticks_spent(&q->attention.ticks);
	answer->timed_out = q->end == END_DEADLINE;
	answer->exceeded = q->attention.excess;
	if (q->end == END_SAYS && q->said == DIALOG_ANSWER) {
		note_freshness(&m->living, q->status);
		nearby_note(&m->near, answer->wall_ns);
		if (!m->living.answers++)
			m->living.first_ns = answer->wall_ns;
		answer->status = m->living.forks ? q->status : W_EXITCODE(q->status, 0);
		return;
	}
	bool early = child_killed_early(m->living.pid);
	answer->status = end_process(m);
	if (early)
		minder_fail(answer, WIRE_EARLY, EINTR);
	else if (m->shared->error)
		minder_fail(answer, (enum wire_stage)m->shared->stage, m->shared->error);
	else if (q->end == END_SAYS && q->said == DIALOG_GARBAGE)
		answer->said |= m->setup->live.forks ? WIRE_GARBLED : WIRE_GARBAGE;
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
	if (m->living.forks && !place(m, rq->generation)) {
		minder_fail(answer, WIRE_STDIN, errno);
		end_process(m);
		return q;
	}
	if (m->living.forks)
		nearby_hold(&m->near, m->living.pid);
	minder_phase(m, CHILD_RUNS);
	struct buf line = line_of(m, rq->generation);
	q.attention.says = m->living.from;
	q.gone = !living_ask(&m->living, line.data, line.len);
	int fd = ending_open(&m->ending, m->living.pid);
	if (!q.gone && fd >= 0)
		q.end = listen(m, fd, &q);
	m->living.dialog = (struct dialog){ 0 };
	buf_release(&line);
	minder_phase(m, CHILD_ENDS);
	ending_close(&m->ending, fd);
	conclude(m, &q, answer);
	return q;
}

static bool stands(const struct minder *m, const struct question *q, struct wire_reply *a)
{
	bool answered = q->end == END_SAYS && q->said == DIALOG_ANSWER;
	bool yes = answered && !m->living.fresh && wanted_status(m->setup, a->status);
	const struct dialog_doubt doubt = {
		.end = answered ? DIALOG_ANSWERED : DIALOG_BROKEN,
		.interesting = yes && !(q->rq->living & WIRE_CLAIMS),
		.no_answer = m->setup->no_answer && WEXITSTATUS(a->status) == m->setup->no_answer,
		.due = q->rq->living & WIRE_FRESH ||
		       (q->rq->living & WIRE_APART && !m->living.fresh)
	};
	bool sound = dialog_stands(&doubt);
	if (yes && sound)
		a->said |= WIRE_CLAIMED;
	return q->attention.cancelled || q->end == END_POOL_GONE || sound;
}

static void exchange(struct minder *m)
{
	struct living other = m->aside;
	m->aside = m->living;
	m->living = other;
	m->shared->leader = m->living.pid;
}

/* Lets the process that has answered stay while a fresh one is asked: it has loaded its libraries
 * and compiled its code. Not when the fresh one would see what it has left in the private
 * directories, or when its share of the slot's limits counts. */
static bool set_aside(struct minder *m)
{
	if (m->living.pid <= 0 || m->living.forks || m->setup->groups)
		return false;
	reap_strays(m->living.pid, 0);
	if (fence_slot_used(&m->fence))
		return false;
	exchange(m);
	m->living =
		(struct living){ .first_ns = m->aside.first_ns,
		                 .set = m->aside.set == WIRE_LIVING ? WIRE_BESIDE : WIRE_LIVING };
	m->sets.living = m->living.set;
	return true;
}

/* The end of that: one process stays, the fresh one only if the other one answers otherwise. */
static void take_back(struct minder *m, bool differs)
{
	bool over = living_is_over(&m->aside);
	if (differs || over)
		exchange(m);
	minder_live_end(m);
	exchange(m);
	m->sets.living = m->living.set;
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
	bool stays = set_aside(m);
	if (!stays)
		minder_live_end(m);
	again = ask(m, rq, answer);
	bool differs = q.said == DIALOG_ANSWER && again.said == DIALOG_ANSWER &&
	               before.status != answer->status;
	if (differs)
		answer->said |= WIRE_DIFFERS;
	if (stays)
		take_back(m, differs);
	return again;
}

enum end minder_live_judge(struct minder *m, const struct wire_request *rq,
                           struct wire_reply *answer)
{
	bool heard = rq->outputs;                              /* by somebody: by one of its own */
	bool due = m->living.fresh && rq->living & WIRE_FRESH; /* would say the same before */
	if (heard || due || m->living.answers >= m->setup->live.answers)
		minder_live_end(m);
	struct question q = ask_twice(m, rq, answer);
	if (heard)
		minder_live_end(m);
	if (q.end == END_POOL_GONE)
		return END_POOL_GONE;
	return q.attention.cancelled ? END_CANCELLED : q.end == END_SAYS ? END_SELF : q.end;
}
