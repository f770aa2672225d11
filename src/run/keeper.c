#include "run/keeper.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/err.h"
#include "base/io.h"
#include "run/child.h"
#include "run/wire.h"

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
