#include "binary/finders.h"

#include <string.h>

#include "base/mem.h"
#include "binary/found.h"
#include "binary/sums.h"

enum {
	END_MAX = 1 << 16,   /* bytes from the end in which the description begins */
	IN_DESCRIPTION = 32, /* bytes of it before its size of the table */
	TABLE_MIN = 16,
	MARK = 4,        /* bytes that all entries begin with */
	ENTRY_HEAD = 64, /* bytes of an entry in which it says where its thing is */
	NOTE = 12,       /* bytes of a checksum and two lengths */
	ENTRIES_MAX = 1 << 20,
	TRIES = 64, /* descriptions that are looked at: each costs a look at its table */
};

struct table {
	const uint8_t *bytes;
	uint32_t size;
	uint32_t begin, end; /* of the table */
	uint32_t at;         /* where it says its size, and behind that where it begins */
	uint32_t n;
	uint32_t *entries; /* n + 1: where each begins */
	uint32_t word;     /* bytes from the beginning of an entry, where it says that */
};

/* From AT on: a size and a place that end where the description begins. */
static bool describes(struct table *t, uint32_t at)
{
	uint64_t size = code_little(t->bytes + at), begin = code_little(t->bytes + at + 4);
	t->at = at;
	t->begin = (uint32_t)begin;
	t->end = (uint32_t)(begin + size);
	return size >= TABLE_MIN && begin >= TABLE_MIN && begin + size <= at &&
	       begin + size + IN_DESCRIPTION >= at;
}

/* The entries are where the first one's mark is. */
static void read_entries(struct table *t)
{
	uint32_t cap = 0;
	t->n = 0;
	t->entries = NULL;
	for (uint32_t at = t->begin; at + MARK <= t->end && t->n < ENTRIES_MAX; at++) {
		if (memcmp(t->bytes + at, t->bytes + t->begin, MARK) != 0)
			continue;
		MEM_PUSH(t->entries, t->n, cap, at);
		at += MARK - 1;
	}
	uint32_t n = t->n;
	MEM_PUSH(t->entries, n, cap, t->end);
}

/* Do all entries say at WORD where something begins, each in front of the next, that looks the
 * same? */
static bool points(const struct table *t, uint32_t word)
{
	uint32_t first = 0, last = 0;
	for (uint32_t i = 0; i < t->n; i++) {
		if (t->entries[i] + word + 4 > t->entries[i + 1])
			return false;
		uint32_t thing = code_little(t->bytes + t->entries[i] + word);
		first = i ? first : thing;
		if (thing > t->begin - MARK || (i && thing <= last) ||
		    memcmp(t->bytes + thing, t->bytes + first, MARK) != 0)
			return false;
		last = thing;
	}
	return t->n > 1;
}

static bool find_word(struct table *t)
{
	for (t->word = MARK; t->word < ENTRY_HEAD; t->word++)
		if (points(t, t->word))
			return true;
	return false;
}

static void add_length(struct found *f, uint32_t at, uint32_t from, uint32_t to)
{
	struct field field = field_of(FIELD_LENGTH, CODE_LITTLE, at, 4, from, to);
	field.depth = UINT16_MAX;
	found_field(f, field);
}

/* The checksum and both lengths of what stands as it is in [from, to). */
static void add_note(struct found *f, uint32_t at, uint32_t from, uint32_t to)
{
	struct field sum = field_of(FIELD_SUM, CODE_LITTLE, at, 4, from, to);
	sum.sum = SUM_CRC32;
	found_field(f, sum);
	add_length(f, at + 4, from, to);
	add_length(f, at + 8, from, to);
}

/* What X ends with may stand there as it is: where an entry, and what is in front of that, say its
 * checksum and twice its length, these follow it. */
static void add_content(const struct table *t, struct found *f, struct record *x)
{
	for (uint32_t at = x->twin + MARK; at + NOTE <= x->twin_end && at < x->twin + ENTRY_HEAD;
	     at++) {
		const uint8_t *note = t->bytes + at;
		uint32_t length = code_little(note + 4), from = x->end - length;
		if (!length || length != code_little(note + 8) || length >= x->end - x->begin ||
		    sum_bytes(SUM_CRC32, t->bytes + from, length) != code_little(note))
			continue;
		x->body = from;
		add_note(f, at, from, x->end);
		const uint8_t *head = memmem(t->bytes + x->begin, from - x->begin, note, NOTE);
		if (head)
			add_note(f, (uint32_t)(head - t->bytes), from, x->end);
		return;
	}
}

static struct records *make_records(const struct table *t)
{
	struct found f = { .n.lists = 1 };
	for (uint32_t i = 0; i < t->n; i++) {
		uint32_t at = t->entries[i] + t->word, begin = code_little(t->bytes + at);
		bool last = i + 1 == t->n;
		struct record x = record_plain(
			begin,
			last ? t->begin : code_little(t->bytes + t->entries[i + 1] + t->word));
		x.twin = t->entries[i];
		x.twin_end = t->entries[i + 1];
		add_content(t, &f, &x);
		found_record(&f, x);
		found_listed(&f, 0, x.twin, x.twin_end);
		add_length(&f, at, 0, begin);
	}
	add_length(&f, t->at, t->begin, t->end);
	add_length(&f, t->at + 4, 0, t->begin);
	for (uint32_t at = t->end; at + 2 <= t->at; at += 2)
		if ((t->bytes[at] | (uint32_t)t->bytes[at + 1] << 8) == t->n)
			found_field(&f,
			            field_of(FIELD_COUNT, CODE_LITTLE, at, 2, t->begin, t->end));
	return found_records(&f, false);
}

struct records *directory_find(const uint8_t *bytes, uint32_t size)
{
	struct table t = { .bytes = bytes, .size = size };
	uint32_t least = size > END_MAX ? size - END_MAX : 0, tries = 0;
	for (uint32_t at = size; at-- > least + 8 && tries < TRIES;) {
		if (at + 8 > size || !describes(&t, at))
			continue;
		tries++;
		read_entries(&t);
		struct records *r = find_word(&t) ? make_records(&t) : NULL;
		free(t.entries);
		if (r)
			return r;
	}
	return NULL;
}
