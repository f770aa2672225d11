#include "ask/condition.h"

#include <inttypes.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/buf.h"
#include "base/err.h"
#include "base/io.h"
#include "base/mem.h"
#include "base/quote.h"
#include "ask/pattern.h"
#include "ask/signature.h"

enum { VERSION = 1 };

/* One line: line ends and NULs cannot stand in a value. */
static void put(struct buf *b, const char *key, const char *value)
{
	if (!value)
		return;
	buf_addf(b, "%s ", key);
	for (; *value; value++)
		if (*value == '\n')
			buf_addf(b, "\\n");
		else if (*value == '\\')
			buf_addf(b, "\\\\");
		else
			buf_addch(b, *value);
	buf_addch(b, '\n');
}

static void put_number(struct buf *b, const char *key, uint64_t value)
{
	if (value)
		buf_addf(b, "%s %" PRIu64 "\n", key, value);
}

static const char *const ended_names[] = { "anyhow", "status", "nonzero",
	                                   "crash",  "signal", "timeout" };

static const char *look_key(const struct look *l)
{
	static const char *const keys[2][4] = { { "", "stdout", "stderr", "output" },
		                                { "", "not-stdout", "not-stderr", "not-output" } };
	return keys[l->absent][l->streams];
}

/* The kernel takes no long name, and no blank in one. */
static void put_interpreter(struct buf *b, const char *program)
{
	enum { KERNELS_MAX = 120 };
	if (strlen(program) < KERNELS_MAX && !strpbrk(program, " \t\n'"))
		buf_addf(b, "#!%s\n", program);
	else
		buf_addf(b, "#!/bin/sh\nexec '%s' \"$0\" \"$@\"\n", program);
}

char *condition_text(const struct condition *c, const char *program)
{
	struct buf b = { 0 };
	put_interpreter(&b, program);
	buf_addf(&b, "whittle-test %d\n", VERSION);
	for (char **word = c->words; word && *word; word++)
		put(&b, "word", *word);
	put_number(&b, "shell", c->shell);
	buf_addf(&b, "ended %s\n", ended_names[c->ended]);
	put_number(&b, "number", (uint64_t)c->number);
	put_number(&b, "limit-ns", c->limit_ns);
	put_number(&b, "slower-than-ns", c->slower_than_ns);
	for (unsigned i = 0; i < c->n_looks; i++)
		put(&b, look_key(&c->looks[i]), c->looks[i].pattern);
	put(&b, "creates", c->creates);
	put(&b, "creates-pattern", c->creates_pattern);
	put(&b, "family-name", c->family_name);
	put(&b, "family", c->family);
	put(&b, "signature", c->signature);
	put_number(&b, "alone", c->alone);
	put(&b, "valid", c->valid);
	put(&b, "differs", c->differs);
	put_number(&b, "reference", (uint64_t)c->reference);
	put_number(&b, "steady", c->steady);
	put_number(&b, "apart", c->apart);
	put(&b, "agrees", c->agrees);
	return b.data;
}

/* The value of a line, as it was; the caller's. */
static char *get(const char *at, size_t len)
{
	struct buf b = { 0 };
	buf_add(&b, "", 0);
	for (size_t i = 0; i < len; i++)
		if (at[i] == '\\' && i + 1 < len)
			buf_addch(&b, at[++i] == 'n' ? '\n' : at[i]);
		else
			buf_addch(&b, at[i]);
	return b.data;
}

static bool read_look(struct condition *c, const char *key, char *value)
{
	for (int i = 0; i < 6; i++) {
		struct look l = { .streams = 1 + i % 3, .absent = i >= 3, .pattern = value };
		if (!strcmp(look_key(&l), key) && c->n_looks < CONDITION_LOOKS) {
			c->looks[c->n_looks++] = l;
			return true;
		}
	}
	return false;
}

