/* whittle status: what a reduction does, or did, from any terminal. */
#include <inttypes.h>
#include <stdio.h>
#include <time.h>
#include <unistd.h>

#include "base/buf.h"
#include "base/err.h"
#include "base/mem.h"
#include "base/quote.h"
#include "base/show.h"
#include "cli/commands.h"
#include "cli/now.h"
#include "cli/resume_kept.h"
#include "base/options.h"
#include "cli/stored.h"
#include "store/history.h"
#include "ui/status_file.h"

static const struct option_row rows[] = {
	{ 'f', "follow", NULL, "repeat every second until the reduction ends", options_set_flag,
	  offsetof(struct stored_options, follow) },
	STORED_COMMON_ROWS,
	{ 0 },
};

enum { STALE_SECONDS = 10 };

struct status {
	const struct stored_options *o;
	struct reduction r;
	struct now now;
	struct status_file status_file;
	pid_t owner;
	bool has_status_file; /* of the run that is under way, or was the last */
};

static int look(struct status *st, const struct stored_options *o, const char *spec,
                struct err *err)
{
	*st = (struct status){ .o = o };
	if (reduction_open(&st->r, ".", o->store, spec, err) < 0 ||
	    now_look(&st->r, &st->now, err) < 0)
		return -1;
	MEM_SCOPED char *path = location_path(&st->r.location, STATUS_FILE_LEAF);
	st->has_status_file = status_file_read(path, &st->status_file);
	st->owner = reduction_owner(&st->r);
	if (st->owner && st->status_file.pid != st->owner) /* that was another run */
		st->has_status_file = false;
	return 0;
}

static void release(struct status *st)
{
	now_release(&st->now);
	reduction_close(&st->r);
}

/* ---- what is printed ---- */

static void print_state(const struct status *st)
{
	char span[SHOW_SPAN];
	const struct status_file *p = &st->status_file;
	const char *name = st->r.location.name;
	if (st->owner && st->has_status_file)
		show_printf(stdout, "%s: running for %s, process %ld\n", name,
		            show_span(span, difftime(time(NULL), (time_t)p->began)),
		            (long)st->owner);
	else if (st->owner)
		show_printf(stdout, "%s: running, process %ld\n", name, (long)st->owner);
	else if (st->r.chain.last.kind == STEP_FINISHED)
		show_printf(stdout, "%s: finished\n", name);
	else if (st->has_status_file && !status_file_was_killed(p))
		show_printf(stdout, "%s: stopped after %s: %s\n", name, show_span(span, p->seconds),
		            p->end);
	else if (st->has_status_file)
		show_printf(stdout, "%s: killed after %s\n", name, show_span(span, p->seconds));
	else
		show_printf(stdout, "%s: stopped\n", name);
}

static void print_size(const struct status *st)
{
	const struct step *last = &st->r.chain.last;
	const struct now *now = &st->now;
	uint64_t bytes = now->is == NOW_AHEAD ? testcase_shown_size(now->tc) : last->bytes;
	printf("  size    %" PRIu64 " of %" PRIu64 " bytes", bytes, last->original);
	if (last->original)
		printf(" (%.3g %%)", 100.0 * (double)bytes / (double)last->original);
	printf(", step %u%s\n", last->number,
	       now->is == NOW_AHEAD ? " and what came after it" : "");
	if (now->path)
		show_printf(stdout, "  file    %s", now->path);
	if (now->is == NOW_FOREIGN)
		printf("\n          which holds something else now (%u bytes)",
		       (unsigned)testcase_shown_size(now->tc));
	else if (now->is == NOW_OTHER)
		printf("\n          which holds another snapshot, or the result formatted (%u "
		       "bytes)",
		       (unsigned)testcase_shown_size(now->tc));
	else if (now->path && now->is == NOW_NOT_THERE)
		printf(", which does not exist");
	if (now->path)
		putchar('\n');
}

