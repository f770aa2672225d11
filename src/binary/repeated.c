/* Members that begin alike, see finders.h. */
#include "binary/finders.h"

#include <ctype.h>
#include <string.h>

#include "base/mem.h"
#include "base/work.h"
#include "binary/forest.h"

enum {
	FEW = 6,      /* so few members are counted right by chance */
	LARGE = 256,  /* what a sum is, at least */
	GRAM = 4,     /* bytes that members begin with */
	AROUND = 256, /* bytes in front of all or behind them in which numbers are looked for */
	COLUMN = 256, /* bytes of a member, likewise */
	BEHIND = 64,  /* bytes of a member behind what its length counts */
	TRIES = 8,    /* numbers of members for each number; */
	SKIP = 4,     /* bytes from one that is none to the next */
	CONTEXT = 4,  /* bytes in front of a number that tell which one it is */
	COLUMNS = 16,
	COUNTERS = 1 << 18,
	SCANS = 8,            /* how often all bytes may be gone through for what is looked for, */
	SPARE_SCAN = 1 << 24, /* and bytes more, with which a small file is gone through often */
};

struct number {
	uint32_t at, width;
	uint64_t value;
};

/* The same number of each member. */
struct column {
	struct number *list;
	uint64_t sum;
	bool ordinal, length;
	uint32_t more; /* from where what a length counts ends to where its member does */
};

struct repeated {
	const uint8_t *bytes;
	uint32_t size, n;
	uint32_t *begins; /* [n]: the end of the last */
	struct column columns[COLUMNS];
	uint32_t n_columns;
	uint64_t left; /* bytes that may yet be gone through; when there are none, nothing is found
	                */
	struct found found;
};

static uint64_t most_scanned(uint32_t size)
{
	return (uint64_t)SCANS * size + SPARE_SCAN;
}

/* The LEN bytes at TEXT in what stands between FROM and END; NULL. */
static const uint8_t *next_of(struct repeated *r, const uint8_t *from, const uint8_t *end,
                              const uint8_t *text, size_t len)
{
	const uint8_t *p = from < end ? memmem(from, (size_t)(end - from), text, len) : NULL;
	uint64_t cost = from < end ? (uint64_t)((p ? p : end) - from) : 0;
	work_step(1 + cost);
	r->left -= cost < r->left ? cost : r->left;
	return p;
}

/* Digits that stand at AT, with no other in front. */
static bool number_at(const uint8_t *bytes, uint32_t size, uint32_t at, struct number *out)
{
	*out = (struct number){ .at = at };
	if (!is_digit(bytes[at]) || (at && is_digit(bytes[at - 1])))
		return false;
	return code_read(CODE_DECIMAL, bytes + at, bytes + size, &out->width, &out->value);
}

static uint32_t gram_hash(const uint8_t *p)
{
	return code_little(p) * 2654435761u >> 14;
}

/* Where the gram at AT stands, from there on, if it does so just N times. */
static bool find_begins(struct repeated *r, uint32_t at, uint32_t n)
{
	const uint8_t *p = r->bytes + at, *end = r->bytes + r->size;
	r->n = 0;
	for (const uint8_t *gram = p; p && r->n <= n; p = next_of(r, p + GRAM, end, gram, GRAM))
		r->begins[r->n++] = (uint32_t)(p - r->bytes);
	return r->n == n && r->left;
}

/* Where the number of member I is that stands behind the CONTEXT bytes at TEXT. */
static bool find_number(struct repeated *r, uint32_t i, const uint8_t *text, struct number *out)
{
	uint32_t begin = r->begins[i], end = i + 1 < r->n ? r->begins[i + 1] : r->size;
	end = end - begin > COLUMN ? begin + COLUMN : end;
	for (const uint8_t *p = r->bytes + begin;
	     (p = next_of(r, p, r->bytes + end, text, CONTEXT)); p++) {
		uint32_t at = (uint32_t)(p - r->bytes) + CONTEXT;
		if (at < end && number_at(r->bytes, r->size, at, out))
			return true;
	}
	return false;
}

