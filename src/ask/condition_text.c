#include <inttypes.h>

#include "ask/condition.h"
#include "base/buf.h"
#include "base/err.h"
#include "base/mem.h"

enum { VERSION = 1 };

/* One line: line ends and NULs cannot stand in a value. */
static void put(struct buf *b, const char *key, const char *value)
{
	if (!value)
		return;
	buf_addf(b, "%s ", key);
	for (; *value; value++)
		if (*value == '\n')
			buf_addf(b, "\\n");
		else if (*value == '\\')
			buf_addf(b, "\\\\");
		else
			buf_addch(b, *value);
	buf_addch(b, '\n');
}

static void put_number(struct buf *b, const char *key, uint64_t value)
{
	if (value)
		buf_addf(b, "%s %" PRIu64 "\n", key, value);
}

static const char *const ended_names[] = { "anyhow", "status", "nonzero",
	                                   "crash",  "signal", "timeout" };

static const char *look_key(const struct look *l)
{
	static const char *const keys[2][4] = { { "", "stdout", "stderr", "output" },
		                                { "", "not-stdout", "not-stderr", "not-output" } };
	return keys[l->absent][l->streams];
}

/* The kernel takes no long name, and no blank in one. */
static void put_interpreter(struct buf *b, const char *program)
{
	enum { KERNELS_MAX = 120 };
	if (strlen(program) < KERNELS_MAX && !strpbrk(program, " \t\n'"))
		buf_addf(b, "#!%s\n", program);
	else
		buf_addf(b, "#!/bin/sh\nexec '%s' \"$0\" \"$@\"\n", program);
}

char *condition_text(const struct condition *c, const char *program)
{
	struct buf b = { 0 };
	put_interpreter(&b, program);
	buf_addf(&b, "whittle-test %d\n", VERSION);
	for (char **word = c->words; word && *word; word++)
		put(&b, "word", *word);
	put_number(&b, "shell", c->shell);
	buf_addf(&b, "ended %s\n", ended_names[c->ended]);
	put_number(&b, "number", (uint64_t)c->number);
	put_number(&b, "limit-ns", c->limit_ns);
	put_number(&b, "slower-than-ns", c->slower_than_ns);
	for (unsigned i = 0; i < c->n_looks; i++)
		put(&b, look_key(&c->looks[i]), c->looks[i].pattern);
	put(&b, "creates", c->creates);
	put(&b, "creates-pattern", c->creates_pattern);
	put(&b, "family-name", c->family_name);
	put(&b, "family", c->family);
	put(&b, "signature", c->signature);
	put_number(&b, "alone", c->alone);
	put(&b, "valid", c->valid);
	put(&b, "differs", c->differs);
	put_number(&b, "reference", (uint64_t)c->reference);
	put_number(&b, "steady", c->steady);
	put(&b, "agrees", c->agrees);
	return b.data;
}

/* The value of a line, as it was; the caller's. */
static char *get(const char *at, size_t len)
{
	struct buf b = { 0 };
	buf_add(&b, "", 0);
	for (size_t i = 0; i < len; i++)
		if (at[i] == '\\' && i + 1 < len)
			buf_addch(&b, at[++i] == 'n' ? '\n' : at[i]);
		else
			buf_addch(&b, at[i]);
	return b.data;
}

static bool read_look(struct condition *c, const char *key, char *value)
{
	for (int i = 0; i < 6; i++) {
		struct look l = { .streams = 1 + i % 3, .absent = i >= 3, .pattern = value };
		if (!strcmp(look_key(&l), key) && c->n_looks < CONDITION_LOOKS) {
			c->looks[c->n_looks++] = l;
			return true;
		}
	}
	return false;
}

static bool read_text(struct condition *c, const char *key, char *value)
{
	const struct {
		const char *key;
		char **field;
	} fields[] = {
		{ "creates", &c->creates },         { "creates-pattern", &c->creates_pattern },
		{ "family-name", &c->family_name }, { "family", &c->family },
		{ "signature", &c->signature },     { "valid", &c->valid },
		{ "differs", &c->differs },         { "agrees", &c->agrees }
	};
	for (size_t i = 0; i < sizeof fields / sizeof *fields; i++)
		if (!strcmp(fields[i].key, key) && !*fields[i].field) {
			*fields[i].field = value;
			return true;
		}
	return false;
}

static bool read_number(struct condition *c, const char *key, const char *value)
{
	uint64_t v = strtoull(value, NULL, 10);
	if (!strcmp(key, "shell"))
		c->shell = v;
	else if (!strcmp(key, "alone"))
		c->alone = v;
	else if (!strcmp(key, "steady"))
		c->steady = v;
	else if (!strcmp(key, "reference"))
		c->reference = (int)v;
	else if (!strcmp(key, "number"))
		c->number = (int)v;
	else if (!strcmp(key, "limit-ns"))
		c->limit_ns = v;
	else if (!strcmp(key, "slower-than-ns"))
		c->slower_than_ns = v;
	else
		return false;
	return true;
}

static bool read_ended(struct condition *c, const char *key, const char *value)
{
	for (size_t i = 0; i < sizeof ended_names / sizeof *ended_names; i++)
		if (!strcmp(key, "ended") && !strcmp(value, ended_names[i])) {
			c->ended = (enum ended)i;
			return true;
		}
	return false;
}

static void add_word(struct condition *c, char *word)
{
	size_t n = 0;
	while (c->words && c->words[n])
		n++;
	c->words = mem_resize(c->words, n + 2, sizeof *c->words);
	c->words[n] = word;
	c->words[n + 1] = NULL;
}

static bool read_line(struct condition *c, const char *at, size_t len)
{
	const char *blank = memchr(at, ' ', len);
	if (!blank)
		return false;
	MEM_SCOPED char *key = mem_printf("%.*s", (int)(blank - at), at);
	char *value = get(blank + 1, len - (size_t)(blank + 1 - at));
	bool word = !strcmp(key, "word"),
	     kept = word || read_text(c, key, value) || read_look(c, key, value);
	if (word)
		add_word(c, value);
	bool known = kept || read_number(c, key, value) || read_ended(c, key, value);
	if (!kept)
		free(value);
	return known;
}

int condition_parse(struct condition *c, const char *text, struct err *err)
{
	static const char begin[] = "\nwhittle-test 1\n";
	const char *at = strstr(text, begin);
	*c = (struct condition){ 0 };
	if (!at)
		return err_set(err, ERR_TEST,
		               "this is not a test that this version of whittle wrote");
	for (at += strlen(begin); *at;) {
		size_t len = strcspn(at, "\n");
		if (!read_line(c, at, len))
			return err_set(err, ERR_TEST, "damaged: %.*s", (int)len, at);
		at += len + (at[len] == '\n');
	}
	return c->words ? 0 : err_set(err, ERR_TEST, "damaged: the command is missing");
}

void condition_release(struct condition *c)
{
	mem_free_words(c->words);
	for (unsigned i = 0; i < c->n_looks; i++)
		free(c->looks[i].pattern);
	free(c->creates);
	free(c->creates_pattern);
	free(c->family);
	free(c->family_name);
	free(c->signature);
	free(c->valid);
	free(c->differs);
	free(c->agrees);
	*c = (struct condition){ 0 };
}
