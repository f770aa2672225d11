#include "disk/leftovers.h"

#include <fcntl.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/buf.h"
#include "base/err.h"
#include "base/io.h"
#include "base/mem.h"
#include "disk/replace_item.h"

/* Is NAME "PATH.whittle-TOKEN" for any path? */
static bool is_listed_name(const char *name)
{
	char *path = mem_strdup(name), *mark = strrchr(path, '.');
	bool is = *path == '/' && mark && mark != path;
	if (is) {
		*mark = '\0';
		is = replacement_is_name(name, path);
	}
	free(path);
	return is;
}

/* With each of the endings that replace.c and output.c give to it. */
static void remove_leftovers(const char *name)
{
	static const char *const endings[] = { "", "-", "-r", "-o" };
	for (size_t i = 0; i < sizeof endings / sizeof *endings; i++) {
		char *path = mem_printf("%s%s", name, endings[i]);
		io_remove_tree(AT_FDCWD, path);
		free(path);
	}
}

int leftovers_remove(const char *list, struct err *err)
{
	struct buf text = { 0 };
	if (access(list, F_OK) < 0)
		return 0;
	if (io_read_kept(list, &text, err) < 0)
		return err->code == ERR_USAGE
		               ? err_context(err, "the list of what a killed run has left is "
		                                  "damaged and may be removed")
		               : -1;
	for (size_t at = 0; at < text.len; at += strlen(text.data + at) + 1)
		if (is_listed_name(text.data + at))
			remove_leftovers(text.data + at);
	buf_release(&text);
	return 0;
}

int leftovers_claim(const char *list, char *const *paths, uint32_t n, const char *token,
                    struct err *err)
{
	struct buf text = { 0 };
	if (leftovers_remove(list, err) < 0)
		return -1;
	for (uint32_t i = 0; i < n; i++) {
		char *name = replacement_name(paths[i], token, "");
		buf_add(&text, name, strlen(name) + 1);
		free(name);
	}
	int rc = io_replace_entry(list, text.data, text.len, 0644, err);
	io_remove_leftovers(list);
	buf_release(&text);
	return rc;
}
