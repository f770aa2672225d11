/* whittle tokens: what the tokenizer and the bracket tree see in a file. */
#include <ctype.h>
#include <fcntl.h>
#include <stdio.h>
#include <unistd.h>

#include "base/buf.h"
#include "base/err.h"
#include "base/installed.h"
#include "base/io.h"
#include "base/mem.h"
#include "base/options.h"
#include "base/show.h"
#include "first/attributes.h"
#include "cli/commands.h"
#include "lang/lexer.h"
#include "binary/records.h"
#include "lang/rewrite.h"
#include "binary/schema.h"
#include "text/testcase.h"
#include "lang/tokenizer.h"
#include "lang/tokenizer_check.h"
#include "lang/tree.h"

/* The file `template` beside the tokenizers, where @ stands for the language. It loads, finds
 * nothing wrong with itself, and is of use for many languages as it is. NULL and err: it cannot be
 * read. */
static char *expand(const char *lang, struct err *err)
{
	MEM_SCOPED char *dir = installed_data_dir("tokenizers"),
			*path = mem_printf("%s/template", dir);
	BUF_SCOPED struct buf template = { 0 };
	struct buf out = { 0 };
	if (io_read_file(path, &template, err) < 0)
		return NULL;
	for (const char *p = template.data; *p; p++) {
		if (*p != '@' || (p > template.data && (p[-1] == '[' || p[-1] == '~')) ||
		    islower((unsigned char)p[1]))
			buf_addch(&out, *p);
		else
			buf_add(&out, lang, strlen(lang));
	}
	buf_addch(&out, '\0');
	return out.data;
}

static int write_new(const char *path, const char *text, struct err *err)
{
	int fd = open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
	if (fd < 0) {
		err_errno(err, "%s", path);
		return err_as(err, ERR_USAGE);
	}
	int rc = io_write_all(fd, text, strlen(text));
	if (close(fd) || rc)
		return err_errno(err, "%s", path);
	return 0;
}

/* Writes LANG.tok into the current directory and says so; -1 and err when it exists or cannot be
 * written. */
static int tokenizer_template_write(const char *lang, struct err *err)
{
	for (const char *p = lang; *p; p++)
		if (!isalnum((unsigned char)*p) && !strchr("_-+", *p))
			return err_set(err, ERR_USAGE,
			               "--new %s: expected a name of letters, digits and - _ +",
			               lang);
	if (!*lang || *lang == '-')
		return err_set(err, ERR_USAGE, "--new: expected the name of a language");
	MEM_SCOPED char *path = mem_printf("%s.tok", lang), *text = expand(lang, err);
	int rc = text ? write_new(path, text, err) : -1;
	if (!rc)
		printf("%s\n", path);
	return rc;
}

struct request {
	const char *tokenizer; /* name or file, or NULL */
	bool tree, rewrites, records, check, help, list;
	const char *create; /* the language to write a beginning for */
	const char *file;
};

static const struct option_row rows[] = {
	{ 't', "tokenizer", "NAME|FILE",
	  "tokenizer to use (default: according to FILE's name and content)", options_set_text,
	  offsetof(struct request, tokenizer) },
	{ 0, "tree", NULL, "print groups and items, indented, instead of one line per token",
	  options_set_flag, offsetof(struct request, tree) },
	{ 0, "rewrites", NULL,
	  "print what the tokenizer's rewrites match in FILE, one match per line", options_set_flag,
	  offsetof(struct request, rewrites) },
	{ 0, "records", NULL, "print the records that the tokenizer's schema finds in FILE",
	  options_set_flag, offsetof(struct request, records) },
	{ 0, "check", NULL, "check the tokenizer, and report mistakes", options_set_flag,
	  offsetof(struct request, check) },
	{ 0, "new", "LANG", "write a commented template for a tokenizer to LANG.tok",
	  options_set_text, offsetof(struct request, create) },
	{ 0, "list", NULL, "list the tokenizers: name, patterns of file names, definition",
	  options_set_flag, offsetof(struct request, list) },
	{ 'h', "help", NULL, "print this help", options_set_flag, offsetof(struct request, help) },
	{ 0 },
};

