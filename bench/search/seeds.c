/* The figures of the documents that the search is made of (seeds 001, 002, 003), simulated in
 * process: no child runs. Each figure stands beside its bound; exits with 1 when a bound is missed.
 * seeds [SEED]: other random inputs. */
#include "seeds.h"

#include <stdio.h>
#include <stdlib.h>

#include "base/hash.h"

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
