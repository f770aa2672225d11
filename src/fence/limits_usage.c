#include "fence/limits_usage.h"

#include <dirent.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/buf.h"
#include "base/io.h"

/* ---- bytes ---- */

/* Directories that wait for their turn, by their paths, each with its NUL. */
struct count {
	int top; /* the open directory */
	dev_t device;
	uint64_t bytes, most;
	struct buf waiting;
};

static uint64_t weight(const struct stat *st)
{
	uint64_t size = S_ISREG(st->st_mode) && st->st_size > 0 ? (uint64_t)st->st_size : 1;
	uint64_t blocks = (size + LIMITS_USAGE_ENTRY - 1) / LIMITS_USAGE_ENTRY;
	bool shared = S_ISREG(st->st_mode) && st->st_nlink > 1;
	return blocks * LIMITS_USAGE_ENTRY / (shared ? st->st_nlink : 1);
}

static void count_entry(struct count *c, int dir, const char *path, const char *name)
{
	struct stat st;
	char below[PATH_MAX];
	if (!strcmp(name, ".") || !strcmp(name, "..") ||
	    fstatat(dir, name, &st, AT_SYMLINK_NOFOLLOW) < 0 || st.st_dev != c->device)
		return;
	c->bytes += weight(&st);
	if (!S_ISDIR(st.st_mode))
		return;
	int n = snprintf(below, sizeof below, "%s%s%s", path, *path ? "/" : "", name);
	if (n > 0 && n < PATH_MAX)
		buf_add(&c->waiting, below, (size_t)n + 1);
}

static void count_directory(struct count *c, const char *path)
{
	int fd = openat(c->top, *path ? path : ".",
	                O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC | O_NONBLOCK);
	IO_SCOPED_DIR DIR *dir = fd < 0 ? NULL : fdopendir(fd);
	if (!dir && fd >= 0)
		close(fd);
	for (struct dirent *e; dir && c->bytes <= c->most && (e = readdir(dir));)
		count_entry(c, fd, path, e->d_name);
}

/* Takes the last path off the list. */
static void take(struct buf *waiting, char path[PATH_MAX])
{
	size_t at = waiting->len - 1;
	while (at && waiting->data[at - 1])
		at--;
	memcpy(path, waiting->data + at, waiting->len - at);
	waiting->len = at;
}

uint64_t limits_usage_bytes(int dir, const char *name, uint64_t most)
{
	struct stat st;
	struct count c = { .most = most };
	c.top = openat(dir, name, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
	if (c.top < 0)
		return 0;
	if (fstat(c.top, &st) == 0) {
		char path[PATH_MAX] = "";
		c.device = st.st_dev;
		count_directory(&c, path);
		while (c.waiting.len && c.bytes <= most) {
			take(&c.waiting, path);
			count_directory(&c, path);
		}
	}
	buf_release(&c.waiting);
	close(c.top);
	return c.bytes;
}

/* ---- processes ---- */

/* Adds the children that the list at PATH names to PIDS; a longer list is cut. */
static void add_children(const char *path, struct buf *pids)
{
	char list[4096], *at = list, *end;
	io_read_short(path, list, sizeof list);
	for (long pid; (pid = strtol(at, &end, 10)) > 0 && *end == ' '; at = end)
		buf_add(pids, (const char *)&pid, sizeof pid);
}

unsigned limits_usage_processes(unsigned most)
{
	BUF_SCOPED struct buf pids = { 0 };
	size_t done = 0;
	add_children("/proc/thread-self/children", &pids);
	for (; done < pids.len && pids.len / sizeof(long) <= most; done += sizeof(long)) {
		long pid;
		char path[64];
		memcpy(&pid, pids.data + done, sizeof pid);
		snprintf(path, sizeof path, "/proc/%ld/task/%ld/children", pid, pid);
		add_children(path, &pids);
	}
	size_t n = pids.len / sizeof(long);
	return (unsigned)n;
}
