#include "run/supervisor.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "base/buf.h"
#include "base/io.h"
#include "base/mem.h"
#include "ask/condition.h"
#include "run/supervisor_watch.h"
#include "run/reap.h"
#include "run/testenv.h"
#include "run/setup.h"

/* Of this process. */
static struct own_limits own_limits(void)
{
	struct own_limits limits = { 0 };
	for (int i = 0; i < RLIM_NLIMITS; i++)
		getrlimit((__rlimit_resource_t)i, &limits.list[i]);
	return limits;
}

/* Are they still those? */
static bool own_limits_hold(const struct own_limits *limits)
{
	struct own_limits now = own_limits();
	for (int i = 0; i < RLIM_NLIMITS; i++)
		if (now.list[i].rlim_cur != limits->list[i].rlim_cur ||
		    now.list[i].rlim_max != limits->list[i].rlim_max)
			return false;
	return true;
}

enum { START_TRIES = 1000, START_PAUSE_NS = 10000000 }; /* ten seconds in all */

/* The path of the first file, where the supervisor finds it. */
static char *first_file(const struct supervisor *m, unsigned generation)
{
	return mem_printf("%c%u/%s", m->sets.candidate, generation, m->names);
}

/* Keeps the socket and the pool's directory. */
static void keep_descriptors(struct supervisor *m, const struct supervisor_spec *spec)
{
	m->sock = fcntl(spec->sock, F_DUPFD_CLOEXEC, STDERR_FILENO + 1);
	m->root = fcntl(spec->workdir->fd, F_DUPFD_CLOEXEC, STDERR_FILENO + 1);
	if (m->sock < 0 || m->root < 0)
		_exit(1);
	const int keep[] = { m->sock, m->root };
	child_close_others(keep, 2);
}

/* Signals: all blocked (child.h), none caught or ignored. The limit that is the same for all tests
 * and that a supervisor itself cannot hit is set here, once. */
static void seclude(void)
{
	sigset_t all;
	sigfillset(&all);
	sigprocmask(SIG_SETMASK, &all, NULL);
	for (int i = 1; i < NSIG; i++)
		signal(i, SIG_DFL);
	setsid();
	prctl(PR_SET_CHILD_SUBREAPER, 1);
	setrlimit(RLIMIT_CORE, &(struct rlimit){ 0, 0 });
}

static char **make_env(const struct supervisor *m, unsigned generation)
{
	MEM_SCOPED char *tmpdir = mem_printf("%s/%s/t%u", m->root_path, m->slot, generation);
	MEM_SCOPED char *fifo = mem_printf("%s/%s/j%u", m->root_path, m->slot, generation);
	return testenv_make(m->setup, tmpdir, fifo);
}

/* The path of the candidate's file NAME, the caller's. */
static char *supervisor_candidate(const struct supervisor *m, unsigned generation, const char *name)
{
	char *path = mem_printf("%s/%s/%c%u/%s", m->root_path, m->slot, m->sets.candidate,
	                        generation, name);
	size_t len = strlen(path);
	if (path[len - 1] == '/') /* a directory */
		path[len - 1] = '\0';
	return path;
}

/* A spare place, the words of a command, the candidate's paths. */
static char **command_argv(const struct supervisor *m, const struct wire_request *rq)
{
	size_t n = 0;
	for (uint32_t i = 0; i < rq->words_len; i++)
		n += !m->words[i];
	char **argv = mem_zero(2 + n + m->n_names, sizeof *argv), **to = argv + 1;
	for (const char *word = m->words; n--; word += strlen(word) + 1)
		*to++ = mem_strdup(word);
	const char *name = m->names;
	for (uint32_t i = 0; i < m->n_names; i++, name += strlen(name) + 1)
		*to++ = supervisor_candidate(m, rq->generation, name);
	return argv;
}

