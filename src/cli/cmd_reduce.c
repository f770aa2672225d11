#include <signal.h>
#include <stdio.h>
#include <unistd.h>

#include "base/err.h"
#include "base/mem.h"
#include "base/quote.h"
#include "base/show.h"
#include "base/signals.h"
#include "cli/commands.h"
#include "cli/reduce_options.h"
#include "first/ask.h"
#include "first/teach.h"
#include "reduce/session.h"
#include "ui/curve.h"
#include "ui/ending.h"
#include "ui/events.h"
#include "ui/live.h"
#include "ui/progress.h"
#include "ui/status_file.h"

/* The first signal that asks for an end arrives as data. */
static int open_signals(void)
{
	signal(SIGPIPE, SIG_IGN);
	signal(SIGXFSZ, SIG_IGN); /* a limit on the size of files is an error of write(2) */
	return signals_catch();
}

struct report {
	struct progress *progress;
	struct live *live; /* NULL: lines only */
	struct events *events;
	struct status_file_writer status_file;
	struct curve curve;
	bool quiet;
	const char *file; /* what is reduced */
};

static void on_started(void *arg, const struct session *s)
{
	struct report *r = arg;
	progress_started(r->progress, s);
	live_started(r->live, s);
	events_started(r->events, s);
	status_file_started(&r->status_file, s, &r->curve);
}

static void on_accepted(void *arg, const struct session *s, const char *pass, uint32_t before,
                        uint32_t after)
{
	struct report *r = arg;
	curve_add(&r->curve, (struct curve_point){ (double)session_elapsed_ns(s) / 1e9,
	                                           session_stats(s)->tests, after });
	live_accepted(r->live, s, pass);
	if (!live_is_on(r->live))
		progress_accepted(r->progress, s, pass, before, after);
	events_accepted(r->events, s, pass, after);
	status_file_accepted(&r->status_file, s, pass);
}

static void on_pass_ended(void *arg, const struct session *s, const char *pass)
{
	struct report *r = arg;
	events_pass_ended(r->events, s, pass);
}

static void on_tick(void *arg, const struct session *s)
{
	struct report *r = arg;
	live_tick(r->live, s);
	if (!live_is_on(r->live))
		progress_tick(r->progress, s);
	events_tick(r->events, s);
	status_file_tick(&r->status_file, s);
}

static void on_wishes(void *arg, UNUSED const struct session *s, struct session_wishes *wishes)
{
	live_wishes(((struct report *)arg)->live, wishes);
}

static void on_waits(void *arg, const char *what, uint64_t ns)
{
	struct report *r = arg;
	if (live_is_on(r->live))
		live_waits(r->live, what);
	else
		progress_waits(r->progress, r->file, what, ns);
}

static void on_notice(void *arg, const char *message)
{
	const struct report *r = arg;
	if (r && r->quiet)
		return;
	if (r)
		progress_clear(r->progress);
	show_message(message);
	if (r)
		live_notice(r->live, message);
}

static void tell_end(struct report *r, const struct session *s, struct ending ending)
{
	MEM_SCOPED char *why = ending_why(s, ending);
	progress_ended(r->progress, s, ending, &r->curve);
	events_ended(r->events, s, ending.end);
	status_file_ended(&r->status_file, s, why);
}

static int exit_code(enum driver_end end, int sig)
{
	if (end == DRIVER_FIXPOINT || end == DRIVER_SIZE_REACHED)
		return 0;
	return sig ? 128 + sig : ERR_STOPPED;
}

/* What a test wrote, with a line end; NULL: nothing. */
static void show_output(FILE *out, const char *text)
{
	size_t len = text ? strlen(text) : 0;
	if (!len)
		return;
	show_write(out, text, len);
	if (text[len - 1] != '\n')
		putc('\n', out);
}

