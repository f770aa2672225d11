#include "first/teach.h"

#include <ctype.h>
#include <stdio.h>
#include <unistd.h>

#include "ask/pattern.h"
#include "base/buf.h"
#include "base/err.h"
#include "base/io.h"
#include "base/mem.h"
#include "base/quote.h"
#include "base/show.h"
#include "first/ask.h"
#include "reduce/session.h"
#include "reduce/session_options.h"

/* What is known of the test: it could not be run, says no to the input, not always the same, says
 * yes to an empty file, or can be used. */
enum {
	TEACH_NOT_RUN = 1,
	TEACH_NOT_INTERESTING = 2,
	TEACH_FLAKY = 4,
	TEACH_TRIVIAL = 8,
	TEACH_USABLE = 16,
	TEACH_SHELL = 32, /* in a row: only if a shell reads the script */
	TEACH_ONCE = 64,
	TEACH_ALONE = 128, /* in a row: as the candidate is alone in its directory */
};

struct teach_script {
	const struct session_options *options;
	const char *file; /* base name of the candidate */
	char *path, *dir; /* of the script, and in which it lies */
	char *text;       /* of the script; NULL: it is none */
	char *plain;      /* as long: of the script of a shell, without comments and what stands in
	                   * quotes and can be no word that counts, up to a here document */
	const char *output; /* of the run that was not interesting; NULL: none */
	char *here;         /* what ask_test_here says */
	double slowest_s;
};

/* Where a row's pattern matches. */
struct teach_match {
	size_t at;        /* offset of the first group that took part, or of the match */
	const char *word; /* its text */
	char *found;      /* what `holds` has found, or NULL; freed by the caller */
};

struct teach_row {
	unsigned when;  /* TEACH_ bits */
	unsigned stage; /* only if no earlier stage has said anything */
	enum { TEACH_PLAIN, TEACH_TEXT, TEACH_OUTPUT } in;
	const char *pattern;
	const char *unless; /* nor where this matches, anywhere; NULL: nowhere */
	const char *say; /* %l: "line N: ", %w: the word, %f: the file, %t: the test, %r: what was
	                    found */
	bool (*holds)(const struct teach_script *s, struct teach_match *m); /* NULL: always */
};

/* The mistakes that are seen in the script of a test, as a table: a pattern, and what is said where
 * it matches. */

/* ---- parts of patterns ---- */

#define SPACE "[ \\t]*"
#define NO_WORD "\\s\"'`;|&()<>=,"
#define WORD "(?<![^" NO_WORD "])([^" NO_WORD "]+)"
/* Where a command begins, behind keywords, NAME= and what runs another one. */
#define COMMAND                                                                                   \
	"(?:^|[;|&({`]|(?<![^\\s;(])(?:if|then|else|elif|while|until|do|!|env|exec|nice|time)(?=" \
	"\\s))"                                                                                   \
	"(?:" SPACE "(?:if|then|else|elif|while|until|do|!|[{(]|env|exec|nice|time)(?=\\s))*"     \
	"(?:" SPACE "\\w+=[^\\s(]*(?=\\s))*" SPACE
#define PATH_OF "(?:[^\\s\"';|&()<>=]*/)?"
#define ENDS "(?![^\\s;|&()<>])"
#define LAST "\\s*\\z"
#define LOOKS           \
	COMMAND PATH_OF \
		"(?:grep|egrep|fgrep|rg|awk|sed|cmp|diff|case|\\[\\[?|test|perl|jq|python3)" ENDS
#define QUICK "(?:e|f)?grep|\\[\\[?|test|head|tail|wc|cmp"
#define SMALL                                                                                    \
	"if|then|else|elif|while|until|do|env|nice|time|"                                        \
	"echo|printf|true|false|exit|return|:|cd|set|trap|ulimit|unset|shift|local|export|rm|"   \
	"mkdir|"                                                                                 \
	"cp|mv|ln|cat|tr|sort|cut|uniq|sed|awk|chmod|touch|read|wait|kill|date|mktemp|basename|" \
	"dirname|pwd|eval|case|for|fi|done|esac|in|exec|\\."