/* A spare place, the test, its arguments, the candidate's paths. */
static char **make_argv(const struct supervisor *m, unsigned generation)
{
	size_t n = mem_count_words(m->setup->args);
	char **argv = mem_zero(2 + n + m->n_names + 1, sizeof *argv), **to = argv + 1;
	*to++ = mem_strdup(m->setup->test);
	for (size_t i = 0; i < n; i++)
		*to++ = mem_strdup(m->setup->args[i]);
	if (!(m->setup->input & SETUP_INPUT_ARG))
		return argv;
	const char *name = m->names;
	for (uint32_t i = 0; i < m->n_names; i++, name += strlen(name) + 1)
		*to++ = supervisor_candidate(m, generation, name);
	return argv;
}

static void free_argv(char **argv)
{
	for (char **p = argv ? argv + 1 : NULL; p && *p; p++)
		free(*p);
	free(argv);
}

/* Other names than those of the request before. */
static void take_names(struct supervisor *m, const struct wire_request *rq)
{
	m->n_names = rq->n_names;
	m->names_len = rq->names_len;
	for (unsigned g = 0; g < WIRE_SETS; g++) {
		free_argv(m->argv[g]);
		m->argv[g] = make_argv(m, g);
	}
}

/* False when the pool is gone. */
static bool next_request(struct supervisor *m, struct wire_request *rq)
{
	if (!wire_receive_request(m->sock, rq, &m->names, &m->words, m->output))
		return false;
	if (rq->names_len)
		take_names(m, rq);
	return true;
}

static void reply(const struct supervisor *m, const struct wire_reply *answer)
{
	wire_send(m->sock, answer, sizeof *answer, NULL,
	          0); /* that the pool is gone shows at the next request */
}

/* Empties the directories of a test. */
static void clean(struct supervisor *m, unsigned generation)
{
	if (m->n_names == 1 &&
	    generation != WIRE_STANDING) { /* most often there is nothing but this file */
		MEM_SCOPED char *file = first_file(m, generation);
		unlink(file);
	}
	sets_renew(&m->sets, generation);
}

/* The descriptor for WHICH of those that came with RQ; -1: none. */
static int supervisor_output(const struct supervisor *m, const struct wire_request *rq,
                             enum wire_output which)
{
	if (!(rq->outputs & which))
		return -1;
	int first = which == WIRE_STDERR && (rq->outputs & WIRE_STDOUT) ? 1 : 0;
	return m->output[first];
}

static void close_outputs(struct supervisor *m)
{
	for (int i = 0; i < WIRE_FDS; i++) {
		io_close(m->output[i]);
		m->output[i] = -1;
	}
}

/* Starts SPEC, and closes what came with the request. Its pid, or -1 with errno. */
static pid_t supervisor_start(struct supervisor *m, const struct child_spec *spec)
{
	supervisor_phase(m, CHILD_STARTS); /* before: the test may hold us at once */
	pid_t pid = child_start(spec, m->shared);
	/* Out of processes: others end, too. It would be a pity about the hours behind us. */
	for (int tries = 0; pid < 0 && errno == EAGAIN && tries < START_TRIES; tries++) {
		nanosleep(&(struct timespec){ .tv_nsec = START_PAUSE_NS }, NULL);
		m->shared->beat++;
		pid = child_start(spec, m->shared);
	}
	int saved = errno;
	supervisor_phase(m, CHILD_RUNS);
	close_outputs(m);
	errno = saved;
	return pid;
}

static pid_t start(struct supervisor *m, const struct wire_request *rq, int in)
{
	char dir[SETS_NAME_SIZE];
	sets_name(dir, 'w', rq->generation);
	bool command = rq->words_len != 0;
	const struct child_spec spec = {
		.argv = command ? command_argv(m, rq) : m->argv[rq->generation],
		.envp = m->envp[rq->generation],
		.dir = dir,
		.in = in,
		.out = supervisor_output(m, rq, WIRE_STDOUT),
		.err = supervisor_output(m, rq, WIRE_STDERR),
		.memory_limit = rq->memory_limit,
		.file_limit = rq->file_limit,
		.cpu_limit_s = rq->cpu_limit_s,
		.fence = m->fence.rules,
	};
	pid_t pid = supervisor_start(m, &spec);
	int saved = errno;
	if (command)
		free_argv(spec.argv);
	errno = saved;
	return pid;
}

