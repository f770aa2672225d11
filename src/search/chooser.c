#include "search/chooser.h"

#include "base/err.h"
#include "base/mem.h"

enum { NO_NODE = 0xffffffff, DEAD_NODE = 0xfffffffe };

void chooser_init(struct chooser *c, enum chooser_order order, uint64_t seed)
{
	*c = (struct chooser){ .order = order, .rng = { seed } };
}

void chooser_release(struct chooser *c)
{
	free(c->nodes);
	free(c->edges);
	map_release(&c->edge_map);
	*c = (struct chooser){ 0 };
}

void chooser_copy(struct chooser *to, const struct chooser *from)
{
	*to = *from;
	to->nodes = mem_dup(from->nodes, from->cap_nodes * sizeof *from->nodes);
	to->edges = mem_dup(from->edges, from->cap_edges * sizeof *from->edges);
	map_copy(&to->edge_map, &from->edge_map);
}

static uint32_t edge_hash(uint32_t node, uint32_t value)
{
	uint32_t h = (node * 0x9e3779b1u) ^ (value * 0x85ebca77u);
	return h ^ h >> 15;
}

/* NULL: there is none. */
static struct chooser_edge *find_edge(const struct chooser *c, uint32_t node, uint32_t value)
{
	size_t at;
	uint32_t hash = edge_hash(node, value);
	for (uint32_t i = map_first(&c->edge_map, hash, &at); i != MAP_END;
	     i = map_next(&c->edge_map, hash, &at))
		if (c->edges[i].node == node && c->edges[i].value == value)
			return &c->edges[i];
	return NULL;
}

static uint32_t child_of(const struct chooser *c, uint32_t node, uint32_t value)
{
	if (value >= c->nodes[node].dead_from)
		return DEAD_NODE;
	const struct chooser_edge *e = find_edge(c, node, value);
	return e ? e->child : (uint32_t)NO_NODE;
}

static void set_child(struct chooser *c, uint32_t node, uint32_t value, uint32_t child)
{
	struct chooser_edge *e = find_edge(c, node, value);
	if (!e) {
		map_add(&c->edge_map, edge_hash(node, value), c->n_edges);
		MEM_GROW(c->edges, c->n_edges, c->cap_edges);
		e = &c->edges[c->n_edges++];
	}
	*e = (struct chooser_edge){ node, value, child };
}

static uint32_t new_node(struct chooser *c, uint32_t n)
{
	MEM_GROW(c->nodes, c->n_nodes, c->cap_nodes);
	c->nodes[c->n_nodes] = (struct chooser_node){ .n = n, .live = n, .dead_from = n };
	return c->n_nodes++;
}

/* Marks a child dead; children at the upper end are forgotten, so that a sweep in reverse order
 * needs no memory. */
static void kill_child(struct chooser *c, uint32_t node, uint32_t value)
{
	struct chooser_node *n = &c->nodes[node];
	n->live--;
	if (value + 1 != n->dead_from) {
		set_child(c, node, value, DEAD_NODE);
		return;
	}
	do
		n->dead_from--;
	while (n->dead_from && child_of(c, node, n->dead_from - 1) == DEAD_NODE);
}

void chooser_begin(struct chooser *c)
{
	if (c->root_dead)
		bug("a step of an exhausted chooser");
	c->depth = 0;
	c->stepped = true;
}

/* Scans downwards from FROM (inclusive) for a live value; in random order this comes after unlucky
 * draws. */
static uint32_t scan_down(struct chooser *c, uint32_t node, uint32_t from,
                          bool (*condition)(uint32_t, void *), void *arg)
{
	for (uint32_t v = from + 1; v-- > 0;) {
		if (child_of(c, node, v) == DEAD_NODE)
			continue;
		if (!condition || condition(v, arg))
			return v;
		kill_child(c, node, v);
	}
	return CHOOSER_DEAD;
}

static uint32_t pick_reverse(struct chooser *c, uint32_t node, bool (*condition)(uint32_t, void *),
                             void *arg)
{
	uint32_t top = c->nodes[node].dead_from;
	if (!top)
		return CHOOSER_DEAD;
	bool resuming = c->n_start > c->depth;
	for (uint32_t d = 0; resuming && d < c->depth; d++)
		resuming = c->path_value[d] == c->start[d];
	if (resuming && c->start[c->depth] < top - 1) {
		uint32_t v = scan_down(c, node, c->start[c->depth], condition, arg);
		if (v != CHOOSER_DEAD)
			return v;
	}
	return scan_down(c, node, top - 1, condition, arg);
}

static uint32_t pick_random(struct chooser *c, uint32_t node, bool (*condition)(uint32_t, void *),
                            void *arg)
{
	enum { DRAWS = 16 };
	for (int i = 0; i < DRAWS && c->nodes[node].live; i++) {
		uint32_t v = (uint32_t)rng_below(&c->rng, c->nodes[node].dead_from);
		if (child_of(c, node, v) == DEAD_NODE)
			continue;
		if (!condition || condition(v, arg))
			return v;
		kill_child(c, node, v);
	}
	if (!c->nodes[node].live)
		return CHOOSER_DEAD;
	uint32_t from = (uint32_t)rng_below(&c->rng, c->nodes[node].dead_from);
	uint32_t v = scan_down(c, node, from, condition, arg);
	return v != CHOOSER_DEAD || !c->nodes[node].live
	               ? v
	               : scan_down(c, node, c->nodes[node].dead_from - 1, condition, arg);
}

uint32_t chooser_choose(struct chooser *c, uint32_t n, bool (*condition)(uint32_t, void *),
                        void *arg)
{
	if (c->depth == CHOOSER_DEPTH)
		bug("more than %d choices in a step", CHOOSER_DEPTH);
	uint32_t node;
	if (c->depth == 0)
		node = c->n_nodes ? 0 : new_node(c, n);
	else {
		uint32_t parent = c->path_node[c->depth - 1], value = c->path_value[c->depth - 1];
		node = child_of(c, parent, value);
		if (node == NO_NODE) {
			node = new_node(c, n);
			set_child(c, parent, value, node);
		}
	}
	uint32_t v = c->order == CHOOSER_RANDOM ? pick_random(c, node, condition, arg)
	                                        : pick_reverse(c, node, condition, arg);
	if (v == CHOOSER_DEAD)
		return v;
	c->path_node[c->depth] = node;
	c->path_value[c->depth++] = v;
	return v;
}

void chooser_end(struct chooser *c)
{
	if (!c->depth) {
		c->root_dead = true;
		return;
	}
	for (uint32_t d = c->depth; d-- > 0;) {
		kill_child(c, c->path_node[d], c->path_value[d]);
		if (c->nodes[c->path_node[d]].live)
			return;
	}
	c->root_dead = true;
}

bool chooser_exhausted(const struct chooser *c)
{
	return c->root_dead;
}

void chooser_restart(struct chooser *c)
{
	c->n_start = c->stepped ? c->depth : 0;
	memcpy(c->start, c->path_value, sizeof c->start);
	c->n_nodes = 0;
	c->n_edges = 0;
	map_clear(&c->edge_map);
	c->root_dead = false;
}

void chooser_start_at(struct chooser *c, uint32_t value)
{
	c->n_start = 1;
	c->start[0] = value;
}
