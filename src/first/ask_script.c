#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/buf.h"
#include "base/err.h"
#include "base/io.h"
#include "base/mem.h"
#include "base/options.h"
#include "base/quote.h"
#include "base/show.h"
#include "disk/input.h"
#include "reduce/session.h"
#include "reduce/session_options.h"
#include "first/ask.h"

static struct ask_options *of(void *target, const struct option_row *row)
{
	return (struct ask_options *)((char *)target + row->offset);
}

/* "SEGV", "SIGSEGV" or "11"; 0: none. */
static int signal_named(const char *text)
{
	char *end;
	long number = strtol(text, &end, 10);
	if (*text && !*end)
		return number > 0 && number < NSIG ? (int)number : 0;
	if (!strncmp(text, "SIG", 3))
		text += 3;
	for (int i = 1; i < NSIG; i++)
		if (sigabbrev_np(i) && !strcmp(sigabbrev_np(i), text))
			return i;
	return 0;
}

int ask_set_exit(void *target, const struct option_row *row, const char *text, struct err *err)
{
	static const struct {
		const char *name;
		enum ended ended;
	} words[] = { { "nonzero", ENDED_NONZERO },
		      { "crash", ENDED_CRASH },
		      { "timeout", ENDED_TIMEOUT },
		      { "any", ENDED_ANYHOW } };
	struct ask_options *ask = of(target, row);
	struct condition *c = &ask->condition;
	char *end;
	long number = strtol(text, &end, 10);
	ask->ended_given = true;
	for (size_t i = 0; i < sizeof words / sizeof *words; i++)
		if (!strcmp(text, words[i].name)) {
			c->ended = words[i].ended;
			return 0;
		}
	c->ended = ENDED_STATUS;
	c->number = (int)number;
	if (*text && !*end && number >= 0 && number <= 255)
		return 0;
	c->ended = ENDED_SIGNAL;
	c->number = signal_named(text);
	return c->number ? 0
	                 : err_set(err, ERR_USAGE,
	                           "option --%s: \"%s\" is not a status from 0 to 255, a signal "
	                           "(SEGV), nonzero, crash, timeout or any",
	                           row->name, text);
}

int ask_add_look(void *target, const struct option_row *row, const char *text, struct err *err)
{
	struct condition *c = &of(target, row)->condition;
	if (c->n_looks == CONDITION_LOOKS)
		return err_set(err, ERR_USAGE, "option --%s: no more than %d patterns", row->name,
		               CONDITION_LOOKS);
	c->looks[c->n_looks++] =
		(struct look){ .streams = !strcmp(row->name, "stdout")   ? STREAM_OUT
		                          : !strcmp(row->name, "stderr") ? STREAM_ERR
		                                                         : STREAM_BOTH,
		               .absent = !strcmp(row->name, "not"),
		               .pattern = mem_strdup(text) };
	return 0;
}

/* FILE or FILE:PATTERN. */
int ask_set_creates(void *target, const struct option_row *row, const char *text, struct err *err)
{
	struct condition *c = &of(target, row)->condition;
	size_t len = strcspn(text, ":");
	if (!len || c->creates)
		return err_set(err, ERR_USAGE, "option --%s: expected FILE or FILE:PATTERN, once",
		               row->name);
	MEM_SCOPED char *name = mem_printf("%.*s", (int)len, text);
	c->creates = ask_escaped(name);
	c->creates_pattern = text[len] ? mem_strdup(text + len + 1) : NULL;
	return 0;
}

int ask_set_slower(void *target, const struct option_row *row, const char *text, struct err *err)
{
	struct ask_options *ask = of(target, row);
	uint64_t ns = 0;
	struct option_row plain = *row;
	plain.offset = 0;
	if (options_set_duration(&ns, &plain, text, err) < 0)
		return -1;
	ask->condition.slower_than_ns = ns;
	return 0;
}

int ask_set_line(void *target, const struct option_row *row, const char *text, struct err *err)
{
	struct condition *c = &of(target, row)->condition;
	char **field = !strcmp(row->name, "valid")     ? &c->valid
	               : !strcmp(row->name, "differs") ? &c->differs
	                                               : &c->agrees;
	if (*field)
		return err_set(err, ERR_USAGE, "option --%s: given twice; join commands with &&",
		               row->name);
	const char *command;
	struct option_row plain = *row;
	plain.offset = 0;
	if (options_set_command(&command, &plain, text, err) < 0)
		return -1;
	*field = mem_strdup(command);
	return 0;
}

