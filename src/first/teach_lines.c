#include "first/teach_lines.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/mem.h"
#include "base/quote.h"
#include "base/show.h"

enum { HINTS_MAX = 3 };

/* Where we are in the script. */
struct script_line {
	const struct teach_lines *about;
	const char *file; /* base name of the candidate */
	unsigned line, hints;
	bool stops;     /* set -e was seen */
	bool in_quotes; /* the line begins between quotes, or in a here document */
};

static void hint(struct script_line *p, char *text)
{
	if (p->hints++ < HINTS_MAX)
		show_printf(stderr, "hint: %s\n", text);
	free(text);
}

bool teach_is_command(const char *name)
{
	const char *path = getenv("PATH");
	struct stat st;
	bool found = false;
	if (strchr(name, '/'))
		return stat(name, &st) == 0 && S_ISREG(st.st_mode) && access(name, X_OK) == 0;
	while (path && *path && !found) {
		size_t len = strcspn(path, ":");
		char *full = mem_printf("%.*s/%s", (int)len, path, name);
		found = stat(full, &st) == 0 && S_ISREG(st.st_mode) && access(full, X_OK) == 0;
		free(full);
		path += len + (path[len] == ':');
	}
	return found;
}

static bool has_any(const char *line, const char *const *words)
{
	while (*words && !strstr(line, *words))
		words++;
	return *words;
}

static bool begins(const char *line, const char *word)
{
	return !strncmp(line, word, strlen(word));
}

static bool ends(const char *line, const char *word)
{
	size_t len = strlen(line), n = strlen(word);
	return len >= n && !strcmp(line + len - n, word);
}

/* Can what stands in quotes be a word that counts: a path, a variable? */
static bool may_count(const char *text, size_t len)
{
	bool counts = false;
	for (size_t i = 0; i < len; i++) {
		if (strchr(" \t|<>&;*^[\\", text[i]))
			return false;
		counts |= strchr("/.$", text[i]) != NULL;
	}
	return counts;
}

char *teach_unquoted(const char *line)
{
	struct quote_state q = { 0 };
	char *copy = mem_strdup(line);
	for (size_t at = 0; line[at];) {
		size_t begin = at += quote_step(&q, line + at), end;
		char open = q.open;
		unsigned depth = q.depth;
		if (!open)
			continue;
		do {
			end = at;
			at += line[at] ? quote_step(&q, line + at) : 0;
		} while (line[end] && q.open == open && q.depth == depth);
		if (!may_count(line + begin, end - begin))
			memset(copy + begin, '_', end - begin);
	}
	return copy;
}

/* ---- a test that says no ---- */

/* The polarity: 0 has to mean that the bug shows. */
static void on_exit_1(struct script_line *p, const char *line)
{
	if (strstr(line, "&& exit 1"))
		hint(p,
		     mem_printf("line %u: the test exits with 1 where this succeeds, but 0 means "
		                "that the bug shows: use || exit 1",
		                p->line));
}

