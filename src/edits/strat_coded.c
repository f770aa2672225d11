/* What coded words say (lang/coded.h), reduced as if it were the test case, and written back: each
 * word in turn, by the list strategies below. Then the text of long strings, in which programs and
 * documents stand. */

#include "base/mem.h"
#include "binary/anew.h"
#include "binary/layers.h"
#include "binary/macho.h"
#include "binary/pdf.h"
#include "binary/pe.h"
#include "binary/sfnt.h"
#include "edits/strategies.h"
#include "search/within.h"

enum { THREE = 3 };

/* Base64 gets shorter by three bytes only. */
static uint32_t threes_levels(const struct view *v)
{
	return v->tc->size > THREE;
}

static void threes_open(struct edit_sites *p)
{
	uint32_t size = p->view->tc->size, first = size % THREE;
	bool few = size <= STRATEGY_BYTES_MAX;
	for (uint32_t at = first; few && at + THREE <= size; at += THREE)
		edit_sites_add(p, at, at + THREE, NULL, 0);
}

static const struct strategy threes = {
	.shape = STRATEGY_LIST,
	.levels = threes_levels,
	.open = threes_open,
};

static const struct strategy *const inner[] = {
	&strategy_records, &strategy_lines,   &strategy_items, &strategy_hollow, &strategy_tokens,
	&strategy_strings, &strategy_numbers, &threes,         &strategy_bytes,  &strategy_lower,
};

/* Of strings, whose bytes are gone through anyhow. */
static const struct strategy *const inner_of_string[] = { &strategy_items, &strategy_lines,
	                                                  &strategy_hollow, &strategy_tokens };

/* Which words: so many words deep in the test case; or those strings alone that are most of it, or
 * layers that are. */
struct scope {
	uint32_t depth;
	bool most, layers;
};

struct strategies {
	const struct strategy *const *list;
	uint32_t n;
};

/* Of what is most of a file. */
static const struct strategy *const inner_of_layer[] = { &strategy_records, &strategy_items,
	                                                 &strategy_lines, &strategy_hollow };

static struct strategies strategies_of(const struct coded *word, struct scope scope)
{
	struct strategies coded = { inner, sizeof inner / sizeof *inner };
	struct strategies layer = { inner_of_layer,
		                    sizeof inner_of_layer / sizeof *inner_of_layer };
	struct strategies plain = { inner_of_string,
		                    sizeof inner_of_string / sizeof *inner_of_string };
	return word->kind == CODED_PLAIN ? plain : scope.layers ? layer : coded;
}

/* The words of V, which is of SCOPE; strings stand behind the others, and only in the test case. */
static void read_words(const struct view *v, struct scope scope, struct coded_list *out)
{
	*out = (struct coded_list){ 0 };
	if (scope.depth == WITHIN_DEPTH)
		return;
	if (scope.layers) {
		within_most(v, out);
	} else if (!scope.most) {
		within_words(v, scope.depth, out);
	}
	if (!scope.depth && !scope.layers)
		within_strings(v, scope.most ? v->tc->size / 2 : 0, out);
}

static uint32_t levels_within(const struct view *v, struct scope scope);

/* Of the words that are in WORD, which is of SCOPE, and W what it says; a string has none that are
 * not of the test case. */
static uint32_t levels_below(const struct coded *word, const struct view *w, struct scope scope)
{
	return word->kind == CODED_PLAIN || scope.layers
	               ? 0
	               : levels_within(w, (struct scope){ .depth = scope.depth + 1 });
}

/* The levels of WORD of V: first those of words that are in it. */
static uint32_t levels_of_word(const struct view *v, const struct coded *word, struct scope scope)
{
	struct view *w = within_view(v, word);
	struct strategies of = strategies_of(word, scope);
	uint32_t n = w ? levels_below(word, w, scope) : 0;
	for (uint32_t k = 0; w && k < of.n; k++)
		n += strategy_levels(of.list[k], w);
	view_unref(w);
	return n;
}

static uint32_t levels_within(const struct view *v, struct scope scope)
{
	struct coded_list words;
	uint32_t n = 0;
	read_words(v, scope, &words);
	for (uint32_t i = 0; i < words.n; i++)
		n += levels_of_word(v, &words.list[i], scope);
	coded_release(&words);
	return n;
}

static void open_inner(struct edit_sites *p, const struct strategy *const *list, uint32_t level)
{
	for (uint32_t n; level >= (n = strategy_levels(*list, p->view)); list++)
		level -= n;
	if (p->view->records && p->view->records->proven)
		edit_sites_repair(p, repair_ref(p->view->records->repair));
	p->level = level;
	(*list)->open(p);
}

static void open_within(struct edit_sites *p, uint32_t level, struct scope scope);

