#include "first/ask.h"

#include <sys/wait.h>
#include <unistd.h>

#include "ask/signature.h"
#include "base/err.h"
#include "base/hash.h"
#include "base/io.h"
#include "base/mem.h"
#include "base/path.h"
#include "base/quote.h"
#include "base/show.h"
#include "base/installed.h"
#include "base/waited.h"
#include "first/attributes.h"
#include "reduce/session.h"

enum {
	RUNS = 3,
	UNSURE_RUNS = 20, /* of a command whose failure comes and goes */
	OBSERVED_S = 60, /* the command's first runs end after so long when nothing else was said */
};

/* ---- the test's file ---- */

/* ${XDG_STATE_HOME:-~/.local/state}/whittle/tests, made when missing; NULL and err. */
static char *tests_dir(struct err *err)
{
	const char *state = getenv("XDG_STATE_HOME"), *home = getenv("HOME");
	char *dir = state && *state ? mem_printf("%s/whittle/tests", state)
	            : home && *home ? mem_printf("%s/.local/state/whittle/tests", home)
	                            : NULL;
	if (!dir) {
		err_set(err, ERR_SYSTEM,
		        "cannot keep the test: neither XDG_STATE_HOME nor HOME is set");
		return NULL;
	}
	if (io_make_dirs(dir, 0, err) < 0) {
		free(dir);
		return NULL;
	}
	return dir;
}

/* Its name comes from its content, so that the same question asked again is the same test. */
static char *test_path(const char *text, struct err *err)
{
	MEM_SCOPED char *dir = tests_dir(err);
	struct hash h = hash_bytes(text, strlen(text), 0);
	return dir ? mem_printf("%s/%016llx.test", dir, (unsigned long long)h.hi) : NULL;
}

char *ask_write_text(const char *text, struct err *err)
{
	char *path = test_path(text, err);
	if (path && access(path, X_OK) < 0 &&
	    io_replace_file(path, text, strlen(text), 0755, err) < 0) {
		free(path);
		path = NULL;
	}
	return path;
}

bool ask_has_test(const struct condition *c)
{
	MEM_SCOPED char *judge = ask_judge_program(), *text = condition_text(c, judge),
			*path = test_path(text, NULL);
	return path && access(path, X_OK) == 0;
}

static char *write_test(const struct condition *c, const char *judge, struct err *err)
{
	MEM_SCOPED char *text = condition_text(c, judge);
	return ask_write_text(text, err);
}

char *ask_judge_program(void)
{
	return mem_printf("%s/whittle-judge", installed_programs());
}

char *ask_write_test(const struct condition *c, struct err *err)
{
	MEM_SCOPED char *judge = ask_judge_program();
	return write_test(c, judge, err);
}

/* ---- the same again ---- */

/* Frames in the files do not count. They end with their number: in argv the command follows. */
static bool find_signature(const struct outcome *o, const struct session_options *s,
                           const struct families *all, struct signature *out)
{
	BUF_SCOPED struct buf text = outcome_text(o);
	MEM_SCOPED const char **own = mem_zero(s->n_files + 1, sizeof *own);
	for (size_t i = 0; i < s->n_files; i++)
		own[i] = s->files[i];
	return families_find(all, text.data, text.len, own, out);
}

char *ask_signature(const struct outcome *o, const struct session_options *s,
                    const struct families *all)
{
	struct signature found;
	return find_signature(o, s, all, &found) ? found.text : NULL;
}

static void take_status(struct condition *c, const struct outcome *o)
{
	bool signalled = WIFSIGNALED(o->status);
	c->ended = signalled ? ENDED_SIGNAL : ENDED_STATUS;
	c->number = signalled ? WTERMSIG(o->status) : WEXITSTATUS(o->status);
}

