#include "edits/ties.h"

#include "base/hash.h"
#include "base/map.h"
#include "base/mem.h"
#include "binary/codes.h"
#include "binary/repair.h"
#include "edits/names.h"
#include "edits/significant.h"
#include "search/view.h"

/* Lines that a number in front of them counts by how they begin: in a patch the head of a hunk says
 * how many of its lines are in the old file and how many in the new one. Which brackets such a head
 * has, and with what the lines begin, the tokenizer says (`tally`, whittle-tokenizer(5)). */

struct tallies {
	const struct view *v;
	struct field *fields;
	struct element *lines;
	struct element_list *lists;
	uint32_t n, cap, n_lines, cap_lines, n_lists, cap_lists;
};

/* A number in a head. */
struct number {
	uint32_t at, width;
	uint64_t value;
};

/* The second number behind the token SIGN in the group NODE, with no blank between them; false:
 * there is none. */
static bool find_number(const struct view *v, uint32_t node, char sign, struct number *out)
{
	uint32_t seen = 0, last = tree_end(&v->tree, node);
	bool behind = false;
	for (uint32_t t = v->tree.nodes[node].first + 1; t + 1 < last; t++) {
		const struct token *token = &v->tokens.list[t];
		uint32_t at = view_token_begin(v, t), width = view_token_end(v, t) - at;
		const uint8_t *text = v->tc->bytes + at;
		if (token->kind == TOKEN_BLANK)
			behind = false;
		if (width == 1 && *text == (uint8_t)sign) {
			behind = true;
			seen = 0;
		}
		if (token->kind != TOKEN_NUMBER || !behind || ++seen < 2)
			continue;
		*out = (struct number){ .at = at, .width = width };
		return code_read(CODE_DECIMAL, text, text + width, &width, &out->value) &&
		       width == out->width;
	}
	return false;
}

/* The lines below the head, from FROM to TO, that do not begin with OTHER, up to the number of
 * them; not as many: there is no field. */
static void add_tally(struct tallies *t, struct number number, uint32_t from, uint32_t to,
                      char other)
{
	const uint8_t *bytes = t->v->tc->bytes;
	uint32_t first = t->n_lines, at = from;
	while (at < to && t->n_lines - first < number.value) {
		const uint8_t *nl = memchr(bytes + at, '\n', to - at);
		uint32_t end = nl ? (uint32_t)(nl - bytes) + 1 : to;
		if (bytes[at] != (uint8_t)other && bytes[at] != '\\')
			MEM_PUSH(t->lines, t->n_lines, t->cap_lines, (struct element){ at, end });
		at = end;
	}
	uint32_t n = t->n_lines - first;
	if (!n || n < number.value) {
		t->n_lines = first;
		return;
	}
	MEM_PUSH(t->fields, t->n, t->cap,
	         (struct field){ .kind = FIELD_COUNT,
	                         .code = CODE_DECIMAL,
	                         .at = number.at,
	                         .width = number.width,
	                         .from = from,
	                         .to = at,
	                         .list = t->n_lists,
	                         .depth = 1 });
	MEM_PUSH(t->lists, t->n_lists, t->cap_lists,
	         (struct element_list){ .first = first, .n = n });
}

/* The two numbers of the head NODE, which count lines before TO. */
static void add_head(struct tallies *t, uint32_t node, const char *signs, uint32_t to)
{
	const struct view *v = t->v;
	uint32_t end = view_node_end(v, node);
	const uint8_t *nl = end < to ? memchr(v->tc->bytes + end, '\n', to - end) : NULL;
	struct number number;
	for (int k = 0; k < 2 && nl; k++)
		if (find_number(v, node, signs[k], &number))
			add_tally(t, number, (uint32_t)(nl - v->tc->bytes) + 1, to, signs[!k]);
}

/* The numbers of the view, which has its tree, as fields that count lines; NULL: there are none.
 * The caller releases it. */
