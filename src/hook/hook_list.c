#include "hook/hook_list.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <strings.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "base/err.h"
#include "base/io.h"
#include "base/options.h"
#include "base/path.h"
#include "base/quote.h"
#include "store/git.h"
#include "hook/hook_pushed.h"

static struct hook_driver *hook_config_driver(const struct hook_config *config, const char *name);

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

/* The driver of this name, NULL when nothing is configured for it. */
static struct hook_driver *hook_config_driver(const struct hook_config *config, const char *name)
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
static int take_setting(struct hook_config *config, char *key, const char *value, struct err *err)
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
		rc = take_setting(config, key, value, err);
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
		rc = take_setting(config, key, value ? value : "", err);
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

/* The absolute path of what the configuration calls PATH (hook_config.h); the caller's. */
static char *hook_path(const struct hook_checkouts *checkouts, const char *path)
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

/* ---- what is remembered ---- */

#define PLACE "/whittle/.hook" /* below the git directory */

enum {
	HALF = 16,          /* digits of half a key */
	LINE = 33,          /* 32 digits and a line's end */
	MOST = 8192 * LINE, /* when there is more, the older half goes */
	LONG_NAME = 200,    /* leaves no room for the name of a temporary file */
	KEEP_SECONDS = 14 * 24 * 3600,
};

static int make_dirs(const struct hook_seen *seen, struct err *err)
{
	return io_make_dirs(seen->dir, strlen(seen->dir) - strlen(PLACE), err);
}

static char *checked_path(const struct hook_seen *seen)
{
	return mem_printf("%s/checked", seen->dir);
}

/* A line with a key. */
static void take(struct hook_seen *seen, const char *line)
{
	char half[2][HALF + 1] = { { 0 } };
	memcpy(half[0], line, HALF);
	memcpy(half[1], line + HALF, HALF);
	struct hash key = { strtoull(half[0], NULL, 16), strtoull(half[1], NULL, 16) };
	hash_set_add(&seen->keys, key);
}

int hook_seen_open(struct hook_seen *seen, const char *common, struct err *err)
{
	*seen = (struct hook_seen){ .dir = mem_printf("%s" PLACE, common) };
	MEM_SCOPED char *path = checked_path(seen);
	int rc = access(path, F_OK) < 0 ? 0 : io_read_kept(path, &seen->checked, err);
	for (const char *at = seen->checked.data; rc == 0 && at && *at;) {
		const char *end = strchrnul(at, '\n');
		if (end - at == LINE - 1)
			take(seen, at);
		at = end + (*end != '\0');
	}
	return rc;
}

void hook_seen_release(struct hook_seen *seen)
{
	buf_release(&seen->checked);
	hash_set_release(&seen->keys);
	free(seen->dir);
	*seen = (struct hook_seen){ 0 };
}

bool hook_seen_has(const struct hook_seen *seen, struct hash key)
{
	return hash_set_has(&seen->keys, key);
}

/* Another push may add a line meanwhile, which is lost then: its file will be checked once more. */
static int shorten(struct hook_seen *seen, const char *path, struct err *err)
{
	size_t half = MOST / 2 / LINE * LINE, from = seen->checked.len / LINE * LINE - half;
	seen->checked.len = 0; /* once is enough, and what is added from now on stays */
	return io_replace_file(path, seen->checked.data + from, half, 0644, err);
}

int hook_seen_add(struct hook_seen *seen, struct hash key, struct err *err)
{
	char line[LINE + 1], *path = checked_path(seen);
	snprintf(line, sizeof line, HASH_DIGITS "\n", HASH_OF(key));
	int rc = make_dirs(seen, err);
	if (rc == 0 && seen->checked.len > MOST)
		rc = shorten(seen, path, err);
	IO_SCOPED int fd =
		rc < 0 ? -1 : io_open_regular(path, O_WRONLY | O_CREAT | O_APPEND, 0666, err);
	if (fd < 0)
		rc = -1;
	else if (io_write_all(fd, line, LINE) < 0)
		rc = err_errno(err, "cannot write %s", path);
	free(path);
	return rc;
}

/* Makes the directory PART, and removes what nobody has fetched or gone on with for two weeks. */
static int make_part(const struct hook_seen *seen, const char *part, struct err *err)
{
	struct dirent *entry;
	struct stat st;
	MEM_SCOPED char *path = mem_printf("%s/%s", seen->dir, part);
	int rc = io_make_dirs(path, strlen(seen->dir) - strlen(PLACE), err);
	IO_SCOPED_DIR DIR *dir = rc == 0 ? opendir(path) : NULL;
	while (dir && (entry = readdir(dir)))
		if (*entry->d_name != '.' &&
		    fstatat(dirfd(dir), entry->d_name, &st, AT_SYMLINK_NOFOLLOW) == 0 &&
		    st.st_mtime < time(NULL) - KEEP_SECONDS)
			io_remove_tree(dirfd(dir), entry->d_name);
	return rc;
}