/* Takes the text of S. */
static void take_signature(struct condition *c, struct signature *s, const struct outcome *o,
                           const struct families *all)
{
	struct buf text = outcome_text(o);
	c->alone = !family_fails_otherwise(s->family, text.data, text.len);
	buf_release(&text);
	c->family = families_text(all, s->family);
	c->family_name = mem_strdup(family_name(s->family));
	c->signature = s->text;
	s->text = NULL;
}

/* The longest pieces of the signature that stand in the output as they are, one behind another. */
static char **find_needles(const char *signature, const struct outcome *o)
{
	enum { LEAST = 4 };
	size_t n = 0, cap = 0;
	char **list = NULL;
	while (*signature) {
		size_t len = strcspn(signature, "\n"), best = 0;
		for (size_t k = 1; k <= len; k++) {
			if (!memmem(o->err.data, o->err.len, signature, k) &&
			    !memmem(o->out.data, o->out.len, signature, k))
				break;
			best = k;
		}
		if (best >= LEAST)
			MEM_PUSH(list, n, cap, mem_printf("%.*s", (int)best, signature));
		signature += best ? best : 1;
	}
	MEM_GROW(list, n, cap);
	list[n] = NULL;
	return list;
}

/* The first runs of the command. */
struct runs {
	unsigned n, model,
		same; /* how many; which one shows the failure; how many went as it did */
	bool unsure;  /* the failure may come and go: --flaky, --repeat */
	struct outcome list[UNSURE_RUNS];
	bool any[UNSURE_RUNS]; /* whether there is a signature: */
	struct signature found[UNSURE_RUNS];
};

/* Of a failure that comes and goes the first run that shows it, else the first. */
static unsigned find_model(const struct runs *runs)
{
	for (unsigned i = 0; runs->unsure && i < runs->n; i++)
		if (runs->any[i] || runs->list[i].status)
			return i;
	return 0;
}

/* How many of the runs went as the model. */
static unsigned count_alike(const struct runs *runs)
{
	unsigned same = 0, m = runs->model;
	for (unsigned i = 0; i < runs->n; i++)
		same += runs->list[i].status == runs->list[m].status &&
		        runs->any[i] == runs->any[m] &&
		        (!runs->any[m] || !strcmp(runs->found[m].text, runs->found[i].text));
	return same;
}

static void release_runs(struct runs *runs)
{
	for (unsigned i = 0; i < runs->n; i++) {
		outcome_release(&runs->list[i]);
		free(runs->found[i].text);
	}
}

/* Why nothing can be the same again. */
static int check_alike(const struct condition *c, const struct runs *runs, struct err *err)
{
	char how[64];
	outcome_describe(&runs->list[runs->model], how, sizeof how);
	if (runs->same == runs->n || runs->unsure)
		return 0;
	MEM_SCOPED char *shown = c->signature ? signature_shown(c->signature) : NULL;
	return err_set(err, ERR_TEST,
	               "the command does not always fail in the same way: %u of %u runs ended with "
	               "%s%s%s (if the bug comes and goes, use --flaky)",
	               runs->same, runs->n, how, shown ? ", " : "", shown ? shown : "");
}

/* A failure that is sure and comes of itself is to be the one that the user has. */
static int check_model(const struct ask_options *ask, const struct session_options *s,
                       const char *judge, const struct families *all, const struct runs *runs,
                       struct err *err)
{
	const struct ask_seen apart = { runs->list[runs->model], ask->condition.signature,
		                        &runs->found[runs->model] };
	int rc = 0;
	if (!runs->unsure && runs->same == runs->n && !apart.outcome.timed_out)
		rc = ask_check_here(ask, s, judge, all, &apart, err);
	if (rc == 0 && (runs->same == runs->n || apart.outcome.timed_out))
		rc = ask_check_first(ask, s, &apart, err);
	return rc < 0 ? rc : check_alike(&ask->condition, runs, err);
}

