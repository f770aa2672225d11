/* Directories: rows of one width, each of which says where a member begins and how long it is, as
 * archives of games, firmware and fonts have them, in front of the members or behind them. */
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "base/work.h"
#include "binary/forest.h"

enum {
	WORD = 4,
	HEAD = 4096,   /* bytes from the beginning in which the first row begins, */
	POINTERS = 64, /* or behind what a word says in so many bytes at either end */
	NEAR = 64,     /* so many bytes at most */
	NARROWEST = 8, /* bytes of a row */
	WIDEST = 128,
	ROWS_LEAST = 4, /* three are right by chance in one of a hundred files */
	ROWS_SURE = 6,  /* of those in any order, or without lengths */
	UNIT_MOST = 4096,
	BLOCK_LEAST = 4,
	BLOCK = 8,      /* what says where rows begin may count such, and such of these */
	BY_CHANCE = 3,  /* rows behind the last that seem to be some, and one more */
	HOPS = 1 << 14, /* rows that are looked at again, in all */
	FOOT = 20,      /* bytes of a checksum behind all */
};

/* Of members: that of rows; any; that of rows, where nothing says how long they are. */
enum order { ORDER_ROWS, ORDER_ANY, ORDER_ENDS, N_ORDERS };

/* What row ROW says, in blocks and bytes. */
struct member {
	uint32_t place, length, row;
};

/* A directory: row I is WIDTH bytes from BEGIN + I * WIDTH on; its columns are bytes of it. */
struct rows {
	enum code code;
	uint32_t begin, width, n;
	struct member *members;        /* in their order, which may not be that of rows */
	uint32_t place, length;        /* columns */
	bool ends;                     /* no length: each ends where the next begins */
	uint32_t scale;                /* bytes that a place counts */
	uint32_t base;                 /* what places count from */
	bool relative;                 /* that is not where the file begins */
	uint32_t unit;                 /* where members begin, from there, is a multiple of it */
	uint32_t strings, strings_end; /* what a column names; empty: there is none */
	uint32_t name;
};

static uint32_t word_at(const struct forest *f, enum code code, uint32_t at)
{
	return code == CODE_BIG ? code_big(f->bytes + at) : code_little(f->bytes + at);
}

static uint32_t cell(const struct forest *f, const struct rows *t, uint32_t row, uint32_t column)
{
	return word_at(f, t->code, t->begin + row * t->width + column);
}

static uint32_t table_end(const struct rows *t)
{
	return t->begin + t->n * t->width;
}

static uint32_t member_begin(const struct rows *t, uint32_t i)
{
	return t->base + t->members[i].place * t->scale;
}

static uint32_t member_end(const struct rows *t, uint32_t i)
{
	return member_begin(t, i) + t->members[i].length;
}

/* Where what fills up the last member ends. */
static uint32_t padded_end(const struct forest *f, const struct rows *t)
{
	uint32_t end = member_end(t, t->n - 1), limit = end <= t->begin ? t->begin : f->size;
	uint64_t padded = t->base + chain_round_up(end - t->base, t->unit);
	return padded < limit ? (uint32_t)padded : limit;
}

static bool are_zeros(const struct forest *f, uint32_t begin, uint32_t end)
{
	while (begin < end && !f->bytes[begin])
		begin++;
	return begin >= end;
}

/* How many rows there are as T has them whose places are AT and so on, and whose lengths stand
 * AHEAD bytes further on (0: nowhere): each member ends where the next begins, but for padding;
 * unless they are in any ORDER. *END: of the last. */
static uint32_t walk(const struct forest *f, struct rows *t, uint32_t at, int32_t ahead,
                     enum order order, uint32_t *end)
{
	uint32_t n = 0, before = 0, least = (uint32_t)(ahead > 0 ? ahead : 0) + WORD;
	uint32_t gap = t->scale > 1 ? t->scale : UNIT_MOST;
	bool any = order == ORDER_ANY;
	for (; at + least <= f->size; at += t->width, n++) {
		uint32_t place = word_at(f, t->code, at);
		uint32_t length = ahead ? word_at(f, t->code, (uint32_t)((int64_t)at + ahead)) : 0;
		if (place > f->size / t->scale || length > f->size - place * t->scale ||
		    (any && !place && !length))
			break;
		t->members[n] = (struct member){ place, length, n };
		place *= t->scale;
		if (n && !any &&
		    (place < before || (ahead && (place - before >= gap ||
		                                  (!t->relative && !are_zeros(f, before, place))))))
			break;
		before = place + length;
		*end = before > *end ? before : *end;
		work_step(1);
	}
	return n;
}

/* What a place counts: 1 where the member of LENGTH bytes ends within UNIT_MOST of where the next
 * begins, AHEAD places on; blocks that it fills but for the last; 0: none fits. */