/* A function runs elsewhere. */
#define NO_FUNCTION "^" SPACE "[\\w-]+ *\\(\\)(?:.*[})]|(?s:.*?)^[})]+)" SPACE "$(*SKIP)(*FAIL)|"
/* What is not in front of a redirection: the command writes to standard error all the same. */
#define SILENT "^(?!" SPACE "(?:if |\\[|echo |printf |cat ))(?!.*(?:2>|&>))"
#define BUILT_IN                                                                                 \
	"cd|set|read|trap|ulimit|export|local|return|exit|case|esac|for|do|done|fi|then|else|"   \
	"elif|"                                                                                  \
	"while|until|if|test|true|false|source|eval|exec|shift|unset|umask|wait|type|command|"   \
	"printf|"                                                                                \
	"echo|break|in|kill|declare|typeset|let|time|alias|shopt|hash|continue|function|select|" \
	"getopts|readonly|times|pushd|popd"
#define VARIES                                                                                \
	"(?<![^" NO_WORD "])((?:[^" NO_WORD "]*/)?(?:date|shuf|uptime)|/dev/u?random|\\$\\$|" \
	"\\$(?:RANDOM|\\{RANDOM\\}|SECONDS|EPOCHSECONDS))(?![^" NO_WORD "])"

/* ---- what a pattern alone does not say ---- */

static const char *base_name(const char *path)
{
	const char *slash = strrchr(path, '/');
	return slash && slash[1] ? slash + 1 : path;
}

static bool is_operand(const struct teach_script *s, const char *name)
{
	bool is = false;
	for (uint32_t i = 0; i < s->options->n_files; i++)
		is |= !strcmp(base_name(s->options->files[i]), name);
	return is;
}

static const char *without_dot(const char *word)
{
	return strncmp(word, "./", 2) ? word : word + 2;
}

/* Does the script itself write the file NAME? */
static bool is_written(const struct teach_script *s, const char *name)
{
	size_t len = strlen(name);
	for (const char *at = s->text; (at = strstr(at, name)); at += len) {
		const char *begin = at;
		begin -= begin - s->text >= 2 && !strncmp(begin - 2, "./", 2) ? 2 : 0;
		while (begin > s->text && strchr(" \t\"'", begin[-1]))
			begin--;
		bool whole = !at[len] || strchr(" \t\n\"';|&)", at[len]);
		if (whole && begin > s->text &&
		    (begin[-1] == '>' || (begin - s->text > 2 && (!strncmp(begin - 2, "-o", 2) ||
		                                                  !strncmp(begin - 3, "tee", 3)))))
			return true;
	}
	return false;
}

/* Where the script lies, or where we are, is such a file. */
static bool lies_here(const struct teach_script *s, struct teach_match *m)
{
	const char *plain = without_dot(m->word);
	if (strchr("/-$", *plain) || is_operand(s, plain) || is_written(s, plain))
		return false;
	MEM_SCOPED char *beside = mem_printf("%s/%s", s->dir, plain);
	MEM_SCOPED char *real = io_is_file(beside)  ? io_real_path(beside)
	                        : io_is_file(plain) ? io_real_path(plain)
	                                            : NULL;
	m->found = real ? quote_word(real) : NULL;
	return m->found && strpbrk(m->word, "./");
}

/* A name like that of the file, which nothing here has: the same ending, or the same name with one
 * that nothing makes of it. */
static bool is_other_name(const struct teach_script *s, struct teach_match *m)
{
	static const char made[] = ".o .s .out .i .exe .log .txt .tmp .err .pdf .ll .bc ";
	const char *word = without_dot(m->word), *its = strrchr(word, '.'),
		   *ours = strrchr(s->file, '.');
	if (!its || !ours || its == word || ours == s->file || is_operand(s, word) ||
	    lies_here(s, m))
		return false;
	if (!strcmp(its, ours))
		return s->options->n_files == 1 && !strpbrk(word, "$*?[]{}\\/") &&
		       isalnum((unsigned char)*word);
	MEM_SCOPED char *end = mem_printf("%s ", its);
	return its - word == ours - s->file && !strncmp(word, s->file, (size_t)(its - word)) &&
	       !strstr(made, end);
}

/* The candidate, in a directory. */
static bool is_elsewhere(const struct teach_script *s, struct teach_match *m)
{
	size_t dir = (size_t)(base_name(m->word) - m->word);
	if (dir < 2 || strcmp(m->word + dir, s->file) != 0 || strchr("$~.", *m->word))
		return false;
	m->found = mem_printf("%.*s", (int)dir, m->word);
	return true;
}

