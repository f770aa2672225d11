#include "run/wire.h"

#include <errno.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/uio.h>

#include "base/io.h"

union descriptor_message { /* aligned as sendmsg wants it */
	struct cmsghdr header;
	char bytes[CMSG_SPACE(sizeof(int))];
};

static void attach(struct msghdr *msg, union descriptor_message *control, int fd)
{
	memset(control, 0, sizeof *control);
	msg->msg_control = control->bytes;
	msg->msg_controllen = sizeof control->bytes;
	struct cmsghdr *c = CMSG_FIRSTHDR(msg);
	c->cmsg_level = SOL_SOCKET;
	c->cmsg_type = SCM_RIGHTS;
	c->cmsg_len = CMSG_LEN(sizeof fd);
	memcpy(CMSG_DATA(c), &fd, sizeof fd);
}

bool wire_send(int sock, const void *bytes, size_t len, int fd)
{
	const char *p = bytes;
	while (len) {
		struct iovec part = { .iov_base = (void *)(uintptr_t)p, .iov_len = len };
		struct msghdr msg = { .msg_iov = &part, .msg_iovlen = 1 };
		union descriptor_message control;
		if (fd >= 0)
			attach(&msg, &control, fd);
		ssize_t n = sendmsg(sock, &msg, MSG_NOSIGNAL);
		if (n < 0 && errno == EINTR)
			continue;
		if (n < 0)
			return false;
		fd = -1;
		p += n;
		len -= (size_t)n;
	}
	return true;
}

bool wire_receive(int sock, void *bytes, size_t len, int *fd)
{
	if (!fd)
		return io_read_all(sock, bytes, len) == (ssize_t)len;
	*fd = -1;
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
		memcpy(fd, CMSG_DATA(c), sizeof *fd);
	return io_read_all(sock, (char *)bytes + n, len - (size_t)n) == (ssize_t)(len - (size_t)n);
}
