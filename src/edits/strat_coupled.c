/* Edits at several places that only work together: twins, columns. */

#include "base/hash.h"
#include "base/mem.h"
#include "base/work.h"
#include "edits/marks.h"
#include "edits/names.h"
#include "edits/significant.h"
#include "edits/strategies.h"
#include "edits/words.h"

static struct hash token_hash(const struct view *v, uint32_t token)
{
	uint32_t len;
	const uint8_t *bytes = token_text(v, token, &len);
	return hash_bytes(bytes, len, 0);
}

static uint64_t text_hash(const struct view *v, uint32_t token)
{
	return token_hash(v, token).lo;
}

/* Twins: items that begin with all of another item, as a definition does with its declaration, go
 * together. */
enum { TWIN_LEAST = 3, TWIN_MOST = 40, TWIN_PREFIXES = 1 << 20 };

struct prefix { /* the first COUNT significant tokens of an item */
	uint64_t hash;
	uint32_t item;
};

/* Starts that are alike would give one edit; the last of them, where a sweep begins, stands for
 * all. */
struct twins {
	uint32_t n_prefixes;
	struct prefix *prefixes; /* sorted by hash */
	struct prefix *starts;   /* by item; hash of all tokens of each */
};

/* Hashes of the first 1, 2, ... significant tokens of NODE, at most TWIN_MOST; returns how many
 * there are. */
static uint32_t prefix_hashes(const struct view *v, uint32_t node, uint64_t out[TWIN_MOST + 1])
{
	uint32_t n = 0;
	uint64_t h = 1;
	uint32_t last = tree_end(&v->tree, node);
	for (uint32_t t = v->tree.nodes[node].first; t < last && n <= TWIN_MOST; t++)
		if (view_token_significant(v, t)) {
			h = (h ^ text_hash(v, t)) * 0x9e3779b97f4a7c15u;
			out[n++] = h ^= h >> 29;
		}
	return n;
}

/* Of N starts those that have no like behind them, by item; returns how many. */
static uint32_t distinct_starts(struct prefix *starts, uint32_t n)
{
	uint32_t kept = 0;
	MEM_SORT_BY_TWO(starts, n, hash, item);
	for (uint32_t i = 0; i < n; i++)
		if (i + 1 == n || starts[i + 1].hash != starts[i].hash)
			starts[kept++] = starts[i];
	MEM_SORT_BY(starts, kept, item);
	return kept;
}

static void twins_open(struct edit_sites *p)
{
	const struct view *v = p->view;
	struct twins *w = arena_alloc(&p->arena, sizeof *w);
	struct prefix *list = NULL;
	uint32_t n = 0, cap = 0, n_starts = 0;
	uint64_t hashes[TWIN_MOST + 1];
	w->starts = arena_alloc(&p->arena, v->tree.n * sizeof *w->starts);
	for (uint32_t i = 1; i < v->tree.n && n < TWIN_PREFIXES; i++) {
		if (!view_is_statement(v, i))
			continue;
		uint32_t count = prefix_hashes(v, i, hashes);
		for (uint32_t k = TWIN_LEAST; k <= count && k <= TWIN_MOST; k++)
			MEM_PUSH(list, n, cap, (struct prefix){ hashes[k - 1], i });
		if (count >= TWIN_LEAST && count <= TWIN_MOST)
			w->starts[n_starts++] = (struct prefix){ hashes[count - 1], i };
	}
	if (list)
		MEM_SORT_BY_TWO(list, n, hash, item);
	p->n = distinct_starts(w->starts, n_starts);
	w->n_prefixes = n;
	w->prefixes = arena_copy(&p->arena, list, n * sizeof *list);
	free(list);
	p->data = w;
}

