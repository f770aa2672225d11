#include "base/map.h"

#include "base/mem.h"
#include "base/work.h"

enum { FIRST_SIZE = 16 };

static void put(struct map *m, struct map_slot p)
{
	size_t at = p.hash & (m->size - 1);
	work_step(2);
	while (m->slots[at].number)
		at = (at + 1) & (m->size - 1);
	m->slots[at] = p;
}

void map_reserve(struct map *m, size_t n)
{
	struct map larger = { .n = m->n, .size = m->size ? m->size : FIRST_SIZE };
	while (larger.size < 2 * n)
		larger.size *= 2;
	if (larger.size == m->size)
		return;
	larger.slots = mem_zero(larger.size, sizeof *larger.slots);
	for (size_t i = 0; i < m->size; i++)
		if (m->slots[i].number)
			put(&larger, m->slots[i]);
	free(m->slots);
	*m = larger;
}

void map_add(struct map *m, uint64_t hash, uint32_t number)
{
	map_reserve(m, m->n + 1);
	put(m, (struct map_slot){ (uint32_t)hash, number + 1 });
	m->n++;
}

void map_clear(struct map *m)
{
	if (m->size)
		memset(m->slots, 0, m->size * sizeof *m->slots);
	m->n = 0;
}

void map_copy(struct map *to, const struct map *from)
{
	*to = *from;
	to->slots = mem_dup(from->slots, from->size * sizeof *from->slots);
}

void map_release(struct map *m)
{
	free(m->slots);
	*m = (struct map){ 0 };
}
