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

/* A node without an end, and the token behind what it has so far. */
struct open_node {
	uint32_t node, last;
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
	uint32_t cap, cap_rows, cap_far, cap_longs; /* its */
	struct open_node *open;                     /* the innermost one is the last */
	size_t n_open, cap_open;
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

/* The levels that begin behind the splitter or opening bracket I. */
static uint16_t levels_behind(const struct builder *b, uint32_t i)
{
	return (uint16_t)((b->levels[i] & ~MATCHED) |
	                  (b->list[i].strength ? 1u << b->list[i].strength : 0));
}

static struct open_node *innermost(const struct builder *b)
{
	return &b->open[b->n_open - 1];
}

static const struct tree_node *innermost_node(const struct builder *b)
{
	return &b->out->nodes[innermost(b)->node];
}

/* Appends a node as the last child of the innermost one and makes it that. */
static void open_node(struct builder *b, enum tree_kind kind, uint32_t first, uint8_t strength)
{
	struct tree *tree = b->out;
	uint32_t node = tree->n, parent = b->n_open ? innermost(b)->node : TREE_NONE;
	uint32_t up = b->n_open && node - parent < TREE_FAR ? node - parent : 0;
	if (b->n_open)
		tree->nodes[parent].has_child = true;
	MEM_PUSH(tree->nodes, tree->n, b->cap,
	         (struct tree_node){ .first = first,
	                             .kind = kind,
	                             .strength = strength & 15u,
	                             .up = up & (TREE_FAR - 1u) });
	if (node % TREE_ROW == 0)
		MEM_PUSH(tree->rows, tree->n_rows, b->cap_rows, tree->n_far);
	bool known =
		tree->n_far > tree->rows[tree->n_rows - 1] && tree->far[tree->n_far - 1] == parent;
	if (b->n_open && !up && !known)
		MEM_PUSH(tree->far, tree->n_far, b->cap_far, parent);
	MEM_PUSH(b->open, b->n_open, b->cap_open, (struct open_node){ node, first });
}

static void close_node(struct builder *b)
{
	struct tree *tree = b->out;
	struct open_node top = b->open[--b->n_open];
	struct tree_node *node = &tree->nodes[top.node];
	bool is_long = top.last - node->first >= TREE_LONG;
	node->n = is_long ? TREE_LONG : (uint16_t)(top.last - node->first);
	if (is_long)
		MEM_PUSH(tree->longs, tree->n_longs, b->cap_longs,
		         (struct tree_long){ top.node, top.last });
}

/* All nodes have ends. */
static void finish(struct builder *b)
{
	struct tree *tree = b->out;
	tree->nodes = mem_resize(tree->nodes, tree->n, sizeof *tree->nodes);
	MEM_SORT_BY(tree->longs, tree->n_longs, node);
	free(b->open);
}

/* Opens the items that begin before token I, the strongest first; one without strength when there
 * are none to split. */
static void open_items(struct builder *b, uint32_t i)
{
	for (unsigned k = LEVELS; k-- > 1;)
		if (b->pending >> k & 1)
			open_node(b, TREE_ITEM, i, (uint8_t)k);
	if (innermost_node(b)->kind == TREE_GROUP)
		open_node(b, TREE_ITEM, i, 0);
	b->pending = 0;
}

/* Closes the current item, whose separator ends before the token BEHIND; 0: it has none. */
static void close_item(struct builder *b, uint32_t behind)
{
	struct open_node item = *innermost(b);
	b->out->nodes[item.node].has_sep = behind > 0;
	close_node(b);
	behind = behind ? behind : item.last;
	if (innermost_node(b)->kind == TREE_ITEM && innermost(b)->last < behind)
		innermost(b)->last = behind;
}

static void close_items(struct builder *b, uint8_t strength)
{
	while (innermost_node(b)->kind == TREE_ITEM && innermost_node(b)->strength < strength)
		close_item(b, 0);
}

static void on_separator(struct builder *b, uint32_t i)
{
	const struct token *t = &b->list[i];
	bool empty = b->pending >> t->strength || innermost_node(b)->kind == TREE_GROUP;
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
	innermost(b)->last = i + 1;
	close_node(b);
	b->pending = 0;
}

/* An item's last token, which is not a separator, may itself end the item. */
static void end_token(struct builder *b, uint32_t i)
{
	innermost(b)->last = i + 1;
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
	struct builder b = { .tokens = tokens, .list = tokens->list, .n = tokens->n, .out = out };
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
	innermost(&b)->last = tokens->n;
	close_node(&b);
	finish(&b);
	free(b.levels);
}

/* What is far away was open where the row begins: the innermost of those that goes on behind the
 * first token of NODE. So far away is no node of no tokens. */
uint32_t tree_parent(const struct tree *tree, uint32_t node)
{
	uint32_t up = tree->nodes[node].up, first = tree->nodes[node].first;
	if (up || !node)
		return up ? node - up : TREE_NONE;
	const uint32_t *far = &tree->far[tree->rows[node / TREE_ROW]];
	while (tree_end(tree, *far) <= first)
		far++;
	return *far;
}

uint32_t tree_next(const struct tree *tree, uint32_t node)
{
	const struct tree_node *nodes = tree->nodes;
	uint32_t last = tree_end(tree, node), parent = tree_parent(tree, node);
	uint32_t inside = node, behind = node + 1,
		 step = 1; /* both ends of where it is looked for */
	while (behind < tree->n && nodes[behind].first < last) {
		inside = behind;
		behind = tree->n - behind > step ? behind + step : tree->n;
		step *= 2;
	}
	while (behind - inside > 1) {
		uint32_t mid = inside + (behind - inside) / 2;
		if (nodes[mid].first < last)
			inside = mid;
		else
			behind = mid;
	}
	/* What an item of no tokens holds has none, either. */
	while (behind < tree->n && nodes[behind].first == nodes[node].first &&
	       tree_parent(tree, behind) != parent)
		behind++;
	return behind < tree->n && tree_parent(tree, behind) == parent ? behind : TREE_NONE;
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
	free(tree->rows);
	free(tree->far);
	free(tree->longs);
	*tree = (struct tree){ 0 };
}

/* ---- spans from outside ---- */

void tree_build_spans(const struct spans *spans, const struct tokens *tokens, struct tree *out)
{
	struct builder b = { .out = out };
	*out = (struct tree){ 0 };
	open_node(&b, TREE_GROUP, 0, 0);
	innermost(&b)->last = tokens->n;
	for (uint32_t i = 0; i < spans->n; i++) {
		uint32_t first = tokens_first(tokens, spans->list[i].begin),
			 last = tokens_first(tokens, spans->list[i].end);
		if (first >= last)
			continue;
		while (b.n_open > 1 && innermost(&b)->last <= first)
			close_node(&b);
		bool group = spans->list[i].group && last - first > 1;
		open_node(&b, group ? TREE_GROUP : TREE_ITEM, first, group ? 0 : 1);
		innermost(&b)->last = last;
	}
	while (b.n_open)
		close_node(&b);
	finish(&b);
}
