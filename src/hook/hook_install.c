#include "hook/hook_install.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/buf.h"
#include "base/err.h"
#include "base/io.h"
#include "base/mem.h"
#include "base/path.h"
#include "base/quote.h"
#include "hook/hook_list.h"
#include "store/git.h"

/* ---- where the hook is ---- */

#define MARK "# whittle pre-push hook"
#define OWN_DIRECTORY "# The directory is whittle's, too.\n"

/* ---- in the configuration ---- */

/* Does this git take hooks from its configuration? 1, 0, -1. It is asked to list one that only this
 * question has. */
static int knows_config_hooks(struct err *err)
{
	static const char *const argv[] = { "-c",       "hook.whittle-probe.event=pre-push",
		                            "-c",       "hook.whittle-probe.command=true",
		                            "hook",     "list",
		                            "pre-push", NULL };
	BUF_SCOPED struct buf out = { 0 };
	struct git_call call = { .argv = argv };
	buf_add(&out, "", 0);
	int status = git_run(&call, &out, err);
	bool listed = status == 0 && strstr(out.data, "whittle-probe");
	return status < 0 ? -1 : listed;
}

static int is_in_config(struct err *err)
{
	static const char *const argv[] = { "config", "--local", "--get", "hook.whittle.command",
		                            NULL };
	int status = git_run(&(struct git_call){ .argv = argv }, NULL, err);
	if (status > 1)
		return err_set(err, ERR_SYSTEM, "git config: exit status %d", status);
	return status < 0 ? -1 : status == 0;
}

static int add_config(const char *program, struct err *err)
{
	BUF_SCOPED struct buf command = { 0 };
	quote_add(&command, program);
	buf_addf(&command, " hook run");
	const char *const set_command[] = { "config", "--local", "hook.whittle.command",
		                            command.data, NULL };
	static const char *const set_event[] = { "config",        "--local",
		                                 "--replace-all", "hook.whittle.event",
		                                 "pre-push",      NULL };
	int rc = git_ask(&(struct git_call){ .argv = set_command }, NULL, err);
	if (rc == 0)
		rc = git_ask(&(struct git_call){ .argv = set_event }, NULL, err);
	return rc;
}

static int remove_config(struct err *err)
{
	static const char *const argv[] = { "config", "--local", "--remove-section", "hook.whittle",
		                            NULL };
	return git_ask(&(struct git_call){ .argv = argv }, NULL, err);
}

/* ---- as a file ---- */

static char *hook_file(struct err *err)
{
	static const char *const argv[] = { "rev-parse", "--git-path", "hooks", NULL };
	MEM_SCOPED char *dir = git_answer(argv, err);
	return dir ? mem_printf("%s/pre-push", dir) : NULL;
}

/* Is FILE the shim? *text: its content, when it can be read. */
static bool is_ours(const char *file, struct buf *text)
{
	struct stat st;
	return lstat(file, &st) == 0 && S_ISREG(st.st_mode) &&
	       io_read_file(file, text, NULL) == 0 && text->len && strstr(text->data, MARK);
}

/* Makes the directory of FILE. 1: it was not there. */
static int make_directory(const char *file, struct err *err)
{
	MEM_SCOPED char *dir = mem_strdup(file);
	*strrchr(dir, '/') = '\0';
	int rc = mkdir(dir, 0777) == 0 ? 1 : 0;
	if (rc == 0 && errno != EEXIST)
		rc = err_errno(err, "cannot make %s", dir);
	return rc;
}

#define PLACE "\nwhittle="

/* The shim with PROGRAM, a word of the shell, in it. */
static int fill_in(struct buf *out, const char *shim, const char *program, struct err *err)
{
	static const char place[] = PLACE "whittle\n";
	BUF_SCOPED struct buf text = { 0 };
	if (io_read_file(shim, &text, err) < 0)
		return -1;
	const char *at = text.len ? strstr(text.data, place) : NULL;
	if (!at) {
		return err_set(err, ERR_SYSTEM, "%s is not the hook that belongs to this whittle",
		               shim);
	}
	buf_add(out, text.data, (size_t)(at - text.data));
	buf_addf(out, PLACE "%s\n%s", program, at + sizeof place - 1);
	return 0;
}

