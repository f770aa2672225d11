#include "hook/hook_unchecked.h"

#include <stdlib.h>
#include <string.h>

#include "base/buf.h"
#include "base/mem.h"
#include "hook/hook_text.h"

enum { SHOWN = 5 }; /* files that are named for each reason */

static size_t find_reason(struct hook_unchecked_list *list, const char *why)
{
	for (size_t i = 0; i < list->n_reasons; i++)
		if (!strcmp(list->reasons[i], why))
			return i;
	MEM_GROW(list->reasons, list->n_reasons, list->cap_reasons);
	list->reasons[list->n_reasons] = mem_strdup(why);
	return list->n_reasons++;
}

void hook_unchecked_add(struct hook_unchecked_list *list, const char *path, const char *driver,
                        bool blocks, const char *why)
{
	MEM_GROW(list->files, list->n_files, list->cap_files);
	list->files[list->n_files++] =
		(struct hook_unchecked_file){ mem_strdup(path), find_reason(list, why) };
	if (blocks && !list->blocked_by)
		list->blocked_by = mem_strdup(driver);
}

static void add_files(struct buf *out, const struct hook_unchecked_list *list, size_t why)
{
	size_t n = 0;
	for (size_t i = 0; i < list->n_files; i++) {
		if (list->files[i].why != why || ++n > SHOWN)
			continue;
		char *path = hook_quoted(list->files[i].path);
		buf_addf(out, "%s%s", n > 1 ? ", " : "", path);
		free(path);
	}
	if (n > SHOWN)
		buf_addf(out, " and %zu more", n - SHOWN);
}

char *hook_unchecked_line(const struct hook_unchecked_list *list, size_t of)
{
	struct buf out = { 0 };
	buf_addf(&out, "not checked: %zu of %zu file%s: ", list->n_files, of, of == 1 ? "" : "s");
	for (size_t i = 0; i < list->n_reasons; i++) {
		char *why = hook_shown(list->reasons[i], 1000);
		buf_addf(&out, "%s", i ? "; " : "");
		add_files(&out, list, i);
		for (char *p = why; *p; p++)
			*p = *p == '\n' ? ' ' : *p;
		buf_addf(&out, " (%s)", why);
		free(why);
	}
	return out.data;
}

void hook_unchecked_release(struct hook_unchecked_list *list)
{
	for (size_t i = 0; i < list->n_files; i++)
		free(list->files[i].path);
	for (size_t i = 0; i < list->n_reasons; i++)
		free(list->reasons[i]);
	free(list->files);
	free(list->reasons);
	free(list->blocked_by);
	*list = (struct hook_unchecked_list){ 0 };
}
