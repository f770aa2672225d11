#include "binary/linked.h"

#include <stdlib.h>
#include <string.h>

#include "base/buf.h"
#include "base/mem.h"
#include "base/work.h"
#include "binary/codes.h"
#include "binary/linked_def.h"

enum { LINE = 16, WORD = 4 /* bytes */, TABLES_MOST = 9 };

struct segment {
	uint32_t type, access;
	uint64_t offset, address, size, room, align;
};

struct entry {
	uint64_t tag, value;
};

/* Bytes of the file that are said otherwise, or addresses where something begins. */
struct span {
	uint64_t begin, end;
};

struct reader {
	const uint8_t *bytes;
	uint32_t size;
	struct form form;
	uint32_t n_segments, n_entries, n_marks, n_taken, n_symbols;
	size_t cap_entries, cap_marks;
	struct segment *segments;
	struct entry *entries;
	struct span *marks, taken[TABLES_MOST];
	uint64_t symbols, strings, strings_size; /* where in the file */
	bool own;                                /* do relocations have addends? */
	bool damaged;
	struct buf out;
};

bool linked_is(const uint8_t *bytes, uint32_t size)
{
	if (size < 52 || memcmp(bytes, "\177ELF", 4) != 0 || bytes[4] < 1 || bytes[4] > 2 ||
	    bytes[5] < 1 || bytes[5] > 2)
		return false;
	uint8_t type = bytes[ELF_IDENT + (bytes[5] == 2)];
	return (type == TYPE_PROGRAM || type == TYPE_LIBRARY) && size <= ELF_MOST;
}

static uint64_t number(struct reader *r, uint64_t at, uint32_t width)
{
	uint64_t value = 0;
	enum code code = r->form.big ? CODE_BIG : CODE_LITTLE;
	if (at > r->size || !code_read(code, r->bytes + at, r->bytes + r->size, &width, &value))
		r->damaged = true;
	return value;
}

static uint64_t word(struct reader *r, uint64_t at)
{
	return number(r, at, form_word(r->form));
}

/* Where the address is in the file, with SIZE bytes behind it; UINT64_MAX: nowhere. */
static uint64_t place_in(const struct reader *r, uint64_t address, uint64_t size)
{
	for (uint32_t i = 0; i < r->n_segments; i++) {
		const struct segment *s = &r->segments[i];
		if (s->type == SEGMENT_LOAD && address - s->address <= s->size &&
		    size <= s->size - (address - s->address))
			return s->offset + (address - s->address);
	}
	return UINT64_MAX;
}

/* The same of what must be there. */
static uint64_t place_of(struct reader *r, uint64_t address, uint64_t size)
{
	uint64_t place = place_in(r, address, size);
	r->damaged |= place == UINT64_MAX;
	return r->damaged ? 0 : place;
}

/* What relocations that have no addend add, 0 where there is nothing yet. */
static uint64_t addend_at(struct reader *r, uint64_t address)
{
	uint64_t place = place_in(r, address, form_word(r->form));
	return place == UINT64_MAX ? 0 : word(r, place);
}

static void take(struct reader *r, uint64_t at, uint64_t size)
{
	r->taken[r->n_taken++] = (struct span){ at, at + size };
}

static void mark(struct reader *r, uint64_t address)
{
	MEM_PUSH(r->marks, r->n_marks, r->cap_marks, (struct span){ address, address });
}

static bool find(const struct reader *r, uint64_t tag, uint64_t *value)
{
	for (uint32_t i = 0; i < r->n_entries; i++)
		if (r->entries[i].tag == tag) {
			*value = r->entries[i].value;
			return true;
		}
	return false;
}

