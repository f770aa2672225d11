#include "first/teach_usable.h"

#include <ctype.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/buf.h"
#include "base/err.h"
#include "base/io.h"
#include "base/mem.h"
#include "base/show.h"
#include "first/teach.h"
#include "reduce/session.h"
#include "reduce/surroundings.h"

enum { SCRIPT_MAX = 1 << 16, HINTS_MAX = 4, WORDS_MAX = 32, PLENTY = 4 };

/* A machine that is busy holds up a test of milliseconds for seconds. */
static const double SHORT_S = 8;

struct script {
	const char *file; /* base name of the candidate */
	double slowest_s;
	char *text;         /* NULL: it is no script of a shell */
	unsigned line;      /* the one that is read, from 1 */
	unsigned slow_line; /* of the first command that may take long; 0: none yet */
	char slow[32];      /* its name */
	unsigned behind;    /* processes that nobody waits for: the line; 0: none */
	unsigned failing;   /* of a command whose failure is wanted; 0: none */
	char fails[32];     /* its name */
	unsigned hints;
	bool waits, ordered, looks; /* at what a command has printed */
	bool defines;               /* the line is of a function, which runs elsewhere */
};

/* A simple command: its words, cut out of a line. */
struct command {
	const char *words[WORDS_MAX];
	unsigned n;
	bool names_candidate;
};

static void hint(struct script *s, char *text)
{
	if (s->hints++ < HINTS_MAX)
		show_printf(stderr, "hint: %s\n", text);
	free(text);
}

static bool is_among(const char *word, const char *const *list)
{
	while (*list && strcmp(*list, word) != 0)
		list++;
	return *list;
}

static const char *base_name(const char *path)
{
	const char *slash = strrchr(path, '/');
	return slash && slash[1] ? slash + 1 : path;
}

/* ---- what a command does ---- */

/* The number of seconds in the first operand of `timeout`; 0: there is none. */
static double seconds_of(const struct command *c)
{
	for (unsigned i = 1; i < c->n; i++) {
		char *end;
		bool has_operand = !strcmp(c->words[i], "-k") || !strcmp(c->words[i], "-s");
		i += has_operand;
		if (has_operand || *c->words[i] == '-')
			continue;
		double n = strtod(c->words[i], &end);
		return n * (*end == 'm' ? 60 : *end == 'h' ? 3600 : *end == 'd' ? 86400 : 1);
	}
	return 0;
}

static void on_timeout(struct script *s, const struct command *c)
{
	double n = seconds_of(c);
	if (n > 0 && (n < SHORT_S || n < PLENTY * s->slowest_s))
		hint(s, mem_printf("line %u: a run took %.2g s, and timeout %g ends it by the "
		                   "clock, so a busy machine gives another answer: use timeout "
		                   "%.0f, or --timeout of whittle",
		                   s->line, s->slowest_s, n, SHORT_S + 2 * PLENTY * s->slowest_s));
}

/* What makes the same for each candidate. */
static void on_setup(struct script *s, const struct command *c)
{
	static const char *const always[] = { "./configure", "cmake", "wget",       "curl",
		                              "unzip",       "tar",   "virtualenv", NULL };
	static const char *const with[][2] = {
		{ "git", "clone" },   { "pip", "install" }, { "pip3", "install" },
		{ "npm", "install" }, { "npm", "ci" },      { "gem", "install" },
		{ "cp", "-r" },       { "cp", "-a" },       { "cp", "-R" },
		{ "cargo", "fetch" }, { "go", "get" },      { "apt-get", "install" },
	};
	bool is_setup = is_among(c->words[0], always);
	for (size_t i = 0; i < sizeof with / sizeof *with && c->n > 1; i++)
		is_setup |= !strcmp(c->words[0], with[i][0]) && !strcmp(c->words[1], with[i][1]);
	if (is_setup && !c->names_candidate)
		hint(s, mem_printf("line %u: %s%s%s does the same for each candidate: do it once, "
		                   "before the reduction, and use what it makes by its full path",
		                   s->line, c->words[0], c->n > 1 ? " " : "",
		                   c->n > 1 ? c->words[1] : ""));
}

