#include "run/wire.h"

#include <errno.h>
#include <sys/socket.h>
#include <sys/uio.h>

#include "base/io.h"
#include "base/mem.h"

union descriptor_message { /* aligned as sendmsg wants it */
	struct cmsghdr header;
	char bytes[CMSG_SPACE(WIRE_FDS * sizeof(int))];
};

static void attach(struct msghdr *msg, union descriptor_message *control, const int *fds,
                   unsigned n)
{
	memset(control, 0, sizeof *control);
	msg->msg_control = control->bytes;
	msg->msg_controllen = CMSG_SPACE(n * sizeof *fds);
	struct cmsghdr *c = CMSG_FIRSTHDR(msg);
	c->cmsg_level = SOL_SOCKET;
	c->cmsg_type = SCM_RIGHTS;
	c->cmsg_len = CMSG_LEN(n * sizeof *fds);
	memcpy(CMSG_DATA(c), fds, n * sizeof *fds);
}

bool wire_send(int sock, const void *bytes, size_t len, const int *fds, unsigned n_fds)
{
	const char *p = bytes;
	while (len) {
		struct iovec part = { .iov_base = (void *)(uintptr_t)p, .iov_len = len };
		struct msghdr msg = { .msg_iov = &part, .msg_iovlen = 1 };
		union descriptor_message control;
		if (n_fds)
			attach(&msg, &control, fds, n_fds);
		ssize_t n = sendmsg(sock, &msg, MSG_NOSIGNAL);
		if (n < 0 && errno == EINTR)
			continue;
		if (n < 0) { /* the rest would be taken for another message */
			shutdown(sock, SHUT_RDWR);
			return false;
		}
		n_fds = 0;
		p += n;
		len -= (size_t)n;
	}
	return true;
}

bool wire_receive(int sock, void *bytes, size_t len, int *fds)
{
	if (!fds)
		return io_read_all(sock, bytes, len) == (ssize_t)len;
	for (int i = 0; i < WIRE_FDS; i++)
		fds[i] = -1;
	struct iovec part = { .iov_base = bytes, .iov_len = len };
	union descriptor_message control;
	struct msghdr msg = { .msg_iov = &part,
		              .msg_iovlen = 1,
		              .msg_control = control.bytes,
		              .msg_controllen = sizeof control.bytes };
	ssize_t n;
	do
		n = recvmsg(sock, &msg, MSG_CMSG_CLOEXEC);
	while (n < 0 && errno == EINTR);
	if (n <= 0)
		return false;
	struct cmsghdr *c = CMSG_FIRSTHDR(&msg);
	if (c && c->cmsg_type == SCM_RIGHTS)
		memcpy(fds, CMSG_DATA(c), c->cmsg_len - CMSG_LEN(0));
	return io_read_all(sock, (char *)bytes + n, len - (size_t)n) == (ssize_t)(len - (size_t)n);
}

/* The strings of LEN bytes, each ended by NUL; none when the last is not. */
static uint32_t count_strings(const char *strings, uint32_t len)
{
	uint32_t n = 0;
	for (uint32_t i = 0; i < len; i++)
		n += !strings[i];
	return strings[len - 1] ? 0 : n;
}

/* Receives LEN bytes of strings, a piece at a time, so that no more is held than has come. Their
 * number, 0 for what cannot be. */
static uint32_t receive_strings(int sock, char **strings, uint32_t len)
{
	enum { PIECE = 1 << 20 };
	for (uint32_t at = 0; at < len;) {
		uint32_t n = len - at < PIECE ? len - at : PIECE;
		*strings = mem_resize(*strings, (size_t)at + n, 1);
		if (!wire_receive(sock, *strings + at, n, NULL))
			return 0;
		at += n;
	}
	return count_strings(*strings, len);
}

bool wire_receive_request(int sock, struct wire_request *rq, char **names, char **words, int *fds)
{
	if (!wire_receive(sock, rq, sizeof *rq, fds) || rq->op > WIRE_SYNC ||
	    rq->generation >= WIRE_SETS || rq->names_len > WIRE_STRINGS_MAX ||
	    rq->words_len > WIRE_STRINGS_MAX)
		return false;
	uint32_t n = rq->names_len ? receive_strings(sock, names, rq->names_len) : 0;
	bool none = rq->names_len == 1 && !rq->n_names;
	if (n != rq->n_names + none || (rq->names_len && !n))
		return false;
	return !rq->words_len || receive_strings(sock, words, rq->words_len);
}
