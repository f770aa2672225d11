/* What a file says elsewhere about records that were found: how many they are, how much they hold
 * together, how long the longest is, how many there are of each kind, where each begins, which one
 * each is, and digests. */
#include "binary/finders.h"

#include <ctype.h>
#include <string.h>

#include "base/mem.h"
#include "base/work.h"
#include "binary/forest.h"
#include "binary/records.h"

enum {
	FEW = 6,     /* records that something is said about, at least */
	SURE = 16,   /* likewise where a schema fits, which says nothing of it; what a place is */
	LARGE = 256, /* what a sum of lengths is, at least */
	NEAR = 128,  /* bytes in front of the first record, or behind the last, that may say it */
	KINDS = 16,
	COLUMNS = 128, /* bytes of a record in which its kind or its number may stand */
	WORD = 4,      /* bytes of a place */
	ROW_LEAST = 8, /* from one place of an index to the next */
	ROW_MOST = 64,
	OCTAL_MOST = 12, /* digits */
	WORK = 16 << 20, /* bytes that are looked at in all */
	WAYS = 4,        /* to write a digest: as it is, in small and large digits, in base64 */
	BLOCK = 512,     /* all may be padded to it */
	DEPTHS = 64,
};

/* Records that are alike in where they are: in one, OF, or in those in that. */
struct family {
	const uint32_t *records; /* N of them */
	uint32_t n, of;
	uint32_t list, contents; /* the lists of them, where there are: LISTED */
	bool listed;
	struct element range, where; /* they are in; numbers about them stand in, around that */
	uint32_t before;             /* where what is just in front of them begins */
	uint32_t alike;              /* how many there are like them, with those elsewhere */
	uint64_t total, longest;     /* bytes of contents */
};

struct about {
	const uint8_t *bytes;
	uint32_t size;
	struct records *r;
	bool sure;               /* a schema fits */
	struct element *content; /* of each record, as its length says */
	bool *said;              /* of each byte: it is of a number that is known */
	struct found found;
	struct element rows;    /* an index that was found */
	bool summed;            /* checksums are known */
	uint32_t *room;         /* for the records of families */
	uint32_t (*alike)[256]; /* how many there are of a depth that begin with a byte */
	uint64_t left;          /* bytes that may still be looked at */
};

static const struct {
	uint8_t code, width;
} writings[] = { { CODE_BIG, 4 },   { CODE_LITTLE, 4 }, { CODE_BIG, 2 },    { CODE_LITTLE, 2 },
	         { CODE_OCTAL, 1 }, { CODE_BIG, 8 },    { CODE_LITTLE, 8 }, { CODE_DECIMAL, 0 } };
enum { N_WRITINGS = sizeof writings / sizeof *writings, N_BINARY = 4, N_ORDINAL = 5 };

static const struct record *member(const struct about *a, const struct family *s, uint32_t i)
{
	return &a->r->list[s->records[i]];
}

static struct element content(const struct about *a, const struct family *s, uint32_t i)
{
	return a->content[s->records[i]];
}

static uint8_t first_byte(const struct about *a, uint32_t record)
{
	uint32_t at = a->r->list[record].begin;
	return at < a->size ? a->bytes[at] : 0;
}

/* What the lengths of records count: the last bytes of what they hold. */
static void read_contents(struct about *a)
{
	struct records *r = a->r;
	uint32_t *outer = records_outer(r);
	work_step(r->n + (uint64_t)r->repair->n);
	a->content = mem_alloc(r->n * sizeof *a->content);
	for (uint32_t i = 0; i < r->n; i++)
		a->content[i] = (struct element){ r->list[i].body, r->list[i].body_end };
	for (uint32_t i = 0; i < r->repair->n; i++) {
		const struct field *f = &r->repair->fields[i];
		uint32_t k = MEM_FIRST(r->list, r->n, begin, f->at + 1) - 1;
		while (k < r->n && (r->list[k].end <= f->at || r->list[k].body_end != f->to))
			k = outer[k];
		int64_t length = (int64_t)f->to - f->from + f->bias;
		if (f->kind == FIELD_LENGTH && k < r->n && length >= 0 && f->at < f->to &&
		    f->to - length >= r->list[k].body)
			a->content[k].begin = (uint32_t)(f->to - length);
	}
	free(outer);
}