static void print_escaped(const uint8_t *bytes, uint32_t len)
{
	static const char letters[] = "abtnvfr";
	putchar('"');
	for (uint32_t i = 0; i < len; i++) {
		uint8_t c = bytes[i];
		if (c >= '\a' && c <= '\r')
			printf("\\%c", letters[c - '\a']);
		else if (c < ' ' || c >= 0x7f)
			printf("\\x%02x", c);
		else
			printf(c == '"' || c == '\\' ? "\\%c" : "%c", c);
	}
	putchar('"');
}

static void print_tokens(const struct testcase *tc, const struct tokens *tokens,
                         const struct tree *tree)
{
	uint32_t
		at = 0,
		next = 1; /* the innermost node around the token; the first that begins behind it */
	MEM_SCOPED uint32_t *depth = mem_zero(tree->n, sizeof *depth);
	for (uint32_t i = 1; i < tree->n; i++)
		depth[i] = depth[tree_parent(tree, i)] + (tree->nodes[i].kind == TREE_GROUP);
	for (uint32_t i = 0; i < tokens->n; i++) {
		const struct token *t = &tokens->list[i];
		while (at && tree_end(tree, at) <= i)
			at = tree_parent(tree, at);
		for (; next < tree->n && tree->nodes[next].first <= i; next++)
			if (i < tree_end(tree, next))
				at = next;
		printf("%8u %-10s %2u ", tokens_begin(tokens, i),
		       token_kind_name((enum token_kind)t->kind), depth[at]);
		printf(t->strength ? "%u " : "  ", t->strength);
		print_escaped(tc->bytes + tokens_begin(tokens, i),
		              tokens_end(tokens, i) - tokens_begin(tokens, i));
		putchar('\n');
	}
}

/* One line per node: indentation by its level, "group" or "item", and the text, cut in the middle.
 */
static void print_node(const struct testcase *tc, const struct tokens *tokens,
                       const struct tree *tree, uint32_t i, int level)
{
	const struct tree_node *node = &tree->nodes[i];
	uint32_t begin = tokens_begin(tokens, node->first),
		 end = tokens_begin(tokens, tree_end(tree, i)), len = end - begin;
	const uint8_t *text = tc->bytes + begin;
	printf("%*s", 2 * level, "");
	if (node->kind == TREE_GROUP)
		printf("group ");
	else
		printf(node->strength ? "item/%u " : "item ", node->strength);
	if (len <= 60) {
		print_escaped(text, len);
	} else {
		print_escaped(text, 28);
		printf("...");
		print_escaped(text + len - 28, 28);
	}
	if (node->has_sep) {
		uint32_t sep = tree_separator(tree, tokens->list, i),
			 at = tokens_begin(tokens, sep);
		printf(" then ");
		print_escaped(tc->bytes + at, tokens_end(tokens, sep) - at);
	}
	putchar('\n');
}

static void print_tree(const struct testcase *tc, const struct tokens *tokens,
                       const struct tree *tree)
{
	MEM_SCOPED int *level = mem_alloc(tree->n * sizeof *level);
	for (uint32_t i = 0; i < tree->n; i++) {
		level[i] = i ? level[tree_parent(tree, i)] + 1 : 0;
		print_node(tc, tokens, tree, i, level[i]);
	}
}

struct rewriting {
	const struct testcase *tc;
	unsigned line; /* of the definition */
};

/* The line of the rewrite, the text that matched, and what it would become. */
static void print_match(void *arg, const struct rewrite_match *match)
{
	const struct rewriting *r = arg;
	const uint8_t *bytes = r->tc->bytes;
	BUF_SCOPED struct buf text = { 0 };
	uint32_t at = match->begin;
	for (uint32_t i = 0; i < match->n; i++) {
		const struct edit_part *part = &match->parts[i];
		buf_add(&text, bytes + at, part->begin - at);
		buf_add(&text, part->text, part->len);
		at = part->end;
	}
	buf_add(&text, bytes + at, match->end - at);
	printf("%u: ", r->line);
	print_escaped(bytes + match->begin, match->end - match->begin);
	printf(" -> ");
	print_escaped((const uint8_t *)text.data, (uint32_t)text.len);
	putchar('\n');
}

