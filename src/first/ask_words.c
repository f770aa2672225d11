#include <sys/stat.h>
#include <unistd.h>

#include "base/buf.h"
#include "base/io.h"
#include "base/mem.h"
#include "base/path.h"
#include "base/quote.h"
#include "first/ask.h"

struct words {
	const char *const *files;
	unsigned n_files;
	struct buf said;
	const char *made; /* see ask_paths */
	bool uses_operand;
	bool braces;  /* no word names an operand, so {} does */
	char *inside; /* of the path that was looked at last; NULL: none */
};

enum { OPERANDS = 9 }; /* that a word can stand for */

static void add_escaped(struct buf *b, const char *text)
{
	for (; *text; text++) {
		if (*text == '\\')
			buf_addch(b, '\\');
		buf_addch(b, *text);
	}
}

char *ask_escaped(const char *text)
{
	struct buf b = { 0 };
	buf_add(&b, "", 0);
	add_escaped(&b, text);
	return b.data;
}

/* Is PATH in DIR by another name, as in the directory where the user stands? Then w->inside is what
 * of it lies there. */
static bool is_inside(struct words *w, const char *path, const char *dir)
{
	MEM_SCOPED char *real = path[0] ? realpath(path, NULL) : NULL, *top = realpath(dir, NULL);
	if (!real || !top || !strpbrk(path, "./") || !path_is_below(real, top) ||
	    !strcmp(real, top))
		return false;
	free(w->inside);
	w->inside = mem_strdup(real + strlen(top) + 1);
	return true;
}

/* 1 and more: PATH names this operand; 0: none. *inside: what of PATH lies in it, a directory. */
static unsigned operand_named(struct words *w, const char *path, const char **inside)
{
	struct stat a, b;
	*inside = "";
	for (unsigned i = 0; i < w->n_files && i < OPERANDS; i++) {
		size_t len = strlen(w->files[i]);
		while (len > 1 && w->files[i][len - 1] == '/')
			len--;
		if (stat(w->files[i], &a) < 0)
			continue;
		if (stat(path, &b) == 0 && io_is_same(&a, &b))
			return i + 1;
		if (S_ISDIR(a.st_mode) && !strncmp(path, w->files[i], len) && path[len] == '/') {
			*inside = path + len + 1;
			return i + 1;
		}
		if (S_ISDIR(a.st_mode) && is_inside(w, path, w->files[i])) {
			*inside = w->inside;
			return i + 1;
		}
	}
	return 0;
}

/* Does LIST, with commas, have all of WORD? */
static bool is_said(const char *list, const char *word)
{
	MEM_SCOPED char *all = mem_printf(", %s, ", list), *one = mem_printf(", %s, ", word);
	return strstr(all, one) != NULL;
}

static void add_said(char **said, const char *word)
{
	if (*said && is_said(*said, word))
		return;
	char *more = *said ? mem_printf("%s, %s", *said, word) : mem_strdup(word);
	free(*said);
	*said = more;
}

/* What was made absolute goes to PATHS. */
static void words_release(struct words *w, struct ask_paths *paths)
{
	if (w->said.data)
		add_said(&paths->said, w->said.data);
	buf_release(&w->said);
	free(w->inside);
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
	MEM_SCOPED char *real = realpath(path, NULL);
	if (!real || (w->made && (!*w->made || is_said(w->made, real))))
		return false;
	add_escaped(b, real);
	if (!w->said.len || !is_said(w->said.data, path))
		buf_addf(&w->said, "%s%s", w->said.len ? ", " : "", path);
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
		MEM_SCOPED char *head = mem_printf("%.*s", (int)(at - word), word);
		add_escaped(b, head);
		buf_addf(b, "\\1");
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
		BUF_SCOPED struct buf path = { 0 };
		if ((way && !at) || !word[at] || !add_path(w, &path, word + at, before))
			continue;
		MEM_SCOPED char *head = mem_printf("%.*s", (int)at, word);
		add_escaped(&b, head);
		buf_add(&b, path.data, path.len);
		return b.data;
	}
	add_escaped(&b, word);
	return b.data;
}

/* ---- command lines ---- */

char *ask_line_word(const char *line)
{
	MEM_SCOPED char *made = condition_line(line);
	return ask_escaped(made);
}

static const char between[] = " \t\n;|&<>()";

