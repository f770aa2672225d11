/* Declarations that nothing needs any more, in large sources. */
#include "search/reach_search.h"
#include "search/strategies.h"

static uint32_t reach_levels(const struct view *v)
{
	return !v->tc->is_tree && !v->spans;
}

static struct search *brief_search(struct view *view)
{
	return reach_search_new(view, REACH_BRIEFLY);
}

const struct strategy strategy_reach_briefly = {
	.shape = STRATEGY_LIST,
	.needs = STRATEGY_TREE,
	.levels = reach_levels,
	.search = brief_search,
};

static struct search *reach_search(struct view *view)
{
	return reach_search_new(view, REACH_FULLY);
}

const struct strategy strategy_reach = {
	.shape = STRATEGY_LIST,
	.needs = STRATEGY_TREE,
	.levels = reach_levels,
	.search = reach_search,
};
