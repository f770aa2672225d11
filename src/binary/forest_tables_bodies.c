/* What the rows of a table are about: members one behind the other, whose places and lengths
 * numbers in the rows say. */
#include <ctype.h>

#include "base/work.h"
#include "binary/forest_tables_def.h"

enum {
	WAYS = 7,
	EDGE = 8, /* bytes where a body begins and ends */
};

void tables_spend(struct tables *s, uint32_t n)
{
	s->steps -= s->steps > n ? n : s->steps;
	work_step(n + 1);
}

/* Goes on from *AT, in a line, to the first number in digits that is no part of a word. */
static bool skip_to_digits(const struct tables *s, uint32_t *at, uint32_t end, uint32_t *width)
{
	for (; *at < end; *at += *width ? *width : 1) {
		for (*width = 0; is_digit(s->f->bytes[*at + *width]);)
			++*width;
		if (*width && (!*at || !isalnum(s->f->bytes[*at - 1])) &&
		    !isalnum(s->f->bytes[*at + *width]))
			return true;
	}
	return false;
}

bool tables_stands(const struct tables *s, const struct table *t, const struct number *x,
                   uint32_t row, uint32_t *at, uint32_t *width)
{
	const struct cell *c = cell(s, t, x->part, row);
	bool line = t->parts[x->part].kind == PART_LINE, found = true;
	uint64_t value;
	*at = c->begin + (line ? 0 : x->offset);
	*width = x->width;
	for (uint32_t i = 0; line && found && i <= x->offset; i++) {
		*at += i ? *width : 0;
		found = skip_to_digits(s, at, c->end, width);
	}
	return found &&
	       code_read(x->code, s->f->bytes + *at, s->f->bytes + s->f->size, width, &value);
}

uint64_t tables_number(const struct tables *s, const struct table *t, const struct number *x,
                       uint32_t row)
{
	uint32_t at, width;
	uint64_t value = UINT64_MAX;
	if (tables_stands(s, t, x, row, &at, &width))
		code_read(x->code, s->f->bytes + at, s->f->bytes + s->f->size, &width, &value);
	return value;
}

/* The place that ROW says, from the base on; more than the size of the file: none. */
static uint64_t place_of(const struct tables *s, const struct table *t, uint32_t row)
{
	uint64_t value = tables_number(s, t, &t->place, row);
	return t->from_end ? s->f->size - value : value;
}

/* The numbers that rows have, those of places first; how many, NUMBERS at most. */
static uint32_t list_numbers(const struct table *t, struct number *out)
{
	static const struct number writings[] = {
		{ 0, 0, CODE_LITTLE, 4, true }, { 0, 0, CODE_BIG, 4, true },
		{ 0, 0, CODE_LITTLE, 3, true }, { 0, 0, CODE_BIG, 3, true },
		{ 0, 0, CODE_LITTLE, 2, true }, { 0, 0, CODE_BIG, 2, true },
		{ 0, 0, CODE_LITTLE, 1, true }
	};
	uint32_t n = 0;
	for (uint32_t part = 0; part < t->n_parts; part++) {
		const struct part *p = &t->parts[part];
		for (uint8_t k = 0; k < WAYS && p->kind == PART_LINE; k++)
			out[n++] = (struct number){ (uint8_t)part, k, CODE_DECIMAL, 0, true };
		if (p->kind == PART_NUMBER)
			out[n++] = (struct number){ (uint8_t)part, 0, p->code, 0, true };
		for (uint32_t k = 0; k < WAYS * p->width && p->kind == PART_BYTES && n < NUMBERS;
		     k++) {
			out[n] = writings[k % WAYS];
			out[n].part = (uint8_t)part;
			out[n].offset = (uint8_t)(k / WAYS);
			n += out[n].width % 2 ? out[n].width == p->width
			                      : out[n].offset + out[n].width <= p->width;
		}
	}
	return n;
}

