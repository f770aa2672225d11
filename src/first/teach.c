#include "first/teach.h"

#include <ctype.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/buf.h"
#include "base/err.h"
#include "base/io.h"
#include "base/mem.h"
#include "base/quote.h"
#include "base/show.h"
#include "first/teach_hand.h"
#include "first/teach_lines.h"
#include "reduce/session.h"

enum { SCRIPT_MAX = 1 << 16, HINTS_MAX = 3 };

static bool is_file(const char *path)
{
	struct stat st;
	return stat(path, &st) == 0 && S_ISREG(st.st_mode);
}

static bool is_program(const char *path)
{
	return is_file(path) && access(path, X_OK) == 0;
}

/* As a test is named on the command line. */
static char *as_test(const char *path)
{
	char *name = mem_printf("%s%s", strchr(path, '/') ? "" : "./", path);
	char *word = quote_word(name);
	free(name);
	return word;
}

static void hint(const char *text)
{
	show_printf(stderr, "hint: %s\n", text);
}

static void hint_free(char *text)
{
	hint(text);
	free(text);
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
	buf_addch(&b, '\0');
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
		if (is_file(o->files[i]))
			return quote_word(o->files[i]);
	return mem_strdup("FILE");
}

/* The operands cannot be what they should be. */
static bool teach_order(const struct session_options *o)
{
	char *words = join(o->files, o->n_files), *test = as_test(o->files[0]);
	char *first = quote_word(o->test);
	bool said = true;
	if (is_file(o->test) && !is_program(o->test) && o->n_files == 1 && is_program(o->files[0]))
		hint_free(mem_printf("the test comes first: whittle %s %s", test, first));
	else if (is_file(o->test) && !is_program(o->test) && !is_file(o->files[0]) &&
	         teach_is_command(o->files[0]))
		hint_free(mem_printf("a command comes after --: whittle %s -- %s", first, words));
	else if (!is_file(o->test) && teach_is_command(o->test)) {
		char *file = a_file(o);
		hint_free(mem_printf("%s is a command, not a file here; the file comes first: "
		                     "whittle %s -- %s %s",
		                     o->test, file, first, words));
		free(file);
	} else
		said = false;
	free(first);
	free(words);
	free(test);
	return said;
}

/* ---- the script ---- */

/* What is wrong with a test. */
enum fault {
	FAULT_NONE,
	FAULT_NOT_INTERESTING, /* it says no to the input, or could not be run */
	FAULT_TRIVIAL,
	FAULT_FLAKY,
};

struct script {
	const struct session_options *options;
	const char *path; /* absolute */
	char *dir;        /* in which it lies */
	unsigned line, hints;
	bool was_run;
	const char *output; /* of the run that was not interesting; NULL: none */
};

static bool is_operand(const struct script *s, const char *name)
{
	for (uint32_t i = 0; i < s->options->n_files; i++) {
		const char *file = s->options->files[i], *slash = strrchr(file, '/');
		if (!strcmp(slash ? slash + 1 : file, name))
			return true;
	}
	return false;
}

/* NAME where the script lies or where we are, as an absolute path; the caller's; NULL: nowhere. */
static char *lies_here(const struct script *s, const char *name)
{
	char *beside = mem_printf("%s/%s", s->dir, name), *real = NULL;
	if (is_file(beside))
		real = realpath(beside, NULL);
	else if (is_file(name))
		real = realpath(name, NULL);
	free(beside);
	return real;
}

static const char *ending_of(const char *name)
{
	const char *dot = strrchr(name, '.');
	return dot && dot != name ? dot : NULL;
}

/* A name like that of the file, which nothing here has. */
static bool looks_like_candidate(const struct script *s, const char *word)
{
	const char *ours = ending_of(s->options->file), *its = ending_of(word);
	return s->options->n_files == 1 && ours && its && !strcmp(ours, its) &&
	       !strpbrk(word, "$*?[]{}\\/") && isalnum((unsigned char)word[0]);
}