static bool is_original(const struct teach_script *s, struct teach_match *m)
{
	MEM_SCOPED char *real = io_real_path(s->options->file);
	return real && !strcmp(m->word, real);
}

static bool is_old(const struct teach_script *s, struct teach_match *m)
{
	size_t len = strlen(m->word);
	return is_original(s, m) || (len > 5 && !strcmp(m->word + len - 5, ".orig")) ||
	       (!strncmp(m->word, "..", 2) && is_operand(s, base_name(m->word)));
}

/* Is there a program NAME, a path or in a directory of $PATH? */
static bool teach_is_command(const char *name)
{
	MEM_SCOPED char *path = io_find_program(NULL, name);
	return path != NULL;
}

static bool is_no_program(const struct teach_script *s, struct teach_match *m)
{
	const char *home = getenv("HOME");
	bool at_home = *m->word == '~';
	MEM_SCOPED char *path = mem_printf("%s%s", at_home && home ? home : "", m->word + at_home);
	MEM_SCOPED char *function = mem_printf("%s()", m->word);
	return !teach_is_command(path) && !strstr(s->text, function);
}

static bool is_no_reader(UNUSED const struct teach_script *s, struct teach_match *m)
{
	return access(m->word, X_OK) < 0;
}

static bool has_output(const struct teach_script *s, UNUSED struct teach_match *m)
{
	return s->output && s->output[strspn(s->output, " \n")];
}

/* What was looked for in the test's directory lies in ours. */
static bool is_left_here(const struct teach_script *s, struct teach_match *m)
{
	m->found = *m->word != '/' && access(m->word, F_OK) == 0 && strcmp(m->word, s->file) != 0 &&
	                           !is_written(s, without_dot(m->word))
	                   ? io_real_path(m->word)
	                   : NULL;
	return m->found;
}

static bool leads_to_original(const struct teach_script *s, struct teach_match *m)
{
	MEM_SCOPED char *path = mem_printf("%s/%s", m->word, s->file);
	return *path == '/' && io_same_file(path, s->options->file);
}

/* Does the command with the word at AT name the candidate? */
static bool names_candidate(const struct teach_script *s, size_t at)
{
	size_t len = strcspn(s->plain + at, ";|&()`\n");
	char *command = mem_printf("%.*s", (int)len, s->text + at), *next = command, *word;
	bool names = false;
	while ((word = strtok_r(next, " \t\"'", &next)))
		names |= strstr(word, "$1") || strstr(word, "${1}") || strstr(word, "$@") ||
		         !strcmp(base_name(word), s->file);
	free(command);
	return names;
}

static bool is_setup(const struct teach_script *s, struct teach_match *m)
{
	return !names_candidate(s, m->at);
}

/* Behind a command that may take long. */
static bool is_late(const struct teach_script *s, struct teach_match *m)
{
	struct pattern_match first;
	struct pattern *p =
		pattern_new(NO_FUNCTION COMMAND PATH_OF "(?!(?:" QUICK "|" SMALL ")" ENDS
	                                                ")([A-Za-z_][\\w.+-]*)(?!\\))" ENDS,
	                    NULL);
	bool late = pattern_find(p, s->plain, strlen(s->plain), 0, &first) &&
	            first.group[1].begin < m->at && names_candidate(s, m->at);
	unsigned line = 1;
	for (size_t i = 0; late && i < first.group[1].begin; i++)
		line += s->text[i] == '\n';
	if (late)
		m->found = mem_printf("%.*s in line %u",
		                      (int)(first.group[1].end - first.group[1].begin),
		                      s->text + first.group[1].begin, line);
	pattern_free(p);
	return late;
}

/* A machine that is busy holds up a test of milliseconds for seconds. */
static bool is_hasty(const struct teach_script *s, struct teach_match *m)
{
	const double short_s = 8, plenty = 4;
	char *unit;
	double n = strtod(m->word, &unit);
	n *= *unit == 'm' ? 60 : *unit == 'h' ? 3600 : *unit == 'd' ? 86400 : 1;
	m->found = mem_printf("a run took %.2g s, and timeout %g ends it by the clock, so a busy "
	                      "machine gives another answer: use "
	                      "timeout %.0f, or --timeout of whittle",
	                      s->slowest_s, n, short_s + 2 * plenty * s->slowest_s);
	return n > 0 && (n < short_s || n < plenty * s->slowest_s);
}

/* ---- the table ---- */