static void print_rewrites(const struct tokenizer *tok, const struct testcase *tc,
                           const struct tokens *tokens, const struct tree *tree)
{
	ARENA_SCOPED struct arena arena = { 0 };
	struct rewrite_ground *ground = rewrite_ground_new(tc, tokens, tree, &arena);
	rewrite_ground_operands(ground, tok, 0, tokens->n);
	for (uint32_t i = 0; i < tokenizer_n_rewrites(tok); i++) {
		struct rewriting r = { tc, tokenizer_rewrite_line(tok, i) };
		rewrite_find(ground, tok, tokenizer_rewrite(tok, false, i), 0, tokens->n, &arena,
		             print_match, &r);
	}
}

/* What a field says, after its range. */
static void print_field(const struct records *r, const struct field *f)
{
	static const char *const kinds[] = {
		[FIELD_LENGTH] = "length of", [FIELD_COUNT] = "count of",
		[FIELD_SUM] = "sum of",       [FIELD_PADDING] = "padding of",
		[FIELD_PLACE] = "place in",   [FIELD_LAST] = "last of",
		[FIELD_UNIT] = "unit of",     [FIELD_PART] = "part of",
		[FIELD_LINK] = "link to",     [FIELD_HEIGHT] = "height of",
		[FIELD_REACH] = "reach of",
	};
	printf("%u-%u %s", f->at, f->at + f->width, kinds[f->kind]);
	if (f->kind == FIELD_COUNT || f->kind == FIELD_PLACE)
		printf(" %u records\n", r->repair->lists[f->list].n);
	else
		printf(" %u-%u\n", f->from, f->to);
}

/* The records, indented, and the numbers that say something about others. */
static int print_records(const struct tokenizer *tok, const struct testcase *tc, struct err *err)
{
	const struct schema *schema = tokenizer_schema(tok);
	uint32_t farthest = 0;
	if (!schema)
		return err_set(err, ERR_USAGE, "the tokenizer %s has no schema (record lines)",
		               tokenizer_name(tok));
	struct records *r = schema_records(schema, tc->bytes, tc->size, false, &farthest);
	if (!r)
		return err_set(err, ERR_USAGE,
		               "%s: the schema of %s does not fit; the file was read up to byte %u",
		               tc->files[0].path, tokenizer_name(tok), farthest);
	for (uint32_t i = 0; i < r->n; i++) {
		const struct record *x = &r->list[i];
		printf("%*s%u-%u ", 2 * x->depth, "", x->begin, x->end);
		print_escaped(tc->bytes + x->begin, x->end - x->begin);
		putchar('\n');
	}
	for (uint32_t i = 0; i < r->repair->n; i++)
		print_field(r, &r->repair->fields[i]);
	records_unref(r);
	return 0;
}

static int flush(struct err *err)
{
	return fflush(stdout) || ferror(stdout) ? err_errno(err, "standard output") : 0;
}

static int show(const struct request *request, const struct tokenizer *tok,
                const struct testcase *tc, struct err *err)
{
	struct tokens tokens;
	struct tree tree;
	if (request->records)
		return print_records(tok, tc, err) ? -1 : flush(err);
	if (lexer_run(tok, tc, &tokens, err))
		return -1;
	tree_build(tok, tc, &tokens, &tree);
	if (request->rewrites)
		print_rewrites(tok, tc, &tokens, &tree);
	else if (request->tree)
		print_tree(tc, &tokens, &tree);
	else
		print_tokens(tc, &tokens, &tree);
	tree_release(&tree);
	tokens_release(&tokens);
	return flush(err);
}

