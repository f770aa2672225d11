#include "binary/finders.h"

#include "base/hash.h"
#include "base/mem.h"
#include "base/work.h"
#include "binary/chains.h"
#include "binary/found.h"

enum {
	KEY_MAX = 32,           /* bytes of the word in front of a length */
	LINE_BYTES = 256,       /* bytes looked at for a line end */
	SKIPS = 4,              /* line ends between a length and what it counts, at most */
	CHOICE = 4 * CHAIN_BIT, /* what it costs to choose among the ways to count, with a margin */
	FAR = 48,               /* a length that only one number says is at least so large */
	SHORT = 8,              /* so short are many lines */
	PARTS = 16,             /* of what is counted */
	WIDE = 8,               /* digits of an offset, at least */
	DIGITS = 10,
	NUMBERS_MAX = 1 << 16,
};

/* A number; KEY is a hash of the word in front of it, or of its width, where it has zeros in front.
 */
struct said {
	uint64_t key, value;
	uint32_t at, width;
	bool is_offset;
	uint8_t fits; /* bit k: behind k + 1 line ends VALUE bytes end at the end of a line; or a
	                 line begins there */
};

struct finding {
	const uint8_t *bytes;
	uint32_t size, n, cap;
	struct said *list;
	uint32_t groups;    /* of numbers behind one word */
	uint32_t line_bits; /* of evidence that a line ends at a place */
	bool found_offsets;
	uint32_t n_alone, cap_alone;
	struct said *alone; /* lines that are a number */
	struct found found;
};

static bool is_letter(uint8_t c)
{
	return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
}

/* Behind the next line end, or zero, which ends a head, too; 0: it is far. */
static uint32_t next_line(const struct finding *f, uint32_t at)
{
	uint32_t end = f->size - at < LINE_BYTES ? f->size : at + LINE_BYTES;
	while (at < end && f->bytes[at] && f->bytes[at] != '\n')
		at++;
	return at < end ? at + 1 : 0;
}

/* A hash of the word in front of AT with what is between; 0: there is none on this line. */
static uint64_t key_before(const struct finding *f, uint32_t at)
{
	uint32_t begin = at, least = at < KEY_MAX ? 0 : at - KEY_MAX;
	while (begin > least && !is_letter(f->bytes[begin - 1]) && f->bytes[begin - 1] != '\n' &&
	       !is_digit(f->bytes[begin - 1]))
		begin--;
	uint32_t end = begin;
	while (begin > least && is_letter(f->bytes[begin - 1]))
		begin--;
	return end > begin + 2 && end < at ? hash_bytes(f->bytes + begin, at - begin, 0).lo | 1 : 0;
}

static bool ends_line(const struct finding *f, uint64_t at)
{
	const uint8_t *p = f->bytes + at;
	return at == f->size || (at < f->size && (p[-1] == '\n' || *p == '\n' || *p == '\r'));
}

static void judge_length(const struct finding *f, struct said *s)
{
	uint32_t from = s->at + s->width;
	for (uint32_t k = 0; k < SKIPS && (from = next_line(f, from)); k++)
		if (ends_line(f, from + s->value))
			s->fits |= (uint8_t)(1u << k);
}

/* Is a number all of a line? */
static bool is_alone(const struct finding *f, uint32_t at, uint32_t end)
{
	return at && f->bytes[at - 1] == '\n' && end < f->size &&
	       (f->bytes[end] == '\n' || f->bytes[end] == '\r');
}

static void judge(struct finding *f, uint32_t at, uint32_t width)
{
	struct said s = { .at = at, .width = width };
	const uint8_t *p = f->bytes + at;
	for (uint32_t i = 0; i < width; i++)
		s.value = s.value * 10 + (p[i] - '0');
	s.is_offset = *p == '0' && width >= WIDE;
	if (s.value && *p != '0' && is_alone(f, at, at + width))
		MEM_PUSH(f->alone, f->n_alone, f->cap_alone, s);
	if (!s.value || (*p == '0' && !s.is_offset) || f->n == NUMBERS_MAX)
		return;
	s.key = s.is_offset ? width : key_before(f, at);
	if (!s.key)
		return;
	if (!s.is_offset)
		judge_length(f, &s);
	else
		s.fits = s.value < f->size && f->bytes[s.value - 1] == '\n';
	MEM_PUSH(f->list, f->n, f->cap, s);
}

static void read_numbers(struct finding *f)
{
	for (uint32_t at = 0, end; at < f->size; at = end) {
		for (end = at; end < f->size && is_digit(f->bytes[end]); end++)
			;
		if (end > at && end - at <= DIGITS)
			judge(f, at, end - at);
		end += end == at;
		work_step(end - at);
	}
}

static int by_key(const void *a, const void *b)
{
	const struct said *x = a, *y = b;
	int order = MEM_ORDER_TWO(x, y, is_offset, key);
	return order ? order : MEM_ORDER(x, y, at);
}

