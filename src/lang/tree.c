#include "lang/tree.h"

#include "base/mem.h"
#include "base/work.h"
#include "text/spans.h"

enum {
	LEVELS = TOKEN_STRENGTH_FILE + 1, /* strength 0 splits nothing */
	MATCHED = 1,
	FORGET = 1 << 16, /* tokens whose notes are let go together, as nodes take their place: a
	                     few system calls for each million */
};

/* Strengths of the separators ahead, seen from one place in a group: [k] is the largest strength
 * below k before the next separator of strength k or more; [LEVELS] the largest of all. */
struct ahead {
	uint8_t below[LEVELS + 1];
};

/* What the building steps share. */
struct builder {
	const struct tokens *tokens;
	const struct token *list;
	uint32_t n;
	uint8_t *levels; /* at an opening bracket or a splitter: bit k set when an item of strength
	                    k, weaker than the splitter, begins behind it; bit MATCHED: a bracket
	                    that has its other one */
	uint16_t top;    /* the same for the start of the root */
	struct tree *out;
	uint32_t cap;
	uint32_t node;    /* the innermost node that is open */
	uint16_t pending; /* levels to open when the next token comes */
};

static uint32_t count_brackets(const struct builder *b)
{
	uint32_t max = 0;
	for (uint32_t i = 0; i < b->n; i++)
		if (b->list[i].bracket > max)
			max = b->list[i].bracket;
	return max + 1;
}

/* Pairs the brackets: a closing one takes the innermost open one of its number, and what is open
 * inside that stays unmatched. The counts tell whether there is one, so that each bracket is pushed
 * and popped at most once. */
static void match_brackets(struct builder *b)
{
	MEM_SCOPED uint32_t *open = mem_zero(count_brackets(b), sizeof *open);
	uint32_t *stack = NULL, n = 0, cap = 0;
	for (uint32_t i = 0; i < b->n; i++) {
		const struct token *t = &b->list[i];
		work_step(1);
		while (t->strength == TOKEN_STRENGTH_FILE && n)
			open[b->list[stack[--n]].bracket]--;
		if (t->kind == TOKEN_OPEN) {
			MEM_PUSH(stack, n, cap, i);
			open[t->bracket]++;
		} else if (t->kind == TOKEN_CLOSE && open[t->bracket]) {
			uint32_t top = stack[--n];
			for (; b->list[top].bracket != t->bracket; top = stack[--n])
				open[b->list[top].bracket]--;
			open[t->bracket]--;
			b->levels[top] = b->levels[i] = MATCHED;
		}
	}
	free(stack);
}

static uint16_t begin_levels(const struct ahead *ahead, unsigned k)
{
	uint16_t levels = 0;
	while ((k = ahead->below[k]))
		levels |= (uint16_t)(1u << k);
	return levels;
}

static void see_splitter(struct ahead *ahead, uint8_t strength)
{
	for (unsigned k = 0; k <= LEVELS; k++) {
		if (k <= strength)
			ahead->below[k] = 0;
		else if (ahead->below[k] < strength)
			ahead->below[k] = strength;
	}
}

/* From right to left: notes at each place where items begin which levels will be needed, down to
 * the next splitter. */
static void find_levels(struct builder *b)
{
	struct ahead now = { { 0 } }, *stack = NULL;
	uint32_t n = 0, cap = 0;
	for (uint32_t i = b->n; i-- > 0;) {
		const struct token *t = &b->list[i];
		bool matched = b->levels[i];
		work_step(1);
		if (matched && t->kind == TOKEN_OPEN) {
			b->levels[i] |= (uint8_t)begin_levels(&now, LEVELS); /* no file begins */
			now = stack[--n];
		}
		if (t->strength) {
			b->levels[i] = (uint8_t)((b->levels[i] & MATCHED) |
			                         begin_levels(&now, t->strength));
			see_splitter(&now, t->strength);
		}
		if (matched && t->kind == TOKEN_CLOSE) {
			MEM_PUSH(stack, n, cap, now);
			memset(&now, 0, sizeof now);
		}
	}
	b->top = begin_levels(&now, LEVELS);
	free(stack);
}

