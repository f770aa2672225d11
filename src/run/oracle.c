#include "run/oracle.h"

#include <errno.h>
#include <fcntl.h>
#include <sys/epoll.h>
#include <unistd.h>

#include "base/buf.h"
#include "base/err.h"
#include "base/io.h"
#include "base/mem.h"

static void close_output(struct oracle_output *output)
{
	io_close(output->out);
	io_close(output->err);
	*output = (struct oracle_output){ -1, -1 };
}

int oracle_keep(const struct oracle_request *rq, struct oracle_request *copy,
                struct oracle_output *output)
{
	const struct oracle_output none = { -1, -1 }, *from = rq->output ? rq->output : &none;
	*output = none;
	output->out = io_dup(from->out);
	output->err = output->out < 0 && from->out >= 0 ? -1 : io_dup(from->err);
	if ((output->out < 0) != (from->out < 0) || (output->err < 0) != (from->err < 0)) {
		int saved = errno;
		close_output(output);
		errno = saved;
		return -1;
	}
	*copy = *rq;
	copy->tc = NULL;
	copy->words = (const char *const *)mem_copy_words(rq->words);
	copy->output = rq->output ? output : NULL;
	return 0;
}

void oracle_drop(struct oracle_request *copy, struct oracle_output *output)
{
	testcase_unref((struct testcase *)(uintptr_t)copy->tc);
	mem_free_words((char **)(uintptr_t)copy->words);
	*copy = (struct oracle_request){ 0 };
	close_output(output);
}

int oracle_wait_long(struct oracle *o, struct answer *answer, int wake_fd, struct err *err)
{
	enum { IDLE_MS = 500 };
	int rc = oracle_wait(o, answer, wake_fd, o->idle ? IDLE_MS : -1, err);
	if (rc == 0 && o->idle && !io_is_readable(wake_fd))
		o->idle(o->idle_arg);
	return rc;
}

int oracle_ask(struct oracle *o, const struct oracle_request *request, int stop_fd,
               struct answer *answer, struct err *err)
{
	if (oracle_submit(o, request, err) < 0)
		return -1;
	for (;;) {
		int got = oracle_wait_long(o, answer, stop_fd, err);
		if (got)
			return got < 0 ? -1 : 0;
		if (io_is_readable(stop_fd)) {
			oracle_cancel(o, request->ticket);
			return 1;
		}
	}
}

/* Reads what is there, but no more at once than lets others have their turn; keeps the first
 * ORACLE_OUTPUT_MAX bytes. False at the end of the output. */
static bool drain(int fd, struct buf *out)
{
	enum { CHUNKS = 64 };
	char chunk[1 << 14];
	for (int i = 0; i < CHUNKS; i++) {
		ssize_t n = read(fd, chunk, sizeof chunk);
		if (n < 0 && errno == EINTR)
			continue;
		if (n <= 0)
			return n < 0 && errno == EAGAIN;
		size_t room = ORACLE_OUTPUT_MAX - out->len;
		buf_add(out, chunk, (size_t)n < room ? (size_t)n : room);
	}
	return true;
}

/* One descriptor for the output and for the wish to stop. -1 with errno. */
static int watch(int fd, int stop_fd)
{
	int both = epoll_create1(EPOLL_CLOEXEC);
	struct epoll_event event = { .events = EPOLLIN };
	if (both >= 0 && epoll_ctl(both, EPOLL_CTL_ADD, fd, &event) == 0 &&
	    (stop_fd < 0 || epoll_ctl(both, EPOLL_CTL_ADD, stop_fd, &event) == 0))
		return both;
	io_close(both);
	return -1;
}

/* 0, 1 when STOP_FD became readable before the answer, -1 and err. */
static int wait_and_drain(struct oracle *o, int fd, int stop_fd, struct answer *answer,
                          struct buf *out, struct err *err)
{
	int rc, wake = watch(fd, stop_fd);
	if (wake < 0)
		return err_errno(err, "cannot wait for the output of a test");
	while ((rc = oracle_wait_long(o, answer, wake, err)) == 0 && !io_is_readable(stop_fd))
		if (!drain(fd, out))
			epoll_ctl(wake, EPOLL_CTL_DEL, fd, NULL);
	drain(fd, out);
	close(wake);
	return rc < 0 ? -1 : rc == 0;
}

int oracle_ask_verbose(struct oracle *o, const struct oracle_request *request, int stop_fd,
                       struct answer *answer, char **output, struct err *err)
{
	int fds[2];
	if (pipe2(fds, O_CLOEXEC) < 0)
		return err_errno(err, "cannot make a pipe");
	fcntl(fds[0], F_SETFL, O_NONBLOCK);
	struct buf out = { 0 };
	buf_add(&out, "", 0);
	struct oracle_request verbose = *request;
	verbose.output = &(struct oracle_output){ .out = fds[1], .err = fds[1] };
	int rc = oracle_submit(o, &verbose, err);
	close(fds[1]);
	if (rc == 0)
		rc = wait_and_drain(o, fds[0], stop_fd, answer, &out, err);
	if (rc > 0)
		oracle_cancel(o, request->ticket);
	close(fds[0]);
	*output = rc == 0 ? out.data : NULL;
	if (rc)
		buf_release(&out);
	return rc;
}
