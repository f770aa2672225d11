#include "store/entry.h"

#include "base/buf.h"
#include "base/err.h"

static const char magic[] = "whittle verdicts 2\n", magic_1[] = "whittle verdicts 1\n";
enum { MAGIC_LEN = sizeof magic - 1, VERDICT_MASK = 7, KIND_SHIFT = 3, HAS_NUMBER = 0x80 };

static void put64(uint8_t *p, uint64_t v)
{
	for (int i = 0; i < 8; i++)
		p[i] = (uint8_t)(v >> (56 - 8 * i));
}

static uint64_t get64(const uint8_t *p)
{
	uint64_t v = 0;
	for (int i = 0; i < 8; i++)
		v = v << 8 | p[i];
	return v;
}

struct hash store_entry_key(const struct store_entry *e)
{
	const uint64_t words[] = { e->kind, e->verdict, e->hash.lo, e->hash.hi, e->number };
	return e->kind == STORE_VERDICT ? e->hash
	                                : hash_words(words, sizeof words / sizeof *words, 0);
}

void store_entries_encode(struct buf *out, const struct store_entry *list, size_t n)
{
	buf_add(out, magic, MAGIC_LEN);
	for (size_t i = 0; i < n; i++) {
		const struct store_entry *e = &list[i];
		uint8_t rec[25];
		rec[0] = (uint8_t)(e->verdict | e->kind << KIND_SHIFT |
		                   (e->number ? HAS_NUMBER : 0));
		put64(rec + 1, e->hash.hi);
		put64(rec + 9, e->hash.lo);
		put64(rec + 17, e->number);
		buf_add(out, rec, e->number ? 25 : 17);
	}
}

int store_entries_decode(const void *bytes, size_t len, store_entry_fn *fn, void *ctx,
                         struct err *err)
{
	const uint8_t *p = bytes;
	if (len < MAGIC_LEN || (memcmp(p, magic, MAGIC_LEN) && memcmp(p, magic_1, MAGIC_LEN)))
		return err_set(err, ERR_SYSTEM,
		               "not a list of verdicts that this version can read");
	for (size_t at = MAGIC_LEN; at < len;) {
		size_t need = p[at] & HAS_NUMBER ? 25 : 17;
		if (len - at < need)
			return err_set(err, ERR_SYSTEM,
			               "list of verdicts ends within a record at byte %zu", at);
		struct store_entry e = {
			.hash = { get64(p + at + 1), get64(p + at + 9) },
			.number = need == 25 ? get64(p + at + 17) : 0,
			.verdict = p[at] & VERDICT_MASK,
			.kind = (uint8_t)(p[at] & ~HAS_NUMBER) >> KIND_SHIFT,
		};
		fn(ctx, &e);
		at += need;
	}
	return 0;
}
