#include "run/minder.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "base/io.h"
#include "base/mem.h"
#include "run/minder_live.h"
#include "run/reap.h"
#include "run/testenv.h"

enum { START_TRIES = 1000, START_PAUSE_NS = 10000000 }; /* ten seconds in all */

/* The path of the first file, where the minder finds it. */
static char *first_file(const struct minder *m, unsigned generation)
{
	return mem_printf("%c%u/%s", m->sets.candidate, generation, m->names);
}

/* Keeps the socket and the pool's directory. */
static void keep_descriptors(struct minder *m, const struct minder_spec *spec)
{
	m->sock = fcntl(spec->sock, F_DUPFD_CLOEXEC, STDERR_FILENO + 1);
	m->root = fcntl(spec->workdir->fd, F_DUPFD_CLOEXEC, STDERR_FILENO + 1);
	if (m->sock < 0 || m->root < 0)
		_exit(1);
	const int keep[] = { m->sock, m->root };
	child_close_others(keep, 2);
}

/* Signals: all blocked (child.h), none caught or ignored. The limit that is the same for all tests
 * and that a minder itself cannot hit is set here, once. */
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

static char **make_env(const struct minder *m, unsigned generation)
{
	char *tmpdir = mem_printf("%s/%s/t%u", m->root_path, m->slot, generation);
	char *fifo = mem_printf("%s/%s/j%u", m->root_path, m->slot, generation);
	char **envp = testenv_make(m->setup, tmpdir, fifo);
	free(tmpdir);
	free(fifo);
	return envp;
}

char *minder_candidate(const struct minder *m, unsigned generation, const char *name)
{
	char *path = mem_printf("%s/%s/%c%u/%s", m->root_path, m->slot, m->sets.candidate,
	                        generation, name);
	size_t len = strlen(path);
	if (path[len - 1] == '/') /* a directory */
		path[len - 1] = '\0';
	return path;
}

/* A spare place, the words of a command, the candidate's paths. */
static char **command_argv(const struct minder *m, const struct wire_request *rq)
{
	size_t n = 0;
	for (uint32_t i = 0; i < rq->words_len; i++)
		n += !m->words[i];
	char **argv = mem_zero(2 + n + m->n_names, sizeof *argv), **to = argv + 1;
	for (const char *word = m->words; n--; word += strlen(word) + 1)
		*to++ = mem_strdup(word);
	const char *name = m->names;
	for (uint32_t i = 0; i < m->n_names; i++, name += strlen(name) + 1)
		*to++ = minder_candidate(m, rq->generation, name);
	return argv;
}

/* A spare place, the test, its arguments, the candidate's paths. */
static char **make_argv(const struct minder *m, unsigned generation)
{
	size_t n = 0;
	while (m->setup->args && m->setup->args[n])
		n++;
	char **argv = mem_zero(2 + n + m->n_names + 1, sizeof *argv), **to = argv + 1;
	*to++ = mem_strdup(m->setup->test);
	for (size_t i = 0; i < n; i++)
		*to++ = mem_strdup(m->setup->args[i]);
	if (!(m->setup->input & SETUP_INPUT_ARG))
		return argv;
	const char *name = m->names;
	for (uint32_t i = 0; i < m->n_names; i++, name += strlen(name) + 1)
		*to++ = minder_candidate(m, generation, name);
	return argv;
}

static void free_argv(char **argv)
{
	for (char **p = argv ? argv + 1 : NULL; p && *p; p++)
		free(*p);
	free(argv);
}

/* Other names than those of the request before. */
static void take_names(struct minder *m, const struct wire_request *rq)
{
	m->n_names = rq->n_names;
	m->names_len = rq->names_len;
	for (unsigned g = 0; g < WIRE_SETS; g++) {
		free_argv(m->argv[g]);
		m->argv[g] = make_argv(m, g);
	}
}

/* False when the pool is gone. */
static bool next_request(struct minder *m, struct wire_request *rq)
{
	if (!wire_receive_request(m->sock, rq, &m->names, &m->words, m->output))
		return false;
	if (rq->names_len)
		take_names(m, rq);
	return true;
}

static void reply(const struct minder *m, const struct wire_reply *answer)
{
	wire_send(m->sock, answer, sizeof *answer, NULL,
	          0); /* that the pool is gone shows at the next request */
}

