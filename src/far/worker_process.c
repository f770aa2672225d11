#include "far/worker_process.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/err.h"
#include "base/mem.h"
#include "base/show.h"

extern char **environ;

/* ---- start ---- */

struct pipes {
	int in[2], out[2], err[2]; /* of the process; [0] is read from */
};

static void close_all(struct pipes *p)
{
	int *all[] = { p->in, p->out, p->err };
	for (int i = 0; i < 6; i++)
		if (all[i / 2][i % 2] >= 0)
			close(all[i / 2][i % 2]);
}

static int spawn(struct worker_process *p, const struct pipes *pipes)
{
	char *const argv[] = { (char *)(uintptr_t) "sh", (char *)(uintptr_t) "-c",
		               (char *)(uintptr_t)p->command, NULL };
	posix_spawn_file_actions_t files;
	posix_spawnattr_t attr;
	sigset_t none, ignored;
	sigemptyset(&none);
	sigemptyset(&ignored);
	sigaddset(&ignored, SIGPIPE);
	sigaddset(&ignored, SIGXFSZ);
	posix_spawnattr_init(&attr);
	posix_spawnattr_setflags(&attr, POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF |
	                                        POSIX_SPAWN_SETSID);
	posix_spawnattr_setsigmask(&attr, &none);
	posix_spawnattr_setsigdefault(&attr, &ignored);
	posix_spawn_file_actions_init(&files);
	posix_spawn_file_actions_adddup2(&files, pipes->in[0], 0);
	posix_spawn_file_actions_adddup2(&files, pipes->out[1], 1);
	posix_spawn_file_actions_adddup2(&files, pipes->err[1], 2);
	int failure = posix_spawn(&p->pid, "/bin/sh", &files, &attr, argv, environ);
	posix_spawn_file_actions_destroy(&files);
	posix_spawnattr_destroy(&attr);
	if (failure)
		p->pid = 0;
	errno = failure;
	return failure ? -1 : 0;
}

static int unblock(int fd)
{
	return fcntl(fd, F_SETFL, O_NONBLOCK);
}

int worker_process_start(struct worker_process *p, struct err *err)
{
	struct pipes pipes = { { -1, -1 }, { -1, -1 }, { -1, -1 } };
	p->to = p->from = p->words = -1;
	p->said_len = 0;
	p->said_all = p->told = p->ended = p->reaped = false;
	p->status = 0;
	if (pipe2(pipes.in, O_CLOEXEC) < 0 || pipe2(pipes.out, O_CLOEXEC) < 0 ||
	    pipe2(pipes.err, O_CLOEXEC) < 0 || unblock(pipes.in[1]) < 0 ||
	    unblock(pipes.out[0]) < 0 || unblock(pipes.err[0]) < 0 || spawn(p, &pipes) < 0) {
		err_errno(err, "cannot start a worker: %s", p->command);
		close_all(&pipes);
		return -1;
	}
	p->to = pipes.in[1];
	p->from = pipes.out[0];
	p->words = pipes.err[0];
	pipes.in[1] = pipes.out[0] = pipes.err[0] = -1;
	close_all(&pipes);
	return 0;
}

/* ---- bytes ---- */

static void note_said(struct worker_process *p, const char *bytes, size_t len)
{
	for (size_t i = 0; i < len; i++) {
		if (bytes[i] == '\n') {
			p->said_all = true;
			continue;
		}
		if (p->said_all)
			p->said_len = 0;
		p->said_all = false;
		if (p->said_len < sizeof p->said)
			p->said[p->said_len++] = bytes[i];
	}
}

/* Bounded, so that the others have their turn. */
enum { CHUNKS = 8 };

void worker_process_read_words(struct worker_process *p)
{
	char chunk[4096];
	for (int i = 0; i < CHUNKS && p->words >= 0; i++) {
		ssize_t n = read(p->words, chunk, sizeof chunk);
		if (n < 0)
			return;
		note_said(p, chunk, (size_t)n);
		if (n)
			continue;
		close(p->words);
		p->words = -1;
	}
}

