#include "search/search.h"

#include <stdlib.h>
#include <string.h>

/* One block: the parts, behind them their texts. */
struct edit search_keep(struct edit edit)
{
	size_t parts_size = edit.n * sizeof *edit.parts, text_size = 0;
	for (uint32_t i = 0; i < edit.n; i++)
		text_size += edit.parts[i].len;
	struct edit_part *parts = mem_alloc(parts_size + text_size + 1);
	uint8_t *text = (uint8_t *)parts + parts_size;
	for (uint32_t i = 0; i < edit.n; i++) {
		parts[i] = edit.parts[i];
		if (!parts[i].len)
			continue;
		memcpy(text, parts[i].text, parts[i].len);
		parts[i].text = text;
		text += parts[i].len;
	}
	return (struct edit){ edit.n, parts };
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
