/* `record` lines, see schema.h; whittle-tokenizer(5) says what their words mean. */
#include "binary/schema_def.h"

#include <ctype.h>

#include "base/err.h"
#include "base/mem.h"
#include "binary/codes.h"
#include "binary/inflate.h"
#include "binary/sums.h"
#include "lang/tokenizer_def.h"
#include "lang/tokenizer_line.h"

static const struct int_type {
	const char *name;
	uint8_t code, width;
} int_types[] = {
	{ "u8", CODE_BIG, 1 },        { "u16", CODE_BIG, 2 },       { "u24", CODE_BIG, 3 },
	{ "u32", CODE_BIG, 4 },       { "u64", CODE_BIG, 8 },       { "leb", CODE_LEB, 0 },
	{ "der", CODE_DER, 0 },       { "vlq", CODE_VLQ, 0 },       { "lua", CODE_VLQ_END, 0 },
	{ "dec", CODE_DECIMAL, 0 },   { "laced", CODE_LACED, 0 },   { "dec10", CODE_PADDED, 10 },
	{ "dec13", CODE_PADDED, 13 }, { "dec15", CODE_PADDED, 15 }, { "oct6", CODE_OCTAL, 6 },
	{ "oct11", CODE_OCTAL, 11 },  { "zigzag", CODE_ZIGZAG, 0 }, { "sevens", CODE_SEVENS, 4 },
};

static const struct {
	const char *name;
	uint8_t sum;
} sum_types[] = {
	{ "crc32", SUM_CRC32 },
	{ "crc32c", SUM_CRC32C },
	{ "crc32-msb", SUM_CRC32_MSB },
	{ "crc32-msb0", SUM_CRC32_MSB0 },
	{ "adler32", SUM_ADLER32 },
	{ "sha1", SUM_SHA1 },
	{ "sha256", SUM_SHA256 },
	{ "md5", SUM_MD5 },
	{ "crc16", SUM_CRC16 },
	{ "crc16-msb", SUM_CRC16_XMODEM },
	{ "crc8", SUM_CRC8 },
	{ "internet", SUM_INTERNET },
	{ "add8", SUM_ADD8 },
	{ "words32-msb", SUM_WORDS32_BE },
	{ "lookup3", SUM_LOOKUP3 },
	{ "font", SUM_FONT },
	{ "pe", SUM_PE },
};

static bool is_name(char c)
{
	return isalnum((unsigned char)c) || c == '_';
}

static size_t name_length(const char *text)
{
	size_t n = 0;
	if (!isalpha((unsigned char)*text))
		return 0;
	while (is_name(text[n]))
		n++;
	return n;
}

static int get_type(struct parser *p, const char *text, size_t len)
{
	struct schema *t = p->tok->schema;
	for (size_t i = 0; i < t->n_types; i++)
		if (strlen(t->types[i].name) == len && !memcmp(t->types[i].name, text, len))
			return (int)i;
	MEM_GROW(t->types, t->n_types, t->cap_types);
	t->types[t->n_types] = (struct schema_type){ .name = mem_printf("%.*s", (int)len, text),
		                                     .line = p->line,
		                                     .column = (unsigned)(text - p->text) + 1,
		                                     .first = SCHEMA_NONE,
		                                     .last = SCHEMA_NONE,
		                                     .with = SCHEMA_NONE };
	return (int)t->n_types++;
}

/* Which the last alternative is of. */
static struct schema_type *type_being_read(struct schema *t)
{
	struct schema_type *type = t->types;
	while (type->last != (int)t->n_alternatives - 1)
		type++;
	return type;
}

static int read_expr(struct parser *p, const char **at, int *expr)
{
	const char *start = *at;
	*expr = schema_parse_expr(p->tok->schema, at);
	return *expr < 0 ? parser_fail(p, start, "expected an expression") : 0;
}

/* Two digits as a byte, or -1. */
static int hex_byte(const char *at)
{
	char digits[3] = { 0 };
	for (int i = 0; i < 2; i++) {
		if (!isxdigit((unsigned char)at[i]))
			return -1;
		digits[i] = at[i];
	}
	return (int)strtol(digits, NULL, 16);
}

static int read_byte(struct parser *p, const char **at, uint8_t *out)
{
	int byte = !strncmp(*at, "0x", 2) ? hex_byte(*at + 2) : -1;
	if (byte < 0)
		return parser_fail(p, *at, "expected a byte, 0x and two digits");
	*out = (uint8_t)byte;
	*at += 4;
	return 0;
}

