#include "cli/named.h"

#include <sys/stat.h>

#include "base/err.h"
#include "base/io.h"
#include "base/mem.h"
#include "base/path.h"
#include "first/ask.h"
#include "cli/stored_place.h"
#include "disk/input.h"
#include "lang/tokenizer.h"
#include "reduce/session_store.h"
#include "reduce/session_options.h"
#include "store/history.h"
#include "text/testcase.h"

/* A file that the command line names, or that the reduction of a name knows. */
struct file {
	char *what, *path; /* WHAT it is, as a message ends */
};

struct files {
	struct file *list;
	uint32_t n, cap;
};

static void add_n(struct files *f, const char *what, const char *path, size_t len)
{
	if (!path || !len)
		return;
	MEM_PUSH(f->list, f->n, f->cap,
	         (struct file){ mem_strdup(what), mem_printf("%.*s", (int)len, path) });
}

static void add(struct files *f, const char *what, const char *path)
{
	add_n(f, what, path, path ? strlen(path) : 0);
}

/* The words of a command line of sh, or of one argument of a program ("--config=FILE"), which may
 * name files. */
static void add_words(struct files *f, const char *what, const char *line)
{
	static const char between[] = " \t\n'\"`=:,;|&<>(){}$";
	add(f, what, line);
	for (const char *at = line; at && *at;) {
		size_t len = strcspn(at, between);
		add_n(f, what, at, len);
		at += len + (at[len] != '\0');
	}
}

static void release(struct files *f)
{
	for (uint32_t i = 0; i < f->n; i++) {
		free(f->list[i].what);
		free(f->list[i].path);
	}
	free(f->list);
}

/* ---- two paths ---- */

/* Are both the same regular file? */
static bool is_same(const char *a, const char *b)
{
	struct stat x, y;
	return stat(a, &x) == 0 && stat(b, &y) == 0 && S_ISREG(x.st_mode) && io_is_same(&x, &y);
}

/* Is PATH in DIRECTORY, or would it be? */
static bool is_in(const char *path, const char *directory)
{
	MEM_SCOPED char *real = io_real_path(path), *above = io_real_path(directory);
	return path_is_below(real, above);
}

/* Do both name the same place? Of a terminal, say, that is no matter. */
static bool is_at(const char *a, const char *b)
{
	struct stat st;
	MEM_SCOPED char *x = io_real_path(a), *y = io_real_path(b);
	bool odd = stat(x, &st) == 0 && !S_ISREG(st.st_mode) && !S_ISDIR(st.st_mode);
	return (!odd && !strcmp(x, y)) || is_same(a, b);
}

/* ---- what a command line names ---- */

static void add_read(struct files *f, const struct session_options *s,
                     const struct ask_options *ask)
{
	const struct condition *c = &ask->condition;
	for (uint32_t i = 0; i < s->n_files; i++)
		add(f, "the input", s->files[i]);
	for (char *const *word = ask->command; word && *word; word++)
		add_words(f, "named by COMMAND", *word);
	if (!ask->command)
		add(f, "the test", s->test);
	if (s->settings.tokenizer && tokenizer_is_file(s->settings.tokenizer))
		add(f, "the tokenizer", s->settings.tokenizer);
	add(f, "named by --spans", s->settings.spans);
	for (unsigned i = 0; i < s->far.n_with; i++)
		add(f, "named by --with", s->far.with[i]);
	for (unsigned i = 0; i < s->far.n; i++)
		add_words(f, "named by --workers", s->far.commands[i]);
	for (uint32_t i = 0; i < s->external.n; i++)
		add_words(f, "named by --external", s->external.commands[i]);
	add_words(f, "named by --workers-from", s->far.from);
	add_words(f, "named by --format", s->format);
	add_words(f, "named by --valid", c->valid);
	add_words(f, "named by --differs", c->differs);
	add_words(f, "named by --agrees", c->agrees);
}

struct written {
	const char *option, *path;
};

/* A is read, or written by another option: is W the same? */
static int check_file(const struct written *w, const struct files *f, struct err *err)
{
	for (uint32_t i = 0; i < f->n; i++)
		if (is_same(w->path, f->list[i].path))
			return err_set(err, ERR_USAGE, "option --%s: %s is %s", w->option, w->path,
			               f->list[i].what);
	return 0;
}

/* Nothing else is written where the result goes, or into a directory that is replaced. */
static int check_beside(const struct written *w, const struct session_options *s, struct err *err)
{
	for (uint32_t i = 0; i < s->n_files; i++)
		if (is_in(w->path, s->files[i]))
			return err_set(err, ERR_USAGE,
			               "option --%s: %s is in %s, which is being reduced",
			               w->option, w->path, s->files[i]);
	if (s->out && (is_at(w->path, s->out) || is_in(w->path, s->out)))
		return err_set(err, ERR_USAGE, "option --%s: %s is where the result goes",
		               w->option, w->path);
	return 0;
}

int named_check(const struct session_options *s, const struct ask_options *ask, const char *events,
                struct err *err)
{
	bool is_file = events && events[strspn(events, "0123456789")];
	const struct written all[] = { { "output", s->out },
		                       { "save-test", ask->save },
		                       { "events", is_file ? events : NULL },
		                       { "store", s->store.repository } };
	struct files read = { 0 };
	int rc = 0;
	add_read(&read, s, ask);
	for (size_t i = 0; i < sizeof all / sizeof *all && rc == 0; i++) {
		if (!all[i].path)
			continue;
		rc = check_file(&all[i], &read, err);
		if (rc == 0 && i)
			rc = check_beside(&all[i], s, err);
		for (size_t j = 1; j < i && rc == 0; j++)
			if (all[j].path && is_at(all[i].path, all[j].path))
				rc = err_set(err, ERR_USAGE, "option --%s: %s is named by --%s",
				             all[i].option, all[i].path, all[j].option);
	}
	release(&read);
	return rc;
}

/* ---- what a reduction knows ---- */

static void add_known(struct files *f, struct reduction *r, const char *what, const char *key)
{
	MEM_SCOPED char *path = reduction_local(r, key);
	add(f, what, path);
}

/* What R reduced. Nothing when nobody knows where that is. */
static void add_reduced(struct files *f, struct reduction *r)
{
	static const char what[] = "the reduced file";
	SCOPED(stored_release) struct stored_place place = { 0 };
	TESTCASE_SCOPED struct testcase *tc = reduction_testcase(r, NULL);
	if (tc && stored_find(&place, r, tc, NULL, NULL) == 0)
		for (uint32_t i = 0; i < place.in.n_operands; i++)
			add(f, what, place.in.operands[i].path);
}

int named_check_reduction(struct reduction *r, const char *path, bool result, struct err *err)
{
	struct files f = { 0 };
	int rc = 0;
	if (result) {
		add_reduced(&f, r);
		add_known(&f, r, "the result", SESSION_STORE_OUT);
	}
	add_known(&f, r, "the test", SESSION_STORE_TEST);
	add_known(&f, r, "the tokenizer", SESSION_STORE_TOKENIZER);
	add_known(&f, r, "named by --spans", SESSION_STORE_SPANS);
	for (uint32_t i = 0; i < f.n && rc == 0; i++)
		if (is_at(path, f.list[i].path) || is_in(path, f.list[i].path))
			rc = err_set(err, ERR_USAGE, "option --output: %s is %s", path,
			             f.list[i].what);
	release(&f);
	return rc;
}