static void add_lists(struct about *a, struct family *s)
{
	if (s->listed)
		return;
	s->listed = true;
	s->list = a->found.n.lists++;
	s->contents = a->found.n.lists++;
	for (uint32_t i = 0; i < s->n; i++) {
		struct element e = content(a, s, i);
		found_listed(&a->found, s->list, member(a, s, i)->begin, member(a, s, i)->end);
		found_listed(&a->found, s->contents, e.begin, e.end);
	}
}

/* The number at AT, written in the K-th way, if none is known there. */
static bool read_number(const struct about *a, uint32_t at, uint32_t k, uint32_t *width,
                        uint64_t *value)
{
	enum code code = writings[k].code;
	*width = writings[k].width;
	while (code == CODE_OCTAL && *width < OCTAL_MOST && at + *width < a->size &&
	       code_digit(code, a->bytes[at + *width]) >= 0)
		++*width;
	if (at >= a->size || a->said[at] ||
	    !code_read(code, a->bytes + at, a->bytes + a->size, width, value) ||
	    a->said[at + *width - 1])
		return false;
	uint32_t end = at + *width;
	return !code_in_digits(code) || (*width > 1 && (!at || !isalnum(a->bytes[at - 1])) &&
	                                 (end == a->size || !isalnum(a->bytes[end])));
}

static struct field number_field(struct about *a, struct family *s, enum field_kind kind,
                                 uint32_t at, uint32_t k, uint32_t width)
{
	add_lists(a, s);
	struct field f = field_of(kind, writings[k].code, at, width, s->range.begin, s->range.end);
	f.depth = UINT16_MAX;
	f.list = s->list;
	memset(a->said + at, true, width);
	return f;
}

/* A place near them, from where the file, or what OF holds, begins. */
static bool take_place(struct about *a, struct family *s, uint32_t at, uint32_t k, uint64_t value)
{
	const uint32_t ends[] = { s->before, s->range.begin, s->range.end };
	uint32_t width = writings[k].width;
	for (uint32_t i = 0; i < 6 && width >= WORD && value >= SURE; i++) {
		uint32_t base = i % 2 && s->of != RECORDS_NONE ? a->r->list[s->of].body : 0;
		if (ends[i / 2] < base || value != ends[i / 2] - base)
			continue;
		struct field f = number_field(a, s, FIELD_LENGTH, at, k, width);
		f.from = base;
		f.to = ends[i / 2];
		found_field(&a->found, f);
		return true;
	}
	return false;
}

/* A number that says how many there are, how much they hold, or how long the longest is. */
static bool take_number(struct about *a, struct family *s, uint32_t at, uint32_t k, uint32_t *width)
{
	uint64_t value;
	if (!read_number(a, at, k, width, &value) || value < FEW ||
	    (a->sure && (*width < WORD || at % WORD || value < SURE)))
		return false;
	if (take_place(a, s, at, k, value))
		return true;
	bool counts = value == s->n;
	if (!counts && (value < LARGE || *width < 3 || (value != s->total && value != s->longest)))
		return false;
	struct field f = number_field(a, s, counts ? FIELD_COUNT : FIELD_LENGTH, at, k, *width);
	f.listed = !counts;
	f.own = !counts && value != s->total ? LISTED_LONGEST : 0;
	f.list = counts ? s->list : s->contents;
	found_field(&a->found, f);
	return true;
}

/* At even places first. */
static void take_numbers(struct about *a, struct family *s)
{
	for (uint32_t i = 0; i < 2 * N_WRITINGS; i++)
		for (uint32_t at = s->where.begin, width; at < s->where.end; at++) {
			uint32_t k = i % N_WRITINGS;
			bool odd = at % 2 && !code_in_digits(writings[k].code);
			if (at == s->range.begin)
				at = s->range.end;
			if (odd == i / N_WRITINGS && take_number(a, s, at, k, &width))
				at += width - 1;
		}
}

