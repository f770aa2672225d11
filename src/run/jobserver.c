#include "run/jobserver.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/types.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/err.h"
#include "base/io.h"
#include "base/mem.h"
#include "run/child.h"
#include "run/wire.h"

/* Opens the file behind the descriptor FD anew: a description that nobody shares. -1 when FD is
 * closed or may not be used so, or there is no /proc. */
static int reopen(int fd, int mode)
{
	char path[32];
	int flags = fcntl(fd, F_GETFL);
	if (flags < 0 || ((flags & O_ACCMODE) != mode && (flags & O_ACCMODE) != O_RDWR))
		return -1;
	snprintf(path, sizeof path, "/proc/self/fd/%d", fd);
	return open(path, mode | O_NONBLOCK | O_CLOEXEC);
}

static bool same_pipe(int a, int b)
{
	struct stat x, y;
	return fstat(a, &x) == 0 && fstat(b, &y) == 0 && S_ISFIFO(x.st_mode) &&
	       S_ISFIFO(y.st_mode) && io_is_same(&x, &y);
}

static void open_pipe(struct jobserver *js, int get, int put)
{
	if (get < 0 || put < 0 || !same_pipe(get, put))
		return;
	js->get = reopen(get, O_RDONLY);
	js->put = reopen(put, O_WRONLY);
}

static void open_fifo(struct jobserver *js, const char *path)
{
	js->get = open(path, O_RDWR | O_NONBLOCK | O_CLOEXEC);
	if (js->get >= 0 && same_pipe(js->get, js->get))
		js->put = fcntl(js->get, F_DUPFD_CLOEXEC, 0);
}

/* What follows PREFIX in WORD, or NULL. */
static const char *after(const char *word, const char *prefix)
{
	size_t n = strlen(prefix);
	return strncmp(word, prefix, n) ? NULL : word + n;
}

/* Words end at blanks, and at "--", behind which make puts variables. AUTH: the last word's value,
 * or NULL. */
static void parse(struct jobserver *js, char *flags, const char **auth)
{
	char *save;
	for (char *word = strtok_r(flags, " \t", &save); word && strcmp(word, "--") != 0;
	     word = strtok_r(NULL, " \t", &save)) {
		const char *value = after(word, "--jobserver-auth=");
		if (!value)
			value = after(word, "--jobserver-fds=");
		if (value)
			*auth = value;
		unsigned jobs;
		char rest;
		if (sscanf(word, "-j%u%c", &jobs, &rest) == 1)
			js->jobs = jobs;
	}
}

enum jobserver_found jobserver_find(struct jobserver *js, const char *makeflags)
{
	*js = (struct jobserver){ -1, -1, 0 };
	MEM_SCOPED char *flags = mem_strdup(makeflags ? makeflags : "");
	const char *auth = NULL;
	parse(js, flags, &auth);
	int get, put;
	char rest;
	if (auth && after(auth, "fifo:"))
		open_fifo(js, after(auth, "fifo:"));
	else if (auth && sscanf(auth, "%d,%d%c", &get, &put, &rest) == 2)
		open_pipe(js, get, put);
	enum jobserver_found found = !auth         ? JOBSERVER_NONE
	                             : js->put < 0 ? JOBSERVER_UNUSABLE
	                                           : JOBSERVER_FOUND;
	if (found != JOBSERVER_FOUND)
		jobserver_close(js);
	return found;
}

void jobserver_close(struct jobserver *js)
{
	io_close(js->get);
	io_close(js->put);
	js->get = js->put = -1;
}

unsigned jobserver_left(const struct jobserver *js)
{
	int n = 0;
	return js->get >= 0 && ioctl(js->get, FIONREAD, &n) == 0 && n > 0 ? (unsigned)n : 0;
}

enum { KEEPER_MAX = 4096 }; /* tokens */

struct keeper_hold {
	volatile uint32_t n;
	volatile uint8_t bytes[KEEPER_MAX];
};

struct wish {
	uint32_t give, want, rest_ms;
};

/* ---- in the keeper ---- */

struct state {
	int sock;
	struct jobserver server;
	struct keeper_hold *hold;
	uint32_t want;
	uint64_t rest_until;
};

static void give_back(struct keeper_hold *hold, int put, uint32_t n)
{
	while (n && hold->n) {
		uint8_t byte = hold->bytes[hold->n - 1];
		if (write(put, &byte, 1) == 1) {
			hold->n--;
			n--;
		} else if (errno == EAGAIN)
			poll(&(struct pollfd){ .fd = put, .events = POLLOUT }, 1, -1);
		else if (errno != EINTR)
			return; /* nobody is left who could read it */
	}
}