static bool read_text(struct condition *c, const char *key, char *value)
{
	const struct {
		const char *key;
		char **field;
	} fields[] = {
		{ "creates", &c->creates },         { "creates-pattern", &c->creates_pattern },
		{ "family-name", &c->family_name }, { "family", &c->family },
		{ "signature", &c->signature },     { "valid", &c->valid },
		{ "differs", &c->differs },         { "agrees", &c->agrees }
	};
	for (size_t i = 0; i < sizeof fields / sizeof *fields; i++)
		if (!strcmp(fields[i].key, key) && !*fields[i].field) {
			*fields[i].field = value;
			return true;
		}
	return false;
}

static bool read_number(struct condition *c, const char *key, const char *value)
{
	uint64_t v = strtoull(value, NULL, 10);
	if (!strcmp(key, "shell"))
		c->shell = v;
	else if (!strcmp(key, "alone"))
		c->alone = v;
	else if (!strcmp(key, "steady"))
		c->steady = v;
	else if (!strcmp(key, "apart"))
		c->apart = v;
	else if (!strcmp(key, "reference"))
		c->reference = (int)v;
	else if (!strcmp(key, "number"))
		c->number = (int)v;
	else if (!strcmp(key, "limit-ns"))
		c->limit_ns = v;
	else if (!strcmp(key, "slower-than-ns"))
		c->slower_than_ns = v;
	else
		return false;
	return true;
}

static bool read_ended(struct condition *c, const char *key, const char *value)
{
	for (size_t i = 0; i < sizeof ended_names / sizeof *ended_names; i++)
		if (!strcmp(key, "ended") && !strcmp(value, ended_names[i])) {
			c->ended = (enum ended)i;
			return true;
		}
	return false;
}

static void add_word(struct condition *c, char *word)
{
	size_t n = mem_count_words(c->words);
	c->words = mem_resize(c->words, n + 2, sizeof *c->words);
	c->words[n] = word;
	c->words[n + 1] = NULL;
}

static bool read_line(struct condition *c, const char *at, size_t len)
{
	const char *blank = memchr(at, ' ', len);
	if (!blank)
		return false;
	MEM_SCOPED char *key = mem_printf("%.*s", (int)(blank - at), at);
	char *value = get(blank + 1, len - (size_t)(blank + 1 - at));
	bool word = !strcmp(key, "word"),
	     kept = word || read_text(c, key, value) || read_look(c, key, value);
	if (word)
		add_word(c, value);
	bool known = kept || read_number(c, key, value) || read_ended(c, key, value);
	if (!kept)
		free(value);
	return known;
}

int condition_parse(struct condition *c, const char *text, struct err *err)
{
	static const char begin[] = "\nwhittle-test 1\n";
	const char *at = strstr(text, begin);
	*c = (struct condition){ 0 };
	if (!at)
		return err_set(err, ERR_TEST,
		               "this is not a test that this version of whittle wrote");
	for (at += strlen(begin); *at;) {
		size_t len = strcspn(at, "\n");
		if (!read_line(c, at, len))
			return err_set(err, ERR_TEST, "damaged: %.*s", (int)len, at);
		at += len + (at[len] == '\n');
	}
	return c->words ? 0 : err_set(err, ERR_TEST, "damaged: the command is missing");
}

void condition_release(struct condition *c)
{
	mem_free_words(c->words);
	for (unsigned i = 0; i < c->n_looks; i++)
		free(c->looks[i].pattern);
	free(c->creates);
	free(c->creates_pattern);
	free(c->family);
	free(c->family_name);
	free(c->signature);
	free(c->valid);
	free(c->differs);
	free(c->agrees);
	*c = (struct condition){ 0 };
}

/* ---- the command ---- */

char *condition_word(const char *word, char *const *operands)
{
	struct buf b = { 0 };
	buf_add(&b, "", 0);
	size_t n = mem_count_words(operands);
	for (; *word; word++) {
		if (word[0] != '\\' || !word[1]) {
			buf_addch(&b, *word);
			continue;
		}
		word++;
		size_t i = (size_t)(*word - '1');
		if (*word >= '1' && *word <= '9' && i < n)
			buf_addf(&b, "%s", operands[i]);
		else
			buf_addch(&b, *word);
	}
	return b.data;
}

