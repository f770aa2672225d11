#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/buf.h"
#include "base/mem.h"
#include "cli/ask.h"

struct words {
	const char *const *files;
	unsigned n_files;
	struct buf said;
	bool uses_operand;
	bool braces; /* no word names an operand, so {} does */
};

static void add_escaped(struct buf *b, const char *text)
{
	for (; *text; text++) {
		if (*text == '\\')
			buf_addch(b, '\\');
		buf_addch(b, *text);
	}
}

/* 1 and more: PATH names this operand; 0: none. *inside: what of PATH lies in it, a directory. */
static unsigned operand_named(const struct words *w, const char *path, const char **inside)
{
	struct stat a, b;
	*inside = "";
	for (unsigned i = 0; i < w->n_files && i < 9; i++) {
		size_t len = strlen(w->files[i]);
		while (len > 1 && w->files[i][len - 1] == '/')
			len--;
		if (stat(w->files[i], &a) < 0)
			continue;
		if (stat(path, &b) == 0 && a.st_dev == b.st_dev && a.st_ino == b.st_ino)
			return i + 1;
		if (S_ISDIR(a.st_mode) && !strncmp(path, w->files[i], len) && path[len] == '/') {
			*inside = path + len + 1;
			return i + 1;
		}
	}
	return 0;
}

static void add_said(char **said, const char *word)
{
	char *more = *said ? mem_printf("%s, %s", *said, word) : mem_strdup(word);
	free(*said);
	*said = more;
}

/* May WORD, which is no operand, be a path? One without a dot or a slash is more often a name, a
 * pattern, a subcommand. */
static bool like_path(const char *word, const char *before)
{
	return strpbrk(word, "./") ||
	       (before && (!strcmp(before, "-f") || !strcmp(before, "--file")));
}

/* Adds PATH, which may name an operand or another file here; false when it names neither. */
static bool add_path(struct words *w, struct buf *b, const char *path, const char *before)
{
	const char *inside;
	unsigned operand = operand_named(w, path, &inside);
	if (operand) {
		buf_addf(b, "\\%u%s", operand, *inside ? "/" : "");
		add_escaped(b, inside);
		w->uses_operand = true;
		return true;
	}
	if (!like_path(path, before) || path[0] == '/' || !strcmp(path, ".") ||
	    !strcmp(path, "..") || access(path, F_OK) < 0)
		return false;
	char *real = realpath(path, NULL);
	if (!real)
		return false;
	add_escaped(b, real);
	buf_addf(&w->said, "%s%s", w->said.len ? ", " : "", path);
	free(real);
	return true;
}

/* Where a path may begin in a word: at its beginning, behind "=", "@" or an option's letter. */
static size_t path_begin(const char *word, unsigned way)
{
	const char *equal = strchr(word, '=');
	switch (way) {
	case 0:
		return 0;
	case 1:
		return equal ? (size_t)(equal - word) + 1 : 0;
	case 2:
		return word[0] == '@' ? 1 : 0;
	default:
		return word[0] == '-' && word[1] && strchr("ILBFi", word[1]) ? 2 : 0;
	}
}

static bool names_output(const char *before)
{
	return before && (!strcmp(before, "-o") || !strcmp(before, "--output") ||
	                  !strcmp(before, "--out") || !strcmp(before, "-d"));
}

static void add_braces(struct words *w, struct buf *b, const char *word)
{
	for (const char *at; (at = strstr(word, "{}")); word = at + 2) {
		char *head = mem_printf("%.*s", (int)(at - word), word);
		add_escaped(b, head);
		buf_addf(b, "\\1");
		free(head);
		w->uses_operand = true;
	}
	add_escaped(b, word);
}

static char *one_word(struct words *w, const char *word, const char *before, bool program)
{
	struct buf b = { 0 };
	buf_add(&b, "", 0);
	if (w->braces && strstr(word, "{}")) {
		add_braces(w, &b, word);
		return b.data;
	}
	/* A program without a slash is looked for in PATH, whatever lies here. */
	bool maybe = *word && !names_output(before) && (!program || strchr(word, '/'));
	for (unsigned way = 0; maybe && way < 4; way++) {
		size_t at = path_begin(word, way);
		struct buf path = { 0 };
		if ((way && !at) || !word[at] || !add_path(w, &path, word + at, before))
			continue;
		char *head = mem_printf("%.*s", (int)at, word);
		add_escaped(&b, head);
		buf_add(&b, path.data, path.len);
		buf_release(&path);
		free(head);
		return b.data;
	}
	add_escaped(&b, word);
	return b.data;
}

static char **all_words(struct words *w, char *const *command)
{
	size_t n = 0;
	while (command[n])
		n++;
	char **words = mem_zero(n + 1, sizeof *words);
	for (size_t i = 0; i < n; i++)
		words[i] = one_word(w, command[i], i ? command[i - 1] : NULL, i == 0);
	return words;
}

char **ask_words(char *const *command, const char *const *files, unsigned n, char **said,
                 bool *uses_operand)
{
	struct words w = { .files = files, .n_files = n };
	char **words = all_words(&w, command);
	if (!w.uses_operand) { /* then {} is the way to name it */
		for (char **word = words; *word; word++)
			free(*word);
		free(words);
		buf_release(&w.said);
		w.braces = true;
		words = all_words(&w, command);
	}
	if (w.said.data)
		add_said(said, w.said.data);
	buf_release(&w.said);
	*uses_operand = w.uses_operand;
	return words;
}

/* ---- command lines ---- */

/* Does the shell take TEXT as it stands, wherever it is? */
static bool is_plain(const char *text)
{
	static const char plain[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789"
				    "_./+-@%:,";
	return !text[strspn(text, plain)];
}

/* What WORD becomes, the caller's; NULL: it stays as it is. *said: whether it names a file here. */
static char *path_in_line(const struct words *w, const char *word, bool *said)
{
	const char *inside;
	*said = false;
	if (!strchr(word, '/') || !is_plain(word) || access(word, F_OK) < 0)
		return NULL;
	unsigned operand = operand_named(w, word, &inside);
	if (operand)
		return mem_printf("\"$%u\"%s%s", operand, *inside ? "/" : "", inside);
	char *real = *word == '/' ? NULL : realpath(word, NULL);
	*said = real && is_plain(real);
	if (*said)
		return real;
	free(real);
	return NULL;
}

char *ask_line(const char *line, const char *const *files, unsigned n, char **said)
{
	static const char between[] = " \t\n;|&<>()";
	const struct words w = { .files = files, .n_files = n };
	struct buf b = { 0 };
	while (*line) {
		size_t len = strcspn(line, between), gap = strspn(line + len, between);
		bool is_file;
		char *word = mem_printf("%.*s", (int)len, line);
		char *other = path_in_line(&w, word, &is_file);
		buf_addf(&b, "%s%.*s", other ? other : word, (int)gap, line + len);
		if (is_file)
			add_said(said, word);
		free(other);
		free(word);
		line += len + gap;
	}
	buf_addch(&b, '\0');
	return b.data;
}