/* A supervisor's side of a test that stays alive (persistent.h): which process is asked, and what
 * becomes of its answer. The answer of one that has answered before stands only as persistent.h
 * says; else a fresh one is asked, whose answer counts. */

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
static char *fixed_path(const struct supervisor *m)
{
	return mem_printf("%s/%s/w%u/%.*s", m->root_path, m->slot, m->persistent.set,
	                  (int)strcspn(m->names, "/"), m->names);
}

/* A spare place, the words of a fork server. */
static char **fork_argv(const struct supervisor *m)
{
	char *operands[] = { fixed_path(m), NULL }, **words = m->setup->live.forks->words;
	size_t n = mem_count_words(words);
	char **argv = mem_zero(n + 2, sizeof *argv);
	argv[1] = mem_strdup(m->setup->live.program);
	for (size_t i = 1; i < n; i++)
		argv[i + 1] = condition_word(words[i], operands);
	free(operands[0]);
	return argv;
}

/* A spare place, the test, its arguments: candidates come later. */
static char **live_argv(const struct supervisor *m)
{
	const struct setup *setup = m->setup;
	size_t n = mem_count_words(setup->args);
	if (setup->live.forks)
		return fork_argv(m);
	char **argv = mem_zero(n + 3, sizeof *argv);
	argv[1] = mem_strdup(setup->test);
	for (size_t i = 0; i < n; i++)
		argv[i + 2] = mem_strdup(setup->args[i]);
	return argv;
}

/* Starts it between the pipes whose ends IN and OUT are. */
static pid_t start_between(struct supervisor *m, const struct wire_request *rq, int in, int out)
{
	int seen = supervisor_output(m, rq, WIRE_STDOUT),
	    err = supervisor_output(m, rq, WIRE_STDERR);
	bool forks = m->persistent.forks;
	char dir[SETS_NAME_SIZE];
	sets_name(dir, 'w', m->persistent.set);
	const struct child_spec spec = {
		.argv = live_argv(m),
		.envp = m->envp[m->persistent.set],
		.dir = dir,
		.in = forks ? m->persistent.input : in,
		.out = forks ? seen : out,
		.asks = forks ? in : 0,
		.answers = forks ? out : 0,
		.err = err >= 0 ? err : seen,
		.memory_limit = rq->memory_limit,
		.file_limit = rq->file_limit,
		.fence = m->fence.rules,
	};
	pid_t pid = supervisor_start(m, &spec);
	int saved = errno;
	free_argv(spec.argv);
	errno = saved;
	return pid;
}

static int start_persistent(struct supervisor *m, const struct wire_request *rq)
{
	int in, out;
	if (persistent_open(&m->persistent, m->setup->live.forks, &in, &out) < 0)
		return -1;
	m->persistent.pid = start_between(m, rq, in, out);
	int saved = errno;
	close(in);
	close(out);
	if (m->persistent.pid > 0)
		return 0;
	persistent_close(&m->persistent);
	m->persistent.pid = 0;
	errno = saved;
	return -1;
}

static int end_process(struct supervisor *m)
{
	int status = persistent_end(&m->persistent, m->aside.pid);
	m->shared->leader = m->aside.pid;
	sets_renew(&m->sets, m->persistent.set);
	if (!m->aside.pid)
		fence_slot_renew(&m->fence);
	return status;
}

/* Ends the persistent test, if there is one, and empties its directories. */
static void supervisor_live_end(struct supervisor *m)
{
	if (m->persistent.pid > 0)
		end_process(m);
}

/* After a question: ends what the test has left running beside it. False when no test lives. */
static bool supervisor_live_tidy(const struct supervisor *m)
{
	if (m->persistent.pid <= 0)
		return false;
	reap_strays(m->persistent.pid, 0);
	return true;
}

/* After the answer, when a test lives: removes what a fork server's process has left, so that the
 * next one finds nothing. If that is not possible, the server ends. */
static void supervisor_live_clear(struct supervisor *m)
{
	if (!m->persistent.forks)
		return;
	if (!sets_clear(&m->sets, m->persistent.set))
		end_process(m);
	else if (fence_slot_used(&m->fence))
		m->persistent.fresh = false;
}

