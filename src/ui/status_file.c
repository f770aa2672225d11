#include "ui/status_file.h"

#include <inttypes.h>
#include <stdio.h>
#include <time.h>
#include <unistd.h>

#include "base/buf.h"
#include "base/io.h"
#include "base/mem.h"

static const uint64_t WRITE_NS = 1000000000u;
enum { RATE_SECONDS = 10, MOST_BYTES = 1 << 16 };

/* ---- the file ---- */

enum kind { WHOLE /* of 64 bits, whether signed or not */, REAL, TEXT };

static const struct row {
	const char *key;
	enum kind kind;
	size_t offset;
} rows[] = {
	{ "pid", WHOLE, offsetof(struct status_file, pid) },
	{ "began", WHOLE, offsetof(struct status_file, began) },
	{ "written", WHOLE, offsetof(struct status_file, written) },
	{ "seconds", REAL, offsetof(struct status_file, seconds) },
	{ "rate", REAL, offsetof(struct status_file, rate) },
	{ "tests", WHOLE, offsetof(struct status_file, tests) },
	{ "bytes", WHOLE, offsetof(struct status_file, bytes) },
	{ "original", WHOLE, offsetof(struct status_file, original) },
	{ "steps", WHOLE, offsetof(struct status_file, steps) },
	{ "jobs", WHOLE, offsetof(struct status_file, jobs) },
	{ "success-at", REAL, offsetof(struct status_file, success_at) },
	{ "success-tests", WHOLE, offsetof(struct status_file, success_tests) },
	{ "best-at", REAL, offsetof(struct status_file, best_at) },
	{ "best-tests", WHOLE, offsetof(struct status_file, best_tests) },
	{ "time-left", REAL, offsetof(struct status_file, time_left) },
	{ "pass", TEXT, offsetof(struct status_file, pass) },
	{ "waiting", TEXT, offsetof(struct status_file, waiting) },
	{ "end", TEXT, offsetof(struct status_file, end) },
};

enum { N_ROWS = sizeof rows / sizeof *rows };

static void add_row(struct buf *out, const struct row *row, const struct status_file *p)
{
	const void *at = (const char *)p + row->offset;
	buf_addf(out, "%s=", row->key);
	switch (row->kind) {
	case WHOLE:
		buf_addf(out, "%" PRId64, *(const int64_t *)at);
		break;
	case REAL:
		buf_addf(out, "%.3f", *(const double *)at);
		break;
	case TEXT:
		buf_addf(out, "%.*s", (int)strcspn(at, "\n"), (const char *)at);
	}
	buf_addch(out, '\n');
}

static void take_row(const struct row *row, struct status_file *p, const char *value, size_t len)
{
	void *at = (char *)p + row->offset;
	switch (row->kind) {
	case WHOLE:
		*(int64_t *)at = strtoll(value, NULL, 10);
		break;
	case REAL:
		*(double *)at = strtod(value, NULL);
		break;
	case TEXT:
		snprintf(at, STATUS_FILE_TEXT, "%.*s", (int)len, value);
	}
}

static void take_line(struct status_file *p, const char *line, size_t len)
{
	for (size_t i = 0; i < N_ROWS; i++) {
		size_t key = strlen(rows[i].key);
		if (len > key && !strncmp(line, rows[i].key, key) && line[key] == '=')
			take_row(&rows[i], p, line + key + 1, len - key - 1);
	}
}

bool status_file_read(const char *path, struct status_file *p)
{
	BUF_SCOPED struct buf text = { 0 };
	*p = (struct status_file){ .success_at = -1, .time_left = -1 };
	const struct io_bounds bounds = { .most = MOST_BYTES, .regular = true };
	bool there = access(path, R_OK) == 0 && io_read_bounded(path, bounds, &text, NULL) == 0;
	if (there)
		buf_addf(&text, "%s", "");
	for (const char *at = there ? text.data : ""; *at;) {
		size_t len = strcspn(at, "\n");
		take_line(p, at, len);
		at += len + (at[len] == '\n');
	}
	return there && p->pid > 0;
}