struct element tables_body(const struct tables *s, const struct table *t, uint32_t i, uint32_t at)
{
	uint64_t length = 0;
	if (t->place.known)
		at = t->base + (uint32_t)place_of(s, t, i) * (t->scale ? t->scale : 1);
	if (t->length.known && (!t->behind || i + 1 < t->n))
		length = tables_number(s, t, &t->length, i + t->behind);
	else
		length = (t->place.known && i + 1 < t->n ? t->base + place_of(s, t, i + 1)
		                                         : t->body_end) -
		         at;
	at -= t->backwards ? (uint32_t)length : 0;
	return (struct element){ at, at + (uint32_t)length };
}

/* Are the N bytes at AT text? */
static bool is_text(const struct tables *s, uint32_t at, uint32_t n)
{
	while (n && isprint(s->f->bytes[at + n - 1]))
		n--;
	return !n;
}

/* What it says that bytes where bodies begin are alike, and those in front of where they end, and
 * that what begins as text ends as text, and nothing else does. */
static int32_t borders(const struct tables *s, const struct table *t)
{
	uint16_t count[2][256] = { 0 };
	uint32_t n = 0, at = t->backwards ? t->body_end : t->body;
	int32_t bits = 0;
	for (uint32_t i = 0; i < t->n && n < LOOKED; i++) {
		struct element e = tables_body(s, t, i, at);
		at = t->backwards ? e.begin : e.end;
		if (e.end < e.begin + EDGE || e.end > s->f->size)
			continue;
		bool like = is_text(s, e.begin, EDGE) == is_text(s, e.end - EDGE, EDGE);
		bits += like ? CHAIN_BIT : -2 * CHAIN_BIT;
		count[0][s->f->bytes[e.end - 1]]++;
		count[1][s->f->bytes[e.begin]]++;
		n++;
	}
	for (uint32_t k = 0; k < 2; k++)
		bits += chain_column(count[k], n, &s->f->background, CHAIN_CLEARLY);
	return bits > 0 ? (int32_t)((int64_t)bits * t->n / n) : 0;
}

/* The bodies of T end at the end of the file or LEFT bytes in front of that, whatever fits better;
 * so many, which are few, stand behind the rows and say nothing here. */
static bool place_behind(const struct tables *s, struct table *t, uint64_t first, uint64_t last)
{
	uint64_t left = (uint64_t)s->f->size - t->end - last;
	bool line = t->parts[0].kind == PART_LINE;
	if (t->end + last > s->f->size || left > BEHIND || first > FRONT ||
	    !(line || tables_is_tail((uint32_t)left)))
		return false;
	int32_t bits[2];
	for (uint32_t k = 0; k < 2; k++) {
		t->base = t->end + (k ? 0 : (uint32_t)left);
		t->body = t->base + (uint32_t)first;
		t->body_end = t->base + (uint32_t)last;
		bits[k] = borders(s, t);
	}
	t->base += bits[0] > bits[1] || (line && bits[0] == bits[1]) ? (uint32_t)left : 0;
	return true;
}

/* Where the bodies, TOTAL bytes, are whose first is at FIRST (of those one behind the other), if T
 * says no more of it. */
static bool place_bodies(const struct tables *s, struct table *t, uint64_t first, uint64_t total)
{
	uint32_t size = s->f->size;
	uint64_t last = first + total;
	if (t->place.known && last == t->begin && first <= 2 * FRONT) /* in front */
		t->base = 0;
	else if (t->place.known && first >= t->end && tables_is_tail((uint32_t)(first - t->end)) &&
	         last <= size && tables_is_tail((uint32_t)(size - last)))
		t->base = 0;
	else if (t->from_end)
		return false;
	else if (place_behind(s, t, first, last))
		;
	else if (!first && total <= t->begin && t->begin - total <= FRONT)
		t->base = t->begin - (uint32_t)total;
	else
		return false;
	t->body = t->base + (uint32_t)first;
	t->body_end = t->base + (uint32_t)last;
	return true;
}

/* Do lengths X say how far it is from each place of T to the next? Then those are as well. */
static bool lengths_fit(struct tables *s, struct table *t, const struct number *x)
{
	uint64_t place = 0, first = 0, length = 0;
	for (uint32_t i = 0; i < t->n; i++) {
		tables_spend(s, 1);
		uint64_t next = t->place.known ? place_of(s, t, i) : place + length;
		if (i && next != place + length)
			return false;
		place = next;
		first = i ? first : place;
		length = tables_number(s, t, x, i);
		if (place > s->f->size || length > s->f->size)
			return false;
	}
	t->length = *x;
	return place + length > first + t->n && place_bodies(s, t, first, place + length - first);
}