static bool twins_edit(const struct edit_sites *p, uint32_t i, UNUSED uint32_t j,
                       struct arena *arena, struct edit *out)
{
	const struct twins *w = p->data;
	uint64_t whole = w->starts[i].hash;
	uint32_t lo = MEM_FIRST(w->prefixes, w->n_prefixes, hash, whole), n = 0;
	while (lo + n < w->n_prefixes && w->prefixes[lo + n].hash == whole)
		n++;
	if (n < 2)
		return false;
	struct edit_part *parts = arena_alloc(arena, n * sizeof *parts);
	for (uint32_t k = 0; k < n; k++)
		parts[k] = names_item_cut(p->view, w->prefixes[lo + k].item);
	return edit_make(arena, parts, n, out);
}

const struct strategy strategy_twins = {
	.shape = STRATEGY_CUTTING,
	.needs = STRATEGY_TREE,
	.open = twins_open,
	.edit = twins_edit,
};

/* Columns: the k-th item of several lists at once: a parameter with its arguments, a column with
 * its values. Lists are bracket groups whose items are separated, and rows: lines that have
 * equally many of the same mark outside of brackets, where these are a quarter of all lines or
 * more: of prose and programs they are not. */
enum { COLUMNS_BY_NAME, COLUMNS_BY_LENGTH, COLUMNS_WITH_BARE, COLUMNS_N_WAYS };
/* A parameter that all calls give the same value becomes that value: known by its last name, as in
 * C, or by its first one. */
enum { COLUMNS_LAST_NAME = COLUMNS_N_WAYS, COLUMNS_FIRST_NAME, COLUMNS_N_ENDS };
enum { ROWS_MIN = 3, ROWS_ALONE = 2 /* where all lines are such */ };
static const char row_marks[] = { ',', ';', '|', ':', '\t', ' ' };
enum { ROW_MARKS = sizeof row_marks, ROW_TAB = ROW_MARKS - 2, ROW_BLANK = ROW_MARKS - 1 };

struct cell {
	uint32_t begin, stop; /* with what separates it from the next one */
	uint32_t end;         /* without that; of rows the same */
	uint32_t back;        /* where what separates it from the one before begins */
	bool separated;       /* something stands behind it */
};

struct list_group {
	uint32_t first, n; /* cells */
	uint64_t name;     /* hash of the significant token before the bracket; 0: none */
	uint32_t mark; /* of rows: index in row_marks; ROW_MARKS: it is a bracket group, or bare */
	bool bare;     /* in no brackets of its own: its first cell has what stands in front */
	uint32_t beside; /* without brackets and commas, behind the name before this token: f a b;
	                    0: it is none of these */
	struct {
		uint32_t next; /* list that is alike; 0: none */
		bool leads;    /* it is the first of these */
	} ways[COLUMNS_N_WAYS];
};

struct columns {
	uint32_t n_lists;
	struct list_group *lists;
	uint32_t n_cells;
	struct cell *cells;
	struct column {
		uint32_t list, item;
	} * starts;
	uint32_t *item; /* per token: the innermost item */
};

static uint64_t token_before(const struct view *v, uint32_t token)
{
	while (token > 0 && !view_token_significant(v, token - 1))
		token--;
	return token && v->tokens.list[token - 1].kind == TOKEN_IDENTIFIER
	               ? text_hash(v, token - 1) | 1
	               : 0;
}

/* How many items separated by commas a group has; 0 when its items are statements or it has none.
 */
static uint32_t count_items(const struct view *v, uint32_t group)
{
	const struct tree *t = &v->tree;
	uint32_t n = 0;
	for (uint32_t c = tree_child(t->nodes, group); c != TREE_NONE; c = tree_next(t, c)) {
		if (t->nodes[c].kind != TREE_ITEM || view_is_statement(v, c))
			return 0;
		n++;
	}
	return n;
}

static void add_cell(struct columns *c, struct cell cell)
{
	c->cells[c->n_cells++] = cell;
}