/* No fsync: it is of this moment alone. */
static void write_file(const char *path, const struct status_file *p)
{
	BUF_SCOPED struct buf text = { 0 };
	for (size_t i = 0; i < N_ROWS; i++)
		add_row(&text, &rows[i], p);
	MEM_SCOPED char *fresh = mem_printf("%s.new", path);
	unlink(fresh); /* a link in its place would lead elsewhere */
	FILE *f = fopen(fresh, "wex");
	if (f) {
		bool whole = fwrite(text.data, 1, text.len, f) == text.len;
		whole = fclose(f) == 0 && whole;
		if (!whole || rename(fresh, path) < 0)
			unlink(fresh);
	}
}

/* ---- what it says ---- */

/* Seconds until a limit ends the run; below 0: there is no such limit. */
static double time_left(const struct session *s, double seconds)
{
	const struct session_end *end = &session_options(s)->end;
	double left = -1;
	if (end->time_limit_ns)
		left = (double)end->time_limit_ns / 1e9 - seconds;
	double until = end->deadline ? difftime(end->deadline, time(NULL)) : -1;
	if (end->deadline && (!end->time_limit_ns || until < left))
		left = until;
	return (end->deadline || end->time_limit_ns) && left < 0 ? 0 : left;
}

static void take_rate(struct status_file_writer *w)
{
	struct status_file *p = &w->now;
	double since = p->seconds - w->mark_at;
	if (since > 0.5)
		p->rate = (double)(p->tests - w->mark_tests) / since;
	if (since < RATE_SECONDS)
		return;
	w->mark_at = p->seconds;
	w->mark_tests = p->tests;
}

static void take_stock(struct status_file_writer *w, const struct session *s)
{
	struct status_file *p = &w->now;
	p->seconds = (double)session_elapsed_ns(s) / 1e9;
	p->tests = session_stats(s)->tests;
	p->bytes = testcase_shown_size(session_current(s));
	p->written = time(NULL);
	p->time_left = time_left(s, p->seconds);
	const struct curve_point *best = curve_won(w->curve, p->original, 99);
	p->best_at = best ? best->seconds : -1;
	p->best_tests = best ? best->tests : 0;
	take_rate(w);
	waiting_look(&w->waiting, s, p->waiting, sizeof p->waiting);
}

static void write_now(struct status_file_writer *w, const struct session *s)
{
	take_stock(w, s);
	w->written_ns = io_now();
	write_file(w->path, &w->now);
}

void status_file_started(struct status_file_writer *w, const struct session *s,
                         const struct curve *curve)
{
	if (!(w->path = session_path(s, STATUS_FILE_LEAF)))
		return;
	w->curve = curve;
	w->now = (struct status_file){ .pid = getpid(),
		                       .began = time(NULL) -
		                                (time_t)(session_elapsed_ns(s) / 1000000000),
		                       .original = testcase_shown_size(session_original(s)),
		                       .jobs = session_options(s)->tests.jobs,
		                       .success_at = -1 };
	write_now(w, s);
}

void status_file_accepted(struct status_file_writer *w, const struct session *s, const char *pass)
{
	struct status_file *p = &w->now;
	if (!w->path)
		return;
	p->success_at = (double)session_elapsed_ns(s) / 1e9;
	p->success_tests = session_stats(s)->tests;
	p->steps++;
	snprintf(p->pass, sizeof p->pass, "%s", pass);
	status_file_tick(w, s);
}

void status_file_tick(struct status_file_writer *w, const struct session *s)
{
	if (w->path && io_now() - w->written_ns >= WRITE_NS)
		write_now(w, s);
}

void status_file_ended(struct status_file_writer *w, const struct session *s, const char *why)
{
	if (!w->path)
		return;
	snprintf(w->now.end, sizeof w->now.end, "%s", why);
	write_now(w, s);
}

void status_file_release(struct status_file_writer *w)
{
	free(w->path);
	*w = (struct status_file_writer){ 0 };
}
