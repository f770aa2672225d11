/* Members that say where others begin, as those of a list or of a tree do, see repair.h. */
#include "binary/repair.h"

#include "base/mem.h"
#include "base/work.h"

/* The links of a list: of each element the first of LINKS, in document order; [n]: how many there
 * are. Those in front of all elements are none's. */
struct links {
	uint32_t list;
	const struct element *elements;
	uint32_t n, *first;
	const struct field **links;
	const uint32_t *gone; /* of the elements, those before each; NULL: none */
	uint32_t *seen, round;
};

static int by_place(const void *a, const void *b)
{
	const struct field *const *x = a, *const *y = b;
	return ((*x)->at > (*y)->at) - ((*x)->at < (*y)->at);
}

struct links *links_of(const struct repair *r, uint32_t list, const uint32_t *gone)
{
	struct links *g = mem_alloc(sizeof *g);
	*g = (struct links){ .list = list,
		             .elements = r->elements + r->lists[list].first,
		             .n = r->lists[list].n,
		             .gone = gone };
	uint32_t n = 0, k = 0;
	g->links = mem_alloc((r->n + (size_t)1) * sizeof *g->links);
	g->first = mem_alloc((g->n + (size_t)1) * sizeof *g->first);
	g->seen = mem_zero(g->n + (size_t)1, sizeof *g->seen);
	work_step(r->n);
	for (uint32_t i = 0; i < r->n; i++)
		if (r->fields[i].kind == FIELD_LINK && r->fields[i].list == list)
			g->links[n++] = &r->fields[i];
	MEM_SORT(g->links, n, by_place);
	for (uint32_t i = 0; i < g->n; i++) {
		while (k < n && g->links[k]->at < g->elements[i].begin)
			k++;
		g->first[i] = k;
	}
	g->first[g->n] = n;
	return g;
}

void links_free(struct links *g)
{
	if (!g)
		return;
	free(g->links);
	free(g->first);
	free(g->seen);
	free(g);
}

/* The element that begins at AT, or n. */
static uint32_t element_at(const struct links *g, uint32_t at)
{
	uint32_t k = MEM_FIRST(g->elements, g->n, begin, at);
	return k < g->n && g->elements[k].begin == at ? k : g->n;
}

/* Which element that stays LINK leads to, through those that go; n: none. */
static uint32_t follow(struct links *g, const struct field *link, uint32_t holder)
{
	uint32_t at = element_at(g, link->to);
	if (at >= g->n || at == holder || g->seen[at] == g->round)
		return g->n;
	g->seen[at] = g->round;
	work_step(1);
	if (!g->gone || g->gone[at + 1] == g->gone[at])
		return at;
	uint32_t found = g->n, offset = link->at - (holder < g->n ? g->elements[holder].begin : 0);
	for (uint32_t pass = 0; pass < 2;
	     pass++) /* what stands as far from where it begins first */
		for (uint32_t k = g->first[at]; k < g->first[at + 1] && found == g->n; k++) {
			bool alike =
				holder < g->n && g->links[k]->at - g->elements[at].begin == offset;
			if (alike != pass)
				found = follow(g, g->links[k], at);
		}
	return found;
}

/* Which element LINK, in HOLDER, leads to in the end. */
static uint32_t resolve(struct links *g, const struct field *link, uint32_t holder)
{
	g->round++;
	if (holder < g->n)
		g->seen[holder] = g->round;
	return follow(g, link, holder);
}

static uint32_t holder_of(const struct links *g, const struct field *link)
{
	uint32_t k = MEM_FIRST(g->elements, g->n, begin, link->at + 1);
	return k && g->elements[k - 1].end > link->at ? k - 1 : g->n;
}

bool links_lead(struct links *g, const struct field *f, uint32_t *begin)
{
	uint32_t to = resolve(g, f, holder_of(g, f));
	if (to < g->n)
		*begin = g->elements[to].begin;
	return to < g->n;
}

uint32_t links_height(struct links *g)
{
	uint32_t *height = mem_zero(g->n + (size_t)1, sizeof *height), most = 0;
	bool changes = true; /* links may go either way */
	for (uint32_t round = 0; changes && round <= g->n; round++) {
		changes = false;
		for (uint32_t i = g->n; i-- > 0;) {
			uint32_t now = 1;
			if (g->gone && g->gone[i + 1] != g->gone[i])
				continue;
			for (uint32_t k = g->first[i]; k < g->first[i + 1]; k++) {
				uint32_t to = resolve(g, g->links[k], i);
				if (to < g->n && height[to] >= now)
					now = height[to] + 1;
			}
			changes |= now != height[i];
			height[i] = now;
			most = now > most ? now : most;
		}
	}
	free(height);
	return changes ? 0 : most;
}