/* A word of a script whose test found the input boring. */
static void on_not_interesting(struct script *s, const char *word)
{
	const char *plain = strncmp(word, "./", 2) ? word : word + 2;
	char *real = *plain == '/' || *plain == '-' || *plain == '$' || is_operand(s, plain)
	                     ? NULL
	                     : lies_here(s, plain);
	char *path = quote_word(real ? real : "");
	if (real && strpbrk(word, "./"))
		hint_free(mem_printf("line %u: the test runs in a directory that holds only %s; "
		                     "use the full path of %s: %s",
		                     s->line, s->options->file, word, path));
	else if (!real && looks_like_candidate(s, plain) && !is_operand(s, plain))
		hint_free(
			mem_printf("line %u: the candidate is called %s there, not %s: use \"$1\"",
		                   s->line, s->options->file, word));
	else
		s->hints--;
	s->hints++;
	free(path);
	free(real);
}

bool teach_varies(const char *word)
{
	static const char *const varies[] = { "date",   "$RANDOM",      "${RANDOM}",    "$$",
		                              "shuf",   "/dev/random",  "/dev/urandom", "$SECONDS",
		                              "uptime", "$EPOCHSECONDS" };
	const char *slash = strrchr(word, '/'),
		   *name = slash && strncmp(word, "/dev/", 5) != 0 ? slash + 1 : word;
	for (size_t i = 0; i < sizeof varies / sizeof *varies; i++)
		if (!strcmp(name, varies[i]))
			return true;
	return false;
}

/* A word of a script whose verdict is not the same each time, or was no, for all we know by chance.
 */
static void on_flaky(struct script *s, const char *word)
{
	if (!teach_varies(word))
		return;
	hint_free(mem_printf("line %u: %s is not the same in each run: let the test look only at "
	                     "what the bug does",
	                     s->line, word));
	s->hints++;
}

/* A word of a script that is satisfied by an empty file. */
static void on_trivial(struct script *s, const char *word)
{
	char *real = realpath(s->options->file, NULL);
	const char *slash = strrchr(word, '/');
	bool original = real && *word == '/' && !strcmp(word, real);
	bool above = slash && !strncmp(word, "..", 2) && is_operand(s, slash + 1);
	size_t len = strlen(word);
	bool kept = len > 5 && !strcmp(word + len - 5, ".orig");
	if (original || above || kept) {
		hint_free(mem_printf("line %u: %s is the original, not the candidate: use \"$1\"",
		                     s->line, word));
		s->hints++;
	}
	free(real);
}

static void read_words(struct script *s, const char *text, size_t len, enum fault fault)
{
	static const char between[] = " \t\"'`;|&()<>=,";
	char *whole = mem_printf("%.*s", (int)len, text), *line = teach_unquoted(whole), *word,
	     *at = line;
	while (s->hints < HINTS_MAX && (word = strtok_r(at, between, &at))) {
		if (*word == '#')
			break;
		if (fault != FAULT_TRIVIAL && s->was_run)
			on_flaky(s, word);
		if (fault == FAULT_TRIVIAL)
			on_trivial(s, word);
		else if (fault == FAULT_NOT_INTERESTING)
			on_not_interesting(s, word);
	}
	free(line);
	free(whole);
}

/* The last command decides; one that always succeeds decides nothing. */
static void teach_last(const char *text, const char *test)
{
	size_t len = strlen(text);
	while (len && isspace((unsigned char)text[len - 1]))
		len--;
	size_t begin = len;
	while (begin && text[begin - 1] != '\n')
		begin--;
	static const char *const always[] = { "echo", "true", "exit 0", "rm ", "printf", ":" };
	for (size_t i = 0; i < sizeof always / sizeof *always; i++)
		if (!strncmp(text + begin, always[i], strlen(always[i])))
			hint_free(mem_printf("%s ends with \"%.*s\", which always succeeds; put || "
			                     "exit 1 after the command that looks for the bug",
			                     test, (int)(len - begin), text + begin));
}

/* A program in Python that says yes to everything. */
static void teach_python(const char *text, const char *test)
{
	const char *const exits[] = { "exit", "assert", "raise", "check=True", "check_" };
	bool may_fail = false;
	for (size_t i = 0; i < sizeof exits / sizeof *exits; i++)
		may_fail |= strstr(text, exits[i]) != NULL;
	if (memmem(text, strcspn(text, "\n"), "python", 6) && !may_fail)
		hint_free(mem_printf("%s never says no: end it with sys.exit(0 if ... else 1)",
		                     test));
}

