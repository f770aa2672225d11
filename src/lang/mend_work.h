/* Inside of mend_edit: an edit that is being completed, step by step. Internal to mend*.c. */
#ifndef WHITTLE_LANG_MEND_WORK_H
#define WHITTLE_LANG_MEND_WORK_H

#include <stdbool.h>
#include <stdint.h>

#include "text/edit.h"

struct mend;
struct mend_scope;

struct mend_work {
	const struct mend *g;
	struct edit plain;
	struct arena *arena;
	uint8_t *gone;                    /* per definition: what becomes of it */
	uint32_t n_list, cap_list, *list; /* definitions that go */
	struct edit mends;                /* what has been found to change, sorted and disjoint */
	uint32_t n_parts, cap_parts;
	struct edit_part *parts; /* more of that, in any order */
};

enum fate {
	STAYS,
	GOES,
	RENAMED,
	JOINS, /* a label, while the end of its section stays: it is of the section before it */
};

/* Whether the edit as it is so far changes any of [begin, end). */
bool mend_is_touched(const struct mend_work *w, uint32_t begin, uint32_t end);

/* Whether EDIT cuts or replaces all of [begin, end), and not a part of it alone. */
bool mend_is_removed(struct edit edit, uint32_t begin, uint32_t end);

/* PART is to become part of the edit. */
void mend_add_part(struct mend_work *w, struct edit_part part);

/* A definition goes, or is renamed or joined. */
void mend_lose(struct mend_work *w, uint32_t definition, enum fate fate);

/* The first definition that ends behind the offset AT; their number: there is none. */
uint32_t mend_first_behind(const struct mend *g, uint32_t at);

/* Whether the plain edit cuts the end of a section. */
bool mend_loses_end(const struct mend_work *w, uint32_t section);

/* What becomes of the label of a section; of one without STAYS. W may be NULL. */
enum fate mend_section_fate(const struct mend *g, const struct mend_work *w, uint32_t section);

/* Steps, each for a scope: sections that control cannot come to any more go; those that have lost
 * their end, and that nothing joins, get one; choices whose section or edge is gone go, and
 * statements of such alone; numbers close up, and choices name the section that theirs has joined.
 */
void mend_drop_unreached(struct mend_work *w, const struct mend_scope *scope);
void mend_end_sections(struct mend_work *w, const struct mend_scope *scope);
void mend_statements(struct mend_work *w, const struct mend_scope *scope);
void mend_names(struct mend_work *w, const struct mend_scope *scope);

#endif