const char *ask_option_given(const struct ask_options *ask)
{
	const struct condition *c = &ask->condition;
	return ask->ended_given    ? "exit"
	       : c->n_looks        ? "stdout, --stderr, --print or --not"
	       : c->creates        ? "creates"
	       : c->slower_than_ns ? "slower-than"
	       : c->valid          ? "valid"
	       : c->differs        ? "differs"
	       : c->agrees         ? "agrees"
	       : ask->same         ? "same"
	       : ask->forks        ? "forkserver"
	       : ask->shell        ? "shell"
	       : ask->save         ? "save-test"
	                           : NULL;
}

int ask_fork_server(struct ask_options *ask, struct session_options *s, struct err *err)
{
	struct condition *c = &ask->condition;
	if (!ask->ended_given || c->ended == ENDED_TIMEOUT || c->n_looks || c->creates ||
	    c->slower_than_ns || c->valid || c->differs || c->agrees || ask->same || c->shell)
		return err_set(err, ERR_USAGE,
		               "option --forkserver: give --exit, and no other condition (a "
		               "status, a signal, nonzero, crash or any)");
	char *program = condition_program(c);
	if (!program)
		return err_errno(err, "cannot run %s", c->words[0]);
	s->tests.forks = c;
	s->tests.fork_program = program; /* as long as the options */
	return 0;
}

/* A condition as a POSIX shell script. */

#define INPUT "\"$in\"" /* what the commands read */

/* What a script tells besides the condition. */
struct about {
	const char *command, *file; /* for the comment at its top */
	char *const *names;         /* of the candidates where the test runs; NULL at the end */
	bool reads;                 /* the command has the candidate on standard input, too */
};

/* A word, or a part of one: what it says literally in single quotes, operands as "$N". */
static void add_word(struct buf *b, const char *word)
{
	BUF_SCOPED struct buf plain = { 0 };
	buf_add(&plain, "", 0);
	bool empty = true;
	for (; *word; word++) {
		bool escape = word[0] == '\\' && word[1];
		if (escape && word[1] >= '1' && word[1] <= '9') {
			if (plain.len) {
				buf_addch(&plain, '\0');
				quote_add(b, plain.data);
				plain.len = 0;
			}
			buf_addf(b, "\"$%c\"", word[1]);
			empty = false;
			word++;
			continue;
		}
		word += escape;
		buf_addch(&plain, *word);
	}
	if (plain.len || empty) {
		buf_addch(&plain, '\0');
		quote_add(b, plain.data);
	}
}

/* The command, or the one word that is its line: a shell of its own reads that, since it may end
 * the shell, or not be what can stand within other commands. */
static void add_command(struct buf *b, const struct condition *c)
{
	if (c->shell)
		buf_addf(b, "/bin/sh -c ");
	for (char **word = c->words; *word; word++) {
		if (word != c->words)
			buf_addf(b, "%s", c->shell ? "' '" : " ");
		add_word(b, *word);
	}
	buf_addf(b, "%s <%s >\"$tmp/out\" 2>\"$tmp/err\"", c->shell ? " sh \"$@\"" : "", INPUT);
}

static void add_ended(struct buf *b, const struct condition *c)
{
	switch (c->ended) {
	case ENDED_ANYHOW:
		break;
	case ENDED_STATUS:
		buf_addf(b, "[ $status = %d ] || exit 1\n", c->number);
		break;
	case ENDED_NONZERO:
		buf_addf(b, "[ $status != 0 ] || exit 1\n");
		break;
	case ENDED_CRASH:
		buf_addf(b, "[ $status -gt 128 ] && [ $status -le 192 ] || exit 1\n");
		break;
	case ENDED_SIGNAL:
		buf_addf(b, "[ $status = %d ] || exit 1\n", 128 + c->number);
		break;
	case ENDED_TIMEOUT:
		buf_addf(b, "[ $status = 137 ] || exit 1\n");
		break;
	}
}

