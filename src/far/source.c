#include "far/source.h"

#include <errno.h>
#include <fcntl.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/err.h"

int source_open(struct source *s, const char *from, struct err *err)
{
	struct stat st;
	*s = (struct source){ .from = from, .fd = -1, .process.command = from };
	s->process.to = s->process.from = s->process.words = -1;
	if (stat(from, &st) == 0 && S_ISFIFO(st.st_mode)) {
		/* Open for writing, too, so that it has no end when a writer leaves. */
		s->fd = open(from, O_RDWR | O_NONBLOCK | O_CLOEXEC);
		return s->fd < 0 ? err_errno(err, "option --workers-from: %s", from) : 0;
	}
	if (worker_process_start(&s->process, err) < 0)
		return -1;
	s->fd = s->process.from;
	return 0;
}

static void take(struct source *s, char c)
{
	bool odd = ((unsigned char)c < ' ' && c != '\t') || c == 0x7f;
	if (odd && !s->trouble)
		s->trouble = "a line with control characters";
	if (s->len == SOURCE_LINE && !s->trouble)
		s->trouble = "a line of more than 4096 bytes";
	if (!s->trouble)
		s->line[s->len++] = c;
}

static enum source_got line(struct source *s, const char **text)
{
	*text = s->trouble ? s->trouble : s->line;
	s->line[s->len] = '\0';
	s->len = 0;
	enum source_got got = s->trouble ? SOURCE_BAD : SOURCE_ONE;
	s->trouble = NULL;
	return got;
}

/* What is at hand up to the end of the line. Whether that came. */
static bool take_line(struct source *s)
{
	while (s->at < s->n) {
		char c = s->chunk[s->at++];
		if (c == '\n')
			return true;
		take(s, c);
	}
	return false;
}

/* -1: there is nothing now, 0: at the end. */
static ssize_t fill(struct source *s)
{
	ssize_t n;
	do
		n = read(s->fd, s->chunk, sizeof s->chunk);
	while (n < 0 && errno == EINTR);
	s->at = 0;
	s->n = n > 0 ? (size_t)n : 0;
	return n < 0 && errno != EAGAIN ? 0 : n;
}

enum source_got source_next(struct source *s, const char **text)
{
	worker_process_read_words(&s->process);
	if (s->fd < 0)
		return SOURCE_NONE;
	if (take_line(s))
		return line(s, text);
	ssize_t n = fill(s);
	if (n)
		return n < 0 ? SOURCE_NONE : SOURCE_MORE;
	return s->len || s->trouble ? line(s, text) : SOURCE_END;
}

char *source_end(struct source *s, int wait_ms)
{
	enum { SOFT_MS = 2000 };
	char *end = NULL;
	bool failed = false;
	if (s->process.pid) {
		worker_process_close(&s->process);
		bool itself = worker_process_wait(&s->process, wait_ms);
		if (!itself)
			worker_process_terminate(&s->process);
		end = worker_process_reap(&s->process, SOFT_MS);
		failed = itself && s->process.status;
	} else if (s->fd >= 0)
		close(s->fd);
	s->fd = -1;
	if (failed)
		return end;
	free(end);
	return NULL;
}