bool worker_process_read(struct worker_process *p)
{
	char chunk[1 << 14];
	for (int i = 0; i < CHUNKS; i++) {
		ssize_t n = read(p->from, chunk, sizeof chunk);
		if (n < 0 && errno == EINTR)
			continue;
		if (n <= 0)
			return n < 0 && errno == EAGAIN;
		frames_feed(&p->frames, chunk, (size_t)n);
		if ((size_t)n < sizeof chunk)
			return true;
	}
	return true;
}

/* What was sent is let go, once that is no less than what has to be moved for it. */
static void forget_sent(struct worker_process *p)
{
	size_t left = worker_process_unsent(p);
	if (!p->sent || p->sent < left)
		return;
	memmove(p->send.data, p->send.data + p->sent, left + 1); /* with the NUL */
	p->send.len = left;
	p->sent = 0;
}

bool worker_process_flush(struct worker_process *p)
{
	ssize_t n = 0;
	while (worker_process_unsent(p) && (n >= 0 || errno == EINTR)) {
		n = write(p->to, p->send.data + p->sent, worker_process_unsent(p));
		p->sent += n > 0 ? (size_t)n : 0;
	}
	bool reads = n >= 0 || errno == EAGAIN;
	forget_sent(p);
	return reads;
}

/* ---- end ---- */

static void close_fd(int *fd)
{
	if (*fd >= 0)
		close(*fd);
	*fd = -1;
}

void worker_process_close(struct worker_process *p)
{
	close_fd(&p->to);
}

enum { STEP_MS = 5 };

/* It is not waited for yet: as long as it is not, its session's number is nobody else's. */
bool worker_process_wait(struct worker_process *p, int wait_ms)
{
	while (p->pid && !p->ended) {
		siginfo_t how = { 0 };
		int rc = waitid(P_PID, (id_t)p->pid, &how, WEXITED | WNOHANG | WNOWAIT);
		p->ended = rc < 0 ? errno != EINTR : how.si_pid == p->pid;
		if (p->ended || wait_ms <= 0)
			break;
		worker_process_read_words(p);
		poll(NULL, 0, STEP_MS);
		wait_ms -= STEP_MS;
	}
	return !p->pid || p->ended;
}

void worker_process_terminate(struct worker_process *p)
{
	if (p->pid && !p->told)
		kill(-p->pid, SIGTERM);
	p->told = true; /* a second signal would end it before it has removed what is to go */
}

bool worker_process_is_over(struct worker_process *p)
{
	if (!worker_process_wait(p, 0))
		return false;
	while (p->pid && !p->reaped)
		p->reaped = waitpid(p->pid, &p->status, 0) >= 0 || errno != EINTR;
	return !p->pid || kill(-p->pid, 0) < 0;
}

/* False: something runs after WAIT_MS, although it has been told to end if the first process has
 * ended. */
static bool wait_for_all(struct worker_process *p, int wait_ms)
{
	for (; !worker_process_is_over(p); wait_ms -= STEP_MS) {
		if (p->reaped)
			worker_process_terminate(p);
		if (wait_ms <= 0)
			return false;
		worker_process_read_words(p);
		poll(NULL, 0, STEP_MS);
	}
	return true;
}

/* Ends all in its session: by force what runs after WAIT_MS. */
static void end_session(struct worker_process *p, int wait_ms)
{
	enum { KILLED_MS = 100 };
	if (wait_for_all(p, wait_ms))
		return;
	kill(-p->pid, SIGKILL);
	if (!wait_for_all(p, KILLED_MS) && !p->reaped)
		waitpid(p->pid, &p->status, 0);
}

static char *describe(const struct worker_process *p, int status)
{
	BUF_SCOPED struct buf said = { 0 };
	show_add(&said, p->said, p->said_len);
	MEM_SCOPED char *how = WIFSIGNALED(status)
	                               ? mem_printf("killed by signal %d", WTERMSIG(status))
	                               : mem_printf("exit status %d", WEXITSTATUS(status));
	return mem_printf("%s%s%s", how, said.len ? ": " : "", said.len ? said.data : "");
}

char *worker_process_reap(struct worker_process *p, int wait_ms)
{
	worker_process_close(p);
	end_session(p, wait_ms);
	worker_process_read_words(p);
	char *words = describe(p, p->status);
	close_fd(&p->from);
	close_fd(&p->words);
	frames_release(&p->frames);
	buf_release(&p->send);
	p->frames = (struct frames){ 0 };
	p->sent = 0;
	p->pid = 0;
	return words;
}
