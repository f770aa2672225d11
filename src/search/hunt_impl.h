/* The inside of the hunt: hunt.c (its rounds), hunt_merge.c (what is accepted, and how winners join
 * it). */
#ifndef WHITTLE_SEARCH_HUNT_IMPL_H
#define WHITTLE_SEARCH_HUNT_IMPL_H

#include "search/find_change_point.h"
#include "search/hunt_options.h"
#include "search/proposer.h"

enum phase { FILLING, WINDOW, MERGING, ENLARGING, OVER };
enum slot_state { SLOT_NEW, SLOT_OPEN, SLOT_NO, SLOT_YES, SLOT_MERGED, SLOT_SKIPPED };

struct slot {
	struct proposal p;
	enum slot_state state;
	bool after; /* it is asked about when the one before was refused, and skipped when not */
	struct find_change_point fcp; /* of its enlargements, the last of which is the cut */
};

struct range {
	uint32_t lo, hi; /* of winners */
};

/* A stack. */
struct ranges {
	uint32_t n, cap;
	struct range *list;
};

/* What was accepted with the winners of a range. */
struct merge {
	bool known;
	struct edit edit;
	struct arena arena; /* its parts */
};

struct hunt {
	struct search s;
	const struct strategy *strategy;
	struct hunt_options options;
	struct proposer *proposer;
	enum phase phase;
	struct edit plain;  /* what is accepted, before places_edit changed it; owned */
	struct arena round; /* edits of the window */
	uint32_t room;      /* for slots and winners: a window, each of which may be a pair */
	uint32_t n_slots, next_slot, next_half, n_open, n_told;
	struct slot *slots;
	uint32_t n_winners, *winners;      /* slots that were interesting alone, in merge order */
	struct ranges left;                /* what is still to be merged */
	struct merge merge;                /* of the range on top */
	bool merged_any;                   /* accepted has changed since the window */
	uint8_t merge_chance;              /* of the next question about winners, in percent */
	bool asked;                        /* the single question is open */
	bool enlarges;                     /* the winners of the window are merged */
	uint32_t n_enlarged, *enlarged;    /* those that were */
	uint32_t asked_before, won_before; /* over the whole hunt, for predictions */
	uint32_t grown; /* candidates that the next round may have; 0: as many as ever */
};

/* What is accepted as this search adds to it: without what is repaired when a question is asked. */
struct edit hunt_accepted(const struct hunt *h);
/* PLAIN as it is asked about, in ARENA. */
struct edit hunt_repaired(const struct hunt *h, struct edit plain, struct arena *arena);

/* ---- merging ---- */

/* Largest saving first, then in order of proposal. */
void hunt_sort_winners(struct hunt *h);
void hunt_push_range(struct hunt *h, uint32_t lo, uint32_t hi);
/* What is accepted with the winners of the range on top, until that is taken off. */
struct edit hunt_top_merge(struct hunt *h);
struct range hunt_pop_range(struct hunt *h);
/* WHOLE is accepted, and with it the winners of R. */
void hunt_take_range(struct hunt *h, struct range r, struct edit whole);

#endif