char *hook_seen_keep(const struct hook_seen *seen, const char *id, const char *name,
                     const struct buf *bytes, struct err *err)
{
	MEM_SCOPED char *dir = mem_printf("%s/small/%s", seen->dir, id);
	char *path = mem_printf("%s/%s", dir, strlen(name) < LONG_NAME ? name : "smaller");
	int rc = make_part(seen, "small", err);
	if (rc == 0)
		rc = io_make_dirs(dir, strlen(seen->dir), err);
	if (rc == 0)
		rc = io_replace_file(path, bytes->data, bytes->len, 0644, err);
	if (rc == 0)
		return path;
	free(path);
	return NULL;
}

char *hook_seen_journal(const struct hook_seen *seen, struct hash key)
{
	return mem_printf("%s/asked/" HASH_DIGITS, seen->dir, HASH_OF(key));
}

int hook_seen_make(const struct hook_seen *seen, struct err *err)
{
	return make_part(seen, "asked", err);
}

/* ---- what was not checked ---- */

enum { SHOWN = 5 }; /* files that are named for each reason */

static size_t find_reason(struct hook_unchecked_list *list, const char *why)
{
	for (size_t i = 0; i < list->reasons.n; i++)
		if (!strcmp(list->reasons.list[i], why))
			return i;
	texts_add(&list->reasons, mem_strdup(why));
	return list->reasons.n - 1;
}

void hook_unchecked_add(struct hook_unchecked_list *list, const struct hook_config *config,
                        const struct hook_file *f, const char *why)
{
	MEM_PUSH(list->files, list->n_files, list->cap_files,
	         (struct hook_unchecked_file){ mem_strdup(f->path), find_reason(list, why) });
	if (!list->blocked_by && hook_config_blocks(config, f->driver))
		list->blocked_by = mem_strdup(f->driver);
}

static void add_files(struct buf *out, const struct hook_unchecked_list *list, size_t why)
{
	size_t n = 0;
	for (size_t i = 0; i < list->n_files; i++) {
		if (list->files[i].why != why || ++n > SHOWN)
			continue;
		MEM_SCOPED char *path = quote_word(list->files[i].path);
		buf_addf(out, "%s%s", n > 1 ? ", " : "", path);
	}
	if (n > SHOWN)
		buf_addf(out, " and %zu more", n - SHOWN);
}

char *hook_unchecked_line(const struct hook_unchecked_list *list, size_t of)
{
	struct buf out = { 0 };
	buf_addf(&out, "not checked: %zu of %zu file%s: ", list->n_files, of, of == 1 ? "" : "s");
	for (size_t i = 0; i < list->reasons.n; i++) {
		char *why = list->reasons.list[i];
		buf_addf(&out, "%s", i ? "; " : "");
		add_files(&out, list, i);
		for (char *p = why; *p; p++)
			*p = *p == '\n' ? ' ' : *p;
		buf_addf(&out, " (%.1000s)", why);
	}
	return out.data;
}

void hook_unchecked_release(struct hook_unchecked_list *list)
{
	for (size_t i = 0; i < list->n_files; i++)
		free(list->files[i].path);
	free(list->files);
	texts_release(&list->reasons);
	free(list->blocked_by);
	*list = (struct hook_unchecked_list){ 0 };
}

/* ---- what has to be judged ---- */

static struct hash settings_id(const struct hook_needed *n, struct hash test)
{
	MEM_SCOPED char *text = mem_printf("2 " HASH_DIGITS " %u %s", HASH_OF(test),
	                                   n->driver->slack, n->tokenizer ? n->tokenizer : "");
	return hash_bytes(text, strlen(text), 0);
}

static void say_unknown(struct hook_needed *n)
{
	if (!strcmp(n->name, "set")) {
		n->why = mem_strdup("the attribute \"whittle\" names no driver (whittle=DRIVER)");
		return;
	}
	MEM_SCOPED char *key = mem_printf("whittle.%s.test", n->name), *config = quote_word(key),
			*name = quote_word(n->name);
	n->why = mem_strdup("the driver is not configured here");
	n->advice = mem_printf("the driver %s is not configured here. To set it:\n"
	                       "    git config -- %s /path/of/the/interestingness-test",
	                       name, config);
}

static void fill_in(struct hook_needed *n, const struct hook_plan_from *from)
{
	struct err err;
	struct hash id;
	if (!n->driver || !n->driver->test) {
		say_unknown(n);
		return;
	}
	const char *tokenizer = n->driver->tokenizer;
	n->tokenizer = !tokenizer               ? NULL
	               : strchr(tokenizer, '/') ? hook_path(from->checkouts, tokenizer)
	                                        : mem_strdup(tokenizer);
	n->left_ns = n->driver->budget_ns;
	n->test = hook_test_find(from->checkouts, n->driver, &id, &err);
	if (n->test)
		n->id = settings_id(n, id);
	else
		n->why = mem_strdup(err.msg);
}

