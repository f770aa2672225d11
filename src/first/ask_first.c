/* What is wrong with a first command line, as it or its first run shows. */
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "ask/signature.h"
#include "base/buf.h"
#include "base/err.h"
#include "base/mem.h"
#include "base/path.h"
#include "base/quote.h"
#include "base/show.h"
#include "disk/input.h"
#include "first/ask.h"
#include "reduce/session.h"
#include "text/testcase.h"

char *ask_changed(const struct ask_options *ask, const struct ask_change *change)
{
	struct buf b = { 0 };
	BUF_SCOPED struct buf typed = { 0 };
	bool verb = ask->typed[1] && !strcmp(ask->typed[1], "check");
	const char **words = ask->typed + verb;
	size_t first = strlen(*words), n = mem_count_words(words);
	MEM_SCOPED const char **now = mem_zero(n + 1, sizeof *now);
	for (size_t i = 0; i < n; i++)
		now[i] = i && change->operand && !strcmp(words[i], change->operand) ? change->as
		                                                                    : words[i];
	quote_add_words(&typed, now);
	buf_addf(&b, "whittle%s%s%s%.*s", verb ? " check" : "", change->options ? " " : "",
	         change->options ? change->options : "", (int)(typed.len - first),
	         typed.data + first);
	for (size_t i = 0; i < change->n_files; i++) {
		MEM_SCOPED char *word = quote_operand(change->files[i]);
		buf_addf(&b, " %s", word);
	}
	buf_addf(&b, " -- ");
	quote_add_words(&b,
	                (const char *const *)(change->command ? change->command : ask->command));
	return b.data;
}

void ask_add_endless(struct buf *out, const struct ask_options *ask,
                     const struct session_options *s)
{
	double limit_s = s->tests.timeout_ns ? (double)s->tests.timeout_ns / 1e9 : 1;
	MEM_SCOPED char *text = mem_printf(
		"if that is the bug, and a run without the bug takes less than %.6g s:", limit_s);
	const struct ask_change change = { .options = s->tests.timeout_ns
		                                              ? "--exit timeout"
		                                              : "--exit timeout --timeout 1" };
	MEM_SCOPED char *line = ask_changed(ask, &change);
	show_add_hint(out, text, line);
}

/* Whether "timeout N COMMAND" ended its command in the outcome O: whittle has that itself. Then the
 * line that says so is added to OUT. */
bool ask_add_timeout(struct buf *out, const struct ask_options *ask, const struct outcome *o)
{
	enum { TIMEOUT_ENDED = 124 };
	char *const *words = ask->command;
	bool is = !ask->shell && !strcmp(path_base(words[0]), "timeout") && words[1] && words[2] &&
	          words[1][strspn(words[1], "0123456789.")] == '\0' && WIFEXITED(o->status) &&
	          WEXITSTATUS(o->status) == TIMEOUT_ENDED;
	if (!is)
		return false;
	MEM_SCOPED char *options = mem_printf("--exit timeout --timeout %s", words[1]);
	MEM_SCOPED char *line =
		ask_changed(ask, &(struct ask_change){ .options = options, .command = words + 2 });
	show_add_hint(out, "if the bug is that it does not end:", line);
	return true;
}

/* ---- what a shell would have to read ---- */

/* "|", "2>&1", ">out": an operator that is a word, or the beginning of one. */
static bool is_operator(const char *word)
{
	static const char *const whole[] = { "|", "||", "&&", "|&", "<", NULL };
	size_t digits = strspn(word, "0123456789");
	return mem_place_of(whole, word) >= 0 ||
	       (digits < 2 && word[digits] == '>' && word[digits + 1] != '=');
}

/* Programs that take such words themselves. */
static bool takes_operators(const char *program)
{
	static const char *const names[] = { "grep",   "egrep",    "fgrep", "rg",   "expr",
		                             "test",   "[",        "find",  "awk",  "sed",
		                             "jq",     "echo",     "sh",    "bash", "dash",
		                             "printf", "parallel", "xargs", NULL };
	return mem_place_of(names, path_base(program)) >= 0;
}