#define ASKED (TEACH_NOT_INTERESTING | TEACH_SHELL)
#define ALWAYS (TEACH_USABLE | TEACH_SHELL)

static const struct teach_row teach_rows[] = {
	{ TEACH_NOT_INTERESTING | TEACH_FLAKY, 1, TEACH_PLAIN, VARIES, NULL,
	  "%l%w is not the same in each run: let the test look only at what the bug does", NULL },
	{ TEACH_NOT_RUN | TEACH_NOT_INTERESTING | TEACH_ALONE, 1, TEACH_PLAIN, WORD, NULL,
	  "%lthe test runs in a directory that holds only %f; use the full path of %w: %r",
	  lies_here },
	{ TEACH_TRIVIAL, 1, TEACH_PLAIN, WORD, NULL,
	  "%l%w is the original, not the candidate: use \"$1\"", is_old },
	{ TEACH_NOT_RUN, 1, TEACH_TEXT, "\\A#! *(/[^ \\n]+)", NULL,
	  "%lthere is no %w; begin with #!/bin/sh, or with the program's path", is_no_reader },

	/* It says no. */
	{ TEACH_NOT_RUN | TEACH_NOT_INTERESTING | TEACH_ALONE, 2, TEACH_PLAIN, WORD, NULL,
	  "%lthe candidate is called %f there, not %w: use \"$1\"", is_other_name },
	{ ASKED | TEACH_ALONE, 2, TEACH_OUTPUT, "([^\\s\"']+): No such file or directory", NULL,
	  "the test runs in a directory that holds only %f; use the full path of %w: %r",
	  is_left_here },
	{ ASKED, 2, TEACH_OUTPUT, "([^\\s:\"']+): Read-only file system", NULL,
	  "the fence lets no test write to %w; use --allow-write with its directory", NULL },
	{ ASKED, 2, TEACH_PLAIN, "&& exit 1", NULL,
	  "%lthe test exits with 1 where this succeeds, but 0 means that the bug shows: use || "
	  "exit 1",
	  NULL },
	{ ASKED, 2, TEACH_PLAIN,
	  "^" SPACE "set -(?:e|o errexit)(?s:.*?)^" SPACE
	  "([A-Za-z_]\\w*=(?:\"?\\$\\(|`)(?!.*\\|\\|))",
	  NULL,
	  "%lset -e ends the test here if the command fails, as it does where the bug shows: put "
	  "|| true at the end of the line",
	  NULL },
	{ ASKED, 2, TEACH_PLAIN,
	  "^" SPACE "((?!(?:" BUILT_IN ")(?![\\w.+-]))[A-Za-z][\\w.+-]*|~?/[^" NO_WORD
	  "]*)(?![^\\s\"'`;|&<>,])",
	  NULL, "%lthere is no program %w here", is_no_program },
	{ ASKED, 2, TEACH_PLAIN, WORD, NULL,
	  "%lthe candidate is called %f there, in another directory each time: leave out %r",
	  is_elsewhere },
	{ ASKED | TEACH_ONCE, 3, TEACH_PLAIN, SILENT "[^|\\n]*\\|(?![|&])", NULL,
	  "%l| takes only standard output, and the command has written to standard error: use 2>&1 "
	  "|",
	  has_output },
	{ ASKED | TEACH_ONCE, 4, TEACH_PLAIN, SILENT "[^>\\n]*[^>\\n0-9&<=-]>(?!&)", NULL,
	  "%l> takes only standard output, and the command has written to standard error: put 2>&1 "
	  "after the file",
	  has_output },
	{ ASKED, 5, TEACH_PLAIN,
	  "^" SPACE "(?!.*(?:grep|test |\\[|!|exit|cmp|diff|return|awk|sed "
	  "|python|perl|fi|done|\\}|esac|case|\\||=))(\\S.*?)" LAST,
	  NULL,
	  "the test ends with the exit status of \"%w\", and 0 means that the bug shows: if the "
	  "bug makes it fail, put ! in front, or "
	  "look for its message with 2>&1 | grep -q",
	  NULL },

	/* It says yes to everything. */
	{ TEACH_TRIVIAL | TEACH_SHELL, 2, TEACH_TEXT, "^" SPACE "cd [\"']*([^\"' ;&\\n]+)", NULL,
	  "%lcd leads to the original; the test begins in the directory of the candidate: remove "
	  "this line",
	  leads_to_original },
	{ TEACH_TRIVIAL | TEACH_SHELL, 2, TEACH_PLAIN,
	  "(\\|\\| (?:true|:|exit 0)|; (?:true|exit 0))" LAST, NULL,
	  "line %n ends with \"%w\", so the test always succeeds: leave that out", NULL },
	{ TEACH_TRIVIAL, 3, TEACH_TEXT, "^((?:echo|true|exit 0|rm |printf|:).*?)" LAST, NULL,
	  "%t ends with \"%w\", which always succeeds; put || exit 1 after the command that looks "
	  "for the bug",
	  NULL },
	{ TEACH_TRIVIAL, 3, TEACH_TEXT, "\\A.*python", "exit|assert|raise|check=True|check_",
	  "%t never says no: end it with sys.exit(0 if ... else 1)", NULL },

	/* It can be used. */
	{ ALWAYS, 1, TEACH_PLAIN, WORD, NULL,
	  "%l%w is the original, whatever the candidate: use \"$1\" in its place", is_original },
	{ ALWAYS, 1, TEACH_PLAIN, VARIES, NULL,
	  "%l%w is not the same in each run: make sure that the answer does not depend on it",
	  NULL },
	{ ALWAYS, 1, TEACH_PLAIN,
	  COMMAND "timeout(?:\\s+-[ks]\\s+\\S+|\\s+-\\S+)*\\s+([\\d.]+[smhd]?)", NULL, "%l%r",
	  is_hasty },
	{ ALWAYS, 1, TEACH_PLAIN,
	  COMMAND
	  "((?:\\./configure|cmake|wget|curl|unzip|tar|virtualenv)(?:\\s+[^\\s;|&()]+)?|git "
	  "clone|pip3? install|npm (?:install|ci)|"
	  "gem install|cp -[raR]|cargo fetch|go get|apt-get install)" ENDS,
	  NULL,
	  "%l%w does the same for each candidate: do it once, before the reduction, and use the "
	  "results by their full paths",
	  is_setup },
	{ ALWAYS | TEACH_ONCE, 1, TEACH_PLAIN, NO_FUNCTION COMMAND PATH_OF "(" QUICK ")" ENDS, NULL,
	  "%l%w looks at %f itself, which is quick: put it before %r, so that most candidates are "
	  "refused without running that",
	  is_late },
	{ ALWAYS, 1, TEACH_TEXT,
	  LOOKS
	  "[^;|&\\n]*?[ "
	  "\\t](?|\"([^\"\\n]*[^\\[\"\\n]:\\d+:[^\"\\n]*)\"|'([^'\\n]*[^\\['\\n]:\\d+:[^'\\n]*)'|"
	  "([^\\s\"']*[^\\[\\s\"']:\\d+:[^\\s\"']*))",
	  NULL,
	  "%l\"%w\" names a line, whose number changes when earlier lines are removed: leave the "
	  "number out",
	  NULL },
	{ ALWAYS, 1, TEACH_PLAIN, "(?<![&<>|])&(?![&>])", COMMAND "wait" ENDS,
	  "%l& leaves a process behind, which whittle ends when the test does: put wait at the end",
	  NULL },
	{ ALWAYS, 1, TEACH_PLAIN,
	  "(?<![^\\s;|&({])!\\s+(?:\\w+=\\S*\\s+)*" PATH_OF "(?!test" ENDS ")([\\w.+-]+)", LOOKS,
	  "%levery failure of %w counts, even that of a broken file: look for the message of the "
	  "bug as well",
	  NULL },
};