static void on_stop(struct script_line *p, const char *line)
{
	size_t name =
		strspn(line, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ_0123456789");
	bool takes = name && (begins(line + name, "=$(") || begins(line + name, "=`") ||
	                      begins(line + name, "=\"$("));
	p->stops |= begins(line, "set -e") || begins(line, "set -o errexit");
	if (p->stops && takes && !strstr(line, "||"))
		hint(p, mem_printf("line %u: set -e ends the test here if the command fails, as it "
		                   "does where the bug shows: put || true at the end of the line",
		                   p->line));
}

/* Messages go past a pipe or a file. */
static void on_stderr(struct script_line *p, const char *line)
{
	const char *pipe = strchr(line, '|'), *to = strchr(line, '>');
	bool passes = pipe && pipe[1] != '|' && pipe[1] != '&';
	bool keeps = to && to > line && !strchr("0123456789&<=-", to[-1]) && to[1] != '&';
	if (p->hints || !p->about->output || !p->about->output[strspn(p->about->output, " \n")] ||
	    strstr(line, "2>") || strstr(line, "&>") || begins(line, "if ") || begins(line, "[") ||
	    begins(line, "echo ") || begins(line, "printf ") || begins(line, "cat "))
		return;
	if (passes)
		hint(p, mem_printf("line %u: | takes only standard output, and the command has "
		                   "written to standard error: use 2>&1 |",
		                   p->line));
	else if (keeps)
		hint(p, mem_printf("line %u: > takes only standard output, and the command has "
		                   "written to standard error: put 2>&1 after the file",
		                   p->line));
}

/* The candidate under another name, or in another directory. */
static void on_name(struct script_line *p, const char *word)
{
	static const char *const made[] = { ".o",   ".s",   ".out", ".i",  ".exe", ".log", ".txt",
		                            ".tmp", ".err", ".pdf", ".ll", ".bc",  NULL };
	const char *dot = strrchr(word, '.'), *ours = strrchr(p->file, '.'),
		   *slash = strrchr(word, '/');
	if (slash && slash > word && !strcmp(slash + 1, p->file) && !strchr("$~.", *word)) {
		hint(p,
		     mem_printf("line %u: the candidate is called %s there, in another directory "
		                "each time: leave out %.*s",
		                p->line, p->file, (int)(slash + 1 - word), word));
		return;
	}
	bool near = dot && ours && dot - word == ours - p->file && dot > word &&
	            !strncmp(word, p->file, (size_t)(dot - word)) && strcmp(dot, ours) != 0;
	for (const char *const *end = made; near && *end; end++)
		near = strcmp(dot, *end) != 0;
	if (near)
		hint(p, mem_printf("line %u: the candidate is called %s there, not %s: use \"$1\"",
		                   p->line, p->file, word));
}

static void on_program(struct script_line *p, const char *word, const char *next)
{
	static const char *const built_in[] = {
		"cd",       "set",   "read",  "trap",     "ulimit",   "export", "local",
		"return",   "exit",  "case",  "esac",     "for",      "do",     "done",
		"fi",       "then",  "else",  "elif",     "while",    "until",  "if",
		"test",     "true",  "false", "source",   "eval",     "exec",   "shift",
		"unset",    "umask", "wait",  "type",     "command",  "printf", "echo",
		"break",    "in",    "kill",  "declare",  "typeset",  "let",    "time",
		"alias",    "shopt", "hash",  "continue", "function", "select", "getopts",
		"readonly", "times", "pushd", "popd",     NULL
	};
	size_t plain =
		strspn(word, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ_0123456789+.-");
	bool known =
		word[plain] || !isalpha((unsigned char)word[0]) || *next == '(' || *next == ')';
	for (const char *const *b = built_in; !known && *b; b++)
		known = !strcmp(word, *b);
	char *function = mem_printf("%s()", word);
	if (begins(word, "~/") || *word == '/') {
		const char *home = getenv("HOME");
		char *path = mem_printf("%s%s", *word == '~' && home ? home : "",
		                        *word == '~' ? word + 1 : word);
		known = teach_is_command(path);
		free(path);
	}
	if (!known && !strstr(p->about->text, function) && !teach_is_command(word))
		hint(p, mem_printf("line %u: there is no program %s here", p->line, word));
	free(function);
}

static void on_words(struct script_line *p, const char *line)
{
	static const char between[] = " \t\"'`;|&()<>=,";
	char *copy = mem_strdup(line), *at = copy, *word;
	for (bool first = true; (word = strtok_r(at, between, &at)); first = false) {
		if (*word == '#')
			break;
		size_t end = (size_t)(word - copy) + strlen(word);
		if (first && word == copy && line[end] != '=')
			on_program(p, word, line + end);
		on_name(p, word);
	}
	free(copy);
}

/* The whole test is one command that fails. */
static void on_last_not_interesting(struct script_line *p, const char *line)
{
	static const char *const looks[] = { "grep",   "test ", "[",      "!",    "exit",
		                             "cmp",    "diff",  "return", "awk",  "sed ",
		                             "python", "perl",  "fi",     "done", "}",
		                             "esac",   "case",  "|",      "=",    NULL };
	if (*line && !has_any(line, looks))
		hint(p,
		     mem_printf(
			     "the test ends with the exit status of \"%s\", and 0 means that the "
			     "bug shows: if the bug makes it fail, put ! in front, or look for its "
			     "message with 2>&1 | grep -q",
			     line));
}

/* What was looked for in the test's directory and lies in ours. */
static void on_output(struct script_line *p)
{
	static const char missing[] = ": No such file or directory";
	for (const char *at = p->about->output; at && (at = strstr(at, missing)); at++) {
		const char *begin = at;
		while (begin > p->about->output && !strchr(" \n'\"", begin[-1]))
			begin--;
		char *name = mem_printf("%.*s", (int)(at - begin), begin);
		char *real = *name && *name != '/' && access(name, F_OK) == 0 ? realpath(name, NULL)
		                                                              : NULL;
		if (real && strcmp(name, p->file) != 0)
			hint(p, mem_printf("the test runs in a directory that holds only %s; use "
			                   "the full path of %s: %s",
			                   p->file, name, real));
		free(real);
		free(name);
	}
}

/* ---- a test that is always satisfied ---- */

static void on_cd(struct script_line *p, const char *line)
{
	struct stat there, ours;
	if (!begins(line, "cd "))
		return;
	const char *dir = line + 3 + strspn(line + 3, "\"'");
	char *path = mem_printf("%.*s/%s", (int)strcspn(dir, "\"' ;&"), dir, p->file);
	if (*path == '/' && stat(path, &there) == 0 && stat(p->about->file, &ours) == 0 &&
	    there.st_ino == ours.st_ino && there.st_dev == ours.st_dev)
		hint(p,
		     mem_printf(
			     "line %u: cd leads to the original; the test begins in the directory "
			     "of the candidate: remove this line",
			     p->line));
	free(path);
}

static void on_last_trivial(struct script_line *p, const char *line)
{
	static const char *const always[] = { "|| true", "|| :",     "|| exit 0",
		                              "; true",  "; exit 0", NULL };
	for (const char *const *end = always; *end; end++)
		if (ends(line, *end))
			hint(p,
			     mem_printf(
				     "line %u ends with \"%s\", so the test always succeeds: leave "
				     "that out",
				     p->line, *end));
}

/* ---- lines ---- */

/* Does the next line go on with a string? What is in a here document is never looked at. */
static void follow_quotes(struct script_line *p, const char *line, struct quote_state *q)
{
	for (const char *at = line; *at;)
		at += quote_step(q, at);
	if (!q->open)
		q->in_word = false;
	p->in_quotes = q->open || strstr(line, "<<");
}

static void on_line(struct script_line *p, const char *line)
{
	if (p->about->trivial) {
		on_cd(p, line);
		return;
	}
	char *unquoted = teach_unquoted(line);
	on_exit_1(p, unquoted);
	on_stop(p, line);
	on_words(p, unquoted);
	on_stderr(p, unquoted);
	free(unquoted);
}

static char *trimmed(const char *line, size_t len)
{
	while (len && isspace((unsigned char)line[len - 1]))
		len--;
	while (len && isspace((unsigned char)*line)) {
		line++;
		len--;
	}
	return mem_printf("%.*s", (int)len, line);
}

unsigned teach_lines(const struct teach_lines *about)
{
	const char *slash = strrchr(about->file, '/');
	struct script_line p = { .about = about, .file = slash ? slash + 1 : about->file };
	char *last = mem_strdup("");
	struct quote_state quotes = { 0 };
	unsigned last_line = 0;
	if (!about->trivial)
		on_output(&p);
	for (const char *at = about->text; *at && !strstr(last, "<<");) {
		size_t len = strcspn(at, "\n");
		char *line = trimmed(at, len);
		bool inside = p.in_quotes;
		p.line++;
		at += len + (at[len] == '\n');
		follow_quotes(&p, line, &quotes);
		if (!*line || *line == '#' || inside) {
			free(line);
			continue;
		}
		on_line(&p, line);
		free(last);
		last = line;
		last_line = p.line;
	}
	p.line = last_line;
	if (about->trivial)
		on_last_trivial(&p, last);
	else if (!p.hints)
		on_last_not_interesting(&p, last);
	free(last);
	return p.hints;
}