static void add_field(struct finding *f, const struct said *s, uint32_t from, uint32_t to)
{
	enum code code = s->is_offset ? CODE_ZEROS : CODE_DECIMAL;
	struct field field = field_of(FIELD_LENGTH, code, s->at, s->width, from, to);
	field.depth = 1;
	found_field(&f->found, field);
}

static void add_record(struct finding *f, uint32_t begin, uint32_t end, uint16_t depth)
{
	struct record x = record_plain(begin, end);
	x.body = begin;
	x.depth = depth;
	found_record(&f->found, x);
}

/* Parts of what one length counts, since all of it rarely may go. */
static void add_parts(struct finding *f, uint32_t begin, uint32_t end)
{
	for (uint32_t at = begin, to; at < end; at = to) {
		to = at + (end - begin) / PARTS + 1;
		uint32_t line = to < end ? next_line(f, to) : 0;
		to = line && line < end ? line : to < end ? to : end;
		add_record(f, at, to, 2);
	}
}

/* Does what speaks for N lengths, that lines end where they end, outweigh how many words there are?
 */
static bool is_likely(const struct finding *f, const struct said *list, uint32_t n, uint32_t skips)
{
	uint64_t bits = 0;
	for (uint32_t i = 0; i < n; i++) {
		uint32_t from = list[i].at + list[i].width, k = 0;
		while (k < i && list[k].value != list[i].value)
			k++;
		if (k < i || list[i].value < SHORT) /* as before, or as many lines are */
			continue;
		for (uint32_t skip = 0; skip < skips; skip++)
			from = next_line(f, from);
		bits += from + list[i].value == f->size ? chain_log(f->size) : f->line_bits;
	}
	return bits > CHOICE + chain_log(f->groups);
}

/* N numbers behind one word; all that are one length count from the same line on. */
static void take_lengths(struct finding *f, const struct said *list, uint32_t n)
{
	uint32_t k = 0, behind = 0, all = (1u << SKIPS) - 1;
	for (uint32_t i = 0; i < n; i++)
		all &= list[i].fits;
	if (!all || (n == 1 && list->value < FAR))
		return;
	while (!(all >> k & 1))
		k++;
	if (!is_likely(f, list, n, k + 1))
		return;
	for (uint32_t i = 0; i < n; i++) {
		uint32_t from = list[i].at + list[i].width;
		if (list[i].at < behind) /* in what another one counts */
			continue;
		for (uint32_t skip = 0; skip <= k; skip++)
			from = next_line(f, from);
		behind = from + (uint32_t)list[i].value;
		add_field(f, &list[i], from, behind);
		add_record(f, from, behind, 1);
		if (n == 1)
			add_parts(f, from, behind);
	}
}

/* N offsets of one width; what is between two of them is a record. */
static void take_offsets(struct finding *f, const struct said *list, uint32_t n)
{
	uint32_t *begins = mem_alloc((n + (size_t)1) * sizeof *begins), kept = 0;
	for (uint32_t i = 0; i < n && list[i].fits; i++)
		begins[kept++] = (uint32_t)list[i].value;
	if (kept == n && n > 1) {
		f->found_offsets = true;
		qsort(begins, n, sizeof *begins, mem_order_u32);
		for (uint32_t i = 0; i < n; i++)
			add_field(f, &list[i], 0, (uint32_t)list[i].value);
		for (uint32_t i = 0; i + 1 < n; i++)
			if (begins[i] < begins[i + 1])
				add_record(f, begins[i], begins[i + 1], 0);
	}
	free(begins);
}

/* Beside offsets, a line that is where a line begins is one, too. */
static void take_alone(struct finding *f)
{
	for (uint32_t i = 0; i < f->n_alone && f->found_offsets; i++) {
		uint64_t to = f->alone[i].value;
		if (to >= FAR && to < f->size && f->bytes[to - 1] == '\n')
			add_field(f, &f->alone[i], 0, (uint32_t)to);
	}
}

/* How many words with numbers and how many lines there are. */
static void measure(struct finding *f)
{
	uint32_t lines = 1;
	for (uint32_t at = 0; at < f->size; at++)
		lines += f->bytes[at] == '\n';
	f->line_bits = chain_log(f->size) - chain_log(lines);
	for (uint32_t i = 0; i < f->n; i++)
		f->groups += !i || f->list[i].key != f->list[i - 1].key;
}

struct records *lengths_find(const uint8_t *bytes, uint32_t size)
{
	struct finding f = { .bytes = bytes, .size = size };
	read_numbers(&f);
	MEM_SORT(f.list, f.n, by_key);
	measure(&f);
	for (uint32_t i = 0, end; i < f.n; i = end) {
		for (end = i + 1; end < f.n && f.list[end].is_offset == f.list[i].is_offset &&
		                  f.list[end].key == f.list[i].key;)
			end++;
		if (f.list[i].is_offset)
			take_offsets(&f, f.list + i, end - i);
		else
			take_lengths(&f, f.list + i, end - i);
	}
	take_alone(&f);
	free(f.list);
	free(f.alone);
	return found_records(&f.found, true);
}
