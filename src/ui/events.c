#include "ui/events.h"

#include <fcntl.h>
#include <jansson.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/err.h"
#include "base/io.h"
#include "base/mem.h"
#include "base/show.h"

#define FIRST "{\"event\":\"start\"" /* what a file of events begins with */

struct events {
	FILE *file;
	char *target;
	bool failed;
};

/* Opens the file NAME, empty. One of the user that holds something else is no file of events. */
static FILE *open_file(const char *name, struct err *err)
{
	char first[sizeof FIRST] = "";
	struct stat st = { 0 };
	int fd = open(name, O_WRONLY | O_CREAT | O_CLOEXEC | O_NOCTTY, 0666), in = -1;
	bool filled = fd >= 0 && fstat(fd, &st) == 0 && S_ISREG(st.st_mode) && st.st_size > 0;
	if (filled && (in = open(name, O_RDONLY | O_CLOEXEC)) >= 0) {
		filled = io_read_all(in, first, sizeof FIRST - 1) != sizeof FIRST - 1 ||
		         strcmp(first, FIRST) != 0;
		close(in);
	}
	if (filled)
		err_set(err, ERR_USAGE,
		        "option --events: %s is there and holds something else; name another file, "
		        "or remove it",
		        name);
	else if (fd < 0 || (S_ISREG(st.st_mode) && ftruncate(fd, 0) < 0))
		err_errno(err, "cannot write events to %s", name);
	else
		return fdopen(fd, "w");
	if (fd >= 0)
		close(fd);
	return NULL;
}

struct events *events_open(const char *target, struct err *err)
{
	if (!target)
		return NULL;
	bool number = *target && strspn(target, "0123456789") == strlen(target);
	FILE *f = number ? fdopen(atoi(target), "w") : open_file(target, err);
	if (!f && number)
		err_errno(err, "cannot write events to %s", target);
	if (!f)
		return NULL;
	struct events *e = mem_zero(1, sizeof *e);
	e->file = f;
	e->target = mem_strdup(target);
	return e;
}

void events_close(struct events *e)
{
	if (!e)
		return;
	fclose(e->file);
	free(e->target);
	free(e);
}

bool events_failed(const struct events *e)
{
	return e && e->failed;
}

static void fail(struct events *e)
{
	struct err err;
	err_errno(&err, "cannot write events to %s", e->target);
	show_printf(stderr, "whittle: %s; the reduction goes on without them\n", err.msg);
	e->failed = true;
}

/* Writes the object and releases it. Names of files may not be UTF-8; such a name is left out. */
static void emit(struct events *e, const struct session *s, json_t *o)
{
	json_object_set_new(o, "seconds", json_real((double)session_elapsed_ns(s) / 1e9));
	json_object_set_new(o, "tests", json_integer((json_int_t)session_stats(s)->tests));
	if (!e->failed &&
	    (json_dumpf(o, e->file, JSON_COMPACT | JSON_PRESERVE_ORDER | JSON_REAL_PRECISION(6)) <
	             0 ||
	     fputc('\n', e->file) == EOF || fflush(e->file) == EOF))
		fail(e);
	json_decref(o);
}

static json_t *event(const char *name, const struct session *s)
{
	json_t *o = json_object();
	json_object_set_new(o, "event", json_string(name));
	json_object_set_new(o, "bytes", json_integer(session_current(s)->size));
	json_object_set_new(o, "answers", json_integer((json_int_t)session_questions(s)));
	return o;
}

void events_started(struct events *e, const struct session *s)
{
	if (!e)
		return;
	json_t *o = event("start", s);
	json_t *file = json_string(session_options(s)->file);
	if (file)
		json_object_set_new(o, "file", file);
	json_object_set_new(o, "jobs", json_integer(session_options(s)->tests.jobs));
	json_object_set_new(o, "tokenizer", json_string(session_tokenizer(s)));
	json_object_set_new(o, "deadline", json_real((double)session_limit_ns(s) / 1e9));
	char fence[FENCE_WORDS_SIZE];
	fence_text(session_fence(s), fence);
	json_object_set_new(o, "fence", json_string(fence));
	emit(e, s, o);
}

void events_accepted(struct events *e, const struct session *s, const char *pass, uint32_t bytes)
{
	if (!e)
		return;
	json_t *o = event("accept", s);
	json_object_set_new(o, "bytes", json_integer(bytes));
	json_object_set_new(o, "pass", json_string(pass));
	emit(e, s, o);
}

void events_pass_ended(struct events *e, const struct session *s, const char *pass)
{
	if (!e)
		return;
	json_t *o = event("pass", s);
	json_object_set_new(o, "pass", json_string(pass));
	emit(e, s, o);
}

void events_ended(struct events *e, const struct session *s, enum driver_end end)
{
	static const char *const names[] = {
		[DRIVER_FIXPOINT] = "fixpoint",     [DRIVER_STOPPED] = "stopped",
		[DRIVER_SIZE_REACHED] = "size",     [DRIVER_MAX_QUESTIONS] = "max-tests",
		[DRIVER_NO_SUCCESS] = "stop-after", [DRIVER_FAILED] = "failed"
	};
	if (!e)
		return;
	json_t *o = event("done", s);
	json_object_set_new(o, "end", json_string(names[end]));
	emit(e, s, o);
}
