#include "first/teach_rows.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "ask/pattern.h"
#include "base/io.h"
#include "base/mem.h"
#include "base/quote.h"
#include "reduce/session_options.h"

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

/* Where the script lies, or where we are, is such a file. */
static bool lies_here(const struct teach_script *s, struct teach_match *m)
{
	const char *plain = without_dot(m->word);
	if (strchr("/-$", *plain) || is_operand(s, plain))
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

bool teach_is_command(const char *name)
{
	char *path = io_find_program(NULL, name);
	free(path);
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

static bool is_no_reader(const struct teach_script *s, struct teach_match *m)
{
	(void)s;
	return access(m->word, X_OK) < 0;
}

static bool has_output(const struct teach_script *s, struct teach_match *m)
{
	(void)m;
	return s->output && s->output[strspn(s->output, " \n")];
}

/* What was looked for in the test's directory lies in ours. */
static bool is_left_here(const struct teach_script *s, struct teach_match *m)
{
	m->found = *m->word != '/' && access(m->word, F_OK) == 0 && strcmp(m->word, s->file) != 0
	                   ? io_real_path(m->word)
	                   : NULL;
	return m->found;
}

static bool leads_to_original(const struct teach_script *s, struct teach_match *m)
{
	struct stat there, ours;
	MEM_SCOPED char *path = mem_printf("%s/%s", m->word, s->file);
	return *path == '/' && stat(path, &there) == 0 && stat(s->options->file, &ours) == 0 &&
	       there.st_ino == ours.st_ino && there.st_dev == ours.st_dev;
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

const struct teach_row teach_rows[] = {
	{ TEACH_NOT_INTERESTING | TEACH_FLAKY, 1, TEACH_PLAIN, VARIES, NULL,
	  "%l%w is not the same in each run: let the test look only at what the bug does", NULL },
	{ TEACH_NOT_RUN | TEACH_NOT_INTERESTING, 1, TEACH_PLAIN, WORD, NULL,
	  "%lthe test runs in a directory that holds only %f; use the full path of %w: %r",
	  lies_here },
	{ TEACH_TRIVIAL, 1, TEACH_PLAIN, WORD, NULL,
	  "%l%w is the original, not the candidate: use \"$1\"", is_old },
	{ TEACH_NOT_RUN, 1, TEACH_TEXT, "\\A#! *(/[^ \\n]+)", NULL,
	  "%lthere is no %w; begin with #!/bin/sh, or with the program's path", is_no_reader },

	/* It says no. */
	{ TEACH_NOT_RUN | TEACH_NOT_INTERESTING, 2, TEACH_PLAIN, WORD, NULL,
	  "%lthe candidate is called %f there, not %w: use \"$1\"", is_other_name },
	{ ASKED, 2, TEACH_OUTPUT, "([^\\s\"']+): No such file or directory", NULL,
	  "the test runs in a directory that holds only %f; use the full path of %w: %r",
	  is_left_here },
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

const size_t teach_n_rows = sizeof teach_rows / sizeof *teach_rows;
