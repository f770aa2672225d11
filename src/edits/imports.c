#include "edits/imports.h"

#include <ctype.h>
#include <stdbool.h>

#include "edits/solid.h"

static bool is_version(const uint8_t *text, uint32_t len)
{
	if (len < 2 || *text != 'v')
		return false;
	for (uint32_t i = 1; i < len; i++)
		if (!isdigit(text[i]))
			return false;
	return true;
}

/* Where the last part of TEXT[FROM, END) begins, which is behind the last SIGN. */
static uint32_t last_part(const uint8_t *text, uint32_t from, uint32_t end, uint8_t sign)
{
	while (end > from && text[end - 1] != sign)
		end--;
	return end;
}

const uint8_t *imports_name(const struct view *v, uint32_t token, uint32_t *len)
{
	const uint8_t *text = token_text(v, token, len);
	uint32_t end = *len ? *len - 1 : 0, from = last_part(text, 1, end, '/');
	if (from > 1 && is_version(text + from, end - from)) {
		end = from - 1;
		from = last_part(text, 1, end, '/');
	}
	uint32_t version = last_part(text, from, end, '.');
	if (version > from + 1 && is_version(text + version, end - version))
		end = version - 1;
	*len = end > from ? end - from : 0;
	return text + from;
}