/* The exit code when there is no session. */
static int fail_to_open(const struct reduce_options *o, const struct session_probe *probe,
                        const struct err *err)
{
	int sig = err->code == ERR_STOPPED ? signals_release() : 0;
	bool empty = o->ask.command && probe->empty_interesting && err->code == ERR_TEST;
	struct err plain = *err;
	if (empty)
		err_set(&plain, ERR_TEST,
		        "the command does the same on an empty file, so the result would be empty; "
		        "say what the bug is with --stderr or --stdout (or use --allow-trivial)");
	ask_add_place(&o->ask, &o->session, &plain);
	int code = command_fail(&plain);
	if (!o->ask.command)
		teach(&o->session, probe, o->ask.typed, err);
	return sig ? 128 + sig : code;
}

static int reduce(struct reduce_options *o, struct report *report, struct err *err)
{
	struct session_probe probe = { 0 };
	o->session.end.stop_fd = open_signals();
	o->session.observer = (struct session_observer){ .started = on_started,
		                                         .accepted = on_accepted,
		                                         .pass_ended = on_pass_ended,
		                                         .tick = on_tick,
		                                         .wishes = on_wishes,
		                                         .waits = on_waits,
		                                         .notice = on_notice,
		                                         .arg = report };
	struct session *s = session_open(&o->session, &probe, err);
	if (!s) {
		show_output(stderr, probe.output);
		int failed = fail_to_open(o, &probe, err);
		free(probe.output);
		return failed;
	}
	if (session_name(s))
		ask_keep_first(&o->ask, s);
	enum driver_end end = session_reduce(s, err);
	int sig = signals_release();
	live_ended(report->live);
	tell_end(report, s, (struct ending){ end, sig });
	if (end != DRIVER_FAILED)
		others_end(&o->others, s, (struct others_end){ o->quiet, end == DRIVER_FIXPOINT });
	if (end != DRIVER_FAILED && session_name(s) && !o->ask.forks)
		ask_keep_output(s, end == DRIVER_FIXPOINT);
	if (o->stats)
		progress_stats(report->progress, s);
	int code = end == DRIVER_FAILED ? command_fail(err) : exit_code(end, sig);
	session_close(s);
	close(o->session.end.stop_fd);
	return code;
}

/* Becomes `whittle resume` of SPEC. Returns when that is not possible: the exit code. */
static int branch_off(const struct session_options *o, const char *spec)
{
	MEM_SCOPED char *jobs = mem_printf("-j%u", o->tests.jobs),
			*shown = quote_command("resume", o->store.dir, o->store.repository, spec);
	const char *argv[8] = { "whittle", "resume", jobs };
	size_t n = 3;
	if (o->store.repository) {
		argv[n++] = "--store";
		argv[n++] = o->store.repository;
	}
	argv[n++] = "--";
	argv[n] = spec;
	struct err err;
	show_printf(stderr, "whittle: branching off: %s\n", shown);
	execv("/proc/self/exe", (char *const *)(uintptr_t)argv);
	err_errno(&err, "cannot branch off");
	return command_fail(&err);
}

int reduce_run(struct reduce_options *o)
{
	struct err err = { 0 };
	struct report report = { 0 };
	if (others_begin(&o->others, &o->session, &err) < 0)
		return command_fail(&err);
	report.events = events_open(o->events, &err);
	if (err.code)
		return command_fail(&err);
	report.quiet = o->quiet || o->label;
	report.progress = progress_new(o->quiet     ? PROGRESS_QUIET
	                               : o->verbose ? PROGRESS_VERBOSE
	                                            : PROGRESS_NORMAL,
	                               o->plain, o->stats, o->label);
	report.file = o->session.file;
	if (!o->quiet && !o->verbose && !o->plain && !o->label)
		report.live = live_new();
	int code = reduce(o, &report, &err);
	MEM_SCOPED char *branch =
		live_branch(report.live) ? mem_strdup(live_branch(report.live)) : NULL;
	live_free(report.live);
	if (events_failed(report.events) && (code == 0 || code == ERR_STOPPED))
		code = ERR_SYSTEM;
	progress_free(report.progress);
	status_file_release(&report.status_file);
	curve_release(&report.curve);
	events_close(report.events);
	if (branch && code == ERR_STOPPED)
		code = branch_off(&o->session, branch);
	return code;
}

