/* Tables while they are looked for (forest_tables.c). Internal to these files. */
#pragma once

#include "binary/forest.h"

enum {
	SAIDS = 64,     /* counts that are looked at */
	PARTS = 5,      /* of a row */
	WORD = 4,       /* bytes of a place */
	ROWS = 1 << 18, /* at most */
	NUMBERS = 128,  /* of a row, which is written in so many */
	FRONT = 64,  /* bytes at the top in which a count of four bytes is looked for; fewer of */
	SHORT = 16,  /* two bytes */
	NARROW = 8,  /* and of one, or as many as it takes; from a count to where rows begin */
	BEHIND = 24, /* bytes behind all, with a count or a checksum */
	LOOKED = 64, /* rows that are looked at */
};

/* A count: where it stands. */
struct count {
	uint32_t at, width, n;
	enum code code;
};

/* A number that all rows have: bytes of a part, from OFFSET on; of a line the OFFSET-th in digits.
 */
struct number {
	uint8_t part, offset, code, width;
	bool known;
};

/* Rows that say neither a place nor a length are members themselves, the last of them in a list of
 * their own if there is a SECOND count. */
struct table {
	struct part parts[PARTS];
	uint32_t n_parts, n, begin, end;
	bool columns;
	const struct count *count, *second; /* NULL: nothing says it */
	struct number place, length;        /* of what else they are about: from BASE on */
	uint32_t base, body, body_end;
	uint32_t scale, unit; /* bytes that a place counts, and that bodies are padded to; 0: 1 */
	bool from_end;        /* places are as far in front of the end of the file */
	bool backwards;       /* the last row is about the first of them */
	bool behind; /* each length is of what the row before is about, the first of what is in
	                front of all, the last is not said */
	int32_t bits;
};

struct tables {
	struct forest *f;
	struct count counts[SAIDS];
	uint32_t n_counts, steps;
	bool *is_count;     /* of each number: it may be one */
	uint32_t low, high; /* where the table begins */
	int32_t cost;       /* of that */
	struct table best;
	struct cell *cells;      /* of part P of row I: [P * n + I] */
	struct element *members; /* of rows of one width, in their order */
};

/* Finds the cells of TABLE and where it ends; false: it does not. */
bool tables_lay_out(struct tables *tables, struct table *table);

static inline struct cell *cell(const struct tables *s, const struct table *t, uint32_t part,
                                uint32_t row)
{
	return &s->cells[part * t->n + row];
}

/* The value of NUMBER in ROW; UINT64_MAX: none is there. */
uint64_t tables_number(const struct tables *tables, const struct table *table,
                       const struct number *number, uint32_t row);

/* Where it stands; *WIDTH: it takes so many bytes. False: it does not. */
bool tables_stands(const struct tables *tables, const struct table *table,
                   const struct number *number, uint32_t row, uint32_t *at, uint32_t *width);

/* Finds what the rows of TABLE are about; returns what it says of that, 0: nothing. */
int32_t tables_find_bodies(struct tables *tables, struct table *table);

/* Does the tail of the file, or what is in front of a table, look as if nothing was in it? */
static inline bool tables_is_tail(uint32_t bytes)
{
	return bytes <= BEHIND && bytes % WORD == 0;
}

/* N steps of the search. */
void tables_spend(struct tables *tables, uint32_t n);

/* What ROW is about, AT being where the one before ends, or, of what is written backwards, begins.
 */
struct element tables_body(const struct tables *tables, const struct table *table, uint32_t row,
                           uint32_t at);

/* Each finds the best table of its kind in a file whose background is known; false: there is none.
 */
bool tables_find(struct tables *tables);
/* Of rows of one width that say where each member begins, to the last one that does. */
bool tables_find_strides(struct tables *tables);
/* Of rows that are members themselves, just as many as a number in front or behind says. */
bool tables_find_members(struct tables *tables);

/* Strings between the rows and what they are about, each of which some row names: by where it
 * begins, or, if all BEGINS are known, by its number. */
struct pool {
	uint32_t base, limit; /* what places count from, and where it ends at last */
	uint32_t begin, end, n;
	uint32_t *begins;
	uint8_t names[UINT8_MAX + 1]; /* of each place in a row: how wide what names one is */
};

/* The one of TABLE, rows of one width that are laid out; false: there is none. Its begins are the
 * caller's in any case. */
bool tables_pool(const struct tables *tables, const struct table *table, struct pool *pool);

/* Where the string begins that NUMBER of ROW names; 0: it does not. */
uint32_t tables_string(const struct tables *tables, const struct table *table,
                       const struct pool *pool, const struct number *number, uint32_t row);
