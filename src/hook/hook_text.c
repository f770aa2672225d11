#include "hook/hook_text.h"

#include <stdbool.h>
#include <stddef.h>
#include <string.h>

#include "base/buf.h"
#include "base/show.h"

const char *hook_base_name(const char *path)
{
	const char *slash = strrchr(path, '/');
	return slash ? slash + 1 : path;
}

/* Adds the character at *TEXT and moves *TEXT behind it. */
static void add_shown(struct buf *out, const char **text, const char *allowed)
{
	bool obeyed;
	size_t n = show_next(*text, strlen(*text), &obeyed);
	if (obeyed && !strchr(allowed, **text))
		buf_addch(out, '?');
	else
		buf_add(out, *text, n);
	*text += n;
}

char *hook_quoted(const char *text)
{
	struct buf out = { 0 };
	static const char safe[] =
		"abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-./+,@%";
	if (*text && *text != '-' && !text[strspn(text, safe)]) {
		buf_addf(&out, "%s", text);
		return out.data;
	}
	buf_addch(&out, '\'');
	while (*text)
		if (*text == '\'') {
			buf_addf(&out, "'\\''");
			text++;
		} else
			add_shown(&out, &text, "");
	buf_addch(&out, '\'');
	return out.data;
}

char *hook_shown(const char *text, unsigned most)
{
	struct buf out = { 0 };
	buf_add(&out, "", 0);
	while (*text && out.len < most)
		add_shown(&out, &text, "\n\t");
	return out.data;
}
