#include "config.h"

#include <ctype.h>

#include "base/buf.h"
#include "base/err.h"
#include "base/mem.h"
#include "base/signals.h"
#include "lang/pattern.h"
#include "lang/tokenizer_def.h"

/* Patterns simple enough for a table: one byte of a class, then any number of bytes of a class. */

struct join {
	const char *pattern; /* the rule's */
	size_t *items;       /* by offset: bytes of the item that begins there; 0: none does */
	unsigned groups;     /* it has so many */
	bool whole;          /* it refers to itself as a whole: it has to be a group, number BASE */
	bool comment;        /* it ends with a comment that a newline has to end */
};

static void join_release(struct join *join);

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

/* Recognises "A", "A+", "AB*" (also with a possessive +) where A and B are a class in brackets, an
 * escape like \w, or a literal byte, and "\Qx\E" of one byte; fills in span, head and tail of RULE.
 * Most tokens of most languages are of this form (names, white space, punctuation), and need no
 * call of the matcher. */
static void span_recognise(const char *pattern, bool ignore_case, struct rule *rule)
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

/* Patterns that become alternatives of one program: what must not be in them, and their group
 * numbers, which mean the pattern's own groups wherever it comes to stand.
 *
 * Where an item of a pattern begins is asked of PCRE2, which places a callout before each
 * (PCRE2_AUTO_CALLOUT): what is a comment, quoted or in a class is its decision, and a second
 * reader that decides otherwise could be made to overlook something.
 *
 * Life cycle: join_open; join_add; join_release.
 */

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
	if (!strchr(rule->pattern, '#'))
		return false;
	MEM_SCOPED char *longer = mem_printf("%s\\E)", rule->pattern);
	pcre2_code *re = tokenizer_pattern(tok, longer, rule->line, rule->column, 0, NULL);
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
	MEM_SCOPED char *once = mem_strdup(rule->pattern);
	repeat_once(once);
	pcre2_code *re =
		tokenizer_pattern(tok, once, rule->line, rule->column, PCRE2_AUTO_CALLOUT, err);
	if (!re)
		return -1;
	join->items = mem_zero(strlen(rule->pattern) + 1, sizeof *join->items);
	pcre2_callout_enumerate(re, on_item, join->items);
	pcre2_code_free(re);
	return 0;
}

/* Reads the pattern of RULE. 0, or -1 with err: it is no pattern, or it has what belongs to the
 * program (callouts, verbs, marks) or makes a token of no bytes (\K). */
