#include "integ/hook_text.h"

#include <stdbool.h>
#include <stddef.h>
#include <string.h>

#include "base/buf.h"

const char *hook_base_name(const char *path)
{
	const char *slash = strrchr(path, '/');
	return slash ? slash + 1 : path;
}

/* Bytes of the character of UTF-8 at P, which ends in a NUL; 0: there is none. */
static size_t utf8_length(const unsigned char *p)
{
	size_t n = *p < 0x80                 ? 1
	           : *p >= 0xc2 && *p < 0xe0 ? 2
	           : (*p & 0xf0) == 0xe0     ? 3
	           : *p >= 0xf0 && *p < 0xf5 ? 4
	                                     : 0;
	for (size_t i = 1; i < n; i++)
		if ((p[i] & 0xc0) != 0x80)
			return 0;
	return n;
}

/* Would a terminal obey the character of N bytes at P? 0: a byte that is none. */
static bool is_control(const unsigned char *p, size_t n)
{
	if (n == 0)
		return *p < 0xa0;
	return *p < ' ' || *p == 127 || (n == 2 && *p == 0xc2 && p[1] < 0xa0);
}

/* Adds the character at *TEXT and steps over it. */
static void add_shown(struct buf *out, const char **text, const char *allowed)
{
	const unsigned char *p = (const unsigned char *)*text;
	size_t n = utf8_length(p);
	if (is_control(p, n) && !strchr(allowed, *p))
		buf_addch(out, '?');
	else
		buf_add(out, p, n ? n : 1);
	*text += n ? n : 1;
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