static void read_segments(struct reader *r)
{
	uint32_t w = form_word(r->form), each = form_segment(r->form);
	uint64_t at = word(r, 24 + w), n = number(r, 24 + 3 * w + 8, 2);
	r->damaged |= n > ELF_SEGMENTS_MOST;
	r->segments = mem_zero(n + 1, sizeof *r->segments);
	for (uint32_t i = 0; i < n && !r->damaged; i++, at += each) {
		struct segment *s = &r->segments[i];
		s->type = (uint32_t)number(r, at, 4);
		s->access = (uint32_t)number(r, at + (r->form.wide ? 4 : 24), 4);
		s->offset = word(r, at + w);
		s->address = word(r, at + 2 * w);
		s->size = word(r, at + 4 * w);
		s->room = word(r, at + 5 * w);
		s->align = word(r, at + (r->form.wide ? 48 : 28));
		if (s->type == SEGMENT_LOAD && s->size &&
		    (s->offset > r->size || s->size > r->size - s->offset || s->room < s->size))
			r->damaged = true;
		r->n_segments++;
	}
	take(r, 0, form_head(r->form));
	take(r, word(r, 24 + w), n * each);
}

static void read_entries(struct reader *r)
{
	uint32_t w = form_word(r->form), i = 0;
	while (i < r->n_segments && r->segments[i].type != SEGMENT_DYNAMIC)
		i++;
	r->own = true;
	if (i == r->n_segments)
		return;
	uint64_t at = r->segments[i].offset, end = at + r->segments[i].size;
	take(r, at, r->segments[i].size);
	for (; at < end && !r->damaged; at += 2 * w) {
		struct entry e = { word(r, at), word(r, at + w) };
		if (!e.tag)
			break;
		MEM_PUSH(r->entries, r->n_entries, r->cap_entries, e);
		r->damaged |= r->n_entries > ELF_ENTRIES_MOST;
	}
	r->own = !find(r, TAG_REL, &at) && (!find(r, TAG_LAZY_KIND, &at) || at != TAG_REL);
}

/* How many symbols there are, by GNU's table of their hashes at AT. */
static uint32_t count_hashed(struct reader *r, uint64_t at)
{
	uint64_t n = number(r, at, 4), first = number(r, at + 4, 4);
	uint64_t filters = number(r, at + 8, 4), last = 0, begin = at;
	at += 16 + filters * form_word(r->form);
	for (uint64_t i = 0; i < n && !r->damaged; i++, at += 4) {
		uint64_t symbol = number(r, at, 4);
		last = symbol > last ? symbol : last;
	}
	while (last && !r->damaged && !(number(r, at + 4 * (last - first), 4) & 1))
		last++;
	uint64_t symbols = last ? last + 1 : first;
	take(r, begin, at - begin + (last ? 4 * (symbols - first) : 0));
	return (uint32_t)symbols;
}

/* Where the tables of symbols are, and how many these are: a table of hashes says it, or else where
 * the next table begins. */
static void read_tables(struct reader *r)
{
	uint64_t at = 0, strings, symbols, hashed = 0;
	if (!find(r, TAG_SYMBOLS, &symbols) || !find(r, TAG_STRINGS, &strings) ||
	    !find(r, TAG_STRINGS_SIZE, &r->strings_size))
		return;
	r->strings = place_of(r, strings, r->strings_size);
	uint64_t end = r->strings + r->strings_size, padded = end;
	while (padded % ELF_ALIGN && padded < r->size && !r->bytes[padded])
		padded++;
	take(r, r->strings, (padded % ELF_ALIGN ? end : padded) - r->strings);
	r->symbols = place_of(r, symbols, 0);
	r->n_symbols = (uint32_t)((strings - symbols) / form_symbol(r->form));
	if (find(r, TAG_GNU_HASH, &at))
		r->n_symbols = count_hashed(r, place_of(r, at, 16));
	if (find(r, TAG_HASH, &at)) {
		hashed = place_of(r, at, 8);
		r->n_symbols = (uint32_t)number(r, hashed + 4, 4);
		take(r, hashed, 4 * (2 + number(r, hashed, 4) + r->n_symbols));
	}
	uint64_t size = (uint64_t)r->n_symbols * form_symbol(r->form);
	take(r, r->symbols, size);
	r->damaged |= size > r->size - r->symbols;
}

/* The text at AT of the strings; NULL: there is none that can stand in a line. */
static const char *text_at(struct reader *r, uint64_t at)
{
	if (r->damaged || at >= r->strings_size)
		return NULL;
	const char *text = (const char *)r->bytes + r->strings + at;
	uint64_t i = 0;
	while (at + i < r->strings_size && text[i] > ' ' && text[i] < 0x7f)
		i++;
	return i && at + i < r->strings_size && !text[i] ? text : NULL;
}

