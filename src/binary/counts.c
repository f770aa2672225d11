#include "binary/counts.h"

#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "binary/sections.h"

enum {
	HEADERS = 24,     /* lines at the top in which numbers are looked for */
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
};

static bool is_digit(uint8_t c)
{
	return c >= '0' && c <= '9';
}

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
		MEM_GROW(out->list, out->n, out->cap);
		out->list[out->n++] = l;
	}
}

/* The numbers of a line that are words of their own; 0 when it is no header. */
static uint32_t read_numbers(const uint8_t *bytes, struct line l, struct number out[NUMBERS])
{
	uint32_t n = 0;
	if (l.end - l.begin > HEADER_MAX)
		return 0;
	for (uint32_t at = l.begin, end; at < l.end; at = end) {
		bool digits = true;
		for (end = at; end < l.end && is_word(bytes[end]); end++)
			digits &= is_digit(bytes[end]);
		if (end == at) {
			end++;
			continue;
		}
		if (!digits || bytes[at] == '0' || end - at > 9)
			continue;
		if (n == NUMBERS)
			return 0;
		out[n].at = at;
		out[n].width = 0;
		code_read(CODE_DECIMAL, bytes + at, bytes + l.end, &out[n].width, &out[n].value);
		n++;
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

static struct field length_of(const struct number *number, uint32_t from, uint32_t to)
{
	return (struct field){ .kind = FIELD_LENGTH,
		               .code = CODE_DECIMAL,
		               .at = number->at,
		               .width = number->width,
		               .from = from,
		               .to = to,
		               .depth = 1 };
}

/* LINES from FIRST on as records, elements of N_LISTS lists as long as LENGTHS say. */
static struct records *make_records(const struct lines *lines, uint32_t first,
                                    const uint32_t *lengths, uint32_t n_lists, struct field *fields,
                                    uint32_t n_fields)
{
	uint32_t n = lines->n - first;
	struct records *r = mem_zero(1, sizeof *r);
	struct element *elements = mem_alloc((n + (size_t)1) * sizeof *elements);
	struct element_list *lists = mem_alloc((n_lists + (size_t)1) * sizeof *lists);
	r->refs = 1;
	r->is_text = true;
	r->list = mem_alloc((n + (size_t)1) * sizeof *r->list);
	for (uint32_t i = 0; i < n; i++) {
		struct line l = lines->list[first + i];
		elements[i] = (struct element){ l.begin, l.end };
		r->list[r->n++] = (struct record){
			.begin = l.begin, .end = l.end, .body = l.end, .body_end = l.end
		};
	}
	for (uint32_t i = 0, at = 0; i < n_lists; at += lengths[i++])
		lists[i] = (struct element_list){ .first = at, .n = lengths[i] };
	r->repair = repair_new(fields, n_fields, elements, n, lists, n_lists);
	return r;
}

/* A header in line H, whose numbers count the lines below it. */
static struct records *find_counted(const uint8_t *bytes, const struct lines *lines, uint32_t h)
{
	struct number numbers[NUMBERS];
	uint32_t lengths[NUMBERS], n_lists = 0, left = lines->n - h - 1, first = h + 1;
	uint32_t n = read_numbers(bytes, lines->list[h], numbers);
	uint32_t set = left < FEW ? 0 : find_parts(numbers, n, left, h < 3 ? NUMBERS : 1);
	struct field *fields = set ? mem_zero(NUMBERS, sizeof *fields) : NULL;
	for (uint32_t i = 0; set >> i; i++) {
		if (!(set >> i & 1))
			continue;
		uint32_t last = first + (uint32_t)numbers[i].value - 1;
		fields[n_lists] =
			length_of(&numbers[i], lines->list[first].begin, lines->list[last].end);
		fields[n_lists].kind = FIELD_COUNT;
		fields[n_lists].list = n_lists;
		lengths[n_lists++] = (uint32_t)numbers[i].value;
		first = last + 1;
	}
	return set ? make_records(lines, h + 1, lengths, n_lists, fields, n_lists) : NULL;
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
		uint32_t n = read_numbers(bytes, lines->list[h], numbers);
		for (uint32_t i = 0; i < n; i++) {
			if (numbers[i].value != size - body)
				continue;
			struct field *field = mem_alloc(sizeof *field);
			*field = length_of(&numbers[i], body, size);
			return make_records(lines, first, NULL, 0, field, 1);
		}
	}
	return NULL;
}

struct records *counts_find(const uint8_t *bytes, uint32_t size)
{
	struct lines lines = { 0 };
	read_lines(bytes, size, &lines);
	struct records *r = find_length(bytes, size, &lines);
	r = r ? r : sections_find(bytes, size);
	for (uint32_t h = 0; h < HEADERS && h < lines.n && !r; h++)
		r = find_counted(bytes, &lines, h);
	free(lines.list);
	return r;
}
