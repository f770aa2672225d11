#include "ui/report_title.h"

#include "ask/condition.h"
#include "ask/pattern.h"
#include "ask/signature.h"
#include "base/buf.h"
#include "base/mem.h"
#include "base/path.h"
#include "base/quote.h"
#include "base/show.h"

static char *ended(const struct condition *c)
{
	switch (c->ended) {
	case ENDED_STATUS:
		return mem_printf("exits with status %d", c->number);
	case ENDED_NONZERO:
		return mem_strdup("fails");
	case ENDED_CRASH:
		return mem_strdup("crashes");
	case ENDED_SIGNAL:
		return mem_printf("is ended by signal %d (%s)", c->number, strsignal(c->number));
	case ENDED_TIMEOUT:
		return mem_printf("does not end within %.3g s", (double)c->limit_ns / 1e9);
	case ENDED_ANYHOW:
		break;
	}
	return NULL;
}

char *report_ended(const struct condition *c)
{
	char *how = ended(c);
	if (!c->slower_than_ns)
		return how;
	char *both = mem_printf("%s%stakes %.3g s of processor time or more", how ? how : "",
	                        how ? " and " : "", (double)c->slower_than_ns / 1e9);
	free(how);
	return both;
}

/* ---- lines of a shell ---- */

static void end_word(struct buf *word, struct texts *words)
{
	if (word->len)
		texts_add(words, mem_printf("%s", word->data));
	buf_release(word);
}

/* Adds the words of the command at AT, in their quotes. Where the next one is. */
static const char *read_command(const char *at, struct quote_state *q, struct texts *words)
{
	struct buf word = { 0 };
	for (bool ends = false; *at && !ends;) {
		bool between = !q->open && strchr(" \t\n;|&()", *at);
		bool comment = !q->open && !q->in_word && *at == '#';
		ends = between && *at != ' ' && *at != '\t';
		if (between)
			end_word(&word, words);
		size_t n = quote_step(q, at);
		if (!between && !comment)
			buf_add(&word, at, n);
		at += n;
	}
	end_word(&word, words);
	return at;
}

static bool has_operand(const struct texts *words)
{
	for (size_t i = 0; i < words->n; i++)
		if (strstr(words->list[i], "$1") || strstr(words->list[i], "${1"))
			return true;
	return false;
}

/* Programs that start another one, and how many words of theirs stand in front of that. What only
 * prepares another command, such as cd, is none at all. */
static const struct wrapper {
	const char *name;
	unsigned operands;
} wrappers[] = {
	{ "timeout", 1 },  { "env", 0 },     { "nice", 0 },    { "nohup", 0 }, { "setarch", 0 },
	{ "setsid", 0 },   { "stdbuf", 0 },  { "ionice", 0 },  { "chrt", 1 },  { "taskset", 1 },
	{ "ccache", 0 },   { "time", 0 },    { "command", 0 }, { "exec", 0 },  { "prlimit", 0 },
	{ "xvfb-run", 0 }, { "unshare", 0 }, { "sudo", 0 },
};

/* Options of theirs whose value is a word of its own. */
static bool takes_value(const char *program, const char *option)
{
	static const char *const all[] = { "timeout -k", "timeout -s", "env -u",    "env -C",
		                           "nice -n",    "stdbuf -o",  "stdbuf -i", "stdbuf -e",
		                           "ionice -c",  "ionice -n",  "sudo -u",   NULL };
	MEM_SCOPED char *both = mem_printf("%s %s", program, option);
	return mem_place_of(all, both) >= 0;
}

static bool is_machine(const char *word)
{
	static const char *const all[] = { "linux32", "linux64", "i386", "i686",
		                           "x86_64",  "aarch64", NULL };
	return mem_place_of(all, word) >= 0;
}

/* Where in WORDS, from FIRST on, the program stands that does the work, behind those that only
 * start it: N when nothing is behind them. */
static size_t behind_wrappers(char *const *words, size_t n, size_t first)
{
	size_t at = first;
	for (size_t i = 0; at < n && i < sizeof wrappers / sizeof *wrappers; i++) {
		const char *name = path_base(words[at]);
		if (strcmp(name, wrappers[i].name) != 0)
			continue;
		unsigned left = wrappers[i].operands;
		for (at++; at < n; at++) {
			if (words[at][0] == '-')
				at += takes_value(name, words[at]);
			else if (quote_is_assignment(words[at]) ||
			         (!strcmp(name, "setarch") && is_machine(words[at])))
				continue;
			else if (left)
				left--;
			else
				break;
		}
		i = (size_t)-1; /* another may follow */
	}
	return at < n ? at : n;
}