static void say_entry(struct reader *r, const struct entry *e)
{
	uint64_t size;
	unsigned long long tag = e->tag, value = e->value;
	char word = entry_word(tag);
	const char *text = word == 't' ? text_at(r, value) : NULL;
	if (tag == TAG_HASH || tag == TAG_GNU_HASH)
		buf_addf(&r->out, tag == TAG_HASH ? "hash\n" : "gnu-hash\n");
	if (text)
		buf_addf(&r->out, "text %llu %s\n", tag, text);
	if (word == 'a' || word == 'v')
		buf_addf(&r->out, "%s %llu 0x%llx\n", word == 'a' ? "address" : "value", tag,
		         value);
	if (word == 'a')
		mark(r, value);
	if (word == 'r' && find(r, entry_size_tag(tag), &size)) {
		buf_addf(&r->out, "range %llu 0x%llx 0x%llx\n", tag, value,
		         (unsigned long long)size);
		mark(r, value);
		mark(r, value + size);
	}
	r->damaged |= tag == TAG_RELR;
}

static void say_symbol(struct reader *r, uint32_t i)
{
	uint32_t w = form_word(r->form);
	uint64_t at = r->symbols + (uint64_t)i * form_symbol(r->form);
	const char *name = text_at(r, number(r, at, 4));
	uint64_t value = word(r, at + w), size = word(r, at + 2 * w), rest = at + (w == 8 ? 4 : 12);
	uint32_t info = (uint32_t)number(r, rest, 1), other = (uint32_t)number(r, rest + 1, 1);
	uint32_t section = (uint32_t)number(r, rest + 2, 2);
	if (section && section != SECTION_ABSOLUTE) {
		section = 1;
		mark(r, value);
		mark(r, value + size);
	}
	if (name)
		buf_addf(&r->out, "symbol %s 0x%x %u 0x%x 0x%llx 0x%llx\n", name, info, other,
		         section, (unsigned long long)value, (unsigned long long)size);
}

static void say_relocations(struct reader *r, uint64_t table, uint64_t size)
{
	uint32_t w = form_word(r->form), each = w * (r->own ? 3 : 2);
	uint64_t at = place_of(r, table, size), end = at + size / each * each;
	take(r, at, size);
	for (; at < end && !r->damaged; at += each) {
		uint64_t address = word(r, at), info = word(r, at + w);
		uint64_t symbol = info >> (w == 8 ? 32 : 8), name = 0;
		uint64_t addend = r->own ? word(r, at + 2 * w) : addend_at(r, address);
		uint32_t type = (uint32_t)(w == 8 ? info : info & 0xff);
		if (symbol && symbol < r->n_symbols)
			name = number(r, r->symbols + symbol * form_symbol(r->form), 4);
		const char *text = symbol ? text_at(r, name) : "";
		if (text)
			buf_addf(&r->out, "relocation 0x%llx %u 0x%llx %s\n",
			         (unsigned long long)address, type, (unsigned long long)addend,
			         text);
	}
}

static void say_tables(struct reader *r)
{
	uint64_t at, size, tag = r->own ? TAG_RELA : TAG_REL;
	for (uint32_t i = 0; i < r->n_entries; i++)
		say_entry(r, &r->entries[i]);
	for (uint32_t i = 0; i < r->n_segments; i++) {
		const struct segment *s = &r->segments[i];
		if (s->type == SEGMENT_LOAD || s->type == SEGMENT_DYNAMIC)
			continue;
		mark(r, s->address);
		mark(r, s->address + s->size);
		buf_addf(&r->out, "segment 0x%x %u 0x%llx 0x%llx 0x%llx 0x%llx\n", s->type,
		         s->access, (unsigned long long)s->address, (unsigned long long)s->size,
		         (unsigned long long)s->room, (unsigned long long)s->align);
	}
	for (uint32_t i = 1; i < r->n_symbols && !r->damaged; i++)
		say_symbol(r, i);
	if (find(r, tag, &at) && find(r, tag + 1, &size))
		say_relocations(r, at, size);
	if (find(r, TAG_LAZY, &at) && find(r, TAG_LAZY_SIZE, &size))
		say_relocations(r, at, size);
}