/* The words as a command line; the caller's. */
static char *as_line(char *const *command)
{
	struct buf b = { 0 };
	bool alone = !command[1];
	for (char *const *word = command; *word; word++) {
		buf_addf(&b, "%s", word == command ? "" : " ");
		if (alone || is_operator(*word) || quote_is_assignment(*word))
			buf_addf(&b, "%s", *word);
		else
			quote_add_if_needed(&b, *word);
	}
	buf_addch(&b, '\0');
	return b.data;
}

static int wants_shell(const struct ask_options *ask, const char *word, const char *what,
                       struct err *err)
{
	char *line = as_line(ask->command), *const words[] = { line, NULL };
	MEM_SCOPED char *shown =
		ask_changed(ask, &(struct ask_change){ .options = "--shell", .command = words });
	BUF_SCOPED struct buf hint = { 0 };
	show_add_hint(&hint, "for a command line of sh use --shell:", shown);
	err_set(err, ERR_USAGE, "%s %s\n%.*s", word, what, (int)hint.len, hint.data);
	free(line);
	return -1;
}

int ask_check_words(const struct ask_options *ask, struct err *err)
{
	char *const *command = ask->command;
	if (ask->shell || takes_operators(command[0]))
		return 0;
	char *program = condition_program(&ask->condition);
	bool found = program;
	free(program);
	if (!found && quote_is_assignment(command[0]))
		return wants_shell(ask, command[0], "sets a variable and is not a program", err);
	if (!found && strpbrk(command[0], " \t|<>;&"))
		return wants_shell(ask, "the command", "is one word, and no program has that name",
		                   err);
	for (size_t i = 1; command[i]; i++)
		if (is_operator(command[i]))
			return wants_shell(
				ask, command[i],
				"is given to the command as a word, since no shell reads it", err);
	return 0;
}

/* The command, after it has gone to PLACE; a line, the caller's. */
static char *line_in(const struct ask_options *ask, const char *place)
{
	struct buf b = { 0 };
	MEM_SCOPED char *word = quote_operand(place);
	buf_addf(&b, "cd %s && ", word);
	for (char **at = ask->command; ask->shell && *at; at++)
		buf_addf(&b, "%s%s", at == ask->command ? "" : " ", *at);
	if (!ask->shell)
		quote_add_words(&b, (const char *const *)ask->command);
	buf_addch(&b, '\0');
	return b.data;
}

/* The line that runs the command in PLACE, with AS for the operand; the caller's. */
static char *changed_to(const struct ask_options *ask, const struct session_options *s,
                        const char *place, const char *as)
{
	MEM_SCOPED char *line = line_in(ask, place);
	char *const words[] = { line, NULL };
	return ask_changed(ask, &(struct ask_change){ .options = ask->shell ? NULL : "--shell",
	                                              .command = words,
	                                              .operand = s->file,
	                                              .as = as });
}

void ask_add_place(const struct ask_options *ask, const struct session_options *s, struct err *err)
{
	if (!ask->beside || err->code != ERR_TEST || strstr(err->msg, "\nhint: "))
		return;
	MEM_SCOPED char *shown = changed_to(ask, s, s->file, s->file), *said = mem_strdup(err->msg);
	BUF_SCOPED struct buf hint = { 0 };
	show_add_hint(&hint, "to run it in the directory, and not beside it:", shown);
	err_set(err, ERR_TEST, "%s\n%.*s", said, (int)hint.len, hint.data);
}

