/* Layers (text/layers.h) opened: all of them first, then one by one. A pump, since what is open is
 * larger than what is packed. */
#include "base/mem.h"
#include "search/strategies.h"
#include "text/layers.h"

/* The parts that open each layer, and what has to change with them. */
struct opened {
	uint32_t n;
	uint32_t *first; /* n + 1: parts of each */
	struct edit_part *parts;
};

/* The second part of a layer that goes over several records are those behind its own. */
static void open_layer(struct opened *o, const struct layer *l, struct edit_part part)
{
	uint32_t at = o->first[o->n];
	o->parts[at++] = part;
	if (l->n_records > 1)
		o->parts[at++] = (struct edit_part){ .begin = l->tail, .end = l->last };
	o->first[++o->n] = at;
}

static void layers_open(struct places *p, uint32_t level, const struct strategy_options *options)
{
	(void)level, (void)options;
	const struct view *v = p->view;
	struct layers found;
	struct inflater *inflater = inflater_new();
	struct opened *o = arena_alloc(&p->arena, sizeof *o);
	const uint8_t *bytes = v->tc->bytes;
	if (v->tc->is_tree || (v->spans && !v->records) || !inflater) {
		inflater_free(inflater);
		return;
	}
	layers_find(bytes, v->tc->size, v->records, &found);
	o->n = 0;
	o->first = arena_alloc(&p->arena, (found.n + (size_t)1) * sizeof *o->first);
	o->parts = arena_alloc(&p->arena, (2 * (size_t)found.n + 1) * sizeof *o->parts);
	o->first[0] = 0;
	for (uint32_t i = 0; i < found.n; i++) {
		struct edit_part part;
		if (!found.list[i].stored &&
		    layer_open(&found.list[i], bytes, v->records, inflater, &p->arena, &part))
			open_layer(o, &found.list[i], part);
	}
	struct repair *more = layers_repair(&found, bytes, v->tc->size);
	if (more)
		places_repair(p, repair_join(v->records ? v->records->repair : NULL, more));
	else
		places_repair(p, v->records ? repair_ref(v->records->repair) : NULL);
	repair_unref(more);
	layers_release(&found);
	inflater_free(inflater);
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
