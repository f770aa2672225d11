#include "ui/progress.h"

#include <stdio.h>
#include <time.h>
#include <unistd.h>

#include "base/buf.h"
#include "base/io.h"
#include "base/mem.h"
#include "base/show.h"
#include "ui/waiting.h"

static const uint64_t REDRAW_NS = 100000000u, SECOND_NS = 1000000000u;
enum { MAKE_SECONDS = 5, LOG_SECONDS = 60 };

/* Systems that fold what stands between two lines. */
enum folding { FOLDS_NOTHING, FOLDS_GITHUB, FOLDS_GITLAB };

struct progress {
	enum progress_level level;
	bool detail, terminal, line_drawn;
	uint64_t drawn_at;
	unsigned period; /* seconds from line to line; 0: a line for each success */
	enum folding folding;
	const char *label;
	uint64_t waits_ns; /* io_now, when a wait was told last; 0: not yet */
	struct waiting waiting;
	const char *pass;
};

static bool is_set(const char *variable)
{
	const char *value = getenv(variable);
	return value && *value;
}

/* Who reads a log reads it later, and wants few lines. */
static unsigned find_period(void)
{
	if (is_set("MAKELEVEL"))
		return MAKE_SECONDS;
	return LOG_SECONDS;
}

/* Can a line be drawn anew there? */
static bool is_terminal(void)
{
	const char *term = getenv("TERM");
	return isatty(STDERR_FILENO) && term && *term && strcmp(term, "dumb") != 0;
}

struct progress *progress_new(enum progress_level level, bool plain, bool detail, const char *label)
{
	struct progress *p = mem_zero(1, sizeof *p);
	p->level = label && level == PROGRESS_NORMAL ? PROGRESS_LABEL : level;
	p->label = label;
	p->detail = detail;
	p->terminal = is_terminal() && !plain && p->level != PROGRESS_LABEL;
	p->pass = "";
	if (p->level == PROGRESS_LABEL)
		p->period = MAKE_SECONDS;
	else if (!p->terminal && !plain && level == PROGRESS_NORMAL)
		p->period = find_period();
	if (p->period && !label)
		p->folding = is_set("GITHUB_ACTIONS") ? FOLDS_GITHUB
		             : is_set("GITLAB_CI")    ? FOLDS_GITLAB
		                                      : FOLDS_NOTHING;
	return p;
}

void progress_free(struct progress *p)
{
	free(p);
}

void progress_clear(struct progress *p)
{
	if (p->line_drawn)
		fputs("\r\033[K", stderr);
	p->line_drawn = false;
}

static const char *target(const struct progress *p, const struct session *s)
{
	const struct session_options *o = session_options(s);
	return p->label ? p->label : o->out ? o->out : o->file;
}

/* In one row of the terminal. */
static void draw_line(struct progress *p, const char *text)
{
	fprintf(stderr, "\r\033[K%.*s", (int)show_width(stderr) - 1, text);
	fflush(stderr);
	p->line_drawn = true;
}

void progress_waits(struct progress *p, const char *file, const char *what, uint64_t ns)
{
	uint64_t now = io_now();
	char span[SHOW_SPAN];
	if (!what)
		progress_clear(p);
	if (!what || p->level == PROGRESS_QUIET || (ns && ns < WAITING_SOON_NS))
		return;
	MEM_SCOPED char *text =
		mem_printf("%s: waiting%s%s for %s", p->label ? p->label : file, ns ? " " : "",
	                   ns ? show_span(span, (double)ns / 1e9) : "", what);
	MEM_SCOPED char *shown = show_text(text);
	uint64_t pause = (p->period ? p->period : LOG_SECONDS) * SECOND_NS;
	if (p->terminal)
		draw_line(p, shown);
	else if (!p->waits_ns || now - p->waits_ns >= pause) {
		fprintf(stderr, "whittle: %s\n", shown);
		fflush(stderr);
		p->waits_ns = now;
	}
}

/* GitLab wants a name of its own for each section: our process has one. */
static void fold(const struct progress *p, const struct session *s, bool begins)
{
	if (p->folding == FOLDS_GITHUB && begins)
		show_printf(stderr, "::group::whittle %s\n", target(p, s));
	else if (p->folding == FOLDS_GITHUB)
		fputs("::endgroup::\n", stderr);
	else if (p->folding == FOLDS_GITLAB)
		fprintf(stderr, "\033[0Ksection_%s:%lld:whittle_%ld\r\033[0K%s\n",
		        begins ? "start" : "end", (long long)time(NULL), (long)getpid(),
		        begins ? "whittle" : "");
}

