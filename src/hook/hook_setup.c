#include "hook/hook_setup.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/buf.h"
#include "base/err.h"
#include "base/io.h"
#include "base/mem.h"
#include "store/git.h"
#include "hook/hook_config.h"
#include "hook/hook_test.h"
#include "hook/hook_text.h"

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

static int make_directory(const char *path, struct err *err)
{
	return mkdir(path, 0777) < 0 && errno != EEXIST ? err_errno(err, "cannot make %s", path)
	                                                : 0;
}

/* Puts the copy in place: its path, absolute; the caller's. */
static char *copy_test(const struct hook_setup *s, const struct hook_checkouts *checkouts,
                       struct err *err)
{
	struct buf text = { 0 };
	char *top = mem_printf("%s/" DIRECTORY, checkouts->common),
	     *dir = mem_printf("%s/%s", top, s->name),
	     *path = mem_printf("%s/%s", dir, hook_base_name(s->test));
	int rc = read_test(s->test, &text, err);
	int inside = rc < 0 ? rc : hook_checkouts_in_worktree(checkouts, path, err);
	if (inside > 0)
		rc = err_set(
			err, ERR_TEST,
			"the git directory %s is in a work tree, where any commit could change the "
			"copy of the test; copy the test elsewhere, and set whittle.%s.test",
			checkouts->common, s->name);
	if (inside || make_directory(top, err) < 0 || make_directory(dir, err) < 0)
		rc = -1;
	if (rc == 0)
		rc = io_replace_file(path, text.data, text.len, 0755, err);
	buf_release(&text);
	free(dir);
	free(top);
	if (rc == 0)
		return path;
	free(path);
	return NULL;
}

/* ---- the configuration ---- */

static int set(const struct hook_setup *s, const char *key, const char *value, struct err *err)
{
	char *name = mem_printf("whittle.%s.%s", s->name, key);
	const char *const argv[] = {
		"config", "--local", "--replace-all", "--", name, value, NULL
	};
	int rc = value ? git_ask(&(struct git_call){ .argv = argv }, NULL, err) : 0;
	free(name);
	return rc;
}

static int configure(const struct hook_setup *s, struct err *err)
{
	char *test = mem_printf(DIRECTORY "/%s/%s", s->name, hook_base_name(s->test));
	int rc = set(s, "test", test, err);
	free(test);
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
	char *path = sample(s->pattern);
	const char *const argv[] = { "check-attr", "whittle", "--", path, NULL };
	struct buf out = { 0 };
	char *want = mem_printf(": whittle: %s\n", s->name);
	int rc = git_run(&(struct git_call){ .argv = argv }, &out, err);
	bool there = rc == 0 && out.len && strstr(out.data, want);
	buf_release(&out);
	free(want);
	free(path);
	return rc < 0 ? -1 : there;
}

/* PATTERN as .gitattributes has it: in double quotes when it has blanks. */
static char *attribute_line(const struct hook_setup *s)
{
	struct buf line = { 0 };
	bool plain = !strpbrk(s->pattern, " \t\"\\") && *s->pattern != '#';
	for (const char *p = s->pattern; !plain && *p; p++)
		buf_addf(&line, "%s%c", *p == '"' || *p == '\\' ? "\\" : "", *p);
	char *text = plain ? mem_printf("%s whittle=%s", s->pattern, s->name)
	                   : mem_printf("\"%s\" whittle=%s", line.data, s->name);
	buf_release(&line);
	return text;
}

/* The values as the hook will read them: a mistake shows now. */
static int check_values(const struct hook_setup *s, struct err *err)
{
	struct hook_config config;
	char *budget = mem_printf("whittle.%s.budget=%s", s->name, s->budget ? s->budget : "1"),
	     *slack = mem_printf("whittle.%s.slack=%s", s->name, s->slack ? s->slack : "1"),
	     *unchecked = mem_printf("whittle.%s.unchecked=%s", s->name,
	                             s->unchecked ? s->unchecked : "warn");
	const char *const texts[] = { budget, slack, unchecked, NULL };
	int rc = hook_config_parse(&config, texts, err);
	hook_config_release(&config);
	free(budget);
	free(slack);
	free(unchecked);
	return rc;
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
