#include "first/teach.h"

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
#include "ask/pattern.h"
#include "first/teach_rows.h"
#include "reduce/session.h"
#include "reduce/surroundings.h"
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

/* Commands of a shell that run TEST, an absolute path of a script with this TEXT, on what the
 * operands hold, in a directory of their own; the caller's. NULL: that takes more than a line. */
static char *teach_hand(const struct session_options *o, const char *test, const char *text)
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
	buf_addf(&b, " \"$d\" && cd \"$d\" && %s%s", traces, word);
	add_given(&b, o);
	return b.data;
}

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

/* The operands cannot be what they should be. */
static bool teach_order(const struct session_options *o)
{
	MEM_SCOPED char *words = join(o->files, o->n_files), *test = as_test(o->files[0]);
	MEM_SCOPED char *first = quote_word(o->test);
	bool said = true;
	if (io_is_file(o->test) && !is_program(o->test) && o->n_files == 1 &&
	    is_program(o->files[0]))
		hint_free(mem_printf("the test comes first: whittle %s %s", test, first));
	else if (io_is_file(o->test) && !is_program(o->test) && !io_is_file(o->files[0]) &&
	         teach_is_command(o->files[0]))
		hint_free(mem_printf("a command comes after --: whittle %s -- %s", first, words));
	else if (!io_is_file(o->test) && teach_is_command(o->test)) {
		MEM_SCOPED char *file = a_file(o);
		hint_free(mem_printf("%s is a command, not a file here; the file comes first: "
		                     "whittle %s -- %s %s",
		                     o->test, file, first, words));
	} else
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
	hint_free(b.data);
}

static bool stands(const char *pattern, const char *text)
{
	struct err err;
	struct pattern_match found;
	struct pattern *p = pattern_new(pattern, &err);
	if (!p)
		bug("a pattern of hints: %s", err.msg);
	bool is = pattern_find(p, text, strlen(text), 0, &found);
	pattern_free(p);
	return is;
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
	struct pattern *p = pattern_new(row->pattern, &err);
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
	pattern_free(p);
	return said;
}

/* Says what can be seen in the script when the test is as WHAT (a TEACH_ bit) says; how much. */
static unsigned teach_script(const struct teach_script *s, unsigned what, unsigned most)
{
	unsigned said = 0, before = 0, stage = 0;
	size_t first = strcspn(s->text, "\n");
	bool is_shell = first > 2 && !strncmp(s->text + first - 2, "sh", 2);
	for (size_t i = 0; i < teach_n_rows && said < most; i++) {
		const struct teach_row *row = &teach_rows[i];
		if (!(row->when & what) || (row->when & TEACH_SHELL && !is_shell))
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
}

/* ---- a test that cannot be used ---- */

/* What its lines say does not matter then. */
static bool teach_way(const struct session_options *o, const struct session_probe *probe)
{
	const double usual_s = 10;
	MEM_SCOPED char *file = quote_operand(o->file);
	double s = o->tests.timeout_ns ? (double)o->tests.timeout_ns / 1e9 : usual_s;
	if (probe->timed_out)
		hint_free(mem_printf("if the bug is that something does not end, let whittle run "
		                     "that command: whittle --exit timeout --timeout %.3g %s -- "
		                     "COMMAND",
		                     s, file));
	else if (o->tests.persistent && probe->slowest_ns)
		hint("with --persistent the test gets paths on its standard input, and must answer "
		     "on its standard output: whittle-live(7) tells how to run it by hand");
	return probe->timed_out || probe->exceeded || (o->tests.persistent && probe->slowest_ns);
}

static bool has_other_line_ends(const struct teach_script *s)
{
	if (!memchr(s->text, '\r', strcspn(s->text, "\n") + 1))
		return false;
	MEM_SCOPED char *operand = quote_operand(s->options->test);
	hint_free(mem_printf("%s has the line ends of another system; to convert them: sed -i "
	                     "'s/\\r$//' %s",
	                     s->options->test, operand));
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
           const struct err *err)
{
	struct teach_script s;
	unsigned what = what_of(probe);
	if (err->code != ERR_TEST || (!probe->slowest_ns && teach_order(o)) || teach_way(o, probe))
		return;
	bool is_script = script_init(&s, o);
	s.output = probe->output;
	if (is_script && what && !has_other_line_ends(&s) &&
	    !teach_script(&s, what, HINTS_MAX - 1) && what == TEACH_NOT_INTERESTING) {
		MEM_SCOPED char *line = teach_hand(o, s.path, s.text);
		if (line)
			hint_free(mem_printf("to run it as whittle does: %s", line));
	}
	script_release(&s);
}

/* ---- a test that can be used ---- */

/* The number of the line to look at first: the patterns are in the order of suspicion. 0: none. */
static unsigned suspect(const struct teach_script *s, const char *const *patterns)
{
	for (; s->plain && *patterns; patterns++) {
		const char *found = strstr(s->plain, *patterns);
		if (found)
			return line_of(s->text, (size_t)(found - s->plain));
	}
	return 0;
}

static void on_matters(const struct teach_script *s, enum surrounding what)
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
	unsigned line = suspect(s, what == SURROUNDING_DIRECTORY ? directories : clocks);
	MEM_SCOPED char *where = line ? mem_printf("line %u: ", line) : mem_strdup("");
	hint_free(mem_printf("%sthe input is not interesting in %s: %s", where,
	                     surrounding_name(what), advice[what]));
}

/* How many of them matter. */
static unsigned try_surroundings(struct session *session, const struct teach_script *s)
{
	static const char *const words[] = { [SURROUNDING_SAME] = "the same",
		                             [SURROUNDING_MATTERS] = "not interesting",
		                             [SURROUNDING_UNKNOWN] = "not tried" };
	unsigned n = 0;
	for (enum surrounding i = 0; i < SURROUNDINGS; i++) {
		enum surrounding_answer answer = surrounding_try(session, i);
		printf("in %s: %s%s\n", surrounding_name(i), words[answer],
		       i == SURROUNDING_DAY && answer == SURROUNDING_UNKNOWN
		               ? " (that takes libfaketime)"
		               : "");
		fflush(stdout);
		if (answer == SURROUNDING_MATTERS) {
			on_matters(s, i);
			n++;
		}
	}
	return n;
}

void teach_usable(struct session *session, const struct session_probe *probe)
{
	SCOPED(script_release) struct teach_script s;
	bool is_script = script_init(&s, session_options(session));
	unsigned said = probe->interesting == probe->runs ? try_surroundings(session, &s) : 0;
	s.slowest_s = (double)probe->slowest_ns / 1e9;
	if (is_script)
		teach_script(&s, TEACH_USABLE, HINTS_MAX - said);
}
