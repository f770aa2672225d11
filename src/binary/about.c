/* What a file says elsewhere about records that were found: how many they are, how much they hold
 * together, how long the longest is, how many there are of each kind, where each begins, which one
 * each is or leads to, and digests. */
#include "binary/finders.h"

#include <ctype.h>
#include <string.h>

#include "base/mem.h"
#include "base/work.h"
#include "binary/forest.h"
#include "binary/found.h"

enum {
	ROWS_LEAST = 4,
	FEW = 6,     /* records that something is said about, at least */
	SURE = 16,   /* likewise where a schema fits, which says nothing of it; what a place is */
	LARGE = 256, /* what a sum of lengths is, at least */
	HEAD = 4096, /* likewise where rows say where each is */
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
	HEADS = 3,       /* that seem to be the first members may be what stands in front of them */
	LINKED_MOST = 1 << 12, /* members that are looked at for links */
	DEPTHS = 64,
};

/* Records that are alike in where they are: in one, OF, or in those in that. */
struct family {
	const uint32_t *records; /* N of them */
	uint32_t n, of;
	uint32_t list, contents; /* the lists of them, where there are: LISTED */
	bool listed;
	bool all;                    /* that are in none */
	struct element range, where; /* they are in; numbers about them stand in, around that */
	struct element rows, names;  /* that go with them */
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
	bool counted;           /* likewise a number of members */
	uint32_t unit;          /* that places are in */
	uint32_t base;          /* that of the first record counts from there */
	struct element names;   /* that go with records */
	uint32_t *room;         /* for the records of families */
	uint32_t (*alike)[256]; /* how many there are of a depth that begin with a byte */
	uint64_t left;          /* bytes that may still be looked at, */
	uint64_t to_sum;        /* or summed to find a checksum of all */
};

static const struct {
	uint8_t code, width;
} writings[] = { { CODE_BIG, 4 },   { CODE_LITTLE, 4 }, { CODE_BIG, 2 },    { CODE_LITTLE, 2 },
	         { CODE_OCTAL, 1 }, { CODE_BIG, 8 },    { CODE_LITTLE, 8 }, { CODE_DECIMAL, 0 },
	         { CODE_BIG, 3 },   { CODE_LITTLE, 3 } };
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
static void read_contents(struct about *a, const uint32_t *outer)
{
	struct records *r = a->r;
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
		a->unit = f->kind == FIELD_LENGTH && f->unit > 1 ? f->unit : a->unit;
		if (f->kind == FIELD_LENGTH && k < r->n && length >= 0 && f->at < f->to &&
		    f->to - length >= r->list[k].body)
			a->content[k].begin = (uint32_t)(f->to - length);
	}
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

/* Where something begins or ends, or how far it is from one of these to another; of numbers of
 * less than four bytes, what all is. */
static bool take_place(struct about *a, struct family *s, uint32_t at, uint32_t k, uint32_t width,
                       uint64_t value)
{
	uint32_t of = s->of == FOUND_NONE ? 0 : a->r->list[s->of].body;
	bool narrow = width < WORD && !code_in_digits(writings[k].code);
	const uint32_t ends[] = { a->size,        s->range.end,  s->before,
		                  s->range.begin, s->rows.begin, s->rows.end,
		                  s->names.begin, s->names.end,  content(a, s, s->n - 1).end };
	const uint32_t bases[] = {
		0,      of, s->range.begin, at + width, s->rows.end, s->rows.begin, s->names.begin,
		a->base
	};
	uint32_t n_ends = narrow ? 2 : sizeof ends / sizeof *ends;
	uint32_t n_bases = narrow ? 4 : sizeof bases / sizeof *bases;
	n_bases = a->sure ? 2 : n_bases; /* what a schema says nothing of is rarely about these */
	if (width < 2 || value > a->size || (narrow && (!s->all || value < LARGE)))
		return false;
	for (uint32_t i = 0; i < 2 * n_ends * n_bases; i++) {
		uint32_t unit = i % 2 ? a->unit : 1, end = ends[i / 2 / n_bases];
		uint32_t base = bases[i / 2 % n_bases];
		if (end < base || value * unit != end - base ||
		    (unit > 1 ? value < 2 : value < SURE))
			continue;
		struct field f = number_field(a, s, FIELD_LENGTH, at, k, width);
		f.depth = end == a->size || (end && i / 2 / n_bases < 5) ? 0 : UINT16_MAX;
		f.unit = (uint16_t)unit;
		f.from = base;
		f.to = end;
		found_field(&a->found, f);
		return true;
	}
	return false;
}