static int read_hex(struct parser *p, const char **at, struct schema_word *w)
{
	size_t len = strlen(*at) / 2;
	const char *start = *at;
	w->op = SCHEMA_LITERAL;
	w->text = mem_alloc(len + 1);
	int byte;
	for (*at += 2; (byte = hex_byte(*at)) >= 0; *at += 2)
		w->text[w->len++] = (char)byte;
	if (!w->len)
		return parser_fail(p, start, "expected pairs of hexadecimal digits");
	if (**at != '~' && **at != '-')
		return 0;
	if (w->len != 1)
		return parser_fail(p, start, "expected one byte before \"%c\"", **at);
	w->low = (uint8_t)w->text[0];
	w->op = **at == '~' ? SCHEMA_MASKED : SCHEMA_RANGE;
	++*at;
	return read_byte(p, at, w->op == SCHEMA_MASKED ? &w->mask : &w->high);
}

static int read_text(struct parser *p, const char **at, struct schema_word *w)
{
	const char *end = strchr(*at + 1, '"');
	if (!end || end == *at + 1)
		return parser_fail(p, *at, "expected a text without blanks in quotes");
	w->op = SCHEMA_LITERAL;
	w->len = (uint32_t)(end - *at - 1);
	w->text = mem_printf("%.*s", (int)w->len, *at + 1);
	*at = end + 1;
	return 0;
}

/* +FIRST */
static int read_first(struct parser *p, const char **at, struct schema_word *w)
{
	char *end;
	long first = strtol(*at + 1, &end, 10);
	if (end == *at + 1 || first < 0 || first > INT16_MAX)
		return parser_fail(p, *at + 1, "expected the number of the first one");
	w->first = first;
	*at = end;
	return 0;
}

/* #TYPE+FIRST #TYPE-EXPR */
static int read_place(struct parser *p, const char **at, struct schema_word *w)
{
	size_t len = name_length(++*at);
	if (!len)
		return parser_fail(p, *at, "expected the name of a list");
	w->type = get_type(p, *at, len);
	p->tok->schema->types[w->type].listed = true;
	*at += len;
	if (**at != '-')
		return **at == '+' ? read_first(p, at, w) : 0;
	++*at;
	return read_expr(p, at, &w->size);
}

static const struct int_type *int_type_at(const char *at, size_t len)
{
	for (size_t i = 0; i < sizeof int_types / sizeof *int_types; i++)
		if (strlen(int_types[i].name) == len && !memcmp(int_types[i].name, at, len))
			return &int_types[i];
	return NULL;
}

/* [EXPR] or [] */
static int read_region(struct parser *p, const char **at, struct schema_word *w)
{
	++*at;
	if (**at != ']' && read_expr(p, at, &w->size))
		return -1;
	return *(*at)++ == ']' ? 0 : parser_fail(p, *at - 1, "expected \"]\"");
}

/* An integer, or records of a type. */
static int read_typed(struct parser *p, const char **at, struct schema_word *w)
{
	size_t len = name_length(*at);
	const struct int_type *number = int_type_at(*at, len);
	if (number) {
		*at += len;
		w->op = SCHEMA_INT;
		w->code = number->code;
		w->width = number->width;
		return **at == '#' ? read_place(p, at, w) : 0;
	}
	w->type = get_type(p, *at, len);
	*at += len;
	w->op = SCHEMA_ONE;
	if (**at == '[') {
		w->op = SCHEMA_FILL;
		return read_region(p, at, w);
	}
	if (**at != '*')
		return 0;
	w->op = SCHEMA_LIST;
	++*at;
	return **at && **at != '@' ? read_expr(p, at, &w->size) : 0;
}

/* member:LIST?EXPR table:LIST?EXPR with:TYPE */
static int read_member(struct parser *p, const char **at, struct schema_word *w, bool table)
{
	size_t len = name_length(*at);
	if (!len)
		return parser_fail(p, *at, "expected the name of a list");
	w->type = get_type(p, *at, len);
	struct schema_type *type = &p->tok->schema->types[w->type];
	type->has_members |= w->op == SCHEMA_MEMBER;
	type->not_table |= w->op == SCHEMA_MEMBER && !table;
	if (w->op == SCHEMA_WITH) {
		struct schema_type *own = type_being_read(p->tok->schema);
		own->leads = type->listed = true;
		type->with = (int)(own - p->tok->schema->types);
	}
	*at += len;
	if (**at != '?' || w->op == SCHEMA_WITH)
		return 0;
	++*at;
	return read_expr(p, at, &w->size);
}

/* sum:NAME+N sum:NAME[EXPR] whole:NAME+N */
static int read_sum(struct parser *p, const char **at, struct schema_word *w)
{
	size_t len = strcspn(*at, "+["), i = 0, n = sizeof sum_types / sizeof *sum_types;
	while (i < n &&
	       (strlen(sum_types[i].name) != len || memcmp(sum_types[i].name, *at, len) != 0))
		i++;
	if (i == n)
		return parser_fail(p, *at, "expected the name of a checksum");
	w->code = sum_types[i].sum;
	*at += len;
	if (**at == '[')
		return read_region(p, at, w);
	return **at == '+' ? read_first(p, at, w) : 0;
}

