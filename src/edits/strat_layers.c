/* Layers (binary/layers.h) opened: all of them first, then one by one; then those in what coded
 * words say, where the bytes around have none. A pump, since what is open is larger than what is
 * packed.
 */
#include <stdlib.h>

#include "base/mem.h"
#include "edits/strategies.h"
#include "search/within.h"
#include "binary/layers.h"

/* The parts that open each layer, and what has to change with them. */
struct opened {
	uint32_t n;
	uint32_t *first; /* n + 1: parts of each */
	const struct edit_part *parts;
	struct repair *repair; /* the caller's; NULL: nothing */
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
static bool open_layers(const struct view *v, struct arena *arena, struct opened *o)
{
	struct layers found;
	struct inflater *inflater = inflater_new();
	const uint8_t *bytes = v->tc->bytes;
	*o = (struct opened){ 0 };
	if (v->tc->is_tree || (v->spans && !v->records) || !inflater) {
		inflater_free(inflater);
		return false;
	}
	layers_find(bytes, v->tc->size, v->records, &found);
	o->first = arena_alloc(arena, (found.n + (size_t)1) * sizeof *o->first);
	struct edit_part *parts = arena_alloc(arena, (2 * (size_t)found.n + 1) * sizeof *parts);
	o->parts = parts;
	o->first[0] = 0;
	for (uint32_t i = 0; i < found.n; i++) {
		struct edit_part part;
		if (!found.list[i].stored &&
		    layer_open(&found.list[i], bytes, v->records, inflater, arena, &part))
			open_layer(o, parts, &found.list[i], part);
	}
	struct repair *more = layers_repair(&found, bytes, v->tc->size);
	struct repair *known = v->records ? v->records->repair : NULL;
	o->repair = more ? repair_join(known, more) : known ? repair_ref(known) : NULL;
	repair_unref(more);
	layers_release(&found);
	inflater_free(inflater);
	return true;
}

static struct edit open_words(const struct view *v, uint32_t depth, struct arena *arena);

/* All that can be opened in V, which is what a word says. */
static struct edit open_all(const struct view *v, uint32_t depth, struct arena *arena)
{
	struct opened o;
	struct edit edit = EDIT_NONE;
	if (open_layers(v, arena, &o) && o.n)
		edit = (struct edit){ o.first[o.n], o.parts };
	else
		edit = open_words(v, depth, arena);
	if (o.repair && edit.n)
		edit = repair_edit(o.repair, v->tc->bytes, edit, arena);
	repair_unref(o.repair);
	return edit;
}

/* All that can be opened in words of V. */
static struct edit open_words(const struct view *v, uint32_t depth, struct arena *arena)
{
	struct coded_list words;
	struct edit all = EDIT_NONE;
	if (depth == WITHIN_DEPTH)
		return all;
	within_words(v, depth, &words);
	for (uint32_t i = 0; i < words.n; i++) {
		struct view *w = within_view(v, &words.list[i]);
		struct edit within = w ? open_all(w, depth + 1, arena) : EDIT_NONE, next;
		if (within.n)
			within = coded_edit(&words.list[i], v->tc->bytes, w->tc->bytes, within,
			                    arena);
		if (edit_union(arena, all, within, &next))
			all = next;
		view_unref(w);
	}
	coded_release(&words);
	return all;
}

static void layers_open(struct places *p, uint32_t level, const struct strategy_options *options)
{
	(void)level, (void)options;
	struct opened *o = arena_alloc(&p->arena, sizeof *o);
	if (!open_layers(p->view, &p->arena, o))
		return;
	if (!o->n) {
		struct edit edit = open_words(p->view, 0, &p->arena);
		o->first = arena_alloc(&p->arena, 2 * sizeof *o->first);
		o->first[0] = 0;
		o->first[1] = edit.n;
		o->parts = edit.parts;
		o->n = edit.n > 0;
	}
	places_repair(p, o->repair);
	p->data = o;
	p->n = o->n > 1 ? 1 + o->n : o->n;
}

static bool layers_edit(const struct places *p, uint32_t i, uint32_t j, struct arena *arena,
                        struct edit *out)
{
	(void)j;
	const struct opened *o = p->data;
	uint32_t from = i ? o->first[i - 1] : 0, to = i ? o->first[i] : o->first[o->n];
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
