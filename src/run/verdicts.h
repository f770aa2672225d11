/* The verdict cache: what is known about test cases, by content hash. Nothing is asked twice.
 *
 * A timeout is knowledge about a limit: it says that the test does not end within limit_ns, and so
 * nothing about a longer one. Zero-initialise, put, get, verdicts_release.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/hash.h"
#include "base/map.h"
#include "run/oracle.h"

struct verdicts_entry {
	struct hash hash;
	uint64_t limit_ns; /* of a VERDICT_TIMEOUT; 0: none */
	enum verdict verdict;
	bool used; /* verdicts_use */
};

struct verdicts {
	struct verdicts_entry *entries;
	size_t n, cap;
	struct map map;
	uint64_t hits, misses;
};

/* What is known of HASH when asked under the deadline LIMIT_NS (0: none): a verdict, or
 * VERDICT_UNKNOWN. Counts. */
enum verdict verdicts_get(struct verdicts *v, struct hash hash, uint64_t limit_ns);

/* Notes a verdict and its deadline. A verdict that is not a timeout replaces a timeout, a timeout
 * of a longer limit one of a shorter; otherwise what was known stays. VERDICT_UNKNOWN is ignored.
 */
void verdicts_put(struct verdicts *v, struct hash hash, enum verdict verdict, uint64_t limit_ns);

/* VERDICT is what holds of HASH, whatever was known of it. */
void verdicts_overrule(struct verdicts *v, struct hash hash, enum verdict verdict);

/* Is it the first time that the answer about HASH, which is known, is used? Whoever asks in order
 * counts tests so, whatever was known before. */
bool verdicts_use(struct verdicts *v, struct hash hash);

/* Under what it is kept, among the verdicts, that a fresh process found HASH interesting, of a test
 * that stays alive: what is interesting without that is a claim (struct answer). */
struct hash verdicts_confirmed(struct hash hash);

/* Nothing is known any more of what is only claimed. */
void verdicts_forget_claims(struct verdicts *v);

/* None was used. */
void verdicts_use_none(struct verdicts *v);

void verdicts_release(struct verdicts *v);
