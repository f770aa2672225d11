/* A verdict as it is kept: what was asked (content hash), what came out, and under which time
 * limit. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/hash.h"

struct buf;
struct err;

struct store_verdict {
	struct hash hash;
	uint64_t limit_ns; /* the deadline that was in force; 0: none, or it does not matter to this
	                      verdict */
	uint8_t verdict; /* enum verdict of run/oracle.h; 1 (interesting) is the only value that is
	                    looked at here */
};

enum { STORE_INTERESTING = 1 };

/* As limit of a verdict: what was kept of this hash before is not so. */
#define STORE_OVERRULED UINT64_MAX

static inline bool store_overrules(const struct store_verdict *v)
{
	return v->limit_ns == STORE_OVERRULED;
}

typedef void store_verdict_fn(void *ctx, const struct store_verdict *verdict);

/* The form in commits (.whittle/verdicts): "whittle verdicts 1\n", then for each one byte of
 * verdict (bit 7: a limit follows), 16 bytes of hash, and perhaps 8 bytes of limit; all numbers
 * big-endian. */
void verdicts_encode(struct buf *out, const struct store_verdict *list, size_t n);

/* Calls FN for each verdict of the LEN bytes. -1 and err (with the offset) when they are damaged or
 * of a later version. */
int verdicts_decode(const void *bytes, size_t len, store_verdict_fn *fn, void *ctx,
                    struct err *err);
