/* The chooser (seed 003, representing steps): a step of a pass is a sequence of choices, and the
 * chooser decides which choices are made, so that the order of steps is the scheduler's business
 * and no step is made twice on one base.
 *
 * It keeps a lazily built tree: a node for each choice met, with as many children as there were
 * values; a child is dead when all below it has been explored, and death is counted upwards.
 *
 * One step: chooser_begin; chooser_choose for each choice, stopping when one returns CHOOSER_DEAD;
 * chooser_end. When chooser_exhausted, every step has been made. After a success the base is
 * another one: chooser_restart forgets the tree. In reverse order it then resumes from the same
 * position, and visits what lies after it at the end.
 */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include "base/map.h"
#include "base/rng.h"

#define CHOOSER_DEAD UINT32_MAX
enum { CHOOSER_DEPTH = 4 }; /* choices in a step at most */

enum chooser_order {
	CHOOSER_RANDOM,  /* uniformly at random among the live children */
	CHOOSER_REVERSE, /* reverse lexicographic: the largest value first */
};

struct chooser_node {
	uint32_t n;         /* values at this choice */
	uint32_t live;      /* of them not yet dead */
	uint32_t dead_from; /* all children from here on are dead */
};

struct chooser_edge { /* child VALUE of NODE: a node, or dead */
	uint32_t node, value, child;
};

struct chooser {
	enum chooser_order order;
	struct rng rng;
	uint32_t n_nodes, cap_nodes;
	struct chooser_node *nodes;
	uint32_t n_edges, cap_edges;
	struct chooser_edge *edges;
	struct map edge_map; /* by node and value */
	uint32_t depth;      /* of the step under way */
	uint32_t path_node[CHOOSER_DEPTH], path_value[CHOOSER_DEPTH];
	uint32_t start[CHOOSER_DEPTH],
		n_start; /* where to resume after a restart; n_start 0: at the end */
	bool root_dead, stepped;
};

void chooser_init(struct chooser *c, enum chooser_order order, uint64_t seed);
void chooser_release(struct chooser *c);
void chooser_copy(struct chooser *to, const struct chooser *from);

void chooser_begin(struct chooser *c);

/* A value in [0, n) that is alive and for which CONDITION (may be NULL) holds; CHOOSER_DEAD when
 * there is none, and the step is over. */
uint32_t chooser_choose(struct chooser *c, uint32_t n, bool (*condition)(uint32_t value, void *arg),
                        void *arg);

void chooser_end(struct chooser *c);
bool chooser_exhausted(const struct chooser *c);
void chooser_restart(struct chooser *c);

/* Before the first step: the same for the first choice, from VALUE on downwards. */
void chooser_start_at(struct chooser *c, uint32_t value);