int ask_check_place(const struct ask_options *ask, const struct session_options *s, bool uses,
                    struct err *err)
{
	struct stat st;
	MEM_SCOPED char *here = realpath(".", NULL), *real = realpath(s->file, NULL);
	bool same = here && real && !strcmp(here, real);
	if (uses || s->n_files != 1 || !here || !real || stat(real, &st) < 0 ||
	    !S_ISDIR(st.st_mode) || !(same || path_is_below(here, real)) || !strcmp(real, "/"))
		return 0;
	size_t len = (size_t)(strrchr(real, '/') - real);
	MEM_SCOPED char *above =
		same ? mem_strdup("..") : mem_printf("%.*s", (int)len + !len, real);
	MEM_SCOPED char *word = quote_operand(above),
			*shown = changed_to(ask, s, here + len + 1, real + len + 1);
	MEM_SCOPED char *both = mem_printf("cd %s && %s", word, shown);
	BUF_SCOPED struct buf hint = { 0 };
	show_add_hint(&hint, "to run it in each candidate, start outside of the directory:", both);
	return err_set(
		err, ERR_USAGE,
		"the command runs beside %s, a directory, and no word of it names that\n%.*s",
		s->file, (int)hint.len, hint.data);
}

/* The words of the command for another operand, or the one line of sh, as they are typed. For
 * mem_free_words. */
static char **words_for(const struct ask_options *ask, char *file)
{
	char *const operands[] = { file, NULL };
	char **words = ask->condition.words;
	size_t n = mem_count_words(words);
	char **made = mem_zero(n + 1, sizeof *made);
	for (size_t i = 0; i < n; i++) {
		made[i] = condition_word(words[i], operands);
		char *line = ask->shell ? condition_line_named(made[i], operands) : NULL;
		if (line) {
			free(made[i]);
			made[i] = line;
		}
	}
	return made;
}

int ask_check_repository(const struct ask_options *ask, const struct session_options *s,
                         struct err *err)
{
	struct stat st;
	MEM_SCOPED char *git = mem_printf("%s/.git", s->file);
	if (s->n_files != 1 || lstat(git, &st) < 0)
		return 0;
	MEM_SCOPED char *copy = NULL, *line = input_copy_line(s->file, &copy);
	char **words = words_for(ask, copy);
	MEM_SCOPED char *shown = ask_changed(
		ask, &(struct ask_change){ .command = words, .operand = s->file, .as = copy });
	MEM_SCOPED char *both = mem_printf("%s && %s", line, shown);
	BUF_SCOPED struct buf hint = { 0 };
	show_add_hint(&hint, "to reduce a copy, with what is not committed:", both);
	mem_free_words(words);
	return err_set(err, ERR_USAGE,
	               "%s is in the way: a directory is reduced without its repository\n%.*s", git,
	               (int)hint.len, hint.data);
}

/* ---- what the first runs say ---- */

static bool says_missing(const char *line)
{
	static const char *const said[] = { "No such file",   "not found",      "cannot find",
		                            "can't open",     "cannot open",    "Cannot open",
		                            "Can't open",     "does not exist", "annot read",
		                            "Could not open", "could not open" };
	for (size_t i = 0; i < sizeof said / sizeof *said; i++)
		if (strstr(line, said[i]))
			return true;
	return false;
}

/* Does a line of the output O say that WORD is not there? */
static bool said_missing(const struct outcome *o, const char *word)
{
	struct buf text = outcome_text(o);
	bool said = false;
	buf_addch(&text, '\0');
	for (char *at = text.data, *line; !said && (line = strsep(&at, "\n"));)
		said = strstr(line, word) && says_missing(line);
	buf_release(&text);
	return said;
}

/* A file that the command names and that is not here, as its output says, too. */
static const char *missing_name(const struct ask_options *ask, const struct outcome *o)
{
	char *const *command = ask->command;
	for (size_t i = 1; command[i] && !ask->shell; i++) {
		const char *word = command[i], *equal = strchr(word, '=');
		if (*word == '-' && equal)
			word = equal + 1;
		if (*word && *word != '-' && strpbrk(word, "./") && access(word, F_OK) < 0 &&
		    said_missing(o, word))
			return word;
	}
	return NULL;
}

