/* Maps against lists that are searched from the beginning: what was added is found, in order, with
 * whatever hashes. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

#include <cmocka.h>

#include "base/hash.h"
#include "base/map.h"
#include "base/mem.h"
#include "base/rng.h"

enum { MANY = 2000 };

/* All numbers that were added under HASH, in order. */
static void check_walk(const struct map *m, const uint64_t *hashes, uint32_t n, uint64_t hash)
{
	size_t at;
	uint32_t i = map_first(m, hash, &at);
	for (uint32_t k = 0; k < n; k++)
		if ((uint32_t)hashes[k] == (uint32_t)hash) {
			assert_int_equal(i, k);
			i = map_next(m, hash, &at);
		}
	assert_true(i == MAP_END);
}

/* RANGE hashes: few make long chains, and all of a kind one. */
static void check(uint64_t range, uint64_t seed)
{
	struct rng rng = { seed };
	struct map m = { 0 }, copy;
	uint64_t hashes[MANY];
	map_reserve(&m, MANY);
	for (uint32_t n = 0; n < MANY; n++) {
		hashes[n] = rng_next(&rng) % range * 0x100000001u;
		map_add(&m, hashes[n], n);
		if (n % 97 == 0)
			check_walk(&m, hashes, n + 1, rng_next(&rng) % range * 0x100000001u);
	}
	map_copy(&copy, &m);
	map_clear(&m);
	assert_int_equal(m.n, 0);
	for (uint32_t i = 0; i < MANY; i += 53) {
		check_walk(&m, hashes, 0, hashes[i]);
		check_walk(&copy, hashes, MANY, hashes[i]);
	}
	map_release(&m);
	map_release(&copy);
}

static void what_was_added_is_found(void **state)
{
	(void)state;
	check(1, 1);
	check(50, 2);
	check(UINT32_MAX, 3);
}

/* Without room reserved, and with keys whose low words are equal. */
static void sets_hold_what_they_were_given(void **state)
{
	(void)state;
	struct hash_set set = { 0 };
	assert_false(hash_set_has(&set, (struct hash){ 0 }));
	for (uint64_t i = 0; i < MANY; i++)
		assert_true(hash_set_add(&set, (struct hash){ i, i / 3 }));
	for (uint64_t i = 0; i < MANY; i++) {
		assert_false(hash_set_add(&set, (struct hash){ i, i / 3 }));
		assert_true(hash_set_has(&set, (struct hash){ i, i / 3 }));
		assert_false(hash_set_has(&set, (struct hash){ i + MANY, i / 3 }));
	}
	assert_int_equal(set.n, MANY);
	hash_set_release(&set);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(what_was_added_is_found),
		cmocka_unit_test(sets_hold_what_they_were_given),
	};
	return cmocka_run_group_tests_name("base/map", tests, NULL, NULL);
}