/* What is the same in all runs becomes the condition. */
static int choose(struct ask_options *ask, const struct observation *how, struct runs *runs,
                  struct err *err)
{
	const struct session_options *s = how->session;
	struct condition *c = &ask->condition;
	SCOPED(families_scoped)
	struct families *all = families_load(signature_dirs_for(s->file), err);
	if (!all)
		return -1;
	for (unsigned i = 0; i < runs->n; i++)
		runs->any[i] = find_signature(&runs->list[i], s, all, &runs->found[i]);
	runs->model = find_model(runs);
	runs->same = count_alike(runs);
	const struct outcome *model = &runs->list[runs->model];
	if (runs->any[runs->model]) {
		take_signature(c, &runs->found[runs->model], model, all);
	}
	if (!ask->ended_given)
		take_status(c, model);
	int rc = check_model(ask, s, how->judge, all, runs, err);
	if (rc == 0 && !runs->unsure && !model->timed_out)
		rc = ask_free_numbers(c, how, model, err);
	if (c->signature)
		ask->needles = find_needles(c->signature, model);
	return rc;
}

static void say_same(const struct ask_options *ask, const struct runs *runs)
{
	const struct condition *c = &ask->condition;
	BUF_SCOPED struct buf hint = { 0 };
	char how[64];
	outcome_describe(&runs->list[runs->model], how, sizeof how);
	uint64_t slowest = 0;
	for (unsigned i = 0; i < runs->n; i++)
		if (runs->list[i].wall_ns > slowest)
			slowest = runs->list[i].wall_ns;
	MEM_SCOPED char *runs_said =
		mem_printf("(%u of %u runs, %.*g s)", runs->same, runs->n,
	                   slowest < 100000000000u ? 2 : 3, (double)slowest / 1e9);
	MEM_SCOPED char *shown = c->signature ? signature_shown(c->signature) : NULL,
			*signature = shown ? mem_printf(", “%s”", shown) : mem_strdup("");
	MEM_SCOPED char *said = mem_printf("looking for: %s%s %s", how, signature, runs_said);
	show_note(said, NULL);
	if (ask_add_timeout(&hint, ask, &runs->list[runs->model]))
		show_printf(stderr, "%.*s\n", (int)hint.len, hint.data);
	else if (!c->signature)
		show_note("nothing in the output identifies the failure, so any failure with this "
		          "status counts; use --stderr PATTERN or --stdout PATTERN to be specific, "
		          "or --differs COMMAND if the bug is that two programs disagree",
		          NULL);
}

static int observe_same(struct ask_options *ask, struct session_options *s, const char *judge,
                        bool quiet, struct err *err)
{
	const struct settings_repeat *repeat = &s->settings.repeat;
	struct runs runs = { .unsure = repeat->flaky || repeat->runs };
	runs.n = runs.unsure ? UNSURE_RUNS : RUNS;
	struct condition once = { .words = ask->condition.words,
		                  .shell = ask->shell,
		                  .limit_ns = s->tests.timeout_ns
		                                      ? s->tests.timeout_ns
		                                      : OBSERVED_S * (uint64_t)1000000000 };
	MEM_SCOPED char *test = write_test(&once, judge, err);
	const struct observation how = { .session = s, .ask = ask, .test = test, .judge = judge };
	int rc = test ? ask_observe(&how, runs.n, runs.list, err) : -1;
	if (rc == 0)
		rc = choose(ask, &how, &runs, err);
	if (rc == 0)
		ask->first = ask_kept(&runs.list[runs.model]);
	if (rc == 0 && !quiet)
		say_same(ask, &runs);
	release_runs(&runs);
	if (test)
		unlink(test);
	return rc;
}

/* Runs the command WORDS once. */
static int observe_once(const struct session_options *s, const char *judge, char **words,
                        bool shell, struct outcome *out, struct err *err)
{
	struct condition once = { .words = words,
		                  .shell = shell,
		                  .limit_ns = OBSERVED_S * (uint64_t)1000000000 };
	MEM_SCOPED char *test = write_test(&once, judge, err);
	const struct observation how = { .session = s, .test = test, .judge = judge };
	int rc = test ? ask_observe(&how, 1, out, err) : -1;
	if (test)
		unlink(test);
	return rc;
}