static void print_work(const struct status *st)
{
	char span[SHOW_SPAN];
	const struct status_file *p = &st->status_file;
	printf("  tests   %" PRIu64 " in this run", p->tests);
	if (st->owner)
		printf(", %.3g a second, %" PRIu64 " at a time", p->rate, p->jobs);
	putchar('\n');
	if (*p->pass)
		show_printf(stdout, "  pass    %s\n", p->pass);
	if (p->success_at >= 0)
		printf("  success %s%s, %" PRIu64 " test%s since\n",
		       show_span(span,
		                 st->owner ? difftime(time(NULL), (time_t)p->began) - p->success_at
		                           : p->seconds - p->success_at),
		       st->owner ? " ago" : " before the end", p->tests - p->success_tests,
		       show_s(p->tests - p->success_tests));
	if (p->best_at >= 0)
		printf("  99 %%    of its reduction after %s and %" PRIu64 " test%s of this run\n",
		       show_span(span, p->best_at), p->best_tests, show_s(p->best_tests));
}

/* What is honest: limits, and that nothing has been heard. When a fixpoint comes nobody knows. */
static void print_outlook(const struct status *st)
{
	char span[SHOW_SPAN];
	const struct status_file *p = &st->status_file;
	double silent = difftime(time(NULL), (time_t)p->written);
	if (silent >= STALE_SECONDS)
		printf("  news    none for %s\n", show_span(span, silent));
	if (*p->waiting)
		show_printf(stdout, "  waiting %s\n", p->waiting);
	if (p->time_left >= 0)
		printf("  ends    in %s at the latest\n", show_span(span, p->time_left - silent));
}

static void print_end(struct status *st)
{
	MEM_SCOPED char *note =
		st->r.chain.last.kind == STEP_FINISHED ? reduction_note(&st->r) : NULL;
	MEM_SCOPED char *command =
		quote_command("resume", st->o->dir, st->o->store, st->r.location.name);
	struct err err;
	if (note) {
		BUF_SCOPED struct buf lines = { 0 };
		show_fold(&lines, " ", "    ", note, NULL);
		show_printf(stdout, "%.*s\n", (int)lines.len, lines.data);
	} else if (resume_check_test(&st->r, &err) < 0)
		show_printf(stdout, "  resume  %s\n", err.msg);
	else if (st->now.path && st->now.is == NOW_NOT_THERE)
		show_printf(stdout, "  resume  %s; if it has moved to FILE: %s -o FILE\n", command,
		            command);
	else
		show_printf(stdout, "  resume  %s\n", command);
}

static void print(struct status *st)
{
	print_state(st);
	print_size(st);
	if (st->has_status_file)
		print_work(st);
	if (st->owner && st->has_status_file)
		print_outlook(st);
	if (!st->owner)
		print_end(st);
}

/* Says it again and again; on a terminal over what was said before. */
static int follow(const struct stored_options *o, const char *spec, struct err *err)
{
	const struct timespec second = { .tv_sec = 1 };
	struct status st;
	bool runs = true, terminal = isatty(STDOUT_FILENO);
	while (runs) {
		int rc = look(&st, o, spec, err);
		if (rc == 0 && terminal)
			fputs("\033[H\033[J", stdout);
		if (rc == 0)
			print(&st);
		runs = rc == 0 && st.owner;
		release(&st);
		if (rc < 0 || fflush(stdout) == EOF)
			return rc;
		if (runs)
			nanosleep(&second, NULL);
	}
	return 0;
}

int cmd_status(int argc, char **argv)
{
	static const struct stored_usage usage = { "status [OPTIONS] [NAME|FILE|@]", rows, 1,
		                                   "one name" };
	struct stored_options o = { 0 };
	struct err err;
	struct status st;
	int first = stored_parse(&usage, argc, argv, &o, &err);
	if (first == 0)
		return 0;
	if (first < 0)
		return command_fail(&err);
	const char *spec = first < argc ? argv[first] : NULL;
	int rc = o.follow ? follow(&o, spec, &err) : look(&st, &o, spec, &err);
	if (!o.follow) {
		if (rc == 0)
			print(&st);
		release(&st);
	}
	return rc < 0 || stored_finish(&err) < 0 ? command_fail(&err) : 0;
}
