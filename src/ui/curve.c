#include "ui/curve.h"

#include "base/mem.h"

void curve_add(struct curve *c, struct curve_point point)
{
	MEM_PUSH(c->points, c->n, c->cap, point);
}

void curve_release(struct curve *c)
{
	free(c->points);
	*c = (struct curve){ 0 };
}

const struct curve_point *curve_won(const struct curve *c, uint64_t original, unsigned percent)
{
	uint64_t last = c->n ? c->points[c->n - 1].bytes : original;
	if (last >= original)
		return NULL;
	double most = (double)original - (double)(original - last) * percent / 100;
	size_t i = 0;
	while ((double)c->points[i].bytes > most)
		i++;
	return &c->points[i];
}