/* A number that says how many there are, how much they hold, or how long the longest is. */
static bool take_number(struct about *a, struct family *s, uint32_t at, uint32_t k, uint32_t *width)
{
	uint64_t value;
	uint32_t least = s->rows.begin < s->rows.end ? ROWS_LEAST : FEW;
	if (!read_number(a, at, k, width, &value) ||
	    (a->sure && (*width < WORD || at % WORD || value < SURE)))
		return false;
	if (take_place(a, s, at, k, *width, value))
		return true;
	/* where one is known, as few elsewhere are so by chance */
	bool counts = value == s->n && value >= (a->counted ? SURE : least);
	if (!counts && (value < LARGE || *width < 3 || (value != s->total && value != s->longest)))
		return false;
	struct field f = number_field(a, s, counts ? FIELD_COUNT : FIELD_LENGTH, at, k, *width);
	f.listed = !counts;
	f.own = !counts && value != s->total ? LISTED_LONGEST : 0;
	f.list = counts ? s->list : s->contents;
	found_field(&a->found, f);
	return true;
}

/* Goes on from AT to where numbers about S may stand; false: behind all. */
static bool skip(const struct family *s, uint32_t *at)
{
	const struct element of[] = { s->range, s->rows, s->names };
	for (uint32_t i = 0; i < 6; i++)
		if (*at >= of[i % 3].begin && *at < of[i % 3].end)
			*at = of[i % 3].end;
	return *at < s->where.end;
}

