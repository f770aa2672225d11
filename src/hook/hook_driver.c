#include "hook/hook_driver.h"

#include <errno.h>
#include <strings.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/buf.h"
#include "base/err.h"
#include "base/io.h"
#include "base/mem.h"
#include "base/options.h"
#include "base/path.h"
#include "base/quote.h"
#include "store/git.h"

/* ---- settings ---- */

enum { DEFAULT_SLACK = 10 };
static const uint64_t DEFAULT_BUDGET_NS = 10000000000u;

static const char *const modes[] = { "check", "minimize", "warn", "off" };

const char *hook_mode_name(enum hook_mode mode)
{
	return modes[mode];
}

static int set_mode(struct hook_config *config, const char *value, struct err *err)
{
	for (size_t i = 0; i < sizeof modes / sizeof *modes; i++)
		if (!strcasecmp(value, modes[i])) {
			config->mode = (enum hook_mode)i;
			return 0;
		}
	return err_set(err, ERR_USAGE,
	               "git config whittle.prePush: \"%s\" is not check, minimize, warn or off",
	               value);
}

static int set_text(char **field, const char *value)
{
	free(*field);
	*field = *value ? mem_strdup(value) : NULL;
	return 0;
}

static int set_budget(struct hook_driver *d, const char *value, struct err *err)
{
	if (options_duration(value, &d->budget_ns))
		return 0;
	return err_set(err, ERR_USAGE,
	               "git config whittle.%s.budget: \"%s\" is not a duration (seconds, or with "
	               "suffix s, m or h)",
	               d->name, value);
}

static int set_slack(struct hook_driver *d, const char *value, struct err *err)
{
	char *end;
	errno = 0;
	long v = strtol(value, &end, 10);
	if (end == value || (*end && strcmp(end, "%")) || errno || v < 0 || v > 99)
		return err_set(err, ERR_USAGE,
		               "git config whittle.%s.slack: \"%s\" is not a percentage below 100",
		               d->name, value);
	d->slack = (unsigned)v;
	return 0;
}

static int set_unchecked(enum hook_unchecked *field, const char *key, const char *value,
                         struct err *err)
{
	bool warn = !strcasecmp(value, "warn");
	if (!warn && strcasecmp(value, "block"))
		return err_set(err, ERR_USAGE, "git config %s: \"%s\" is not warn or block", key,
		               value);
	*field = warn ? HOOK_UNCHECKED_WARN : HOOK_UNCHECKED_BLOCK;
	return 0;
}

bool hook_config_blocks(const struct hook_config *config, const char *name)
{
	const struct hook_driver *d = hook_config_driver(config, name);
	enum hook_unchecked u = d && d->unchecked ? d->unchecked : config->unchecked;
	return u == HOOK_UNCHECKED_BLOCK;
}

uint64_t hook_config_budget_ns(const struct hook_config *config)
{
	uint64_t sum = 0;
	for (size_t i = 0; i < config->n; i++)
		if (config->drivers[i].test)
			sum += config->drivers[i].budget_ns;
	return sum ? sum : DEFAULT_BUDGET_NS;
}

struct hook_driver *hook_config_driver(const struct hook_config *config, const char *name)
{
	for (size_t i = 0; i < config->n; i++)
		if (!strcmp(config->drivers[i].name, name))
			return &config->drivers[i];
	return NULL;
}

static struct hook_driver *add_driver(struct hook_config *config, const char *name)
{
	MEM_GROW(config->drivers, config->n, config->cap);
	struct hook_driver *d = &config->drivers[config->n++];
	*d = (struct hook_driver){ .name = mem_strdup(name),
		                   .budget_ns = DEFAULT_BUDGET_NS,
		                   .slack = DEFAULT_SLACK };
	return d;
}

/* One setting; KEY as git prints it: "whittle.prepush", "whittle.DRIVER.test". Keys of other parts
 * are passed over. */
static int take(struct hook_config *config, char *key, const char *value, struct err *err)
{
	char *name = key + strlen("whittle."), *last = strrchr(name, '.');
	if (!last && !strcmp(name, "unchecked"))
		return set_unchecked(&config->unchecked, key, value, err);
	if (!last)
		return strcmp(name, "prepush") ? 0 : set_mode(config, value, err);
	static const char *const known[] = { "test",  "tokenizer", "budget",
		                             "slack", "unchecked", NULL };
	int which = mem_place_of(known, last + 1);
	if (which < 0)
		return 0;
	MEM_SCOPED char *whole = mem_strdup(key);
	*last = '\0';
	struct hook_driver *d = hook_config_driver(config, name);
	if (!d)
		d = add_driver(config, name);
	return which == 0   ? set_text(&d->test, value)
	       : which == 1 ? set_text(&d->tokenizer, value)
	       : which == 2 ? set_budget(d, value, err)
	       : which == 3 ? set_slack(d, value, err)
	                    : set_unchecked(&d->unchecked, whole, value, err);
}