static struct testcase *read_file(const char *path, struct err *err)
{
	struct buf text = { 0 };
	if (io_read_file(path, &text, err)) {
		err_as(err, ERR_USAGE);
		return NULL;
	}
	if (text.len > TESTCASE_MAX_SIZE) {
		buf_release(&text);
		err_set(err, ERR_USAGE, "%s: larger than 4 GiB", path);
		return NULL;
	}
	if (!text.data)
		text.data = mem_zero(1, 1);
	return testcase_new(path, 0644, (uint8_t *)text.data, (uint32_t)text.len);
}

static void print_finding(void *data, unsigned line, unsigned column, const char *message)
{
	fprintf(stderr, "%s:%u:%u: %s\n", (const char *)data, line, column, message);
}

static int check(const struct tokenizer *tok, struct err *err)
{
	unsigned n = tokenizer_check(tok, print_finding, (void *)(uintptr_t)tokenizer_file(tok));
	return n ? err_set(err, ERR_USAGE, "%s: %u %s", tokenizer_file(tok), n,
	                   n == 1 ? "mistake" : "mistakes")
	         : 0;
}

/* -t, or the attribute of the file. *NAME is to be freed. */
static int choose_name(const struct request *request, char **name, struct err *err)
{
	*name = request->tokenizer ? mem_strdup(request->tokenizer) : NULL;
	if (*name || !request->file)
		return 0;
	attribute_warn(request->file);
	return attribute_tokenizer(request->file, name, err);
}

static int run(const struct request *request, struct err *err)
{
	static const uint8_t nothing[1];
	TESTCASE_SCOPED struct testcase *tc = request->file ? read_file(request->file, err) : NULL;
	if (request->file && !tc)
		return -1;
	char *name;
	struct tokenizer *tok = NULL;
	if (!choose_name(request, &name, err))
		tok = tokenizer_find(name, request->file, tc ? tc->bytes : nothing,
		                     tc ? tc->size : 0,
		                     tokenizer_dirs_for(request->file ? request->file : "."), err);
	int rc = !tok ? -1 : request->check ? check(tok, err) : show(request, tok, tc, err);
	tokenizer_free(tok);
	free(name);
	return rc;
}

static void print_listed(UNUSED void *arg, const char *name, const char *globs, const char *file)
{
	show_printf(stdout, "%s\t%s\t%s\n", name, globs, file);
}

static int help(void)
{
	puts("usage: whittle tokens [-t NAME|FILE] [--tree | --rewrites | --records] FILE\n"
	     "       whittle tokens --check -t NAME|FILE\n"
	     "       whittle tokens --new LANG\n"
	     "       whittle tokens --list\n");
	options_help(rows, NULL);
	puts("\n"
	     "Each line has offset, kind, nesting of brackets, what ends here, and the text\n"
	     "with C escapes.\n"
	     "whittle-tokenizer(5) describes the format of tokenizers.");
	return 0;
}

static int parse(int argc, char **argv, struct request *request, struct err *err)
{
	int at = options_parse(rows, argc, argv, request, err);
	if (at < 0 || request->help || (request->list && at == argc))
		return at;
	if (at < argc)
		request->file = argv[at++];
	if (request->create && at == argc && !request->file && !request->tokenizer &&
	    !request->check)
		return at;
	if (request->check && request->file && !request->tokenizer &&
	    tokenizer_is_file(request->file) && strlen(request->file) > 4 &&
	    !strcmp(request->file + strlen(request->file) - 4, ".tok")) {
		request->tokenizer = request->file;
		request->file = NULL;
	}
	if (at < argc || request->create ||
	    (!request->file && !(request->check && request->tokenizer)))
		return err_set(err, ERR_USAGE,
		               "tokens: one FILE is needed, or --check with -t, or --new (see "
		               "whittle tokens --help)");
	return at;
}

int cmd_tokens(int argc, char **argv)
{
	struct request request = { 0 };
	struct err err;
	if (parse(argc, argv, &request, &err) < 0)
		return command_fail(&err);
	if (request.help)
		return help();
	int rc = request.list ? tokenizers_list(tokenizer_dirs_for("."), print_listed, NULL, &err)
	         : request.create ? tokenizer_template_write(request.create, &err)
	                          : run(&request, &err);
	return rc ? command_fail(&err) : 0;
}
