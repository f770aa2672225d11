#include "binary/directory.h"

#include <stdlib.h>
#include <string.h>

#include "base/mem.h"

enum {
	END_MAX = 1 << 16,   /* bytes from the end in which the description begins */
	IN_DESCRIPTION = 32, /* bytes of it before its size of the table */
	TABLE_MIN = 16,
	MARK = 4,        /* bytes that all entries begin with */
	ENTRY_HEAD = 64, /* bytes of an entry in which it says where its thing is */
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

static uint32_t word_at(const uint8_t *p)
{
	return (uint32_t)p[3] << 24 | (uint32_t)p[2] << 16 | (uint32_t)p[1] << 8 | p[0];
}

/* From AT on: a size and a place that end where the description begins. */
static bool describes(struct table *t, uint32_t at)
{
	uint64_t size = word_at(t->bytes + at), begin = word_at(t->bytes + at + 4);
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
		if (t->n + 1 >= cap) {
			cap = cap ? 2 * cap : 64;
			t->entries = mem_resize(t->entries, cap, sizeof *t->entries);
		}
		t->entries[t->n++] = at;
		t->entries[t->n] = t->end;
		at += MARK - 1;
	}
}

/* Do all entries say at WORD where something begins, each in front of the next, that looks the
 * same? */
static bool points(const struct table *t, uint32_t word)
{
	uint32_t first = 0, last = 0;
	for (uint32_t i = 0; i < t->n; i++) {
		if (t->entries[i] + word + 4 > t->entries[i + 1])
			return false;
		uint32_t thing = word_at(t->bytes + t->entries[i] + word);
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

static struct field length(uint32_t at, uint32_t from, uint32_t to)
{
	return (struct field){ .kind = FIELD_LENGTH,
		               .code = CODE_LITTLE,
		               .at = at,
		               .width = 4,
		               .from = from,
		               .to = to,
		               .depth = UINT16_MAX };
}

static struct repair *make_repair(const struct table *t)
{
	struct field *fields = mem_alloc((t->n + (size_t)IN_DESCRIPTION + 2) * sizeof *fields);
	struct element *elements = mem_alloc(t->n * sizeof *elements);
	struct element_list *list = mem_alloc(sizeof *list);
	uint32_t n = 0;
	*list = (struct element_list){ .n = t->n };
	for (uint32_t i = 0; i < t->n; i++) {
		uint32_t at = t->entries[i] + t->word;
		elements[i] = (struct element){ t->entries[i], t->entries[i + 1] };
		fields[n++] = length(at, 0, word_at(t->bytes + at));
	}
	fields[n++] = length(t->at, t->begin, t->end);
	fields[n++] = length(t->at + 4, 0, t->begin);
	for (uint32_t at = t->end; at + 2 <= t->at; at += 2)
		if ((t->bytes[at] | (uint32_t)t->bytes[at + 1] << 8) == t->n)
			fields[n++] = (struct field){ .kind = FIELD_COUNT,
				                      .code = CODE_LITTLE,
				                      .at = at,
				                      .width = 2,
				                      .from = t->begin,
				                      .to = t->end };
	return repair_new(fields, n, elements, t->n, list, 1);
}

static struct records *make_records(const struct table *t)
{
	struct records *r = mem_zero(1, sizeof *r);
	r->refs = 1;
	r->list = mem_alloc((t->n + (size_t)1) * sizeof *r->list);
	for (uint32_t i = 0; i < t->n; i++) {
		uint32_t begin = word_at(t->bytes + t->entries[i] + t->word);
		uint32_t end =
			i + 1 < t->n ? word_at(t->bytes + t->entries[i + 1] + t->word) : t->begin;
		r->list[r->n++] = (struct record){ .begin = begin,
			                           .end = end,
			                           .body = end,
			                           .body_end = end,
			                           .twin = t->entries[i],
			                           .twin_end = t->entries[i + 1],
			                           .counted = true };
	}
	r->repair = make_repair(t);
	return r;
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
