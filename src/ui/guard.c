#include "ui/guard.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdbool.h>
#include <stdint.h>
#include <string.h>
#include <sys/wait.h>
#include <termios.h>
#include <unistd.h>

#include "base/io.h"

enum { RESET_MAX = 512, END = UINT16_MAX };

/* What the pipe carries, each in one write. */
struct order {
	uint16_t len; /* 0: nothing is to be done; END: all is over */
	uint8_t bytes[RESET_MAX];
};

static void put_right(int tty, const struct termios *as_it_was, const struct order *order, int log)
{
	static const char last_words[] =
		"whittle: killed or crashed; the file holds the best result so far\r\n";
	char text[4096];
	ssize_t n;
	io_write_all(tty, order->bytes, order->len);
	tcsetattr(tty, TCSADRAIN, as_it_was);
	io_write_all(tty, last_words, sizeof last_words - 1);
	if (log < 0 || lseek(log, 0, SEEK_SET) < 0)
		return;
	while ((n = read(log, text, sizeof text)) > 0)
		if (io_write_all(tty, text, (size_t)n) < 0)
			return;
}

static void close_others(int a, int b, int c)
{
	for (int fd = 0, most = (int)sysconf(_SC_OPEN_MAX); fd < most && fd < 65536; fd++)
		if (fd != a && fd != b && fd != c)
			close(fd);
}

static void watch(int in, int tty, const struct termios *as_it_was, int log)
{
	struct order order = { 0 }, next;
	sigset_t all;
	sigfillset(&all);
	sigprocmask(SIG_SETMASK, &all, NULL);
	setsid();
	close_others(in, tty, log);
	while (io_read_all(in, &next, sizeof next) == (ssize_t)sizeof next) {
		if (next.len == END)
			_exit(0);
		order = next;
	}
	if (order.len)
		put_right(tty, as_it_was, &order, log);
	_exit(0);
}

int guard_start(struct guard *g, int tty, int log)
{
	struct termios as_it_was;
	int ends[2];
	*g = (struct guard){ .pipe = -1 };
	if (tcgetattr(tty, &as_it_was) < 0 || pipe2(ends, O_CLOEXEC) < 0)
		return -1;
	pid_t pid = fork();
	if (pid == 0)
		watch(ends[0], tty, &as_it_was, log);
	close(ends[0]);
	if (pid < 0) {
		close(ends[1]);
		return -1;
	}
	*g = (struct guard){ pid, ends[1] };
	return 0;
}

/* When it is gone, somebody killed it, and nobody puts the terminal right but we. */
static void send(struct guard *g, const struct order *order)
{
	if (g->pipe < 0 || io_write_all(g->pipe, order, sizeof *order) == 0)
		return;
	close(g->pipe);
	g->pipe = -1;
}

void guard_arm(struct guard *g, const void *bytes, size_t len)
{
	struct order order = { .len = (uint16_t)(len < RESET_MAX ? len : RESET_MAX) };
	if (order.len)
		memcpy(order.bytes, bytes, order.len);
	send(g, &order);
}

void guard_disarm(struct guard *g)
{
	guard_arm(g, NULL, 0);
}

void guard_end(struct guard *g)
{
	send(g, &(struct order){ .len = END }); /* others may have its pipe open */
	if (g->pipe >= 0)
		close(g->pipe);
	g->pipe = -1;
	while (g->pid > 0 && waitpid(g->pid, NULL, 0) < 0 && errno == EINTR)
		;
	g->pid = 0;
}