/* How many have 0, 1 and so on at COLUMN; returns how many numbers there are of so few, 0: more. */
static uint32_t count_kinds(const struct about *a, const struct family *s, uint32_t column,
                            uint32_t n[KINDS])
{
	uint32_t last = 0, some = 0;
	memset(n, 0, KINDS * sizeof *n);
	work_step(s->n);
	for (uint32_t i = 0; i < s->n; i++) {
		const struct record *x = member(a, s, i);
		uint8_t kind = x->begin + column < x->end ? a->bytes[x->begin + column] : KINDS;
		if (kind >= KINDS)
			return 0;
		some += !n[kind]++;
		last = kind > last ? kind : last;
	}
	return some > 2 ? last + 1 : 0;
}

static void add_kind(struct about *a, struct family *s, uint32_t column, uint8_t kind,
                     struct field f)
{
	f.list = a->found.n.lists++;
	for (uint32_t i = 0; i < s->n; i++) {
		const struct record *x = member(a, s, i);
		if (a->bytes[x->begin + column] == kind)
			found_listed(&a->found, f.list, x->begin, x->end);
	}
	found_field(&a->found, f);
}

/* Numbers side by side in front of them, of those that have 0, 1 and so on at COLUMN. */
static bool take_kinds(struct about *a, struct family *s, uint32_t column)
{
	uint32_t n[KINDS], kinds = count_kinds(a, s, column, n), width;
	uint64_t value;
	for (uint32_t at = s->where.begin; kinds && at < s->range.begin; at++)
		for (uint32_t k = 0; k < N_BINARY; k++) {
			uint32_t i = 0;
			while (i < kinds &&
			       read_number(a, at + i * writings[k].width, k, &width, &value) &&
			       value == n[i])
				i++;
			if (i < kinds)
				continue;
			for (i = 0; i < kinds; i++)
				add_kind(a, s, column, (uint8_t)i,
				         number_field(a, s, FIELD_COUNT, at + i * width, k, width));
			return true;
		}
	return false;
}

/* Where all begin, from AT on: *WIDTH apart, from *BASE on. */
static bool read_index(const struct about *a, const struct family *s, uint32_t at, enum code code,
                       uint32_t *width, uint32_t *base)
{
	uint32_t (*word)(const uint8_t *) = code == CODE_BIG ? code_big : code_little;
	uint32_t first = at + WORD <= a->size ? word(a->bytes + at) : UINT32_MAX;
	*base = member(a, s, 0)->begin - first;
	if (first > member(a, s, 0)->begin)
		return false;
	work_step(ROW_MOST);
	for (*width = ROW_LEAST; *width <= ROW_MOST; ++*width) {
		uint32_t i = 1, p = at + *width;
		for (; i < s->n && p + WORD <= a->size &&
		       word(a->bytes + p) == member(a, s, i)->begin - *base;
		     p += *width)
			i++;
		if (i == s->n)
			return true;
	}
	return false;
}

/* Does something begin or end at AT? */
static bool is_border(const struct about *a, uint32_t at)
{
	const struct record *r = a->r->list;
	bool found = at == a->size;
	for (uint32_t i = 0; i < a->r->n && !found && r[i].begin <= at; i++)
		found = r[i].body == at || r[i].end == at;
	return found;
}

static bool is_record(const struct about *a, uint32_t begin, uint32_t end)
{
	uint32_t k = MEM_FIRST(a->r->list, a->r->n, begin, begin);
	return k < a->r->n && a->r->list[k].begin == begin && a->r->list[k].end == end;
}

/* Row ROW, of WIDTH bytes, goes with X; what else in it than at PLACE says how long E is. */
static void take_row(struct about *a, struct record *x, struct element e, struct element row,
                     struct field place)
{
	found_field(&a->found, place);
	x->twin = row.begin;
	x->twin_end = row.end;
	for (uint32_t at = row.begin; at + WORD <= row.end && e.end > e.begin + FEW; at++) {
		struct field f = field_of(FIELD_LENGTH, place.code, at, WORD, e.begin, e.end);
		f.depth = UINT16_MAX;
		if ((at + WORD <= place.at || at >= place.at + WORD) &&
		    field_holds(NULL, &f, a->bytes, a->size))
			found_field(&a->found, f);
	}
}

