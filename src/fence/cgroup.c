#include "fence/cgroup.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/buf.h"
#include "base/err.h"
#include "base/io.h"
#include "base/mem.h"

#define PREFIX "whittle-"

/* The names of what a controller offers: [0] version 1, [1] version 2. */
static const struct {
	const char *name, *limit[2], *swap[2], *events[2], *event;
} controllers[CGROUP_KINDS] = {
	[CGROUP_MEMORY] = { "memory",
	                    { "memory.limit_in_bytes", "memory.max" },
	                    { "memory.memsw.limit_in_bytes", "memory.swap.max" },
	                    { "memory.oom_control", "memory.events" },
	                    "oom_kill " },
	[CGROUP_PROCESSES] = { "pids",
	                       { "pids.max", "pids.max" },
	                       { NULL, NULL },
	                       { "pids.events", "pids.events" },
	                       "max " },
};

/* ---- small files ---- */

static int write_text(const char *dir, const char *name, const char *text)
{
	MEM_SCOPED char *path = mem_printf("%s/%s", dir, name);
	IO_SCOPED int fd = open(path, O_WRONLY | O_CLOEXEC);
	return fd < 0 ? -1 : io_write_all(fd, text, strlen(text));
}

/* The content of a file, NUL-terminated; the caller's; NULL: it cannot be read. */
static char *read_text(const char *path)
{
	struct buf text = { 0 };
	struct err err;
	if (io_read_file(path, &text, &err) < 0)
		return NULL;
	return text.data;
}

/* ---- where groups are made ---- */

/* Is WORD one of those in the list, up to END, that commas divide? */
static bool lists(const char *list, const char *end, const char *word)
{
	size_t n = strlen(word);
	for (const char *at = list; at < end; at++) {
		size_t len = 0;
		while (at + len < end && at[len] != ',')
			len++;
		if (len == n && !memcmp(at, word, n))
			return true;
		at += len;
	}
	return false;
}

/* Our group in the hierarchy of the controller NAME ("": version 2), from /proc/self/cgroup: lines
 * "NUMBER:CONTROLLERS:PATH". The caller's; NULL: there is none. */
static char *own_group(const char *text, const char *name)
{
	for (const char *line = text; line && *line;) {
		const char *a = strchr(line, ':'), *b = a ? strchr(a + 1, ':') : NULL;
		const char *next = strchr(line, '\n');
		bool here = b && (*name ? lists(a + 1, b, name) : b == a + 1);
		if (here)
			return mem_printf("%.*s", (int)(next ? next - b - 1 : 4096), b + 1);
		line = next ? next + 1 : NULL;
	}
	return NULL;
}

/* The place where the hierarchy is mounted and the group that is seen there, from
 * /proc/self/mountinfo: "ID PARENT DEV ROOT PLACE OPTIONS ... - TYPE SOURCE SUPER". */
static bool find_mount(const char *text, const char *name, char place[4096], char root[4096])
{
	for (const char *line = text; line && *line;) {
		const char *next = strchr(line, '\n'), *dash = strstr(line, " - ");
		char type[32] = "", super[512] = "";
		if (dash && (!next || dash < next) &&
		    sscanf(line, "%*d %*d %*s %4095s %4095s", root, place) == 2 &&
		    sscanf(dash, " - %31s %*s %511s", type, super) == 2 &&
		    (*name ? !strcmp(type, "cgroup") && lists(super, super + strlen(super), name)
		           : !strcmp(type, "cgroup2")))
			return true;
		line = next ? next + 1 : NULL;
	}
	return false;
}

/* Our group's directory; the caller's, or NULL. */
static char *own_directory(const char *name)
{
	MEM_SCOPED char *groups = read_text("/proc/self/cgroup"),
			*mounts = read_text("/proc/self/mountinfo");
	char *group = groups ? own_group(groups, name) : NULL, *dir = NULL;
	MEM_SCOPED char *place = mem_zero(1, 4096), *root = mem_zero(1, 4096);
	if (group && mounts && find_mount(mounts, name, place, root)) {
		size_t n = strcmp(root, "/") ? strlen(root) : 0;
		if (!strncmp(group, root, n))
			dir = mem_printf("%s%s", place, strcmp(group + n, "/") ? group + n : "");
	}
	free(group);
	return dir;
}

/* Removes the groups of runs that are gone. Those in use cannot be removed anyway. */
static void remove_stale(const char *above)
{
	IO_SCOPED_DIR DIR *dir = opendir(above);
	for (struct dirent *e; dir && (e = readdir(dir));) {
		long pid = 0;
		if (sscanf(e->d_name, PREFIX "%ld-", &pid) == 1 && pid > 0 &&
		    kill((pid_t)pid, 0) < 0 && errno == ESRCH)
			unlinkat(dirfd(dir), e->d_name, AT_REMOVEDIR);
	}
}

