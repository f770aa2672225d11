#include "ui/progress.h"

#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "base/mem.h"
#include "base/show.h"

static const uint64_t REDRAW_NS = 100000000u;

struct progress {
	enum progress_level level;
	bool terminal, line_drawn;
	uint64_t drawn_at;
	const char *pass;
};

struct progress *progress_new(enum progress_level level)
{
	struct progress *p = mem_zero(1, sizeof *p);
	p->level = level;
	p->terminal = isatty(STDERR_FILENO);
	p->pass = "";
	return p;
}

void progress_free(struct progress *p)
{
	free(p);
}

static void clear_line(struct progress *p)
{
	if (p->line_drawn)
		fputs("\r\033[K", stderr);
	p->line_drawn = false;
}

void progress_started(struct progress *p, const struct session *s)
{
	if (p->level == PROGRESS_QUIET)
		return;
	const struct session_options *o = session_options(s);
	show_printf(stderr, "whittle: %s: %u bytes, tokenizer %s", o->file,
	            session_original(s)->size, session_tokenizer(s));
	if (session_was_finished(s)) { /* nothing is run */
		show_printf(stderr,
		            "\nwhittle: %s was reduced before, to %u bytes (--fresh starts over)\n",
		            session_name(s), session_current(s)->size);
		return;
	}
	char fence[FENCE_WORDS_SIZE];
	fence_words(session_fence(s), fence);
	fprintf(stderr, ", %u at a time, deadline %.3g s, %s\n", o->tests.jobs,
	        (double)session_limit_ns(s) / 1e9, fence);
	if (session_resumed(s))
		show_printf(stderr,
		            "whittle: going on with %s, %u snapshots (--fresh starts over)\n",
		            session_name(s), session_steps(s));
}

static void draw(struct progress *p, const struct session *s)
{
	uint64_t elapsed = session_elapsed_ns(s);
	uint32_t before = session_original(s)->size, now = session_current(s)->size;
	double seconds = (double)elapsed / 1e9, tests = (double)session_stats(s)->tests;
	fprintf(stderr, "\r\033[K%u of %u bytes (%.1f %%)  %.0f tests, %.0f/s  %s", now, before,
	        100.0 * now / before, tests, seconds > 0 ? tests / seconds : 0, p->pass);
	fflush(stderr);
	p->line_drawn = true;
	p->drawn_at = elapsed;
}

void progress_accepted(struct progress *p, const struct session *s, const char *pass,
                       uint32_t before, uint32_t after)
{
	p->pass = pass;
	if (p->level == PROGRESS_QUIET || session_replaying(s)) /* that was said when it was new */
		return;
	if (!p->terminal || p->level == PROGRESS_VERBOSE) {
		clear_line(p);
		fprintf(stderr, "%u -> %u bytes (%s), %llu tests\n", before, after, pass,
		        (unsigned long long)session_stats(s)->tests);
	} else if (session_elapsed_ns(s) - p->drawn_at >= REDRAW_NS)
		draw(p, s);
}

void progress_tick(struct progress *p, const struct session *s)
{
	if (p->level != PROGRESS_QUIET && p->terminal &&
	    session_elapsed_ns(s) - p->drawn_at >= REDRAW_NS)
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

void progress_ended(struct progress *p, const struct session *s, struct ending ending,
                    const struct curve *curve)
{
	clear_line(p);
	if (p->level == PROGRESS_QUIET)
		return;
	const struct driver_stats *d = session_stats(s);
	fprintf(stderr,
	        "whittle: %u -> %u bytes in %.1f s, %llu tests (%llu ahead of time, %llu "
	        "cancelled, %llu timeouts)\n",
	        session_original(s)->size, session_current(s)->size,
	        (double)session_elapsed_ns(s) / 1e9, (unsigned long long)d->tests,
	        (unsigned long long)d->speculated, (unsigned long long)d->cancelled,
	        (unsigned long long)d->timeouts);
	say_excesses(d, stderr);
	ending_print(s, ending, curve, stderr);
}

static void stats_row(const char *name, const struct pass_stats *t)
{
	if (t->runs)
		printf("%-14s %6u %9llu %9u %10lld\n", name, t->runs,
		       (unsigned long long)t->questions, t->successes, (long long)t->bytes);
}

static void external_stats(const struct session *s)
{
	const struct externals *x = session_externals(s);
	struct external_stats e = session_external_stats(s);
	for (uint32_t i = 0; i < x->n_passes; i++)
		if (!x->passes[i].pump)
			stats_row(x->passes[i].name, reducer_external_stats(session_reducer(s), i));
	for (uint32_t i = 0; i < x->n_programs; i++)
		printf("external passes: %s %s (%s)\n", x->programs[i].name, x->programs[i].version,
		       x->programs[i].words[0]);
	if (x->n_programs)
		printf("external programs run %llu, failed %llu, answers remembered %llu\n",
		       (unsigned long long)e.runs, (unsigned long long)e.failed,
		       (unsigned long long)e.known);
}

void progress_stats(struct progress *p, const struct session *s)
{
	(void)p;
	const struct plan *plan = session_plan(s);
	if (!plan)
		return;
	printf("%-14s %6s %9s %9s %10s\n", "pass", "runs", "answers", "successes", "bytes");
	for (uint32_t i = 0; i < passes_n; i++)
		stats_row(passes_table[i].name, &plan->stats[i]);
	struct pass_stats pumps = reducer_pump_stats(session_reducer(s));
	stats_row("pumps", &pumps);
	external_stats(s);
	say_excesses(session_stats(s), stdout);
	printf("answers in all %llu, from the table %llu\n",
	       (unsigned long long)session_questions(s), (unsigned long long)session_cache_hits(s));
}
