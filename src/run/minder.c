#include "run/minder.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/io.h"
#include "base/mem.h"
#include "run/child.h"
#include "run/pool.h"
#include "run/reap.h"
#include "run/wire.h"
#include "run/workdir.h"

struct minder {
	const struct pool_options *options;
	struct child_shared *shared;
	int sock, root;                  /* our end; the pool's directory */
	const char *root_path;
	char slot[WORKDIR_SLOT_SIZE];
	char *names;                     /* the candidate's paths, each with its NUL */
	uint32_t n_names, names_len;
	int out;                         /* came with the last request: output of its test; -1: none */
	char **argv[WIRE_GENERATIONS];   /* of the test, for these names */
	char **envp[WIRE_GENERATIONS];
	DIR *dir;                        /* the slot's directory, which is also the current one */
	unsigned n_junk;                 /* directories set aside because they could not be removed */
};

/* Why the watch over a test ended. */
enum end { END_SELF, END_DEADLINE, END_CANCELLED, END_POOL_GONE };

/* The letters of a generation's directories (workdir.h). */
static const char SETS[] = "wti";
#define JUNK "junk-"

static void set_name(char name[WORKDIR_SET_SIZE], char letter, unsigned generation)
{
	snprintf(name, WORKDIR_SET_SIZE, "%c%u", letter, generation % WIRE_GENERATIONS);
}

static char candidate_set(const struct minder *m)
{
	return m->options->input & POOL_INPUT_BASENAME ? 'w' : 'i';
}

/* The path of the first file, where the minder finds it. */
static char *first_file(const struct minder *m, unsigned generation)
{
	return mem_printf("%c%u/%s", candidate_set(m), generation, m->names);
}

static void close_between(int above, int below)
{
	if (above + 1 >= below)
		return;
#ifdef SYS_close_range
	if (syscall(SYS_close_range, above + 1, below - 1, 0) == 0)
		return;
#endif
	long max = sysconf(_SC_OPEN_MAX);
	for (int fd = above + 1; fd < below && fd < max; fd++)
		close(fd);
}

/* Keeps the socket, the pool's directory, and /dev/null as standard descriptors, so that neither a terminal nor a pipe
 * of the user's is held by us or a test. */
static void keep_descriptors(struct minder *m, const struct minder_spec *spec)
{
	m->sock = fcntl(spec->sock, F_DUPFD_CLOEXEC, STDERR_FILENO + 1);
	m->root = fcntl(spec->workdir->fd, F_DUPFD_CLOEXEC, STDERR_FILENO + 1);
	int null = open("/dev/null", O_RDWR | O_CLOEXEC);
	if (m->sock < 0 || m->root < 0 || null < 0)
		_exit(1);
	for (int fd = STDIN_FILENO; fd <= STDERR_FILENO; fd++)
		if (null != fd)
			dup2(null, fd);
		else
			fcntl(fd, F_SETFD, 0);
	int low = m->sock < m->root ? m->sock : m->root, high = m->sock + m->root - low;
	close_between(STDERR_FILENO, low);
	close_between(low, high);
	close_between(high, INT32_MAX);
}

/* Signals: all blocked (child.h), none caught or ignored. Limits that a minder itself cannot hit are set here, once. */
static void seclude(const struct minder *m)
{
	sigset_t all;
	sigfillset(&all);
	sigprocmask(SIG_SETMASK, &all, NULL);
	for (int i = 1; i < NSIG; i++)
		signal(i, SIG_DFL);
	setsid();
	prctl(PR_SET_CHILD_SUBREAPER, 1);
	setrlimit(RLIMIT_CORE, &(struct rlimit){ 0, 0 });
	struct rlimit size;
	if (m->options->file_limit && getrlimit(RLIMIT_FSIZE, &size) == 0) {
		if (size.rlim_max > m->options->file_limit)
			size.rlim_max = m->options->file_limit;
		size.rlim_cur = size.rlim_max;
		setrlimit(RLIMIT_FSIZE, &size);
	}
}

/* The environment as it is, but for TMPDIR. */
static char **make_env(const struct minder *m, unsigned generation)
{
	size_t n = 0;
	while (environ[n])
		n++;
	char **envp = mem_zero(n + 2, sizeof *envp), **to = envp;
	for (size_t i = 0; i < n; i++)
		if (strncmp(environ[i], "TMPDIR=", strlen("TMPDIR=")) != 0)
			*to++ = environ[i];
	*to = mem_printf("TMPDIR=%s/%s/t%u", m->root_path, m->slot, generation);
	return envp;
}