/* False: there is nothing to reduce or to check, and *code is the exit code. */
static bool read_command_line(struct reduce_options *o, int argc, char **argv, int *code)
{
	struct err err;
	int first = reduce_options_parse(o, argc, argv, &err);
	bool asks = first >= 0 && (o->help || o->help_all || o->list_passes || o->version);
	if (asks)
		*code = reduce_options_answer(o);
	else if (first < 0 || reduce_options_operands(o, argc, argv, first, &err) < 0)
		*code = command_fail(&err);
	else
		return true;
	if (first < 0)
		teach_typed(o->ask.typed);
	return false;
}

int cmd_reduce(int argc, char **argv)
{
	static struct reduce_options o; /* what it points to lives as long as the program */
	int code;
	if (!read_command_line(&o, argc, argv, &code))
		return code;
	return reduce_run(&o);
}

static void print_limits(const struct session_options *o)
{
	const struct {
		const char *what, *unit;
		uint64_t limit, of;
	} rows[] = { { "files", " MB", o->settings.file_limit, 1 << 20 },
		     { "memory", " MB", o->settings.memory_limit, 1 << 20 },
		     { "processes", "", o->settings.process_limit, 1 } };
	printf("limits of a test:");
	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
		printf("%s %s ", i ? "," : "", rows[i].what);
		if (rows[i].limit)
			printf("%.6g%s", (double)rows[i].limit / (double)rows[i].of, rows[i].unit);
		else
			printf("unlimited");
	}
	putchar('\n');
}

/* Half of the reductions in bench/RESULTS.md ("To the end") take as many tests as this, whatever
 * the size of the file. A smaller candidate takes less time, so what the original takes is a bound.
 */
static void print_estimate(const struct session *s, uint64_t slowest_ns)
{
	enum { LEAST = 1000, MOST = 3000 };
	char least[SHOW_SPAN], most[SHOW_SPAN];
	unsigned jobs = session_facts(s).jobs ? session_facts(s).jobs : 1;
	double each = (double)slowest_ns / 1e9 / jobs;
	if (session_options(s)->settings.repeat.flaky || session_options(s)->settings.repeat.runs)
		return;
	printf("usual reduction: %d to %d tests, at most %s to %s at -j%u\n", LEAST, MOST,
	       show_span(least, LEAST * each), show_span(most, MOST * each), jobs);
}

int cmd_check(int argc, char **argv)
{
	struct err err = { 0 };
	static struct reduce_options o; /* what it points to lives as long as the program */
	int code;
	if (!read_command_line(&o, argc, argv, &code))
		return code;
	struct session_probe probe = { 0 };
	struct report report = { .file = o.session.file,
		                 .progress = progress_new(PROGRESS_NORMAL, o.plain, false, NULL) };
	o.session.end.stop_fd = open_signals();
	o.session.store.none = o.session.look_only = true;
	o.session.observer =
		(struct session_observer){ .notice = on_notice, .waits = on_waits, .arg = &report };
	struct session *s = session_open(&o.session, &probe, &err);
	if (probe.runs)
		show_printf(stdout, "interesting: %u of %u runs on %s\nslowest run: %.3f s\n",
		            probe.interesting, probe.runs, o.session.file,
		            (double)probe.slowest_ns / 1e9);
	if (probe.output && *probe.output)
		puts("output of the test:");
	show_output(stdout, probe.output);
	if (!s) {
		progress_free(report.progress);
		code = fail_to_open(&o, &probe, &err);
		free(probe.output);
		return code;
	}
	printf("an empty file: %s\n", probe.empty_interesting
	                                      ? "interesting, so the result would be empty"
	                                      : "not interesting");
	printf("tokenizer: %s\ndeadline of a test: %.6g s\n", session_tokenizer(s),
	       (double)session_facts(s).limit_ns / 1e9);
	char fence[FENCE_WORDS_SIZE];
	fence_words(session_fence(s), fence);
	puts(fence);
	print_limits(&o.session);
	print_estimate(s, probe.slowest_ns);
	teach_usable(session_options(s), &probe);
	puts("The test is usable.");
	session_close(s);
	progress_free(report.progress);
	return 0;
}