static struct repair *tallies_find(const struct view *v)
{
	struct tallies t = { .v = v };
	const char *signs;
	int pair = v->tokenizer ? tokenizer_tally(v->tokenizer, &signs) : 0;
	uint32_t to = v->tc->size;
	for (uint32_t i = v->tree.n; pair && i-- > 1;) {
		const struct tree_node *node = &v->tree.nodes[i];
		if (node->kind != TREE_GROUP || v->tokens.list[node->first].bracket != pair)
			continue;
		add_head(&t, i, signs, to);
		to = view_token_begin(v, node->first);
	}
	if (t.n)
		return repair_new(t.fields, t.n, t.lines, t.n_lines, t.lists, t.n_lists);
	free(t.fields);
	free(t.lines);
	free(t.lists);
	return NULL;
}

/* What an import is mentioned by, and what goes with the last mention. */
struct tie {
	const uint8_t *name;
	uint32_t len;
	uint32_t file; /* of a tree: mentions in others do not count */
	struct edit_part cut;
};

struct ties {
	const struct view *v;
	struct tie *list;
	uint32_t n, cap;
	struct element *mentions; /* those of the first tie, of the next ... */
	uint32_t n_mentions;
};

static bool same_name(const struct tie *tie, const uint8_t *text, uint32_t len, uint32_t file)
{
	return file == tie->file && len == tie->len && !memcmp(text, tie->name, len);
}

/* NODE as an import whose own tokens begin at FIRST: a string, with a name in front of it or
 * without. */
static void add_import(struct ties *t, uint32_t node, uint32_t first)
{
	const struct view *v = t->v;
	const struct token *tokens = v->tokens.list;
	uint32_t last = tree_end(&v->tree, node);
	struct tie tie = { .cut = names_item_cut(v, node),
		           .file = testcase_file_at(v->tc, view_token_begin(v, first)) };
	first = view_significant_from(v, first, last);
	if (first < last && tokens[first].kind == TOKEN_IDENTIFIER) {
		tie.name = token_text(v, first, &tie.len);
		first = view_significant_from(v, first + 1, last);
	}
	if (first == last || tokens[first].kind != TOKEN_STRING ||
	    view_significant_from(v, first + 1, last) != last)
		return;
	if (!tie.len)
		tie.name = imports_name(v, first, &tie.len);
	if (!tie.len)
		return;
	MEM_PUSH(t->list, t->n, t->cap, tie);
}

/* The imports in the item NODE, which begins with the word: itself, or the items in its brackets.
 */
static void add_imports(struct ties *t, uint32_t node)
{
	const struct tree_node *nodes = t->v->tree.nodes;
	bool listed = false;
	for (uint32_t g = tree_child(nodes, node); g != TREE_NONE; g = tree_next(&t->v->tree, g)) {
		if (nodes[g].kind != TREE_GROUP)
			continue;
		listed = true;
		for (uint32_t i = tree_child(nodes, g); i != TREE_NONE;
		     i = tree_next(&t->v->tree, i))
			if (nodes[i].kind == TREE_ITEM)
				add_import(t, i, nodes[i].first);
	}
	if (!listed)
		add_import(t, node, nodes[node].first + 1);
}

static uint64_t name_hash(const uint8_t *text, uint32_t len, uint32_t file)
{
	return hash_bytes(text, len, file).lo;
}

/* The tie that the name is of, MAP_END; of several the first. */
static uint32_t find_tie(const struct ties *t, const struct map *names, const uint8_t *text,
                         uint32_t len, uint32_t file)
{
	size_t at;
	uint64_t hash = name_hash(text, len, file);
	uint32_t i = map_first(names, hash, &at);
	while (i != MAP_END && !same_name(&t->list[i], text, len, file))
		i = map_next(names, hash, &at);
	return i;
}

/* Where a tie is mentioned. */
struct mention {
	struct element place;
	uint32_t tie;
};

