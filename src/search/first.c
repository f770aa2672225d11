#include "search/first.h"

struct first {
	struct search s;
	struct edit_sites *edit_sites;
	struct first_cursor next; /* to be proposed */
	struct first_cursor window[FIRST_WINDOW];
	bool yes[FIRST_WINDOW];
	uint32_t n, asked, told;
};

static bool edit_at(const struct first *f, struct first_cursor at, struct arena *arena,
                    struct edit *out)
{
	return edit_sites_cut(f->edit_sites, at.i, at.j, arena, out) && out->n;
}

/* Fills the window with the next places that have an edit. */
static void fill(struct first *f)
{
	f->n = f->asked = f->told = 0;
	while (f->n < FIRST_WINDOW && f->next.i < f->edit_sites->n) {
		uint32_t ends = edit_sites_ends(f->edit_sites, f->next.i);
		if (f->next.j >= ends) {
			f->next = (struct first_cursor){ f->next.i + 1, 0 };
			continue;
		}
		ARENA_SCOPED struct arena scratch = { 0 };
		struct edit edit;
		f->window[f->n] = f->next;
		f->yes[f->n] = false;
		f->n += edit_at(f, f->next, &scratch, &edit);
		f->next.j++;
	}
	f->s.n_rounds++;
	f->s.done = !f->n;
}

static bool first_next(struct search *s, struct arena *arena, struct question *q)
{
	struct first *f = (struct first *)s;
	if (s->done || f->asked == f->n)
		return false;
	*q = (struct question){ .id = f->asked++ };
	return edit_at(f, f->window[q->id], arena, &q->edit);
}

/* The whole window is known: only then is it clear, at any number of workers, what comes next. */
static void settle(struct first *f)
{
	for (uint32_t i = 0; i < f->n; i++) {
		struct arena scratch = { 0 };
		struct edit edit;
		if (f->yes[i] && edit_at(f, f->window[i], &scratch, &edit)) {
			search_accept(&f->s, edit);
			f->next = (struct first_cursor){ f->window[i].i, f->window[i].j + 1 };
			f->s.done = true;
		}
		arena_release(&scratch);
		if (f->s.done)
			return;
	}
	fill(f);
}

static void first_tell(struct search *s, uint32_t id, bool interesting)
{
	struct first *f = (struct first *)s;
	f->yes[id] = interesting;
	if (++f->told == f->n)
		settle(f);
}

static void first_free(struct search *s)
{
	struct first *f = (struct first *)s;
	edit_sites_unref(f->edit_sites);
	edit_drop(s->accepted);
	free(f);
}

static struct search *first_clone(const struct search *s)
{
	struct first *f = mem_dup(s, sizeof *f);
	edit_sites_ref(f->edit_sites);
	f->s.accepted = edit_keep(s->accepted);
	return &f->s;
}

struct search *first_new(struct edit_sites *edit_sites, struct first_cursor from)
{
	static const struct search_ops ops = { first_next, first_tell, first_clone, first_free };
	struct first *f = mem_zero(1, sizeof *f);
	f->s.ops = &ops;
	f->edit_sites = edit_sites_ref(edit_sites);
	f->next = from;
	fill(f);
	return &f->s;
}

struct first_cursor first_cursor(const struct search *search)
{
	return ((const struct first *)search)->next;
}
