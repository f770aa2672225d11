/* Declarations that nothing needs any more, in large sources. */
#include <string.h>

#include "cxx/reach.h"
#include "cxx/reach_end.h"
#include "cxx/reach_prune.h"
#include "cxx/reach_search.h"
#include "cxx/reach_shed.h"
#include "edits/strategies.h"
#include "cxx/stub_search.h"

enum {
	BODIES = 2,    /* where fewer groups in braces hold statements declarations are none */
	OWN_WHOLE = 2, /* system headers are at least one part in so many, if a file has any */
};

static uint32_t reach_levels(const struct view *v)
{
	uint32_t bodies = 0;
	if (reach_is_worded(v))
		return !v->tc->is_tree && !v->spans;
	for (uint32_t i = 1; i < v->tree.n && bodies < BODIES; i++) {
		const struct tree_node *n = &v->tree.nodes[i];
		bodies += n->kind == TREE_GROUP && n->child != TREE_NONE &&
		          v->tc->bytes[v->tokens.list[n->first].begin] == '{' &&
		          view_is_statement(v, n->child);
	}
	return bodies == BODIES && !v->tc->is_tree && !v->spans ? 1 : 0;
}

static uint32_t worded_levels(const struct view *v)
{
	return reach_is_worded(v) ? 2 : 0;
}

/* Two; in a tree, too, where its files know each other's names. */
static uint32_t shared_levels(const struct view *v)
{
	return v->tc->is_tree ? worded_levels(v) : 2 * reach_levels(v);
}

/* If the line from AT to END is a line marker, SYSTEM becomes whether what follows is a system
 * header's, which the flag 3 says. */
static void read_marker(const struct testcase *tc, uint32_t at, uint32_t end, bool *system)
{
	const char *line = (const char *)tc->bytes + at;
	const char *quote =
		end - at > 4 && line[0] == '#' && line[1] == ' ' && line[2] >= '0' && line[2] <= '9'
			? memrchr(line, '"', end - at)
			: NULL;
	if (quote)
		*system = memmem(quote, (size_t)(line + (end - at) - quote), " 3", 2) != NULL;
}

/* Line markers say that most of the file is the user's own: what is needed may stand anywhere. */
static bool is_own(const struct testcase *tc)
{
	bool system = false, any = false;
	uint64_t bytes = 0;
	for (uint32_t at = 0; at < tc->size;) {
		const uint8_t *nl = memchr(tc->bytes + at, '\n', tc->size - at);
		uint32_t end = nl ? (uint32_t)(nl - tc->bytes) + 1 : tc->size;
		read_marker(tc, at, end, &system);
		any |= system;
		bytes += system ? end - at : 0;
		at = end;
	}
	return any && bytes < tc->size / OWN_WHOLE;
}

/* Of what looks for a front that the end does not need, as headers are: only in languages whose
 * files begin with them. */
static uint32_t front_levels(const struct view *v)
{
	return reach_levels(v) && reach_is_forward_in(v) && !is_own(v->tc) ? 1 : 0;
}

static uint32_t two_front_levels(const struct view *v)
{
	return 2 * front_levels(v);
}

static struct search *brief_search(struct view *view, uint32_t level)
{
	(void)level;
	return reach_search_new(view, REACH_BRIEFLY);
}

const struct strategy strategy_reach_briefly = {
	.shape = STRATEGY_LIST,
	.needs = STRATEGY_TREE,
	.levels = reach_levels,
	.search = brief_search,
};

static struct search *reach_search(struct view *view, uint32_t level)
{
	(void)level;
	return reach_search_new(view, REACH_FULLY);
}

const struct strategy strategy_reach = {
	.shape = STRATEGY_LIST,
	.needs = STRATEGY_TREE,
	.levels = front_levels,
	.search = reach_search,
};

/* What a few answers tell at first. */
static struct search *prune_search(struct view *view, uint32_t level)
{
	if (level)
		return reach_prune_new(view);
	return reach_search_new(view, reach_is_worded(view) ? REACH_FULLY : REACH_BY_LEVEL);
}

const struct strategy strategy_prune = {
	.shape = STRATEGY_LIST,
	.needs = STRATEGY_TREE,
	.levels = shared_levels,
	.search = prune_search,
};

static struct search *trim_search(struct view *view, uint32_t level)
{
	(void)level;
	return reach_shed_new(view, true, SHED_WITHIN);
}

const struct strategy strategy_trim = {
	.shape = STRATEGY_LIST,
	.needs = STRATEGY_TREE,
	.levels = front_levels,
	.search = trim_search,
};

/* Bodies of functions, then declarations. */
static struct search *first_search(struct view *view, uint32_t level)
{
	return reach_search_new(view, level ? REACH_LEVELS : REACH_DEFINITIONS);
}

const struct strategy strategy_reach_levels = {
	.shape = STRATEGY_LIST,
	.needs = STRATEGY_TREE,
	.levels = two_front_levels,
	.search = first_search,
};

/* Bodies on the first level, statements on the second. */
static struct search *bold_search(struct view *view, uint32_t level)
{
	return reach_shed_new(view, level == 1, SHED_BOLDLY);
}

const struct strategy strategy_shed = {
	.shape = STRATEGY_LIST,
	.needs = STRATEGY_TREE,
	.levels = worded_levels,
	.search = bold_search,
};

static struct search *stub_search(struct view *view, uint32_t level)
{
	(void)level;
	return stub_search_new(view);
}

const struct strategy strategy_stub = {
	.shape = STRATEGY_LIST,
	.needs = STRATEGY_TREE,
	.levels = reach_levels,
	.search = stub_search,
};

/* What is behind the end that matters first. */
static struct search *end_search(struct view *view, uint32_t level)
{
	return level ? stub_search_new(view) : reach_end_new(view);
}

const struct strategy strategy_stub_end = {
	.shape = STRATEGY_LIST,
	.needs = STRATEGY_TREE,
	.levels = two_front_levels,
	.search = end_search,
};