/* Is it, as a basic PCRE2 pattern, an extended regular expression with the same meaning? */
static bool is_plain(const char *pattern)
{
	for (; *pattern; pattern++) {
		if (*pattern == '\\' && !strchr("\\.[](){}*+?|^$/", pattern[1]))
			return false;
		if (*pattern == '\\')
			pattern++;
		else if ((*pattern == '(' || *pattern == '*' || *pattern == '+' ||
		          *pattern == '?' || *pattern == '}') &&
		         (pattern[1] == '?' || pattern[1] == '+'))
			return false;
	}
	return true;
}

static void add_look(struct buf *b, const struct look *l)
{
	buf_addf(b, "%s LC_ALL=C grep -%sq -e ", l->absent ? "!" : "",
	         is_plain(l->pattern) ? "E" : "P");
	quote_add(b, l->pattern);
	buf_addf(b, "%s%s || exit 1\n", l->streams & STREAM_OUT ? " \"$tmp/out\"" : "",
	         l->streams & STREAM_ERR ? " \"$tmp/err\"" : "");
}

static void add_needles(struct buf *b, char *const *needles)
{
	for (; needles && *needles; needles++) {
		buf_addf(b, "has ");
		quote_add(b, *needles);
		buf_addf(b, " || exit 1\n");
	}
}

static void add_limit(struct buf *b, const struct condition *c)
{
	if (c->limit_ns)
		buf_addf(b, "timeout -s KILL %.6g ", (double)c->limit_ns / 1e9);
}

/* LINE, that of an option, in a shell of its own. */
static void add_line(struct buf *b, const struct condition *c, const char *line, const char *to)
{
	MEM_SCOPED char *text = condition_line(line);
	add_limit(b, c);
	buf_addf(b, "/bin/sh -c ");
	quote_add(b, text);
	buf_addf(b, " sh \"$@\" <%s >%s 2>/dev/null", INPUT, to);
}

static void add_others(struct buf *b, const struct condition *c)
{
	if (!c->differs)
		return;
	add_line(b, c, c->differs, "\"$tmp/other\"");
	buf_addf(b, "\nother=$?\n[ $other -lt 124 ] || exit 1\n");
	if (c->reference)
		buf_addf(b, "[ $other = %d ] || exit 1\n", WEXITSTATUS(c->reference - 1));
	buf_addf(b, "[ $other != $status ] || ! cmp -s \"$tmp/out\" \"$tmp/other\" || exit 1\n");
	if (!c->agrees)
		return;
	add_line(b, c, c->agrees, "\"$tmp/third\"");
	buf_addf(b, "\n[ $? = $other ] && cmp -s \"$tmp/third\" \"$tmp/other\" || exit 1\n");
}

/* TEXT within a line of comment: a line end in a name must not end it, since what follows would be
 * a command of the script; nor should a terminal obey it. */
static void add_comment(struct buf *b, const char *text)
{
	bool obeyed;
	for (size_t n; *text; text += n) {
		n = show_next(text, strlen(text), &obeyed);
		if (obeyed)
			for (size_t i = 0; i < n; i++)
				buf_addf(b, "\\x%02x", (unsigned char)text[i]);
		else
			buf_add(b, text, n);
	}
}

/* A directory of its own, since others run it at the same time, in which nothing can lie yet. */
static void add_head(struct buf *b, const struct about *about)
{
	buf_addf(b, "#!/bin/sh\n# An interestingness test for ");
	add_comment(b, about->file);
	buf_addf(b, ": exits with 0 if this behaves as before:\n#     ");
	add_comment(b, about->command);
	buf_addf(b, "\ntmp=$(mktemp -d) || exit 1\n"
	            "trap 'rm -rf \"$tmp\"' EXIT\n"
	            "trap 'exit 1' HUP INT TERM\n");
}

/* Without arguments (--input) the candidates are in the current directory, or on standard input. */
static void add_absent(struct buf *b, const struct about *about)
{
	const char *first = about->names[0];
	bool alone = about->reads && !about->names[1] && first[strlen(first) - 1] != '/';
	buf_addf(b, "if [ $# = 0 ]; then\n\tset --");
	for (char *const *name = about->names; *name; name++) {
		buf_addch(b, ' ');
		quote_add(b, *name);
	}
	if (alone) {
		buf_addf(b, "\n\tif [ ! -e ");
		quote_add(b, first);
		buf_addf(b, " ]; then\n\t\tset -- \"$tmp/in/$1\"\n"
		            "\t\tmkdir \"$tmp/in\" && cat >\"$1\"\n\tfi");
	}
	buf_addf(b, "\nfi\n");
}