/* The names in front of a "." that mention ties; the caller frees them. */
static struct mention *find_mentions(struct ties *t, const struct map *names)
{
	const struct view *v = t->v;
	struct mention *list = NULL;
	uint32_t before = 0, len, cap = 0, file = 0;
	for (uint32_t i = 0; i < v->tokens.n; i++) {
		file += view_token_frame(v, i);
		if (!view_token_significant(v, i))
			continue;
		const uint8_t *text = token_text(v, i, &len);
		struct element place = { view_token_begin(v, i), view_token_end(v, i) };
		bool name = v->tokens.list[i].kind == TOKEN_IDENTIFIER && before != '.' &&
		            v->tc->bytes[place.end] == '.';
		before = len ? text[0] : 0;
		uint32_t of = name ? find_tie(t, names, text, len, file) : MAP_END;
		if (of != MAP_END)
			MEM_PUSH(list, t->n_mentions, cap, (struct mention){ place, of });
	}
	return list;
}

/* The mentions as a list for each tie, in document order. */
static struct element_list *sort_mentions(struct ties *t)
{
	struct element_list *lists = mem_zero(t->n + (size_t)1, sizeof *lists);
	SCOPED(map_release) struct map names = { 0 };
	for (uint32_t i = 0; i < t->n; i++) {
		const struct tie *o = &t->list[i];
		if (find_tie(t, &names, o->name, o->len, o->file) == MAP_END)
			map_add(&names, name_hash(o->name, o->len, o->file), i);
	}
	MEM_SCOPED struct mention *list = find_mentions(t, &names);
	MEM_SORT_BY_TWO(list, t->n_mentions, tie, place.begin);
	t->mentions = mem_alloc((t->n_mentions + (size_t)1) * sizeof *t->mentions);
	for (uint32_t m = 0; m < t->n_mentions; m++) {
		struct element_list *of = &lists[list[m].tie];
		of->first = of->n++ ? of->first : m;
		t->mentions[m] = list[m].place;
	}
	return lists;
}

/* The ties as fields, each with its mentions. */
static struct repair *make(struct ties *t)
{
	struct field *fields = mem_zero(t->n + (size_t)1, sizeof *fields);
	struct element_list *lists = sort_mentions(t);
	for (uint32_t i = 0; i < t->n; i++) {
		struct edit_part cut = t->list[i].cut;
		fields[i] = (struct field){ .kind = FIELD_LAST,
			                    .at = cut.begin,
			                    .width = cut.end - cut.begin,
			                    .from = cut.begin,
			                    .to = cut.end,
			                    .list = i };
	}
	return repair_new(fields, t->n, t->mentions, t->n_mentions, lists, t->n);
}

static bool may_import(const struct view *v)
{
	if (!v->tokenizers)
		return v->tokenizer && tokenizer_import_word(v->tokenizer);
	for (unsigned i = 1; i <= tokenizers_count(v->tokenizers); i++)
		if (tokenizer_import_word(tokenizers_get(v->tokenizers, (uint16_t)i)))
			return true;
	return false;
}

static bool begins_import(const struct view *v, uint32_t token)
{
	const struct tokenizer *tok = view_tokenizer_at(v, view_token_begin(v, token));
	const char *word = tok ? tokenizer_import_word(tok) : NULL;
	return word && token_is(v, token, word);
}

void ties_add(struct edit_sites *p)
{
	const struct view *v = p->view;
	struct ties t = { .v = v };
	for (uint32_t i = 1; may_import(v) && i < v->tree.n; i++)
		if (view_is_statement(v, i) && begins_import(v, v->tree.nodes[i].first))
			add_imports(&t, i);
	struct repair *more = t.n ? make(&t) : tallies_find(v);
	if (more) {
		edit_sites_repair(p, p->repair ? repair_join(more, p->repair) : repair_ref(more));
		repair_unref(more);
		p->tied = true;
	}
	free(t.list);
}