/* Rows that say from AT on where each begins, if they begin and end where something does. */
static bool take_index(struct about *a, struct family *s, uint32_t at, enum code code)
{
	uint32_t width, base, begin = at;
	if (!read_index(a, s, at, code, &width, &base))
		return false;
	while (begin && at - begin < width && !is_record(a, begin, begin + width))
		begin--;
	for (begin = at - begin < width ? begin : at; begin && at - begin < width; begin--)
		if (is_border(a, begin) && is_border(a, begin + s->n * width))
			break;
	if (at - begin >= width || !is_border(a, begin) || begin + s->n * width > a->size ||
	    (a->sure && memchr(a->said + begin, 1, s->n * width)))
		return false;
	for (uint32_t i = 0; i < s->n; i++) {
		struct record *x = &a->r->list[s->records[i]];
		uint32_t row = begin + i * width;
		take_row(a, x, content(a, s, i), (struct element){ row, row + width },
		         field_of(FIELD_LENGTH, code, at + i * width, WORD, base, x->begin));
	}
	a->rows = (struct element){ begin, begin + s->n * width };
	return true;
}

static void find_index(struct about *a, struct family *s)
{
	work_step(2 * (uint64_t)a->size);
	for (uint32_t k = 0; k < 2; k++)
		for (uint32_t at = 0; at + WORD <= a->size; at++) {
			if (at == s->range.begin)
				at = s->range.end;
			if (take_index(a, s, at, k ? CODE_BIG : CODE_LITTLE))
				return;
		}
}

/* Which one each is, in a number at COLUMN. */
static void take_ordinals(struct about *a, struct family *s, uint32_t column, uint32_t k)
{
	uint32_t width, i = 0;
	uint64_t value, first = 0;
	for (; i < s->n; i++) {
		const struct record *x = member(a, s, i);
		if (!read_number(a, x->begin + column, k, &width, &value) ||
		    x->begin + column + width > x->end || value != (i ? first + i : value))
			return;
		first = i ? first : value;
	}
	for (i = 0; i < s->n; i++) {
		uint32_t at = member(a, s, i)->begin + column;
		read_number(a, at, k, &width, &value);
		struct field f = number_field(a, s, FIELD_PLACE, at, k, width);
		f.bias = (int32_t)first;
		f.from = at;
		f.to = at + width;
		found_field(&a->found, f);
	}
}

/* ---- digests ---- */

/* Adds the digest that F is of, SUM, wherever it stands, as it is or in digits; where it does last
 * is F's place. False: nowhere. */
static bool find_standing(struct about *a, const struct sum_state *sum, struct field *f)
{
	uint32_t own = sum_width(sum->sum);
	const uint32_t widths[WAYS] = { own, 2 * own, 2 * own, (own + 2) / 3 * 4 };
	bool found = false;
	for (uint32_t k = 0; k < WAYS; k++) {
		uint8_t text[CODE_MAX]; /* which digits are large is as it was */
		memset(text, k == 2 ? 'A' : 'a', sizeof text);
		sum_put(sum, CODE_BIG, text, widths[k], text);
		work_step(a->size);
		const uint8_t *p = a->bytes, *end = a->bytes + a->size;
		for (; (p = memmem(p, (size_t)(end - p), text, widths[k])); p += widths[k]) {
			f->at = (uint32_t)(p - a->bytes);
			f->width = widths[k];
			found_field(&a->found, *f);
			found = true;
		}
	}
	return found;
}

/* Likewise the digest of E, or of all contents, of any kind. */
static bool find_digest(struct about *a, struct family *s, const struct element *e, struct field *f)
{
	static const uint8_t sums[] = { SUM_SHA1, SUM_SHA256, SUM_MD5 };
	struct element range = e ? *e : s->range;
	for (uint32_t k = 0; k < sizeof sums; k++) {
		struct sum_state sum;
		if (range.end < range.begin + FEW || a->left < a->size)
			return false;
		a->left -= a->size;
		*f = field_of(FIELD_SUM, CODE_BIG, 0, 0, range.begin, range.end);
		f->sum = sums[k];
		f->listed = !e;
		sum_begin(&sum, f->sum);
		for (uint32_t i = 0; i < (e ? 1 : s->n); i++) {
			struct element own = e ? *e : content(a, s, i);
			sum_feed(&sum, a->bytes + own.begin, own.end - own.begin);
		}
		if (!e)
			add_lists(a, s);
		f->list = e ? 0 : s->contents;
		if (find_standing(a, &sum, f))
			return true;
	}
	return false;
}