/* Is each place of T behind the one before? Then bodies may end where the next begins. */
static bool ascend(struct tables *s, const struct table *t)
{
	uint64_t before = 0;
	for (uint32_t i = 0; i < t->n; i++) {
		tables_spend(s, 1);
		uint64_t place = place_of(s, t, i);
		if (place > s->f->size || (i && place <= before))
			return false;
		before = place;
	}
	return true;
}

/* Are several columns of T words that ascend? Then they are one column, of more rows. */
static bool is_column_of_more(struct tables *s, const struct table *t)
{
	uint32_t n = 0;
	struct table own = *t;
	for (uint32_t k = 0; k < t->n_parts && t->columns; k++) {
		own.place.part = (uint8_t)k;
		own.place.offset = 0;
		n += t->parts[k].kind == PART_BYTES && t->parts[k].width == WORD && ascend(s, &own);
	}
	return n > 1;
}

static bool ends_are_said(const struct tables *s, struct table *t)
{
	uint64_t first = place_of(s, t, 0), last = place_of(s, t, t->n - 1);
	uint64_t limit = first < t->begin && first ? t->begin : s->f->size;
	t->length.known = false;
	if (first == t->end || !first)
		limit = s->f->size - (first ? 0 : t->end);
	return last < limit && place_bodies(s, t, first, limit - first);
}

/* Do lengths X, which vary as only differences of places have to, lead from the first body to where
 * the last one begins, which ends where T begins? The first of them is how far it is to there. */
static int32_t lengths_behind(const struct tables *s, struct table *t, const struct number *x)
{
	uint64_t at = 0, longest = 0;
	if (t->parts[x->part].kind != PART_NUMBER)
		return 0;
	for (uint32_t i = 0; i < t->n && at < t->begin; i++) {
		uint64_t length = tables_number(s, t, x, i);
		if (length > s->f->size)
			return 0;
		longest = length > longest ? length : longest;
		at += length;
	}
	if (!at || at >= t->begin || t->begin - at > 2 * longest ||
	    tables_number(s, t, x, 0) > SHORT)
		return 0;
	t->body = (uint32_t)tables_number(s, t, x, 0);
	t->body_end = t->begin;
	t->length = *x;
	t->behind = true;
	return borders(s, t) + (int32_t)(chain_log(t->begin) - chain_log(longest));
}

/* Finds what the rows are about; returns what it says of T, 0: nothing. */
int32_t tables_find_bodies(struct tables *s, struct table *t)
{
	struct number list[NUMBERS + PARTS], none = { 0 };
	uint32_t n = list_numbers(t, list);
	for (uint32_t i = 0; i < n; i++) {
		t->place = list[i];
		t->from_end = tables_number(s, t, &list[i], 0) > tables_number(s, t, &list[i], 1);
		if ((t->place.width != WORD && !code_varies(t->place.code)) || !ascend(s, t))
			continue;
		for (uint32_t k = 0; k < n; k++)
			if (lengths_fit(s, t, &list[k]))
				return (int32_t)(t->n * 16 * CHAIN_BIT) + borders(s, t);
		if (!is_column_of_more(s, t) && ends_are_said(s, t))
			return (int32_t)(t->n * 4 * CHAIN_BIT) + borders(s, t);
	}
	t->place = none;
	t->from_end = false;
	for (uint32_t k = 0; k < n; k++) {
		if (!lengths_fit(s, t, &list[k])) {
			int32_t bits = lengths_behind(s, t, &list[k]);
			if (bits)
				return bits;
			continue;
		}
		int32_t forth = borders(s, t);
		t->backwards = true;
		t->backwards = borders(s, t) > forth;
		return (int32_t)chain_log(t->body_end - t->body) - (int32_t)chain_log(k + 1);
	}
	t->length = none;
	return 0;
}