static void take(struct state *s)
{
	uint8_t byte;
	if (read(s->server.get, &byte, 1) != 1)
		return; /* somebody was faster */
	s->hold->bytes[s->hold->n] = byte;
	s->hold->n++;
	wire_send(s->sock, &byte, 1, NULL, 0);
}

static noreturn void keep(struct state *s)
{
	for (;;) {
		uint64_t now = io_now();
		bool wanting = s->hold->n < s->want, resting = wanting && now < s->rest_until;
		struct pollfd fds[] = { { .fd = s->sock, .events = POLLIN },
			                { .fd = wanting && !resting ? s->server.get : -1,
			                  .events = POLLIN } };
		int timeout = resting ? (int)((s->rest_until - now + 999999) / 1000000) : -1;
		if (poll(fds, 2, timeout) <= 0)
			continue;
		struct wish wish;
		if (fds[0].revents && !wire_receive(s->sock, &wish, sizeof wish, NULL)) {
			give_back(s->hold, s->server.put, s->hold->n);
			_exit(0);
		}
		if (fds[0].revents) {
			give_back(s->hold, s->server.put, wish.give);
			s->want = wish.want < KEEPER_MAX ? wish.want : KEEPER_MAX;
			s->rest_until =
				wish.rest_ms ? io_now() + wish.rest_ms * (uint64_t)1000000 : 0;
		} else if (fds[1].revents)
			take(s);
	}
}

/* Of a session of its own and deaf to signals, so that what ends whole process groups spares it;
 * under a name of its own. */
static noreturn void be_keeper(const struct keeper *keeper, int sock)
{
	sigset_t all;
	sigfillset(&all);
	sigprocmask(SIG_SETMASK, &all, NULL);
	setsid();
	prctl(PR_SET_NAME, "token-keeper");
	const int above = STDERR_FILENO + 1;
	struct state state = { .sock = fcntl(sock, F_DUPFD_CLOEXEC, above), .hold = keeper->hold };
	state.server.get = fcntl(keeper->server.get, F_DUPFD_CLOEXEC, above);
	state.server.put = fcntl(keeper->server.put, F_DUPFD_CLOEXEC, above);
	if (state.sock < 0 || state.server.get < 0 || state.server.put < 0)
		_exit(1);
	const int kept[] = { state.sock, state.server.get, state.server.put };
	child_close_others(kept, 3);
	keep(&state);
}

/* ---- in the program ---- */

int keeper_start(struct keeper *keeper, const struct jobserver *server, struct err *err)
{
	*keeper = (struct keeper){ .sock = -1, .server = *server };
	void *hold = mmap(NULL, sizeof *keeper->hold, PROT_READ | PROT_WRITE,
	                  MAP_SHARED | MAP_ANONYMOUS, -1, 0);
	if (hold == MAP_FAILED)
		return err_errno(err, "cannot join make's job server");
	keeper->hold = hold;
	int pair[2];
	if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, pair) < 0)
		return err_errno(err, "cannot join make's job server");
	sigset_t all, old;
	sigfillset(&all);
	sigprocmask(SIG_SETMASK, &all, &old); /* no handler of the program's runs in the keeper */
	pid_t pid = fork();
	if (pid == 0)
		be_keeper(keeper, pair[1]);
	int saved = errno;
	sigprocmask(SIG_SETMASK, &old, NULL);
	close(pair[1]);
	keeper->sock = pair[0];
	errno = saved;
	if (pid < 0)
		return err_errno(err, "cannot join make's job server");
	keeper->pid = pid;
	return 0;
}

void keeper_say(struct keeper *keeper, unsigned give, unsigned want, unsigned rest_ms)
{
	const struct wish wish = { give, want, rest_ms };
	wire_send(keeper->sock, &wish, sizeof wish, NULL, 0); /* that it is gone is heard */
}

int keeper_hear(struct keeper *keeper)
{
	char bytes[64];
	ssize_t n;
	do
		n = recv(keeper->sock, bytes, sizeof bytes, MSG_DONTWAIT);
	while (n < 0 && errno == EINTR);
	return n > 0 ? (int)n : n < 0 && errno == EAGAIN ? 0 : -1;
}

void keeper_leave(struct keeper *keeper)
{
	io_close(keeper->sock);
	keeper->sock = -1;
}

void keeper_stop(struct keeper *keeper)
{
	keeper_leave(keeper);
	while (keeper->pid > 0 && waitpid(keeper->pid, NULL, 0) < 0 && errno == EINTR)
		;
	if (keeper->hold) {
		give_back(keeper->hold, keeper->server.put, keeper->hold->n);
		munmap(keeper->hold, sizeof *keeper->hold);
	}
	*keeper = (struct keeper){ .sock = -1 };
}