static void add_groups(struct edit_sites *p)
{
	struct columns *c = p->data;
	const struct view *v = p->view;
	const struct tree *t = &v->tree;
	for (uint32_t i = 1; i < t->n; i++) {
		uint32_t n = count_items(v, i);
		bool bare = t->nodes[i].kind == TREE_ITEM;
		if (!n || (bare && n < 2))
			continue;
		c->lists[c->n_lists] =
			(struct list_group){ .first = c->n_cells,
			                     .n = n,
			                     .name = bare ? 0 : token_before(v, t->nodes[i].first),
			                     .bare = bare,
			                     .mark = ROW_MARKS };
		uint32_t before = TREE_NONE;
		for (uint32_t k = tree_child(t->nodes, i); k != TREE_NONE;
		     before = k, k = tree_next(t, k)) {
			struct edit_part cut = names_item_cut(v, k);
			uint32_t back =
				before == TREE_NONE ? cut.begin : view_separator_begin(v, before);
			add_cell(c, (struct cell){ cut.begin, cut.end,
			                           view_token_begin(v, tree_end(t, k)), back,
			                           t->nodes[k].has_sep });
		}
		c->n_lists++;
	}
}

/* Per token of a group that it opens, what is behind this; else 0. */
static uint32_t *group_ends(const struct view *v, struct arena *arena)
{
	uint32_t *ends = arena_zero(arena, (v->tokens.n + (size_t)1) * sizeof *ends);
	for (uint32_t i = 1; i < v->tree.n; i++) {
		const struct tree_node *n = &v->tree.nodes[i];
		if (n->kind == TREE_GROUP && v->tokens.list[n->first].kind == TOKEN_OPEN)
			ends[n->first] = tree_end(&v->tree, i);
	}
	return ends;
}

/* Behind the name, number, string or group at TOKEN; 0: it is none of these. */
static uint32_t behind_atom(const struct view *v, const uint32_t *ends, uint32_t token)
{
	uint8_t kind = token < v->tokens.n ? v->tokens.list[token].kind : TOKEN_OTHER;
	if (kind == TOKEN_IDENTIFIER || kind == TOKEN_NUMBER || kind == TOKEN_STRING)
		return token + 1;
	return kind == TOKEN_OPEN && view_token_begin(v, token) < view_token_end(v, token)
	               ? ends[token]
	               : 0;
}

/* Does the name at TOKEN begin a definition whose parameters stand behind it without brackets? */
static bool defines_beside(const struct view *v, const struct columns *c, uint32_t token)
{
	uint32_t before = view_significant_before(v, token), len,
		 next = view_significant_from(v, token + 1, v->tokens.n),
		 statement = names_statement(v, c->item[token]);
	const struct tokenizer *tok = view_tokenizer_at(v, view_token_begin(v, token));
	if (!tok || next == v->tokens.n || v->tokens.list[next].kind != TOKEN_IDENTIFIER)
		return false;
	const uint8_t *text = before == TREE_NONE ? NULL : token_text(v, before, &len);
	return (text && tokenizer_declares(tok, DECLARES_FUNCTION, text, len)) ||
	       (tokenizer_declares(tok, DECLARES_HEADS, (const uint8_t *)"=", 1) &&
	        statement != TREE_NONE && v->tree.nodes[statement].first == token);
}

/* What stands beside the name at TOKEN: f a b. */
static void add_beside(struct columns *c, const struct view *v, const uint32_t *ends,
                       uint32_t token)
{
	struct list_group *list = &c->lists[c->n_lists];
	*list = (struct list_group){ .first = c->n_cells,
		                     .name = text_hash(v, token) << 1 | 1,
		                     .mark = ROW_MARKS,
		                     .beside = token + 1 };
	uint32_t last = tree_end(&v->tree, c->item[token]), back = token + 1, behind;
	for (uint32_t t = view_significant_from(v, token + 1, last);
	     t < last && (behind = behind_atom(v, ends, t)); list->n++) {
		uint32_t next = view_significant_from(v, behind, last);
		bool more = next < last && behind_atom(v, ends, next);
		uint32_t end = view_token_begin(v, behind);
		add_cell(c, (struct cell){ view_token_begin(v, t),
		                           more ? view_token_begin(v, next) : end, end,
		                           view_token_begin(v, back), more });
		back = behind;
		t = next;
	}
	c->n_lists += list->n > 0;
}