/* Is it how much there is from behind the byte behind it to just before the end of each? */
static bool is_length(const struct repeated *r, struct column *c)
{
	for (uint32_t i = 0; i + 1 < r->n; i++) {
		const struct number *x = &c->list[i];
		uint64_t end = x->at + x->width + 1 + x->value;
		uint64_t more = r->begins[i + 1] - end;
		if (end > r->begins[i + 1] || more > BEHIND || (i && more != c->more))
			return false;
		c->more = (uint32_t)more;
	}
	const struct number *x = &c->list[r->n - 1];
	return x->at + x->width + 1 + x->value + c->more <= r->size;
}

/* Is there one of more members in the last, or is it not known? */
static bool has_more(struct repeated *r, const uint8_t *text, const struct number *last)
{
	struct number x;
	const uint8_t *p = r->bytes + last->at, *end = r->bytes + r->size;
	while ((p = next_of(r, p, end, text, CONTEXT)) && p++ + CONTEXT < end)
		if (number_at(r->bytes, r->size, (uint32_t)(p - r->bytes) + CONTEXT - 1, &x))
			return true;
	return !r->left;
}

/* What the numbers behind TEXT are, if all members have just one, or those that have more have that
 * first. */
static void read_column(struct repeated *r, const uint8_t *text)
{
	struct column c = { .list = mem_alloc(r->n * sizeof *c.list), .ordinal = true };
	uint32_t n = 0;
	while (n < r->n && find_number(r, n, text, &c.list[n]))
		n++;
	if (n < r->n || has_more(r, text, &c.list[n - 1])) {
		free(c.list);
		return;
	}
	for (uint32_t i = 0; i < r->n; i++) {
		c.sum += c.list[i].value;
		c.ordinal &= c.list[i].value == c.list[0].value + i;
	}
	c.ordinal &= c.list[0].value <= 1; /* others are names */
	c.length = is_length(r, &c);
	r->columns[r->n_columns++] = c;
}

/* All numbers that each member has behind the same bytes. */
static void read_columns(struct repeated *r)
{
	uint32_t end = r->begins[1] - r->begins[0] > COLUMN ? r->begins[0] + COLUMN : r->begins[1];
	for (uint32_t i = 0; i < r->n_columns; i++)
		free(r->columns[i].list);
	r->n_columns = 0;
	for (uint32_t at = r->begins[0] + CONTEXT; at < end && r->n_columns < COLUMNS; at++) {
		struct number x, first;
		const uint8_t *text = r->bytes + at - CONTEXT;
		if (!number_at(r->bytes, r->size, at, &x) || is_digit(text[0]) ||
		    is_digit(text[1]) || is_digit(text[2]) || !find_number(r, 0, text, &first) ||
		    first.at != at)
			continue;
		read_column(r, text);
	}
}

/* How many bytes in front of AT are as in front of the others; at most GRAM. */
static uint32_t alike_before(const struct repeated *r, uint32_t first, uint32_t at)
{
	uint32_t n = 0;
	for (bool same = at > GRAM; same && n < GRAM; n += same)
		for (uint32_t i = first; i < r->n && same; i++)
			same = r->bytes[r->begins[i] - n - 1] == r->bytes[at - n - 1];
	return n;
}