/* Appends a node without an end as the last child of PARENT, and makes room for none. */
static struct tree_node *add_node(struct tree *tree, uint32_t parent, enum tree_kind kind,
                                  uint32_t first, uint8_t strength)
{
	uint32_t id = tree->n++, depth = 0;
	if (parent != TREE_NONE) {
		struct tree_node *above = &tree->nodes[parent];
		above->has_child = true;
		depth = above->depth + (kind == TREE_GROUP);
	}
	depth = depth < TREE_DEPTH_MOST ? depth : TREE_DEPTH_MOST;
	tree->nodes[id] = (struct tree_node){ .first = first,
		                              .last = first,
		                              .parent = parent,
		                              .kind = kind,
		                              .strength = strength & 15u,
		                              .depth = depth & TREE_DEPTH_MOST };
	if (depth > tree->max_depth)
		tree->max_depth = depth;
	return &tree->nodes[id];
}

/* The levels that begin behind the splitter or opening bracket I. */
static uint16_t levels_behind(const struct builder *b, uint32_t i)
{
	return (uint16_t)((b->levels[i] & ~MATCHED) |
	                  (b->list[i].strength ? 1u << b->list[i].strength : 0));
}

/* Appends a node as the last child of the current one and makes it the current one. */
static void open_node(struct builder *b, enum tree_kind kind, uint32_t first, uint8_t strength)
{
	struct tree *tree = b->out;
	MEM_GROW(tree->nodes, tree->n, b->cap);
	add_node(tree, b->node, kind, first, strength);
	b->node = tree->n - 1;
}

/* Opens the items that begin before token I, the strongest first; one without strength when there
 * are none to split. */
static void open_items(struct builder *b, uint32_t i)
{
	for (unsigned k = LEVELS; k-- > 1;)
		if (b->pending >> k & 1)
			open_node(b, TREE_ITEM, i, (uint8_t)k);
	if (b->out->nodes[b->node].kind == TREE_GROUP)
		open_node(b, TREE_ITEM, i, 0);
	b->pending = 0;
}

/* Closes the current item, whose separator ends before the token BEHIND; 0: it has none. */
static void close_item(struct builder *b, uint32_t behind)
{
	struct tree_node *item = &b->out->nodes[b->node];
	item->has_sep = behind > 0;
	struct tree_node *parent = &b->out->nodes[item->parent];
	behind = behind ? behind : item->last;
	if (parent->kind == TREE_ITEM && parent->last < behind)
		parent->last = behind;
	b->node = b->out->nodes[b->node].parent;
}

static void close_items(struct builder *b, uint8_t strength)
{
	while (b->out->nodes[b->node].kind == TREE_ITEM &&
	       b->out->nodes[b->node].strength < strength)
		close_item(b, 0);
}

static void on_separator(struct builder *b, uint32_t i)
{
	const struct token *t = &b->list[i];
	bool empty = b->pending >> t->strength || b->out->nodes[b->node].kind == TREE_GROUP;
	bool nothing = tokens_begin(b->tokens, i) == tokens_end(b->tokens, i);
	if (empty && (nothing || t->kind == TOKEN_NEWLINE)) {
		b->pending |= levels_behind(b, i);
		return;
	}
	if (empty)
		open_items(b, i);
	close_items(b, t->strength);
	close_item(b, i + 1);
	b->pending = levels_behind(b, i); /* and weaker items that would have begun here did not */
}

static void close_group(struct builder *b, uint32_t i)
{
	close_items(b, LEVELS);
	b->out->nodes[b->node].last = i + 1;
	b->node = b->out->nodes[b->node].parent;
	b->pending = 0;
}

/* An item's last token, which is not a separator, may itself end the item. */
static void end_token(struct builder *b, uint32_t i)
{
	b->out->nodes[b->node].last = i + 1;
	if (!b->list[i].strength)
		return;
	close_items(b, b->list[i].strength);
	close_item(b, 0);
	b->pending = levels_behind(b, i);
}

