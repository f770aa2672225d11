/* What a reducer says of itself. */
#include "reduce/reducer.h"
#include "reduce/reducer_impl.h"

enum reducer_end reducer_why(const struct reducer *r)
{
	if (r->options.until_size && testcase_shown_size(reducer_best(r)) <= r->options.until_size)
		return REDUCER_SIZE_REACHED;
	uint64_t most = r->options.max_questions;
	if (most && reducer_new_questions(r) >= most)
		return REDUCER_MAX_QUESTIONS;
	return r->counts.is_idle ? REDUCER_NO_SUCCESS : REDUCER_FIXPOINT;
}

struct testcase *reducer_current(struct reducer *r)
{
	return r->again.before ? r->again.before : reducer_best(r);
}

struct testcase *reducer_newest(struct reducer *r)
{
	return reducer_best(r);
}

const struct pass_stats *reducer_external_stats(const struct reducer *r, uint32_t pass)
{
	return &r->external.passes[pass].stats;
}

struct pass_stats reducer_pump_stats(const struct reducer *r)
{
	struct pass_stats s = r->pump.stats;
	if (r->pump.active)
		s.bytes += pump_way_back(r);
	return s;
}

/* A list goes from its end to its beginning, at each size of blocks; a sweep to the smallest
 * start. */
static int way_gone(const struct reducer *r)
{
	const struct search_cursor *cursor = &r->search->cursor;
	uint32_t all = cursor->block ? r->base->tc->size : r->marks.run_farthest;
	bool in_order = cursor->block || r->run.hunt.order == HUNT_SWEEP;
	return in_order && cursor->at && cursor->at <= all
	               ? 1000 - (int)((uint64_t)cursor->at * 1000 / all)
	               : -1;
}

struct reducer_at reducer_at(const struct reducer *r)
{
	const struct external_stage *asks = external_stage_asks(&r->external) ? &r->external
	                                    : r->pump.active                  ? &r->pump.external
	                                                                      : NULL;
	if (!r->search && asks && external_stage_asks(asks))
		return (struct reducer_at){ .pass = r->options.externals->passes[asks->pass].name,
			                    .waits = true,
			                    .permille = -1 };
	if (!r->search)
		return (struct reducer_at){ .permille = -1 };
	return (struct reducer_at){ .pass = r->run.name,
		                    .block = r->search->cursor.block,
		                    .permille = way_gone(r),
		                    .questions = r->counts.questions - r->marks.run_questions,
		                    .bytes = (int64_t)r->marks.run_size - r->current->size };
}

const struct plan *reducer_plan(const struct reducer *r)
{
	return &r->plan;
}

uint64_t reducer_skips(const struct reducer *r)
{
	return r->counts.skips;
}

uint64_t reducer_questions(const struct reducer *r)
{
	return r->counts.questions;
}

uint64_t reducer_new_questions(const struct reducer *r)
{
	return r->counts.is_new ? r->counts.asked - r->counts.known : 0;
}

uint64_t reducer_questions_since(const struct reducer *r)
{
	return r->counts.questions - r->counts.last_success;
}

void reducer_log_question(struct reducer *r, const struct ask *ask)
{
	if (r->is_clone)
		return;
	MEM_PUSH(r->log.list, r->log.n, r->log.cap,
	         (struct answered){ .id = ask->id, .hash = ask->candidate->hash });
}

void reducer_log_answer(struct reducer *r, uint64_t id, enum verdict verdict, uint64_t limit_ns)
{
	for (size_t i = r->log.n; i > 0; i--)
		if (r->log.list[i - 1].id == id && r->log.list[i - 1].verdict == VERDICT_UNKNOWN) {
			r->log.list[i - 1].verdict = verdict;
			r->log.list[i - 1].limit_ns = verdict == VERDICT_TIMEOUT ? limit_ns : 0;
			return;
		}
}

const struct answered *reducer_answered(struct reducer *r, size_t *n)
{
	*n = r->log.n;
	r->log.n = 0;
	return r->log.list;
}

void reducer_is_new(struct reducer *r)
{
	if (r->counts.is_new)
		return;
	r->counts.is_new = true;
	r->counts.known = r->counts.asked - 1;
}
