/* Tables that nothing need say the number of rows of: these are of one width and each says where a
 * member begins and how long it is, as in archives of games, firmware and fonts, in front of the
 * members or behind them. What speaks for one is that each member leads to the next. */
#include "base/mem.h"
#include "base/work.h"
#include "binary/forest_tables_def.h"

enum {
	HEAD = 4096,   /* bytes from the beginning in which the first row begins, */
	LEAST = 512,   /* of a file that has so many; */
	NEAR = 64,     /* or so far at most behind what a word says at an end of the file */
	NARROWEST = 8, /* bytes of a row */
	WIDEST = 128,
	ROWS_LEAST = 4, /* three are right by chance in one of a hundred files */
	ROWS_SURE = 6,  /* of those in any order, or without lengths */
	UNIT_MOST = 4096,
	BLOCK_LEAST = 4,
	BLOCK = 8,       /* what says where rows begin may count such, and such of these */
	BY_CHANCE = 3,   /* rows behind the last that seem to be some, and one more */
	HOPS = 1 << 14,  /* rows that are looked at again, in all; */
	PASSED = 1 << 9, /* so many that are too many for that count as one: a second's in all */
	FOOT = 20,       /* bytes of a checksum behind all */
};

/* Of members: that of rows; any; that of rows, where nothing says how long they are. */
enum order { ORDER_ROWS, ORDER_ANY, ORDER_ENDS, N_ORDERS };

/* Rows whose first place is at AT; lengths stand AHEAD bytes further on (0: nowhere). */
struct stride {
	struct table table;
	enum code code;
	enum order order;
	uint32_t at, width, end; /* END: of the last member, from the base on */
	int32_t ahead;
	bool relative; /* places do not count from where the file begins */
};

static uint32_t word_at(const struct tables *s, const struct stride *x, int64_t at)
{
	return x->code == CODE_BIG ? code_big(s->f->bytes + at) : code_little(s->f->bytes + at);
}

static bool are_zeros(const struct tables *s, uint32_t begin, uint32_t end)
{
	while (begin < end && !s->f->bytes[begin])
		begin++;
	return begin >= end;
}

/* How many rows there are: each member ends where the next begins, but for padding; unless they are
 * in any order. */