/* Lists without brackets and commas, of names that are defined so. */
static void add_all_beside(struct edit_sites *p)
{
	struct columns *c = p->data;
	const struct view *v = p->view;
	ARENA_SCOPED struct arena scratch = { 0 };
	SCOPED(hash_set_release) struct hash_set defined = { 0 };
	const uint32_t *ends = group_ends(v, &scratch);
	for (uint32_t t = 0; t < v->tokens.n; t++) {
		work_step(1);
		if (v->tokens.list[t].kind == TOKEN_IDENTIFIER && defines_beside(v, c, t))
			hash_set_add(&defined, token_hash(v, t));
	}
	uint32_t before = TREE_NONE;
	for (uint32_t t = 0; t < v->tokens.n; t++) {
		work_step(1);
		if (!view_token_significant(v, t))
			continue;
		uint32_t item = c->item[t];
		bool argued = before != TREE_NONE && item != TREE_NONE &&
		              before >= v->tree.nodes[item].first &&
		              behind_atom(v, ends, before) == before + 1;
		before = t;
		if (v->tokens.list[t].kind == TOKEN_IDENTIFIER && !argued && item != TREE_NONE &&
		    hash_set_has(&defined, token_hash(v, t)))
			add_beside(c, v, ends, t);
	}
}

/* What stands between cells in a token: which of the marks (ROW_MARKS: none), and how often. */
static uint32_t marks_in(const struct view *v, uint32_t token, uint32_t *mark)
{
	uint32_t len, tabs = 0;
	const uint8_t *text = token_text(v, token, &len);
	if (v->tokens.list[token].kind == TOKEN_BLANK) {
		for (uint32_t i = 0; i < len; i++)
			tabs += text[i] == '\t';
		*mark = tabs ? ROW_TAB : ROW_BLANK;
		return tabs ? tabs : 1;
	}
	const char *at = len == 1 ? memchr(row_marks, text[0], ROW_TAB) : NULL;
	*mark = at ? (uint32_t)(at - row_marks) : ROW_MARKS;
	return at != NULL;
}

/* A line: its tokens, of which those that a bracket group outside of all others holds are one. */
struct row {
	uint32_t first, last;
	uint32_t counts[ROW_MARKS];
	bool significant;
};

static struct row scan_row(const struct view *v, const uint32_t *behind, uint32_t token)
{
	struct row row = { .first = token };
	for (; token < v->tokens.n && v->tokens.list[token].kind != TOKEN_NEWLINE &&
	       !view_token_frame(v, token);
	     token = behind[token]) {
		uint32_t mark, n = marks_in(v, token, &mark);
		if (mark < ROW_MARKS)
			row.counts[mark] += n;
		row.significant |= view_token_significant(v, token);
	}
	row.last = token;
	return row;
}

/* The token behind each one that is in no bracket group. The caller frees it. */
static uint32_t *tokens_behind(const struct view *v)
{
	uint32_t *behind = mem_alloc((v->tokens.n + (size_t)1) * sizeof *behind);
	for (uint32_t i = 0; i < v->tokens.n; i++)
		behind[i] = i + 1;
	for (uint32_t i = 1, until = 0; i < v->tree.n; i++)
		if (v->tree.nodes[i].kind == TREE_GROUP && v->tree.nodes[i].first >= until) {
			until = tree_end(&v->tree, i);
			behind[v->tree.nodes[i].first] = until;
		}
	return behind;
}

/* What lines are rows: those with so many of a mark that a quarter of all lines have. */
struct row_shapes {
	uint32_t n, keys[4 * ROW_MARKS], cells; /* cells: of all rows together */
};