/* Digests of what each of them holds, as far from where each, or what goes with it, begins. */
static void take_digests_of_each(struct about *a, struct family *s)
{
	struct field f;
	uint32_t i = s->n / 2;
	while (i + 1 < s->n && content(a, s, i).end < content(a, s, i).begin + FEW)
		i++;
	struct element e = content(a, s, i);
	if (!find_digest(a, s, &e, &f))
		return;
	const struct record *x = member(a, s, i);
	bool aside = x->twin < x->twin_end && f.at >= x->twin;
	uint32_t less = f.at - (aside ? x->twin : x->begin);
	for (i = 0; i < s->n; i++) {
		x = member(a, s, i);
		f.at = (aside ? x->twin : x->begin) + less;
		f.from = content(a, s, i).begin;
		f.to = content(a, s, i).end;
		if (field_holds(NULL, &f, a->bytes, a->size))
			found_field(&a->found, f);
	}
}

static void take_digests(struct about *a, struct family *s)
{
	struct field f;
	struct element rows = { member(a, s, 0)->twin, member(a, s, s->n - 1)->twin_end };
	take_digests_of_each(a, s);
	find_digest(a, s, &s->range, &f);
	find_digest(a, s, NULL, &f);
	if (rows.begin < rows.end)
		find_digest(a, s, &rows, &f);
}

/* Checksums in what each holds. */
static void take_sums(struct about *a, const struct family *s)
{
	struct forest f = { .bytes = a->bytes, .size = a->size };
	for (uint32_t i = 0; i < s->n; i++) {
		const struct record *x = member(a, s, i);
		struct leaf l = { .r = { x->body, x->body_end, x->body, 0, x->body_end },
			          .body = x->body,
			          .body_end = x->body_end };
		MEM_PUSH(f.leaves, f.n_leaves, f.cap_leaves, l);
	}
	a->summed = forest_find_sums(&f, 0, f.n_leaves);
	for (uint32_t i = 0; i < f.found.n.fields; i++)
		found_field(&a->found, f.found.fields[i]);
	found_release(&f.found);
	free(f.leaves);
}

/* ---- families ---- */

/* Where what is said about S may stand: near it, and in OF, unless most that are like it are of
 * it. */
static void look_around(struct about *a, struct family *s)
{
	const struct record *r = a->r->list, *first = member(a, s, 0), *before = first;
	s->range = (struct element){ first->begin, member(a, s, s->n - 1)->end };
	while (before > r && before[-1].depth >= first->depth &&
	       before[-1].begin + NEAR >= first->begin)
		before--;
	bool within = s->of != RECORDS_NONE && 3 * s->n < 2 * s->alike;
	s->where.begin = within ? r[s->of].begin : 0;
	s->where.end = within ? r[s->of].end : a->size;
	if (s->range.begin - s->where.begin > NEAR)
		s->where.begin = s->range.begin - NEAR;
	if (s->where.end - s->range.end > NEAR)
		s->where.end = s->range.end + NEAR;
	s->before = before->begin;
}

/* All that is said about the records of S. */
static void take_family(struct about *a, struct family *s)
{
	if (s->n < FEW || a->left < a->size)
		return;
	look_around(a, s);
	if ((a->sure && 2 * (s->range.end - s->range.begin) < a->size) ||
	    (s->range.begin >= a->rows.begin && s->range.end <= a->rows.end))
		return;
	a->left -= a->size;
	take_numbers(a, s);
	for (uint32_t column = 0; column < COLUMNS && !a->sure; column++) {
		take_kinds(a, s, column);
		for (uint32_t k = 0; k < N_ORDINAL; k++)
			take_ordinals(a, s, column, k);
	}
	take_digests(a, s);
	if (!a->summed)
		take_sums(a, s);
	find_index(a, s);
}

