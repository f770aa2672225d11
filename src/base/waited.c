#include "base/waited.h"

#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>

#include "base/buf.h"
#include "base/io.h"

/* A process, and how long those have waited to which it owes its start. */
struct waiter {
	long pid;
	uint64_t above;
};

/* Adds the children that the file at PATH lists to WAITERS; a longer list is cut. */
static void add_children(const char *path, uint64_t above, struct buf *waiters)
{
	char list[4096], *at = list, *end;
	io_read_short(path, list, sizeof list);
	for (long pid; (pid = strtol(at, &end, 10)) > 0 && *end == ' '; at = end) {
		const struct waiter w = { pid, above };
		buf_add(waiters, (const char *)&w, sizeof w);
	}
}

/* The second number of schedstat. */
static uint64_t waited_by(const char *path)
{
	char text[128], *second;
	if (!io_read_short(path, text, sizeof text))
		return 0;
	strtoull(text, &second, 10);
	return strtoull(second, NULL, 10);
}

/* How long W has waited, with those above it; those that it has started are added to WAITERS. */
static uint64_t look(struct waiter w, struct buf *waiters)
{
	char path[96];
	uint64_t longest = w.above;
	snprintf(path, sizeof path, "/proc/%ld/task", w.pid);
	IO_SCOPED_DIR DIR *tasks = opendir(path);
	for (struct dirent *e; tasks && (e = readdir(tasks));) {
		long id = strtol(e->d_name, NULL, 10);
		if (id <= 0)
			continue;
		snprintf(path, sizeof path, "/proc/%ld/task/%ld/schedstat", w.pid, id);
		uint64_t waited = w.above + waited_by(path);
		longest = waited > longest ? waited : longest;
		snprintf(path, sizeof path, "/proc/%ld/task/%ld/children", w.pid, id);
		add_children(path, waited, waiters);
	}
	return longest;
}

uint64_t waited_for_processor(pid_t pid)
{
	enum { MOST = 256 }; /* processes: a look is not to take long */
	BUF_SCOPED struct buf waiters = { 0 };
	struct waiter w = { .pid = pid };
	uint64_t longest = 0;
	buf_add(&waiters, (const char *)&w, sizeof w);
	for (size_t done = 0; done < waiters.len && done < MOST * sizeof w; done += sizeof w) {
		memcpy(&w, waiters.data + done, sizeof w);
		uint64_t waited = look(w, &waiters);
		longest = waited > longest ? waited : longest;
	}
	return longest;
}

uint64_t waited_left(struct waited *w, pid_t pid, uint64_t spent, uint64_t limit)
{
	if (spent / WAITED_STRETCH >= limit)
		return 0;
	uint64_t now = waited_for_processor(pid);
	w->all += now > w->seen ? now - w->seen : 0;
	w->seen = now;
	uint64_t own = w->all < spent ? spent - w->all : 0;
	return own < limit ? limit - own : 0;
}