/* The program among WORDS and, if it is one of those that are installed, the file that it is given
 * first, such as a script; the caller's. NULL: there is none. */
static char *program_of(char *const *words, size_t n)
{
	size_t first = 0;
	while (first < n && quote_is_assignment(words[first]))
		first++;
	if (first == n)
		return NULL;
	size_t behind = behind_wrappers(words, n, first);
	first = behind < n ? behind : first;
	const char *name = words[first], *file = first + 1 < n ? words[first + 1] : "";
	bool script = !strchr(name, '/') && *file == '/';
	return mem_printf("%s%s%s", path_base(name), script ? " " : "",
	                  script ? path_base(file) : "");
}

/* Does this command only prepare another one? */
static bool prepares(const char *program)
{
	static const char *const all[] = { "cd",     "ln",     "cp",  "mkdir", "rm",
		                           "mv",     "export", "set", "touch", "mkfifo",
		                           "ulimit", "true",   ":",   NULL };
	return program && mem_place_of(all, program) >= 0;
}

/* That of the first command of LINE that names the test case and does more than prepare another
 * one, else of the first that does, else of the first; the caller's. */
static char *program_in(const char *line)
{
	struct quote_state q = { 0 };
	char *found = NULL;
	for (bool named = false; *line && !named;) {
		TEXTS_SCOPED struct texts words = { 0 };
		line = read_command(line, &q, &words);
		char *program = program_of(words.list, words.n);
		named = has_operand(&words) && !prepares(program);
		if (program && (!found || named || prepares(found))) {
			free(found);
			found = program;
		} else {
			free(program);
		}
	}
	return found;
}

/* Of what a program such as make runs, the signature tells which failed. NULL: it does not. */
static const char *driven(const struct condition *c, const char *program)
{
	static const char *const drivers[] = { "make",  "gmake", "ninja", "cmake", "meson",
		                               "scons", "sh",    "bash",  "dash",  NULL };
	bool drives = program && mem_place_of(drivers, program) >= 0;
	bool tells = c->signature && c->family_name &&
	             (!strcmp(c->family_name, "gcc") || !strcmp(c->family_name, "clang"));
	return drives && tells ? c->family_name : NULL;
}

static char *program(const struct condition *c)
{
	size_t n = mem_count_words(c->words);
	size_t at = behind_wrappers(c->words, n, 0);
	bool is_line = at + 2 < n && !strcmp(c->words[at + 1], "-c") &&
	               strstr(path_base(c->words[at]), "sh");
	char *found = c->shell  ? program_in(c->words[0])
	              : is_line ? program_in(c->words[at + 2])
	                        : program_of(c->words, n);
	const char *other = driven(c, found);
	if (!other)
		return found ? found : mem_strdup("");
	free(found);
	return mem_strdup(other);
}

/* ---- the failure ---- */

/* A message that names its function has no need of the innermost frame when that is the same. */
static char *signature_once(const char *signature)
{
	const char *frame = NULL;
	for (const char *at = signature; (at = strstr(at, " in ")); at++)
		frame = at;
	MEM_SCOPED char *head =
		frame ? mem_printf("%.*s", (int)(frame - signature), signature) : NULL;
	MEM_SCOPED char *named = frame ? mem_printf("%s,", frame) : NULL;
	return mem_strdup(head && strstr(head, named) ? head : signature);
}

/* A pattern as people would write what it matches: "[-Wx]", not "\[-Wx\]"; the caller's. */
static char *without_escapes(const char *pattern)
{
	struct buf b = { 0 };
	buf_add(&b, "", 0);
	for (const char *at = pattern; *at; at++)
		if (!strncmp(at, ".*", 2))
			buf_addf(&b, " " SIGNATURE_MASK "%s", *++at && at[1] == ' ' ? "" : " ");
		else if (*at != '\\' || !at[1] || !strchr("[](){}.*+?^$|/-<>\"'", at[1]))
			buf_addch(&b, *at);
	return b.data;
}

/* The first line of OUTPUT that has what is looked for, or that; the caller's. NULL: nothing is. */
static char *looked_for(const struct condition *c, const char *output)
{
	enum { COLUMNS = 120 };
	struct pattern_match m;
	unsigned i = 0;
	while (i < c->n_looks && c->looks[i].absent)
		i++;
	if (i == c->n_looks)
		return NULL;
	struct pattern *p = pattern_new(c->looks[i].pattern, NULL);
	char *line = NULL;
	if (p && pattern_find(p, output, strlen(output), 0, &m)) {
		size_t begin = m.group[0].begin;
		while (begin && output[begin - 1] != '\n')
			begin--;
		line = mem_printf("%.*s", (int)strcspn(output + begin, "\n"), output + begin);
	}
	pattern_free(p);
	if (line && *line && strlen(line) <= COLUMNS)
		return line;
	free(line);
	return without_escapes(c->looks[i].pattern);
}