static void open_word(struct edit_sites *p, const struct coded *word, uint32_t level,
                      struct scope scope)
{
	struct coded *kept = arena_alloc(&p->arena, sizeof *kept);
	*kept = *word;
	edit_sites_within(p, kept, within_view(p->view, word));
	uint32_t deeper = levels_below(word, p->view, scope);
	if (level < deeper)
		open_within(p, level, (struct scope){ .depth = scope.depth + 1 });
	else
		open_inner(p, strategies_of(word, scope).list, level - deeper);
}

/* The places of LEVEL in words of the view of P, which is of SCOPE. */
static void open_within(struct edit_sites *p, uint32_t level, struct scope scope)
{
	struct coded_list words;
	read_words(p->view, scope, &words);
	for (uint32_t i = 0; i < words.n; i++) {
		uint32_t n = levels_of_word(p->view, &words.list[i], scope);
		if (level >= n) {
			level -= n;
			continue;
		}
		open_word(p, &words.list[i], level, scope);
		break;
	}
	coded_release(&words);
}

static uint32_t coded_levels(const struct view *v)
{
	return levels_within(v, (struct scope){ 0 });
}

static void coded_open(struct edit_sites *p)
{
	open_within(p, p->level, (struct scope){ 0 });
}

static uint32_t most_levels(const struct view *v)
{
	return levels_within(v, (struct scope){ .most = true });
}

static void most_open(struct edit_sites *p)
{
	open_within(p, p->level, (struct scope){ .most = true });
}

const struct strategy strategy_coded = {
	.shape = STRATEGY_LIST,
	.needs = STRATEGY_TOKENS,
	.bare = true,
	.levels = coded_levels,
	.open = coded_open,
};

/* What most of the test case is stands in a string: it has its turn with what is outermost. */
const struct strategy strategy_coded_most = {
	.shape = STRATEGY_LIST,
	.needs = STRATEGY_TOKENS,
	.bare = true,
	.levels = most_levels,
	.open = most_open,
};

static uint32_t held_levels(const struct view *v)
{
	return levels_within(v, (struct scope){ .layers = true });
}

static void held_open(struct edit_sites *p)
{
	open_within(p, p->level, (struct scope){ .layers = true });
}

/* Likewise what most of it is stands in a layer, or is a member. */
const struct strategy strategy_held = {
	.shape = STRATEGY_LIST,
	.needs = STRATEGY_TOKENS,
	.bare = true,
	.levels = held_levels,
	.open = held_open,
};

/* Layers (binary/layers.h) opened: all of them first, then one by one; then those in what coded
 * words say, where the bytes around have none. A pump, since what is open is larger than what is
 * packed. At the end those that are open are packed in the same way, of nested ones the outermost.
 */

enum way { OPEN, PACK };

/* The parts that open each layer, and what has to change with them. */
struct opened {
	uint32_t n;
	uint32_t *first; /* n + 1: parts of each */
	const struct edit_part *parts;
	struct repair *repair; /* the caller's; NULL: nothing */
	bool whole;            /* each opens all of the file, in another way */
};

/* The second part of a layer that goes over several records are those behind its own. */
static void open_layer(struct opened *o, struct edit_part *parts, const struct layer *l,
                       struct edit_part part)
{
	uint32_t at = o->first[o->n];
	parts[at++] = part;
	if (l->n_records > 1)
		parts[at++] = (struct edit_part){ .begin = l->tail, .end = l->last };
	o->first[++o->n] = at;
}

/* The layers of the bytes of V itself; false when nothing can be unpacked. */
static bool open_layers(const struct view *v, enum way way, struct arena *arena, struct opened *o)
{
	struct layers found;
	const uint8_t *bytes = v->tc->bytes;
	uint32_t end = 0;
	*o = (struct opened){ 0 };
	if (v->tc->is_tree || (v->spans && !v->records) || !inflate_has(LAYER_RAW))
		return false;
	struct inflater *inflater = inflater_new();
	layers_find(bytes, v->tc->size, v->records, &found);
	o->first = arena_alloc(arena, (found.n + (size_t)1) * sizeof *o->first);
	struct edit_part *parts = arena_alloc(arena, (2 * (size_t)found.n + 1) * sizeof *parts);
	o->parts = parts;
	o->first[0] = 0;
	for (uint32_t i = 0; i < found.n; i++) {
		struct edit_part part;
		const struct layer *l = &found.list[i];
		if (l->stored != (way == PACK) || l->head < end ||
		    !(way == PACK ? layer_pack(l, bytes, arena, &part)
		                  : layer_open(l, bytes, v->records, inflater, arena, &part)))
			continue;
		open_layer(o, parts, l, part);
		end = way == PACK ? l->tail : 0;
	}
	struct repair *more = layers_repair(&found, bytes, v->tc->size);
	struct repair *known = v->records ? v->records->repair : NULL;
	o->repair = more ? repair_join(known, more) : known ? repair_ref(known) : NULL;
	repair_unref(more);
	layers_release(&found);
	inflater_free(inflater);
	return true;
}

static struct edit open_words(const struct view *v, enum way way, uint32_t depth,
                              struct arena *arena);