/* The last ends as the others do, if need be where these begin a little earlier; or at the end. */
static void find_end(struct repeated *r)
{
	uint32_t last = r->begins[r->n - 1], shift;
	uint32_t alike = alike_before(r, 1, r->begins[1]), most = alike_before(r, 0, r->begins[0]);
	r->begins[r->n] = r->size;
	for (uint32_t k = 0; k < r->n_columns; k++) {
		const struct number *x = &r->columns[k].list[r->n - 1];
		if (r->columns[k].length) {
			r->begins[r->n] =
				(uint32_t)(x->at + x->width + 1 + x->value + r->columns[k].more);
			return;
		}
	}
	const uint8_t *like = r->bytes + r->begins[1] - alike;
	for (uint32_t end = r->size; end > last + alike && r->size - end < BEHIND; end--)
		for (shift = 0; shift <= most && shift < alike; shift++) {
			if (memcmp(r->bytes + end - (alike - shift), like, alike - shift) != 0)
				continue;
			for (uint32_t i = 0; i < r->n; i++)
				r->begins[i] -= shift;
			r->begins[r->n] = end;
			return;
		}
}

static struct field said_by(enum field_kind kind, const struct number *x, uint32_t from,
                            uint32_t to)
{
	struct field f = field_of(kind, CODE_DECIMAL, x->at, x->width, from, to);
	f.depth = UINT16_MAX;
	return f;
}

/* How wide X is may stand in front of it. */
static void add_own_length(struct repeated *r, const struct number *x)
{
	struct number own;
	uint32_t at = x->at > 2 ? x->at - 2 : 0;
	while (at && is_digit(r->bytes[at]) && is_digit(r->bytes[at - 1]))
		at--;
	if (!number_at(r->bytes, r->size, at, &own) || own.value != x->width ||
	    own.at + own.width + 1 != x->at)
		return;
	struct field f = said_by(FIELD_LENGTH, &own, x->at, x->at + x->width);
	f.aligned = true;
	found_field(&r->found, f);
}

/* What numbers around all say of them: how many there are, or what the numbers of a column are
 * together. */
static void add_around(struct repeated *r, const struct number *x)
{
	uint32_t begin = r->begins[0], end = r->begins[r->n], list = 0, k = 0;
	struct field f = said_by(FIELD_COUNT, x, begin, end);
	while (k < r->n_columns && (r->columns[k].sum != x->value || x->value < LARGE))
		k++;
	if (k < r->n_columns) {
		list = r->found.n.lists++;
		f = said_by(FIELD_LENGTH, x, begin, end);
		f.listed = true;
		f.own = LISTED_NUMBERS;
		f.sum = CODE_DECIMAL;
		for (uint32_t i = 0; i < r->n; i++) {
			const struct number *one = &r->columns[k].list[i];
			found_listed(&r->found, list, one->at, one->at + one->width);
		}
	} else if (x->value != r->n)
		return;
	f.list = list;
	found_field(&r->found, f);
	add_own_length(r, x);
}

/* The places near all members that are in none of them: the first of these, and the next one;
 * those below the size. */
static uint32_t around_first(const struct repeated *r)
{
	uint32_t begin = r->begins[0];
	return !begin ? r->begins[r->n] : begin > AROUND ? begin - AROUND : 0;
}

static uint32_t around_next(const struct repeated *r, uint32_t at)
{
	uint32_t end = r->begins[r->n], next = at + 1 == r->begins[0] ? end : at + 1;
	return next >= end && next - end >= AROUND ? r->size : next;
}

/* Is there more than a number of members that speaks for them? */
static bool is_likely(const struct repeated *r)
{
	struct number x;
	for (uint32_t k = 0; k < r->n_columns; k++)
		if (r->columns[k].length)
			return true;
	for (uint32_t at = around_first(r); at < r->size; at = around_next(r, at))
		for (uint32_t k = 0; k < r->n_columns; k++)
			if (r->columns[k].sum >= LARGE && number_at(r->bytes, r->size, at, &x) &&
			    x.value == r->columns[k].sum)
				return true;
	return false;
}