/* What is reduced, and how. */
static void say_what(const struct session *s)
{
	const struct session_options *o = session_options(s);
	const struct externals *x = session_facts(s).externals;
	bool several = session_original(s)->is_tree && !o->settings.tokenizer;
	BUF_SCOPED struct buf text = { 0 };
	if (o->n_files > 1)
		buf_addf(&text, "%u files", o->n_files);
	else
		buf_addf(&text, "%s", o->file);
	buf_addf(&text, ": %u bytes, ", testcase_shown_size(session_original(s)));
	if (several)
		buf_addf(&text, "several tokenizers");
	else
		buf_addf(&text, "tokenizer %s", session_tokenizer(s));
	for (uint32_t i = 0; i < x->n_programs && !session_facts(s).was_finished; i++)
		buf_addf(&text, "%s%s", i ? ", " : ", with ", x->programs[i].name);
	if (!session_facts(s).was_finished)
		buf_addf(&text, ", %u at a time", o->tests.jobs);
	buf_addch(&text, '\0');
	show_message(text.data);
}

void progress_started(struct progress *p, const struct session *s)
{
	progress_clear(p);
	p->drawn_at = session_elapsed_ns(s);
	if (p->level <= PROGRESS_LABEL)
		return;
	fold(p, s, true);
	say_what(s);
	if (session_facts(s).was_finished) { /* nothing is run */
		MEM_SCOPED char *before =
			mem_printf("%s was reduced before, to %u bytes (--fresh starts over)",
		                   session_name(s), testcase_shown_size(session_current(s)));
		show_message(before);
		return;
	}
	char fence[FENCE_WORDS_SIZE];
	fence_words(session_fence(s), fence);
	if (p->level == PROGRESS_VERBOSE)
		fprintf(stderr, "whittle: deadline %.6g s, %s\n",
		        (double)session_facts(s).limit_ns / 1e9, fence);
	else if (fence_lacks(session_fence(s)))
		show_note(fence, NULL);
	if (session_facts(s).resumed) {
		MEM_SCOPED char *resuming = mem_printf(
			"resuming %s, %u snapshot%s (whittle --fresh starts over)", session_name(s),
			session_facts(s).steps, show_s(session_facts(s).steps));
		show_message(resuming);
	}
}

static void draw(struct progress *p, const struct session *s)
{
	uint64_t elapsed = session_elapsed_ns(s);
	uint32_t before = testcase_shown_size(session_original(s)),
		 now = testcase_shown_size(session_current(s));
	double seconds = (double)elapsed / 1e9, tests = (double)session_stats(s)->tests;
	MEM_SCOPED char *text = mem_printf("%u of %u bytes (%.1f %%)  %.0f tests, %.0f/s  %s", now,
	                                   before, before ? 100.0 * now / before : 0, tests,
	                                   seconds > 0 ? tests / seconds : 0, p->pass);
	draw_line(p, text);
	p->drawn_at = elapsed;
}

enum { STATE_PART = 80 };

/* The state in one line, in place of one for each success: as much of it as fits; what it waits
 * for in a second one if need be. */
static void print_state(struct progress *p, const struct session *s)
{
	char waiting[128], parts[4][STATE_PART] = { "" };
	uint32_t before = testcase_shown_size(session_original(s)),
		 now = testcase_shown_size(session_current(s));
	double seconds = (double)session_elapsed_ns(s) / 1e9,
	       tests = (double)session_stats(s)->tests;
	BUF_SCOPED struct buf line = { 0 };
	waiting_look(&p->waiting, s, waiting, sizeof waiting);
	buf_addf(&line, "whittle: %s: %u of %u bytes", target(p, s), now, before);
	size_t used = show_columns(line.data);
	snprintf(parts[0], STATE_PART, " (%.3g %%)", before ? 100.0 * now / before : 0);
	snprintf(parts[1], STATE_PART, ", %.0f tests", tests);
	snprintf(parts[2], STATE_PART, ", %.0f/s", seconds > 0 ? tests / seconds : 0);
	snprintf(parts[3], STATE_PART, "%s%s", *p->pass ? ", " : "", p->pass);
	for (size_t i = 0; i < 4 && (used += show_columns(parts[i])) <= SHOW_COLUMNS; i++)
		buf_addf(&line, "%s", parts[i]);
	bool one = used + strlen(", waiting ") + show_columns(waiting) <= SHOW_COLUMNS;
	if (*waiting && one)
		buf_addf(&line, ", waiting %s", waiting);
	else if (*waiting)
		buf_addf(&line, "\nwhittle: %s: waiting %s", target(p, s), waiting);
	show_printf(stderr, "%s\n", line.data);
	fflush(stderr);
	p->drawn_at = session_elapsed_ns(s);
}

void progress_accepted(struct progress *p, const struct session *s, const char *pass,
                       uint32_t before, uint32_t after)
{
	p->pass = pass;
	if (p->level == PROGRESS_QUIET ||
	    session_facts(s).replaying) /* that was said when it was new */
		return;
	if (p->period)
		return;
	if (!p->terminal || p->level == PROGRESS_VERBOSE) {
		progress_clear(p);
		fprintf(stderr, "%u -> %u bytes (%s), %llu test%s\n", before, after, pass,
		        (unsigned long long)session_stats(s)->tests,
		        show_s(session_stats(s)->tests));
	} else if (session_elapsed_ns(s) - p->drawn_at >= REDRAW_NS)
		draw(p, s);
}