/* A quoted word of a pattern, as people would write it; the caller's. */
static char *without_quotes(const char *word)
{
	struct buf b = { 0 };
	buf_add(&b, "", 0);
	for (word++; *word; word++)
		if (*word != '\\' && !(strchr("'\"", *word) && !word[1]))
			buf_addch(&b, *word);
	return b.data;
}

/* The quoted pattern for which WORDS, a grep, looks in something else than the test case. NULL: it
 * is none. */
static const char *pattern_of(const struct texts *words, const char *file)
{
	const char *quoted = NULL;
	size_t at = 0;
	while (at < words->n && strcmp(words->list[at], "!") != 0 &&
	       !strstr(path_base(words->list[at]), "grep"))
		at++;
	if (at == words->n || *words->list[at] == '!' || has_operand(words))
		return NULL;
	while (++at < words->n) {
		const char *word = words->list[at];
		bool inverts = word[0] == '-' && word[1] != '-' && strchr(word, 'v');
		if (inverts || !strcmp(path_base(word), file))
			return NULL;
		if (!quoted && strchr("'\"", *word))
			quoted = word;
	}
	return quoted;
}

/* The pattern for which the script TEST looks, if it is one; the caller's. NULL: it is not. */
static char *only_pattern(const char *test, const char *file)
{
	struct quote_state q = { 0 };
	char *found = NULL;
	unsigned n = 0;
	while (*test) {
		TEXTS_SCOPED struct texts words = { 0 };
		test = read_command(test, &q, &words);
		const char *pattern = pattern_of(&words, file);
		if (pattern && n++ == 0)
			found = without_quotes(pattern);
	}
	if (n == 1 && !strpbrk(found, "\n$`"))
		return found;
	free(found);
	return NULL;
}

/* Does a line of OUTPUT call what SIGNATURE begins with an assertion, which that does not say? */
static bool is_assertion(const char *output, const char *signature)
{
	MEM_SCOPED char *begin = mem_printf("%.*s", (int)strcspn(signature, ","), signature);
	if (!*begin || strstr(signature, "ssert"))
		return false;
	for (const char *at = output; (at = strstr(at, begin)); at++) {
		const char *line = at;
		while (line > output && line[-1] != '\n')
			line--;
		const char *said = strstr(line, "ssertion");
		if (said && said < at + strcspn(at, "\n"))
			return true;
	}
	return false;
}

static char *failure(const struct report_titled *of)
{
	const struct condition *c = of->condition;
	if (c->signature) {
		MEM_SCOPED char *once = signature_once(c->signature);
		return mem_printf("%s%s", is_assertion(of->output, once) ? "Assertion: " : "",
		                  once);
	}
	char *found = looked_for(c, of->output);
	if (!found && c->differs)
		found = mem_printf("output or status differs from that of %s", of->other);
	bool fails = c->ended != ENDED_STATUS || c->number || c->slower_than_ns;
	return found || !fails ? found : report_ended(c);
}

/* TITLE, which it takes, in one line of a terminal: what is more is left out behind a word. */
static char *shortened(char *title)
{
	enum { COLUMNS = SHOW_COLUMNS - 2 }; /* "# " */
	if (show_columns(title) <= COLUMNS)
		return title;
	size_t len = COLUMNS - 2, blank;
	while (len && ((unsigned char)title[len] & 0xc0) == 0x80)
		len--;
	for (blank = len; blank > COLUMNS / 2 && title[blank] != ' '; blank--)
		;
	len = title[blank] == ' ' ? blank : len;
	while (len && strchr(" ,:;", title[len - 1]))
		len--;
	char *shorter = mem_printf("%.*s " SIGNATURE_MASK, (int)len, title);
	free(title);
	return shorter;
}

char *report_title(const struct report_titled *of)
{
	bool command = of->condition->words;
	MEM_SCOPED char *what = command ? failure(of) : only_pattern(of->test, of->file);
	MEM_SCOPED char *who = command ? program(of->condition) : mem_strdup(path_base(of->file));
	if (!what)
		return NULL;
	MEM_SCOPED char *shown = signature_shown(what);
	size_t len = strlen(who); /* some programs say their name themselves */
	const char *rest = len && !strncmp(shown, who, len) && !strncmp(shown + len, ": ", 2)
	                           ? shown + len + 2
	                           : shown;
	return shortened(mem_printf("%s: %s", who, rest));
}
