/* A search: one run of one pass over one base, as a pure machine. `next` proposes, `tell` learns
 * the verdict; it runs nothing, reads no clock and no global, so it is tested without processes,
 * replayed from a journal, cloned to look ahead, and driven alike by every scheduler.
 *
 * Several questions may be open at once. Which question follows which depends on verdicts alone,
 * never on the order in which they arrive.
 *
 * Life cycle: a constructor (hunt_new, ...) gives a search; while not done: search_next until it
 * returns false, then search_tell for open questions, in any order; search_free. `accepted` grows
 * while it runs: it is the edit of the base that was found interesting so far.
 */
#pragma once

#include "base/mem.h"
#include "text/edit.h"
#include "binary/repair.h"

struct question {
	uint32_t id;      /* for search_tell */
	uint8_t chance;   /* that it is interesting, in percent, as experience within this search
	                     has it */
	struct edit edit; /* the whole edit of the base to be judged, what was accepted included */
};

/* How far a search has come. A later one resumes there, over what became of the base. All 0: at the
 * beginning. */
struct search_cursor {
	uint32_t block; /* blocks: elements in a block */
	uint32_t at; /* blocks: offset in the base, what lies before it is still to come; sweep: the
	                start tried last */
};

struct search;

struct search_ops {
	bool (*next)(struct search *, struct arena *, struct question *);
	void (*tell)(struct search *, uint32_t id, bool interesting);
	struct search *(*clone)(const struct search *);
	void (*free)(struct search *);
};

struct search {
	const struct search_ops *ops;
	struct edit accepted; /* owned; changes only within search_tell */
	uint32_t n_accepted;  /* how often it has changed */
	uint32_t n_rounds; /* rounds started: when it changes no question is open, a good moment to
	                      stop */
	bool repaired; /* what was accepted repaired something, or cut records (binary/repair.h) */
	struct repair *left; /* what is still repaired, owned; NULL: all that was */
	bool again; /* what its records are is known now: its level is to be gone through once more
	             */
	struct search_cursor cursor; /* at the end of the last round */
	bool goes_well;              /* it is where much succeeds: no moment to end it */
	bool done;                   /* nothing is open and nothing more will be asked */
};

/* The next question, its edit in ARENA. False when nothing can be asked before a verdict arrives,
 * or when done. */
static inline bool search_next(struct search *s, struct arena *arena, struct question *q)
{
	return s->ops->next(s, arena, q);
}

/* The verdict on an open question. */
static inline void search_tell(struct search *s, uint32_t id, bool interesting)
{
	s->ops->tell(s, id, interesting);
}

/* An independent copy in the same state; open questions are open in both. */
static inline struct search *search_clone(const struct search *s)
{
	return s->ops->clone(s);
}

static inline void search_free(struct search *s)
{
	if (s)
		s->ops->free(s);
}

/* For implementations: replaces the accepted edit by a copy of EDIT. */
static inline void search_accept(struct search *s, struct edit edit)
{
	struct edit old = s->accepted;
	s->accepted = edit_keep(edit);
	edit_drop(old);
	s->n_accepted++;
}