char *condition_line(const char *line)
{
	struct buf b = { 0 };
	struct quote_state q = { 0 };
	buf_add(&b, "", 0);
	while (*line) {
		if (line[0] == '{' && line[1] == '}') {
			buf_addf(&b, "%s", q.open == '"' ? "${1}" : q.open ? "'\"$1\"'" : "\"$1\"");
			q.in_word = true;
			line += 2;
			continue;
		}
		size_t n = quote_step(&q, line);
		buf_add(&b, line, n);
		line += n;
	}
	return b.data;
}

/* How long what names operand *WHICH, counted from 0, is at AT, outside of single quotes; 0:
 * nothing does. */
static size_t operand_at(const struct quote_state *q, const char *at, size_t *which)
{
	static const char *const before[] = { "\"$", "\"${", "${", "$" }, *const behind[] = {
		"\"", "}\"", "}", ""
	};
	*which = 0;
	for (size_t i = q->open ? 2 : 0; i < sizeof before / sizeof *before; i++) {
		size_t head = strlen(before[i]), tail = strlen(behind[i]);
		if (strncmp(at, before[i], head) != 0 || at[head] < '1' || at[head] > '9' ||
		    strncmp(at + head + 1, behind[i], tail) != 0)
			continue;
		*which = (size_t)(at[head] - '1');
		return q->open == '\'' ? 0 : head + 1 + tail;
	}
	return strncmp(at, "{}", 2) ? 0 : 2;
}

char *condition_line_named(const char *line, char *const *names)
{
	size_t count = mem_count_words(names), which;
	struct buf b = { 0 };
	struct quote_state q = { 0 };
	buf_add(&b, "", 0);
	while (*line) {
		size_t n = operand_at(&q, line, &which);
		if (n && which < count) {
			MEM_SCOPED char *quoted = quote_word(names[which]);
			buf_addf(&b, "%s", q.open ? names[which] : quoted);
			q.in_word = true;
		} else {
			n = quote_step(&q, line);
			buf_add(&b, line, n);
		}
		line += n;
	}
	return b.data;
}

/* LINE, which is taken, in a shell with OPERANDS as its arguments; messages of the shell begin with
 * NAME. For mem_free_words. */
static char **shell_words(char *line, const char *name, char *const *operands)
{
	enum { HEAD = 4 };
	size_t n = mem_count_words(operands);
	char **argv = mem_zero(HEAD + n + 1, sizeof *argv);
	argv[0] = mem_strdup("/bin/sh");
	argv[1] = mem_strdup("-c");
	argv[2] = line;
	argv[3] = mem_strdup(name);
	for (size_t i = 0; i < n; i++)
		argv[HEAD + i] = mem_strdup(operands[i]);
	return argv;
}

static char **command_of(const struct condition *c, char *const *operands)
{
	size_t n = mem_count_words(c->words);
	char **argv = mem_zero(n + 1, sizeof *argv);
	for (size_t i = 0; i < n; i++)
		argv[i] = condition_word(c->words[i], operands);
	if (!c->shell)
		return argv;
	struct buf line = { 0 };
	for (size_t i = 0; i < n; i++)
		buf_addf(&line, "%s%s", i ? " " : "", argv[i]);
	buf_addch(&line, '\0');
	mem_free_words(argv);
	return shell_words(line.data, "sh", operands);
}

char *condition_program(const struct condition *c)
{
	const char *name = c->words[0];
	char *found = strchr(name, '/') ? NULL : io_find_program(NULL, name);
	return found ? found : realpath(name, NULL);
}

int condition_run(const struct condition *c, char *const *operands, struct outcome *out,
                  struct err *err)
{
	const struct outcome_limits limits = { .wall_ns = c->limit_ns,
		                               .cpu_ns = c->slower_than_ns };
	SCOPED(mem_words_scoped) char **argv = command_of(c, operands);
	lseek(STDIN_FILENO, 0, SEEK_SET); /* another command may have read the candidate */
	return outcome_run(argv, &limits, out, err);
}

