/* Short runs of tokens (seed 004). */
#include "edits/significant.h"
#include "binary/forest.h"

enum { RUN = 4, FEW = 512, SIDES = 64, SIDES_BYTES = 4096 };
enum { PAIRS, ALL_RUNS, N_LEVELS }; /* levels of `runs` */

/* Short runs of tokens, in which a bracket group is one (#(parameter W=0), [lib](), @(x)), enlarged
 * backwards; of a small binary, whose readers say too little of
 * where they stop to be led there step by step, also all from a token on, and all up to one.
 * Of few tokens all pairs come first: many mean something together only (DEFAULT 0; an item and its
 * comma). */
struct runs {
	struct significant *s;
	uint32_t *pairs; /* significant tokens that begin one; NULL: any token begins a run */
	uint32_t *to;    /* the significant token behind each, or behind the group that it opens */
};

static uint32_t *element_ends(const struct view *v, const struct significant *s,
                              struct arena *arena)
{
	uint32_t *to = arena_alloc(arena, (s->n + (size_t)1) * sizeof *to), i = 0;
	for (uint32_t k = 0; k < s->n; k++)
		to[k] = k + 1;
	for (uint32_t node = 1; node < v->tree.n; node++) {
		const struct tree_node *group = &v->tree.nodes[node];
		while (i < s->n && s->token[i] < group->first)
			i++;
		if (group->kind == TREE_GROUP && i < s->n && s->token[i] == group->first)
			to[i] = mem_first_u32(s->token, s->n, tree_end(&v->tree, node));
	}
	return to;
}

/* Not a bracket whose group is not behind it. */
static bool is_element(const struct view *v, const struct runs *r, uint32_t i)
{
	return r->to[i] > i + 1 || !view_is_bracket(v, r->s->token[i]);
}

static void runs_open(struct edit_sites *p)
{
	struct runs *r = arena_alloc(&p->arena, sizeof *r);
	*r = (struct runs){ .s = significant_new(p->view, false, &p->arena) };
	r->to = element_ends(p->view, r->s, &p->arena);
	p->data = r;
	p->n = r->s->n;
	if (p->level == ALL_RUNS)
		return;
	r->pairs = arena_alloc(&p->arena, (r->s->n + (size_t)1) * sizeof *r->pairs);
	p->n = 0;
	for (uint32_t i = 0; i < r->s->n && r->s->n <= FEW; i++)
		if (r->to[i] < r->s->n && is_element(p->view, r, i) &&
		    is_element(p->view, r, r->to[i]))
			r->pairs[p->n++] = i;
}

static uint32_t runs_short(const struct significant *s, uint32_t i)
{
	return s->n - i < RUN ? s->n - i : RUN;
}

static uint32_t runs_ends(const struct edit_sites *p, uint32_t i)
{
	const struct runs *r = p->data;
	const struct testcase *tc = p->view->tc;
	if (r->pairs)
		return 1;
	bool sides = r->s->n <= SIDES && tc->size <= SIDES_BYTES && !tc->is_tree &&
	             !bytes_are_text(tc->bytes, tc->size);
	return runs_short(r->s, i) + (sides ? 2 : 0);
}

static bool runs_enlarge(const struct edit_sites *p, uint32_t i, uint32_t j, uint32_t k,
                         struct arena *arena, struct edit *out)
{
	const struct runs *r = p->data;
	const struct significant *s = r->s;
	if (r->pairs) {
		i = r->pairs[i];
		j = 1;
	}
	uint32_t n = runs_short(s, i);
	if (k > (j < n ? i : 0))
		return false;
	uint32_t end = i;
	for (uint32_t elements = 0; elements <= j && j < n && end < s->n; elements++)
		end = r->to[end];
	struct edit_part part = j < n    ? significant_cut(p->view, s, i - k, end)
	                        : j == n ? significant_cut(p->view, s, i, s->n)
	                                 : significant_cut(p->view, s, 0, i + 1);
	*out = edit_cut(arena, part.begin, part.end);
	return true;
}

const struct strategy strategy_runs = {
	.shape = STRATEGY_CUTTING,
	.needs = STRATEGY_TREE,
	.n_levels = N_LEVELS,
	.open = runs_open,
	.ends = runs_ends,
	.enlarge = runs_enlarge,
};
