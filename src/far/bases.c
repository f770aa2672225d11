#include "far/bases.h"

#include <string.h>

#include "base/mem.h"
#include "far/code.h"
#include "far/delta.h"

enum {
	SHORT = 256, /* an edit of so many bytes is not worth a look at other bases */
	NEWEST = 4,  /* so many of which are looked at */
};

static void drop_oldest(struct bases *b)
{
	struct testcase *tc = b->list[--b->n].tc;
	b->size -= tc->size;
	testcase_unref(tc);
}

void bases_add(struct bases *b, struct testcase *tc)
{
	if (b->n && hash_equal(b->list[0].tc->hash, tc->hash))
		return;
	while (b->n == BASES || (b->n >= BASES_SURE && b->size + tc->size > BASES_SIZE))
		drop_oldest(b);
	memmove(&b->list[1], &b->list[0], b->n++ * sizeof b->list[0]);
	b->list[0] = (struct base){ ++b->last_id, testcase_ref(tc) };
	b->size += tc->size;
}

void bases_release(struct bases *b)
{
	while (b->n)
		drop_oldest(b);
	*b = (struct bases){ 0 };
}

/* TC as an edit of FROM, in place of what OUT holds. False: it is none, or no shorter than MOST. */
static bool encode(const struct testcase *from, const struct testcase *tc, size_t most,
                   struct buf *out)
{
	struct arena arena = { 0 };
	struct edit edit;
	struct buf code = { 0 };
	bool is_edit = delta_edit(&arena, from, tc, &edit);
	if (is_edit)
		code_add_edit(&code, edit);
	arena_release(&arena);
	bool shorter = is_edit && code.len < most;
	if (shorter) {
		buf_release(out);
		*out = code;
	} else
		buf_release(&code);
	return shorter;
}

static void add_body(struct buf *to, const struct testcase *tc, const struct buf *code)
{
	char hash[CODE_HASH_SIZE];
	code_hash(tc->hash, hash);
	buf_addf(to, " %s :%zu\n", hash, code->len);
	buf_add(to, code->data, code->len);
	buf_addch(to, '\n');
}

/* NULL: it is none any more. */
static const struct base *by_id(const struct bases *b, uint32_t id)
{
	uint32_t age = b->last_id - id;
	return id && age < b->n ? &b->list[age] : NULL;
}

/* The newest that the worker has, or NULL. */
static const struct base *newest_there(const struct bases *b, const struct bases_there *there)
{
	uint32_t id = 0;
	for (int i = 0; i < BASES; i++)
		if (there->ids[i] > id)
			id = there->ids[i];
	return by_id(b, id);
}

static bool has(const struct bases_there *there, uint32_t id)
{
	for (int i = 0; i < BASES; i++)
		if (there->ids[i] == id)
			return true;
	return false;
}

/* The worker has ID from now on; what is no base any more it can forget. */
static void note(const struct bases *b, struct bases_there *there, uint32_t id, struct buf *to)
{
	int place = -1;
	for (int i = 0; i < BASES; i++) {
		if (there->ids[i] && !by_id(b, there->ids[i])) {
			buf_addf(to, "drop %u\n", there->ids[i]);
			there->ids[i] = 0;
		}
		if (!there->ids[i])
			place = i;
	}
	there->ids[place] = id; /* there are no more of ours than places */
}

/* The worker is given BASE, as an edit of one that it has if it has one. */
static void give(const struct bases *b, struct bases_there *there, const struct base *base,
                 bool whole, struct buf *to)
{
	struct buf code = { 0 };
	const struct base *from = whole ? NULL : newest_there(b, there);
	if (has(there, base->id))
		return;
	if (from && encode(from->tc, base->tc, base->tc->size, &code))
		buf_addf(to, "derive %u %u", base->id, from->id);
	else {
		code_add_testcase(&code, base->tc);
		buf_addf(to, "base %u", base->id);
	}
	add_body(to, base->tc, &code);
	buf_release(&code);
	note(b, there, base->id, to);
}

/* The base that TC is the shortest edit of, which goes to CODE; NULL: of none it is worth it. One
 * that the worker has will do when the edit is short. */
static const struct base *choose(const struct bases *b, const struct bases_there *there,
                                 const struct testcase *tc, struct buf *code)
{
	const struct base *best = newest_there(b, there);
	size_t most = (size_t)tc->size / 2 + SHORT;
	if (best && !encode(best->tc, tc, most, code))
		best = NULL;
	for (uint32_t i = 0; i < b->n && i < NEWEST && (!best || code->len > SHORT); i++)
		if (encode(b->list[i].tc, tc, best ? code->len : most, code))
			best = &b->list[i];
	return best;
}

void bases_tell(struct bases *b, struct bases_there *there, struct testcase *tc, uint64_t number,
                bool whole, struct buf *to)
{
	struct buf code = { 0 };
	const struct base *base = whole ? NULL : choose(b, there, tc, &code);
	if (!base) {
		bases_add(b, tc);
		base = &b->list[0];
	}
	give(b, there, base, whole, to);
	buf_addf(to, "ask %llu %u", (unsigned long long)number, base->id);
	add_body(to, tc, &code);
	buf_release(&code);
}