enum { SCRIPT_MAX = 1 << 16, HINTS_MAX = 4 };

static bool is_program(const char *path)
{
	return io_is_file(path) && access(path, X_OK) == 0;
}

/* As a test is named on the command line. */
static char *as_test(const char *path)
{
	MEM_SCOPED char *name = mem_printf("%s%s", strchr(path, '/') ? "" : "./", path);
	return quote_word(name);
}

/* Both are freed; COMMAND may be NULL. */
static void hint(char *text, char *command)
{
	show_hint(text, command);
	free(text);
	free(command);
}

/* All N words of the shell with blanks between; the caller's. */
static char *join(const char *const *words, unsigned n)
{
	struct buf b = { 0 };
	buf_add(&b, "", 0);
	for (unsigned i = 0; i < n; i++) {
		buf_add(&b, " ", i ? 1 : 0);
		quote_add_if_needed(&b, words[i]);
	}
	return b.data;
}

/* ---- operands ---- */

char *teach_operands(char *const *operands, int n)
{
	if (n == 0)
		return mem_strdup("whittle FILE -- COMMAND, or whittle ./test.sh FILE");
	char *word = quote_word(operands[0]), *text;
	if (is_program(operands[0]))
		text = mem_printf("no file to reduce; use: whittle %s FILE", word);
	else
		text = mem_printf(
			"no command or test; use: whittle %s -- COMMAND, or whittle ./test.sh %s",
			word, word);
	free(word);
	return text;
}