static int join_open(struct join *join, const struct tokenizer *tok, const struct rule *rule,
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

/* Appends the pattern, to be behind BASE other groups. What is behind it is read as by itself. */
static void join_add(const struct join *join, unsigned base, struct buf *out)
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

static void join_release(struct join *join)
{
	free(join->items);
	join->items = NULL;
}

/* What every pattern of a definition is compiled with. Files are bytes: "(*UTF)" is refused. */
static uint32_t base_options(const struct tokenizer *tok)
{
	return PCRE2_MULTILINE | PCRE2_NEVER_UTF | PCRE2_NEVER_UCP |
	       (tok->ignore_case ? PCRE2_CASELESS : 0);
}

static pcre2_code *compile(const char *pattern, size_t len, uint32_t options, int *code,
                           size_t *offset)
{
	pcre2_compile_context *context = pattern_compile_context();
	pcre2_set_newline(context, PCRE2_NEWLINE_ANYCRLF);
	pcre2_set_bsr(context, PCRE2_BSR_ANYCRLF);
	pcre2_code *re = pcre2_compile((PCRE2_SPTR)pattern, len, options, code, offset, context);
	pcre2_compile_context_free(context);
	return re;
}

static int pattern_error(const struct tokenizer *tok, unsigned line, unsigned column, int code,
                         struct err *err)
{
	PCRE2_UCHAR text[256];
	pcre2_get_error_message(code, text, sizeof text);
	return err_set(err, ERR_USAGE, "%s:%u:%u: %s", tok->file, line, column, (char *)text);
}

bool tokenizer_jit(pcre2_code *code)
{
#ifdef NO_JIT
	(void)code;
	return false;
#else
	return !pcre2_jit_compile(code, PCRE2_JIT_COMPLETE | PCRE2_JIT_PARTIAL_HARD);
#endif
}

pcre2_code *tokenizer_pattern(const struct tokenizer *tok, const char *pattern, unsigned line,
                              unsigned column, uint32_t options, struct err *err)
{
	int code;
	size_t offset;
	pcre2_code *re =
		compile(pattern, strlen(pattern), base_options(tok) | options, &code, &offset);
	if (!re)
		pattern_error(tok, line, column + (unsigned)offset, code, err);
	return re;
}

/* Which bytes a match can begin with, as PCRE2 knows it. A leading "^" would hide it, so it is left
 * out. */
static int find_starts(const struct tokenizer *tok, struct rule *rule, struct err *err)
{
	const char *pattern = rule->pattern[0] == '^' ? rule->pattern + 1 : rule->pattern;
	pcre2_code *re = tokenizer_pattern(tok, pattern, rule->line, rule->column, 0, err);
	if (!re)
		return -1;
	uint32_t type = 0, unit = 0;
	const uint8_t *bitmap = NULL;
	pcre2_pattern_info(re, PCRE2_INFO_FIRSTCODETYPE, &type);
	pcre2_pattern_info(re, PCRE2_INFO_FIRSTCODEUNIT, &unit);
	pcre2_pattern_info(re, PCRE2_INFO_FIRSTBITMAP, &bitmap);
	for (unsigned b = 0; b < 256; b++) {
		if (type == 1)
			rule->starts[b] = (unsigned)tolower((int)b) == (unsigned)tolower((int)unit);
		else
			rule->starts[b] = type == 2 || !bitmap || bitmap[b / 8] & 1u << b % 8;
	}
	pcre2_code_free(re);
	return 0;
}

static int check_rule(const struct tokenizer *tok, const struct rule *rule, unsigned groups,
                      struct err *err)
{
	pcre2_code *re = tokenizer_pattern(tok, rule->pattern, rule->line, rule->column,
	                                   PCRE2_ANCHORED, err);
	if (!re)
		return -1;
	pcre2_match_data *match = pattern_match_data(1);
	pcre2_match_context *context = pattern_match_context();
	pcre2_set_match_limit(context, TOKENIZER_STEPS);
	int rc = pcre2_match(re, (PCRE2_SPTR) "", 0, 0, 0, match, context);
	pcre2_match_context_free(context);
	pcre2_match_data_free(match);
	pcre2_code_free(re);
	if (rc >= 0)
		return err_set(err, ERR_USAGE,
		               "%s:%u:%u: expected a pattern that matches at least one byte",
		               tok->file, rule->line, rule->column);
	if ((rule->tag || rule->here_doc) && !groups)
		return err_set(err, ERR_USAGE, "%s:%u:%u: expected a group (...) around the %s",
		               tok->file, rule->line, rule->column,
		               rule->tag ? "name of the tag" : "delimiter");
	return 0;
}

/* Appends one alternative: "(?:guard pattern (*:number))". */
static void add_alternative(struct tokenizer *tok, size_t index, const struct join *join,
                            unsigned *base, struct buf *out)
{
	struct rule *rule = &tok->rules[index];
	buf_addf(out, index ? "|(?:" : "(?:");
	if (rule->guard != GUARD_NONE) {
		unsigned n = 0, last = 0;
		for (unsigned b = 0; b < 256; b++)
			if (rule->starts[b])
				n++, last = b;
		if (n == 1)
			buf_addf(out, "(?=\\x%02x)", last);
		buf_addf(out, "(?C%d)", rule->guard);
	}
	*base += join->whole;
	buf_addf(out, join->whole ? "(" : "(?:");
	rule->capture = *base + 1;
	join_add(join, *base, out);
	*base += join->groups;
	buf_addf(out, ")(*:%zu))", index);
	if (rule->tag || rule->here_doc)
		tok->captures = rule->capture;
}

/* Checks rule INDEX and appends it to the program, behind *BASE groups. */
static int take_rule(struct tokenizer *tok, size_t index, unsigned *base, struct buf *out,
                     struct err *err)
{
	struct rule *rule = &tok->rules[index];
	struct join join;
	if (signals_check("compiling a tokenizer", err) || join_open(&join, tok, rule, err))
		return -1;
	int rc = check_rule(tok, rule, join.groups, err);
	if (!rc)
		rc = find_starts(tok, rule, err);
	if (!rc)
		add_alternative(tok, index, &join, base, out);
	join_release(&join);
	return rc;
}

static int compile_program(struct tokenizer *tok, struct err *err)
{
	BUF_SCOPED struct buf text = { 0 };
	MEM_SCOPED size_t *ends = mem_zero(tok->n_rules, sizeof *ends);
	unsigned base = 0;
	int rc = 0;
	for (size_t i = 0; i < tok->n_rules && !rc; i++) {
		rc = take_rule(tok, i, &base, &text, err);
		ends[i] = text.len;
	}
	if (!rc && tok->n_rules) {
		int code;
		size_t offset, i = 0;
		uint32_t options = base_options(tok) | PCRE2_ANCHORED | PCRE2_NO_START_OPTIMIZE;
		tok->program = compile(text.data, text.len, options, &code, &offset);
		while (!tok->program && i + 1 < tok->n_rules && ends[i] < offset)
			i++;
		if (!tok->program)
			rc = pattern_error(tok, tok->rules[i].line, tok->rules[i].column, code,
			                   err);
		else
			tok->jit = tokenizer_jit(tok->program);
	}
	return rc;
}

/* For each byte the first rule that can begin with it; rules whose guard may keep them from
 * matching are only noted. */
static void fill_dispatch(struct tokenizer *tok)
{
	for (unsigned b = 0; b < 256; b++) {
		struct dispatch *d = &tok->first[b];
		*d = (struct dispatch){ .type = DISPATCH_OTHER };
		for (size_t i = 0; i < tok->n_rules && d->type == DISPATCH_OTHER; i++) {
			const struct rule *rule = &tok->rules[i];
			if (!rule->starts[b])
				continue;
			if (rule->guard != GUARD_NONE) {
				d->guards |= (uint64_t)1 << rule->guard;
				continue;
			}
			d->type = rule->span && rule->head[b] ? DISPATCH_SPAN : DISPATCH_PROGRAM;
			d->rule = (uint16_t)i;
		}
	}
}

static uint32_t word_hash(const struct tokenizer *tok, const uint8_t *text, uint32_t len)
{
	uint32_t h = len, fold = tok->ignore_case ? 0x20 : 0;
	for (uint32_t i = 0; i < len; i++)
		h = (h ^ (text[i] | fold)) * 0x01000193u;
	return h ^ h >> 15;
}

static void fill_words(struct tokenizer *tok)
{
	map_reserve(&tok->word_map, tok->n_words);
	for (size_t i = 0; i < tok->n_words; i++) {
		const struct word *word = &tok->words[i];
		const uint8_t *text = (const uint8_t *)word->text;
		map_add(&tok->word_map, word_hash(tok, text, word->len), (uint32_t)i);
		tok->word_lengths[text[0]] |= 1u << word->len;
		if (tok->ignore_case) {
			tok->word_lengths[(uint8_t)tolower(text[0])] |= 1u << word->len;
			tok->word_lengths[(uint8_t)toupper(text[0])] |= 1u << word->len;
		}
	}
}

const struct word *tokenizer_word(const struct tokenizer *tok, const uint8_t *text, uint32_t len)
{
	if (len > 31 || !(tok->word_lengths[text[0]] >> len & 1))
		return NULL;
	size_t at;
	uint32_t hash = word_hash(tok, text, len);
	for (uint32_t i = map_first(&tok->word_map, hash, &at); i != MAP_END;
	     i = map_next(&tok->word_map, hash, &at)) {
		const struct word *word = &tok->words[i];
		if (word->len == len &&
		    (tok->ignore_case ? !strncasecmp(word->text, (const char *)text, len)
		                      : !memcmp(word->text, text, len)))
			return word;
	}
	return NULL;
}

int tokenizer_compile(struct tokenizer *tok, struct err *err)
{
	if (tok->word_map.size)
		return 0;
	if (compile_program(tok, err))
		return -1;
	for (size_t i = 0; i < tok->n_rules; i++)
		span_recognise(tok->rules[i].pattern, tok->ignore_case, &tok->rules[i]);
	fill_dispatch(tok);
	fill_words(tok);
	for (size_t i = 0; i < tok->n_items; i++)
		tokenset_unite(&tok->item_tokens[tok->items[i].type], tok->items[i].tokens);
	return 0;
}