/* Operands as they would be named here, since their names may be part of what is printed. What is
 * on standard input is what it is for the command without this script: no directory. */
static void add_operands(struct buf *b, const struct about *about)
{
	add_absent(b, about);
	buf_addf(b, "for f do\n"
	            "\tf=${f%%/} f=${f#\"$PWD\"/}\n"
	            "\tcase $f in -*) f=./$f ;; esac\n"
	            "\tset -- \"$@\" \"$f\"\n"
	            "\tshift\n"
	            "done\n"
	            "in=/dev/null\n");
	if (about->reads)
		buf_addf(b, "[ ! -f \"$1\" ] || in=$1\n");
}

/* Runs the command; its status is kept. */
static void add_run(struct buf *b, const struct condition *c)
{
	if (c->slower_than_ns)
		buf_addf(b, "(ulimit -t %u; ", (unsigned)(c->slower_than_ns / 1000000000u) + 1);
	add_limit(b, c);
	add_command(b, c);
	buf_addf(b, "%s\nstatus=$?\n", c->slower_than_ns ? ")" : "");
	if (c->slower_than_ns)
		buf_addf(b, "[ $status -ge 128 ] || exit 1 # ended by the limit\n");
}

static void add_creates(struct buf *b, const struct condition *c)
{
	if (!c->creates)
		return;
	buf_addf(b, "[ -f ");
	add_word(b, c->creates);
	buf_addf(b, " ] || exit 1\n");
	if (!c->creates_pattern)
		return;
	buf_addf(b, "LC_ALL=C grep -%sq -e ", is_plain(c->creates_pattern) ? "E" : "P");
	quote_add(b, c->creates_pattern);
	buf_addch(b, ' ');
	add_word(b, c->creates);
	buf_addf(b, " || exit 1\n");
}

char *ask_all_lines(const struct condition *c)
{
	const char *const lines[] = { c->valid, c->differs, c->agrees };
	struct buf b = { 0 };
	buf_addf(&b, "tmp=$(mktemp -d)\nin=/dev/null\n[ ! -f \"$1\" ] || in=$1\n");
	for (unsigned i = 0; i < 3; i++) {
		if (lines[i])
			add_line(&b, c, lines[i], "/dev/null");
		buf_addch(&b, '\n');
		if (!i) /* what is to be valid comes first */
			add_command(&b, c);
		buf_addch(&b, '\n');
	}
	buf_addch(&b, '\0');
	return b.data;
}

static char *script(const struct ask_options *ask, const struct about *about)
{
	const struct condition *c = &ask->condition;
	struct buf b = { 0 };
	add_head(&b, about);
	add_operands(&b, about);
	if (ask->needles)
		buf_addf(&b, "has() { cat \"$tmp/err\" \"$tmp/out\" | "
		             "LC_ALL=C grep -qF -e \"$1\"; }\n");
	if (c->valid) {
		add_line(&b, c, c->valid, "/dev/null");
		buf_addf(&b, " || exit 1\n");
	}
	add_run(&b, c);
	add_ended(&b, c);
	for (unsigned i = 0; i < c->n_looks; i++)
		add_look(&b, &c->looks[i]);
	add_creates(&b, c);
	add_needles(&b, ask->needles);
	add_others(&b, c);
	buf_addf(&b, "exit 0\n");
	return b.data;
}

int ask_save_script(const struct ask_options *ask, const struct session_options *s, struct err *err)
{
	BUF_SCOPED struct buf command = { 0 };
	SCOPED(input_release) struct input input = { 0 };
	for (char **word = ask->command; *word; word++)
		buf_addf(&command, "%s%s", word == ask->command ? "" : " ", *word);
	int rc = access(ask->save, F_OK) == 0
	                 ? err_set(err, ERR_USAGE, "option --save-test: %s exists already",
	                           ask->save)
	                 : input_find_result(&input, s->files, s->n_files, err);
	if (rc == 0) {
		char **names = input_operands(&input);
		MEM_SCOPED char *text =
			script(ask, &(struct about){ command.data, s->file, names,
		                                     s->settings.input & SETUP_INPUT_STDIN });
		rc = io_replace_file(ask->save, text, strlen(text), 0755, err);
		mem_free_words(names);
	}
	return rc;
}