/* The last of FILES that is there, as a word of the shell; the caller's. */
static char *a_file(const struct session_options *o)
{
	for (uint32_t i = o->n_files; i-- > 0;)
		if (io_is_file(o->files[i]))
			return quote_word(o->files[i]);
	return mem_strdup("FILE");
}

/* Where the command begins among the N words: behind a file, or first of all. 0: nowhere. */
static int find_command(const char *const *words, int n)
{
	for (int i = 2; i + 1 < n; i++)
		if (io_is_file(words[i - 1]) && !io_is_file(words[i]) && teach_is_command(words[i]))
			return i;
	return n > 2 && !io_is_file(words[1]) && teach_is_command(words[1]);
}

bool teach_typed(const char *const *words)
{
	int n = (int)mem_count_words(words), at, file;
	at = find_command(words, n);
	file = n - 1;
	while (file > at && !io_is_file(words[file]))
		file--;
	if (!at || (at == 1 && file == at))
		return false;
	MEM_SCOPED char *operands = at > 1 ? join(words + 1, (unsigned)at - 1)
	                                   : quote_operand(words[file]),
			*command = join(words + at, (unsigned)(n - at));
	hint(mem_strdup("a command comes after --:"),
	     mem_printf("whittle %s -- %s", operands, command));
	return true;
}

/* Is LINE, which is no file, a command with its arguments, as one word? */
static bool is_command_line(const char *line)
{
	size_t len = strcspn(line, " \t\n");
	MEM_SCOPED char *first = mem_printf("%.*s", (int)len, line);
	return len && line[len] && (is_program(first) || teach_is_command(first));
}

/* LINE, on FILES: the words of a command, unless a shell has to read more than those. */
static void teach_line(const char *line, const char *files)
{
	static const char other[] = "\"'`$\\|&;<>()*?[#~\n";
	MEM_SCOPED char *quoted = quote_word(line);
	bool shell = strpbrk(line, other) != NULL;
	hint(mem_strdup("a command comes after --:"),
	     mem_printf("whittle %s%s -- %s", shell ? "--shell " : "", files,
	                shell ? quoted : line));
}

/* The operands cannot be what they should be. */
static bool teach_order(const struct session_options *o, const char *const *typed)
{
	MEM_SCOPED char *words = join(o->files, o->n_files), *test = as_test(o->files[0]);
	MEM_SCOPED char *first = quote_word(o->test);
	bool said = true;
	if (io_is_file(o->test) && !is_program(o->test) && o->n_files == 1 &&
	    is_program(o->files[0]))
		hint(mem_strdup("the test comes first:"), mem_printf("whittle %s %s", test, first));
	else if (io_is_file(o->test) && !is_program(o->test) && !io_is_file(o->files[0]) &&
	         teach_is_command(o->files[0]))
		said = teach_typed(typed);
	else if (!io_is_file(o->test) && teach_is_command(o->test)) {
		MEM_SCOPED char *file = a_file(o);
		hint(mem_printf("%s is a command, not a file here; the file comes first:", o->test),
		     mem_printf("whittle %s -- %s %s", file, first, words));
	} else if (!io_is_file(o->test) && is_command_line(o->test))
		teach_line(o->test, words);
	else
		said = false;
	return said;
}

/* ---- the script ---- */

/* Can what stands in quotes be a word that counts: a path, a variable? */
static bool may_count(const char *text, size_t len)
{
	bool counts = false;
	for (size_t i = 0; i < len; i++) {
		if (strchr(" \t\n|<>&;*^[\\", text[i]))
			return false;
		counts |= strchr("/.$", text[i]) != NULL;
	}
	return counts;
}

/* TEXT, as long, with blanks in place of comments and '_' in place of what stands in quotes and
 * counts for nothing: patterns and messages are no commands. It ends where a here document begins.
 * The caller's. */
