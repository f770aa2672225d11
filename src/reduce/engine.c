#include "reduce/engine.h"

#include <stdio.h>

#include "base/err.h"
#include "base/mem.h"
#include "base/show.h"
#include "base/work.h"
#include "reduce/language.h"

struct engine {
	struct engine_options options;
	struct engine_observer observer;
	struct reducer *reducer;
	struct external_host *host; /* NULL: no external passes */
	struct driver *driver;      /* NULL: nothing was asked yet */
	struct driver_stats stats;
};

/* What an observer does is not left in the middle: it may hold more than memory. */
static void on_accepted(void *arg, UNUSED struct reducer *r, struct testcase *now,
                        const struct pass_run *run)
{
	struct engine *e = arg;
	bool before = work_allow(false);
	if (e->observer.accepted)
		e->observer.accepted(e->observer.arg, e, now, run->name);
	work_allow(before);
}

static void on_pass_ended(void *arg, UNUSED struct reducer *r, const struct pass_run *run)
{
	struct engine *e = arg;
	bool before = work_allow(false);
	if (e->observer.pass_ended)
		e->observer.pass_ended(e->observer.arg, e, run->name);
	work_allow(before);
}

static bool on_skips(void *arg, UNUSED struct reducer *r, uint64_t round, struct hash *key)
{
	struct engine *e = arg;
	bool before = work_allow(false);
	bool skips = e->observer.skips(e->observer.arg, round, key);
	work_allow(before);
	return skips;
}

static void on_notice(void *arg, const char *message)
{
	struct engine *e = arg;
	bool before = work_allow(false);
	if (e->observer.notice)
		e->observer.notice(e->observer.arg, message);
	work_allow(before);
}

static void start_host(struct engine *e)
{
	const struct external_host_options o = { .externals = e->options.externals,
		                                 .file = e->options.external_file,
		                                 .notice = e->observer.notice,
		                                 .arg = e->observer.arg };
	e->host = external_host_new(&o);
}

struct engine *engine_new(struct testcase *original, const struct language *language,
                          const struct engine_options *options,
                          const struct engine_observer *observer)
{
	struct engine *e = mem_zero(1, sizeof *e);
	e->options = *options;
	if (options->before)
		e->stats = *options->before;
	if (observer)
		e->observer = *observer;
	if (options->externals)
		start_host(e);
	const struct reducer_options ro = { .enabled = options->passes,
		                            .seed = options->seed,
		                            .strategy = { .keep_names = options->keep_names },
		                            .tokenizers = language->tokenizers,
		                            .spans = language->spans,
		                            .externals = options->externals,
		                            .max_questions = options->max_questions,
		                            .stop_after = options->stop_after,
		                            .until_size = options->until_size,
		                            .certify = options->certify,
		                            .shares = options->shares,
		                            .again = options->again,
		                            .confirms = options->claims };
	const struct reducer_observer ears = { .accepted = on_accepted,
		                               .pass_ended = on_pass_ended,
		                               .skips = e->observer.skips ? on_skips : NULL,
		                               .notice = on_notice,
		                               .arg = e };
	e->reducer = reducer_new(original, language->tokenizer, &ro, &ears);
	return e;
}

void engine_free(struct engine *e)
{
	if (!e)
		return;
	driver_free(e->driver);
	reducer_free(e->reducer);
	external_host_free(e->host);
	free(e);
}

static struct driver_options driver_options_of(const struct engine *e)
{
	return (struct driver_options){ .limits = e->options.limits,
		                        .wake_fd = e->options.wake_fd,
		                        .tick_ms = e->options.tick_ms,
		                        .should_stop = e->observer.should_stop,
		                        .is_over = e->observer.is_over,
		                        .doubted = e->observer.doubted,
		                        .claims = e->options.claims,
		                        .after = e->options.after,
		                        .host = e->host,
		                        .verdict = e->observer.verdict,
		                        .arg = e->observer.arg };
}

enum driver_end engine_run(struct engine *e, struct oracle *oracle, struct err *err)
{
	const struct driver_options o = driver_options_of(e);
	return driver_run(e->reducer, oracle, e->options.verdicts, &o, &e->stats, err);
}

enum driver_end engine_ask(struct engine *e, struct oracle *oracle, struct err *err)
{
	const struct driver_options o = driver_options_of(e);
	if (!e->driver)
		e->driver = driver_new(e->reducer, oracle, e->options.verdicts, &o, &e->stats);
	return driver_ask(e->driver, err);
}

int engine_answer(struct engine *e, const struct answer *answer, struct err *err)
{
	return driver_answer(e->driver, answer, err);
}

bool engine_forget(struct engine *e, uint64_t ticket)
{
	return driver_forget(e->driver, ticket);
}

bool engine_wants(const struct engine *e, uint64_t ticket)
{
	return e->driver && driver_wants(e->driver, ticket);
}

void engine_certificate(const struct engine *e, char *text, size_t size)
{
	char units[128];
	unsigned long long since = reducer_questions_since(e->reducer);
	const struct plan *plan = reducer_plan(e->reducer);
	const struct testcase *tc = reducer_current(e->reducer);
	plan_certificate(plan, tc, units, sizeof units);
	bool spared = plan_spares_bytes(plan, tc) && !strstr(units, "byte");
	bool made = reducer_is_made(e->reducer);
	if (*units && !made)
		snprintf(text, size,
		         "%sno single one of these can be cut: %s (%llu answer%s, known "
		         "ones too, since the last success)",
		         spared ? "not each byte was tried (--certify=full tries it); " : "", units,
		         since, show_s(since));
	else if (e->options.certify == PLAN_CERTIFY_NONE)
		snprintf(text, size, "nothing was verified (--certify=none)");
	else
		snprintf(text, size,
		         "the passes that were run find nothing more%s (%llu answer%s, "
		         "known ones too, since the last success)",
		         made ? " in what the file says" : "", since, show_s(since));
}

struct testcase *engine_current(const struct engine *e)
{
	return reducer_current(e->reducer);
}

const struct driver_stats *engine_stats(const struct engine *e)
{
	return &e->stats;
}

struct external_stats engine_external_stats(const struct engine *e)
{
	return e->host ? external_host_stats(e->host) : (struct external_stats){ 0 };
}

struct reducer *engine_reducer(const struct engine *e)
{
	return e->reducer;
}