/* The driver of F with its test, found when it is first needed. */
static struct hook_needed *need(struct hook_plan *plan, const struct hook_plan_from *from,
                                const struct hook_file *f)
{
	for (size_t i = 0; i < plan->n_needed; i++)
		if (!strcmp(plan->needed[i].name, f->driver))
			return &plan->needed[i];
	struct hook_needed *n = &plan->needed[plan->n_needed++];
	*n = (struct hook_needed){ .driver = hook_config_driver(from->config, f->driver),
		                   .name = f->driver };
	fill_in(n, from);
	return n;
}

struct hash hook_plan_key(const struct hook_needed *n, const char *blob, const char *path)
{
	MEM_SCOPED char *text =
		mem_printf(HASH_DIGITS " %s %s", HASH_OF(n->id), blob, path_base(path));
	return hash_bytes(text, strlen(text), 0);
}

static void pass_over(const struct hook_plan_from *from, const struct hook_file *f, const char *why)
{
	hook_unchecked_add(from->unchecked, from->config, f, why);
}

static void plan_file(struct hook_plan *plan, const struct hook_plan_from *from,
                      const struct hook_file *f)
{
	if (f->kind == HOOK_FILE_FOREIGN) {
		pass_over(from, f, "a path that git does not check out");
		return;
	}
	struct hook_needed *n = need(plan, from, f);
	if (!n->test)
		pass_over(from, f, n->why);
	else if (f->kind != HOOK_FILE_PLAIN)
		pass_over(from, f, f->kind == HOOK_FILE_LINK ? "a symbolic link" : "a submodule");
	else {
		struct hash key = hook_plan_key(n, f->blob, f->path);
		if (from->seen && hook_seen_has(from->seen, key))
			n->known++;
		else if (hash_set_add(&plan->keys, key))
			plan->jobs[plan->n_jobs++] =
				(struct hook_job){ .file = f, .needed = n, .key = key };
	}
}

/* Keeps JOB when its size, as git says it, is one that can be judged. */
static void take_size(struct hook_plan *plan, const struct hook_plan_from *from,
                      struct hook_job job, const char *line)
{
	char *end;
	unsigned long long size = strtoull(line, &end, 10);
	if (end == line || *end)
		pass_over(from, job.file, "git does not have its content here");
	else if (size >= UINT32_MAX)
		pass_over(from, job.file, "larger than 4 GiB");
	else if (!size) /* there is nothing to cut */
		job.needed->known++;
	else {
		job.size = (uint32_t)size;
		job.needed->files++;
		plan->jobs[plan->n_jobs++] = job;
	}
}

/* The sizes of all, in one question. */
static int find_sizes(struct hook_plan *plan, const struct hook_plan_from *from, struct err *err)
{
	static const char *const argv[] = { "cat-file", "--batch-check=%(objectsize)", NULL };
	BUF_SCOPED struct buf in = { 0 }, out = { 0 };
	struct git_call call = { .argv = argv, .in = &in, .stoppable = true };
	size_t n = plan->n_jobs;
	for (size_t i = 0; i < n; i++)
		buf_addf(&in, "%s\n", plan->jobs[i].file->blob);
	int rc = n ? git_ask(&call, &out, err) : 0;
	char *rest = out.data, *line;
	plan->n_jobs = 0;
	for (size_t i = 0; rc == 0 && i < n; i++) {
		if (!rest || !(line = strsep(&rest, "\n")))
			rc = err_set(err, ERR_SYSTEM, "git cat-file gave too few answers");
		else
			take_size(plan, from, plan->jobs[i], line);
	}
	return rc;
}

int hook_plan_make(struct hook_plan *plan, const struct hook_plan_from *from, struct err *err)
{
	/* Enough for each file to have its own driver. */
	plan->needed = mem_zero(from->files->n, sizeof *plan->needed);
	plan->jobs = mem_zero(from->files->n, sizeof *plan->jobs);
	for (size_t i = 0; i < from->files->n; i++)
		plan_file(plan, from, &from->files->list[i]);
	return find_sizes(plan, from, err);
}

void hook_plan_release(struct hook_plan *plan)
{
	for (size_t i = 0; i < plan->n_needed; i++) {
		free(plan->needed[i].test);
		free(plan->needed[i].why);
		free(plan->needed[i].advice);
		free(plan->needed[i].tokenizer);
	}
	free(plan->needed);
	free(plan->jobs);
	hash_set_release(&plan->keys);
	*plan = (struct hook_plan){ 0 };
}