static void on_token(struct builder *b, uint32_t i)
{
	const struct token *t = &b->list[i];
	bool matched = b->levels[i] & MATCHED;
	work_step(LEVELS);
	if (token_is_blank(t) && !token_separates(t))
		return;
	if (token_separates(t)) {
		on_separator(b, i);
		return;
	}
	if (matched && t->kind == TOKEN_CLOSE) {
		close_group(b, i);
		end_token(b, i);
		return;
	}
	open_items(b, i);
	if (matched && t->kind == TOKEN_OPEN) {
		open_node(b, TREE_GROUP, i, 0);
		b->pending = levels_behind(b, i);
		return;
	}
	end_token(b, i);
}

void tree_build(UNUSED const struct tokenizer *tok, const struct testcase *tc,
                const struct tokens *tokens, struct tree *out)
{
	(void)tc;
	*out = (struct tree){ 0 };
	struct builder b = { .tokens = tokens,
		             .list = tokens->list,
		             .n = tokens->n,
		             .out = out,
		             .node = TREE_NONE };
	b.levels = mem_zero(tokens->n, sizeof *b.levels);
	match_brackets(&b);
	find_levels(&b);
	open_node(&b, TREE_GROUP, 0, 0);
	b.pending = b.top;
	for (uint32_t i = 0; i < tokens->n; i++) {
		on_token(&b, i);
		if (i % FORGET == FORGET - 1)
			mem_forget(b.levels + (i + 1 - FORGET), FORGET);
	}
	close_items(&b, LEVELS);
	out->nodes[0].last = tokens->n;
	out->nodes = mem_resize(out->nodes, out->n, sizeof *out->nodes);
	free(b.levels);
}

uint32_t tree_next(const struct tree *tree, uint32_t node)
{
	const struct tree_node *nodes = tree->nodes, *of = &nodes[node];
	uint32_t inside = node, behind = node + 1,
		 step = 1; /* both ends of where it is looked for */
	while (behind < tree->n && nodes[behind].first < of->last) {
		inside = behind;
		behind = tree->n - behind > step ? behind + step : tree->n;
		step *= 2;
	}
	while (behind - inside > 1) {
		uint32_t mid = inside + (behind - inside) / 2;
		if (nodes[mid].first < of->last)
			inside = mid;
		else
			behind = mid;
	}
	/* What an item of no tokens holds has none, either. */
	while (behind < tree->n && nodes[behind].first == of->first &&
	       nodes[behind].parent != of->parent)
		behind++;
	return behind < tree->n && nodes[behind].parent == of->parent ? behind : TREE_NONE;
}

uint32_t tree_last(const struct tree *tree, uint32_t node, enum tree_kind kind)
{
	uint32_t found = TREE_NONE;
	for (uint32_t c = tree_child(tree->nodes, node); c != TREE_NONE; c = tree_next(tree, c))
		if (tree->nodes[c].kind == kind)
			found = c;
	return found;
}

void tree_release(struct tree *tree)
{
	free(tree->nodes);
	*tree = (struct tree){ 0 };
}

/* ---- spans from outside ---- */

void tree_build_spans(const struct spans *spans, const struct tokens *tokens, struct tree *out)
{
	struct tree_node *nodes = mem_alloc((spans->n + (size_t)1) * sizeof *nodes);
	uint32_t node = 0;
	*out = (struct tree){ .nodes = nodes };
	add_node(out, TREE_NONE, TREE_GROUP, 0, 0)->last = tokens->n;
	for (uint32_t i = 0; i < spans->n; i++) {
		uint32_t first = tokens_first(tokens, spans->list[i].begin),
			 last = tokens_first(tokens, spans->list[i].end);
		if (first >= last)
			continue;
		while (node && nodes[node].last <= first)
			node = nodes[node].parent;
		bool group = spans->list[i].group && last - first > 1;
		struct tree_node *added =
			add_node(out, node, group ? TREE_GROUP : TREE_ITEM, first, group ? 0 : 1);
		added->last = last;
		node = out->n - 1;
	}
}
