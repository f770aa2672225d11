/* Containers that begin, or end, with a number of their members, which is just right. */

#include "base/mem.h"
#include "base/work.h"
#include "binary/forest.h"

enum {
	FRONT = 64,   /* bytes at the top in which a count of four bytes is looked for; fewer of
	                 others */
	TITLE = 256,  /* likewise where it is aligned and neither strings nor rows have lengths */
	NARROW = 8,   /* likewise of one byte, or as many as it takes */
	FEW = 6,      /* so few members are counted right by chance */
	WIDEST = 256, /* rows there are of so many bytes at most */
	ALIKE = 4,    /* one of their columns has at most one value for so many rows */
	PLACE = 4,    /* bytes of the size of all, of a checksum */
	LISTS = 2,
	HOPS = 1 << 22, /* steps of a search */
};

/* A count: where it stands. */
struct count {
	uint32_t at, width;
	enum code code;
	uint64_t n;
};

/* Where N members begin; [n]: the end of the last. */
struct members {
	uint32_t n, *begins;
};

/* Is one of the columns of N rows of WIDTH bytes much the same? */
static bool look_alike(const uint8_t *rows, uint32_t n, uint32_t width)
{
	for (uint32_t column = 0; column < width; column++) {
		bool seen[256] = { false };
		uint32_t distinct = 0;
		work_step(n);
		for (uint32_t i = 0; i < n; i++) {
			uint8_t c = rows[(size_t)i * width + column];
			distinct += !seen[c];
			seen[c] = true;
		}
		if (distinct * ALIKE <= n)
			return true;
	}
	return false;
}

/* What ends at END goes to the end of the file, or to a checksum of it. */
static bool is_end(const struct forest *f, uint32_t begin, uint32_t end)
{
	struct field sum = field_of(FIELD_SUM, CODE_LITTLE, end, PLACE, begin, end);
	bool fits = end == f->size;
	for (uint32_t big = 0; big < 2 && end + PLACE == f->size && !fits; big++) {
		sum.code = big ? CODE_BIG : CODE_LITTLE;
		fits = field_holds(NULL, &sum, f->bytes, f->size);
	}
	return fits;
}

static bool split_rows(const struct forest *f, uint32_t begin, uint32_t end, struct members *m)
{
	uint32_t width = (end - begin) / m->n;
	if ((end - begin) % m->n || width < 2 || width > WIDEST ||
	    !look_alike(f->bytes + begin, m->n, width))
		return false;
	for (uint32_t i = 0; i <= m->n; i++)
		m->begins[i] = begin + i * width;
	return true;
}

/* Strings with a zero behind each, which end at END. */
static bool split_strings(const struct forest *f, uint32_t begin, uint32_t end, struct members *m)
{
	uint32_t n = 0;
	m->begins[0] = begin;
	work_step(end - begin);
	for (uint32_t at = begin; at < end && n < m->n; at++)
		if (!f->bytes[at])
			m->begins[++n] = at + 1;
	return n == m->n && m->begins[n] == end;
}

/* The format of lengths that lead over N members from BEGIN on to TO, or to a checksum there;
 * *HALF: where that many of them end. */
static bool find_format(struct forest *f, uint32_t begin, uint32_t to, uint64_t n, uint64_t half,
                        struct format *out, uint32_t *half_end, uint32_t *end)
{
	static const struct format formats[] = {
		{ .code = CODE_LITTLE, .width = 1, .align = 1, .more = 1 },
		{ .code = CODE_LITTLE, .width = 2, .align = 1, .more = 2 },
		{ .code = CODE_BIG, .width = 2, .align = 1, .more = 2 },
		{ .code = CODE_LITTLE, .width = 4, .align = 1, .more = 4 },
		{ .code = CODE_BIG, .width = 4, .align = 1, .more = 4 },
	};
	struct format_record r;
	for (uint32_t k = 0; k < sizeof formats / sizeof *formats; k++) {
		uint64_t i = 0;
		uint32_t at = begin;
		for (; i < n && f->budget.hops && at < to; i++, at = r.end) {
			f->budget.hops--;
			work_step(1);
			*half_end = i == half ? at : *half_end;
			if (!format_at(&formats[k], f->bytes, at, to, &r) ||
			    r.body_end == r.at + r.width)
				break;
		}
		*out = formats[k];
		*end = at;
		if (i == n && (at == to || is_end(f, begin, at)))
			return true;
	}
	return false;
}

static void add_count(struct forest *f, const struct count *c, uint32_t from, uint32_t to)
{
	struct field field = field_of(FIELD_COUNT, c->code, c->at, c->width, from, to);
	field.list = f->n_groves - 1;
	found_field(&f->found, field);
	f->explained = c->at < f->explained ? c->at : f->explained;
	f->narrow = c->width <= 2 && c->at < from;
}

/* Members that go as a whole as a grove. */
static void take_members(struct forest *f, const struct count *c, const struct members *m)
{
	uint32_t begin = m->begins[0], end = m->begins[m->n];
	struct grove g = { begin, end, begin, end, f->n_leaves, m->n, 0, 0, false };
	for (uint32_t i = 0; i < m->n; i++) {
		uint32_t to = m->begins[i + 1];
		struct leaf l = { .r = { .begin = m->begins[i], .end = to, .body_end = to },
			          .body = to,
			          .body_end = to };
		MEM_PUSH(f->leaves, f->n_leaves, f->cap_leaves, l);
	}
	MEM_PUSH(f->groves, f->n_groves, f->cap_groves, g);
	add_count(f, c, begin, end);
}