int hook_config_parse(struct hook_config *config, const char *const texts[], struct err *err)
{
	int rc = 0;
	*config = (struct hook_config){ 0 };
	for (; rc == 0 && *texts; texts++) {
		char *key = mem_strdup(*texts), *value = strchr(key, '=');
		*value++ = '\0';
		rc = take(config, key, value, err);
		free(key);
	}
	return rc;
}

int hook_config_load(struct hook_config *config, struct err *err)
{
	static const char *const argv[] = { "config", "-z", "--get-regexp", "^whittle\\.", NULL };
	BUF_SCOPED struct buf out = { 0 };
	struct git_call call = { .argv = argv };
	*config = (struct hook_config){ 0 };
	int status = git_run(&call, &out, err), rc = status < 0 ? -1 : 0;
	if (status > 1) /* 1: there is no such key */
		rc = err_set(err, ERR_SYSTEM, "git config: exit status %d", status);
	/* KEY LF VALUE NUL, or KEY NUL for a key without a value. */
	for (char *key = out.data; rc == 0 && key && key < out.data + out.len;) {
		size_t len = strlen(key);
		char *value = strchr(key, '\n');
		if (value)
			*value++ = '\0';
		rc = take(config, key, value ? value : "", err);
		key += len + 1;
	}
	return rc;
}

void hook_config_release(struct hook_config *config)
{
	for (size_t i = 0; i < config->n; i++) {
		free(config->drivers[i].name);
		free(config->drivers[i].test);
		free(config->drivers[i].tokenizer);
	}
	free(config->drivers);
	*config = (struct hook_config){ 0 };
}

/* ---- tests and work trees ---- */

static char *find_common(struct err *err)
{
	static const char *const argv[] = { "rev-parse", "--git-common-dir", NULL };
	char *dir = git_answer(argv, err), *real = dir ? realpath(dir, NULL) : NULL;
	if (dir && !real)
		err_errno(err, "cannot find the git directory %s", dir);
	free(dir);
	return real;
}

/* Notes DIR, which is relative to BASE, as the top of a work tree, when it exists. */
static void add_worktree(struct hook_checkouts *checkouts, const char *base, const char *dir)
{
	MEM_SCOPED char *path = *dir == '/' ? mem_strdup(dir) : mem_printf("%s/%s", base, dir);
	char *real = realpath(path, NULL);
	if (!real)
		return;
	MEM_PUSH(checkouts->worktrees, checkouts->n, checkouts->cap, real);
}

/* The linked ones, and the main one where it is beside the git directory; else git lists that. */
static int add_listed(struct hook_checkouts *checkouts, struct err *err)
{
	static const char *const argv[] = { "worktree", "list", "--porcelain", NULL };
	char *text = git_answer(argv, err), *rest = text, *line;
	while (text && (line = strsep(&rest, "\n")))
		if (!strncmp(line, "worktree ", 9) && !io_same_file(line + 9, checkouts->common))
			add_worktree(checkouts, "/", line + 9);
	free(text);
	return text ? 0 : -1;
}

/* The lines that git prints, which may fail: there need not be a work tree here. */
static int add_answers(struct hook_checkouts *checkouts, const char *base, const char *const argv[],
                       struct err *err)
{
	BUF_SCOPED struct buf out = { 0 };
	struct git_call call = { .argv = argv, .stoppable = true };
	int status = git_run(&call, &out, err);
	char *rest = out.data, *line;
	while (status >= 0 && rest && (line = strsep(&rest, "\n")))
		if (*line)
			add_worktree(checkouts, base, line);
	return status < 0 ? -1 : 0;
}

/* Where core.worktree says that it is, for every commit that is pushed from elsewhere, too. */
static int add_configured(struct hook_checkouts *checkouts, struct err *err)
{
	static const char *const files[] = { "config", "config.worktree" };
	int rc = 0;
	for (size_t i = 0; rc == 0 && i < sizeof files / sizeof *files; i++) {
		MEM_SCOPED char *file = mem_printf("%s/%s", checkouts->common, files[i]);
		const char *const argv[] = { "config",    "--file",        file,
			                     "--get-all", "core.worktree", NULL };
		if (access(file, R_OK) == 0)
			rc = add_answers(checkouts, checkouts->common, argv, err);
	}
	return rc;
}

int hook_checkouts_find(struct hook_checkouts *checkouts, struct err *err)
{
	/* One at a time: the first that fails ends git. */
	static const char *const above[] = { "rev-parse", "--show-superproject-working-tree",
		                             NULL },
				 *const here[] = { "rev-parse", "--show-toplevel", NULL };
	*checkouts = (struct hook_checkouts){ .common = find_common(err) };
	if (!checkouts->common || add_listed(checkouts, err) < 0 ||
	    add_answers(checkouts, "/", above, err) < 0 ||
	    add_answers(checkouts, "/", here, err) < 0 || add_configured(checkouts, err) < 0)
		return -1;
	MEM_GROW(checkouts->worktrees, checkouts->n, checkouts->cap);
	checkouts->worktrees[checkouts->n] = NULL;
	return 0;
}

