#include "ui/events.h"

#include <fcntl.h>
#include <jansson.h>
#include <stdio.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/buf.h"
#include "base/err.h"
#include "base/io.h"
#include "base/mem.h"
#include "base/show.h"

#define FIRST "{\"event\":\"start\"" /* what a file of events begins with */

static const uint64_t TOGETHER_NS = 50000000u;
enum { TOGETHER_BYTES = 1 << 16 };

struct events {
	FILE *file;
	char *target;
	bool failed;
	bool made, former;   /* the file was not there; it holds events of an earlier run */
	struct buf line;     /* not yet written */
	uint64_t written_ns; /* when the last ones were */
};

/* Opens the file NAME, which is emptied before the first line, not earlier: where the command turns
 * out to be wrong, former events stay. One of the user that holds something else is no file of
 * events. */
static FILE *open_file(struct events *e, const char *name, struct err *err)
{
	char first[sizeof FIRST] = "";
	struct stat st = { 0 };
	enum { HOW = O_WRONLY | O_CREAT | O_CLOEXEC | O_NOCTTY };
	int fd = open(name, HOW | O_EXCL, 0666), in = -1;
	e->made = fd >= 0;
	if (!e->made)
		fd = open(name, HOW, 0666);
	e->former = fd >= 0 && fstat(fd, &st) == 0 && S_ISREG(st.st_mode) && st.st_size > 0;
	bool other = e->former;
	if (other && (in = open(name, O_RDONLY | O_CLOEXEC)) >= 0) {
		other = io_read_all(in, first, sizeof FIRST - 1) != sizeof FIRST - 1 ||
		        strcmp(first, FIRST) != 0;
		close(in);
	}
	if (other)
		err_set(err, ERR_USAGE,
		        "option --events: %s exists and holds something else; name another file, "
		        "or remove it",
		        name);
	else if (fd < 0)
		err_errno(err, "cannot write events to %s", name);
	else
		return fdopen(fd, "w");
	io_close(fd);
	return NULL;
}

/* An open descriptor, which stays open: standard output and standard error have more to say. */
static FILE *open_number(const char *number, struct err *err)
{
	int fd = io_dup(atoi(number));
	FILE *file = fd < 0 ? NULL : fdopen(fd, "w");
	if (!file) {
		err_errno(err, "cannot write events to %s", number);
		io_close(fd);
	}
	return file;
}

struct events *events_open(const char *target, struct err *err)
{
	if (!target)
		return NULL;
	struct events *e = mem_zero(1, sizeof *e);
	bool number = *target && strspn(target, "0123456789") == strlen(target);
	e->file = number ? open_number(target, err) : open_file(e, target, err);
	if (!e->file) {
		free(e);
		return NULL;
	}
	e->target = mem_strdup(target);
	return e;
}

bool events_failed(const struct events *e)
{
	return e && e->failed;
}

static void fail(struct events *e)
{
	struct err err;
	err_errno(&err, "cannot write events to %s", e->target);
	show_printf(stderr, "whittle: %s; the reduction continues without them\n", err.msg);
	e->failed = true;
}

/* ---- lines: written by hand, so that thousands a second cost nothing ---- */

static void add_text(struct events *e, const char *text)
{
	buf_add(&e->line, text, strlen(text));
}

static void add_digits(struct events *e, uint64_t n, unsigned least)
{
	char digits[24];
	unsigned at = sizeof digits;
	for (; n || least; n /= 10, least -= least > 0)
		digits[--at] = (char)('0' + n % 10);
	buf_add(&e->line, digits + at, sizeof digits - at);
}

/* BEFORE: all that stands before the number. */
static inline void add_number(struct events *e, const char *before, uint64_t n)
{
	add_text(e, before);
	add_digits(e, n, 1);
}

/* What JSON escapes in it is escaped. What is no UTF-8 is left out: names of files may be that. */
static void add_string(struct events *e, const char *key, const char *value)
{
	json_t *string = json_string(value);
	MEM_SCOPED char *text = string ? json_dumps(string, JSON_ENCODE_ANY) : NULL;
	if (text) {
		add_text(e, ",\"");
		add_text(e, key);
		add_text(e, "\":");
		add_text(e, text);
	}
	json_decref(string);
}