static char *plain_of(const char *text)
{
	struct quote_state q = { 0 };
	char *copy = mem_strdup(text), *here;
	for (size_t at = 0; text[at];) {
		size_t step = quote_step(&q, text + at), begin = at + step, end;
		if (text[at] == '#' && step > 1)
			memset(copy + at, ' ', step);
		at = begin;
		char open = q.open;
		unsigned depth = q.depth;
		if (!open)
			continue;
		do {
			end = at;
			at += text[at] ? quote_step(&q, text + at) : 0;
		} while (text[end] && q.open == open && q.depth == depth);
		if (!may_count(text + begin, end - begin))
			memset(copy + begin, '_', end - begin);
	}
	if ((here = strstr(copy, "<<")))
		here[strcspn(here, "\n")] = '\0';
	return copy;
}

static unsigned line_of(const char *text, size_t at)
{
	unsigned line = 1;
	for (size_t i = 0; i < at; i++)
		line += text[i] == '\n';
	return line;
}

/* What ROW says of M, on standard error. */
static void say(const struct teach_script *s, const struct teach_row *row,
                const struct teach_match *m)
{
	struct buf b = { 0 };
	unsigned line = line_of(s->text, m->at);
	for (const char *at = row->say; *at; at++) {
		if (*at != '%') {
			buf_addch(&b, *at);
			continue;
		}
		switch (*++at) {
		case 'l':
			buf_addf(&b, "line %u: ", line);
			break;
		case 'n':
			buf_addf(&b, "%u", line);
			break;
		case 'w':
			buf_addf(&b, "%s", m->word);
			break;
		case 'f':
			buf_addf(&b, "%s", s->file);
			break;
		case 't':
			buf_addf(&b, "%s", s->options->test);
			break;
		default:
			buf_addf(&b, "%s", m->found);
		}
	}
	buf_addch(&b, '\0');
	hint(b.data, NULL);
}

static bool stands(const char *pattern, const char *text)
{
	struct err err;
	struct pattern_match found;
	SCOPED(pattern_scoped) struct pattern *p = pattern_new(pattern, &err);
	if (!p)
		bug("a pattern of hints: %s", err.msg);
	return pattern_find(p, text, strlen(text), 0, &found);
}

/* Says what ROW has to say, at most MOST times; how often. */
static unsigned try_row(const struct teach_script *s, const struct teach_row *row, unsigned most)
{
	const char *in = row->in == TEACH_OUTPUT ? s->output
	                 : row->in == TEACH_TEXT ? s->text
	                                         : s->plain;
	struct err err;
	struct pattern_match found;
	unsigned said = 0;
	if (!in || (row->unless && stands(row->unless, in)))
		return 0;
	SCOPED(pattern_scoped) struct pattern *p = pattern_new(row->pattern, &err);
	if (!p)
		bug("a pattern of hints: %s", err.msg);
	for (size_t at = 0, len = strlen(in);
	     said < most && pattern_find(p, in, len, at, &found);) {
		struct pattern_span g = found.group[found.n > 1];
		/* The words are those of the script. */
		const char *words = row->in == TEACH_OUTPUT ? in : s->text;
		MEM_SCOPED char *word = mem_printf("%.*s", (int)(g.end - g.begin), words + g.begin);
		struct teach_match m = { .at = g.begin, .word = word };
		if (!row->holds || row->holds(s, &m)) {
			say(s, row, &m);
			said++;
		}
		free(m.found);
		at = found.group[0].end + (found.group[0].end == at);
	}
	return said;
}

/* Says what can be seen in the script when the test is as WHAT (a TEACH_ bit) says; how much. */
static unsigned teach_script(const struct teach_script *s, unsigned what, unsigned most)
{
	unsigned said = 0, before = 0, stage = 0;
	size_t first = strcspn(s->text, "\n");
	bool is_shell = first > 2 && !strncmp(s->text + first - 2, "sh", 2);
	for (size_t i = 0; i < sizeof teach_rows / sizeof *teach_rows && said < most; i++) {
		const struct teach_row *row = &teach_rows[i];
		if (!(row->when & what) || (row->when & TEACH_SHELL && !is_shell) ||
		    (s->here && !(row->when & TEACH_ALONE)))
			continue;
		if (row->stage != stage)
			before = said;
		stage = row->stage;
		if (stage == 1 || !before)
			said += try_row(s, row, row->when & TEACH_ONCE ? 1 : most - said);
	}
	return said;
}