/* What the columns and the numbers around all say of them. */
static void add_numbers(struct repeated *r)
{
	for (uint32_t k = 0; k < r->n_columns; k++)
		for (uint32_t i = 0; r->columns[k].ordinal && i < r->n; i++) {
			const struct number *x = &r->columns[k].list[i];
			struct field f = said_by(FIELD_PLACE, x, x->at, x->at + x->width);
			f.bias = (int32_t)r->columns[k].list[0].value;
			found_field(&r->found, f);
		}
	for (uint32_t at = around_first(r); at < r->size; at = around_next(r, at)) {
		struct number x;
		if (number_at(r->bytes, r->size, at, &x))
			add_around(r, &x);
	}
}

static void add_members(struct repeated *r)
{
	const struct column *length = NULL;
	for (uint32_t k = 0; k < r->n_columns; k++)
		length = r->columns[k].length ? &r->columns[k] : length;
	r->found.n.lists = 1;
	for (uint32_t i = 0; i < r->n; i++) {
		struct record x = record_plain(r->begins[i], r->begins[i + 1]);
		if (length) {
			const struct number *own = &length->list[i];
			x.body = own->at + own->width + 1;
			x.body_end = x.body + (uint32_t)own->value;
			found_field(&r->found, said_by(FIELD_LENGTH, own, x.body, x.body_end));
		}
		found_element(&r->found, 0, x);
	}
	add_numbers(r);
}

static void release(struct repeated *r)
{
	for (uint32_t i = 0; i < r->n_columns; i++)
		free(r->columns[i].list);
	found_release(&r->found);
	free(r->begins);
}

/* N members, of which the first begins from FROM on. */
static bool take(struct repeated *r, const uint32_t *counters, uint32_t from, uint32_t n)
{
	uint32_t tries = TRIES;
	r->begins = mem_resize(r->begins, n + (size_t)2, sizeof *r->begins);
	for (uint32_t at = from; at < from + AROUND && at + GRAM < r->size && tries && r->left;
	     at++) {
		const uint8_t *gram = r->bytes + at;
		if (counters[gram_hash(gram)] < n || isspace(*gram) || is_digit(*gram) ||
		    !find_begins(r, at, n))
			continue;
		read_columns(r);
		find_end(r);
		if (is_likely(r)) {
			add_members(r);
			return true;
		}
		at += SKIP - 1;
		tries--;
	}
	return false;
}

struct records *repeated_find(const uint8_t *bytes, uint32_t size)
{
	struct repeated r = { .bytes = bytes, .size = size, .left = most_scanned(size) };
	uint32_t *counters = mem_zero(COUNTERS, sizeof *counters), end = 0;
	bool found = false;
	work_step(size);
	for (uint32_t at = 0; at + GRAM <= size; at++)
		counters[gram_hash(bytes + at)]++;
	for (uint32_t at = 0; at < size && !found && r.left; at++) {
		struct number x;
		at = at == AROUND && size > 2 * AROUND ? size - AROUND : at;
		if (at < end || !number_at(bytes, size, at, &x) || x.value < FEW ||
		    x.value > size / GRAM)
			continue;
		end = x.at + x.width;
		found = take(&r, counters, at < AROUND ? end : 0, (uint32_t)x.value);
	}
	struct records *all = found ? found_records(&r.found, bytes_are_text(bytes, size)) : NULL;
	release(&r);
	free(counters);
	return all;
}

void repeated_add(struct records *known, const uint8_t *bytes, uint32_t size)
{
	struct repeated r = {
		.bytes = bytes, .size = size, .left = most_scanned(size), .found.n.lists = 1
	};
	r.begins = mem_alloc((known->n + (size_t)1) * sizeof *r.begins);
	for (uint32_t i = 0; i < known->n; i++) {
		const struct record *x = &known->list[i];
		if (x->depth || (r.n && x->begin != r.begins[r.n]))
			continue;
		r.begins[r.n++] = x->begin;
		r.begins[r.n] = x->end;
		found_listed(&r.found, 0, x->begin, x->end);
	}
	if (r.n >= FEW && r.n == known->n) {
		read_columns(&r);
		add_numbers(&r);
		found_join(&r.found, known);
	}
	release(&r);
}