static int write_new(const char *path, const struct buf *text, struct err *err)
{
	IO_SCOPED int fd = open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0777);
	int rc = 0;
	if (fd < 0 || io_write_all(fd, text->data, text->len) < 0 || fsync(fd) < 0)
		rc = err_errno(err, "cannot write %s", path);
	return rc;
}

/* Gives what is at FILE the second name BEFORE, so that the next step can replace it at once. */
static int keep_before(const char *file, const char *before, struct err *err)
{
	struct stat now, kept;
	if (lstat(file, &now) < 0)
		return errno == ENOENT ? 0 : err_errno(err, "cannot look at %s", file);
	if (lstat(before, &kept) == 0)
		return io_is_same(&now, &kept)
		               ? 0
		               : err_set(err, ERR_SYSTEM,
		                         "%s is in the way: it is a hook that was kept earlier; "
		                         "move it elsewhere",
		                         before);
	if (linkat(AT_FDCWD, file, AT_FDCWD, before, 0) == 0)
		return 0;
	/* A file system without hard links. */
	return rename(file, before) < 0 ? err_errno(err, "cannot rename %s", file) : 0;
}

static int add_file(const char *file, const char *before, const char *program, const char *shim,
                    struct err *err)
{
	BUF_SCOPED struct buf text = { 0 }, word = { 0 };
	MEM_SCOPED char *temp = mem_printf("%s.whittle-%ld", file, (long)getpid());
	quote_add(&word, program);
	int made = make_directory(file, err),
	    rc = made < 0 ? -1 : fill_in(&text, shim, word.data, err);
	if (rc == 0 && made)
		buf_addf(&text, OWN_DIRECTORY);
	if (rc == 0)
		rc = write_new(temp, &text, err);
	if (rc == 0)
		rc = keep_before(file, before, err);
	if (rc == 0 && rename(temp, file) < 0)
		rc = err_errno(err, "cannot rename %s", temp);
	if (rc < 0)
		unlink(temp);
	return rc;
}

/* Refuses when TEXT, which the hook FILE holds, is not SHIM as it was installed. */
static int check_unchanged(const char *file, const struct buf *text, const char *shim,
                           struct err *err)
{
	BUF_SCOPED struct buf want = { 0 };
	const char *at = strstr(text->data, PLACE);
	MEM_SCOPED char *program = NULL;
	if (at) {
		at += strlen(PLACE);
		program = mem_printf("%.*s", (int)strcspn(at, "\n"), at);
	}
	int rc = program ? fill_in(&want, shim, program, err) : 0;
	size_t n = want.len;
	if (rc == 0 && (!n || text->len < n || memcmp(text->data, want.data, n) ||
	                (text->len > n && strcmp(text->data + n, OWN_DIRECTORY))))
		rc = err_set(err, ERR_USAGE,
		             "%s was changed after it was installed, or comes from another version "
		             "of whittle; remove it by hand",
		             file);
	return rc;
}

static int remove_file(const char *file, const char *before, const char *shim, struct err *err)
{
	BUF_SCOPED struct buf text = { 0 };
	int rc = is_ours(file, &text) ? check_unchanged(file, &text, shim, err) : 0;
	bool own_directory = text.len && strstr(text.data, OWN_DIRECTORY);
	if (rc < 0)
		return -1;
	if (before)
		return rename(before, file) < 0 ? err_errno(err, "cannot rename %s", before) : 0;
	if (unlink(file) < 0)
		return err_errno(err, "cannot remove %s", file);
	MEM_SCOPED char *dir = mem_strdup(file);
	*strrchr(dir, '/') = '\0';
	return own_directory && rmdir(dir) < 0 && errno != ENOTEMPTY && errno != EEXIST
	               ? err_errno(err, "cannot remove %s", dir)
	               : 0;
}

/* ---- run by others ---- */

#define TOP "at the top of the work tree:\n    "
#define CALL "whittle hook run \"$@\""

/* Programs that write the hook file, known by what it holds, and where they are told what to run.
 * The first has that two directories above the hook, under the hook's name. */