/* All that can be opened in V, which is what a word says. */
static struct edit open_all(const struct view *v, enum way way, uint32_t depth, struct arena *arena)
{
	struct opened o;
	struct edit edit = EDIT_NONE;
	if (open_layers(v, way, arena, &o) && o.n)
		edit = (struct edit){ o.first[o.n], o.parts };
	else
		edit = open_words(v, way, depth, arena);
	if (o.repair && edit.n)
		edit = repair_edit(o.repair, v->tc->bytes, edit, arena);
	repair_unref(o.repair);
	return edit;
}

/* All that can be opened in words of V. */
static struct edit open_words(const struct view *v, enum way way, uint32_t depth,
                              struct arena *arena)
{
	SCOPED(coded_release) struct coded_list words = { 0 };
	struct edit all = EDIT_NONE;
	if (depth == WITHIN_DEPTH)
		return all;
	within_words(v, depth, &words);
	for (uint32_t i = 0; i < words.n; i++) {
		struct view *w = within_view(v, &words.list[i]);
		struct edit within = w ? open_all(w, way, depth + 1, arena) : EDIT_NONE, next;
		if (within.n)
			within = coded_edit(&words.list[i], v->tc->bytes, w->tc->bytes, within,
			                    arena);
		if (edit_union(arena, all, within, &next))
			all = next;
		view_unref(w);
	}
	return all;
}

/* One way to open all of a file at once; false: there is none. */
static bool open_as(const struct view *v, uint8_t *text, const uint32_t *len, struct arena *arena,
                    struct opened *o)
{
	if (!text)
		return false;
	uint8_t *kept = arena_copy(arena, text, *len);
	free(text);
	struct edit_part *parts = arena_alloc(arena, (o->n + (size_t)1) * sizeof *parts);
	uint32_t *first = arena_alloc(arena, (o->n + (size_t)2) * sizeof *first);
	if (o->n)
		memcpy(parts, o->parts, o->n * sizeof *parts);
	parts[o->n++] = (struct edit_part){ 0, v->tc->size, *len, kept };
	for (uint32_t i = 0; i <= o->n; i++)
		first[i] = i;
	o->parts = parts;
	o->first = first;
	return true;
}

/* What is packed in one stream of a PDF are objects that the others name; a PE or Mach-O gets no
 * pages, and a font a row for each character; other files are made anew, without their settings or
 * with them. */
static bool open_whole(const struct view *v, struct arena *arena, struct opened *o)
{
	const struct testcase *tc = v->tc;
	uint32_t len;
	*o = (struct opened){ .whole = true };
	if (tc->is_tree)
		return false;
	if (open_as(v, pdf_open(tc->bytes, tc->size, &len), &len, arena, o))
		return true;
	open_as(v, pe_open(tc->bytes, tc->size, &len), &len, arena, o);
	open_as(v, macho_open(tc->bytes, tc->size, &len), &len, arena, o);
	open_as(v, sfnt_open(tc->bytes, tc->size, &len), &len, arena, o);
	open_as(v, anew_open(tc->bytes, tc->size, true, &len), &len, arena, o);
	open_as(v, anew_open(tc->bytes, tc->size, false, &len), &len, arena, o);
	return o->n;
}

static void layers_open(struct edit_sites *p)
{
	enum way way = p->strategy == &strategy_pack ? PACK : OPEN;
	struct opened *o = arena_alloc(&p->arena, sizeof *o);
	if (way == OPEN && open_whole(p->view, &p->arena, o)) {
		p->data = o;
		p->n = o->n;
		return;
	}
	if (!open_layers(p->view, way, &p->arena, o))
		return;
	if (!o->n) {
		struct edit edit = open_words(p->view, way, 0, &p->arena);
		o->first = arena_alloc(&p->arena, 2 * sizeof *o->first);
		o->first[0] = 0;
		o->first[1] = edit.n;
		o->parts = edit.parts;
		o->n = edit.n > 0;
	}
	edit_sites_repair(p, o->repair);
	p->data = o;
	p->n = o->n > 1 ? 1 + o->n : o->n;
}

static bool layers_edit(const struct edit_sites *p, uint32_t i, UNUSED uint32_t j,
                        struct arena *arena, struct edit *out)
{
	const struct opened *o = p->data;
	uint32_t to = o->whole ? o->first[i + 1] : i ? o->first[i] : o->first[o->n];
	uint32_t from = o->whole ? o->first[i] : i ? o->first[i - 1] : 0; /* 0: all at once */
	*out = (struct edit){ to - from, o->parts + from };
	if (p->repair)
		*out = repair_edit(p->repair, p->view->tc->bytes, *out, arena);
	return true;
}

const struct strategy strategy_layers = {
	.shape = STRATEGY_CUTTING,
	.open = layers_open,
	.edit = layers_edit,
	.proves = true,
};

const struct strategy strategy_pack = {
	.shape = STRATEGY_CUTTING,
	.open = layers_open,
	.edit = layers_edit,
};