static uint32_t walk(struct tables *s, struct stride *x)
{
	uint32_t n = 0, before = 0, size = s->f->size, scale = x->table.scale;
	uint32_t least = (uint32_t)(x->ahead > 0 ? x->ahead : 0) + WORD;
	uint32_t gap = scale > 1 ? scale : UNIT_MOST;
	bool any = x->order == ORDER_ANY;
	x->end = 0;
	for (uint32_t at = x->at; at + least <= size && n < ROWS; at += x->width, n++) {
		uint32_t place = word_at(s, x, at);
		uint32_t length = x->ahead ? word_at(s, x, (int64_t)at + x->ahead) : 0;
		if (place > size / scale || length > size - place * scale ||
		    (any && !place && !length))
			break;
		place *= scale;
		if (n && !any &&
		    (place < before ||
		     (x->ahead &&
		      (place - before >= gap || (!x->relative && !are_zeros(s, before, place))))))
			break;
		before = place + length;
		s->members[n] = (struct element){ place, before };
		x->end = before > x->end ? before : x->end;
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

/* The members fill what is behind the rows, but for strings and a checksum, or in front of them;
 * they begin at multiples of a unit, the largest that all are at. */
static bool fills(const struct tables *s, struct table *t)
{
	const struct element *m = s->members;
	uint32_t size = s->f->size, base = t->base, all = UNIT_MOST, gap = 0;
	t->body = base + m[0].begin;
	t->body_end = base + m[t->n - 1].end;
	uint32_t limit = t->body >= t->end ? size : t->begin;
	if (t->body == t->body_end || t->body_end > limit)
		return false;
	for (uint32_t i = 0; i < t->n; i++) {
		uint32_t before = i ? m[i - 1].end : m[i].begin;
		if (m[i].begin < before || !are_zeros(s, base + before, base + m[i].begin))
			return false;
		gap = m[i].begin - before > gap ? m[i].begin - before : gap;
		all |= m[i].begin;
	}
	t->unit = all & -all;
	uint32_t left = limit - t->body_end, most = size - (t->end - t->begin);
	return (!gap || gap < t->unit) && 2 * (t->body_end - t->body) >= most &&
	       (left <= FOOT || (left < t->unit && are_zeros(s, t->body_end, limit)));
}

/* Does a word in [from, to) say VALUE? */
static bool is_said(const struct tables *s, const struct stride *x, uint32_t from, uint32_t to,
                    uint32_t value)
{
	uint32_t at = from;
	while (at + WORD <= to && word_at(s, x, at) != value)
		at++;
	return at + WORD <= to;
}

/* How well rows fit that begin where T does: at their borders something begins that the file speaks
 * of, or strings that they name. */
static uint32_t phase_fits(struct tables *s, const struct stride *x, struct table *t)
{
	struct pool pool = { 0 };
	bool front = t->body >= t->end;
	uint32_t size = s->f->size, from = front ? 0 : t->end, to = front ? t->begin : size;
	if (front ? t->body == t->end ||
	                    (t->body - t->end < t->unit && are_zeros(s, t->end, t->body))
	          : t->end == size || is_said(s, x, 0, NEAR, t->begin))
		return 3;
	bool named = tables_lay_out(s, t) && tables_pool(s, t, &pool);
	free(pool.begins);
	if (named)
		return 3;
	return is_said(s, x, from, to, t->end) || is_said(s, x, from, to, t->begin) ? 2 : 1;
}

/* The rows with the beginning that fits best, and what places count from: where the file begins, or
 * the rows end, or so that nothing or some checksum is behind the members. */
static bool settle(struct tables *s, const struct stride *x)
{
	static const uint32_t tails[] = { 0, 4, 8, 16, FOOT };
	uint32_t most = 0, low = x->ahead < 0 ? (uint32_t)-x->ahead : 0, size = s->f->size;
	uint32_t high = (x->ahead > 0 ? (uint32_t)x->ahead : 0) + WORD;
	struct table t = x->table;
	for (uint32_t place = low; place <= x->at && place + high <= x->width; place++) {
		t.begin = x->at - place;
		t.end = t.begin + t.n * x->width;
		t.place = (struct number){ 0, (uint8_t)place, (uint8_t)x->code, WORD, true };
		t.length = t.place;
		t.length.offset = (uint8_t)((int32_t)place + x->ahead);
		t.length.known = x->ahead;
		for (uint32_t k = 0; k < (x->relative ? 6 : 1) && t.end <= size; k++) {
			t.base = !x->relative ? 0 : k ? size - x->end - tails[k - 1] : t.end;
			uint32_t fit = t.base <= size && fills(s, &t) ? phase_fits(s, x, &t) : 0;
			if (fit <= most || (!x->ahead && fit < 3))
				continue;
			most = fit;
			s->best = t;
		}
	}
	return most;
}

/* The first N members in their order, which may not be that of rows; those whose ends nothing says
 * end where the next one begins, the last where the file does. */
static void order_members(struct tables *s, const struct stride *x, uint32_t n)
{
	struct element *m = s->members;
	if (x->order == ORDER_ANY)
		MEM_SORT_BY_TWO(m, n, begin, end);
	for (uint32_t i = 0; !x->ahead && i < n; i++)
		m[i].end = i + 1 < n ? m[i + 1].begin : s->f->size;
}

/* Do two of the rows of X have one more in the middle? Then these are narrower ones, an index. */
static bool is_narrower(const struct tables *s, const struct stride *x)
{
	uint32_t next = x->at + x->width, last = next + x->width;
	for (uint32_t c = WORD; c + WORD <= x->width && last + WORD <= s->f->size; c++) {
		uint32_t a = word_at(s, x, x->at + c), b = word_at(s, x, next + c);
		if (a > word_at(s, x, x->at) && a < word_at(s, x, next) &&
		    b > word_at(s, x, next) && b < word_at(s, x, last))
			return true;
	}
	return false;
}

static bool find_ahead(struct tables *s, struct stride *x)
{
	struct table *t = &x->table;
	uint32_t first = word_at(s, x, x->at), second = word_at(s, x, x->at + x->width);
	bool any = x->order == ORDER_ANY;
	t->scale =
		x->order ? 1 : scale_of(second - first, word_at(s, x, (int64_t)x->at + x->ahead));
	if (!t->scale || !s->f->budget.hops)
		return false;
	x->relative = !first && !any;
	uint32_t n = walk(s, x);
	if (n < (x->order ? ROWS_SURE : ROWS_LEAST))
		return false;
	if (s->f->budget.hops < n) { /* a file that repeats itself has such everywhere */
		uint32_t cost = n / PASSED + 1;
		s->f->budget.hops -= s->f->budget.hops < cost ? s->f->budget.hops : cost;
		return false;
	}
	s->f->budget.hops -= n;
	for (t->n = n; t->n >= ROWS_LEAST && t->n + BY_CHANCE > n; t->n--) {
		order_members(s, x, t->n);
		if (settle(s, x))
			return true;
		if (any)
			walk(s, x);
	}
	return false;
}

/* Rows whose first place is at X->at. */
static bool find_at(struct tables *s, struct stride *x)
{
	uint32_t at = x->at, size = s->f->size, first = word_at(s, x, at);
	if (first > size)
		return false;
	work_step(WIDEST);
	for (uint32_t width = NARROWEST; width <= WIDEST && at + width + WORD <= size; width++) {
		uint32_t second = word_at(s, x, at + width);
		if (second > size || (x->order == ORDER_ANY ? !first || !second : second <= first))
			continue;
		work_step(2 * width);
		x->width = width;
		x->table = (struct table){ .n_parts = 1,
			                   .parts = { { PART_BYTES, 0, (uint8_t)width } } };
		x->ahead = 0;
		if (x->order == ORDER_ENDS && !is_narrower(s, x) && find_ahead(s, x))
			return true;
		for (x->ahead = WORD - (int32_t)width;
		     x->order != ORDER_ENDS && x->ahead < (int32_t)width; x->ahead++)
			if ((x->ahead <= -WORD || x->ahead >= WORD) &&
			    (int64_t)at + x->ahead >= 0 && (int64_t)at + x->ahead + WORD <= size &&
			    find_ahead(s, x))
				return true;
	}
	return false;
}

static bool find_ordered(struct tables *s, struct stride *x)
{
	uint32_t size = s->f->size;
	for (x->at = 0; x->at < HEAD && x->at + WORD < size; x->at++)
		if (find_at(s, x))
			return true;
	for (uint32_t i = 0; i < 2 * NEAR; i++) {
		uint64_t to = word_at(s, x, i % 2 ? size - WORD - i / 2 : i / 2);
		for (uint32_t unit = 1; to * unit < size && unit <= UNIT_MOST; unit *= BLOCK)
			for (uint64_t at = to * unit; at - to * unit < NEAR; at++) {
				x->at = (uint32_t)at;
				if (at >= HEAD && at + WORD < size && find_at(s, x))
					return true;
			}
	}
	return false;
}

bool tables_find_strides(struct tables *s)
{
	bool found = false;
	s->members = mem_alloc((s->f->size / NARROWEST + 1) * sizeof *s->members);
	for (uint32_t k = 0; k < 2 * N_ORDERS && s->f->size >= LEAST && !found; k++) {
		struct stride x = { .code = k % 2 ? CODE_BIG : CODE_LITTLE, .order = k / 2 };
		s->f->budget.hops = HOPS;
		found = find_ordered(s, &x);
	}
	free(s->members);
	return found;
}
