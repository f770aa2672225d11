#include "binary/finders.h"

#include "base/mem.h"
#include "binary/found.h"

enum {
	HEADERS = 24,     /* lines at the top in which numbers are looked for */
	SKIPS = 2,        /* lines from a number to what it counts, at most */
	EACH = 4,         /* lines of a member, at most */
	HEADER_MAX = 128, /* bytes of such a line at most */
	NUMBERS = 6,      /* in a line; one with more is data */
	FEW = 6,          /* so few lines are counted right by chance */
	BODY_MIN = 16,    /* likewise bytes */
};

struct line {
	uint32_t begin, end; /* line end included */
};

struct lines {
	uint32_t n, cap;
	struct line *list; /* those that are not blank */
};

/* A number in a header. */
struct number {
	uint32_t at, width;
	uint64_t value;
	enum code code;
};

/* Lines that are counted: from FIRST on, N in each of the lists, each member EACH of them; in one
 * list, members may instead have a line each in both halves. */
struct counted {
	uint32_t first, end; /* behind the last */
	uint32_t each;
	bool halves;
	uint32_t n_lists, n[NUMBERS];
	struct number by[NUMBERS];
};

static bool is_word(uint8_t c)
{
	return is_digit(c) || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_' ||
	       c == '.' || c == '-' || c == '+' || c >= 0x80;
}

static bool is_blank(const uint8_t *bytes, struct line l)
{
	for (uint32_t at = l.begin; at < l.end; at++)
		if (bytes[at] != ' ' && bytes[at] != '\t' && bytes[at] != '\r' && bytes[at] != '\n')
			return false;
	return true;
}

static struct line line_at(const uint8_t *bytes, uint32_t size, uint32_t at)
{
	const uint8_t *nl = memchr(bytes + at, '\n', size - at);
	return (struct line){ at, nl ? (uint32_t)(nl - bytes) + 1 : size };
}

static void read_lines(const uint8_t *bytes, uint32_t size, struct lines *out)
{
	for (uint32_t at = 0; at < size;) {
		struct line l = line_at(bytes, size, at);
		at = l.end;
		if (is_blank(bytes, l))
			continue;
		MEM_PUSH(out->list, out->n, out->cap, l);
	}
}

/* The numbers of a line that are words of their own, in HEX or not; 0 when it is no header. */
static uint32_t read_numbers(const uint8_t *bytes, struct line l, bool hex,
                             struct number out[NUMBERS])
{
	uint32_t n = 0;
	if (l.end - l.begin > HEADER_MAX)
		return 0;
	for (uint32_t at = l.begin, end; at < l.end; at = end) {
		enum code code = hex ? CODE_HEX : bytes[at] == '0' ? CODE_ZEROS : CODE_DECIMAL;
		bool digits = true, any = false;
		for (end = at; end < l.end && is_word(bytes[end]); end++) {
			digits &= code_digit(code, bytes[end]) >= 0;
			any |= is_digit(bytes[end]);
		}
		if (end == at) {
			end++;
			continue;
		}
		if (!digits || !any || end - at > 9 || (bytes[at] == '0' && (hex || end == at + 1)))
			continue;
		if (n == NUMBERS)
			return 0;
		out[n] = (struct number){ .at = at, .width = end - at, .code = code };
		n += code_read(code, bytes + at, bytes + l.end, &out[n].width, &out[n].value) &&
		     out[n].width == end - at;
	}
	return n;
}

/* The first of the sets of numbers, in the order of how few they are, whose sum is LEFT: a bit set;
 * 0: none is. */
static uint32_t find_parts(const struct number *numbers, uint32_t n, uint64_t left, uint32_t most)
{
	for (uint32_t size = 1; size <= most; size++)
		for (uint32_t set = 1; set < 1u << n; set++) {
			uint64_t sum = 0;
			for (uint32_t i = 0; i < n; i++)
				sum += set >> i & 1 ? numbers[i].value : 0;
			if ((uint32_t)__builtin_popcount(set) == size && sum == left)
				return set;
		}
	return 0;
}

static struct field said_by(enum field_kind kind, const struct number *number, uint32_t from,
                            uint32_t to)
{
	struct field f = field_of(kind, number->code, number->at, number->width, from, to);
	f.depth = 1;
	return f;
}

static bool begin_alike(const uint8_t *bytes, struct line a, struct line b)
{
	uint32_t n = 0;
	while (is_word(bytes[a.begin + n]) && bytes[a.begin + n] == bytes[b.begin + n])
		n++;
	return !is_word(bytes[a.begin + n]) && !is_word(bytes[b.begin + n]);
}

/* What C counts as records, elements of its lists, with the numbers that count them and MORE (NULL:
 * nothing) as fields. */
static struct records *take_counted(const struct lines *lines, const struct counted *c,
                                    const struct field *more)
{
	const struct line *l = lines->list + c->first;
	uint32_t n = (c->end - c->first) / (c->halves ? 2 : c->each),
		 each = c->halves ? 1 : c->each;
	struct found f = { .n.lists = c->n_lists };
	for (uint32_t i = 0, list = 0, left = c->n[0]; i < n; i++, l += each) {
		struct record x = record_plain(l->begin, l[each - 1].end);
		x.twin = c->halves ? l[n].begin : 0;
		x.twin_end = c->halves ? l[n].end : 0;
		for (; !left && list + 1 < c->n_lists; list++)
			left = c->n[list + 1];
		left--;
		found_element(&f, list, x);
	}
	l = lines->list + c->first;
	for (uint32_t i = 0; i < c->n_lists; l += each * c->n[i++]) {
		struct field count =
			said_by(FIELD_COUNT, &c->by[i], l->begin, l[each * c->n[i] - 1].end);
		count.list = i;
		found_field(&f, count);
	}
	if (more)
		found_field(&f, *more);
	return found_records(&f, code_in_digits(c->by->code));
}