/* Lines that come in quick succession are written together. */
static void flush(struct events *e, uint64_t ns)
{
	if (!e->line.len || e->failed)
		return;
	if ((e->former && ftruncate(fileno(e->file), 0) < 0) ||
	    fwrite(e->line.data, 1, e->line.len, e->file) < e->line.len || fflush(e->file) == EOF)
		fail(e);
	e->former = e->made = false;
	e->line.len = 0;
	e->written_ns = ns;
}

static void begin(struct events *e, const char *name, const struct event_facts *f)
{
	add_text(e, "{\"event\":\"");
	add_text(e, name);
	add_number(e, "\",\"bytes\":", f->bytes);
	add_number(e, ",\"answers\":", f->answers);
}

static void end(struct events *e, const struct event_facts *f)
{
	add_number(e, ",\"seconds\":", f->ns / 1000000000u);
	add_text(e, ".");
	add_digits(e, f->ns / 1000 % 1000000, 6);
	add_number(e, ",\"tests\":", f->tests);
	add_text(e, "}\n");
	if (f->ns - e->written_ns >= TOGETHER_NS || e->line.len >= TOGETHER_BYTES)
		flush(e, f->ns);
}

void events_pass(struct events *e, const char *event, const char *pass, const struct event_facts *f)
{
	static const char plain[] =
		"abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-_:. ";
	begin(e, event, f);
	if (pass[strspn(pass, plain)]) { /* of an external program */
		add_string(e, "pass", pass);
	} else {
		add_text(e, ",\"pass\":\"");
		add_text(e, pass);
		add_text(e, "\"");
	}
	end(e, f);
}

/* ---- of a session ---- */

static struct event_facts facts_of(const struct session *s)
{
	return (struct event_facts){ .ns = session_elapsed_ns(s),
		                     .bytes = testcase_shown_size(session_current(s)),
		                     .answers = session_facts(s).questions,
		                     .tests = session_stats(s)->tests };
}

void events_started(struct events *e, const struct session *s)
{
	if (!e)
		return;
	struct event_facts f = facts_of(s);
	char fence[FENCE_WORDS_SIZE], deadline[32];
	begin(e, "start", &f);
	add_string(e, "file", session_options(s)->file);
	add_number(e, ",\"jobs\":", session_options(s)->tests.jobs);
	add_string(e, "tokenizer", session_tokenizer(s));
	snprintf(deadline, sizeof deadline, ",\"deadline\":%.6f",
	         (double)session_facts(s).limit_ns / 1e9);
	add_text(e, deadline);
	fence_text(session_fence(s), fence);
	add_string(e, "fence", fence);
	end(e, &f);
	flush(e, f.ns);
}

void events_accepted(struct events *e, const struct session *s, const char *pass, uint32_t bytes)
{
	if (!e)
		return;
	struct event_facts f = facts_of(s);
	f.bytes = bytes;
	events_pass(e, "accept", pass, &f);
}

void events_pass_ended(struct events *e, const struct session *s, const char *pass)
{
	if (!e)
		return;
	const struct event_facts f = facts_of(s);
	events_pass(e, "pass", pass, &f);
}

void events_tick(struct events *e, const struct session *s)
{
	uint64_t ns = e && e->line.len ? session_elapsed_ns(s) : 0;
	if (ns && ns - e->written_ns >= TOGETHER_NS)
		flush(e, ns);
}

void events_ended(struct events *e, const struct session *s, enum driver_end how)
{
	static const char *const names[] = {
		[DRIVER_FIXPOINT] = "fixpoint",     [DRIVER_STOPPED] = "stopped",
		[DRIVER_SIZE_REACHED] = "size",     [DRIVER_MAX_QUESTIONS] = "max-tests",
		[DRIVER_NO_SUCCESS] = "stop-after", [DRIVER_FAILED] = "failed"
	};
	if (!e)
		return;
	struct event_facts f = facts_of(s);
	begin(e, "done", &f);
	add_string(e, "end", names[how]);
	end(e, &f);
	flush(e, f.ns);
}

void events_close(struct events *e)
{
	if (!e)
		return;
	flush(e, e->written_ns);
	fclose(e->file);
	if (e->made) /* and nothing has come */
		unlink(e->target);
	buf_release(&e->line);
	free(e->target);
	free(e);
}
