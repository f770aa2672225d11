#include "store/verdict.h"

#include <stdlib.h>
#include <string.h>

#include "base/buf.h"
#include "base/err.h"

static const char magic[] = "whittle verdicts 1\n";
enum { MAGIC_LEN = sizeof magic - 1, HAS_LIMIT = 0x80 };

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

void verdicts_encode(struct buf *out, const struct store_verdict *list, size_t n)
{
	buf_add(out, magic, MAGIC_LEN);
	for (size_t i = 0; i < n; i++) {
		uint8_t rec[25];
		bool limited = list[i].limit_ns != 0;
		rec[0] = (uint8_t)(list[i].verdict | (limited ? HAS_LIMIT : 0));
		put64(rec + 1, list[i].hash.hi);
		put64(rec + 9, list[i].hash.lo);
		put64(rec + 17, list[i].limit_ns);
		buf_add(out, rec, limited ? 25 : 17);
	}
}

int verdicts_decode(const void *bytes, size_t len, store_verdict_fn *fn, void *ctx, struct err *err)
{
	const uint8_t *p = bytes;
	if (len < MAGIC_LEN || memcmp(p, magic, MAGIC_LEN))
		return err_set(err, ERR_SYSTEM,
		               "not a list of verdicts that this version can read");
	for (size_t at = MAGIC_LEN; at < len;) {
		size_t need = p[at] & HAS_LIMIT ? 25 : 17;
		if (len - at < need)
			return err_set(err, ERR_SYSTEM,
			               "list of verdicts ends within a record at byte %zu", at);
		struct store_verdict v = { .hash = { get64(p + at + 1), get64(p + at + 9) },
			                   .verdict = (uint8_t)(p[at] & ~HAS_LIMIT) };
		if (need == 25)
			v.limit_ns = get64(p + at + 17);
		fn(ctx, &v);
		at += need;
	}
	return 0;
}
