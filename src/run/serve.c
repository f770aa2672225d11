#include "run/serve.h"

#include <errno.h>
#include <fcntl.h>
#include <sys/ioctl.h>
#include <sys/stat.h>
#include <unistd.h>

#include "run/sets.h"

/* The test may have put anything in the place of the FIFO. */
static int open_fifo(const struct slot *slot)
{
	char name[SETS_NAME_SIZE];
	struct stat st;
	sets_name(name, 'j', slot->generation);
	int fd = openat(slot->dir, name, O_RDWR | O_NONBLOCK | O_NOFOLLOW | O_CLOEXEC);
	if (fd >= 0 && (fstat(fd, &st) < 0 || !S_ISFIFO(st.st_mode))) {
		close(fd);
		fd = -1;
	}
	return fd;
}

bool serve_give(struct slot *slot)
{
	if (slot->jobs < 0)
		slot->jobs = open_fifo(slot);
	if (slot->jobs < 0 || write(slot->jobs, "+", 1) != 1)
		return false;
	slot->given++;
	return true;
}

unsigned serve_unused(const struct slot *slot)
{
	int n = 0;
	if (slot->jobs < 0 || ioctl(slot->jobs, FIONREAD, &n) < 0 || n < 0)
		return 0;
	return (unsigned)n < slot->given ? (unsigned)n : slot->given;
}

unsigned serve_take_back(struct slot *slot, unsigned max)
{
	char bytes[64];
	unsigned n = serve_unused(slot);
	if (n > max)
		n = max;
	if (n > sizeof bytes)
		n = sizeof bytes;
	ssize_t got = n ? read(slot->jobs, bytes, n) : 0;
	if (got <= 0)
		return 0;
	slot->given -= (unsigned)got;
	return (unsigned)got;
}
