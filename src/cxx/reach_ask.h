/* What the searches over what reaches what (reach.h) share: one question at a time, about a
 * candidate that leaves some of the items; what was accepted; when they no longer pay. */
#pragma once

#include "cxx/reach.h"
#include "search/search.h"

struct reach_ask {
	struct search s; /* first */
	struct reach *r;
	uint8_t *left;  /* of each item: not cut by what was accepted */
	uint8_t *tried; /* what the open question would leave */
	uint32_t size;  /* bytes left */
	uint32_t floor; /* what lies before this offset is not counted */
	uint32_t asked; /* questions with an answer */
	uint32_t mark_asked, mark_size;
	uint8_t often; /* questions were interesting, in percent, the last ones above all */
	bool open;
};

/* Takes R, a reference. Everything is left, nothing tried; done when there are no items. */
void reach_ask_begin(struct reach_ask *a, const struct search_ops *ops, struct reach *r);

/* The functions of struct search_ops for a struct that begins with struct reach_ask. */
bool reach_ask_next(struct search *search, struct arena *arena, struct question *q);

/* The answer on the open question, which is accepted when INTERESTING. */
void reach_ask_told(struct reach_ask *a, uint32_t id, bool interesting);

/* Done when QUESTIONS since it was looked at last saved no more than one part in PAYS. */
void reach_ask_judge(struct reach_ask *a, uint32_t questions, uint32_t pays);

/* A, a copy byte by byte, gets what it owns for itself. */
void reach_ask_own(struct reach_ask *a);
void reach_ask_release(struct reach_ask *a);

/* Which part of a large source is the user's own: what stands behind the libraries. */

/* The offset at which the end of a source of SIZE bytes begins, of whose functions the statements
 * are looked at; for reach_new. The end has at least LEAST bytes, if there are so many. */
uint32_t reach_tail(uint32_t size, uint32_t least);
enum { REACH_OWN_LEAST = 64 }; /* bytes that may be all of a user's own */

/* Where the last declaration of the largest library ends; the tail when less than LEAST bytes stand
 * behind it. */
uint32_t reach_own(const struct reach *r, uint32_t least);

/* Is item I one that others may need without saying so, as `require "set"`? */
bool reach_is_root(const struct reach *r, uint32_t i);