/* The reference can be run, and goes on to end as it does now. */
static int observe_reference(struct condition *c, const struct session_options *s,
                             const char *judge, struct outcome *o, struct err *err)
{
	enum { NO_PERMISSION = 126, NOT_FOUND = 127 };
	char *words[] = { ask_line_word(c->differs), NULL };
	int rc = observe_once(s, judge, words, true, o, err);
	if (rc == 0 && WIFEXITED(o->status) &&
	    (WEXITSTATUS(o->status) == NO_PERMISSION || WEXITSTATUS(o->status) == NOT_FOUND))
		rc = err_set(err, ERR_TEST,
		             "the command of --differs cannot be run: it ends with exit status "
		             "%d%s%.*s",
		             WEXITSTATUS(o->status), o->err.len ? ": " : "",
		             (int)strcspn(o->err.data, "\n"), o->err.data);
	else if (rc == 0 && !o->timed_out && WIFEXITED(o->status))
		c->reference = o->status + 1;
	free(words[0]);
	return rc;
}

/* A pattern for lines such as LINE, in which other words stand for those with a digit; the
 * caller's. NULL: that would be any line. */
static char *line_like(const char *line)
{
	struct buf b = { 0 };
	size_t kept = 0;
	for (size_t n; *line; line += n) {
		n = strcspn(line, " \t=:,;()[]{}<>|\"'");
		bool varies = strcspn(line, "0123456789") < n;
		kept += varies ? 0 : n;
		n = n ? n : 1;
		if (varies)
			buf_add(&b, ".*", 2);
		for (size_t i = 0; i < n && !varies; i++)
			buf_addf(&b, "%s%c", strchr("\\^$.|()[]{}?*+", line[i]) ? "\\" : "",
			         line[i]);
	}
	buf_addch(&b, '\0');
	if (!kept)
		buf_release(&b);
	return b.data;
}

/* Says what differs on the original, the first line of it, and how to keep to such lines: any other
 * difference counts, too. */
static void say_difference(const struct outcome *o, const struct outcome *reference)
{
	enum { MOST = 100 }; /* bytes of a line that are read at a glance */
	const char *a = o->out.data ? o->out.data : "", *line = a,
		   *b = reference->out.data ? reference->out.data : "", *other = b;
	for (; *a && *a == *b; a++, b++)
		if (*a == '\n')
			line = a + 1, other = b + 1;
	size_t n = strcspn(line, "\n"), m = strcspn(other, "\n");
	if (*a == *b || n > MOST || m > MOST)
		return;
	MEM_SCOPED char *first = mem_printf("%.*s", (int)n, line), *like = line_like(first);
	BUF_SCOPED struct buf said = { 0 };
	buf_addf(&said,
	         "looking for: any difference, as here between “%s” and “%.*s”; for one in "
	         "such a line only, add --stdout ",
	         first, (int)m, other);
	quote_add_if_needed(&said, like ? like : "PATTERN");
	buf_addch(&said, '\0');
	show_note(said.data, NULL);
}

/* Both commands keep the exit status that they have on the original, unless --exit says otherwise:
 * else one that a broken candidate fails in differs, too. */
static int keep_statuses(struct ask_options *ask, const struct session_options *s,
                         const char *judge, bool quiet, struct err *err)
{
	struct condition *c = &ask->condition;
	SCOPED(outcome_release) struct outcome o = { 0 }, reference = { 0 };
	int rc = observe_reference(c, s, judge, &reference, err);
	if (ask->ended_given && c->ended == ENDED_ANYHOW)
		c->reference = 0;
	bool given = ask->ended_given || ask->same || c->slower_than_ns;
	if (rc < 0 || (given && !c->n_looks))
		return rc;
	rc = observe_once(s, judge, c->words, c->shell, &o, err);
	if (rc == 0 && !o.timed_out && !given)
		take_status(c, &o);
	c->apart = rc == 0 && !condition_sees_alike(c, &o, &reference);
	if (rc == 0 && !quiet && !c->n_looks)
		say_difference(&o, &reference);
	return rc;
}