void hook_checkouts_release(struct hook_checkouts *checkouts)
{
	for (size_t i = 0; i < checkouts->n; i++) /* also where the list was not finished */
		free(checkouts->worktrees[i]);
	free(checkouts->worktrees);
	free(checkouts->common);
	*checkouts = (struct hook_checkouts){ 0 };
}

char *hook_path(const struct hook_checkouts *checkouts, const char *path)
{
	const char *home = getenv("HOME");
	if (!strncmp(path, "~/", 2) && home && *home)
		return mem_printf("%s/%s", home, path + 2);
	return *path == '/' ? mem_strdup(path) : mem_printf("%s/%s", checkouts->common, path);
}

/* Does what DIR has as .git lead to our repository? A work tree whose git directory is elsewhere
 * knows of that, and not the other way round. 1, 0, -1 and err. */
static int leads_here(const struct hook_checkouts *checkouts, const char *dir, struct err *err)
{
	MEM_SCOPED char *dot_git = mem_printf("%s/.git", dir),
			*option = mem_printf("--git-dir=%s", dot_git);
	const char *const argv[] = { option, "rev-parse", "--git-common-dir", NULL };
	struct git_call call = { .argv = argv, .stoppable = true };
	BUF_SCOPED struct buf out = { 0 };
	int status = access(dot_git, F_OK) == 0 ? git_run(&call, &out, err) : 1;
	if (out.len)
		out.data[--out.len] = '\0';
	bool same = status == 0 && out.len && io_same_file(checkouts->common, out.data);
	return status < 0 ? -1 : same;
}

/* The same for the directory DIR alone. */
static int is_top(const struct hook_checkouts *checkouts, const char *dir, struct err *err)
{
	if (access(dir, F_OK) < 0)
		return 0;
	for (size_t i = 0; i < checkouts->n; i++)
		if (io_same_file(dir, checkouts->worktrees[i]))
			return 1;
	return leads_here(checkouts, dir, err);
}

int hook_checkouts_in_worktree(const struct hook_checkouts *checkouts, const char *path,
                               struct err *err)
{
	char *dir = mem_strdup(path), *slash;
	int rc = 0;
	while (rc == 0 && (slash = strrchr(dir, '/'))) {
		bool protected = !strcasecmp(slash + 1, ".git");
		slash[slash == dir] = '\0';
		if (protected)
			break;
		rc = is_top(checkouts, dir, err);
		if (slash == dir)
			break;
	}
	free(dir);
	return rc;
}

#define REFUSED                                                                             \
	"the test %s is in a work tree, where any commit that is checked out could change " \
	"it, and is not run. Copy what you trust"

/* Says how to copy it to a place that is no work tree. */
static void refuse(const struct hook_checkouts *checkouts, const struct hook_driver *d,
                   const char *test, struct err *err)
{
	MEM_SCOPED char *from = quote_word(test), *key = mem_printf("whittle.%s.test", d->name),
			*config = quote_word(key), *to = quote_word(checkouts->common),
			*name = quote_word(path_base(test));
	MEM_SCOPED char *safe = mem_printf("%s/x", checkouts->common);
	if (hook_checkouts_in_worktree(checkouts, safe, err) == 0)
		err_set(err, ERR_TEST, REFUSED ": cp -- %s %s/ && git config -- %s %s", from, from,
		        to, config, name);
	else
		err_set(err, ERR_TEST, REFUSED " to a directory outside", from);
}

/* Refuses a test that a checkout could write. */
static int check_place(const struct hook_checkouts *checkouts, const struct hook_driver *d,
                       const char *test, struct err *err)
{
	int inside = hook_checkouts_in_worktree(checkouts, test, err);
	if (inside > 0)
		refuse(checkouts, d, test, err);
	return inside ? -1 : 0;
}

char *hook_test_find(const struct hook_checkouts *checkouts, const struct hook_driver *d,
                     struct hash *id, struct err *err)
{
	struct stat st;
	BUF_SCOPED struct buf bytes = { 0 };
	char *path = hook_path(checkouts, d->test), *real = realpath(path, NULL);
	int rc = 0;
	if (!real || stat(real, &st) < 0)
		rc = err_set(err, ERR_TEST, "the test %s: %s", path, strerror(errno));
	else if (!S_ISREG(st.st_mode) || access(real, X_OK) < 0)
		rc = err_set(err, ERR_TEST, "the test %s is not an executable file", path);
	else
		rc = check_place(checkouts, d, real, err);
	if (rc == 0)
		rc = io_read_file(real, &bytes, err);
	*id = hash_bytes(bytes.data ? bytes.data : "", bytes.len, 0);
	free(path);
	if (rc == 0)
		return real;
	free(real);
	return NULL;
}