static uint32_t row_key(uint32_t mark, uint32_t count)
{
	return count * ROW_MARKS + mark;
}

static void find_shapes(const struct view *v, const uint32_t *behind, struct row_shapes *out)
{
	uint32_t n = 0, cap = 0, lines = 0, *keys = NULL;
	for (uint32_t t = 0; t < v->tokens.n;) {
		struct row row = scan_row(v, behind, t);
		t = row.last + 1;
		lines += row.significant;
		for (uint32_t m = 0; m < ROW_MARKS && row.significant; m++)
			if (row.counts[m])
				MEM_PUSH(keys, n, cap, row_key(m, row.counts[m]));
	}
	MEM_SORT(keys, n, mem_order_u32);
	*out = (struct row_shapes){ 0 };
	for (uint32_t i = 0, j; i < n; i = j) {
		for (j = i; j < n && keys[j] == keys[i]; j++)
			;
		if (j - i < (j - i == lines ? ROWS_ALONE : ROWS_MIN) || (j - i) < (lines + 3) / 4)
			continue;
		out->keys[out->n++] = keys[i];
		out->cells += (j - i) * (keys[i] / ROW_MARKS + 1);
	}
	free(keys);
}

static void add_row(struct edit_sites *p, const uint32_t *behind, const struct row *row,
                    uint32_t mark)
{
	struct columns *c = p->data;
	const struct tokens *tokens = &p->view->tokens;
	uint32_t begin = tokens_begin(tokens, row->first), back = begin, here;
	c->lists[c->n_lists] = (struct list_group){ .first = c->n_cells,
		                                    .n = row->counts[mark] + 1,
		                                    .mark = mark };
	for (uint32_t t = row->first; t < row->last; t = behind[t])
		for (uint32_t k = 0, n = marks_in(p->view, t, &here); here == mark && k < n; k++) {
			/* of several in a token, the last has what is behind it */
			uint32_t stop = k + 1 == n ? tokens_end(tokens, t)
			                           : tokens_begin(tokens, t) + k + 1;
			add_cell(c, (struct cell){ begin, stop, stop, back, true });
			back = k ? begin : tokens_begin(tokens, t);
			begin = stop;
		}
	uint32_t stop = tokens_begin(tokens, row->last);
	add_cell(c, (struct cell){ begin, stop, stop, back, false });
	c->n_lists++;
}

static void add_rows(struct edit_sites *p, const uint32_t *behind, const struct row_shapes *shapes)
{
	for (uint32_t t = 0; t < p->view->tokens.n && shapes->n;) {
		struct row row = scan_row(p->view, behind, t);
		t = row.last + 1;
		for (uint32_t k = 0; k < shapes->n && row.significant; k++)
			if (row.counts[shapes->keys[k] % ROW_MARKS] == shapes->keys[k] / ROW_MARKS)
				add_row(p, behind, &row, shapes->keys[k] % ROW_MARKS);
	}
}

static int by_name(const void *a, const void *b)
{
	const struct list_group *x = *(struct list_group *const *)a,
				*y = *(struct list_group *const *)b;
	return x->name != y->name ? MEM_ORDER(x, y, name) : x < y ? -1 : x > y;
}

static int by_length(const void *a, const void *b)
{
	const struct list_group *x = *(struct list_group *const *)a,
				*y = *(struct list_group *const *)b;
	int order = MEM_ORDER_TWO(x, y, mark, n);
	return order ? order : x < y ? -1 : x > y;
}

static bool is_linked(const struct list_group *l, uint32_t way)
{
	if (way == COLUMNS_BY_NAME || l->beside)
		return way == COLUMNS_BY_NAME && l->name;
	return way == COLUMNS_WITH_BARE || !l->bare;
}