/* Makes a group below ABOVE if that gives it the controller. */
static bool make_below(struct cgroup_controller *c, enum cgroup_what what, const char *above,
                       unsigned i)
{
	char *path = mem_printf("%s/" PREFIX "%ld-%u", above, (long)getpid(), i);
	MEM_SCOPED char *limit = mem_printf("%s/%s", path, controllers[what].limit[c->v2]);
	bool made = mkdir(path, 0755) == 0, shared = !made && errno == EEXIST;
	bool usable = (made || shared) && access(limit, W_OK) == 0;
	if (usable) {
		c->path = path;
		return true;
	}
	if (made)
		rmdir(path);
	free(path);
	return false;
}

/* To the directory of the group above; false when there is none to be seen. */
static bool go_up(char *dir)
{
	*strrchr(dir, '/') = '\0';
	MEM_SCOPED char *file = mem_printf("%s/cgroup.procs", dir);
	return access(file, F_OK) == 0;
}

/* In version 2 a group with processes, such as ours, has no controllers for groups below it; the
 * one above may have. */
static void make(struct cgroup_controller *c, enum cgroup_what what, unsigned i)
{
	MEM_SCOPED char *dir = own_directory(controllers[what].name);
	if (!dir) {
		c->v2 = true;
		dir = own_directory("");
	}
	if (dir && !make_below(c, what, dir, i) && c->v2 && go_up(dir))
		make_below(c, what, dir, i);
}

void cgroup_bury(void)
{
	for (int what = 0; what <= CGROUP_KINDS; what++) {
		MEM_SCOPED char *dir =
			own_directory(what < CGROUP_KINDS ? controllers[what].name : "");
		if (dir)
			remove_stale(dir);
		if (dir && what == CGROUP_KINDS && go_up(dir))
			remove_stale(dir);
	}
}

void cgroup_open(struct cgroup *g, unsigned i)
{
	*g = (struct cgroup){ 0 };
	for (int what = 0; what < CGROUP_KINDS; what++)
		make(&g->of[what], (enum cgroup_what)what, i);
}

bool cgroup_has(const struct cgroup *g, enum cgroup_what what)
{
	return g->of[what].path != NULL;
}

/* ---- limits ---- */

static void give_up(struct cgroup_controller *c)
{
	rmdir(c->path);
	free(c->path);
	c->path = NULL;
}

bool cgroup_limit(struct cgroup *g, enum cgroup_what what, uint64_t limit)
{
	struct cgroup_controller *c = &g->of[what];
	if (!c->path || c->limit == limit)
		return c->path != NULL;
	const char *swap = controllers[what].swap[c->v2], *none = c->v2 ? "max" : "-1";
	char text[32];
	snprintf(text, sizeof text, "%llu", (unsigned long long)limit + (what == CGROUP_PROCESSES));
	if (!limit)
		snprintf(text, sizeof text, "%s", what == CGROUP_PROCESSES ? "max" : none);
	if (swap && !c->v2)
		write_text(c->path, swap, "-1"); /* memory and swap are never less than memory */
	if (write_text(c->path, controllers[what].limit[c->v2], text) < 0) {
		give_up(c);
		return false;
	}
	if (swap) /* not everywhere is swap accounted for */
		write_text(c->path, swap, !limit ? none : c->v2 ? "0" : text);
	c->limit = limit;
	return true;
}

void cgroup_adopt(struct cgroup *g, pid_t pid)
{
	char text[32];
	snprintf(text, sizeof text, "%ld", (long)pid);
	for (int what = 0; what < CGROUP_KINDS; what++)
		if (g->of[what].path && write_text(g->of[what].path, "cgroup.procs", text) < 0)
			give_up(&g->of[what]);
}

/* How often the limit has struck. */
static uint64_t count_events(const struct cgroup_controller *c, enum cgroup_what what)
{
	MEM_SCOPED char *path = mem_printf("%s/%s", c->path, controllers[what].events[c->v2]);
	char *text = read_text(path), *line = text;
	uint64_t n = 0;
	size_t len = strlen(controllers[what].event);
	while (line && strncmp(line, controllers[what].event, len) != 0)
		line = (line = strchr(line, '\n')) ? line + 1 : NULL;
	if (line)
		n = strtoull(line + len, NULL, 10);
	free(text);
	return n;
}

void cgroup_mark(struct cgroup *g)
{
	for (int what = 0; what < CGROUP_KINDS; what++)
		if (g->of[what].path && g->of[what].limit)
			g->of[what].seen = count_events(&g->of[what], (enum cgroup_what)what);
}

bool cgroup_exceeded(const struct cgroup *g, enum cgroup_what what)
{
	const struct cgroup_controller *c = &g->of[what];
	return c->path && c->limit && count_events(c, what) != c->seen;
}

void cgroup_close(struct cgroup *g)
{
	for (int what = 0; what < CGROUP_KINDS; what++)
		if (g->of[what].path)
			give_up(&g->of[what]);
}
