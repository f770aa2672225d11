/* Workers that come and go while the oracle works (far_def.h): each line of a source (source.h)
 * says so of one. A line that makes no sense is reported, and changes nothing. */
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>

#include "base/err.h"
#include "base/io.h"
#include "base/mem.h"
#include "base/show.h"
#include "far/far_def.h"
#include "far/frames.h"
#include "far/source.h"
#include "run/setup.h"

enum {
	AT_A_TIME = 64,    /* lines, or pieces of 4 KiB: the workers have their turn, too */
	DOUBLINGS = 8,     /* of a rest, at most: then it is 25.6 seconds */
	REPORTS_MOST = 20, /* of what is wrong with lines */
	LOST_MS = 300,
};

static const uint64_t REST_NS = 100000000; /* after so many lines */

/* "workers from FIFO: ..." */
static void __attribute__((format(printf, 2, 3))) report(const struct far *f, const char *fmt, ...)
{
	const struct setup *setup = f->options.setup;
	va_list ap;
	va_start(ap, fmt);
	char *text = mem_vprintf(fmt, ap);
	va_end(ap);
	char *whole = mem_printf("workers from %s: %s", f->source->from, text);
	char *line = show_text(whole);
	if (setup->notice)
		setup->notice(setup->notice_arg, line);
	free(line);
	free(whole);
	free(text);
}

static void complain(struct far *f, const char *what, const char *line)
{
	if (f->source->reports++ >= REPORTS_MOST)
		return;
	const char *last =
		f->source->reports == REPORTS_MOST ? "; more of this is not reported" : "";
	if (line)
		report(f, "%s: %s%s", what, line, last);
	else
		report(f, "%s, which is ignored%s", what, last);
}

/* ---- lines ---- */

/* For one more worker: that of one which was added and has gone, else a new one. NULL: there are
 * too many. */
static struct far_worker *find_place(struct far *f)
{
	for (unsigned i = f->options.n; i < f->n_workers; i++)
		if (f->workers[i].state == FAR_GONE)
			return &f->workers[i];
	return f->n_workers < FAR_WORKERS ? &f->workers[f->n_workers++] : NULL;
}

static void join(struct far *f, const char *command)
{
	struct far_worker *w = find_place(f);
	if (!w) {
		complain(f, "there are too many workers for", command);
		return;
	}
	free(w->added);
	w->added = mem_strdup(command);
	w->peer.command = w->added;
	w->leaves = false;
	w->in_vain = 0;
	far_start(f, w);
}

/* The worker of this number, else the first that was started by this command. NULL: there is none.
 */
static struct far_worker *find(struct far *f, const char *which)
{
	uint64_t number;
	bool given = frames_number(which, FAR_WORKERS, &number);
	for (unsigned i = 0; i < f->n_workers; i++) {
		struct far_worker *w = &f->workers[i];
		bool is = given ? number == i + 1 : !strcmp(which, w->peer.command);
		if (is && w->state != FAR_GONE && !w->leaves)
			return w;
	}
	return NULL;
}

static void leave(struct far *f, const char *which)
{
	struct far_worker *w = find(f, which);
	if (w)
		w->leaves = true;
	else
		complain(f, "there is no such worker", which);
}

static void take_line(struct far *f, const char *line)
{
	static const char blank[] = " \t";
	line += strspn(line, blank);
	if (line[0] == '-' && strchr(blank, line[1]))
		leave(f, line + 1 + strspn(line + 1, blank));
	else if (*line && *line != '#')
		join(f, line);
}

static void end(struct far *f)
{
	char *how = source_end(f->source, LOST_MS);
	if (how)
		report(f, "it ended (%s); no more workers come from it", how);
	free(how);
}

/* ---- the source ---- */

static void watch(const struct far *f, int fd, int how)
{
	struct epoll_event event = { .events = EPOLLIN, .data.u32 = FAR_SOURCE };
	if (fd >= 0)
		epoll_ctl(f->epoll, how, fd, &event);
}

static void watch_both(const struct far *f, int how)
{
	watch(f, f->source->fd, how);
	watch(f, f->source->peer.words, how);
}

void far_rest(struct far *f, bool failed)
{
	struct source *s = f->source;
	if (!far_is_joined(f))
		return;
	if (!s->rests)
		watch_both(f, EPOLL_CTL_DEL);
	uint64_t end = io_now() + (REST_NS << s->failures);
	if (failed && s->failures < DOUBLINGS)
		s->failures++;
	s->rests = end > s->rests ? end : s->rests;
}

bool far_has_rested(struct far *f)
{
	struct source *s = f->source;
	if (!far_is_joined(f) || !s->rests || io_now() < s->rests)
		return false;
	s->rests = 0;
	watch_both(f, EPOLL_CTL_ADD);
	return true;
}

int far_open_source(struct far *f, struct err *err)
{
	if (!f->options.from)
		return 0;
	f->source = mem_zero(1, sizeof *f->source);
	if (source_open(f->source, f->options.from, err) < 0)
		return -1;
	watch_both(f, EPOLL_CTL_ADD);
	return 0;
}

void far_close_source(struct far *f)
{
	if (f->source)
		free(source_end(f->source, 0));
	free(f->source);
	f->source = NULL;
}

bool far_is_joined(const struct far *f)
{
	return f->source && f->source->fd >= 0;
}

void far_take_lines(struct far *f)
{
	const char *text;
	f->seen.all_ns = 0;
	far_room_changes(f);
	for (int i = 0; i < AT_A_TIME && far_is_joined(f) && !f->source->rests; i++)
		switch (source_next(f->source, &text)) {
		case SOURCE_ONE:
			take_line(f, text);
			break;
		case SOURCE_BAD:
			complain(f, text, NULL);
			break;
		case SOURCE_END:
			end(f);
			break;
		case SOURCE_MORE:
			break;
		case SOURCE_NONE:
			return;
		}
	far_rest(f, false);
}

void far_say_waits(struct far *f)
{
	bool waits = far_is_joined(f) && !far_hopes(f);
	if (waits && !f->waits)
		report(f, "there is no worker; the reduction continues with the next one");
	f->waits = waits;
}