/* What WORD says if the shell does no more than take quotes off; the caller's. NULL: it does. */
static char *said_by(const char *word)
{
	static const char plain[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789"
				    "_./+-@%:,=";
	char *said = mem_zero(strlen(word) + 1, 1), *end = said, open = '\0';
	for (; *word; word++) {
		if (open ? *word == open : *word == '\'' || *word == '"')
			open = open ? '\0' : *word;
		else if (open ? !strchr("\\$`", *word) : strchr(plain, *word) != NULL)
			*end++ = *word;
		else {
			free(said);
			return NULL;
		}
	}
	return said;
}

/* A command line that is read. */
struct line {
	struct words *words;
	struct buf out;
	char *before; /* the word in front of the next one, if it is a word of the same command */
	bool writes;  /* the next word is a file that is written to */
	bool others;  /* "$1" may be something else */
};

/* PATH, which may name an operand or another file here, as the shell is to read it; the caller's.
 * NULL: as it is. */
static char *path_in_line(struct line *l, const char *path)
{
	BUF_SCOPED struct buf b = { 0 };
	char *text = NULL;
	const char *inside;
	unsigned operand = operand_named(l->words, path, &inside);
	if (operand) {
		l->words->uses_operand = true;
		if (l->others && !strchr(path, '/'))
			return NULL;
		return mem_printf("\"$%u\"%s%s", operand, *inside ? "/" : "", inside);
	}
	if (add_path(l->words, &b, path, l->before)) {
		MEM_SCOPED char *real = realpath(path, NULL);
		text = quote_word(real ? real : path);
	}
	return text;
}

/* A word; it is no name of a program without a slash. In quotes it may be a pattern: what has no
 * slash stays. */
static void add_word(struct line *l, const char *word)
{
	MEM_SCOPED char *said = said_by(word), *path = NULL;
	bool quoted = said && strcmp(said, word);
	bool maybe = said && !l->writes && !names_output(l->before) &&
	             (l->before || strpbrk(said, "/=")) && (!quoted || strchr(said, '/'));
	size_t at = 0;
	for (unsigned way = 0; maybe && !path && way < 4; way++) {
		at = path_begin(said, way);
		path = (way && !at) || !said[at] ? NULL : path_in_line(l, said + at);
	}
	MEM_SCOPED char *head = mem_printf("%.*s", path ? (int)at : 0, path ? said : "");
	if (*head && quoted)
		quote_add(&l->out, head);
	buf_addf(&l->out, "%s%s", quoted ? "" : head, path ? path : word);
}

/* What stands between two words decides what the next one is. */
static void pass(struct line *l, char c, char *word)
{
	bool ends = strchr("\n;|&(", c) && c;
	l->writes = c == '>' || (l->writes && strchr(" \t&", c) && !*word);
	if (*word && !ends) {
		free(l->before);
		l->before = mem_strdup(word);
	} else if (ends) {
		free(l->before);
		l->before = NULL;
	}
}

/* Are there places in LINE where "$1" is not what it is at first: in a function, behind "set --" or
 * "shift", in a document (<<)? There may be, and names without directories stay as they are. */
static bool has_others(const char *line)
{
	static const char *const marks[] = { "<<", "()", "set --", "shift", "function ", NULL };
	unsigned i = 0;
	while (marks[i] && !strstr(line, marks[i]))
		i++;
	return marks[i];
}

/* What ask_line does to LINE; the caller's. */
static char *line_with(struct words *w, const char *line)
{
	struct line l = { .words = w, .others = has_others(line) };
	struct quote_state q = { 0 };
	while (*line) {
		size_t len = 0, step = 0; /* of the word; of what comes behind it */
		bool inside = q.open;
		while (line[len] && (q.open || !strchr(between, line[len])))
			len += quote_step(&q, line + len);
		MEM_SCOPED char *word = mem_printf("%.*s", (int)len, line);
		if (inside) /* quotes, behind a "$(...)" */
			buf_add(&l.out, word, len);
		else
			add_word(&l, word);
		if (line[len])
			step = quote_step(&q, line + len);
		pass(&l, line[len], word);
		buf_add(&l.out, line + len, step);
		line += len + step;
	}
	free(l.before);
	buf_addch(&l.out, '\0');
	return l.out.data;
}

char *ask_line(const char *line, const char *const *files, unsigned n, struct ask_paths *paths)
{
	struct words w = { .files = files, .n_files = n, .made = paths->made };
	char *made = line_with(&w, line);
	words_release(&w, paths);
	return made;
}

/* ---- commands ---- */

/* `sh -c SCRIPT`, whose script is a command line: with what names an operand in it or, when
 * W->BRACES, with {}. The words, or NULL: it is none, or names no operand. */
static char **script_words(struct words *w, char *const *command, size_t n)
{
	static const char *const shells[] = { "sh", "bash", "dash", "ksh", "mksh", "zsh", NULL };
	if (n < 3 || command[n - 2][0] != '-' || command[n - 2][1] == '-' ||
	    !strchr(command[n - 2], 'c') || mem_place_of(shells, path_base(command[0])) < 0)
		return NULL;
	const char *script = command[n - 1];
	bool braces = strstr(script, "{}");
	if (braces != w->braces) /* where they are, a name is something else */
		return NULL;
	w->uses_operand = braces;
	MEM_SCOPED char *line = w->braces ? condition_line(script) : line_with(w, script);
	if (!w->uses_operand) {
		buf_release(&w->said);
		return NULL;
	}
	char **words = mem_zero(n + w->n_files + 2, sizeof *words);
	for (size_t i = 0; i < n; i++)
		words[i] = ask_escaped(i == n - 1 ? line : command[i]);
	words[n] = mem_strdup("sh");
	for (unsigned i = 0; i < w->n_files && i < OPERANDS; i++)
		words[n + 1 + i] = mem_printf("\\%u", i + 1);
	return words;
}

static char **all_words(struct words *w, char *const *command)
{
	size_t n = mem_count_words(command);
	char **words = script_words(w, command, n);
	if (words)
		return words;
	words = mem_zero(n + 1, sizeof *words);
	for (size_t i = 0; i < n; i++)
		words[i] = one_word(w, command[i], i ? command[i - 1] : NULL, i == 0);
	return words;
}

char **ask_words(char *const *command, const char *const *files, unsigned n,
                 struct ask_paths *paths, bool *uses_operand)
{
	struct words w = { .files = files, .n_files = n, .made = paths->made };
	char **words = all_words(&w, command);
	if (!w.uses_operand) { /* then {} is the way to name it */
		mem_free_words(words);
		buf_release(&w.said);
		w.braces = true;
		words = all_words(&w, command);
	}
	*uses_operand = w.uses_operand;
	words_release(&w, paths);
	return words;
}
