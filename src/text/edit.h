/* The edit algebra. An edit is a sorted list of disjoint parts, each "replace [begin, end) by these
 * bytes"; a cut is an edit that only deletes. Edits of one base are values: they are united,
 * compared and applied, never changed.
 *
 * Parts are held by pointer; whoever makes an edit says in which arena they live, and the edit
 * lives as long as that. Two parts that touch and only delete are one part. A part is never empty
 * (begin == end) with nothing to insert.
 */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include "base/hash.h"
#include "text/testcase.h"

/* Bytes [begin, end). */
struct range {
	uint32_t begin, end;
};

struct edit_part {
	uint32_t begin, end; /* half-open, offsets in the base */
	uint32_t len;        /* bytes inserted in their place */
	const uint8_t *text; /* NULL when len is 0; outlives the edit */
};

struct edit {
	uint32_t n;
	const struct edit_part *parts; /* sorted by begin, disjoint */
};

static const struct edit EDIT_NONE = { 0, NULL };

/* The cut of [begin, end); the part is allocated in ARENA. An empty range gives EDIT_NONE. */
struct edit edit_cut(struct arena *arena, uint32_t begin, uint32_t end);

/* The replacement of [begin, end) by LEN bytes at TEXT, which the caller keeps alive. */
struct edit edit_replace(struct arena *arena, uint32_t begin, uint32_t end, const uint8_t *text,
                         uint32_t len);

/* An edit of N parts in any order; false when two of them conflict. Overlapping or touching cuts
 * become one. */
bool edit_make(struct arena *arena, struct edit_part *parts, uint32_t n, struct edit *out);

/* The union of A and B: both applied at once. Cuts may overlap anything that only deletes; a
 * replacement conflicts with whatever overlaps it, but for a cut that covers it whole, which wins,
 * and for an equal replacement. False on conflict. */
bool edit_union(struct arena *arena, struct edit a, struct edit b, struct edit *out);

bool edit_equal(struct edit a, struct edit b);

/* What B does when A is done already: as their union would tell, which is not made. */
enum edit_news { EDIT_CONFLICTS, EDIT_ADDS_NOTHING, EDIT_ADDS };
enum edit_news edit_news(struct edit a, struct edit b);

/* Bytes that the base loses (positive: gets smaller). */
int64_t edit_saving(struct edit edit);

/* Bytes that there are more before the k-th part ends, from k = 0 on; the caller frees them. */
int64_t *edit_shifts(struct edit edit);

/* Where AT is after EDIT, of which K parts begin before AT and SHIFT is what edit_shifts returns. A
 * place within a part is as far into its text as the text goes, so that order is kept. */
uint32_t edit_moved(struct edit edit, const int64_t *shift, uint32_t k, uint32_t at);

/* A copy whose parts live in ARENA (the inserted bytes are not copied). */
struct edit edit_copy(struct arena *arena, struct edit edit);

/* An owned copy of an edit, with its texts, and its release. */
struct edit edit_keep(struct edit edit);
void edit_drop(struct edit edit);

/* How a test case was made. */
struct origin {
	struct hash base; /* of the test case that the edit is of; zero: that is not known */
	struct edit edit;
};

/* A and B are edits of the same single file, FROM and TO what they make of it. The edit that makes
 * TO of FROM: its parts live in ARENA, their bytes in TO. It takes as long as there are parts, not
 * bytes. */
struct edit edit_between(struct arena *arena, const struct testcase *from, struct edit a,
                         const struct testcase *to, struct edit b);

/* A is an edit of a single file, B one of what A makes of it, TO what B makes of that. The edit
 * that makes TO of the first: its parts live in ARENA, their bytes in TO; those of A and B are not
 * looked at. */
struct edit edit_chain(struct arena *arena, struct edit a, struct edit b,
                       const struct testcase *to);

/* The test case that results. Of a single file each byte that stays is copied once; of a tree only
 * files that are touched are copied, the others are shared with BASE, which the result holds a
 * reference on.
 *
 * In a tree a part belongs to the entry whose bytes or frame it begins in, and what it cuts of
 * later ones is cut. An entry whose frame is cut while bytes of it stay keeps the frame; one of
 * which nothing stays goes, unless it is fixed. A symbolic link or an empty directory of which
 * anything is cut goes. A frame replaced by TESTCASE_FRAME alone makes a file one that is not
 * executable. */
struct testcase *edit_apply(const struct testcase *base, struct edit edit);

/* The same; but what is large, of few parts, is in pieces that lie in BASE: nobody who reads its
 * bytes does so before testcase_flat. */
struct testcase *edit_apply_shared(struct testcase *base, struct edit edit);

/* For qsort(): parts by where they begin, then by where they end. */
int edit_part_order(const void *a, const void *b);