static const struct other {
	const char *words, *mark, *file, *line;
} others[] = {
	{ "husky runs the hooks", "$(dirname \"$0\")/h\"", NULL, TOP "echo '" CALL "' >>%s" },
	{ "pre-commit runs the hooks", "generated by pre-commit", ".pre-commit-config.yaml",
	  "add to \"repos:\" in %s:\n    - {repo: local, hooks: [{id: whittle, name: whittle, "
	  "entry: "
	  "whittle hook run, language: system, pass_filenames: false, always_run: true, stages: "
	  "[pre-push]}]}" },
	{ "lefthook runs the hooks", "call_lefthook", "lefthook.yml",
	  "add to \"commands:\" of \"pre-push:\" in %s:\n    whittle: {run: 'whittle hook run {1} "
	  "{2}', use_stdin: true}" },
};

/* What there is to do to FILE, which git runs itself and others own. */
static const char *const new_line = TOP "printf '#!/bin/sh\\n" CALL "\\n' >%1$s && chmod +x %1$s",
			 *const more_line = TOP "echo '" CALL "' >>%s";

static const struct other *find_writer(const struct buf *hook)
{
	for (size_t i = 0; hook->len && i < sizeof others / sizeof *others; i++)
		if (strstr(hook->data, others[i].mark))
			return &others[i];
	return NULL;
}

/* Is the directory of hooks, which core.hooksPath names, tracked, or one for all repositories of
 * the user or the machine? In words; NULL: neither, or nobody says. */
static const char *find_owner(const char *file, struct err *err)
{
	static const char *const scope[] = { "config", "--show-scope", "--get", "core.hooksPath",
		                             NULL };
	MEM_SCOPED char *dir = mem_printf("%.*s", (int)(strrchr(file, '/') - file), file);
	const char *const tracked[] = { "ls-files", "--", dir, NULL };
	BUF_SCOPED struct buf where = { 0 }, list = { 0 };
	const char *words = NULL;
	if (git_run(&(struct git_call){ .argv = scope }, &where, err) == 0 && where.len) {
		bool here = !strncmp(where.data, "local", 5) || !strncmp(where.data, "worktree", 8);
		git_run(&(struct git_call){ .argv = tracked }, &list, err);
		words = list.len ? "core.hooksPath names a directory that git tracks"
		        : here   ? NULL
		                 : "core.hooksPath names a directory that is not this repository's "
		                   "alone";
	}
	return words;
}

/* The name two directories above FILE; the caller's. */
static char *above(const char *file)
{
	const char *name = strrchr(file, '/'), *dir = name;
	while (dir > file && dir[-1] != '/')
		dir--;
	return mem_printf("%.*s%s", (int)(dir - file), file, name + 1);
}

/* Does the file call whittle? */
static bool calls(const char *file)
{
	BUF_SCOPED struct buf text = { 0 };
	bool does = io_read_bounded(file, (struct io_bounds){ 1 << 20, true }, &text, NULL) == 0 &&
	            text.len &&
	            (strstr(text.data, "whittle hook run") || strstr(text.data, "id: whittle"));
	return does;
}

/* Who else runs the hook that TEXT is. */
static void find_other(struct hook_installed *i, const struct buf *text)
{
	const struct other *writer = find_writer(text);
	const char *line = writer ? writer->line : io_exists(i->file) ? more_line : new_line;
	i->other = writer ? writer->words : find_owner(i->file, NULL);
	if (!i->other)
		return;
	i->said_in = !writer        ? mem_strdup(i->file)
	             : writer->file ? mem_strdup(writer->file)
	                            : above(i->file);
	static const char *const top[] = { "rev-parse", "--show-cdup", NULL };
	MEM_SCOPED char *up = writer && writer->file ? git_answer(top, NULL) : NULL,
			*path = mem_printf("%s%s", up ? up : "", i->said_in);
	bool does = calls(path);
	if (does) {
		i->where = HOOK_BY_OTHER;
		return;
	}
	MEM_SCOPED char *word = quote_word(i->said_in);
	i->line = mem_printf(line, word);
}

/* ---- both ---- */

