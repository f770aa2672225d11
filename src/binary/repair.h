/* What an edit breaks elsewhere, and its repair. A *field* is bytes that say something about
 * others: how long a span is (an offset says how far something is from where its file begins), how
 * many elements a list has, which of them it is about, what the checksum of a span is, how a span
 * is padded. A cut that changes what a field says changes the field.
 *
 * A repair is immutable and counted. repair_edit adds to an edit what it takes; it is a function of
 * the fields, the bytes and the edit. Whatever an edit itself does to a field stays as it is.
 */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include "binary/codes.h"
#include "text/edit.h"
#include "binary/sums.h"

enum field_kind {
	FIELD_LENGTH,  /* of [from, to): (to - from + bias) / unit */
	FIELD_COUNT,   /* of the elements of `list` that are there (field_count) */
	FIELD_SUM,     /* the checksum of [from, to) */
	FIELD_PADDING, /* fills [from, at) up to a multiple of `unit`; a gap, which is in the midst
	                  of [from, to), all of that */
	FIELD_PLACE,   /* the place of an element in `list`, the first is bias; of one that goes
	                  that of the next, unless [from, to) is more than the number: that goes
	                  with it */
	FIELD_LAST,    /* goes with the last of the elements of `list` */
	FIELD_UNIT,    /* what all padding of this `unit` fills up to */
	FIELD_PART, /* how many the elements of `list` are that begin in [from, to), plus bias; what
	               holds it in the list `unit` goes with the last of them */
	FIELD_LINK, /* where an element of `list` begins, at `to`, counted from `from`; of one that
	               goes, where one begins that it leads to, or nothing: 0, or all bits if `unit`
	               is not 0 */
	FIELD_HEIGHT, /* how many elements of `list` links lead over from one to another at most */
	FIELD_REACH, /* how far the element of `list` reaches that it is in, from where that says it
	                begins, `bias` bytes from here: also as far as those behind it that go */
};

struct field {
	uint32_t at, width; /* where it stands; only padding may be 0 bytes wide */
	uint32_t from, to;
	int32_t bias;
	uint32_t list;
	uint16_t depth; /* of padding: how deep what it pads is nested; a span that ends where the
	                   padding is holds it when it is not as deep */
	/* 0 counts as 1; of a place: not 0 where 0 comes behind the largest number */
	uint16_t unit;
	uint8_t kind; /* enum field_kind */
	uint8_t code; /* enum code */
	uint8_t sum;  /* enum sum; of LISTED_NUMBERS the enum code of these */
	/* Of a count: enum count_says; of a length: enum listed_says; of a sum whose range holds
	 * the field: what the field counts as there; of padding what it is filled with. */
	uint8_t own;
	bool aligned; /* of padding, or a length: it is about fields whose width varies; of a sum:
	                 padding that comes where its range ends is in it, and where it begins is
	                 not */
	bool listed;  /* a length or sum is of the elements of `list`, all in [from, to), alone */
};

static inline struct field field_of(enum field_kind kind, enum code code, uint32_t at,
                                    uint32_t width, uint32_t from, uint32_t to)
{
	return (struct field){ .kind = (uint8_t)kind,
		               .code = (uint8_t)code,
		               .at = at,
		               .width = width,
		               .from = from,
		               .to = to };
}

/* What a count says of N: N; or, as a binary search begins, the largest power of two in it, the
 * exponent of that, what N is more. */
enum count_says { COUNT_ALL, COUNT_POWER, COUNT_EXPONENT, COUNT_REST };

/* The value of F, a count, where N elements are there. */
static inline int64_t field_count(const struct field *f, uint32_t n)
{
	uint32_t exponent = n ? 31 - (uint32_t)__builtin_clz(n) : 0, power = n ? 1u << exponent : 0;
	uint32_t of[] = { n, power, exponent, n - power };
	return (int64_t)of[f->own] * (f->unit ? f->unit : 1) + f->bias;
}

/* A length that is listed is that of all together, or of the longest, or the elements are numbers
 * and it is their sum. */
enum listed_says { LISTED_ALL, LISTED_LONGEST, LISTED_NUMBERS };

struct element {
	uint32_t begin, end;
};

struct element_list {
	uint32_t first, n; /* in the elements */
	uint32_t with;     /* its elements go with those of this list that have the same numbers,
	                      if that has as many; 0: with none */
	bool backwards;    /* the first of them goes with the last of those */
	bool named;        /* one goes with the last link to it, or place of it */
	bool table;        /* what no place says may be of no use (records_reach.h) */
	uint16_t depth;    /* as of spans */
};

struct repair {
	unsigned refs;
	uint32_t n, n_elements, n_lists;
	struct field *fields;     /* in the order in which they are repaired */
	struct element *elements; /* of each list in document order */
	struct element_list *lists;
};

