/* The figures of the documents that the search is made of (seeds 001, 002, 003), simulated in process: no child runs.
 * Each figure stands beside its bound; exits with 1 when a bound is missed. seeds [SEED]: other random inputs. */
#include "seeds.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/hash.h"
#include "base/mem.h"

const char *seeds_mark(struct seeds *seeds, bool holds)
{
	seeds->missed += !holds;
	return holds ? "ok" : "MISSED";
}

struct rng seeds_rng(const struct seeds *seeds, uint64_t section)
{
	uint64_t words[] = { seeds->seed, section };
	return (struct rng){ hash_bytes(words, sizeof words, 0).lo };
}

static uint64_t *set_slot(const struct seeds_set *set, uint64_t key)
{
	size_t i = key & (set->cap - 1);
	while (set->keys[i] && set->keys[i] != key)
		i = (i + 1) & (set->cap - 1);
	return &set->keys[i];
}

bool seeds_set_add(struct seeds_set *set, uint64_t key)
{
	key += !key;
	if (2 * set->n >= set->cap) {
		struct seeds_set old = *set;
		set->cap = old.cap ? 2 * old.cap : 1024;
		set->keys = mem_zero(set->cap, sizeof *set->keys);
		for (size_t i = 0; i < old.cap; i++)
			if (old.keys[i])
				*set_slot(set, old.keys[i]) = old.keys[i];
		free(old.keys);
	}
	uint64_t *slot = set_slot(set, key);
	if (*slot)
		return false;
	*slot = key;
	set->n++;
	return true;
}

void seeds_set_clear(struct seeds_set *set)
{
	free(set->keys);
	*set = (struct seeds_set){ 0 };
}

int main(int argc, char **argv)
{
	char *end = NULL;
	struct seeds seeds = { .seed = argc > 1 ? strtoull(argv[1], &end, 10) : 1 };
	if (argc > 2 || (end && (*end || end == argv[1]))) {
		fprintf(stderr, "usage: %s [SEED]\n", argv[0]);
		return 2;
	}
	seeds_blocks(&seeds);
	seeds_subsets(&seeds);
	seeds_lists(&seeds);
	seeds_order(&seeds);
	printf("%u bounds missed\n", seeds.missed);
	return seeds.missed ? 1 : 0;
}