/* A spare place, the test, its arguments, the candidate's paths. */
static char **make_argv(const struct minder *m, unsigned generation)
{
	size_t n = 0;
	while (m->options->args && m->options->args[n])
		n++;
	char **argv = mem_zero(2 + n + m->n_names + 1, sizeof *argv), **to = argv + 1;
	*to++ = mem_strdup(m->options->test);
	for (size_t i = 0; i < n; i++)
		*to++ = mem_strdup(m->options->args[i]);
	if (!(m->options->input & POOL_INPUT_ARG))
		return argv;
	const char *name = m->names;
	for (uint32_t i = 0; i < m->n_names; i++, name += strlen(name) + 1)
		*to++ = mem_printf("%s/%s/%c%u/%s", m->root_path, m->slot, candidate_set(m), generation, name);
	return argv;
}

static void free_argv(char **argv)
{
	for (char **p = argv ? argv + 1 : NULL; p && *p; p++)
		free(*p);
	free(argv);
}

static bool receive_names(struct minder *m, const struct wire_request *rq)
{
	m->names = mem_resize(m->names, rq->names_len, 1);
	if (!wire_receive(m->sock, m->names, rq->names_len, NULL))
		return false;
	m->n_names = rq->n_names;
	m->names_len = rq->names_len;
	for (unsigned g = 0; g < WIRE_GENERATIONS; g++) {
		free_argv(m->argv[g]);
		m->argv[g] = make_argv(m, g);
	}
	return true;
}

/* False when the pool is gone. */
static bool next_request(struct minder *m, struct wire_request *rq)
{
	return wire_receive(m->sock, rq, sizeof *rq, &m->out) && (!rq->names_len || receive_names(m, rq));
}

static void reply(const struct minder *m, const struct wire_reply *answer)
{
	wire_send(m->sock, answer, sizeof *answer, -1); /* that the pool is gone shows at the next request */
}

/* An empty directory of this name. What cannot be removed is put aside. */
static void renew_directory(struct minder *m, const char *name)
{
	if (rmdir(name) < 0 && io_remove_tree(AT_FDCWD, name) < 0) {
		char junk[WORKDIR_SLOT_SIZE];
		snprintf(junk, sizeof junk, JUNK "%u", m->n_junk++);
		rename(name, junk);
	}
	mkdir(name, 0700);
}

/* Whether this set of directories is used at all. */
static bool is_used(const struct minder *m, char letter)
{
	return letter != 'i' || candidate_set(m) == 'i';
}

/* Directories for the first tests. Only made: the pool may be writing the first candidate already. */
static void make_directories(const struct minder *m)
{
	char name[WORKDIR_SET_SIZE];
	for (unsigned g = 0; g < WIRE_GENERATIONS; g++)
		for (const char *letter = SETS; *letter; letter++) {
			set_name(name, *letter, g);
			if (is_used(m, *letter))
				mkdir(name, 0700);
		}
}

/* Whether NAME in the slot's directory is there for a reason. */
static bool belongs(const struct minder *m, const char *name)
{
	if (!strcmp(name, ".") || !strcmp(name, "..") || !strncmp(name, JUNK, strlen(JUNK)))
		return true;
	bool is_set = name[0] && strchr(SETS, name[0]) && name[1] >= '0' && name[1] < '0' + WIRE_GENERATIONS && !name[2];
	return is_set && is_used(m, name[0]);
}

/* Removes what a test has put beside its own directories. */
static void remove_strays(const struct minder *m)
{
	rewinddir(m->dir);
	for (struct dirent *e; (e = readdir(m->dir));)
		if (!belongs(m, e->d_name))
			io_remove_tree(AT_FDCWD, e->d_name);
}

static void clean(struct minder *m, unsigned generation)
{
	if (m->n_names == 1) { /* most often there is nothing but this file */
		char *file = first_file(m, generation);
		unlink(file);
		free(file);
	}
	char name[WORKDIR_SET_SIZE];
	for (const char *letter = SETS; *letter; letter++) {
		set_name(name, *letter, generation);
		if (is_used(m, *letter))
			renew_directory(m, name);
	}
	remove_strays(m);
}

/* Waits for the end of the test, its deadline (monotonic; 0: none), or the pool, which says nothing but "cancel" now. */
static enum end watch(struct minder *m, int pidfd, uint64_t deadline)
{
	struct pollfd fds[] = { { .fd = pidfd, .events = POLLIN }, { .fd = m->sock, .events = POLLIN } };
	for (;;) {
		uint64_t now = io_now(), left = deadline > now ? deadline - now : 0;
		struct timespec wait = { .tv_sec = (time_t)(left / 1000000000u), .tv_nsec = (long)(left % 1000000000u) };
		int n = ppoll(fds, 2, deadline ? &wait : NULL, NULL);
		if (n < 0 && errno != EINTR)
			return END_DEADLINE;
		if (n > 0 && fds[0].revents)
			return END_SELF;
		struct wire_request rq;
		if (n > 0 && fds[1].revents)
			return next_request(m, &rq) ? END_CANCELLED : END_POOL_GONE;
		if (n == 0 && io_now() >= deadline)
			return END_DEADLINE;
	}
}

