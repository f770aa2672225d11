/* What the journal and the snapshots keep, one by one: a verdict, or something else that was found
 * out and that the next start has to know. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/hash.h"

struct buf;
struct err;

/* The first four are verdicts. */
enum store_kind {
	STORE_VERDICT,   /* of HASH; NUMBER: of a timeout, the deadline in ns */
	STORE_OVERRULED, /* likewise, and what was kept of HASH before is not so */
	STORE_TOOK,      /* HASH is interesting, and its test took NUMBER ns */
	STORE_DEADLINE,  /* HASH, the original, is interesting; each test has NUMBER ns */
	STORE_YES,       /* of so many runs on the original were interesting... */
	STORE_RUNS,      /* ...so many in all */
	STORE_REFUTED,   /* what a persistent test only claimed is not believed any more */
	STORE_LANGUAGE,  /* the identity of the definitions of tokenizers */
	STORE_KINDS,
};

struct store_entry {
	struct hash hash; /* zero where the kind is not about a test case */
	uint64_t number;
	uint8_t verdict; /* enum verdict of run/oracle.h; 1 (interesting) is the only value that is
	                    looked at here */
	uint8_t kind;    /* enum store_kind, or one of a later version */
};

enum { STORE_INTERESTING = 1 };

typedef void store_entry_fn(void *ctx, const struct store_entry *entry);

/* Equal for entries of which one is enough: verdicts of one test case, others that say the same. */
struct hash store_entry_key(const struct store_entry *entry);

static inline bool store_is_verdict(const struct store_entry *e)
{
	return e->kind <= STORE_DEADLINE;
}

/* Does it say that the test case with HASH is interesting? */
static inline bool store_says_yes(const struct store_entry *e, struct hash hash)
{
	return store_is_verdict(e) && e->verdict == STORE_INTERESTING && hash_equal(e->hash, hash);
}

/* The form in commits (.whittle/verdicts): "whittle verdicts 2\n", then for each one byte (bits 0
 * to 2: verdict, 3 to 6: kind, 7: a number follows), 16 bytes of hash, and perhaps 8 bytes of
 * number; all numbers big-endian. Of version 1, which had verdicts only, all is read. */
void store_entries_encode(struct buf *out, const struct store_entry *list, size_t n);

/* Calls FN for each entry of the LEN bytes. -1 and err (with the offset) when they are damaged or
 * of a later version. */
int store_entries_decode(const void *bytes, size_t len, store_entry_fn *fn, void *ctx,
                         struct err *err);