int hook_installed_find(struct hook_installed *installed, struct err *err)
{
	BUF_SCOPED struct buf text = { 0 };
	*installed = (struct hook_installed){ .file = hook_file(err) };
	int in_config = installed->file ? is_in_config(err) : -1;
	if (in_config < 0)
		return -1;
	installed->before = mem_printf("%s.before-whittle", installed->file);
	if (!io_exists(installed->before)) {
		free(installed->before);
		installed->before = NULL;
	}
	if (in_config)
		installed->where = HOOK_IN_CONFIG;
	else if (is_ours(installed->file, &text))
		installed->where = HOOK_IN_FILE;
	else
		find_other(installed, &text);
	return 0;
}

void hook_installed_release(struct hook_installed *installed)
{
	free(installed->file);
	free(installed->before);
	free(installed->said_in);
	free(installed->line);
	*installed = (struct hook_installed){ 0 };
}

int hook_install(struct hook_installed *installed, const char *program, const char *shim,
                 struct err *err)
{
	int rc = hook_installed_find(installed, err);
	if (rc < 0 || installed->where != HOOK_NOWHERE)
		return rc;
	int config = knows_config_hooks(err);
	if (config < 0)
		return -1;
	MEM_SCOPED char *before = mem_printf("%s.before-whittle", installed->file);
	rc = config            ? add_config(program, err)
	     : installed->line ? 0
	                       : add_file(installed->file, before, program, shim, err);
	hook_installed_release(installed);
	struct err later;
	if (hook_installed_find(installed, &later) < 0 && rc == 0) {
		*err = later;
		rc = -1;
	}
	return rc;
}

int hook_uninstall(struct hook_installed *installed, const char *shim, struct err *err)
{
	if (hook_installed_find(installed, err) < 0)
		return -1;
	switch (installed->where) {
	case HOOK_IN_CONFIG:
		return remove_config(err);
	case HOOK_IN_FILE:
		return remove_file(installed->file, installed->before, shim, err);
	case HOOK_BY_OTHER:
		return err_set(err, ERR_USAGE, "%s: remove whittle from %s by hand",
		               installed->other, installed->said_in);
	case HOOK_NOWHERE:
		break;
	}
	return 0;
}

/* ---- a driver ---- */

#define DIRECTORY "whittle-hook" /* in the git directory that all worktrees share */

int hook_setup_parse(struct hook_setup *setup, const char *text, struct err *err)
{
	static const char letters[] =
		"abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-_";
	static const char *const taken[] = { "set", "unset", "unspecified" };
	size_t n = strcspn(text, "=");
	bool good = n && *text != '-' && strspn(text, letters) == n;
	for (size_t i = 0; i < sizeof taken / sizeof *taken; i++)
		good = good && (strlen(taken[i]) != n || strncmp(text, taken[i], n));
	if (!good || (text[n] && !text[n + 1]))
		return err_set(err, ERR_USAGE,
		               "--driver: \"%s\" is not NAME or NAME=PATTERN, with a name of "
		               "letters, digits, \"-\" and \"_\"",
		               text);
	setup->name = mem_printf("%.*s", (int)n, text);
	setup->pattern = text[n] ? text + n + 1 : NULL;
	return 0;
}

/* ---- the test ---- */

static int read_test(const char *path, struct buf *text, struct err *err)
{
	struct stat st;
	if (stat(path, &st) < 0)
		return err_set(err, ERR_TEST, "the test %s: %s", path, strerror(errno));
	if (!S_ISREG(st.st_mode) || access(path, X_OK) < 0)
		return err_set(err, ERR_TEST, "the test %s is not an executable file", path);
	return io_read_file(path, text, err);
}

/* Puts the copy in place: its path, absolute; the caller's. */
static char *copy_test(const struct hook_setup *s, const struct hook_checkouts *checkouts,
                       struct err *err)
{
	BUF_SCOPED struct buf text = { 0 };
	char *dir = mem_printf("%s/" DIRECTORY "/%s", checkouts->common, s->name),
	     *path = mem_printf("%s/%s", dir, path_base(s->test));
	int rc = read_test(s->test, &text, err);
	int inside = rc < 0 ? rc : hook_checkouts_in_worktree(checkouts, path, err);
	if (inside > 0)
		rc = err_set(
			err, ERR_TEST,
			"the git directory %s is in a work tree, where any commit could change the "
			"copy of the test; copy the test elsewhere, and set whittle.%s.test",
			checkouts->common, s->name);
	if (inside || io_make_dirs(dir, strlen(checkouts->common), err) < 0)
		rc = -1;
	if (rc == 0)
		rc = io_replace_file(path, text.data, text.len, 0755, err);
	free(dir);
	if (rc == 0)
		return path;
	free(path);
	return NULL;
}

