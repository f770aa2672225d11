/* How one runs a test by hand as whittle does. */
#include "base/buf.h"
#include "base/io.h"
#include "base/mem.h"
#include "base/quote.h"
#include "first/teach.h"
#include "reduce/session.h"
#include "reduce/session_options.h"

/* "/bin/sh -x " for the shell that the first line of TEXT names, else nothing: the program knows
 * what runs it. The caller's. */
static char *tracing(const char *text)
{
	static const char *const shells[] = { "sh", "bash", "dash", "ash", "ksh", "mksh", "zsh" };
	static const char plain[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz"
				    "0123456789_./- ";
	const char *line = text + 2 + strspn(text + 2, " \t");
	size_t len = strcspn(line, "\n"), name = len;
	while (name && !strchr("/ ", line[name - 1]))
		name--;
	bool knows = false;
	for (size_t i = 0; strspn(line, plain) == len && i < sizeof shells / sizeof *shells; i++)
		knows |= strlen(shells[i]) == len - name &&
		         !strncmp(line + name, shells[i], len - name);
	return knows ? mem_printf("%.*s -x ", (int)len, line) : mem_strdup("");
}

/* What is in front of the last part of PATH, and how long that is without a '/' behind it. */
static size_t split(const char *path, size_t *name)
{
	size_t end = strlen(path);
	while (end > 1 && path[end - 1] == '/')
		end--;
	size_t begin = end;
	while (begin && path[begin - 1] != '/')
		begin--;
	*name = end - begin;
	return begin;
}

/* Are all operands in one directory, under names of their own? Else cp does not put them where the
 * test finds them. */
static bool are_together(const struct session_options *o)
{
	size_t name, len = split(o->files[0], &name);
	for (uint32_t i = 0; i < o->n_files; i++) {
		size_t its = split(o->files[i], &name);
		if (its != len || strncmp(o->files[i], o->files[0], len) != 0 || !name ||
		    !strncmp(o->files[i] + its, "..", name))
			return false;
	}
	return true;
}

/* The operand PATH in the directory of the test. */
static void add_there(struct buf *b, const char *path)
{
	size_t name, begin = split(path, &name);
	MEM_SCOPED char *last = mem_printf("%.*s", (int)name, path + begin);
	buf_addf(b, "\"$d\"/");
	quote_add_if_needed(b, last);
}

/* What the test gets: arguments, or standard input. */
static void add_given(struct buf *b, const struct session_options *o)
{
	unsigned input = o->settings.input;
	bool by_arg = input & SETUP_INPUT_ARG;
	if (by_arg && o->n_files == 1)
		buf_addf(b, " \"$d\"/*");
	for (uint32_t i = 0; by_arg && o->n_files > 1 && i < o->n_files; i++) {
		buf_addch(b, ' ');
		add_there(b, o->files[i]);
	}
	if (!by_arg && (input & SETUP_INPUT_STDIN) && !io_is_dir(o->files[0])) {
		buf_addf(b, " <");
		add_there(b, o->files[0]);
	}
}

char *teach_hand(const struct session_options *o, const char *test, const char *text)
{
	struct buf b = { 0 };
	bool any_dir = false;
	if (!are_together(o))
		return NULL;
	for (uint32_t i = 0; i < o->n_files; i++)
		any_dir |= io_is_dir(o->files[i]);
	buf_addf(&b, "d=$(mktemp -d) && cp%s", any_dir ? " -R" : "");
	for (uint32_t i = 0; i < o->n_files; i++) {
		MEM_SCOPED char *operand = i ? quote_word(o->files[i]) : quote_operand(o->files[i]);
		buf_addf(&b, " %s", operand);
	}
	MEM_SCOPED char *word = quote_word(test), *traces = tracing(text);
	bool beside = o->settings.input & SETUP_INPUT_BASENAME;
	buf_addf(&b, " \"$d\" && cd \"%s\" && %s%s", beside ? "$d" : "$(mktemp -d)", traces, word);
	add_given(&b, o);
	return b.data;
}