/* ---- what came of it ---- */

static bool crashed(int status)
{
	static const int fatal[] = { 3, 4, 5, 6, 7, 8, 11, 31 };
	if (WIFSIGNALED(status))
		return true;
	for (size_t i = 0; i < sizeof fatal / sizeof *fatal; i++)
		if (WIFEXITED(status) && WEXITSTATUS(status) == 128 + fatal[i])
			return true;
	return false;
}

static bool ended_so(const struct condition *c, const struct outcome *o)
{
	bool exited = !o->timed_out && WIFEXITED(o->status);
	switch (c->ended) {
	case ENDED_ANYHOW:
		return c->slower_than_ns || !o->timed_out;
	case ENDED_STATUS:
		return exited && WEXITSTATUS(o->status) == c->number;
	case ENDED_NONZERO:
		return !o->timed_out && o->status != 0;
	case ENDED_CRASH:
		return !o->timed_out && crashed(o->status);
	case ENDED_SIGNAL:
		return !o->timed_out &&
		       (WIFSIGNALED(o->status) ? WTERMSIG(o->status) == c->number
		                               : WEXITSTATUS(o->status) == 128 + c->number);
	case ENDED_TIMEOUT:
		return o->timed_out;
	}
	return false;
}

static bool matches(const char *pattern, const struct buf *text)
{
	struct err err;
	struct pattern_match m;
	SCOPED(pattern_scoped) struct pattern *p = pattern_new(pattern, &err);
	return p && pattern_find(p, text->data ? text->data : "", text->len, 0, &m);
}

/* What the patterns of C for standard output match in that of O, to OUT. */
static void add_seen(struct buf *out, const struct condition *c, const struct outcome *o)
{
	const char *text = o->out.data ? o->out.data : "";
	for (unsigned i = 0; i < c->n_looks; i++) {
		struct err err;
		struct pattern_match m;
		bool is = !c->looks[i].absent && c->looks[i].streams == STREAM_OUT;
		SCOPED(pattern_scoped)
		struct pattern *p = is ? pattern_new(c->looks[i].pattern, &err) : NULL;
		for (size_t at = 0;
		     p && pattern_find(p, text, o->out.len, at, &m) && m.group[0].end > at;
		     at = m.group[0].end) {
			buf_add(out, text + m.group[0].begin, m.group[0].end - m.group[0].begin);
			buf_addch(out, '\n');
		}
	}
}

bool condition_sees_alike(const struct condition *c, const struct outcome *a,
                          const struct outcome *b)
{
	BUF_SCOPED struct buf seen = { 0 }, other = { 0 };
	add_seen(&seen, c, a);
	add_seen(&other, c, b);
	return seen.len == other.len && (!seen.len || !memcmp(seen.data, other.data, seen.len));
}

static const char *look_option(const struct look *l)
{
	static const char *const options[] = { "", "--stdout", "--stderr", "--print" };
	return l->absent ? "--not" : options[l->streams];
}

static bool looks_right(const struct look *l, const struct outcome *o)
{
	bool found = (l->streams & STREAM_OUT && matches(l->pattern, &o->out)) ||
	             (l->streams & STREAM_ERR && matches(l->pattern, &o->err));
	return found != l->absent;
}

static bool created(const struct condition *c, char *const *operands)
{
	struct stat st;
	BUF_SCOPED struct buf text = { 0 };
	struct err err;
	MEM_SCOPED char *path = condition_word(c->creates, operands);
	bool there = stat(path, &st) == 0 && S_ISREG(st.st_mode);
	if (there && c->creates_pattern)
		there = io_read_file(path, &text, &err) == 0 && matches(c->creates_pattern, &text);
	return there;
}