/* The text of the test when it is a script, and not one of the conditions; else NULL. */
static char *script_of(const char *path)
{
	struct buf text = { 0 };
	if (is_program(path) && io_read_file(path, &text, NULL) == 0 && text.len &&
	    text.len < SCRIPT_MAX && !memchr(text.data, '\0', text.len)) {
		buf_addch(&text, '\0');
		if (!strncmp(text.data, "#!", 2) && !strstr(text.data, "\nwhittle-test "))
			return text.data;
	}
	buf_release(&text);
	return NULL;
}

static bool script_init(struct teach_script *s, const struct session_options *o)
{
	char *text = script_of(o->test), *real = realpath(o->test, NULL);
	const char *slash = strrchr(o->file, '/'), *end = real ? strrchr(real, '/') : NULL;
	*s = (struct teach_script){ .options = o,
		                    .file = slash && slash[1] ? slash + 1 : o->file,
		                    .text = text,
		                    .plain = text ? plain_of(text) : NULL };
	s->path = real ? real : mem_strdup(o->test);
	s->dir = end ? mem_printf("%.*s", (int)(end - real), real) : mem_strdup(".");
	return text;
}

static void script_release(struct teach_script *s)
{
	free(s->text);
	free(s->plain);
	free(s->dir);
	free(s->path);
	free(s->here);
}

/* ---- a test that cannot be used ---- */

/* What its lines say does not matter then. */
static bool teach_way(const struct session_options *o, const struct session_probe *probe)
{
	const double usual_s = 10;
	MEM_SCOPED char *file = quote_operand(o->file);
	double s = o->tests.timeout_ns ? (double)o->tests.timeout_ns / 1e9 : usual_s;
	if (probe->timed_out)
		hint(mem_strdup("if the bug is that something does not end, let whittle run that "
		                "command:"),
		     mem_printf("whittle --exit timeout --timeout %.6g %s -- COMMAND", s, file));
	else if (o->tests.persistent && probe->slowest_ns)
		hint(mem_strdup("with --persistent the test gets paths on its standard input, and "
		                "must answer on its standard output: whittle-live(7) tells how to "
		                "run it by hand"),
		     NULL);
	return probe->timed_out || probe->exceeded || (o->tests.persistent && probe->slowest_ns);
}

static bool has_other_line_ends(const struct teach_script *s)
{
	if (!memchr(s->text, '\r', strcspn(s->text, "\n") + 1))
		return false;
	MEM_SCOPED char *operand = quote_operand(s->options->test);
	hint(mem_printf("%s has the line ends of another system; to convert them:",
	                s->options->test),
	     mem_printf("sed -i 's/\\r$//' %s", operand));
	return true;
}

static unsigned what_of(const struct session_probe *probe)
{
	if (probe->empty_interesting)
		return TEACH_TRIVIAL;
	if (!probe->slowest_ns)
		return TEACH_NOT_RUN;
	if (!probe->interesting)
		return TEACH_NOT_INTERESTING;
	return probe->interesting < probe->runs ? TEACH_FLAKY : 0;
}

void teach(const struct session_options *o, const struct session_probe *probe,
           const char *const *typed, const struct err *err)
{
	struct teach_script s;
	unsigned what = what_of(probe);
	if (err->code != ERR_TEST || (!probe->slowest_ns && teach_order(o, typed)) ||
	    teach_way(o, probe))
		return;
	bool is_script = script_init(&s, o);
	s.output = probe->output;
	s.here = is_script && what == TEACH_NOT_INTERESTING ? ask_test_here(o, s.path) : NULL;
	if (is_script && what && !has_other_line_ends(&s) &&
	    !teach_script(&s, what, HINTS_MAX - 1) && what == TEACH_NOT_INTERESTING) {
		char *line = s.here ? NULL : teach_hand(o, s.path, s.text);
		if (s.here)
			show_hint(s.here, NULL);
		if (line)
			hint(mem_strdup("to run it as whittle does:"), line);
	}
	script_release(&s);
}

/* ---- a test that can be used ---- */

void teach_usable(const struct session_options *o, const struct session_probe *probe)
{
	SCOPED(script_release) struct teach_script s;
	bool is_script = script_init(&s, o);
	s.slowest_s = (double)probe->slowest_ns / 1e9;
	if (is_script)
		teach_script(&s, TEACH_USABLE, HINTS_MAX);
}
