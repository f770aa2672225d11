#include "search/search.h"

void search_accept(struct search *s, struct edit edit)
{
	struct edit old = s->accepted;
	s->accepted = edit_keep(edit);
	edit_drop(old);
	s->n_accepted++;
}