/* ---- all of it ---- */

static bool asks_something(const struct ask_options *ask)
{
	const struct condition *c = &ask->condition;
	return ask->ended_given || c->n_looks || c->creates || c->slower_than_ns || c->differs;
}

/* A run that does not end is what is looked for, so the deadline of the test is another. */
static int set_limits(struct ask_options *ask, struct session_options *s, bool quiet,
                      struct err *err)
{
	struct condition *c = &ask->condition;
	const uint64_t second = 1000000000;
	if (c->ended == ENDED_TIMEOUT) {
		if (!s->tests.timeout_ns)
			return err_set(err, ERR_USAGE,
			               "option --exit timeout: --timeout is needed, too");
		c->limit_ns = s->tests.timeout_ns;
		s->tests.timeout_ns = WAITED_STRETCH * c->limit_ns + 10 * second;
		MEM_SCOPED char *said = mem_printf(
			"looking for: not finished within %.6g s (%.6g s on a busy machine)",
			(double)c->limit_ns / 1e9, (double)s->tests.timeout_ns / 1e9);
		if (!quiet)
			show_note(said, NULL);
	}
	if (c->slower_than_ns && !s->tests.timeout_ns)
		s->tests.timeout_ns = 10 * c->slower_than_ns + 10 * second;
	return 0;
}

char **ask_command_words(const struct ask_options *ask, const struct session_options *s,
                         struct ask_paths *paths, bool *uses)
{
	if (!ask->shell)
		return ask_words(ask->command, s->files, s->n_files, paths, uses);
	BUF_SCOPED struct buf line = { 0 };
	for (char **word = ask->command; *word; word++)
		buf_addf(&line, "%s%s", word == ask->command ? "" : " ", *word);
	char *made = ask_line(line.data, s->files, s->n_files, paths),
	     **words = mem_zero(2, sizeof *words);
	words[0] = ask_line_word(made);
	*uses = strstr(words[0], "$1") || strstr(words[0], "${1}") || strstr(words[0], "$@");
	free(made);
	return words;
}

/* How the command gets the candidate; whittle-judge needs its path in any case. */
static int set_input(struct session_options *s, bool named, bool quiet, struct err *err)
{
	bool reads = s->settings.input & SETUP_INPUT_STDIN;
	if (!named && !reads && !(s->settings.input & SETUP_INPUT_BASENAME))
		return err_set(err, ERR_USAGE,
		               "option --input arg: no word of the command names %s", s->file);
	if (!named && reads && !quiet && access(s->file, F_OK) == 0 && !io_is_dir(s->file)) {
		MEM_SCOPED char *note = mem_printf(
			"no word of the command names %s, so it is given on standard input",
			s->file);
		show_note(note, NULL);
	}
	s->settings.input |= SETUP_INPUT_ARG;
	return 0;
}

/* WORD of the command, in which {} is FILE; the caller's. What has blanks is a script. */
static char *braces_named(const char *word, char *file)
{
	char *const names[] = { file, NULL };
	struct buf b = { 0 };
	if (strchr(word, ' '))
		return condition_line_named(word, names);
	for (const char *at; (at = strstr(word, "{}")); word = at + 2) {
		buf_add(&b, word, (size_t)(at - word));
		buf_addf(&b, "%s", file);
	}
	buf_addf(&b, "%s", word);
	return b.data;
}

