#include "lang/tokenizer_span.h"

#include <ctype.h>
#include <string.h>

#include "lang/pattern.h"
#include "lang/tokenizer_def.h"

/* Length of the class, escape or literal that P begins with; 0 when it is something else. */
static size_t atom_length(const char *p)
{
	if (*p == '[') {
		const char *s = p + 1;
		s += *s == '^';
		s += *s == ']';
		while (*s && *s != ']') {
			const char *posix = *s == '[' && s[1] == ':' ? strstr(s + 2, ":]") : NULL;
			if (posix)
				s = posix + 2;
			else
				s += *s == '\\' && s[1] ? 2 : 1;
		}
		return *s ? (size_t)(s - p) + 1 : 0;
	}
	if (*p == '\\')
		return p[1] && (strchr("wWdDsShHvVnrtfNae", p[1]) || ispunct((unsigned char)p[1]))
		               ? 2
		               : 0;
	return *p && !strchr("^$.|()?*+{", *p) ? 1 : 0;
}

/* Sets out[b] for each byte that the atom matches by itself. */
static bool expand(const char *atom, size_t len, bool ignore_case, bool out[256])
{
	int code;
	size_t offset;
	uint32_t options = PCRE2_ANCHORED | PCRE2_ENDANCHORED | PCRE2_DOLLAR_ENDONLY |
	                   (ignore_case ? PCRE2_CASELESS : 0);
	pcre2_compile_context *context = pattern_compile_context();
	pcre2_code *re = pcre2_compile((PCRE2_SPTR)atom, len, options, &code, &offset, context);
	pcre2_compile_context_free(context);
	if (!re)
		return false;
	pcre2_match_data *match = pattern_match_data(1);
	for (unsigned b = 0; b < 256; b++) {
		PCRE2_UCHAR byte = (PCRE2_UCHAR)b;
		out[b] = pcre2_match(re, &byte, 1, 0, 0, match, NULL) >= 0;
	}
	pcre2_match_data_free(match);
	pcre2_code_free(re);
	return true;
}

void span_recognise(const char *pattern, bool ignore_case, struct rule *rule)
{
	size_t len = strlen(pattern);
	bool quoted = len == 5 && !memcmp(pattern, "\\Q", 2) && !memcmp(pattern + 3, "\\E", 2);
	memset(rule->tail, 0, sizeof rule->tail);
	if (quoted) {
		memset(rule->head, 0, sizeof rule->head);
		rule->head[(uint8_t)pattern[2]] = true;
		if (ignore_case) {
			rule->head[(uint8_t)tolower((unsigned char)pattern[2])] = true;
			rule->head[(uint8_t)toupper((unsigned char)pattern[2])] = true;
		}
		rule->span = true;
		return;
	}
	size_t first = atom_length(pattern);
	if (!first || !expand(pattern, first, ignore_case, rule->head))
		return;
	const char *rest = pattern + first;
	if (!*rest) {
		rule->span = true;
	} else if (!strcmp(rest, "+") || !strcmp(rest, "++")) {
		memcpy(rule->tail, rule->head, sizeof rule->tail);
		rule->span = true;
	} else {
		size_t second = atom_length(rest);
		const char *end = rest + second;
		rule->span = second && (!strcmp(end, "*") || !strcmp(end, "*+")) &&
		             expand(rest, second, ignore_case, rule->tail);
	}
}