/* What looks at the candidate alone is quick; what comes before it is not. */
static void on_order(struct script *s, const struct command *c)
{
	static const char *const quick[] = { "grep", "egrep", "fgrep", "test", "[", "[[",
		                             "head", "tail",  "wc",    "cmp",  NULL };
	static const char *const small[] = {
		"echo",  "printf", "true",     "false",   "exit",  "return", ":",      "cd",
		"set",   "trap",   "ulimit",   "unset",   "shift", "local",  "export", "rm",
		"mkdir", "cp",     "mv",       "ln",      "cat",   "tr",     "sort",   "cut",
		"uniq",  "sed",    "awk",      "chmod",   "touch", "read",   "wait",   "kill",
		"date",  "mktemp", "basename", "dirname", "pwd",   "eval",   "case",   "for",
		"fi",    "done",   "esac",     "in",      "exec",  ".",      NULL
	};
	const char *name = base_name(c->words[0]);
	if (is_among(name, quick)) {
		if (s->slow_line && c->names_candidate && !s->ordered)
			hint(s, mem_printf("line %u: %s looks at %s itself, which is quick: put it "
			                   "before %s in line %u, so that most candidates are "
			                   "refused without running that",
			                   s->line, name, s->file, s->slow, s->slow_line));
		s->ordered |= s->slow_line && c->names_candidate;
	} else if (!s->slow_line && !is_among(name, small)) {
		s->slow_line = s->line;
		snprintf(s->slow, sizeof s->slow, "%s", name);
	}
}

/* Does WORD say in which line something is, as messages do: "FILE:12:"? */
static bool has_line_number(const char *word)
{
	for (const char *at = word; (at = strchr(at, ':')); at++) {
		size_t digits = strspn(at + 1, "0123456789");
		if (digits && at[1 + digits] == ':' && at > word && at[-1] != '[')
			return true;
	}
	return false;
}

/* What looks at messages; a line number in them changes with every line that goes. */
static void on_message(struct script *s, const struct command *c)
{
	static const char *const look[] = { "grep", "egrep", "fgrep",   "rg", "awk", "sed",
		                            "cmp",  "diff",  "case",    "[[", "[",   "test",
		                            "perl", "jq",    "python3", NULL };
	bool looks = is_among(base_name(c->words[0]), look);
	s->looks |= looks;
	for (unsigned i = 1; looks && i < c->n; i++)
		if (has_line_number(c->words[i]))
			hint(s, mem_printf("line %u: \"%s\" names a line, whose number changes "
			                   "when lines before it go: leave the number out",
			                   s->line, c->words[i]));
}

static void on_failure(struct script *s, const struct command *c)
{
	if (s->failing || is_among(base_name(c->words[0]), (const char *[]){ "[", "test", NULL }))
		return;
	s->failing = s->line;
	snprintf(s->fails, sizeof s->fails, "%s", base_name(c->words[0]));
}

/* Words in front of a command that are none of it: keywords, NAME=, env, timeout with its operands.
 */
static unsigned skip_front(const struct command *c)
{
	static const char *const front[] = { "if",   "then", "else", "elif", "while", "until",
		                             "do",   "!",    "{",    "(",    "env",   "exec",
		                             "nice", "time", "then", NULL };
	unsigned i = 0;
	for (; i < c->n; i++) {
		size_t name = strspn(c->words[i], "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuv"
		                                  "wxyz_0123456789");
		if (!is_among(c->words[i], front) && !(name && c->words[i][name] == '='))
			break;
	}
	return i;
}

static void on_command(struct script *s, struct command *c)
{
	unsigned front = skip_front(c);
	bool negated = false;
	for (unsigned i = 0; i < front; i++)
		negated |= !strcmp(c->words[i], "!");
	if (front == c->n)
		return;
	memmove(c->words, c->words + front, (c->n - front) * sizeof *c->words);
	c->n -= front;
	s->waits |= !strcmp(c->words[0], "wait");
	for (unsigned i = 0; i < c->n; i++)
		if (teach_varies(c->words[i]))
			hint(s, mem_printf("line %u: %s is not the same in each run: make sure "
			                   "that the answer does not depend on it",
			                   s->line, c->words[i]));
	if (!strcmp(c->words[0], "timeout"))
		on_timeout(s, c);
	on_setup(s, c);
	if (!s->defines)
		on_order(s, c);
	on_message(s, c);
	if (negated)
		on_failure(s, c);
}

