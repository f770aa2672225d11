#include "text/edit.h"

#include <stdlib.h>
#include <string.h>

#include "base/err.h"
#include "base/mem.h"

/* A list under construction: parts arrive sorted, touching cuts are joined. */
struct builder {
	struct edit_part *parts;
	uint32_t n;
};

static void builder_start(struct builder *b, struct arena *arena, uint32_t capacity)
{
	b->parts = arena_alloc(arena, capacity * sizeof *b->parts);
	b->n = 0;
}

static bool is_cut(const struct edit_part *p)
{
	return p->len == 0;
}

/* Same place, same new bytes. */
static bool part_equal(const struct edit_part *a, const struct edit_part *b)
{
	return a->begin == b->begin && a->end == b->end && a->len == b->len && (!a->len || !memcmp(a->text, b->text, a->len));
}

/* Adds PART, which begins no earlier than the last one. False on conflict. */
static bool builder_add(struct builder *b, struct edit_part part)
{
	while (b->n) {
		struct edit_part *last = &b->parts[b->n - 1];
		if (is_cut(last) && is_cut(&part) && part.begin <= last->end) {
			last->end = part.end > last->end ? part.end : last->end;
			return true;
		}
		if (part.begin >= last->end && !(part.begin == last->begin && last->begin == last->end))
			break;
		if (part_equal(last, &part))
			return true;
		if (is_cut(last) && part.end <= last->end)
			return true; /* the cut covers the replacement */
		if (!(is_cut(&part) && part.begin <= last->begin && part.end >= last->end))
			return false;
		b->n--; /* the new cut covers the last replacement; look at the one before */
	}
	b->parts[b->n++] = part;
	return true;
}

static struct edit builder_done(const struct builder *b)
{
	return (struct edit){ b->n, b->parts };
}

struct edit edit_replace(struct arena *arena, uint32_t begin, uint32_t end, const uint8_t *text, uint32_t len)
{
	if (begin == end && !len)
		return EDIT_NONE;
	struct edit_part *p = arena_alloc(arena, sizeof *p);
	*p = (struct edit_part){ begin, end, len, len ? text : NULL };
	return (struct edit){ 1, p };
}

struct edit edit_cut(struct arena *arena, uint32_t begin, uint32_t end)
{
	return edit_replace(arena, begin, end, NULL, 0);
}

static int part_order(const void *a, const void *b)
{
	const struct edit_part *x = a, *y = b;
	if (x->begin != y->begin)
		return x->begin < y->begin ? -1 : 1;
	return x->end < y->end ? -1 : x->end > y->end;
}

bool edit_make(struct arena *arena, struct edit_part *parts, uint32_t n, struct edit *out)
{
	qsort(parts, n, sizeof *parts, part_order);
	struct builder b;
	builder_start(&b, arena, n);
	for (uint32_t i = 0; i < n; i++)
		if ((parts[i].begin != parts[i].end || parts[i].len) && !builder_add(&b, parts[i]))
			return false;
	*out = builder_done(&b);
	return true;
}

bool edit_union(struct arena *arena, struct edit a, struct edit b, struct edit *out)
{
	if (!a.n || !b.n) {
		*out = a.n ? a : b;
		return true;
	}
	struct builder to;
	builder_start(&to, arena, a.n + b.n);
	for (uint32_t i = 0, j = 0; i < a.n || j < b.n;) {
		bool from_a = j == b.n || (i < a.n && part_order(&a.parts[i], &b.parts[j]) <= 0);
		if (!builder_add(&to, from_a ? a.parts[i++] : b.parts[j++]))
			return false;
	}
	*out = builder_done(&to);
	return true;
}

bool edit_conflict(struct edit a, struct edit b)
{
	struct arena scratch = { 0 };
	struct edit both;
	bool fine = edit_union(&scratch, a, b, &both);
	arena_release(&scratch);
	return !fine;
}

bool edit_equal(struct edit a, struct edit b)
{
	if (a.n != b.n)
		return false;
	for (uint32_t i = 0; i < a.n; i++)
		if (!part_equal(&a.parts[i], &b.parts[i]))
			return false;
	return true;
}

int64_t edit_saving(struct edit edit)
{
	int64_t saving = 0;
	for (uint32_t i = 0; i < edit.n; i++)
		saving += (int64_t)(edit.parts[i].end - edit.parts[i].begin) - edit.parts[i].len;
	return saving;
}

struct hash edit_hash(struct edit edit, uint64_t seed)
{
	struct hash h = { seed, edit.n };
	for (uint32_t i = 0; i < edit.n; i++) {
		const struct edit_part *p = &edit.parts[i];
		uint64_t words[4] = { h.hi, h.lo, (uint64_t)p->begin << 32 | p->end, p->len };
		if (p->len)
			words[3] ^= hash_bytes(p->text, p->len, 1).lo << 1;
		h = hash_bytes(words, sizeof words, seed);
	}
	return h;
}

struct edit edit_copy(struct arena *arena, struct edit edit)
{
	if (!edit.n)
		return EDIT_NONE;
	struct edit_part *parts = arena_alloc(arena, edit.n * sizeof *parts);
	memcpy(parts, edit.parts, edit.n * sizeof *parts);
	return (struct edit){ edit.n, parts };
}

struct testcase *edit_apply(const struct testcase *base, struct edit edit)
{
	int64_t size = (int64_t)base->size - edit_saving(edit);
	if (size < 0 || size > TESTCASE_MAX_SIZE)
		bug("edit leads to a size of %lld", (long long)size);
	uint8_t *bytes = mem_alloc((size_t)size + 1);
	uint32_t *ends = mem_alloc(base->n_files * sizeof *ends);
	uint32_t at = 0, file = 0;
	uint8_t *to = bytes;
	for (uint32_t i = 0; i <= edit.n; i++) {
		uint32_t stop = i < edit.n ? edit.parts[i].begin : base->size;
		uint32_t limit = i < edit.n ? edit.parts[i].end : base->size;
		memcpy(to, base->bytes + at, stop - at);
		for (; file < base->n_files && base->files[file].end <= stop && base->files[file].end < limit; file++)
			ends[file] = (uint32_t)(to - bytes) + base->files[file].end - at;
		to += stop - at;
		at = limit;
		if (i < edit.n && edit.parts[i].len) {
			memcpy(to, edit.parts[i].text, edit.parts[i].len);
			to += edit.parts[i].len;
		}
		for (; file < base->n_files && base->files[file].end <= at; file++)
			ends[file] = (uint32_t)(to - bytes);
	}
	struct testcase *tc = testcase_like(base, bytes, ends);
	free(ends);
	return tc;
}