static const char plain_text[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ ,:/-";

/* The longest piece of the LEN bytes at TEXT that is no name, number or quote, which vary with the
 * file, and that stands in a pattern as it is; without the "s" that a number before it may ask for.
 * Its length; 0: there is none of some words. */
static size_t stable_piece(const char *text, size_t len, const char **piece)
{
	enum { LEAST = 6 };
	size_t best = 0;
	for (size_t at = 0, n; at < len; at += n ? n : 1) {
		n = strspn(text + at, plain_text);
		n = n < len - at ? n : len - at;
		size_t begin = at, end = at + n;
		while (begin < end && text[begin] == ' ')
			begin++;
		while (end > begin && text[end - 1] == ' ')
			end--;
		bool counted = at && strchr("0123456789", text[at - 1]);
		end -= counted && end > begin && text[end - 1] == 's';
		if (end - begin >= LEAST && end - begin > best) {
			best = end - begin;
			*piece = text + begin;
		}
	}
	return best;
}

/* A pattern for what a compiler warns of in TEXT; the caller's. NULL: it does not. The flag alone
 * would also be that of other messages. */
static char *warned(const char *text)
{
	const char *at = strstr(text, "warning: "), *piece = "";
	if (!at)
		return NULL;
	MEM_SCOPED char *line = mem_printf("%.*s", (int)strcspn(at, "\n"), at);
	char *flag = strstr(line, "[-W"), *said = line + strlen("warning: ");
	if (!flag)
		return mem_printf("%.*s", (int)strspn(line, plain_text), line);
	size_t len = stable_piece(said, (size_t)(flag - said), &piece);
	return mem_printf("%.*s%s\\[%.*s\\]", (int)len, piece, len ? ".*" : "",
	                  (int)strcspn(flag + 1, "]"), flag + 1);
}

/* The result is to succeed, too: a warning about a file that is broken besides is no example. */
static void add_pattern_option(struct buf *b, bool by_err, const char *pattern)
{
	buf_addf(b, "--exit 0 %s ", by_err ? "--stderr" : "--stdout");
	quote_add_if_needed(b, pattern);
	buf_addch(b, '\0');
}

/* The hint for whom it is what that option looks for. */
static void add_hint(struct buf *hint, const char *text, const char *option,
                     const struct ask_options *ask)
{
	MEM_SCOPED char *line = ask_changed(ask, &(struct ask_change){ .options = option });
	show_add_hint(hint, text, line);
}

/* TEXT without blanks and line ends, as a program may divide lines anew. */
static void add_solid(struct buf *b, const char *text, size_t len)
{
	for (size_t i = 0; i < len; i++)
		if (!strchr(" \t\r\n", text[i]))
			buf_addch(b, text[i]);
}

/* Do the operands say the LEN bytes at TEXT, too? */
static bool stands_in_input(const struct session_options *s, const char *text, size_t len)
{
	SCOPED(input_release) struct input input = { 0 };
	BUF_SCOPED struct buf all = { 0 }, line = { 0 };
	if (input_find_result(&input, s->files, s->n_files, NULL) < 0)
		return false;
	TESTCASE_SCOPED struct testcase *tc = input_read(&input, NULL);
	add_solid(&line, text, len);
	if (tc)
		testcase_flat(tc);
	if (tc)
		add_solid(&all, (const char *)tc->bytes, tc->size);
	return line.len && all.len && memmem(all.data, all.len, line.data, line.len);
}

/* A command that succeeds says itself that nothing failed. Against that counts what only a failure
 * prints: no line of the input, nor one on standard output that many programs could print. */
static bool is_evidence(const struct ask_seen *seen, const struct session_options *s)
{
	const struct signature *found = seen->line;
	if (!seen->signature || !found)
		return seen->signature;
	BUF_SCOPED struct buf text = outcome_text(&seen->outcome);
	bool guessed = family_guesses(found->family) && found->begin > seen->outcome.err.len,
	     echoed = stands_in_input(s, text.data + found->begin, found->end - found->begin);
	return !guessed && !echoed;
}

/* A command that succeeds, and shows nothing that is sure to be the bug. */
static int say_succeeds(const struct ask_options *ask, const struct session_options *s,
                        const struct ask_seen *seen, struct err *err)
{
	const struct outcome *o = &seen->outcome;
	bool by_err = strstr(o->err.data, "warning: ") || !strstr(o->out.data, "warning: ");
	MEM_SCOPED char *pattern = warned(o->err.data);
	BUF_SCOPED struct buf hint = { 0 }, option = { 0 };
	if (!pattern)
		pattern = warned(o->out.data);
	if (seen->signature) {
		add_hint(&hint, "if that is the bug:", "--same", ask);
		err_set(err, ERR_TEST,
		        "the command succeeds on %s (exit status 0), so “%s” may be no "
		        "failure\n%.*s",
		        s->file, seen->signature, (int)hint.len, hint.data);
	} else if (pattern) {
		add_pattern_option(&option, by_err, pattern);
		add_hint(&hint, "if you look for the warning:", option.data, ask);
		err_set(err, ERR_TEST, "the command succeeds on %s (exit status 0) and warns\n%.*s",
		        s->file, (int)hint.len, hint.data);
	} else {
		err_set(err, ERR_TEST,
		        "the command succeeds on %s (exit status 0), and nothing in its output "
		        "identifies a failure; use --stderr PATTERN, --stdout PATTERN or --differs "
		        "COMMAND to say what is wrong",
		        s->file);
	}
	return -1;
}

/* ---- a line that compares ---- */

struct piece {
	char *text;        /* of one command, without blanks around it */
	const char *joint; /* between it and the one before */
};

struct pieces {
	struct piece *list;
	size_t n, cap;
};

static void pieces_release(struct pieces *p)
{
	for (size_t i = 0; i < p->n; i++)
		free(p->list[i].text);
	free(p->list);
}

static void add_piece(struct pieces *p, const char *text, size_t len, const char *joint)
{
	size_t lead = 0;
	while (lead < len && strchr(" \t", text[lead]))
		lead++;
	while (len > lead && strchr(" \t", text[len - 1]))
		len--;
	if (len > lead)
		MEM_PUSH(p->list, p->n, p->cap,
		         (struct piece){ mem_printf("%.*s", (int)(len - lead), text + lead),
		                         joint });
}

/* LINE at its ";" and "&&". */
static void divide(struct pieces *out, const char *line)
{
	struct quote_state q = { 0 };
	const char *begin = line, *joint = "; ";
	while (*line) {
		bool inside = q.open || q.depth, both = !strncmp(line, "&&", 2);
		if (inside || !(both || *line == ';' || *line == '\n')) {
			line += quote_step(&q, line);
			continue;
		}
		add_piece(out, begin, (size_t)(line - begin), joint);
		joint = both ? " && " : "; ";
		begin = line += 1 + both;
		q.in_word = false;
	}
	add_piece(out, begin, (size_t)(line - begin), joint);
}

/* Do the names of two files stand in TEXT, "cmp -s A B"? For free. */
static bool compares(const char *text, char *names[2])
{
	MEM_SCOPED char *copy = mem_strdup(text);
	const char *words[3] = { 0 };
	unsigned n = 0;
	for (char *at = copy, *word; (word = strsep(&at, " \t"));)
		if (*word && !strchr("-<>12&", *word) && n < 3)
			words[n++] = word;
	if (n != 3 || (strcmp(words[0], "cmp") != 0 && strcmp(words[0], "diff") != 0))
		return false;
	names[0] = mem_strdup(words[1]);
	names[1] = mem_strdup(words[2]);
	return true;
}

/* TEXT without "> NAME", which is in it; the caller's. NULL: it is not. */
static char *without_output(const char *text, const char *name)
{
	struct quote_state q = { 0 };
	size_t len = strlen(name);
	for (const char *at = text; *at; at += quote_step(&q, at)) {
		const char *to = at + 1;
		if (q.open || q.depth || *at != '>' || (at > text && strchr("12&>", at[-1])))
			continue;
		to += strspn(to, " \t");
		if (strncmp(to, name, len) != 0 || (to[len] && !strchr(" \t", to[len])))
			continue;
		while (at > text && at[-1] == ' ')
			at--;
		return mem_printf("%.*s%s", (int)(at - text), text, to + len);
	}
	return NULL;
}

/* The pieces but the last one and that at WITHOUT; THAT is said for the piece AT. The caller's. */
static char *joined(const struct pieces *p, size_t without, size_t at, const char *that)
{
	struct buf b = { 0 };
	for (size_t i = 0; i + 1 < p->n; i++)
		if (i != without)
			buf_addf(&b, "%s%s", b.len ? p->list[i].joint : "",
			         i == at ? that : p->list[i].text);
	buf_addch(&b, '\0');
	return b.data;
}

/* "A > a; B > b; cmp a b": the lines that print what is compared, to OUT; the caller's. */
static bool two_sides(const char *line, char *out[2])
{
	SCOPED(pieces_release) struct pieces p = { 0 };
	char *names[2] = { 0 }, *plain[2] = { 0 };
	size_t at[2] = { 0 };
	divide(&p, line);
	bool found = p.n > 2 && compares(p.list[p.n - 1].text, names);
	for (unsigned side = 0; found && side < 2; side++) {
		for (size_t i = 0; i + 1 < p.n && !plain[side]; i++) {
			plain[side] = without_output(p.list[i].text, names[side]);
			at[side] = i;
		}
		found = plain[side] != NULL;
	}
	found = found && at[0] != at[1];
	for (unsigned side = 0; side < 2; side++) {
		if (found)
			out[side] = joined(&p, at[!side], at[side], plain[side]);
		free(names[side]);
	}
	free(plain[0]);
	free(plain[1]);
	return found;
}

/* Any two files that differ would be the same failure. */
static int check_compares(const struct ask_options *ask, struct err *err)
{
	BUF_SCOPED struct buf hint = { 0 }, option = { 0 }, typed = { 0 };
	char *sides[2];
	for (char *const *word = ask->command; *word; word++)
		buf_addf(&typed, "%s%s", word == ask->command ? "" : " ", *word);
	if (!two_sides(typed.data, sides))
		return 0;
	buf_addf(&option, "--differs ");
	quote_add(&option, sides[1]);
	buf_addch(&option, '\0');
	char *const words[] = { sides[0], NULL };
	MEM_SCOPED char *line =
		ask_changed(ask, &(struct ask_change){ .options = option.data, .command = words });
	show_add_hint(&hint, "to keep how both programs end, and compare what they print:", line);
	buf_addch(&hint, '\n');
	add_hint(&hint, "if any difference will do:", "--same", ask);
	free(sides[0]);
	free(sides[1]);
	return err_set(err, ERR_TEST, "the command fails only because two outputs differ\n%.*s",
	               (int)hint.len, hint.data);
}

int ask_check_first(const struct ask_options *ask, const struct session_options *s,
                    const struct ask_seen *seen, struct err *err)
{
	const struct outcome *o = &seen->outcome;
	if (o->timed_out) {
		BUF_SCOPED struct buf hint = { 0 };
		ask_add_endless(&hint, ask, s);
		return err_set(err, ERR_TEST, "the command does not end within %.6g s on %s\n%.*s",
		               (double)o->wall_ns / 1e9, s->file, (int)hint.len, hint.data);
	}
	const char *missing = o->status ? missing_name(ask, o) : NULL;
	if (missing) {
		MEM_SCOPED char *dir = getcwd(NULL, 0);
		err_set(err, ERR_TEST, "the command names %s, which is missing (in %s)", missing,
		        dir ? dir : ".");
		return -1;
	}
	bool fails = o->status || (ask->same && seen->signature) || is_evidence(seen, s);
	if (fails && !seen->signature && ask->shell && !ask->same)
		return check_compares(ask, err);
	return fails ? 0 : say_succeeds(ask, s, seen, err);
}