/* Empties the directories of a test. */
static void clean(struct minder *m, unsigned generation)
{
	if (m->n_names == 1 &&
	    generation != WIRE_STANDING) { /* most often there is nothing but this file */
		char *file = first_file(m, generation);
		unlink(file);
		free(file);
	}
	sets_renew(&m->sets, generation);
}

/* The FIFO of the job server, held open while the test runs: a client that opens it for reading
 * only would wait for a writer. Clients that were given descriptors expect them to block. -1: none
 * is needed, or it is gone. */
static int open_jobs(const struct minder *m, unsigned generation)
{
	char name[SETS_NAME_SIZE];
	sets_name(name, 'j', generation);
	bool named = m->setup->serve == SETUP_SERVE_PIPE || m->setup->serve == SETUP_SERVE_FIFO;
	int fd = named ? open(name, O_RDWR | O_NOFOLLOW | O_CLOEXEC) : -1;
	if (fd < 0)
		return -1;
	int high = fcntl(fd, F_DUPFD_CLOEXEC, TESTENV_PUT + 1); /* it is copied to these numbers */
	close(fd);
	return high;
}

int minder_output(const struct minder *m, const struct wire_request *rq, enum wire_output which)
{
	if (!(rq->outputs & which))
		return -1;
	int first = which == WIRE_STDERR && (rq->outputs & WIRE_STDOUT) ? 1 : 0;
	return m->output[first];
}

static void close_outputs(struct minder *m)
{
	for (int i = 0; i < WIRE_FDS; i++) {
		if (m->output[i] >= 0)
			close(m->output[i]);
		m->output[i] = -1;
	}
}

pid_t minder_start(struct minder *m, const struct child_spec *spec)
{
	minder_phase(m, CHILD_STARTS); /* before: the test may hold us at once */
	pid_t pid = child_start(spec, m->shared);
	/* Out of processes: others end, too. It would be a pity about the hours behind us. */
	for (int tries = 0; pid < 0 && errno == EAGAIN && tries < START_TRIES; tries++) {
		nanosleep(&(struct timespec){ .tv_nsec = START_PAUSE_NS }, NULL);
		m->shared->beat++;
		pid = child_start(spec, m->shared);
	}
	int saved = errno;
	minder_phase(m, CHILD_RUNS);
	close_outputs(m);
	errno = saved;
	return pid;
}

static pid_t start(struct minder *m, const struct wire_request *rq, int in, int jobs)
{
	char dir[SETS_NAME_SIZE];
	sets_name(dir, 'w', rq->generation);
	bool command = rq->words_len != 0;
	const struct child_spec spec = {
		.argv = command ? command_argv(m, rq) : m->argv[rq->generation],
		.envp = m->envp[rq->generation],
		.dir = dir,
		.in = in,
		.out = minder_output(m, rq, WIRE_STDOUT),
		.jobs = m->setup->serve == SETUP_SERVE_PIPE ? jobs : -1,
		.err = minder_output(m, rq, WIRE_STDERR),
		.memory_limit = rq->memory_limit,
		.file_limit = rq->file_limit,
		.cpu_limit_s = rq->cpu_limit_s,
		.fence = m->fence.rules,
	};
	pid_t pid = minder_start(m, &spec);
	int saved = errno;
	if (command)
		free_argv(spec.argv);
	errno = saved;
	return pid;
}

/* Waits for the leader until its deadline and ends its group, whose number is safe to use until the
 * leader is reaped. */
static enum end attend(struct minder *m, pid_t pid, struct attention *a, struct wire_reply *answer)
{
	enum end end = END_DEADLINE;
	int fd = ending_open(&m->ending, pid);
	if (fd < 0)
		minder_fail(answer, WIRE_FORK, errno);
	else
		end = minder_watch(m, pid, fd, a);
	minder_phase(m, CHILD_ENDS);
	ending_close(&m->ending, fd);
	if (end != END_SELF)
		kill(pid, SIGKILL);
	else if (child_killed_early(pid))
		minder_fail(answer, WIRE_EARLY, EINTR);
	kill(-pid, SIGKILL);
	while (waitpid(pid, &answer->status, 0) < 0 && errno == EINTR)
		;
	return end;
}

/* Whether the candidate can be where the test is to find it; else the answer says so. */
static bool can_run(const struct minder *m, struct wire_reply *answer)
{
	bool holds = workdir_holds(m->root_path, m->slot, dirfd(m->sets.dir));
	if (m->fence.error)
		minder_fail(answer, WIRE_FENCE, m->fence.error);
	else if (!holds) /* since the pool wrote it: by a cancelled test */
		minder_fail(answer, WIRE_CHDIR, ENOENT);
	return !m->fence.error && holds;
}

