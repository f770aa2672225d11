#include "fixture.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/err.h"
#include "base/io.h"
#include "base/mem.h"
#include "disk/input.h"
#include "reduce/passes.h"
#include "binary/inflate.h"
#include "lang/tokenizers.h"

_Noreturn void fixture_broken(const struct fixture *c, const char *what, const char *why)
{
	fprintf(stderr, "%s: %s: %s\n", c->dir, what, why);
	exit(99);
}

static pcre2_code *compile(const struct fixture *c, const char *pattern)
{
	int code;
	PCRE2_SIZE at;
	pcre2_code *re = pcre2_compile((PCRE2_SPTR)pattern, PCRE2_ZERO_TERMINATED,
	                               PCRE2_MULTILINE | PCRE2_DOTALL, &code, &at, NULL);
	if (!re)
		fixture_broken(c, pattern, "no pattern");
	return re;
}

static void add_named(struct pass_set *to, const struct fixture *c, const char *name)
{
	struct pass_set set =
		!strcmp(name, "all") ? passes_all() : passes_named(name, strlen(name));
	if (passes_none(&set))
		fixture_broken(c, name, "no such pass");
	passes_add(to, &set);
}

static void add_rule(struct fixture *c, enum rule_kind kind, char *text)
{
	struct rule r = { .kind = kind };
	if (kind == RULE_COUNT || kind == RULE_SIZE || kind == RULE_POINTS)
		r.n = (uint32_t)strtoul(text, &text, 10);
	if (kind == RULE_SAME) {
		char *second = strstr(text, " <=> ");
		if (!second)
			fixture_broken(c, text, "\"same A <=> B\" is meant");
		*second = '\0';
		r.b = compile(c, second + 5);
	}
	if (kind == RULE_POINTS)
		r.text = mem_strdup(text + (*text == ' '));
	else if (kind != RULE_SIZE && kind != RULE_FITS)
		r.a = compile(c, text + (kind == RULE_COUNT && *text == ' '));
	if (c->n_rules == MAX_RULES)
		fixture_broken(c, text, "too many rules");
	c->rules[c->n_rules++] = r;
}

/* Was the program built with what a case needs? */
static bool has(const struct fixture *c, const char *what)
{
	struct inflater *inflater = inflater_new();
	static const char *const names[] = {
		[LAYER_RAW] = "zlib", [LAYER_ZSTD] = "zstd",     [LAYER_XZ] = "xz",
		[LAYER_LZ4] = "lz4",  [LAYER_BROTLI] = "brotli", [LAYER_BZIP2] = "bzip2",
	};
	uint32_t kind = LAYER_RAW, n = sizeof names / sizeof *names;
	while (kind < n && (!names[kind] || strcmp(what, names[kind]) != 0))
		kind++;
	if (kind == n)
		fixture_broken(c, what, "no such need");
	inflater_free(inflater);
	return inflater && inflate_has(kind);
}

static void directive(struct fixture *c, char *line)
{
	static const char *const rules[] = {
		"has", "not", "count", "same", "size", "points", "fits"
	};
	char *rest = line + strcspn(line, " ");
	if (*rest)
		*rest++ = '\0';
	for (unsigned i = 0; i < sizeof rules / sizeof *rules; i++)
		if (!strcmp(line, rules[i])) {
			add_rule(c, (enum rule_kind)i, rest);
			return;
		}
	if (!strcmp(line, "pass"))
		add_named(&c->pass, c, rest);
	else if (!strcmp(line, "with"))
		add_named(&c->with, c, rest);
	else if (!strcmp(line, "keep-names"))
		c->keep_names = true;
	else if (!strcmp(line, "needs"))
		c->left_out |= !has(c, rest);
	else if (!strcmp(line, "front")) {
		c->n_front = (uint32_t)strtoul(rest, &rest, 10);
		c->front = mem_strdup(rest + (*rest == ' '));
	} else
		fixture_broken(c, line, "unknown directive");
}

bool fixture_file(const struct fixture *c, const char *name, struct buf *out)
{
	char *path = mem_printf("%s/%s", c->dir, name);
	struct err err = { 0 };
	bool there = access(path, F_OK) == 0;
	if (there && io_read_file(path, out, &err) < 0)
		fixture_broken(c, name, err.msg);
	free(path);
	return there;
}

static void read_directives(struct fixture *c)
{
	struct buf text = { 0 };
	if (!fixture_file(c, "case", &text))
		fixture_broken(c, "case", "there is none");
	buf_addf(&text, "%s", "");
	for (char *line = text.data, *end; *line; line = end) {
		end = line + strcspn(line, "\n");
		if (*end)
			*end++ = '\0';
		if (*line && *line != '#')
			directive(c, line);
	}
	if (passes_none(&c->pass) || !c->n_rules)
		fixture_broken(c, "case", "a pass and what is interesting must be said");
	buf_release(&text);
}

/* The path of the file or directory called input or input.EXT; the caller's. */
static char *input_path(const struct fixture *c)
{
	DIR *dir = opendir(c->dir);
	if (!dir)
		fixture_broken(c, "directory", "cannot be read");
	char *path = NULL;
	for (struct dirent *e; !path && (e = readdir(dir));)
		if (!strncmp(e->d_name, "input", 5) && (!e->d_name[5] || e->d_name[5] == '.'))
			path = mem_printf("%s/%s", c->dir, e->d_name);
	closedir(dir);
	if (!path)
		fixture_broken(c, "input", "there is none");
	return path;
}

static void add_front(struct fixture *c)
{
	struct buf all = { 0 };
	for (uint32_t i = 0; i < c->n_front; i++)
		buf_addf(&all, "%s\n", c->front);
	buf_add(&all, c->input->bytes, c->input->size);
	struct testcase *whole = testcase_like(c->input, (uint8_t *)all.data, (uint32_t)all.len);
	testcase_unref(c->input);
	c->input = whole;
}

static void read_input(struct fixture *c)
{
	char *path = input_path(c);
	const char *names[] = { path }, *dirs[] = { getenv("WHITTLE_TOKENIZERS"), NULL };
	struct err err = { 0 };
	struct input input = { 0 };
	if (input_find(&input, names, 1, &err) < 0 || !(c->input = input_read(&input, &err)))
		fixture_broken(c, "input", err.msg);
	if (c->input->is_tree) {
		c->tokenizers = tokenizers_new(NULL, dirs, &err);
		if (!c->tokenizers || tokenizers_assign(c->tokenizers, c->input, &err) < 0)
			fixture_broken(c, "input", err.msg);
	} else if (!(c->tokenizer = tokenizer_find(NULL, path, c->input->bytes, c->input->size,
	                                           dirs, &err)))
		fixture_broken(c, "input", err.msg);
	if (c->front)
		add_front(c);
	input_release(&input);
	free(path);
}

void fixture_read(struct fixture *c, const char *dir)
{
	*c = (struct fixture){ .dir = dir };
	read_directives(c);
	read_input(c);
}

void fixture_release(struct fixture *c)
{
	for (uint32_t i = 0; i < c->n_rules; i++) {
		pcre2_code_free(c->rules[i].a);
		pcre2_code_free(c->rules[i].b);
		free(c->rules[i].text);
	}
	free(c->front);
	testcase_unref(c->input);
	tokenizer_free(c->tokenizer);
	tokenizers_free(c->tokenizers);
}