static bool same_signature(const struct condition *c, const struct outcome *o,
                           char *const *operands)
{
	struct err err;
	struct signature found;
	struct family *f =
		family_parse(c->family_name ? c->family_name : "family", c->family, &err);
	if (!f)
		return false;
	BUF_SCOPED struct buf all = { 0 };
	buf_add(&all, o->err.data, o->err.len);
	buf_add(&all, "\n", 1);
	buf_add(&all, o->out.data, o->out.len);
	bool same = false;
	if (family_find(f, all.data, all.len, (const char *const *)operands, &found)) {
		same = !strcmp(found.text, c->signature) &&
		       !(c->alone && family_fails_otherwise(f, all.data, all.len));
		free(found.text);
	}
	family_free(f);
	return same;
}

static char *ended_otherwise(const struct condition *c, const struct outcome *o)
{
	static const char *const wanted[] = { [ENDED_ANYHOW] = "an end",
		                              [ENDED_NONZERO] = "a status other than 0",
		                              [ENDED_CRASH] = "a crash",
		                              [ENDED_TIMEOUT] = "no end" };
	char how[64];
	outcome_describe(o, how, sizeof how);
	if (c->ended == ENDED_STATUS)
		return mem_printf("it ends with %s, not with exit status %d", how, c->number);
	if (c->ended == ENDED_SIGNAL)
		return mem_printf("it ends with %s, not with signal %d", how, c->number);
	return mem_printf("it ends with %s, not with %s", how, wanted[c->ended]);
}

static char *looks_otherwise(const struct look *l)
{
	return mem_printf("%s %s %s", look_option(l), l->pattern,
	                  l->absent ? "matches" : "does not match");
}

char *condition_fails(const struct condition *c, const struct outcome *o, char *const *operands)
{
	if (!ended_so(c, o))
		return ended_otherwise(c, o);
	if (c->slower_than_ns && !o->timed_out && o->cpu_ns < c->slower_than_ns)
		return mem_printf("it uses %.2g s of processor time, not more than %.2g s",
		                  (double)o->cpu_ns / 1e9, (double)c->slower_than_ns / 1e9);
	for (unsigned i = 0; i < c->n_looks; i++)
		if (!looks_right(&c->looks[i], o))
			return looks_otherwise(&c->looks[i]);
	if (c->creates && !created(c, operands))
		return mem_printf("--creates %s: that is missing%s", c->creates,
		                  c->creates_pattern ? ", or holds something else" : "");
	if (c->family && !same_signature(c, o, operands))
		return mem_printf("it does not show “%s”", c->signature);
	return NULL;
}

bool condition_holds(const struct condition *c, const struct outcome *o, char *const *operands)
{
	char *why = condition_fails(c, o, operands);
	free(why);
	return !why;
}

/* ---- other commands ---- */

/* The shell of a line names OPTION in its messages (run_line): it says that there is no such
 * program, so any candidate would differ. */
static int check_found(const char *option, const struct outcome *o, struct err *err)
{
	enum { NO_PERMISSION = 126, NOT_FOUND = 127 };
	size_t len = strlen(option);
	if (!WIFEXITED(o->status) || o->err.len <= len || strncmp(o->err.data, option, len) != 0 ||
	    (WEXITSTATUS(o->status) != NO_PERMISSION && WEXITSTATUS(o->status) != NOT_FOUND))
		return 0;
	return err_set(err, ERR_TEST, "the command of %s cannot be run%.*s", option,
	               (int)strcspn(o->err.data + len, "\n"), o->err.data + len);
}

/* LINE, that of OPTION, in a shell, with the operands as its arguments; {} is the first. */
static int run_line(const struct condition *c, const char *option, const char *line,
                    char *const *operands, struct outcome *out, struct err *err)
{
	SCOPED(mem_words_scoped) char **argv = shell_words(condition_line(line), option, operands);
	const struct outcome_limits limits = { .wall_ns = c->limit_ns };
	lseek(STDIN_FILENO, 0, SEEK_SET);
	int rc = outcome_run(argv, &limits, out, err);
	return rc == 0 ? check_found(option, out, err) : rc;
}

static bool alike(const struct outcome *a, const struct outcome *b)
{
	return a->timed_out == b->timed_out && a->status == b->status && a->out.len == b->out.len &&
	       (!a->out.len || !memcmp(a->out.data, b->out.data, a->out.len));
}