static uint32_t scale_of(uint32_t ahead, uint32_t length)
{
	if (length <= ahead && ahead - length < UNIT_MOST)
		return 1;
	for (uint32_t scale = BLOCK_LEAST; scale <= UNIT_MOST; scale *= 2)
		if ((length + scale - 1) / scale == ahead)
			return scale;
	return 0;
}

/* The largest unit that all members begin at, without more between two than it takes. */
static uint32_t unit_of(const struct rows *t)
{
	for (uint32_t unit = UNIT_MOST; unit > 1; unit /= 2) {
		bool fits = true;
		for (uint32_t i = 0; i < t->n && fits; i++) {
			uint32_t begin = member_begin(t, i);
			fits = (begin - t->base) % unit == 0 &&
			       (!i || begin - member_end(t, i - 1) < unit);
		}
		if (fits)
			return unit;
	}
	return 1;
}

/* The members fill what is behind the rows, but for strings and a checksum, or in front of them. */
static bool fills(const struct forest *f, const struct rows *t)
{
	uint32_t first = member_begin(t, 0), last = member_end(t, t->n - 1);
	uint32_t end = table_end(t), limit = first >= end ? f->size : t->begin;
	if (first == last || last > limit || (first < end && last > t->begin))
		return false;
	for (uint32_t i = 1; i < t->n; i++) {
		uint32_t before = member_end(t, i - 1), begin = member_begin(t, i);
		if (begin != before && (t->unit == 1 || !are_zeros(f, before, begin)))
			return false;
	}
	bool most = 2 * (last - first) >= f->size - t->n * t->width;
	return most &&
	       (limit - last <= FOOT || (limit - last < t->unit && are_zeros(f, last, limit)));
}

/* Does a word in [from, to) say VALUE? */
static bool is_said(const struct forest *f, enum code code, uint32_t from, uint32_t to,
                    uint32_t value)
{
	for (uint32_t at = from; at + WORD <= to; at++)
		if (word_at(f, code, at) == value)
			return true;
	return false;
}

/* How well rows fit that begin where those of T do: at their borders something begins that the file
 * speaks of. */
static uint32_t phase_fits(const struct forest *f, const struct rows *t)
{
	uint32_t end = table_end(t), first = member_begin(t, 0), head = t->begin;
	bool front = first >= end;
	uint32_t from = front ? 0 : end, to = front ? head : f->size;
	if (front && (first == end || (first - end < t->unit && are_zeros(f, end, first))))
		return 3;
	if (!front && (end == f->size || is_said(f, t->code, 0, POINTERS, t->begin)))
		return 3;
	return is_said(f, t->code, from, to, end) || is_said(f, t->code, from, to, head) ? 2 : 1;
}

/* What places of T may count from, the K-th: where the file begins, or the rows end; else what is
 * behind the members, whose END is known, is nothing or some checksum. */
static bool base_of(const struct forest *f, struct rows *t, uint32_t end, uint32_t k)
{
	static const uint32_t tails[] = { 0, 4, 8, 16, FOOT };
	uint32_t tables = table_end(t);
	t->base = 0;
	if (!t->relative || !k) {
		t->base = t->relative ? tables : 0;
		return !k;
	}
	if (k > sizeof tails / sizeof *tails || end + tails[k - 1] + tables > f->size)
		return false;
	t->base = f->size - end - tails[k - 1];
	return true;
}

/* Rows whose first place is at AT, with the beginning that fits best. */
static bool settle(const struct forest *f, struct rows *t, uint32_t at, int32_t ahead, uint32_t end)
{
	uint32_t most = 0, low = ahead < 0 ? (uint32_t)-ahead : 0;
	uint32_t high = ahead > 0 ? (uint32_t)ahead + WORD : WORD;
	struct rows best = *t;
	for (uint32_t place = low; place <= at && place + high <= t->width; place++) {
		t->begin = at - place;
		t->place = place;
		t->length = (uint32_t)((int32_t)place + ahead);
		if (table_end(t) > f->size)
			continue;
		for (uint32_t k = 0; base_of(f, t, end, k); k++) {
			t->unit = unit_of(t);
			uint32_t fit = fills(f, t) ? phase_fits(f, t) : 0;
			if (fit > most && (!t->ends || fit == 3)) {
				most = fit;
				best = *t;
			}
		}
	}
	*t = best;
	return most > 0;
}

/* Puts the members of rows in any order into theirs; those whose ends nothing says end where the
 * next one begins, the last where the file does or the rows begin. */
