#include "search/search.h"

#include <stdlib.h>

struct edit search_keep(struct edit edit)
{
	return (struct edit){ edit.n, mem_dup(edit.parts, edit.n * sizeof *edit.parts) };
}

void search_drop(struct edit edit)
{
	free((void *)edit.parts);
}

void search_accept(struct search *s, struct edit edit)
{
	struct edit old = s->accepted;
	s->accepted = search_keep(edit);
	search_drop(old);
	s->n_accepted++;
}