/* Links the lists that are alike in this way. */
static void link_lists(struct columns *c, uint32_t way)
{
	MEM_SCOPED struct list_group **sorted =
		mem_alloc((c->n_lists + (size_t)1) * sizeof *sorted);
	uint32_t n = 0;
	for (uint32_t l = 0; l < c->n_lists; l++)
		if (is_linked(&c->lists[l], way))
			sorted[n++] = &c->lists[l];
	MEM_SORT(sorted, n, way == COLUMNS_BY_NAME ? by_name : by_length);
	for (uint32_t l = 0; l < n; l++) {
		struct list_group *before = l ? sorted[l - 1] : NULL, *here = sorted[l];
		if (before &&
		    (way == COLUMNS_BY_NAME ? before->name == here->name
		                            : before->mark == here->mark && before->n == here->n))
			before->ways[way].next = (uint32_t)(here - c->lists);
		else
			here->ways[way].leads = true;
	}
}

static bool leads_any(const struct list_group *l)
{
	uint32_t way = 0;
	while (way < COLUMNS_N_WAYS && !l->ways[way].leads)
		way++;
	return way < COLUMNS_N_WAYS;
}

static void columns_open(struct edit_sites *p)
{
	const struct view *v = p->view;
	struct columns *c = p->data = arena_alloc(&p->arena, sizeof *c);
	uint32_t *behind = tokens_behind(v);
	struct row_shapes shapes;
	find_shapes(v, behind, &shapes);
	/* a group's items are nodes, a row has two cells or more, one that is beside is a token */
	uint32_t most = v->tree.n + shapes.cells + v->tokens.n;
	*c = (struct columns){ .lists = arena_alloc(&p->arena, most * sizeof *c->lists),
		               .cells = arena_alloc(&p->arena, most * sizeof *c->cells),
		               .starts = arena_alloc(&p->arena, most * sizeof *c->starts) };
	c->item = names_innermost_items(v, &p->arena);
	add_groups(p);
	add_all_beside(p);
	add_rows(p, behind, &shapes);
	free(behind);
	for (uint32_t way = 0; way < COLUMNS_N_WAYS; way++)
		link_lists(c, way);
	for (uint32_t l = 0; l < c->n_lists; l++)
		for (uint32_t k = 0; k < c->lists[l].n; k++)
			if (leads_any(&c->lists[l]))
				c->starts[p->n++] = (struct column){ l, k };
}

static uint32_t columns_ends(const struct edit_sites *p, uint32_t i)
{
	const struct columns *c = p->data;
	return c->lists[c->starts[i].list].ways[COLUMNS_BY_NAME].leads ? COLUMNS_N_ENDS
	                                                               : COLUMNS_N_WAYS;
}

/* Cells FIRST to LAST of LIST with what separates them from the others. */
static struct edit_part cells_cut(const struct edit_sites *p, const struct list_group *list,
                                  uint32_t first, uint32_t last)
{
	const struct columns *c = p->data;
	const struct cell *from = &c->cells[list->first + first],
			  *to = &c->cells[list->first + last];
	struct edit_part cut = { .begin = to->separated ? from->begin : from->back,
		                 .end = to->stop,
		                 .text = (const uint8_t *)" " };
	cut.len = list->beside && words_would_glue(p->view->tc, cut.begin, cut.end);
	return cut;
}

/* Cells FIRST to LAST of LIST and of all that are alike behind it, as parts; how many, 0: they are
 * all that a list in no brackets has in front. */
static uint32_t cut_column(const struct edit_sites *p, const struct list_group *list, uint32_t way,
                           uint32_t first, uint32_t last, struct edit_part *parts)
{
	const struct columns *c = p->data;
	for (uint32_t n = 0;; list = &c->lists[list->ways[way].next]) {
		if (list->bare && !first)
			return 0;
		if (list->n > last)
			parts[n++] = cells_cut(p, list, first, last);
		if (!list->ways[way].next)
			return n;
	}
}