/* by:TYPE[EXPR] */
static int read_by(struct parser *p, const char **at, struct schema_word *w)
{
	size_t len = name_length(*at);
	if (!len || (*at)[len] != '[')
		return parser_fail(p, *at, "expected by:TYPE[N]@OFFSET");
	w->type = get_type(p, *at, len);
	w->name = schema_name(p->tok->schema, *at, len);
	*at += len;
	return read_region(p, at, w) || **at != '@' ? parser_fail(p, *at, "expected \"@\"") : 0;
}

/* count:TYPE[EXPR] search:TYPE[EXPR] reach:TYPE[EXPR]@EXPR part:TYPE[EXPR]@EXPR */
static int read_count(struct parser *p, const char **at, struct schema_word *w)
{
	size_t len = name_length(*at);
	if (!len || (*at)[len] != '[')
		return parser_fail(p, *at, "expected TYPE[N]");
	w->type = get_type(p, *at, len);
	p->tok->schema->types[w->type].leads = true;
	*at += len;
	return read_region(p, at, w);
}

/* until:0x00 until:"A" until:zlib */
static int read_until(struct parser *p, const char **at, struct schema_word *w)
{
	const char *start = *at;
	if (name_length(start) == 4 && !strncmp(start, "zlib", 4)) {
		w->code = LAYER_ZLIB;
		*at += 4;
		return 0;
	}
	int failed = **at == '"' ? read_text(p, at, w) : read_hex(p, at, w);
	bool literal = w->op == SCHEMA_LITERAL;
	w->op = SCHEMA_UNTIL;
	return failed || literal ? failed : parser_fail(p, start, "expected bytes, without \"~\"");
}

static const struct {
	const char *name;
	enum schema_op op;
} ops[] = { { "span", SCHEMA_SPAN },     { "pad", SCHEMA_PAD },     { "slots", SCHEMA_SLOTS },
	    { "until", SCHEMA_UNTIL },   { "sum", SCHEMA_SUM },     { "whole", SCHEMA_WHOLE },
	    { "gap", SCHEMA_GAP },       { "with", SCHEMA_WITH },   { "member", SCHEMA_MEMBER },
	    { "table", SCHEMA_MEMBER },  { "by", SCHEMA_BY },       { "count", SCHEMA_COUNT },
	    { "search", SCHEMA_SEARCH }, { "reach", SCHEMA_REACH }, { "part", SCHEMA_PART } };

/* A word with a name and a colon in front; 1 when the name is one for a value. */
static int read_special(struct parser *p, const char **at, size_t len, struct schema_word *w)
{
	const char *name = *at;
	struct schema_type *own;
	size_t i = 0, n = sizeof ops / sizeof *ops;
	while (i < n && (strlen(ops[i].name) != len || memcmp(ops[i].name, name, len) != 0))
		i++;
	if (i == n)
		return 1;
	*at += len + 1;
	switch (w->op = (uint8_t)ops[i].op) {
	case SCHEMA_WITH:
	case SCHEMA_MEMBER:
		return read_member(p, at, w, *name == 't');
	case SCHEMA_BY:
		return read_by(p, at, w);
	case SCHEMA_COUNT:
	case SCHEMA_SEARCH:
		return read_count(p, at, w);
	case SCHEMA_PART:
		own = type_being_read(p->tok->schema);
		own->leads = true;
		w->name = (int)(own - p->tok->schema->types);
		/* fall through */
	case SCHEMA_REACH:
		return read_count(p, at, w) || **at != '@' ? parser_fail(p, *at, "expected \"@\"")
		                                           : 0;
	case SCHEMA_UNTIL:
		return read_until(p, at, w);
	case SCHEMA_SUM:
	case SCHEMA_WHOLE:
		return read_sum(p, at, w);
	case SCHEMA_GAP:
		return read_expr(p, at, &w->at) || **at != '['
		               ? parser_fail(p, name, "expected gap:N[EXPR]")
		               : read_region(p, at, w);
	default:
		if (read_expr(p, at, &w->size) || w->op != SCHEMA_PAD || **at != '~')
			return -(w->size < 0);
		++*at;
		return read_byte(p, at, &w->low);
	}
}

/* What may have a name or an offset. */
static int read_plain(struct parser *p, const char **at, struct schema_word *w)
{
	if (!strncmp(*at, "0x", 2))
		return read_hex(p, at, w);
	if (**at == '"')
		return read_text(p, at, w);
	if (**at == '[') {
		w->op = SCHEMA_BYTES;
		return read_region(p, at, w);
	}
	return name_length(*at) ? read_typed(p, at, w)
	                        : parser_fail(p, *at, "expected a part of a record");
}

