/* A run of a pass: the view that it has, the search that it begins, and whether it is skipped. */
#include "base/mem.h"
#include "reduce/reducer_impl.h"
#include "search/within.h"
#include "search/hunt.h"
#include "search/proof.h"

enum {
	WHOLE_MOST =
		12u << 20, /* bytes: of larger test cases only the outermost structure is made */
	GRAINS = 1u << 18, /* in pieces of one part in so many, at first */
	FINER = 3,         /* then of a power of two fewer bytes */
};

struct view *reducer_view(const struct reducer *r, struct testcase *tc,
                          const struct tokenizer *tokenizer)
{
	struct view *view =
		tc->is_tree ? view_new_tree(tc, r->options.tokenizers) : view_new(tc, tokenizer);
	view->grain = tc->size > WHOLE_MOST ? tc->size / GRAINS >> r->finer : 0;
	return view;
}

bool reducer_look_closer(struct reducer *r)
{
	struct view *old = r->base;
	if (!old->grain)
		return false;
	r->finer += FINER;
	r->base = reducer_view(r, old->tc, old->tokenizer);
	r->base->is_lenient = old->is_lenient;
	if (old->records)
		view_use_records(r->base, old->records);
	else if (old->spans)
		r->base->spans = spans_ref(old->spans);
	view_unref(old);
	plan_renew(&r->plan);
	return true;
}

uint32_t reducer_levels(void *arg, uint32_t pass)
{
	struct reducer *r = arg;
	const struct strategy *s = passes_table[pass].strategy;
	unsigned flags = passes_table[pass].flags;
	bool made = within_is_made(r->base);
	if (made ? !(flags & PASS_WITHIN) : r->base->grain && !(flags & PASS_COARSE))
		return 0;
	if (s->needs & STRATEGY_LINES)
		view_need_lines(r->base);
	if ((s->needs & STRATEGY_TREE) == STRATEGY_TREE
	            ? view_need_tree(r->base, r->err) < 0
	            : (s->needs & STRATEGY_TOKENS) && view_need_tokens(r->base, r->err) < 0)
		return 0;
	return strategy_levels(s, r->base);
}

/* The bytes that elements of a list take out. */
static uint64_t bytes_of(const struct edit_sites *p)
{
	uint64_t bytes = 0;
	for (uint32_t i = 0; i < p->parts.n; i++)
		bytes += p->parts.cuts[i].end - p->parts.cuts[i].begin;
	return bytes;
}

static struct search *new_search(struct reducer *r)
{
	const struct strategy *strategy = passes_table[r->run.pass].strategy;
	struct search *own = strategy->search ? strategy->search(r->base, r->run.level) : NULL;
	if (own)
		return own;
	struct edit_sites *edit_sites =
		edit_sites_new(strategy, r->base, r->run.level, &r->options.strategy);
	if (r->plan.opening.on && strategy->shape == STRATEGY_LIST && !edit_sites->shell)
		opening_covers(&r->plan.opening, r->run.pass, r->run.level, bytes_of(edit_sites),
		               r->base->tc->size);
	struct search *search = edit_sites->unproven ? proof_new(edit_sites, &r->run.hunt)
	                                             : hunt_new(edit_sites, &r->run.hunt);
	edit_sites_unref(edit_sites);
	return search;
}

struct pass_stats *reducer_run_stats(struct reducer *r)
{
	if (r->pump.asking || r->pump.packs)
		return &r->pump.stats;
	return r->external.phase == EXTERNAL_HUNTING ? &r->external.passes[r->external.pass].stats
	                                             : &r->plan.stats[r->run.pass];
}

void reducer_begin_search(struct reducer *r, struct search *search)
{
	r->search = search;
	r->marks.n_accepted = r->marks.mark_questions = 0;
	r->marks.mark_size = r->current->size;
	r->marks.n_rounds = r->search->n_rounds;
	r->marks.run_questions = r->counts.questions;
	r->marks.run_size = r->current->size;
	r->marks.run_farthest = r->search->cursor.at;
	r->stopping = false;
	r->n_searches++;
	reducer_run_stats(r)->runs++;
}

bool reducer_start_run(struct reducer *r, struct err *err)
{
	r->err = err;
	if (!plan_next(&r->plan, r->base->tc, reducer_levels, r, &r->run))
		return false;
	reducer_begin_search(r, new_search(r));
	return true;
}

/* Kept like a verdict, at the place among them where it was given. No question is open. */
bool reducer_skips_at(struct reducer *r, uint64_t moment)
{
	struct hash key;
	if (!r->observer.skips || !r->observer.skips(r->observer.arg, r, moment, &key))
		return false;
	MEM_PUSH(r->log.list, r->log.n, r->log.cap,
	         (struct answered){ .hash = key, .verdict = VERDICT_NOT_INTERESTING });
	r->counts.skips++;
	return true;
}
