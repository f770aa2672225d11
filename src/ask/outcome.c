#include "ask/outcome.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <spawn.h>
#include <stdio.h>
#include <sys/resource.h>
#include <sys/signalfd.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "base/err.h"
#include "base/io.h"
#include "base/waited.h"

enum {
	KEPT_END = 1 << 19, /* bytes of output that are kept of either end */
	CPU_TICK_MS = 10,   /* how often processor time is looked at */
};

/* What is kept of much: the beginning and, behind it, the end. */
static void keep(struct buf *buf, const char *bytes, size_t len)
{
	buf_add(buf, bytes, len);
	if (buf->len <= (size_t)3 * KEPT_END)
		return;
	memmove(buf->data + KEPT_END, buf->data + buf->len - KEPT_END, KEPT_END);
	buf->len = (size_t)2 * KEPT_END;
	buf->data[buf->len] = '\0';
}

/* Reads what is there. False at the end of the stream. */
static bool drain(int fd, struct buf *buf)
{
	char bytes[65536];
	for (;;) {
		ssize_t n = read(fd, bytes, sizeof bytes);
		if (n < 0 && errno == EINTR)
			continue;
		if (n <= 0)
			return n < 0 && errno == EAGAIN;
		keep(buf, bytes, (size_t)n);
	}
}

struct run {
	pid_t pid;
	int pipes[2], children; /* read ends; SIGCHLD */
	uint64_t start;
	bool ended;
	struct waited waited;
	struct rusage usage;
	const struct outcome_limits *limits;
	struct outcome *out;
};

static uint64_t ns_of(struct timeval t)
{
	return (uint64_t)t.tv_sec * 1000000000u + (uint64_t)t.tv_usec * 1000u;
}

/* Processor time of the process so far, without its children. */
static uint64_t cpu_now(pid_t pid)
{
	clockid_t clock;
	struct timespec t;
	if (clock_getcpuclockid(pid, &clock) != 0 || clock_gettime(clock, &t) < 0)
		return 0;
	return (uint64_t)t.tv_sec * 1000000000u + (uint64_t)t.tv_nsec;
}

static bool over_limit(struct run *r)
{
	const struct outcome_limits *l = r->limits;
	return (l->wall_ns && !waited_left(&r->waited, r->pid, io_now() - r->start, l->wall_ns)) ||
	       (l->cpu_ns && cpu_now(r->pid) >= l->cpu_ns);
}

static int next_look_ms(const struct run *r)
{
	if (r->limits->cpu_ns)
		return CPU_TICK_MS;
	return r->limits->wall_ns ? WAITED_LOOK_MS : -1;
}

static void reap(struct run *r, int flags)
{
	pid_t got;
	do
		got = wait4(r->pid, &r->out->status, flags, &r->usage);
	while (got < 0 && errno == EINTR);
	r->ended = got == r->pid;
}

static void follow(struct run *r)
{
	struct pollfd p[3] = { { .fd = r->pipes[0], .events = POLLIN },
		               { .fd = r->pipes[1], .events = POLLIN },
		               { .fd = r->children, .events = POLLIN } };
	while (!r->ended) {
		poll(p, 3, next_look_ms(r));
		if (p[0].revents && !drain(p[0].fd, &r->out->out))
			p[0].fd = -1;
		if (p[1].revents && !drain(p[1].fd, &r->out->err))
			p[1].fd = -1;
		reap(r, WNOHANG);
		if (!r->ended && over_limit(r)) {
			r->out->timed_out = true;
			kill(-r->pid, SIGKILL);
			kill(r->pid, SIGKILL);
			reap(r, 0);
		}
	}
	kill(-r->pid, SIGKILL);
	drain(r->pipes[0], &r->out->out); /* what it had written when it ended */
	drain(r->pipes[1], &r->out->err);
}

static int spawn(struct run *r, char *const *argv, const int to[2])
{
	posix_spawn_file_actions_t actions;
	posix_spawnattr_t attr;
	sigset_t none;
	sigemptyset(&none);
	posix_spawn_file_actions_init(&actions);
	posix_spawn_file_actions_adddup2(&actions, to[0], STDOUT_FILENO);
	posix_spawn_file_actions_adddup2(&actions, to[1], STDERR_FILENO);
	posix_spawnattr_init(&attr);
	posix_spawnattr_setflags(&attr, POSIX_SPAWN_SETPGROUP | POSIX_SPAWN_SETSIGMASK);
	posix_spawnattr_setpgroup(&attr, 0);
	posix_spawnattr_setsigmask(&attr, &none);
	int error = posix_spawnp(&r->pid, argv[0], &actions, &attr, argv, environ);
	posix_spawn_file_actions_destroy(&actions);
	posix_spawnattr_destroy(&attr);
	return error;
}

int outcome_run(char *const *argv, const struct outcome_limits *limits, struct outcome *out,
                struct err *err)
{
	struct run r = { .limits = limits, .out = out, .start = io_now() };
	int a[2], b[2], rc = 0;
	sigset_t child;
	*out = (struct outcome){ 0 };
	buf_add(&out->out, "", 0);
	buf_add(&out->err, "", 0);
	sigemptyset(&child);
	sigaddset(&child, SIGCHLD);
	sigprocmask(SIG_BLOCK, &child, NULL);
	if (pipe2(a, O_CLOEXEC) < 0)
		return err_errno(err, "cannot make a pipe");
	if (pipe2(b, O_CLOEXEC) < 0) {
		rc = err_errno(err, "cannot make a pipe");
		close(a[0]);
		close(a[1]);
		return rc;
	}
	r.pipes[0] = a[0];
	r.pipes[1] = b[0];
	fcntl(a[0], F_SETFL, O_NONBLOCK);
	fcntl(b[0], F_SETFL, O_NONBLOCK);
	r.children = signalfd(-1, &child, SFD_NONBLOCK | SFD_CLOEXEC);
	int error = spawn(&r, argv, (int[]){ a[1], b[1] });
	close(a[1]);
	close(b[1]);
	if (error)
		rc = err_set(err, ERR_TEST, "cannot run %s: %s", argv[0], strerror(error));
	else
		follow(&r);
	close(a[0]);
	close(b[0]);
	io_close(r.children);
	out->wall_ns = io_now() - r.start;
	out->cpu_ns = ns_of(r.usage.ru_utime) + ns_of(r.usage.ru_stime);
	return rc;
}

void outcome_release(struct outcome *o)
{
	buf_release(&o->out);
	buf_release(&o->err);
}

struct buf outcome_text(const struct outcome *o)
{
	struct buf text = { 0 };
	buf_add(&text, o->err.data, o->err.len);
	buf_add(&text, "\n", 1);
	buf_add(&text, o->out.data, o->out.len);
	return text;
}

void outcome_describe(const struct outcome *o, char *buf, size_t size)
{
	if (o->timed_out)
		snprintf(buf, size, "not finished within %.*g s",
		         o->wall_ns < 1000000000000u ? 3 : 6, (double)o->wall_ns / 1e9);
	else if (WIFSIGNALED(o->status))
		snprintf(buf, size, "signal %d (SIG%s)", WTERMSIG(o->status),
		         sigabbrev_np(WTERMSIG(o->status)) ? sigabbrev_np(WTERMSIG(o->status))
		                                           : "?");
	else
		snprintf(buf, size, "exit status %d", WEXITSTATUS(o->status));
}