void progress_tick(struct progress *p, const struct session *s)
{
	char unused[128];
	uint64_t since = session_elapsed_ns(s) - p->drawn_at;
	waiting_look(&p->waiting, s, unused, sizeof unused);
	if (p->level == PROGRESS_QUIET)
		return;
	if (p->period && since >= p->period * SECOND_NS)
		print_state(p, s);
	else if (p->terminal && since >= REDRAW_NS)
		draw(p, s);
}

/* Tests that took more than they may: few are mistakes of candidates, many are a limit that is too
 * low. */
static void say_excesses(const struct driver_stats *d, FILE *to)
{
	static const char *const what[ANSWER_WHYS] = {
		[ANSWER_WORKER] = "killed the process that ran it",
		[ANSWER_FILES] = "exceeded --file-limit",
		[ANSWER_MEMORY] = "exceeded --memory-limit",
		[ANSWER_PROCESSES] = "exceeded --process-limit",
	};
	for (int why = ANSWER_OWN + 1; why < ANSWER_WHYS; why++)
		if (d->why[why])
			fprintf(to, "%s%llu %s %s, not interesting\n",
			        to == stderr ? "whittle: " : "", (unsigned long long)d->why[why],
			        d->why[why] == 1 ? "test" : "tests", what[why]);
}

/* What takes time beside the tests is said. */
static void say_externals(const struct session *s)
{
	const struct externals *x = session_facts(s).externals;
	uint64_t runs = session_external_stats(s).runs;
	for (uint32_t i = 0; i < x->n_programs && runs; i++)
		show_printf(stderr, "%s%s", i ? ", " : "whittle: ", x->programs[i].name);
	if (runs)
		fprintf(stderr, " ran %llu times beside the tests (--no-external turns it off)\n",
		        (unsigned long long)runs);
}

void progress_ended(struct progress *p, const struct session *s, struct ending ending,
                    const struct curve *curve)
{
	progress_clear(p);
	if (p->level <= PROGRESS_LABEL)
		return;
	fold(p, s, false);
	const struct driver_stats *d = session_stats(s);
	bool detail = p->detail || p->level == PROGRESS_VERBOSE;
	char span[SHOW_SPAN];
	BUF_SCOPED struct buf done = { 0 };
	buf_addf(&done, "%u -> %u bytes in %s, %llu test%s",
	         testcase_shown_size(session_original(s)), testcase_shown_size(session_current(s)),
	         show_span(span, (double)session_elapsed_ns(s) / 1e9), (unsigned long long)d->tests,
	         show_s(d->tests));
	if (detail)
		buf_addf(&done, " (%llu ahead of time, %llu cancelled, %llu timeout%s)",
		         (unsigned long long)d->speculated, (unsigned long long)d->cancelled,
		         (unsigned long long)d->timeouts, show_s(d->timeouts));
	MEM_SCOPED char *why = ending_said(s, ending, detail);
	buf_addch(&done, '\0');
	bool one = ending.end == DRIVER_FIXPOINT && !detail &&
	           show_columns("whittle: ; ") + show_columns(done.data) + show_columns(why) <=
	                   SHOW_COLUMNS;
	if (one) {
		done.len--;
		buf_addf(&done, "; %s", why);
		buf_addch(&done, '\0');
	}
	show_message(done.data);
	say_excesses(d, stderr);
	if (detail)
		say_externals(s);
	if (!one)
		show_message(why);
	ending_print(s, ending, curve, detail, stderr);
}

static void stats_row(const char *name, const struct pass_stats *t)
{
	if (t->runs)
		printf("%-14s %6u %9llu %9u %10lld\n", name, t->runs,
		       (unsigned long long)t->questions, t->successes, (long long)t->bytes);
}

static void external_stats(const struct session *s)
{
	const struct externals *x = session_facts(s).externals;
	struct external_stats e = session_external_stats(s);
	for (uint32_t i = 0; i < x->n_passes; i++)
		if (!x->passes[i].pump)
			stats_row(x->passes[i].name,
			          reducer_external_stats(session_facts(s).reducer, i));
	for (uint32_t i = 0; i < x->n_programs; i++)
		printf("external passes: %s %s (%s)\n", x->programs[i].name, x->programs[i].version,
		       x->programs[i].words[0]);
	if (x->n_programs)
		printf("external programs run %llu, failed %llu, answers remembered %llu\n",
		       (unsigned long long)e.runs, (unsigned long long)e.failed,
		       (unsigned long long)e.known);
}

void progress_stats(UNUSED struct progress *p, const struct session *s)
{
	const struct plan *plan = session_facts(s).plan;
	if (!plan)
		return;
	printf("%-14s %6s %9s %9s %10s\n", "pass", "runs", "answers", "successes", "bytes");
	for (uint32_t i = 0; i < passes_n; i++)
		stats_row(passes_table[i].name, &plan->stats[i]);
	struct pass_stats pumps = reducer_pump_stats(session_facts(s).reducer);
	stats_row("pumps", &pumps);
	external_stats(s);
	say_excesses(session_stats(s), stdout);
	printf("answers in total %llu, from the table %llu\n",
	       (unsigned long long)session_facts(s).questions,
	       (unsigned long long)session_facts(s).cache_hits);
}