/* The program that reads the script is not there. */
static void teach_reader(const char *text)
{
	const char *name = text + 2 + strspn(text + 2, " ");
	char *path = mem_printf("%.*s", (int)strcspn(name, " \n"), name);
	if (*path == '/' && access(path, X_OK) < 0)
		hint_free(mem_printf("line 1: there is no %s; begin with #!/bin/sh, or where the "
		                     "program is",
		                     path));
	free(path);
}

static bool is_shell(const char *text)
{
	size_t first = strcspn(text, "\n");
	return first > 2 && !strncmp(text + first - 2, "sh", 2);
}

static void teach_line_ends(const char *test)
{
	char *operand = quote_operand(test);
	hint_free(mem_printf("%s has the line ends of another system; to convert them: sed -i "
	                     "'s/\\r$//' %s",
	                     test, operand));
	free(operand);
}

static void teach_by_hand(const struct script *s, const char *text)
{
	char *line = teach_hand(s->options, s->path, text);
	if (line)
		hint_free(mem_printf("to run it as whittle does: %s", line));
	free(line);
}

static void teach_script(struct script *s, const char *text, enum fault fault)
{
	if (!strncmp(text, "#!", 2) && memchr(text, '\r', strcspn(text, "\n") + 1)) {
		teach_line_ends(s->options->test);
		return;
	}
	for (const char *at = text; *at && s->hints < HINTS_MAX;) {
		size_t len = strcspn(at, "\n");
		s->line++;
		read_words(s, at, len, fault);
		at += len + (at[len] == '\n');
	}
	if (s->was_run && fault != FAULT_FLAKY && !s->hints && is_shell(text))
		s->hints = teach_lines(&(struct teach_lines){ text, s->options->file, s->output,
		                                              fault == FAULT_TRIVIAL });
	if (!s->was_run)
		teach_reader(text);
	if (fault == FAULT_TRIVIAL && !s->hints) {
		teach_last(text, s->options->test);
		teach_python(text, s->options->test);
	} else if (!s->hints && s->was_run && fault == FAULT_NOT_INTERESTING)
		teach_by_hand(s, text);
}

static bool is_script(const struct buf *text)
{
	return text->len && text->len < SCRIPT_MAX && !memchr(text->data, '\0', text->len);
}

/* What its lines say does not matter then. */
static bool teach_way(const struct session_options *o, const struct session_probe *probe)
{
	const double usual_s = 10;
	char *file = quote_operand(o->file);
	double s = o->tests.timeout_ns ? (double)o->tests.timeout_ns / 1e9 : usual_s;
	if (probe->timed_out)
		hint_free(mem_printf("if the bug is that something does not end, let whittle run "
		                     "that command: whittle --exit timeout --timeout %.3g %s -- "
		                     "COMMAND",
		                     s, file));
	else if (o->tests.persistent && probe->slowest_ns)
		hint("with --persistent the test gets paths on its standard input, and has to "
		     "answer on its standard output: whittle-live(7) tells how to run it by hand");
	free(file);
	return probe->timed_out || probe->exceeded || (o->tests.persistent && probe->slowest_ns);
}

void teach(const struct session_options *o, const struct session_probe *probe,
           const struct err *err)
{
	struct buf text = { 0 };
	struct err ignored;
	if (err->code != ERR_TEST || (!probe->slowest_ns && teach_order(o)) || teach_way(o, probe))
		return;
	char *real = realpath(o->test, NULL);
	struct script s = { .options = o,
		            .path = real ? real : o->test,
		            .dir = mem_strdup(real ? real : "."),
		            .was_run = probe->slowest_ns,
		            .output = probe->output };
	char *slash = strrchr(s.dir, '/');
	if (slash)
		*slash = '\0';
	enum fault fault = probe->empty_interesting ? FAULT_TRIVIAL
	                   : s.was_run && probe->interesting
	                           ? probe->interesting < probe->runs ? FAULT_FLAKY : FAULT_NONE
	                           : FAULT_NOT_INTERESTING;
	if (is_program(o->test) && io_read_file(o->test, &text, &ignored) == 0 &&
	    is_script(&text) && fault && strncmp(text.data, "#!", 2) == 0 &&
	    !strstr(text.data, "\nwhittle-test "))
		teach_script(&s, text.data, fault);
	buf_release(&text);
	free(s.dir);
	free(real);
}