/* LINE, a command or one of a shell, with FILE on its standard input; the caller's. */
static char *reading(const char *line, bool shell, const char *file)
{
	MEM_SCOPED char *word = quote_word(file);
	bool many = shell && strpbrk(line, "|;&\n");
	return mem_printf("%s%s%s < %s", many ? "(" : "", line, many ? ")" : "", word);
}

/* The command with the name of FILE, whatever stood for it. NAMED: a word does. */
static char *as_typed(const struct ask_options *ask, char *file, bool named)
{
	char *const names[] = { file, NULL };
	struct buf b = { 0 };
	size_t n = mem_count_words(ask->command);
	char **words = mem_zero(n + 1, sizeof *words);
	for (size_t i = 0; i < n; i++) {
		const char *word = ask->command[i];
		bool braces =
			!ask->shell && strstr(word, "{}") && !strstr(ask->condition.words[i], "{}");
		words[i] = braces ? braces_named(word, file) : mem_strdup(word);
		buf_addf(&b, "%s%s", i ? " " : "", word);
	}
	char *line = ask->shell ? condition_line_named(b.data, names) : NULL;
	buf_release(&b);
	if (!line)
		quote_add_words(&b, (const char *const *)words);
	mem_free_words(words);
	if (!line)
		line = b.data;
	if (named)
		return line;
	char *both = reading(line, ask->shell, file);
	free(line);
	return both;
}

/* Where both commands of --differs do the same again on FILE, they have to on a candidate:
 * undefined behaviour makes any two differ. */
static int find_steady(struct condition *c, const struct session_options *s, const char *judge,
                       struct err *err)
{
	enum { TIMES = 2 };
	struct outcome o[TIMES] = { 0 };
	struct condition strict = *c;
	if (!c->differs || c->ended == ENDED_TIMEOUT || c->slower_than_ns)
		return 0;
	strict.steady = true;
	strict.limit_ns = OBSERVED_S * (uint64_t)1000000000;
	MEM_SCOPED char *test = write_test(&strict, judge, err);
	const struct observation how = {
		.session = s, .test = test, .judge = judge, .judged = true
	};
	int rc = test ? ask_observe(&how, TIMES, o, err) : -1;
	c->steady = rc == 0 && !o[0].status && !o[1].status;
	if (test)
		unlink(test);
	return rc;
}

/* Has FILE, or what a directory holds, behaviour that nothing defines? By its name. */
static bool may_be_undefined(const char *file)
{
	static const char *const all[] = {
		"c",  "i",   "h",   "cc",  "cpp", "cxx", "C",    "ii",   "hh",   "hpp", "m",
		"mm", "f",   "for", "f90", "f95", "f03", "f08",  "cl",   "cu",   "ll",  "bc",
		"rs", "zig", "d",   "s",   "S",   "asm", "wgsl", "glsl", "hlsl", NULL
	};
	const char *dot = strrchr(path_base(file), '.');
	return io_is_dir(file) || (dot && mem_place_of(all, dot + 1) >= 0);
}

/* What was made absolute, without the program, which comes first; the caller's. NULL: nothing. */
static char *needs(const struct ask_options *ask, const char *said)
{
	size_t len = strlen(ask->command[0]);
	if (said && !ask->shell && !strncmp(said, ask->command[0], len) &&
	    (!said[len] || !strncmp(said + len, ", ", 2)))
		said = said[len] ? said + len + 2 : NULL;
	return said ? mem_strdup(said) : NULL;
}

/* What can be refused before the command has run. USES: a word of it names what is reduced. */
static int check_given(struct ask_options *ask, const struct session_options *s, bool uses,
                       struct err *err)
{
	return condition_check(&ask->condition, err) < 0 || ask_check_words(ask, err) < 0 ||
	                       ask_check_place(ask, s, uses, err) < 0 ||
	                       ask_check_repository(ask, s, err) < 0
	               ? -1
	               : 0;
}