/* Where the bytes from OFFSET on that are said otherwise end; *NEXT: where the next such begin. */
static uint64_t skip_taken(const struct reader *r, uint64_t offset, uint64_t *next)
{
	uint64_t end = offset;
	*next = UINT64_MAX;
	for (uint32_t i = 0; i < r->n_taken; i++) {
		const struct span *t = &r->taken[i];
		if (t->begin <= end && t->end > end)
			end = t->end;
		else if (t->begin > end && t->begin < *next)
			*next = t->begin;
	}
	return end;
}

static void say_bytes(struct reader *r, const struct segment *s)
{
	uint64_t at = 0, next;
	while (at < s->size) {
		work_step(LINE);
		uint64_t skipped = skip_taken(r, s->offset + at, &next) - s->offset;
		if (skipped > at) {
			at = skipped;
			continue;
		}
		uint64_t end = s->size - at < LINE ? s->size : at + LINE;
		uint32_t m = MEM_FIRST(r->marks, r->n_marks, begin, s->address + at + 1);
		if (m < r->n_marks && r->marks[m].begin - s->address < end)
			end = r->marks[m].begin - s->address;
		end = next - s->offset < end ? next - s->offset : end;
		buf_addf(&r->out, "bytes 0x%llx %u", (unsigned long long)(s->address + at),
		         s->access);
		for (uint64_t i = at; i < end; i++)
			buf_addf(&r->out, (i - at) % WORD ? "%02x" : " %02x",
			         r->bytes[s->offset + i]);
		buf_addf(&r->out, "\n");
		at = end;
	}
	if (s->room > s->size)
		buf_addf(&r->out, "zeros 0x%llx %u 0x%llx\n",
		         (unsigned long long)(s->address + s->size), s->access,
		         (unsigned long long)(s->room - s->size));
}

static void say_head(struct reader *r)
{
	uint32_t w = form_word(r->form), access = 0;
	for (uint32_t i = 0; i < r->n_segments; i++)
		if (r->segments[i].type == SEGMENT_DYNAMIC)
			access |= r->segments[i].access;
	unsigned long long entry = word(r, 24);
	mark(r, entry);
	buf_addf(&r->out, "elf %u %u %u %u %u 0x%x 0x%llx %u %s\n", r->bytes[4], r->bytes[5],
	         r->bytes[7], (unsigned)number(r, 16, 2), (unsigned)number(r, 18, 2),
	         (unsigned)number(r, 24 + 3 * w, 4), entry, access, r->own ? "own" : "there");
}

uint8_t *linked_read(const uint8_t *bytes, uint32_t size, uint32_t *len)
{
	if (!linked_is(bytes, size))
		return NULL;
	struct reader r = { .bytes = bytes,
		            .size = size,
		            .form = { bytes[4] == 2, bytes[5] == 2 } };
	read_segments(&r);
	read_entries(&r);
	read_tables(&r);
	say_head(&r);
	say_tables(&r);
	MEM_SORT_BY(r.marks, r.n_marks, begin);
	for (uint32_t i = 0; i < r.n_segments && !r.damaged; i++)
		if (r.segments[i].type == SEGMENT_LOAD)
			say_bytes(&r, &r.segments[i]);
	free(r.segments);
	free(r.entries);
	free(r.marks);
	struct buf out = r.out, all = { 0 };
	uint32_t n;
	MEM_SCOPED uint8_t *made =
		r.damaged ? NULL : linked_make((uint8_t *)out.data, (uint32_t)out.len, &n);
	bool loose = made && n == size && !memcmp(made, bytes, size);
	if (!r.damaged) {
		if (!loose)
			buf_addf(&all, "fixed\n");
		buf_add(&all, out.data, out.len);
	}
	buf_release(&out);
	*len = (uint32_t)all.len;
	return (uint8_t *)all.data;
}

uint32_t linked_settings(const uint8_t *said, uint32_t len)
{
	static const char fixed[] = "fixed\n";
	return len >= sizeof fixed - 1 && !memcmp(said, fixed, sizeof fixed - 1) ? sizeof fixed - 1
	                                                                         : 0;
}
