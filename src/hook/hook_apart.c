#include "hook/hook_apart.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdlib.h>
#include <stdnoreturn.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "base/err.h"
#include "base/io.h"
#include "base/signals.h"
#include "fence/workdir.h"

/* After its time a child gets as long to end by itself, after a kill what it started as long. */
static const uint64_t GRACE_NS = 250000000, CLEAN_NS = 200000000;

/* What the child sends, before the bytes of all that has a length. */
struct message {
	enum hook_finding finding;
	enum err_code code;
	uint32_t best;
	bool fixpoint;
	size_t smallest, output, text;
};

static noreturn void become(hook_judge_fn *judge, const void *arg, pid_t parent, int to)
{
	struct err err = { 0 };
	struct hook_judgement j = { 0 };
	prctl(PR_SET_PDEATHSIG, SIGKILL);
	if (getppid() != parent)
		_exit(1);
	enum hook_finding finding = judge(arg, &j, &err);
	struct message m = { finding,        err.code,     j.best,         j.fixpoint,
		             j.smallest.len, j.output.len, strlen(err.msg) };
	bool sent = io_write_all(to, &m, sizeof m) == 0 &&
	            io_write_all(to, j.smallest.data, m.smallest) == 0 &&
	            io_write_all(to, j.output.data, m.output) == 0 &&
	            io_write_all(to, err.msg, m.text) == 0;
	_exit(!sent);
}

static int left_ms(uint64_t until)
{
	uint64_t now = io_now();
	return now < until ? (int)((until - now + 999999) / 1000000) : 0;
}

enum end { END_ANSWER, END_TIME, END_SIGNAL };

/* Reads FROM to its end, until a signal or the time UNTIL. */
static enum end receive(int from, int stop, uint64_t until, struct buf *text)
{
	char bytes[1 << 16];
	for (;;) {
		struct pollfd p[] = { { .fd = from, .events = POLLIN },
			              { .fd = stop, .events = POLLIN } };
		int n = poll(p, 2, left_ms(until));
		if (n > 0 && p[1].revents)
			return END_SIGNAL;
		if (n == 0)
			return END_TIME;
		if (n < 0 || !p[0].revents)
			continue;
		ssize_t got = read(from, bytes, sizeof bytes);
		if (got < 0 && errno == EINTR)
			continue;
		if (got <= 0)
			return END_ANSWER;
		buf_add(text, bytes, (size_t)got);
	}
}

/* Waits for the next end of a child, or until UNTIL. */
static void wait_for_one(uint64_t until)
{
	int left = left_ms(until);
	const struct timespec wait = { left / 1000, left % 1000 * 1000000L };
	sigset_t child;
	sigemptyset(&child);
	sigaddset(&child, SIGCHLD);
	sigtimedwait(&child, NULL, &wait);
}

/* Waits until nothing is left that we, or what is gone, have started; not for ever. */
static void wait_for_all(uint64_t patience_ns)
{
	uint64_t until = io_now() + patience_ns;
	for (;;) {
		pid_t pid;
		while ((pid = waitpid(-1, NULL, WNOHANG)) > 0 || (pid < 0 && errno == EINTR))
			;
		if (pid < 0 || !left_ms(until))
			return;
		wait_for_one(until);
	}
}

static bool has_ended(pid_t pid, uint64_t patience_ns)
{
	uint64_t until = io_now() + patience_ns;
	while (waitpid(pid, NULL, WNOHANG) == 0) {
		if (!left_ms(until))
			return false;
		wait_for_one(until);
	}
	return true;
}

/* Removes the directories of processes that were killed. */
static void tidy(void)
{
	const char *const bases[] = { NULL, io_temporary() };
	for (int i = 0; i < 2; i++) {
		struct workdir dir;
		struct err ignored;
		if (workdir_init(&dir, bases[i], 1, 0, &ignored) == 0)
			workdir_release(&dir);
	}
}

/* Ends a child that has not answered, and what it started. */
static void end_child(pid_t pid, enum end end)
{
	if (end == END_SIGNAL) /* which it may have got as well, and be about to clear away */
		kill(pid, SIGTERM);
	if (end == END_TIME || !has_ended(pid, GRACE_NS)) {
		kill(pid, SIGKILL);
		waitpid(pid, NULL, 0);
	}
	wait_for_all(CLEAN_NS);
	tidy();
}

static enum hook_finding parse(const struct buf *text, struct hook_judgement *j, struct err *err)
{
	struct message m;
	if (text->len < sizeof m) {
		err_set(err, ERR_SYSTEM, "the process that judged it ended without an answer");
		return HOOK_UNJUDGED;
	}
	memcpy(&m, text->data, sizeof m);
	if (text->len != sizeof m + m.smallest + m.output + m.text || m.text >= sizeof err->msg)
		bug("incomplete answer");
	const char *at = text->data + sizeof m;
	j->best = m.best;
	j->fixpoint = m.fixpoint;
	buf_add(&j->smallest, at, m.smallest);
	buf_add(&j->output, at + m.smallest, m.output);
	err->code = m.code;
	memcpy(err->msg, at + m.smallest + m.output, m.text);
	err->msg[m.text] = '\0';
	return m.finding;
}

enum hook_finding hook_apart(hook_judge_fn *judge, const void *arg, uint64_t time_ns,
                             struct hook_judgement *j, struct err *err)
{
	struct buf text = { 0 };
	int fds[2], stop = signals_open();
	uint64_t until = io_now() + time_ns + GRACE_NS;
	pid_t parent = getpid();
	*j = (struct hook_judgement){ 0 };
	prctl(PR_SET_CHILD_SUBREAPER, 1); /* what a killed child started comes to us */
	pid_t pid = pipe2(fds, O_CLOEXEC) < 0 ? -1 : fork();
	if (pid == 0)
		become(judge, arg, parent, fds[1]);
	if (pid < 0) {
		err_errno(err, "cannot start a process");
		return HOOK_UNJUDGED;
	}
	close(fds[1]);
	enum end end = receive(fds[0], stop, until, &text);
	close(fds[0]);
	close(stop);
	if (end == END_ANSWER)
		waitpid(pid, NULL, 0);
	else
		end_child(pid, end);
	enum hook_finding finding = end == END_SIGNAL ? HOOK_INTERRUPTED : HOOK_UNJUDGED;
	if (end == END_ANSWER)
		finding = parse(&text, j, err);
	else if (end == END_TIME)
		err_set(err, ERR_TEST, "the time was up before the test could run");
	buf_release(&text);
	return finding;
}