/* ---- lines and words ---- */

static bool is_candidate(const struct script *s, const char *word)
{
	return strstr(word, "$1") || strstr(word, "${1}") || strstr(word, "$@") ||
	       !strcmp(base_name(word), s->file);
}

/* Takes the text from BEGIN to END, without the quotes around it. */
static void add_word(const struct script *s, struct command *c, char *begin, char *end)
{
	if (begin < end && strchr("\"'", *begin))
		begin++;
	if (begin < end && strchr("\"'", end[-1]))
		end--;
	if (begin >= end || c->n == WORDS_MAX)
		return;
	*end = '\0';
	c->names_candidate |= is_candidate(s, begin);
	c->words[c->n++] = begin;
}

/* The '&' of ">&1" and "&>file", which ends nothing. BEFORE is the character in front of AT. */
static bool is_redirection(const char *at, char before)
{
	return *at == '&' && (at[1] == '>' || before == '>' || before == '<');
}

static bool is_background(const char *at, char before)
{
	return *at == '&' && at[1] != '&' && before != '&' && !is_redirection(at, before);
}

static bool opens_command(const char *at, char quote)
{
	return at[0] == '$' && at[1] == '(' && quote != '\'';
}

/* What stands between quotes is one word, unless it is a command: "$(". */
static bool ends_command(const char *at, char before, char quote)
{
	return !*at || opens_command(at, quote) ||
	       (!quote && strchr(";|&()`", *at) && !is_redirection(at, before));
}

/* The quote that is open behind AT, *outer that around a command in it. */
static char quote_behind(const char *at, char quote, char *outer)
{
	if (opens_command(at, quote)) {
		*outer = quote;
		return '\0';
	}
	if (*at == ')' && !quote) {
		char back = *outer;
		*outer = '\0';
		return back;
	}
	if (*at && (*at == quote || (!quote && strchr("\"'", *at))))
		return quote ? '\0' : *at;
	return quote;
}

/* Cuts LINE into commands. */
static void read_line(struct script *s, char *line)
{
	struct command c = { 0 };
	char quote = '\0', outer = '\0', before = '\0', *word = line;
	bool last = false;
	for (char *at = line; !last; at++) {
		last = !*at || (*at == '#' && at == word && !quote);
		bool ends = last || ends_command(at, before, quote);
		bool background = ends && is_background(at, before) && !quote;
		before = *at;
		quote = quote_behind(at, quote, &outer);
		if (!ends && (quote || !isspace((unsigned char)*at)))
			continue;
		if (background)
			s->behind = s->line;
		add_word(s, &c, word, at);
		word = at + 1;
		if (ends) {
			on_command(s, &c);
			c = (struct command){ 0 };
		}
	}
}