/* ---- the configuration ---- */

static int set(const struct hook_setup *s, const char *key, const char *value, struct err *err)
{
	MEM_SCOPED char *name = mem_printf("whittle.%s.%s", s->name, key);
	const char *const argv[] = {
		"config", "--local", "--replace-all", "--", name, value, NULL
	};
	return value ? git_ask(&(struct git_call){ .argv = argv }, NULL, err) : 0;
}

static int configure(const struct hook_setup *s, struct err *err)
{
	MEM_SCOPED char *test = mem_printf(DIRECTORY "/%s/%s", s->name, path_base(s->test));
	int rc = set(s, "test", test, err);
	if (rc < 0 || set(s, "tokenizer", s->tokenizer, err) < 0 ||
	    set(s, "budget", s->budget, err) < 0 || set(s, "slack", s->slack, err) < 0)
		return -1;
	return set(s, "unchecked", s->unchecked, err);
}

/* ---- the attribute ---- */

/* A path that PATTERN matches. */
static char *sample(const char *pattern)
{
	struct buf path = { 0 };
	buf_add(&path, "", 0);
	for (const char *p = pattern + (*pattern == '/'); *p; p++)
		if (*p != '*' && *p != '?')
			buf_addch(&path, *p);
		else if (p == pattern || p[-1] != '*')
			buf_addch(&path, 'x');
	return path.data;
}

/* Is the attribute of what PATTERN matches that of the driver already? */
static int has_attribute(const struct hook_setup *s, struct err *err)
{
	MEM_SCOPED char *path = sample(s->pattern);
	const char *const argv[] = { "check-attr", "whittle", "--", path, NULL };
	BUF_SCOPED struct buf out = { 0 };
	MEM_SCOPED char *want = mem_printf(": whittle: %s\n", s->name);
	int rc = git_run(&(struct git_call){ .argv = argv }, &out, err);
	bool there = rc == 0 && out.len && strstr(out.data, want);
	return rc < 0 ? -1 : there;
}

/* PATTERN as .gitattributes has it: in double quotes when it has blanks. */
static char *attribute_line(const struct hook_setup *s)
{
	BUF_SCOPED struct buf line = { 0 };
	bool plain = !strpbrk(s->pattern, " \t\"\\") && *s->pattern != '#';
	for (const char *p = s->pattern; !plain && *p; p++)
		buf_addf(&line, "%s%c", *p == '"' || *p == '\\' ? "\\" : "", *p);
	return plain ? mem_printf("%s whittle=%s", s->pattern, s->name)
	             : mem_printf("\"%s\" whittle=%s", line.data, s->name);
}

/* The values as the hook will read them: a mistake shows now. */
static int check_values(const struct hook_setup *s, struct err *err)
{
	SCOPED(hook_config_release) struct hook_config config;
	MEM_SCOPED char *budget = mem_printf("whittle.%s.budget=%s", s->name,
	                                     s->budget ? s->budget : "1"),
			*slack = mem_printf("whittle.%s.slack=%s", s->name,
	                                    s->slack ? s->slack : "1"),
			*unchecked = mem_printf("whittle.%s.unchecked=%s", s->name,
	                                        s->unchecked ? s->unchecked : "warn");
	const char *const texts[] = { budget, slack, unchecked, NULL };
	return hook_config_parse(&config, texts, err);
}

int hook_set_up(const struct hook_setup *s, const struct hook_checkouts *checkouts,
                struct hook_set_up *done, struct err *err)
{
	*done = (struct hook_set_up){ 0 };
	if (check_values(s, err) < 0 || !(done->test = copy_test(s, checkouts, err)) ||
	    configure(s, err) < 0)
		return -1;
	int there = s->pattern ? has_attribute(s, err) : 1;
	if (there == 0)
		done->attribute = attribute_line(s);
	return there < 0 ? -1 : 0;
}

void hook_set_up_release(struct hook_set_up *done)
{
	free(done->test);
	free(done->attribute);
	*done = (struct hook_set_up){ 0 };
}