/* ---- a question ---- */

/* The paths of the candidate, with tabs between them. */
static struct buf line_of(const struct supervisor *m, unsigned generation)
{
	struct buf line = { 0 };
	const char *name = m->names;
	for (uint32_t i = 0; i < m->n_names; i++, name += strlen(name) + 1) {
		MEM_SCOPED char *path = supervisor_candidate(m, generation, name);
		buf_addf(&line, "%s%s", i ? "\t" : "", path);
	}
	buf_addch(&line, '\n');
	return line;
}

/* Lets a cancelled question run on for as long as a start_persistent would take. */
static enum end linger(struct supervisor *m, int fd, struct question *q)
{
	struct attention *a = &q->attention;
	uint64_t until = ticks_spent(&a->ticks) + m->persistent.first_ns;
	if (!a->limit || until < a->limit)
		a->limit = until;
	a->cancelled = true;
	return supervisor_watch(m, m->persistent.pid, fd, a);
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
static bool place(struct supervisor *m, unsigned generation)
{
	MEM_SCOPED char *fixed = fixed_path(m),
			*path = supervisor_candidate(m, generation, m->names);
	unlink(fixed); /* of the last candidate, if that was asked about twice */
	bool placed = symlink(path, fixed) == 0;
	if (!placed || m->names[strlen(m->names) - 1] == '/')
		return placed;
	IO_SCOPED int from = sets_open_candidate(&m->sets, generation, m->names);
	return from >= 0 && copy_input(m->persistent.input, from);
}

/* As supervisor_watch. What takes long may need all processors. */
static enum end watch(struct supervisor *m, int fd, struct attention *a)
{
	uint64_t limit = a->limit;
	if (!affinity_holds(&m->near, m->persistent.pid) || (limit && limit <= NEARBY_NS))
		return supervisor_watch(m, m->persistent.pid, fd, a);
	a->limit = NEARBY_NS;
	enum end end = supervisor_watch(m, m->persistent.pid, fd, a);
	a->limit = limit;
	if (end != END_DEADLINE)
		return end;
	affinity_let_go(&m->near, (pid_t)m->persistent.server.child);
	return supervisor_watch(m, m->persistent.pid, fd, a);
}

static enum end listen(struct supervisor *m, int fd, struct question *q)
{
	for (;;) {
		q->attention.takes = m->persistent.left ? m->persistent.to : -1;
		enum end end = watch(m, fd, &q->attention);
		if (end == END_CANCELLED)
			end = linger(m, fd, q);
		if (end == END_TAKES && persistent_go_on(&m->persistent))
			continue;
		if (end != END_SAYS)
			return end == END_TAKES ? END_SELF : end; /* it hears no more */
		q->said = persistent_hear(&m->persistent, &q->status);
		if (q->said != DIALOG_MORE)
			return END_SAYS;
	}
}

/* Finds out, once, whether each answer is that of a fresh process. */
static void note_freshness(struct persistent *l, int status)
{
	if (l->forks && !l->answers)
		l->fresh = persistent_keeps_apart(l);
	if (WIFSTOPPED(status)) /* what has stopped may go on with the next candidate */
		l->fresh = false;
}

/* What came of the question, in the words of a test that ran. The process stays only when it has
 * answered. */
static void conclude(struct supervisor *m, struct question *q, struct wire_reply *answer)
{
	answer->wall_ns = ticks_spent(&q->attention.ticks);
	answer->timed_out = q->end == END_DEADLINE;
	answer->exceeded = q->attention.excess;
	if (q->end == END_SAYS && q->said == DIALOG_ANSWER) {
		note_freshness(&m->persistent, q->status);
		affinity_note(&m->near, answer->wall_ns);
		if (!m->persistent.answers++)
			m->persistent.first_ns = answer->wall_ns;
		answer->status = m->persistent.forks ? q->status : W_EXITCODE(q->status, 0);
		return;
	}
	bool early = child_killed_early(m->persistent.pid);
	answer->status = end_process(m);
	if (early)
		supervisor_fail(answer, WIRE_EARLY, EINTR);
	else if (m->shared->error)
		supervisor_fail(answer, (enum wire_stage)m->shared->stage, m->shared->error);
	else if (q->end == END_SAYS && q->said == DIALOG_GARBAGE)
		answer->said |= m->setup->live.forks ? WIRE_GARBLED : WIRE_GARBAGE;
	else if (q->end == END_SAYS || q->end == END_SELF)
		answer->said |= WIRE_SILENT;
}

/* Asks the process that lives, or starts one. */
static struct question ask(struct supervisor *m, const struct wire_request *rq,
                           struct wire_reply *answer)
{
	struct question q = { .rq = rq,
		              .attention = { .ticks = ticks_start(),
		                             .limit = rq->limit_ns,
		                             .meter = limits_meter_start(rq, &m->sets) } };
	*answer = (struct wire_reply){ .kind = WIRE_ANSWER, .seq = rq->seq };
	if (m->persistent.pid <= 0 && start_persistent(m, rq) < 0) {
		supervisor_fail(answer, WIRE_FORK, errno);
		return q;
	}
	if (m->persistent.forks && !place(m, rq->generation)) {
		supervisor_fail(answer, WIRE_STDIN, errno);
		end_process(m);
		return q;
	}
	if (m->persistent.forks)
		affinity_hold(&m->near, m->persistent.pid);
	supervisor_phase(m, CHILD_RUNS);
	struct buf line = line_of(m, rq->generation);
	q.attention.says = m->persistent.from;
	q.gone = !persistent_ask(&m->persistent, line.data, line.len);
	int fd = ending_open(&m->ending, m->persistent.pid);
	if (!q.gone && fd >= 0)
		q.end = listen(m, fd, &q);
	m->persistent.dialog = (struct dialog){ 0 };
	buf_release(&line);
	supervisor_phase(m, CHILD_ENDS);
	ending_close(&m->ending, fd);
	conclude(m, &q, answer);
	return q;
}

static bool stands(const struct supervisor *m, const struct question *q, struct wire_reply *a)
{
	bool answered = q->end == END_SAYS && q->said == DIALOG_ANSWER;
	bool yes = answered && !m->persistent.fresh && wanted_status(m->setup, a->status);
	const struct dialog_doubt doubt = {
		.end = answered ? DIALOG_ANSWERED : DIALOG_BROKEN,
		.interesting = yes && !(q->rq->persistent & WIRE_CLAIMS),
		.no_answer = m->setup->no_answer && WEXITSTATUS(a->status) == m->setup->no_answer,
		.due = q->rq->persistent & WIRE_FRESH ||
		       (q->rq->persistent & WIRE_APART && !m->persistent.fresh)
	};
	bool sound = dialog_stands(&doubt);
	if (yes && sound)
		a->said |= WIRE_CLAIMED;
	return q->attention.cancelled || q->end == END_POOL_GONE || sound;
}

static void exchange(struct supervisor *m)
{
	struct persistent other = m->aside;
	m->aside = m->persistent;
	m->persistent = other;
	m->shared->leader = m->persistent.pid;
}

/* Lets the process that has answered stay while a fresh one is asked: it has loaded its libraries
 * and compiled its code. Not when the fresh one would see what it has left in the private
 * directories, or when its share of the slot's limits counts. */
static bool set_aside(struct supervisor *m)
{
	if (m->persistent.pid <= 0 || m->persistent.forks || m->setup->groups)
		return false;
	reap_strays(m->persistent.pid, 0);
	if (fence_slot_used(&m->fence))
		return false;
	exchange(m);
	m->persistent =
		(struct persistent){ .first_ns = m->aside.first_ns,
		                     .set = m->aside.set == WIRE_PERSISTENT ? WIRE_BESIDE
		                                                            : WIRE_PERSISTENT };
	m->sets.persistent = m->persistent.set;
	return true;
}

/* The end of that: one process stays, the fresh one only if the other one answers otherwise. */
static void take_back(struct supervisor *m, bool differs)
{
	bool over = persistent_is_over(&m->aside);
	if (differs || over)
		exchange(m);
	supervisor_live_end(m);
	exchange(m);
	m->sets.persistent = m->persistent.set;
}

/* Asks a process that has answered before, and a fresh one when that does not stand. */
static struct question ask_twice(struct supervisor *m, const struct wire_request *rq,
                                 struct wire_reply *answer)
{
	bool stale = m->persistent.pid > 0;
	struct question q = ask(m, rq, answer), again;
	if (!stale || stands(m, &q, answer))
		return q;
	const struct wire_reply before = *answer;
	bool stays = set_aside(m);
	if (!stays)
		supervisor_live_end(m);
	again = ask(m, rq, answer);
	bool differs = q.said == DIALOG_ANSWER && again.said == DIALOG_ANSWER &&
	               before.status != answer->status;
	if (differs)
		answer->said |= WIRE_DIFFERS;
	if (stays)
		take_back(m, differs);
	return again;
}

/* Asks about the candidate of RQ, fills the answer. A cancelled question may be let run to its end,
 * for as long as a start takes, so that the process need not be started anew. */
static enum end supervisor_live_judge(struct supervisor *m, const struct wire_request *rq,
                                      struct wire_reply *answer)
{
	bool heard = rq->outputs; /* by somebody: by one of its own */
	bool due =
		m->persistent.fresh && rq->persistent & WIRE_FRESH; /* would say the same before */
	if (heard || due || m->persistent.answers >= m->setup->live.answers)
		supervisor_live_end(m);
	struct question q = ask_twice(m, rq, answer);
	if (heard)
		supervisor_live_end(m);
	if (q.end == END_POOL_GONE)
		return END_POOL_GONE;
	return q.attention.cancelled ? END_CANCELLED : q.end == END_SAYS ? END_SELF : q.end;
}

/* Waits for the leader until its deadline and ends its group, whose number is safe to use until the
 * leader is reaped. */
static enum end attend(struct supervisor *m, pid_t pid, struct attention *a,
                       struct wire_reply *answer)
{
	enum end end = END_DEADLINE;
	int fd = ending_open(&m->ending, pid);
	if (fd < 0)
		supervisor_fail(answer, WIRE_FORK, errno);
	else
		end = supervisor_watch(m, pid, fd, a);
	supervisor_phase(m, CHILD_ENDS);
	ending_close(&m->ending, fd);
	if (end != END_SELF)
		kill(pid, SIGKILL);
	else if (child_killed_early(pid))
		supervisor_fail(answer, WIRE_EARLY, EINTR);
	kill(-pid, SIGKILL);
	while (waitpid(pid, &answer->status, 0) < 0 && errno == EINTR)
		;
	return end;
}

/* Whether the candidate can be where the test is to find it; else the answer says so. */
static bool can_run(const struct supervisor *m, struct wire_reply *answer)
{
	bool holds = workdir_holds(m->root_path, m->slot, dirfd(m->sets.dir));
	if (m->fence.error)
		supervisor_fail(answer, WIRE_FENCE, m->fence.error);
	else if (!holds) /* since the pool wrote it: by a cancelled test */
		supervisor_fail(answer, WIRE_CHDIR, ENOENT);
	return !m->fence.error && holds;
}

/* Runs the test of RQ, fills the answer. */
static enum end judge(struct supervisor *m, const struct wire_request *rq,
                      struct wire_reply *answer)
{
	int in = -1;
	if (!can_run(m, answer))
		return END_SELF;
	if (m->setup->live.answers && !rq->words_len)
		return supervisor_live_judge(m, rq, answer);
	supervisor_live_end(m);
	if ((m->setup->input & SETUP_INPUT_STDIN) && m->n_names &&
	    m->names[strlen(m->names) - 1] != '/') { /* not of a directory */
		in = sets_open_candidate(&m->sets, rq->generation, m->names);
		if (in < 0) {
			supervisor_fail(answer, WIRE_STDIN, errno);
			return END_SELF;
		}
	}
	struct attention a = { .says = -1,
		               .takes = -1,
		               .ticks = ticks_start(),
		               .limit = rq->limit_ns,
		               .meter = limits_meter_start(rq, &m->sets) };
	pid_t pid = start(m, rq, in);
	if (pid < 0)
		supervisor_fail(answer, WIRE_FORK, errno);
	io_close(in);
	enum end end = pid < 0 ? END_SELF : attend(m, pid, &a, answer);
	if (pid < 0)
		return END_SELF;
	answer->wall_ns = ticks_spent(&a.ticks);
	answer->timed_out = end == END_DEADLINE;
	answer->exceeded = a.excess;
	if (m->shared->error)
		supervisor_fail(answer, (enum wire_stage)m->shared->stage, m->shared->error);
	return end;
}

static void run(struct supervisor *m, const struct wire_request *rq)
{
	struct wire_reply answer = { .kind = WIRE_ANSWER, .seq = rq->seq };
	enum end end = judge(m, rq, &answer);
	close_outputs(m); /* of what could not be started */
	bool lives = supervisor_live_tidy(m);
	if (!lives) {
		reap_descendants();
		m->shared->leader = 0;
	}
	/* Whether that was in time to spoil the answer is chance: it is none. */
	bool lowered = !own_limits_hold(&m->limits);
	if (lowered && end != END_CANCELLED)
		_exit(MINDER_LOWERED);
	if (end == END_SELF) { /* by itself: what it has left is what it has written */
		const struct limits_meter meter = limits_meter_start(rq, &m->sets);
		answer.exceeded = limits_meter_end(&meter, answer.wall_ns);
	}
	if (end == END_SELF || end == END_DEADLINE || end == END_EXCESS)
		reply(m, &answer);
	supervisor_phase(m, CHILD_NONE);
	if (lives)
		supervisor_live_clear(m);
	else
		fence_slot_renew(&m->fence);
	clean(m, rq->generation);
	if (end == END_CANCELLED)
		reply(m, &(struct wire_reply){ .kind = WIRE_CANCELLED, .seq = rq->seq });
	if (lowered)
		_exit(MINDER_LOWERED);
}

static noreturn void leave(struct supervisor *m)
{
	supervisor_live_end(m);
	fence_slot_leave(&m->fence);
	if (chdir("/") == 0)
		io_remove_ours(m->root, m->slot);
	/* Succeeds for the last one. Not by its whole path, which leads to what tests see of it. */
	int up = openat(m->root, "..", O_PATH | O_DIRECTORY | O_CLOEXEC);
	unlinkat(up, strrchr(m->root_path, '/') + 1, AT_REMOVEDIR);
	_exit(0);
}

static void settle_in(struct supervisor *m, const struct supervisor_spec *spec)
{
	*m = (struct supervisor){ .setup = spec->setup,
		                  .shared = spec->shared,
		                  .root_path = spec->workdir->path,
		                  .ending = { .sigchld = -1 },
		                  .persistent = { .set = WIRE_PERSISTENT },
		                  .output = { -1, -1 } };
	workdir_slot_name(m->slot, spec->index);
	keep_descriptors(m, spec);
	seclude();
	m->limits = own_limits();
	if (fchdir(m->root) < 0 || chdir(m->slot) < 0)
		_exit(1);
	const struct namespaces_slot where = { mem_printf("%s/%s", m->root_path, m->slot),
		                               spec->index, spec->slots, spec->setup->files_size };
	fence_slot_enter(&m->fence, spec->setup->fence, &where);
	if (sets_init(&m->sets, spec->setup->input, spec->setup->serve, spec->setup->live.answers) <
	    0)
		_exit(1);
	for (unsigned g = 0; g < WIRE_SETS; g++)
		m->envp[g] = make_env(m, g);
}

void supervisor_run(const struct supervisor_spec *spec)
{
	struct supervisor m;
	settle_in(&m, spec);
	for (struct wire_request rq; next_request(&m, &rq);) {
		if (rq.op == WIRE_RUN)
			run(&m, &rq);
		else
			reply(&m,
			      &(struct wire_reply){ .kind = rq.op == WIRE_CANCEL ? WIRE_CANCELLED
			                                                         : WIRE_SYNCED,
			                            .seq = rq.seq });
	}
	leave(&m);
}
