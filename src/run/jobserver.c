#include "run/jobserver.h"

#include <fcntl.h>
#include <stdio.h>
#include <sys/ioctl.h>
#include <sys/stat.h>

#include "base/io.h"
#include "base/mem.h"

/* Opens the file behind the descriptor FD anew: a description that nobody shares. -1 when FD is
 * closed or may not be used so, or there is no /proc. */
static int reopen(int fd, int mode)
{
	char path[32];
	int flags = fcntl(fd, F_GETFL);
	if (flags < 0 || ((flags & O_ACCMODE) != mode && (flags & O_ACCMODE) != O_RDWR))
		return -1;
	snprintf(path, sizeof path, "/proc/self/fd/%d", fd);
	return open(path, mode | O_NONBLOCK | O_CLOEXEC);
}

static bool same_pipe(int a, int b)
{
	struct stat x, y;
	return fstat(a, &x) == 0 && fstat(b, &y) == 0 && S_ISFIFO(x.st_mode) &&
	       S_ISFIFO(y.st_mode) && io_is_same(&x, &y);
}

static void open_pipe(struct jobserver *js, int get, int put)
{
	if (get < 0 || put < 0 || !same_pipe(get, put))
		return;
	js->get = reopen(get, O_RDONLY);
	js->put = reopen(put, O_WRONLY);
}

static void open_fifo(struct jobserver *js, const char *path)
{
	js->get = open(path, O_RDWR | O_NONBLOCK | O_CLOEXEC);
	if (js->get >= 0 && same_pipe(js->get, js->get))
		js->put = fcntl(js->get, F_DUPFD_CLOEXEC, 0);
}

/* What follows PREFIX in WORD, or NULL. */
static const char *after(const char *word, const char *prefix)
{
	size_t n = strlen(prefix);
	return strncmp(word, prefix, n) ? NULL : word + n;
}

/* Words end at blanks, and at "--", behind which make puts variables. AUTH: the last word's value,
 * or NULL. */
static void parse(struct jobserver *js, char *flags, const char **auth)
{
	char *save;
	for (char *word = strtok_r(flags, " \t", &save); word && strcmp(word, "--") != 0;
	     word = strtok_r(NULL, " \t", &save)) {
		const char *value = after(word, "--jobserver-auth=");
		if (!value)
			value = after(word, "--jobserver-fds=");
		if (value)
			*auth = value;
		unsigned jobs;
		char rest;
		if (sscanf(word, "-j%u%c", &jobs, &rest) == 1)
			js->jobs = jobs;
	}
}

enum jobserver_found jobserver_find(struct jobserver *js, const char *makeflags)
{
	*js = (struct jobserver){ -1, -1, 0 };
	MEM_SCOPED char *flags = mem_strdup(makeflags ? makeflags : "");
	const char *auth = NULL;
	parse(js, flags, &auth);
	int get, put;
	char rest;
	if (auth && after(auth, "fifo:"))
		open_fifo(js, after(auth, "fifo:"));
	else if (auth && sscanf(auth, "%d,%d%c", &get, &put, &rest) == 2)
		open_pipe(js, get, put);
	enum jobserver_found found = !auth         ? JOBSERVER_NONE
	                             : js->put < 0 ? JOBSERVER_UNUSABLE
	                                           : JOBSERVER_FOUND;
	if (found != JOBSERVER_FOUND)
		jobserver_close(js);
	return found;
}

void jobserver_close(struct jobserver *js)
{
	io_close(js->get);
	io_close(js->put);
	js->get = js->put = -1;
}

unsigned jobserver_left(const struct jobserver *js)
{
	int n = 0;
	return js->get >= 0 && ioctl(js->get, FIONREAD, &n) == 0 && n > 0 ? (unsigned)n : 0;
}