/* The column and the K before it, in all lists that are alike. */
static bool columns_enlarge(const struct edit_sites *p, uint32_t i, uint32_t way, uint32_t k,
                            struct arena *arena, struct edit *out)
{
	const struct columns *c = p->data;
	const struct list_group *list = &c->lists[c->starts[i].list];
	uint32_t last = c->starts[i].item;
	if (way >= COLUMNS_N_WAYS || !list->ways[way].leads || k > last)
		return false;
	struct edit_part *parts = arena_alloc(arena, c->n_lists * sizeof *parts);
	uint32_t n = cut_column(p, list, way, last - k, last, parts);
	return n > 1 && edit_make(arena, parts, n, out);
}

/* The last name in the cell of a parameter, or the FIRST of several; TREE_NONE: there is none. */
static uint32_t parameter_in(const struct view *v, const struct cell *cell, bool first)
{
	uint32_t from = marks_token_at(v, cell->begin), found = TREE_NONE, n = 0;
	for (uint32_t t = from; t < v->tokens.n && view_token_begin(v, t) < cell->end; t++)
		if (v->tokens.list[t].kind == TOKEN_IDENTIFIER) {
			found = first && n ? found : t;
			n++;
		}
	return first && n < 2 ? TREE_NONE : found;
}

/* What the first of the lists stands in mentions of the parameter, as parts that become VALUE; how
 * many. */
static uint32_t give_value(const struct view *v, const struct columns *c, uint32_t name,
                           uint32_t beside, struct range value, struct edit_part *parts)
{
	uint32_t n = 0, item = c->item[name], statement = names_statement(v, item);
	if (beside)
		statement = names_definition(v, statement, beside - 1);
	else if (item != TREE_NONE)
		statement =
			names_statement(v, names_item_above(&v->tree, tree_parent(&v->tree, item)));
	if (statement == TREE_NONE)
		return 0;
	for (uint32_t t = name + 1; t < tree_end(&v->tree, statement); t++) {
		struct range mention = { view_token_begin(v, t), view_token_end(v, t) };
		if (v->tokens.list[t].kind == TOKEN_IDENTIFIER && token_same_text(v, t, name))
			parts[n++] = range_become(v->tc->bytes, mention, value);
	}
	return n;
}

static bool value_edit(const struct edit_sites *p, uint32_t i, bool first, struct arena *arena,
                       struct edit *out)
{
	const struct columns *c = p->data;
	const struct view *v = p->view;
	const struct list_group *list = &c->lists[c->starts[i].list], *call = list;
	uint32_t k = c->starts[i].item, calls = 0,
		 name = parameter_in(v, &c->cells[list->first + k], first);
	struct range value = { 0, 0 };
	while (name != TREE_NONE && call->ways[COLUMNS_BY_NAME].next) {
		call = &c->lists[call->ways[COLUMNS_BY_NAME].next];
		if (call->n <= k)
			return false;
		const struct cell *cell = &c->cells[call->first + k];
		struct range other = value;
		value = (struct range){ cell->begin, cell->end };
		if (calls++ && !range_same(v->tc->bytes, value, other))
			return false;
	}
	if (!calls)
		return false;
	struct edit_part *parts =
		arena_alloc(arena, (c->n_lists + (size_t)v->tokens.n) * sizeof *parts);
	uint32_t given = give_value(v, c, name, list->beside, value, parts);
	return given &&
	       edit_make(arena, parts,
	                 given + cut_column(p, list, COLUMNS_BY_NAME, k, k, parts + given), out);
}

static bool columns_edit(const struct edit_sites *p, uint32_t i, uint32_t way, struct arena *arena,
                         struct edit *out)
{
	return way < COLUMNS_N_WAYS ? columns_enlarge(p, i, way, 0, arena, out)
	                            : value_edit(p, i, way == COLUMNS_FIRST_NAME, arena, out);
}

const struct strategy strategy_columns = {
	.shape = STRATEGY_CUTTING,
	.needs = STRATEGY_TREE,
	.open = columns_open,
	.ends = columns_ends,
	.edit = columns_edit,
	.enlarge = columns_enlarge,
};
