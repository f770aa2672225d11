#include "lang/tokenizer_join.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "base/buf.h"
#include "base/err.h"
#include "base/mem.h"
#include "lang/pattern.h"
#include "lang/tokenizer_def.h"

static int on_item(pcre2_callout_enumerate_block *block, void *data)
{
	size_t *items = data;
	items[block->pattern_position] = block->next_item_length;
	return 0;
}

static int on_own_callout(pcre2_callout_enumerate_block *block, void *data)
{
	size_t *behind = data;
	*behind = block->pattern_position;
	return 1;
}

/* Where the first callout of the pattern's own is; SIZE_MAX: it has none. */
static size_t own_callout(const char *pattern, const pcre2_code *re)
{
	size_t at = SIZE_MAX;
	if (!pcre2_callout_enumerate(re, on_own_callout, &at))
		return SIZE_MAX;
	while (at && strncmp(pattern + at, "(?C", 3) != 0)
		at--;
	return at;
}

/* Where the first verb is, or \K. Verbs in front of all items are settings. */
static size_t own_verb(const char *pattern, const size_t *items)
{
	if (!strncmp(pattern, "(*", 2))
		return 0;
	for (size_t at = 0; pattern[at]; at++)
		if (items[at] > 1 &&
		    (!strncmp(pattern + at, "(*", 2) || !strncmp(pattern + at, "\\K", 2)))
			return at;
	return SIZE_MAX;
}

static int refuse(const struct tokenizer *tok, const struct rule *rule, size_t at, struct err *err)
{
	const char *what = rule->pattern + at;
	return err_set(err, ERR_USAGE, "%s:%u:%u: expected a pattern without \"%.*s\"", tok->file,
	               rule->line, rule->column + (unsigned)at,
	               *what == '(' && what[1] == '?' ? 3 : 2, what);
}

/* Whether a ")" behind the pattern would be a part of it, since it ends with a comment. */
static bool ends_with_comment(const struct tokenizer *tok, const struct rule *rule)
{
	struct err ignored;
	if (!strchr(rule->pattern, '#'))
		return false;
	char *longer = mem_printf("%s\\E)", rule->pattern);
	pcre2_code *re = tokenizer_pattern(tok, longer, rule->line, rule->column, 0, &ignored);
	free(longer);
	pcre2_code_free(re);
	return re != NULL;
}

/* Where the number of a group is in the item of LEN bytes at P; 0: it names none, or one by its
 * distance, which stays as it is. */
static size_t number_at(const char *p, size_t len)
{
	static const char *const before[] = { "\\g", "\\g{", "\\g<", "\\g'", "(?", "(?(", "(?(R" };
	if (len > 1 && *p == '\\' && p[1] >= '1' && p[1] <= '9')
		return 1;
	for (size_t i = 0; i < sizeof before / sizeof *before; i++) {
		size_t n = strlen(before[i]);
		if (len <= n || strncmp(p, before[i], n) != 0 || !isdigit((unsigned char)p[n]))
			continue;
		/* "R1x" is a name */
		return n < 4 || p[n + strspn(p + n, "0123456789")] == ')' ? n : 0;
	}
	return 0;
}

static bool is_recursion(const char *p, size_t len)
{
	return len > 3 && !strncmp(p, "(?R", 3);
}

static bool refers_to_whole(const char *pattern, const size_t *items)
{
	for (size_t at = 0; pattern[at]; at++) {
		const char *p = pattern + at;
		size_t number = number_at(p, items[at]);
		if (is_recursion(p, items[at]) || (number && !strtoul(p + number, NULL, 10)))
			return true;
	}
	return false;
}

/* Makes numbers of repetitions 1, or 0, with as many digits: a group that is repeated is compiled
 * as often, and with callouts soon becomes too large. The items stay where they are, also where
 * such braces mean something else, but for bytes: those can be the ends of a range. */
static void repeat_once(char *pattern)
{
	for (char *p = strchr(pattern, '{'); p; p = strchr(p + 1, '{')) {
		size_t len = strspn(p + 1, "0123456789,");
		bool byte = p > pattern + 1 && p[-2] == '\\' && (p[-1] == 'x' || p[-1] == 'o');
		if (p[1 + len] != '}' || byte)
			continue;
		for (char *digit = p + 1, *end = digit + len; digit < end; digit++) {
			size_t n = strspn(digit, "0123456789");
			if (!n)
				continue;
			bool any = strspn(digit, "0") < n;
			memset(digit, '0', n);
			digit += n - 1;
			*digit = any ? '1' : '0';
		}
	}
}

/* Finds the items of a pattern that compiles. */
static int find_items(struct join *join, const struct tokenizer *tok, const struct rule *rule,
                      struct err *err)
{
	char *once = mem_strdup(rule->pattern);
	repeat_once(once);
	pcre2_code *re =
		tokenizer_pattern(tok, once, rule->line, rule->column, PCRE2_AUTO_CALLOUT, err);
	free(once);
	if (!re)
		return -1;
	join->items = mem_zero(strlen(rule->pattern) + 1, sizeof *join->items);
	pcre2_callout_enumerate(re, on_item, join->items);
	pcre2_code_free(re);
	return 0;
}

int join_open(struct join *join, const struct tokenizer *tok, const struct rule *rule,
              struct err *err)
{
	const char *pattern = rule->pattern;
	*join = (struct join){ .pattern = pattern };
	pcre2_code *re = tokenizer_pattern(tok, pattern, rule->line, rule->column, 0, err);
	if (!re)
		return -1;
	uint32_t groups = 0;
	pcre2_pattern_info(re, PCRE2_INFO_CAPTURECOUNT, &groups);
	size_t refused = own_callout(pattern, re);
	pcre2_code_free(re);
	if (refused != SIZE_MAX)
		return refuse(tok, rule, refused, err);
	if (find_items(join, tok, rule, err))
		return -1;
	refused = own_verb(pattern, join->items);
	if (refused != SIZE_MAX) {
		join_release(join);
		return refuse(tok, rule, refused, err);
	}
	join->groups = groups;
	join->whole = refers_to_whole(pattern, join->items);
	join->comment = ends_with_comment(tok, rule);
	return 0;
}

/* Appends the escape at P, "\" and a decimal number: a group, or (several digits, and no such
 * group) a byte in octal. Returns what is behind it. */
static const char *add_numbered(const struct join *join, const char *p, unsigned base,
                                struct buf *out)
{
	char *end;
	unsigned long number = strtoul(p + 1, &end, 10);
	if (number < 10 || p[1] > '7' || number <= join->groups) {
		buf_addf(out, "\\g{%lu}", base + number);
		return end;
	}
	size_t digits = strspn(p + 1, "01234567");
	digits = digits < 3 ? digits : 3;
	buf_addf(out, "\\o{%.*s}", (int)digits, p + 1);
	return p + 1 + digits;
}

void join_add(const struct join *join, unsigned base, struct buf *out)
{
	for (const char *p = join->pattern; *p;) {
		size_t len = join->items[p - join->pattern], number = number_at(p, len);
		if (is_recursion(p, len)) {
			buf_addf(out, "(?%u", base);
			p += 3;
		} else if (number == 1) {
			p = add_numbered(join, p, base, out);
		} else if (number) {
			char *end;
			unsigned long group = strtoul(p + number, &end, 10);
			buf_addf(out, "%.*s%lu", (int)number, p, base + group);
			p = end;
		} else {
			buf_addch(out, *p++);
		}
	}
	buf_addf(out, join->comment ? "\n\\E" : "\\E");
}

void join_release(struct join *join)
{
	free(join->items);
	join->items = NULL;
}