/* Runs the test of RQ, fills the answer. */
static enum end judge(struct minder *m, const struct wire_request *rq, struct wire_reply *answer)
{
	int in = -1;
	if (!can_run(m, answer))
		return END_SELF;
	if (m->setup->live.answers && !rq->words_len)
		return minder_live_judge(m, rq, answer);
	minder_live_end(m);
	if ((m->setup->input & SETUP_INPUT_STDIN) && m->n_names &&
	    m->names[strlen(m->names) - 1] != '/') { /* not of a directory */
		in = sets_open_candidate(&m->sets, rq->generation, m->names);
		if (in < 0) {
			minder_fail(answer, WIRE_STDIN, errno);
			return END_SELF;
		}
	}
	struct attention a = { .says = -1,
		               .takes = -1,
		               .ticks = ticks_start(),
		               .limit = rq->limit_ns,
		               .meter = meter_start(rq, &m->sets) };
	int jobs = open_jobs(m, rq->generation);
	pid_t pid = start(m, rq, in, jobs);
	if (pid < 0)
		minder_fail(answer, WIRE_FORK, errno);
	if (in >= 0)
		close(in);
	enum end end = pid < 0 ? END_SELF : attend(m, pid, &a, answer);
	if (jobs >= 0)
		close(jobs);
	if (pid < 0)
		return END_SELF;
	answer->wall_ns = ticks_spent(&a.ticks);
	answer->timed_out = end == END_DEADLINE;
	answer->exceeded = a.excess;
	if (m->shared->error)
		minder_fail(answer, (enum wire_stage)m->shared->stage, m->shared->error);
	return end;
}

static void run(struct minder *m, const struct wire_request *rq)
{
	struct wire_reply answer = { .kind = WIRE_ANSWER, .seq = rq->seq };
	enum end end = judge(m, rq, &answer);
	close_outputs(m); /* of what could not be started */
	bool lives = minder_live_tidy(m);
	if (!lives) {
		reap_descendants();
		m->shared->leader = 0;
	}
	/* Whether that was in time to spoil the answer is chance: it is none. */
	bool lowered = !own_limits_hold(&m->limits);
	if (lowered && end != END_CANCELLED)
		_exit(MINDER_LOWERED);
	if (end == END_SELF) { /* by itself: what it has left is what it has written */
		const struct meter meter = meter_start(rq, &m->sets);
		answer.exceeded = meter_end(&meter, answer.wall_ns);
	}
	if (end == END_SELF || end == END_DEADLINE || end == END_EXCESS)
		reply(m, &answer);
	minder_phase(m, CHILD_NONE);
	if (lives)
		minder_live_clear(m);
	else
		fence_slot_renew(&m->fence);
	clean(m, rq->generation);
	if (end == END_CANCELLED)
		reply(m, &(struct wire_reply){ .kind = WIRE_CANCELLED, .seq = rq->seq });
	if (lowered)
		_exit(MINDER_LOWERED);
}

static noreturn void leave(struct minder *m)
{
	minder_live_end(m);
	fence_slot_leave(&m->fence);
	if (chdir("/") == 0)
		io_remove_ours(m->root, m->slot);
	/* Succeeds for the last one. Not by its whole path, which leads to what tests see of it. */
	int up = openat(m->root, "..", O_PATH | O_DIRECTORY | O_CLOEXEC);
	unlinkat(up, strrchr(m->root_path, '/') + 1, AT_REMOVEDIR);
	_exit(0);
}

static void settle_in(struct minder *m, const struct minder_spec *spec)
{
	*m = (struct minder){ .setup = spec->setup,
		              .shared = spec->shared,
		              .root_path = spec->workdir->path,
		              .ending = { .sigchld = -1 },
		              .living = { .set = WIRE_LIVING },
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
	if (sets_init(&m->sets, spec->setup->input, spec->setup->serve != SETUP_SERVE_NONE,
	              spec->setup->live.answers) < 0)
		_exit(1);
	for (unsigned g = 0; g < WIRE_SETS; g++)
		m->envp[g] = make_env(m, g);
}

void minder_run(const struct minder_spec *spec)
{
	struct minder m;
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