/* What C counts behind lengths: at once, behind the size of all, or in two lists. */
static bool take_chain(struct forest *f, const struct count *c)
{
	struct count next = *c;
	struct format format;
	uint32_t begin = c->at + c->width, half = 0, end;
	if (c->n >= FEW && find_format(f, begin, f->size, c->n, 0, &format, &half, &end)) {
		forest_plant(f, &format, begin, end);
		add_count(f, c, begin, end);
		return true;
	}
	if (c->width < 2 || begin + c->width >= f->size)
		return false;
	next.at = begin;
	begin += c->width;
	code_read(c->code, f->bytes + next.at, f->bytes + f->size, &next.width, &next.n);
	if (c->n >= FEW && find_format(f, begin, f->size, c->n, 0, &format, &half, &end) &&
	    next.n == end - begin) {
		forest_plant(f, &format, begin, end);
		add_count(f, c, begin, end);
		return true;
	}
	if (!next.n || next.n > f->size || c->n + next.n < FEW ||
	    !find_format(f, begin, f->size, c->n + next.n, c->n, &format, &half, &end))
		return false;
	forest_plant(f, &format, begin, half);
	add_count(f, c, begin, half);
	forest_plant(f, &format, half, end);
	add_count(f, &next, half, end);
	return true;
}

/* Likewise without lengths: strings, rows; at once, behind the size of all, or in two
 * lists of strings. */
static bool take_plain(struct forest *f, const struct count *c, uint32_t begin, uint32_t end)
{
	struct members m = { (uint32_t)c->n, NULL };
	struct count next = *c;
	bool found = false, front = begin > c->at;
	next.at = begin;
	next.n = 0;
	if (front && !code_read(c->code, f->bytes + begin, f->bytes + end, &next.width, &next.n))
		return false;
	next.n = next.n > f->size ? 0 : next.n;
	m.begins = mem_alloc((m.n + (size_t)next.n + 1) * sizeof *m.begins);
	for (uint32_t k = 0; k < (front ? 4 : 1) && c->n >= FEW && !found; k++) {
		uint32_t from = begin + (k % 2 ? c->width : 0), to = end - (k / 2 ? PLACE : 0);
		if (from + m.n > to || to > end || (k % 2 && next.n != to - from) ||
		    (k / 2 && !is_end(f, from, to)))
			continue;
		found = split_strings(f, from, to, &m) || split_rows(f, from, to, &m);
		if (found)
			take_members(f, c, &m);
	}
	m.n = (uint32_t)(c->n + next.n);
	if (!found && next.n && m.n >= FEW && split_strings(f, begin + c->width, end, &m)) {
		struct members rest = { (uint32_t)next.n, m.begins + c->n };
		m.n = (uint32_t)c->n;
		take_members(f, c, &m);
		take_members(f, &next, &rest);
		found = true;
	}
	free(m.begins);
	return found;
}

static bool take(struct forest *f, enum code code, uint32_t width, uint32_t at)
{
	struct count c = { .at = at, .width = width, .code = code };
	if (!code_read(code, f->bytes + at, f->bytes + f->size, &c.width, &c.n) ||
	    c.n < FEW / LISTS || c.n > f->size / 2)
		return false;
	return (at < FRONT && take_chain(f, &c)) ||
	       (width > 1 && take_plain(f, &c, at + c.width, f->size));
}

/* At the end stands how many there are in front of it. */
static bool take_behind(struct forest *f, enum code code, uint32_t width)
{
	struct count c = { .at = f->size - width, .width = width, .code = code };
	if (!code_read(code, f->bytes + c.at, f->bytes + f->size, &c.width, &c.n) || c.n < FEW ||
	    c.n > f->size / 2)
		return false;
	for (uint32_t begin = 0; begin <= FRONT / 4 && begin + c.n < c.at; begin += 4) {
		struct format format;
		uint32_t half = 0, end;
		if (take_plain(f, &c, begin, c.at))
			return true;
		if (!find_format(f, begin, c.at, c.n, 0, &format, &half, &end))
			continue;
		forest_plant(f, &format, begin, end);
		add_count(f, &c, begin, end);
		return true;
	}
	return false;
}

bool forest_grow_counted(struct forest *f)
{
	static const struct {
		enum code code;
		uint32_t width, front;
	} writings[] = {
		{ CODE_LITTLE, 4, TITLE },  { CODE_BIG, 4, TITLE },  { CODE_LITTLE, 2, FRONT / 4 },
		{ CODE_BIG, 2, FRONT / 4 }, { CODE_LEB, 0, NARROW }, { CODE_LITTLE, 1, NARROW },
	};
	f->budget.hops = HOPS;
	for (uint32_t k = 0; k < sizeof writings / sizeof *writings; k++) {
		for (uint32_t at = 0; at < writings[k].front && at + 4 < f->size;
		     at += at < FRONT ? 1 : 4)
			if (take(f, writings[k].code, writings[k].width, at))
				return true;
		if (writings[k].width > 1 && take_behind(f, writings[k].code, writings[k].width))
			return true;
	}
	return false;
}