/* Of N fields in any order; takes ownership of the arrays (all may be NULL when empty). */
struct repair *repair_new(struct field *fields, uint32_t n, struct element *elements,
                          uint32_t n_elements, struct element_list *lists, uint32_t n_lists);
/* BASE (NULL: nothing) and N fields more, of which it takes ownership; those that are where one
 * of BASE does are left out. */
struct repair *repair_with(const struct repair *base, struct field *more, uint32_t n);
/* All that A (NULL: nothing) and B have; of two fields in one place that of A. */
struct repair *repair_join(const struct repair *a, const struct repair *b);
/* Sorts the N fields by place and leaves no byte in two of them: of those that overlap the one
 * stays that weighs more, or stands in front. Returns how many stay. */
uint32_t repair_without_overlaps(struct field *fields, uint32_t n);
/* The order in which fields are repaired, for qsort. */
int repair_order(const void *a, const void *b);
/* All but places. */
struct repair *repair_without_places(const struct repair *repair);

/* What is known of an edit that repair_edit has made: it works without what it writes; without the
 * places that it writes; only without these. A place that is one all the same, unless it is
 * written, may have been needed: it says nothing that the edit works without. */
enum repair_useless { REPAIR_USELESS, REPAIR_USELESS_PLACES, REPAIR_BREAKS };

/* All but the fields that are none, as EDIT of BYTES shows; with a place all of its list. */
struct repair *repair_without(const struct repair *repair, const uint8_t *bytes, struct edit edit,
                              enum repair_useless useless);

struct repair *repair_ref(struct repair *repair);
void repair_unref(struct repair *repair); /* NULL is fine */

/* PLAIN, an edit of BYTES, with what has to change because of it; in ARENA. */
struct edit repair_edit(const struct repair *repair, const uint8_t *bytes, struct edit plain,
                        struct arena *arena);

/* Where places of a test case are after an edit. */
struct moves {
	struct edit edit;
	int64_t *shift; /* bytes more before the k-th part ends */
	/* Parts before the place asked about last: mostly the next one is near. Those of fields,
	 * and of what they are about, are apart. */
	uint32_t near, near_from, near_to;
	uint32_t n_pads;
	struct field *pads; /* padding that came where none was */
};

/* The moves of EDIT, which repair_edit may have made; release with moves_release. */
struct moves moves_make(const struct repair *repair, struct edit edit);
void moves_release(struct moves *moves);
uint32_t moves_begin(struct moves *moves, uint32_t begin);
/* The end of a span so deep; it holds the padding of what is deeper. */
uint32_t moves_end(struct moves *moves, uint32_t end, uint16_t depth);

/* The repair after an edit, for BYTES of the size SIZE that came of it: fields that are gone, or
 * say what is not so, are left out. */
struct repair *repair_map(const struct repair *repair, struct moves *moves, const uint8_t *bytes,
                          uint32_t size);

/* Does FIELD say what is so? Lists are those of REPAIR. */
bool field_holds(const struct repair *repair, const struct field *field, const uint8_t *bytes,
                 uint32_t size);

/* The place that FIELD says, if it is one of its list. */
bool repair_place(const struct repair *repair, const struct field *field, const uint8_t *bytes,
                  uint32_t *place);

/* What FIELD, of the kind FIELD_REACH, becomes, where GONE elements of its list go before each.
 * False: it stays. */
bool repair_reach(const struct repair *repair, const struct field *field, const uint8_t *bytes,
                  const uint32_t *gone, int64_t *value);

/* The fields of the kind FIELD_LINK of LIST, where GONE elements of it go before each (NULL: none
 * goes). */
struct links *links_of(const struct repair *repair, uint32_t list, const uint32_t *gone);
void links_free(struct links *links); /* NULL is fine */
/* Where the element begins that FIELD, one of them, leads to. False: to none. */
bool links_lead(struct links *links, const struct field *field, uint32_t *begin);
/* Over how many elements they lead at most; 0: in circles. */
uint32_t links_height(struct links *links);

/* How many elements FIELD, of the kind FIELD_PART, is about, where GONE of its list go before each
 * (NULL: none goes). False: all of them stay. */
bool repair_part(const struct repair *repair, const struct field *field, const uint32_t *gone,
                 uint32_t *left);
/* What goes with them; false: nothing. */
bool repair_part_row(const struct repair *repair, const struct field *field, struct element *row);

/* The part of EDIT that writes FIELD anew, or NULL. */
const struct edit_part *repair_written(struct edit edit, const struct field *field);

/* How many parts begin before AT. */
uint32_t repair_parts_before(struct edit edit, uint32_t at);

/* Is any of [begin, end) replaced or cut? All of it cut? */
bool repair_touched(struct edit edit, uint32_t begin, uint32_t end);
bool repair_is_cut(struct edit edit, uint32_t begin, uint32_t end);
