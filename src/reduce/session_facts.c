/* What a session says of itself. */
#include "reduce/session.h"

#include <stdio.h>

#include "base/io.h"
#include "reduce/session_def.h"
#include "lang/tokenizer.h"

const struct fence *session_fence(const struct session *s)
{
	return &s->ask.fence;
}

const struct testcase *session_original(const struct session *s)
{
	return s->original;
}

bool session_can_format(const struct session *s)
{
	return !s->options.format && s->language.tokenizer && format_command(s->language.tokenizer);
}

const struct testcase *session_written(const struct session *s)
{
	return s->formatted ? s->formatted : session_current(s);
}

const struct testcase *session_current(const struct session *s)
{
	return s->result ? s->result : s->engine ? engine_current(s->engine) : s->original;
}

const struct session_options *session_options(const struct session *s)
{
	return &s->options;
}

const struct driver_stats *session_stats(const struct session *s)
{
	static const struct driver_stats none;
	return s->engine ? engine_stats(s->engine) : &none;
}

struct external_stats session_external_stats(const struct session *s)
{
	return s->engine ? engine_external_stats(s->engine) : (struct external_stats){ 0 };
}

uint64_t session_elapsed_ns(const struct session *s)
{
	return io_now() - s->start_ns;
}

const char *session_tokenizer(const struct session *s)
{
	if (s->language.tokenizer)
		return tokenizer_name(s->language.tokenizer);
	return s->options.settings.tokenizer ? s->options.settings.tokenizer : "several";
}

const char *session_name(const struct session *s)
{
	return s->kept.keep ? session_store_of(s->kept.keep)->location.name : NULL;
}

char *session_path(const struct session *s, const char *leaf)
{
	return s->kept.keep ? location_path(&session_store_of(s->kept.keep)->location, leaf) : NULL;
}

struct session_facts session_facts(const struct session *s)
{
	const struct reducer *r = s->engine ? engine_reducer(s->engine) : NULL;
	const struct session_store *kept = s->kept.keep;
	return (struct session_facts){ .externals = &s->externals,
		                       .reducer = r,
		                       .plan = r ? reducer_plan(r) : NULL,
		                       .questions = r ? reducer_questions(r) : 0,
		                       .cache_hits = s->ask.verdicts.hits,
		                       .limit_ns = s->ask.limits.wall_ns,
		                       .rate = s->ask.rate,
		                       .jobs = s->wish.paused ? 0 : s->wish.jobs,
		                       .steps = kept ? reduction_steps(session_store_of(kept)) : 0,
		                       .resumed = kept && s->kept.state != STORE_NEW,
		                       .was_finished = s->result,
		                       .replaying = s->follow.replaying,
		                       .skipping = s->wish.skip,
		                       .is_unwritten = s->follow.err.code,
		                       .stop = s->wish.stop,
		                       .certificate = s->certificate };
}

static void tell_wait(struct session *s, uint64_t ns)
{
	const struct session_observer *o = &s->options.observer;
	s->waits.said = s->waits.what != NULL;
	if (o->waits)
		o->waits(o->arg, s->waits.what, ns);
}

static void on_idle(void *arg)
{
	struct session *s = arg;
	if (s->waits.what)
		tell_wait(s, io_now() - s->waits.since_ns);
}

void session_waits(struct session *s, const char *what)
{
	s->waits.what = what;
	s->waits.since_ns = io_now();
	if (!what && s->waits.said)
		tell_wait(s, 0);
	if (s->ask.oracle) {
		s->ask.oracle->idle = s->ask.once->idle = on_idle;
		s->ask.oracle->idle_arg = s->ask.once->idle_arg = s;
	}
}

void session_packs(struct session *s, uint64_t bytes)
{
	enum { LONG = 16 << 20 };
	if (bytes < LONG || !s->kept.keep)
		return;
	snprintf(s->waits.name, sizeof s->waits.name, "%llu bytes to be packed",
	         (unsigned long long)bytes);
	session_waits(s, s->waits.name);
	tell_wait(s, 0);
}

void session_notice(const struct session *s, const char *message)
{
	if (s->options.observer.notice)
		s->options.observer.notice(s->options.observer.arg, message);
}