static void order_members(const struct forest *f, struct rows *t, bool any)
{
	struct member *m = t->members;
	if (any)
		MEM_SORT_BY_TWO(m, t->n, place, length);
	for (uint32_t i = 0; t->ends && i < t->n; i++)
		m[i].length = (i + 1 < t->n ? m[i + 1].place : f->size) - m[i].place;
}

/* Do two of the rows of T whose first place is AT have one more in the middle? Then these are
 * narrower ones, an index. */
static bool is_narrower(const struct forest *f, const struct rows *t, uint32_t at)
{
	uint32_t next = at + t->width, last = next + t->width;
	for (uint32_t c = WORD; c + WORD <= t->width && last + WORD <= f->size; c++) {
		uint32_t x = word_at(f, t->code, at + c), y = word_at(f, t->code, next + c);
		if (x > word_at(f, t->code, at) && x < word_at(f, t->code, next) &&
		    y > word_at(f, t->code, next) && y < word_at(f, t->code, last))
			return true;
	}
	return false;
}

/* Rows of T whose first place is AT and whose lengths are AHEAD of it. */
static bool find_ahead(struct forest *f, struct rows *t, uint32_t at, int32_t ahead,
                       enum order order)
{
	bool any = order == ORDER_ANY;
	uint32_t first = word_at(f, t->code, at), second = word_at(f, t->code, at + t->width),
		 end = 0;
	t->ends = !ahead;
	t->scale = any || t->ends ? 1
	                          : scale_of(second - first,
	                                     word_at(f, t->code, (uint32_t)((int64_t)at + ahead)));
	if (!t->scale)
		return false;
	t->relative = !first && !any;
	uint32_t n = walk(f, t, at, ahead, order, &end);
	if (n < (any || t->ends ? ROWS_SURE : ROWS_LEAST) || f->budget.hops < n)
		return false;
	f->budget.hops -= n;
	for (t->n = n; t->n >= ROWS_LEAST && t->n + BY_CHANCE > n; t->n--) {
		order_members(f, t, any);
		if (settle(f, t, at, ahead, end))
			return true;
		if (any)
			walk(f, t, at, ahead, order, &end);
	}
	return false;
}

/* Rows whose first place is at AT. */
static bool find_at(struct forest *f, enum code code, uint32_t at, enum order order, struct rows *t)
{
	uint32_t first = word_at(f, code, at);
	if (first > f->size)
		return false;
	work_step(WIDEST);
	for (uint32_t width = NARROWEST; width <= WIDEST && at + width + WORD <= f->size; width++) {
		uint32_t second = word_at(f, code, at + width);
		if (second > f->size || (order == ORDER_ANY ? !first || !second : second <= first))
			continue;
		work_step(2 * width);
		*t = (struct rows){ .code = code, .width = width, .members = t->members };
		if (order == ORDER_ENDS && !is_narrower(f, t, at) && find_ahead(f, t, at, 0, order))
			return true;
		for (int32_t ahead = WORD - (int32_t)width;
		     order != ORDER_ENDS && ahead < (int32_t)width; ahead++)
			if ((ahead <= -WORD || ahead >= WORD) && (int64_t)at + ahead >= 0 &&
			    (int64_t)at + ahead + WORD <= f->size &&
			    find_ahead(f, t, at, ahead, order))
				return true;
	}
	return false;
}

static bool find_ordered(struct forest *f, enum code code, enum order order, struct rows *t)
{
	for (uint32_t at = 0; at < HEAD && at + WORD < f->size; at++)
		if (find_at(f, code, at, order, t))
			return true;
	for (uint32_t i = 0; i < 2 * POINTERS && i / 2 + WORD <= f->size; i++) {
		uint32_t from = i % 2 ? f->size - WORD - i / 2 : i / 2;
		for (uint64_t to = word_at(f, code, from), unit = 1;
		     to * unit < f->size && unit <= UNIT_MOST; unit *= BLOCK)
			for (uint64_t at = to * unit;
			     at >= HEAD && at + WORD < f->size && at - to * unit < NEAR; at++)
				if (find_at(f, code, (uint32_t)at, order, t))
					return true;
	}
	return false;
}

static bool find_rows(struct forest *f, struct rows *t)
{
	for (uint32_t k = 0; k < 2 * N_ORDERS; k++) {
		f->budget.hops = HOPS;
		if (find_ordered(f, k % 2 ? CODE_BIG : CODE_LITTLE, (enum order)(k / 2), t))
			return true;
	}
	return false;
}