/* All of the N records at the beginning of the room (BYTE: 256), or those that begin with BYTE. */
static void take_alike(struct about *a, uint32_t of, uint32_t n, uint32_t byte)
{
	uint32_t *own = a->room + n;
	work_step(n);
	struct family s = { .records = own, .of = of };
	for (uint32_t i = 0; i < n; i++) {
		struct element e = a->content[a->room[i]];
		if (byte < 256 && first_byte(a, a->room[i]) != byte)
			continue;
		own[s.n++] = a->room[i];
		s.total += e.end - e.begin;
		s.longest = e.end - e.begin > s.longest ? e.end - e.begin : s.longest;
	}
	for (uint32_t k = 0; k < 256; k++)
		if (k == byte || byte == 256)
			s.alike += a->alike[a->r->list[*own].depth % DEPTHS][k];
	take_family(a, &s);
}

/* The families of records in OF, or in those in it (INNER): those that begin with the same byte, or
 * all. */
static void take_families(struct about *a, const uint32_t *outer, uint32_t of, bool inner)
{
	uint32_t n = 0, bytes[256] = { 0 };
	const struct record *r = a->r->list;
	for (uint32_t i = of + 1; i < a->r->n; i++) { /* NONE + 1 is 0 */
		uint32_t up = outer[i];
		if (of != RECORDS_NONE && r[i].begin >= r[of].end)
			break;
		if (inner ? up == RECORDS_NONE || outer[up] != of : up != of)
			continue;
		a->room[n++] = i;
		bytes[first_byte(a, i)]++;
	}
	work_step(n);
	for (uint32_t byte = 0; byte < 256 && n >= FEW; byte++)
		if (bytes[byte] >= FEW && bytes[byte] < n)
			take_alike(a, of, n, byte);
	if (n >= FEW)
		take_alike(a, of, n, 256);
}

/* What was found in rows is none. */
static void drop_rows(struct about *a)
{
	struct records *r = a->r;
	uint32_t n = 0, kept = 0;
	for (uint32_t i = 0; i < r->n; i++)
		if (r->list[i].begin < a->rows.begin || r->list[i].end > a->rows.end)
			r->list[n++] = r->list[i];
	for (uint32_t i = 0; i < r->repair->n; i++)
		if (r->repair->fields[i].at < a->rows.begin ||
		    r->repair->fields[i].at >= a->rows.end)
			r->repair->fields[kept++] = r->repair->fields[i];
	r->n = n;
	r->repair->n = kept;
}

/* All is filled up with zeros to whole blocks. */
static void take_padding(struct about *a)
{
	uint32_t end = a->size, last = 0;
	while (end && !a->bytes[end - 1] && !a->said[end - 1])
		end--;
	for (uint32_t i = 0; i < a->r->n; i++)
		last = a->r->list[i].end > last ? a->r->list[i].end : last;
	struct field pad = field_of(FIELD_PADDING, CODE_LITTLE, end, a->size - end, 0, end);
	pad.unit = BLOCK;
	if (end < a->size && a->size - end < BLOCK && a->size % BLOCK == 0 && last <= end)
		found_field(&a->found, pad);
}

void about_add(struct records *r, const uint8_t *bytes, uint32_t size, bool sure)
{
	struct about a = { .bytes = bytes, .size = size, .r = r, .left = WORK, .sure = sure };
	uint32_t *outer = records_outer(r), n = r->n;
	read_contents(&a);
	a.said = mem_zero(size, sizeof *a.said);
	a.room = mem_alloc(2 * (n + (size_t)1) * sizeof *a.room);
	a.alike = mem_zero(DEPTHS, sizeof *a.alike);
	for (uint32_t i = 0; i < r->repair->n; i++)
		memset(a.said + r->repair->fields[i].at, true, r->repair->fields[i].width);
	for (uint32_t i = 0; i < r->repair->n; i++)
		a.summed |= r->repair->fields[i].kind == FIELD_SUM;
	for (uint32_t i = 0; i < n; i++)
		a.alike[r->list[i].depth % DEPTHS][first_byte(&a, i)]++;
	for (uint32_t i = n + 1; i-- > 0;)
		for (uint32_t k = 0; k < 2; k++)
			take_families(&a, outer, i ? i - 1 : RECORDS_NONE, !k);
	drop_rows(&a);
	if (!sure)
		take_padding(&a);
	struct repair *own = found_repair(&a.found), *all = repair_join(r->repair, own);
	repair_unref(r->repair);
	repair_unref(own);
	r->repair = all;
	found_release(&a.found);
	free(a.content);
	free(a.said);
	free(a.room);
	free(a.alike);
	free(outer);
}
