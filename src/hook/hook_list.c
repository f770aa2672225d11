#include "hook/hook_list.h"

#include <dirent.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "base/err.h"
#include "base/io.h"
#include "base/path.h"
#include "base/quote.h"
#include "store/git.h"
#include "hook/hook_driver.h"
#include "hook/hook_pushed.h"

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