/* When it says no, OUT has nothing but what it wrote to standard error. */
static int judge_valid(const struct condition *c, char *const *operands, struct outcome *out,
                       struct err *err)
{
	SCOPED(outcome_release) struct outcome o = { 0 };
	int rc = run_line(c, "--valid", c->valid, operands, &o, err);
	if (rc == 0)
		rc = !o.timed_out && o.status == 0;
	if (rc == 0) {
		out->err = o.err;
		o.err = (struct buf){ 0 };
	}
	return rc;
}

/* 1: the command and its reference do what they did, FIRST and OTHER, once more; 0; or -1 and err.
 */
static int judge_again(const struct condition *c, const struct outcome *first,
                       const struct outcome *other, char *const *operands, struct err *err)
{
	SCOPED(outcome_release) struct outcome a = { 0 }, b = { 0 };
	int rc = condition_run(c, operands, &a, err);
	if (rc == 0 && alike(first, &a))
		rc = run_line(c, "--differs", c->differs, operands, &b, err) < 0 ? -1
		                                                                 : alike(other, &b);
	return rc;
}

/* Why OTHER is no reference for FIRST, in words; NULL: it is one. */
static const char *no_reference(const struct condition *c, const struct outcome *first,
                                const struct outcome *other)
{
	if (alike(first, other) || (c->apart && condition_sees_alike(c, first, other)))
		return "the command of --differs does the same";
	if (other->timed_out)
		return "the command of --differs does not end";
	if (crashed(other->status))
		return "the command of --differs crashes";
	if (c->reference && other->status != c->reference - 1)
		return "the command of --differs has another exit status than before";
	return NULL;
}

/* 1, 0 and FIRST->unlike, or -1 and err. */
static int judge_others(const struct condition *c, struct outcome *first, char *const *operands,
                        struct err *err)
{
	SCOPED(outcome_release) struct outcome other = { 0 }, third = { 0 };
	int rc = run_line(c, "--differs", c->differs, operands, &other, err);
	if (rc == 0)
		first->unlike = no_reference(c, first, &other);
	if (rc == 0 && !first->unlike && c->agrees) {
		rc = run_line(c, "--agrees", c->agrees, operands, &third, err);
		if (rc == 0 && !alike(&other, &third))
			first->unlike =
				"the command of --agrees does not do what that of --differs does";
	}
	if (rc == 0 && !first->unlike && c->steady) {
		rc = judge_again(c, first, &other, operands, err);
		if (rc == 0)
			first->unlike = "a second run does something else";
	}
	return rc < 0 ? -1 : !first->unlike;
}

int condition_judge(const struct condition *c, char *const *operands, struct outcome *out,
                    struct err *err)
{
	*out = (struct outcome){ 0 };
	int rc = c->valid ? judge_valid(c, operands, out, err) : 1;
	if (rc == 1) {
		rc = condition_run(c, operands, out, err);
		rc = rc == 0 ? condition_holds(c, out, operands) : rc;
	}
	if (rc == 1 && c->differs)
		rc = judge_others(c, out, operands, err);
	return rc;
}

static int check_pattern(const char *pattern, const char *what, struct err *err)
{
	struct err why = { 0 };
	struct pattern *p = pattern_new(pattern, &why);
	pattern_free(p);
	return p ? 0 : err_set(err, ERR_USAGE, "the pattern %s of %s: %s", pattern, what, why.msg);
}

int condition_check(const struct condition *c, struct err *err)
{
	for (unsigned i = 0; i < c->n_looks; i++)
		if (check_pattern(c->looks[i].pattern, look_option(&c->looks[i]), err) < 0)
			return -1;
	if (c->creates_pattern && check_pattern(c->creates_pattern, "--creates", err) < 0)
		return -1;
	if (c->agrees && !c->differs)
		return err_set(err, ERR_USAGE, "option --agrees: it requires --differs");
	return 0;
}