/* Numbers just in front of records R that say how many bytes they have. */
static void add_lengths(const uint8_t *bytes, const struct lines *lines, struct records *r)
{
	struct field *fields = mem_zero((SKIPS + 1) * NUMBERS, sizeof *fields);
	uint32_t begin = r->list[0].begin, end = r->list[r->n - 1].end, first = 0, n = 0;
	struct number numbers[NUMBERS];
	while (lines->list[first].begin < begin)
		first++;
	for (uint32_t h = first > SKIPS ? first - SKIPS - 1 : 0; h < first; h++)
		for (uint32_t i = read_numbers(bytes, lines->list[h], false, numbers); i-- > 0;)
			if (numbers[i].value == end - begin)
				fields[n++] = said_by(FIELD_LENGTH, &numbers[i], begin, end);
	struct repair *with = repair_with(r->repair, fields, n);
	repair_unref(r->repair);
	r->repair = with;
}

/* A header in line H, whose numbers count the lines that begin SKIP lines below it. */
static struct records *find_counted(const uint8_t *bytes, const struct lines *lines, uint32_t h,
                                    uint32_t skip, bool hex)
{
	struct number numbers[NUMBERS];
	struct counted c = { .first = h + 1 + skip, .end = lines->n, .each = 1 };
	uint32_t left = lines->n > c.first ? lines->n - c.first : 0, most = NUMBERS, set = 0;
	uint32_t n = left < FEW ? 0 : read_numbers(bytes, lines->list[h], hex, numbers);
	most = h < 3 && !skip && !hex ? most : 1;
	for (uint32_t each = 1; n && !set && each <= (hex || skip ? 1 : EACH); each++)
		if (left % each == 0 && left / each >= FEW) {
			set = find_parts(numbers, n, left / each, each > 1 ? 1 : most);
			c.each = each;
		}
	for (uint32_t i = 0; set >> i; i++)
		if (set >> i & 1) {
			c.by[c.n_lists] = numbers[i];
			c.n[c.n_lists++] = (uint32_t)numbers[i].value;
		}
	const struct line *list = lines->list;
	c.halves = set && c.each == 2 &&
	           (begin_alike(bytes, list[c.first], list[c.first + 1]) ||
	            begin_alike(bytes, list[c.end - 2], list[c.end - 1]));
	return set ? take_counted(lines, &c, NULL) : NULL;
}

/* Does a line of [first, H) begin as line H does? Both may be numbers. */
static bool is_one_of(const uint8_t *bytes, const struct lines *lines, uint32_t first, uint32_t h)
{
	struct line end = lines->list[h];
	for (uint32_t i = first; i < h; i++)
		if (begin_alike(bytes, lines->list[i], end) ||
		    (is_digit(bytes[end.begin]) && is_digit(bytes[lines->list[i].begin])))
			return true;
	return false;
}

/* The last line has one number, which counts the lines in front of it. */
static struct records *find_behind(const uint8_t *bytes, const struct lines *lines)
{
	struct number numbers[NUMBERS];
	struct counted c = { .end = lines->n ? lines->n - 1 : 0, .each = 1, .n_lists = 1 };
	if (c.end < FEW || read_numbers(bytes, lines->list[c.end], false, numbers) != 1 ||
	    numbers->value < FEW || numbers->value > c.end || c.end - numbers->value > SKIPS)
		return NULL;
	c.by[0] = *numbers;
	c.n[0] = (uint32_t)numbers->value;
	c.first = c.end - c.n[0];
	return is_one_of(bytes, lines, c.first, c.end) ? NULL : take_counted(lines, &c, NULL);
}

/* Where the first blank line ends; 0: there is none. */
static uint32_t behind_head(const uint8_t *bytes, uint32_t size)
{
	for (uint32_t at = 0, i = 0; at < size && i < 2 * HEADERS; i++) {
		struct line l = line_at(bytes, size, at);
		if (is_blank(bytes, l))
			return at ? l.end : 0;
		at = l.end;
	}
	return 0;
}

/* A number in the head that says how many bytes there are behind it. */
static struct records *find_length(const uint8_t *bytes, uint32_t size, const struct lines *lines)
{
	struct number numbers[NUMBERS];
	uint32_t body = behind_head(bytes, size), first = 0;
	while (first < lines->n && lines->list[first].begin < body)
		first++;
	for (uint32_t h = 0; h < first && size - body >= BODY_MIN; h++) {
		uint32_t n = read_numbers(bytes, lines->list[h], false, numbers);
		for (uint32_t i = 0; i < n; i++) {
			if (numbers[i].value != size - body)
				continue;
			struct field length = said_by(FIELD_LENGTH, &numbers[i], body, size);
			struct counted c = {
				.first = first, .end = lines->n, .each = 1, .by[0] = numbers[i]
			};
			return take_counted(lines, &c, &length);
		}
	}
	return NULL;
}

struct records *counts_find(const uint8_t *bytes, uint32_t size)
{
	struct lines lines = { 0 };
	read_lines(bytes, size, &lines);
	struct records *r = find_length(bytes, size, &lines);
	r = r ? r : find_behind(bytes, &lines);
	r = r ? r : sections_find(bytes, size);
	for (uint32_t way = 0; way <= SKIPS + 1; way++) /* the last one is hex */
		for (uint32_t h = 0; h < HEADERS && h < lines.n && !r; h++)
			r = find_counted(bytes, &lines, h, way > SKIPS ? 0 : way, way > SKIPS);
	r = r ? r : places_find(bytes, size);
	if (r && r->n)
		add_lengths(bytes, &lines, r);
	free(lines.list);
	return r;
}