/* At even places first. */
static void take_numbers(struct about *a, struct family *s)
{
	for (uint32_t i = 0; i < 2 * N_WRITINGS; i++)
		for (uint32_t at = s->where.begin, width; at < s->where.end; at++) {
			uint32_t k = i % N_WRITINGS;
			bool odd = at % 2 && !code_in_digits(writings[k].code);
			if (!skip(s, &at))
				break;
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

/* Adds the digest that F is of, SUM, wherever it stands in AREA, as it is or in digits; a checksum
 * is only found. Where it does last is F's place. False: nowhere. */
static bool find_standing(struct about *a, const struct sum_state *sum, struct element area,
                          struct field *f)
{
	static const uint8_t codes[WAYS] = { CODE_BIG, CODE_HEX_WIDE, CODE_HEX_WIDE, CODE_LITTLE };
	uint32_t own = sum_width(sum->sum);
	bool found = false, digest = sum_is_digest(sum->sum);
	const uint32_t widths[WAYS] = { own, 2 * own, 2 * own, digest ? (own + 2) / 3 * 4 : own };
	for (uint32_t k = 0; k < WAYS; k++) {
		uint8_t text[CODE_MAX]; /* which digits are large is as it was */
		enum code code = digest ? CODE_BIG : codes[k];
		memset(text, k == 2 ? 'A' : 'a', sizeof text);
		sum_put(sum, code, text, widths[k], text);
		work_step(area.end - area.begin);
		const uint8_t *p = a->bytes + area.begin, *end = a->bytes + area.end;
		for (; (p = memmem(p, (size_t)(end - p), text, widths[k])); p += widths[k]) {
			f->at = (uint32_t)(p - a->bytes);
			f->width = widths[k];
			f->code = (uint8_t)code;
			if (digest)
				found_field(&a->found, *f);
			found = true;
		}
	}
	return found;
}

/* Likewise the digest of E, or of all contents (E is NULL), of any kind; or the checksum, which may
 * stand in ROW. */
static bool find_digest(struct about *a, struct family *s, const struct element *e,
                        struct element row, struct field *f)
{
	struct element range = e ? *e : s->range, all = { 0, a->size };
	for (uint32_t k = SUM_ALL; k-- > 0;) {
		struct sum_state sum;
		bool digest = sum_is_digest((enum sum)k);
		if (!digest && (k >= SUM_CRC16 || row.begin == row.end))
			continue;
		if (range.end < range.begin + FEW || a->left < a->size)
			return false;
		a->left -= digest ? a->size : 0;
		*f = field_of(FIELD_SUM, CODE_BIG, 0, 0, range.begin, range.end);
		f->sum = (uint8_t)k;
		f->listed = !e;
		sum_begin(&sum, f->sum);
		for (uint32_t i = 0; i < (e ? 1 : s->n); i++) {
			struct element own = e ? *e : content(a, s, i);
			sum_feed(&sum, a->bytes + own.begin, own.end - own.begin);
		}
		if (!e)
			add_lists(a, s);
		f->list = e ? 0 : s->contents;
		if (find_standing(a, &sum, digest ? all : row, f))
			return true;
	}
	return false;
}

/* What goes with member I, or stands in front of what it holds. */
static struct element row_of(const struct about *a, const struct family *s, uint32_t i)
{
	const struct record *x = member(a, s, i);
	if (x->twin < x->twin_end)
		return (struct element){ x->twin, x->twin_end };
	return (struct element){ x->begin, content(a, s, i).begin };
}

/* The digest of what member I holds, of the kind of F, where F is from where the row begins, or
 * elsewhere in that. */
static bool find_own_digest(struct about *a, struct family *s, uint32_t i, uint32_t less,
                            struct field *f)
{
	struct element e = content(a, s, i), row = row_of(a, s, i);
	struct sum_state sum;
	f->at = row.begin + less;
	f->from = e.begin;
	f->to = e.end;
	if (field_holds(NULL, f, a->bytes, a->size))
		return true;
	sum_begin(&sum, f->sum);
	sum_feed(&sum, a->bytes + e.begin, e.end - e.begin);
	return row.end - row.begin <= COLUMNS && find_standing(a, &sum, row, f);
}

/* Digests of what each of them holds. */
static void take_digests_of_each(struct about *a, struct family *s)
{
	struct field f;
	uint32_t i = s->n / 2, n = a->found.n.fields;
	while (i + 1 < s->n && content(a, s, i).end < content(a, s, i).begin + FEW)
		i++;
	struct element e = content(a, s, i), row = row_of(a, s, i);
	if (!find_digest(a, s, &e, row, &f))
		return;
	uint32_t less = f.at - row.begin;
	f.depth = UINT16_MAX;
	for (i = 0; i < s->n && find_own_digest(a, s, i, less, &f); i++)
		found_field(&a->found, f);
	a->found.n.fields = i < s->n ? n : a->found.n.fields;
}

static void take_digests(struct about *a, struct family *s)
{
	struct field f;
	const struct element none = { 0, 0 };
	take_digests_of_each(a, s);
	find_digest(a, s, &s->range, none, &f);
	find_digest(a, s, NULL, none, &f);
	find_digest(a, s, &s->rows, none, &f);
}

/* Checksums in what each holds. */
static void take_sums(struct about *a, const struct family *s)
{
	struct forest f = { .bytes = a->bytes, .size = a->size };
	for (uint32_t i = 0; i < s->n; i++) {
		const struct record *x = member(a, s, i);
		uint32_t begin = x->body, end = x->body_end;
		struct leaf l = { .r = { begin, end, begin, 0, begin, end },
			          .body = begin,
			          .body_end = end };
		MEM_PUSH(f.leaves, f.n_leaves, f.cap_leaves, l);
	}
	a->summed = forest_find_sums(&f, 0, f.n_leaves);
	for (uint32_t i = 0; i < f.found.n.fields; i++)
		found_field(&a->found, f.found.fields[i]);
	found_release(&f.found);
	free(f.leaves);
}

/* A checksum of all, or of all from them on, in a word at AT before or behind them, or in digits;
 * narrow ones that fit by chance are too many, unless they are where one expects them. */
static bool take_sum(struct about *a, const struct family *s, uint32_t at)
{
	static const uint8_t codes[] = { CODE_LITTLE, CODE_BIG, CODE_HEX_WIDE };
	bool behind = at >= s->range.end;
	for (uint32_t i = 0; i < 3 * SUM_ADD16; i++) {
		enum sum sum = (enum sum)(i / 3);
		enum code code = codes[i % 3];
		bool digits = code_in_digits(code);
		uint32_t width = sum_width(sum) * (digits ? 2 : 1), end = behind ? at : a->size;
		bool stands = at + width == s->range.begin || at == s->range.end ||
		              at + width == a->size || at + width == s->names.begin;
		const struct element all = { behind ? WORD : at + width, s->range.end };
		const struct element of[] = { s->range, { 0, all.end }, all, s->rows, s->names };
		uint64_t value;
		if (at + width > a->size || (!stands && width < WORD) ||
		    (digits ? !code_read(code, a->bytes + at, a->bytes + a->size, &width, &value) ||
		                      (at && isalnum(a->bytes[at - 1]))
		            : !behind && at % 2))
			continue;
		for (uint32_t k = 0; k < 10; k++) {
			struct field f = field_of(FIELD_SUM, code, at, width, of[k / 2].begin,
			                          k % 2 ? of[k / 2].end : end);
			uint32_t cost = f.to > f.from ? f.to - f.from : 0;
			f.sum = (uint8_t)sum;
			if (cost < FEW || a->to_sum < cost)
				continue;
			a->to_sum -= cost;
			if (!field_holds(NULL, &f, a->bytes, a->size))
				continue;
			found_field(&a->found, f);
			return true;
		}
	}
	return false;
}

static void take_sum_of_all(struct about *a, const struct family *s)
{
	bool found = false;
	for (uint32_t at = s->range.end; !found && skip(s, &at) && at + 2 <= s->where.end; at++)
		found = !a->said[at] && take_sum(a, s, at);
	for (uint32_t at = 0; at + WORD <= s->range.begin && at < NEAR && !found; at++)
		found = !a->said[at] && take_sum(a, s, at);
}

/* How numbers lead from one member to another: what stands COLUMN bytes from where each begins. */
struct linking {
	uint32_t column, base, k, n; /* K: of writings; they lead to N */
	uint64_t none;               /* what leads nowhere */
};

/* The member that begins at AT, or n. */
static uint32_t member_at(const struct about *a, const struct family *s, uint64_t at)
{
	uint32_t lo = 0, hi = s->n;
	while (lo < hi) {
		uint32_t mid = lo + (hi - lo) / 2;
		bool behind = member(a, s, mid)->begin < at;
		lo = behind ? mid + 1 : lo;
		hi = behind ? hi : mid;
	}
	return lo < s->n && member(a, s, lo)->begin == at ? lo : s->n;
}

/* Do all numbers of L lead to where one of them begins, or nowhere, and not many to one? */
static bool read_links(const struct about *a, const struct family *s, struct linking *l)
{
	MEM_SCOPED bool *led = mem_zero(s->n, sizeof *led);
	uint32_t width;
	uint64_t value;
	for (uint32_t i = 0; i < s->n; i++) {
		const struct record *x = member(a, s, i);
		uint32_t at = x->begin + l->column;
		work_step(1);
		if (at + WORD > x->end || !read_number(a, at, l->k, &width, &value))
			return false;
		if (value == l->none)
			continue;
		uint32_t to = value > a->size ? s->n : member_at(a, s, l->base + value);
		if (to == s->n)
			return false;
		l->n += !led[to];
		led[to] = true;
	}
	return l->n >= FEW - 1;
}

/* The number in the K-th way at AT leads to member TO of BASE. */
static void add_link(struct about *a, struct family *s, const struct linking *l, uint32_t at,
                     uint32_t to)
{
	struct field f = number_field(a, s, FIELD_LINK, at, l->k, WORD);
	f.unit = l->none != 0;
	f.from = l->base;
	f.to = member(a, s, to)->begin;
	found_field(&a->found, f);
}

/* All of them that lead somewhere; LED: which ones are led to. */
static void add_links(struct about *a, struct family *s, const struct linking *l, bool *led)
{
	for (uint32_t i = 0; i < s->n; i++) {
		uint32_t at = member(a, s, i)->begin + l->column, width;
		uint64_t value;
		if (!read_number(a, at, l->k, &width, &value) || value == l->none)
			continue;
		uint32_t to = member_at(a, s, l->base + value);
		led[to] = true;
		add_link(a, s, l, at, to);
	}
}

/* Numbers in front of all that lead to one of them; small ones to one that no other leads to. */
static void add_roots(struct about *a, struct family *s, const struct linking *l, const bool *led)
{
	for (uint32_t at = s->where.begin, width; at + WORD <= s->range.begin; at += WORD) {
		uint64_t value;
		if (!read_number(a, at, l->k, &width, &value) || value > a->size)
			continue;
		uint32_t to = member_at(a, s, l->base + value);
		if (to < s->n && (!led[to] || value >= SURE))
			add_link(a, s, l, at, to);
	}
}

/* Over how many of them links lead is said in front of them. */
static void add_height(struct about *a, struct family *s)
{
	struct repair *r = found_repair(&(struct found){
		.n = a->found.n,
		.fields = mem_dup(a->found.fields, a->found.n.fields * sizeof *a->found.fields),
		.listed = a->found.listed });
	struct links *links = links_of(r, s->list, NULL);
	uint32_t height = links_height(links), width;
	uint64_t value;
	links_free(links);
	repair_unref(r);
	for (uint32_t at = s->where.begin; at + 2 <= s->range.begin && height < s->n; at += 2)
		for (uint32_t k = 0; k < N_BINARY; k++)
			if (height && read_number(a, at, k, &width, &value) && value == height)
				found_field(&a->found,
				            number_field(a, s, FIELD_HEIGHT, at, k, width));
}

/* Numbers that lead from one member to others, from where the file begins or the first of them. */
static bool take_links(struct about *a, struct family *s)
{
	struct linking l, last = { 0 };
	MEM_SCOPED bool *led = mem_zero(s->n, sizeof *led);
	for (uint32_t i = 0; i < 8 * COLUMNS && s->n <= LINKED_MOST; i++) {
		l = (struct linking){ .column = i / 8,
			              .base = i % 2 ? s->range.begin : 0,
			              .k = i / 2 % 2,
			              .none = i / 4 % 2 ? 0 : UINT32_MAX };
		if (!read_links(a, s, &l))
			continue;
		add_links(a, s, &l, led);
		last = l;
	}
	if (last.n) {
		add_roots(a, s, &last, led);
		add_height(a, s);
	}
	return last.n;
}

/* ---- families ---- */

static void add_to(struct element *e, uint32_t begin, uint32_t end)
{
	bool none = e->begin == e->end;
	if (begin == end)
		return;
	e->begin = none || begin < e->begin ? begin : e->begin;
	e->end = none || end > e->end ? end : e->end;
}

/* Where what is said about S may stand: near it, and in OF, unless most that are like it are of
 * it. */
static void look_around(struct about *a, struct family *s)
{
	const struct record *r = a->r->list, *first = member(a, s, 0), *before = first;
	s->range = (struct element){ first->begin, member(a, s, s->n - 1)->end };
	while (before > r && before[-1].depth >= first->depth &&
	       before[-1].begin + NEAR >= first->begin)
		before--;
	bool within = s->of != FOUND_NONE && 3 * s->n < 2 * s->alike;
	s->where.begin = within ? r[s->of].begin : 0;
	s->where.end = within ? r[s->of].end : a->size;
	struct element around = s->range;
	s->names = s->all ? a->names : s->names;
	for (uint32_t i = 0; i < s->n; i++)
		if (member(a, s, i)->twin < member(a, s, i)->twin_end)
			add_to(&s->rows, member(a, s, i)->twin, member(a, s, i)->twin_end);
	add_to(&around, s->rows.begin, s->rows.end);
	add_to(&around, s->names.begin, s->names.end);
	uint32_t near = s->rows.begin < s->rows.end ? HEAD : NEAR;
	if (around.begin > s->where.begin && around.begin - s->where.begin > near)
		s->where.begin = around.begin - near;
	if (s->where.end > around.end && s->where.end - around.end > near)
		s->where.end = around.end + near;
	s->before = before->begin;
}

/* Likewise where the first SKIP are none, but what stands in front of them and seems to be some. */
static bool take_links_behind(struct about *a, struct family *s, uint32_t skip)
{
	struct family rest = *s;
	struct element head = { s->range.begin, member(a, s, skip)->begin };
	rest.records += skip;
	rest.n -= skip;
	look_around(a, &rest);
	MEM_SCOPED bool *said = mem_dup(a->said + head.begin, head.end - head.begin);
	memset(a->said + head.begin, 0, head.end - head.begin);
	if (!take_links(a, &rest)) {
		memcpy(a->said + head.begin, said, head.end - head.begin);
		return false;
	}
	*s = rest;
	a->rows = head;
	return true;
}

/* All that is said about the records of S. */
static void take_family(struct about *a, struct family *s)
{
	if ((s->n < FEW && !s->all) || a->left < a->size)
		return;
	look_around(a, s);
	if ((a->sure && 2 * (s->range.end - s->range.begin) < a->size) ||
	    (s->range.begin >= a->rows.begin && s->range.end <= a->rows.end))
		return;
	a->left -= a->size;
	bool linked = a->sure || take_links(a, s);
	for (uint32_t k = 1; s->all && k <= HEADS && s->n > FEW + k && !linked; k++)
		linked = take_links_behind(a, s, k);
	take_numbers(a, s);
	if (s->all && !a->sure)
		take_sum_of_all(a, s);
	if (s->n < ROWS_LEAST || (s->n < FEW && s->rows.begin == s->rows.end))
		return;
	for (uint32_t column = 0; column < COLUMNS && !a->sure; column++) {
		take_kinds(a, s, column);
		for (uint32_t k = 0; k < N_ORDINAL; k++)
			take_ordinals(a, s, column, k);
	}
	take_digests(a, s);
	if (!a->summed)
		take_sums(a, s);
	if (s->rows.begin == s->rows.end)
		find_index(a, s);
}

/* All of the N records at the beginning of the room (BYTE: 256), or those that begin with BYTE. */
static void take_alike(struct about *a, uint32_t of, uint32_t n, uint32_t byte, bool inner)
{
	uint32_t *own = a->room + n;
	work_step(n);
	struct family s = { .records = own,
		            .of = of,
		            .all = of == FOUND_NONE && byte == 256 && !inner };
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
		if (of != FOUND_NONE && r[i].begin >= r[of].end)
			break;
		if (inner ? up == FOUND_NONE || outer[up] != of : up != of)
			continue;
		a->room[n++] = i;
		bytes[first_byte(a, i)]++;
	}
	work_step(n);
	for (uint32_t byte = 0; byte < 256 && n >= FEW; byte++)
		if (bytes[byte] >= FEW && bytes[byte] < n)
			take_alike(a, of, n, byte, inner);
	if (n >= FEW || (n && of == FOUND_NONE && !inner))
		take_alike(a, of, n, 256, inner);
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

/* What members and repairs that are known say of themselves. */
static void read_known(struct about *a, const uint32_t *outer)
{
	const struct records *r = a->r;
	read_contents(a, outer);
	a->said = mem_zero(a->size, sizeof *a->said);
	a->room = mem_alloc(2 * (r->n + (size_t)1) * sizeof *a->room);
	a->alike = mem_zero(DEPTHS, sizeof *a->alike);
	for (uint32_t i = 0; i < r->repair->n; i++) {
		const struct field *f = &r->repair->fields[i];
		memset(a->said + f->at, true, f->width);
		a->summed |= f->kind == FIELD_SUM;
		a->counted |= f->kind == FIELD_COUNT;
		if (f->kind == FIELD_LENGTH && f->from < f->to && f->to == r->list->begin)
			a->base = f->from;
	}
	for (uint32_t i = 0; i < r->repair->n_lists && !a->sure; i++) {
		const struct element_list *l = &r->repair->lists[i];
		for (uint32_t k = 0; (l->with || l->named) && k < l->n; k++)
			add_to(&a->names, r->repair->elements[l->first + k].begin,
			       r->repair->elements[l->first + k].end);
	}
	for (uint32_t i = 0; i < r->n; i++)
		a->alike[r->list[i].depth % DEPTHS][first_byte(a, i)]++;
}

void about_add(struct records *r, const uint8_t *bytes, uint32_t size, bool sure)
{
	struct about a = { .bytes = bytes,
		           .size = size,
		           .r = r,
		           .left = WORK,
		           .to_sum = 3 * WORK,
		           .unit = 1,
		           .sure = sure };
	MEM_SCOPED uint32_t *outer = found_outer(r);
	read_known(&a, outer);
	for (uint32_t i = 0; i < r->n; i++) /* what is empty is in none that begins there */
		while (outer[i] != FOUND_NONE && r->list[outer[i]].depth >= r->list[i].depth)
			outer[i] = outer[outer[i]];
	for (uint32_t i = r->n + 1; i-- > 0;)
		for (uint32_t k = 0; k < 2; k++)
			take_families(&a, outer, i ? i - 1 : FOUND_NONE, !k);
	found_drop(r, a.rows); /* what was found in rows is none */
	if (!sure)
		take_padding(&a);
	found_join(&a.found, r);
	found_release(&a.found);
	free(a.content);
	free(a.said);
	free(a.room);
	free(a.alike);
}