static pid_t start(struct minder *m, const struct wire_request *rq, int in)
{
	char dir[WORKDIR_SET_SIZE];
	set_name(dir, 'w', rq->generation);
	const struct child_spec spec = {
		.argv = m->argv[rq->generation],
		.envp = m->envp[rq->generation],
		.dir = dir,
		.in = in,
		.out = m->out,
		.memory_limit = m->options->memory_limit,
		.cpu_limit_s = m->options->cpu_limit_s,
	};
	pid_t pid = child_start(&spec, m->shared);
	int saved = errno;
	if (m->out >= 0)
		close(m->out);
	m->out = -1;
	errno = saved;
	return pid;
}

static void fail(struct wire_reply *answer, enum wire_stage stage, int error)
{
	answer->kind = WIRE_FAILED;
	answer->stage = stage;
	answer->error = error;
}

/* Waits for the leader until its DEADLINE and ends its group, whose number is safe to use until the leader is reaped. */
static enum end attend(struct minder *m, pid_t pid, uint64_t deadline, struct wire_reply *answer)
{
	enum end end = END_DEADLINE;
	int pidfd = (int)syscall(SYS_pidfd_open, pid, 0);
	if (pidfd < 0)
		fail(answer, WIRE_FORK, errno);
	else
		end = watch(m, pidfd, deadline);
	if (pidfd >= 0)
		close(pidfd);
	if (end != END_SELF)
		kill(pid, SIGKILL);
	kill(-pid, SIGKILL);
	while (waitpid(pid, &answer->status, 0) < 0 && errno == EINTR)
		;
	return end;
}

/* Runs the test of RQ, fills the answer. */
static enum end judge(struct minder *m, const struct wire_request *rq, struct wire_reply *answer)
{
	int in = -1;
	if (m->options->input & POOL_INPUT_STDIN) {
		char *file = first_file(m, rq->generation);
		in = open(file, O_RDONLY | O_CLOEXEC);
		if (in < 0)
			fail(answer, WIRE_STDIN, errno);
		free(file);
		if (in < 0)
			return END_SELF;
	}
	uint64_t begin = io_now();
	pid_t pid = start(m, rq, in);
	if (pid < 0)
		fail(answer, WIRE_FORK, errno);
	if (in >= 0)
		close(in);
	if (pid < 0)
		return END_SELF;
	enum end end = attend(m, pid, rq->limit_ns ? begin + rq->limit_ns : 0, answer);
	answer->wall_ns = io_now() - begin;
	answer->timed_out = end == END_DEADLINE;
	if (m->shared->error)
		fail(answer, (enum wire_stage)m->shared->stage, m->shared->error);
	return end;
}

static void run(struct minder *m, const struct wire_request *rq)
{
	struct wire_reply answer = { .kind = WIRE_ANSWER, .seq = rq->seq };
	enum end end = judge(m, rq, &answer);
	reap_descendants();
	m->shared->leader = 0;
	if (end == END_SELF || end == END_DEADLINE)
		reply(m, &answer);
	clean(m, rq->generation);
	if (end == END_CANCELLED)
		reply(m, &(struct wire_reply){ .kind = WIRE_CANCELLED, .seq = rq->seq });
}

static noreturn void leave(struct minder *m)
{
	if (chdir("/") == 0)
		io_remove_tree(m->root, m->slot);
	rmdir(m->root_path); /* succeeds for the last one */
	_exit(0);
}

static void settle_in(struct minder *m, const struct minder_spec *spec)
{
	*m = (struct minder){ .options = spec->options, .shared = spec->shared, .root_path = spec->workdir->path, .out = -1 };
	workdir_slot_name(m->slot, spec->index);
	keep_descriptors(m, spec);
	seclude(m);
	if (fchdir(m->root) < 0 || chdir(m->slot) < 0 || !(m->dir = opendir(".")))
		_exit(1);
	for (unsigned g = 0; g < WIRE_GENERATIONS; g++)
		m->envp[g] = make_env(m, g);
	make_directories(m);
}

void minder_run(const struct minder_spec *spec)
{
	struct minder m;
	settle_in(&m, spec);
	for (struct wire_request rq; next_request(&m, &rq);) {
		if (rq.op == WIRE_RUN)
			run(&m, &rq);
		else
			reply(&m, &(struct wire_reply){ .kind = rq.op == WIRE_CANCEL ? WIRE_CANCELLED : WIRE_SYNCED,
							.seq = rq.seq });
	}
	leave(&m);
}