/* The strings that COLUMN names, from BASE on: each begins behind a zero, one after the other. */
static bool names_strings(const struct forest *f, const struct rows *t, uint32_t column,
                          uint32_t base, uint32_t limit, uint32_t *end)
{
	uint32_t next = 0;
	for (uint32_t i = 0; i < t->n; i++) {
		uint32_t at = base + cell(f, t, i, column);
		const uint8_t *zero = at < limit ? memchr(f->bytes + at, 0, limit - at) : NULL;
		if (!zero || (i && at != next) || zero == f->bytes + at)
			return false;
		next = (uint32_t)(zero - f->bytes) + 1;
	}
	*end = next;
	return true;
}

static bool in_order(const struct rows *t)
{
	uint32_t i = 0;
	while (i < t->n && t->members[i].row == i)
		i++;
	return i == t->n;
}

/* Finds strings between the rows and the members. */
static void find_strings(const struct forest *f, struct rows *t)
{
	uint32_t begin = table_end(t), limit = member_begin(t, 0);
	limit = limit < begin ? f->size : limit;
	for (uint32_t column = 0; column + WORD <= t->width; column++) {
		uint32_t first = cell(f, t, 0, column), bases[] = { begin, 0, t->base };
		for (uint32_t k = 0; k < 3 && !t->strings; k++) {
			uint32_t base = bases[k];
			if (column == t->place || column == t->length || first > limit ||
			    !in_order(t) || base + first < begin ||
			    !names_strings(f, t, column, base, limit, &t->strings_end))
				continue;
			t->name = column;
			t->strings = base + first;
		}
	}
}

/* UNIT: bytes that the field counts. */
static void add_field(struct forest *f, const struct rows *t, uint32_t at, struct element of,
                      uint16_t depth, uint32_t unit)
{
	struct field field = field_of(FIELD_LENGTH, t->code, at, WORD, of.begin, of.end);
	field.depth = depth;
	field.unit = (uint16_t)unit;
	found_field(&f->found, field);
}

static void add_padding(struct forest *f, const struct rows *t, uint32_t begin, uint32_t end)
{
	struct field pad = field_of(FIELD_PADDING, CODE_LITTLE, begin, end - begin, t->base, begin);
	pad.unit = (uint16_t)t->unit;
	pad.depth = 1;
	if (t->unit > 1)
		found_field(&f->found, pad);
}

static void add_leaf(struct forest *f, struct leaf l)
{
	struct grove *g = &f->groves[f->n_groves - 1];
	l.tag = ++g->n; /* none is of the kind of another */
	MEM_PUSH(f->leaves, f->n_leaves, f->cap_leaves, l);
}

static void add_members(struct forest *f, const struct rows *t)
{
	forest_begin(f, member_begin(t, 0), member_end(t, t->n - 1), 0);
	for (uint32_t i = 0; i < t->n; i++) {
		uint32_t begin = member_begin(t, i), end = member_end(t, i);
		uint32_t row = t->begin + t->members[i].row * t->width;
		uint32_t padded = i + 1 < t->n ? member_begin(t, i + 1) : padded_end(f, t);
		struct leaf l = { .r = { .begin = begin, .end = padded, .body_end = end } };
		l.body = begin;
		l.body_end = end;
		l.twin = row;
		l.twin_end = row + t->width;
		add_leaf(f, l);
		add_padding(f, t, end, padded);
		add_field(f, t, row + t->place, (struct element){ t->base, begin }, 0, t->scale);
		if (!t->ends)
			add_field(f, t, row + t->length, (struct element){ begin, end }, 1, 1);
		if (t->strings)
			add_field(f, t, row + t->name,
			          (struct element){ t->strings - cell(f, t, 0, t->name),
			                            t->strings + cell(f, t, i, t->name) -
			                                    cell(f, t, 0, t->name) },
			          1, 1);
	}
}

static void add_strings(struct forest *f, const struct rows *t)
{
	forest_begin(f, t->strings, t->strings_end, f->n_groves - 1);
	for (uint32_t at = t->strings, i = 0; i < t->n;
	     i++) { /* no records: they go with members */
		uint32_t end = at + (uint32_t)strlen((const char *)f->bytes + at) + 1;
		found_listed(&f->found, f->n_groves - 1, at, end);
		at = end;
	}
}

bool forest_grow_rows(struct forest *f)
{
	struct rows t = { .members = mem_alloc((f->size / NARROWEST + 1) * sizeof *t.members) };
	if (f->size < HEAD / 8 || !find_rows(f, &t)) {
		free(t.members);
		return false;
	}
	uint32_t first = member_begin(&t, 0), end = table_end(&t);
	find_strings(f, &t);
	forest_begin(f, 0, 0, 0); /* no list can go with the first */
	add_members(f, &t);
	if (t.strings)
		add_strings(f, &t);
	uint32_t behind = t.strings ? t.strings_end : end;
	if (first >= behind)
		add_padding(f, &t, behind, first);
	free(t.members);
	f->explained = 0;
	return true;
}