static int read_named(struct parser *p, const char **at, struct schema_word *w)
{
	bool keep = **at == '^';
	size_t len = name_length(*at += keep);
	if (len && (*at)[len] == '=' && (*at)[len + 1] != '=') {
		w->op = keep ? SCHEMA_KEEP : SCHEMA_LET;
		w->name = schema_name(p->tok->schema, *at, len);
		*at += len + 1;
		return read_expr(p, at, &w->size);
	}
	if (!len || (*at)[len] != ':')
		return read_plain(p, at, w);
	int done = read_special(p, at, len, w);
	if (done <= 0)
		return done;
	w->name = schema_name(p->tok->schema, *at, len);
	*at += len + 1;
	const char *start = *at;
	if (read_plain(p, at, w))
		return -1;
	return w->op == SCHEMA_INT || w->op == SCHEMA_MASKED || w->op == SCHEMA_RANGE
	               ? 0
	               : parser_fail(p, start, "expected a number after \":\"");
}

/* NAME~"TEXT", or an expression. */
static int read_condition(struct parser *p, const char **at, struct schema_word *w)
{
	size_t len = name_length(*at);
	if (len && (*at)[len] == '~') {
		w->name = schema_name(p->tok->schema, *at, len);
		*at += len + 1;
		if (**at != '"')
			return parser_fail(p, *at, "expected a text in quotes");
		int failed = read_text(p, at, w);
		w->op = SCHEMA_NAMED;
		return failed;
	}
	w->op = SCHEMA_WHEN;
	return read_expr(p, at, &w->size);
}

static int read_word(struct parser *p, const char *text, struct schema_word *w)
{
	const char *at = text;
	*w = (struct schema_word){
		.name = SCHEMA_NONE, .type = SCHEMA_NONE, .size = SCHEMA_NONE, .at = SCHEMA_NONE
	};
	if (!strcmp(text, "big") || !strcmp(text, "little")) {
		w->op = *text == 'b' ? SCHEMA_BIG : SCHEMA_LITTLE;
		return 0;
	}
	if (*at == '?') {
		at++;
		if (read_condition(p, &at, w))
			return -1;
	} else if (*at == '@') {
		w->op = SCHEMA_MARK;
	} else if (read_named(p, &at, w)) {
		return -1;
	}
	if (*at == '@') {
		at++;
		if (read_expr(p, &at, &w->at))
			return -1;
	}
	return *at ? parser_fail(p, at, "expected the end of the word") : 0;
}

int schema_parse(struct parser *p)
{
	if (!p->tok->schema)
		p->tok->schema = mem_zero(1, sizeof *p->tok->schema);
	struct schema *t = p->tok->schema;
	char *word = parser_word(p);
	size_t len = word ? name_length(word) : 0;
	if (!len || word[len] || int_type_at(word, len))
		return parser_fail(p, word ? word : p->at, "expected the name of a type");
	int type = get_type(p, word, len), number = (int)t->n_alternatives;
	MEM_GROW(t->alternatives, t->n_alternatives, t->cap_alternatives);
	struct schema_alternative *a = &t->alternatives[t->n_alternatives++];
	*a = (struct schema_alternative){ .first = (uint32_t)t->n_words, .next = SCHEMA_NONE };
	if (t->types[type].last >= 0)
		t->alternatives[t->types[type].last].next = number;
	else
		t->types[type].first = number;
	t->types[type].last = number;
	while ((word = parser_word(p))) {
		MEM_GROW(t->words, t->n_words, t->cap_words);
		a->n++;
		if (read_word(p, word, &t->words[t->n_words++]))
			return -1;
		if (t->n_words > SCHEMA_WORDS || t->n_exprs > SCHEMA_WORDS)
			return parser_fail(p, word, "expected at most %d words", SCHEMA_WORDS);
	}
	return a->n ? 0 : parser_fail(p, p->at, "expected what the record is made of");
}

int schema_check(struct parser *p)
{
	const struct schema *t = p->tok->schema;
	for (size_t i = 0; t && i < t->n_types; i++) {
		const struct schema_type *type = &t->types[i];
		if (type->first == SCHEMA_NONE && !type->has_members)
			return err_set(p->err, ERR_USAGE,
			               "%s:%u:%u: expected a \"record\" line for \"%s\"",
			               p->tok->file, type->line, type->column, type->name);
	}
	return 0;
}

void schema_free(struct schema *t)
{
	if (!t)
		return;
	for (size_t i = 0; i < t->n_words; i++)
		free(t->words[i].text);
	for (size_t i = 0; i < t->n_types; i++)
		free(t->types[i].name);
	for (size_t i = 0; i < t->n_names; i++)
		free(t->names[i]);
	free(t->words);
	free(t->exprs);
	free(t->types);
	free(t->names);
	free(t->alternatives);
	free(t);
}