/* Two compilers may differ on FILE, and both be right. */
static void warn_of_undefined(const struct condition *c, const char *file)
{
	if (!c->differs || c->valid || c->agrees || !may_be_undefined(file))
		return;
	show_note("a file with undefined behaviour makes the commands differ without a "
	          "bug; with --valid COMMAND, such as a run under sanitizers, only files "
	          "on which that succeeds count",
	          NULL);
}

/* What the commands run: LINES are those of --valid, --differs and --agrees as they were given. */
static void take_words(struct ask_options *ask, const struct session_options *s,
                       char *const lines[3], bool *uses)
{
	struct condition *c = &ask->condition;
	char **const fields[] = { &c->valid, &c->differs, &c->agrees };
	free(ask->paths.said);
	ask->paths.said = NULL;
	mem_free_words(c->words);
	c->words = ask_command_words(ask, s, &ask->paths, uses);
	for (unsigned i = 0; i < 3; i++) {
		if (*fields[i] != lines[i])
			free(*fields[i]);
		*fields[i] =
			lines[i] ? ask_line(lines[i], s->files, s->n_files, &ask->paths) : NULL;
	}
}

/* A program that stands here from an earlier run is not the one that the command makes and runs. */
static void leave_made(struct ask_options *ask, const struct session_options *s, const char *judge,
                       char *const lines[3], bool *uses)
{
	struct ask_paths *p = &ask->paths;
	MEM_SCOPED char *maybe = lines[0] && p->said ? mem_strdup(p->said) : needs(ask, p->said);
	if (!maybe)
		return;
	p->made = mem_strdup("");
	take_words(ask, s, lines, uses);
	char *made = ask_find_made(ask, s, judge);
	free(p->made);
	p->made = made;
	take_words(ask, s, lines, uses);
}

static void show_said(const struct ask_paths *p)
{
	MEM_SCOPED char *note =
		p->said ? mem_printf("used in place, not copied: %s", p->said) : NULL;
	if (note)
		show_note(note, NULL);
}

int ask_prepare(struct ask_options *ask, struct session_options *s, bool quiet, struct err *err)
{
	MEM_SCOPED char *judge = ask_judge_program();
	bool uses = false;
	struct condition *c = &ask->condition;
	char *lines[] = { c->valid, c->differs, c->agrees };
	take_words(ask, s, lines, &uses);
	c->shell = ask->shell;
	ask->beside = !uses && s->n_files == 1 && io_is_dir(s->file);
	int rc = access(judge, X_OK) < 0 ? err_errno(err, "cannot run %s", judge)
	                                 : check_given(ask, s, uses, err);
	if (rc == 0)
		rc = set_input(s, uses, quiet, err);
	if (rc == 0)
		leave_made(ask, s, judge, lines, &uses);
	for (unsigned i = 0; i < 3; i++)
		free(lines[i]);
	if (rc == 0 && !quiet)
		show_said(&ask->paths);
	if (rc == 0 && ask->forks)
		rc = ask_fork_server(ask, s, err);
	if (rc == 0 && c->differs)
		rc = keep_statuses(ask, s, judge, quiet, err);
	if (rc == 0 && (ask->same || !asks_something(ask)))
		rc = observe_same(ask, s, judge, quiet, err);
	if (rc == 0)
		rc = set_limits(ask, s, quiet, err);
	if (rc == 0)
		rc = find_steady(c, s, judge, err);
	if (rc == 0 && !quiet)
		warn_of_undefined(c, s->file);
	if (rc == 0 && ask->save)
		rc = ask_save_script(ask, s, err);
	if (rc == 0)
		rc = (s->test = write_test(c, judge, err)) ? 0 : -1;
	if (rc == 0) {
		s->command = as_typed(ask, (char *)(uintptr_t)s->file,
		                      uses || io_is_dir(s->file) ||
		                              !(s->settings.input & SETUP_INPUT_STDIN));
		s->needs = needs(ask, ask->paths.said);
	} else {
		ask_add_place(ask, s, err);
	}
	return rc;
}