/* Does a function begin with LINE: "name() {"? */
static bool opens_function(const char *line)
{
	static const char letters[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz_-"
				      "0123456789";
	line += strspn(line, " \t");
	size_t name = strspn(line, letters);
	return name && !strncmp(line + name + strspn(line + name, " "), "()", 2);
}

static bool closes_function(const char *line)
{
	size_t len = strlen(line);
	while (len && isspace((unsigned char)line[len - 1]))
		len--;
	return len && (line[len - 1] == '}' || line[len - 1] == ')') &&
	       (opens_function(line) || strspn(line, "})") == len);
}

static void read_script(struct script *s)
{
	char *at = s->text, *line;
	while ((line = strsep(&at, "\n"))) {
		s->line++;
		s->defines |= opens_function(line);
		bool closes = s->defines && closes_function(line);
		read_line(s, line);
		s->defines &= !closes;
	}
	if (s->behind && !s->waits)
		hint(s,
		     mem_printf("line %u: & leaves a process behind, which whittle ends when the "
		                "test does: put wait at the end",
		                s->behind));
	if (s->failing && !s->looks)
		hint(s, mem_printf("line %u: every failure of %s counts, even that of a broken "
		                   "file: look for the message of the bug as well",
		                   s->failing, s->fails));
}

/* ---- other surroundings ---- */

/* The line in which TEXT has WORD first, comments left out; 0: none has. */
static unsigned line_with(const char *text, const char *word)
{
	unsigned line = 1;
	for (const char *at = text; *at; line++) {
		size_t len = strcspn(at, "\n");
		const char *found = *at == '#' ? NULL : strstr(at, word);
		if (found && found < at + len)
			return line;
		at += len + (at[len] == '\n');
	}
	return 0;
}

/* The line to look at first: WORDS are in the order of suspicion. */
static unsigned suspect(const char *text, const char *const *words)
{
	unsigned line = 0;
	for (; text && *words && !line; words++)
		line = line_with(text, *words);
	return line;
}

static void on_matters(struct script *s, enum surrounding what)
{
	static const char *const directories[] = { "PWD",     "pwd", "realpath", "dirname",
		                                   "$TMPDIR", "$1",  "${1}",     NULL };
	static const char *const clocks[] = { "date", "EPOCH", "SECONDS", "time", "find", NULL };
	static const char *const advice[SURROUNDINGS] = {
		[SURROUNDING_DIRECTORY] =
			"name the candidate without its directory, and compare no text with it",
		[SURROUNDING_ZONE] = "set TZ=UTC, and look only at what the bug does",
		[SURROUNDING_DAY] = "look only at what the bug does, not at the date",
	};
	unsigned line = suspect(s->text, what == SURROUNDING_DIRECTORY ? directories : clocks);
	char *where = line ? mem_printf("line %u: ", line) : mem_strdup("");
	hint(s, mem_printf("%sthe input is not interesting in %s: %s", where,
	                   surrounding_name(what), advice[what]));
	free(where);
}

/* The original is the same for each candidate. */
static void on_original(struct script *s, const char *file)
{
	char *path = io_real_path(file);
	unsigned line = path ? line_with(s->text, path) : 0;
	if (line)
		hint(s, mem_printf("line %u: %s is the original, whatever the candidate: use "
		                   "\"$1\" in its place",
		                   line, path));
	free(path);
}

static void try_surroundings(struct session *s, struct script *script)
{
	static const char *const words[] = { [SURROUNDING_SAME] = "the same",
		                             [SURROUNDING_MATTERS] = "not interesting",
		                             [SURROUNDING_UNKNOWN] = "not tried" };
	for (enum surrounding i = 0; i < SURROUNDINGS; i++) {
		enum surrounding_answer answer = surrounding_try(s, i);
		printf("in %s: %s%s\n", surrounding_name(i), words[answer],
		       i == SURROUNDING_DAY && answer == SURROUNDING_UNKNOWN
		               ? " (that takes libfaketime)"
		               : "");
		fflush(stdout);
		if (answer == SURROUNDING_MATTERS)
			on_matters(script, i);
	}
}

/* The text of the test, when a shell reads it; the caller's. */
static char *shell_script(const char *path)
{
	struct buf text = { 0 };
	struct err ignored;
	if (io_read_file(path, &text, &ignored) < 0 || !text.len || text.len >= SCRIPT_MAX ||
	    memchr(text.data, '\0', text.len) || strncmp(text.data, "#!", 2) != 0) {
		buf_release(&text);
		return NULL;
	}
	buf_addch(&text, '\0');
	size_t first = strcspn(text.data, "\n");
	bool is_shell = first > 2 && !strncmp(text.data + first - 2, "sh", 2);
	if (is_shell && !strstr(text.data, "\nwhittle-test "))
		return text.data;
	buf_release(&text);
	return NULL;
}

void teach_usable(struct session *s, const struct session_probe *probe)
{
	const struct session_options *o = session_options(s);
	struct script script = { .file = base_name(o->file),
		                 .slowest_s = (double)probe->slowest_ns / 1e9,
		                 .text = shell_script(o->test) };
	if (probe->interesting == probe->runs)
		try_surroundings(s, &script);
	if (script.text) {
		on_original(&script, o->file);
		read_script(&script);
	}
	free(script.text);
}
