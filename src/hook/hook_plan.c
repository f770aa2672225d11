#include "hook/hook_plan.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/buf.h"
#include "base/err.h"
#include "base/mem.h"
#include "store/git.h"
#include "hook/hook_config.h"
#include "hook/hook_files.h"
#include "hook/hook_seen.h"
#include "hook/hook_test.h"
#include "hook/hook_text.h"
#include "hook/hook_unchecked.h"

/* ---- drivers ---- */

static struct hash settings_id(const struct hook_needed *n, struct hash test)
{
	char *text =
		mem_printf("1 %016llx%016llx %llu %u %s", (unsigned long long)test.hi,
	                   (unsigned long long)test.lo, (unsigned long long)n->driver->budget_ns,
	                   n->driver->slack, n->tokenizer ? n->tokenizer : "");
	struct hash id = hash_bytes(text, strlen(text), 0);
	free(text);
	return id;
}

static void say_unknown(struct hook_needed *n)
{
	if (!strcmp(n->name, "set")) {
		n->why = mem_strdup("the attribute \"whittle\" names no driver (whittle=DRIVER)");
		return;
	}
	char *key = mem_printf("whittle.%s.test", n->name), *config = hook_quoted(key),
	     *name = hook_quoted(n->name);
	n->why = mem_strdup("the driver is not configured here");
	n->advice = mem_printf("the driver %s is not configured here. To set it:\n"
	                       "    git config -- %s /path/of/the/interestingness-test",
	                       name, config);
	free(name);
	free(config);
	free(key);
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

/* ---- files ---- */

struct hash hook_plan_key(const struct hook_needed *n, const char *blob, const char *path)
{
	char *text = mem_printf("%016llx%016llx %s %s", (unsigned long long)n->id.hi,
	                        (unsigned long long)n->id.lo, blob, hook_base_name(path));
	struct hash key = hash_bytes(text, strlen(text), 0);
	free(text);
	return key;
}

static void pass_over(const struct hook_plan_from *from, const struct hook_file *f, const char *why)
{
	hook_unchecked_add(from->unchecked, f->path, f->driver,
	                   hook_config_blocks(from->config, f->driver), why);
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
		if ((from->seen && hook_seen_has(from->seen, key)) ||
		    !hash_set_add(&plan->keys, key))
			return;
		plan->jobs[plan->n_jobs++] = (struct hook_job){ f, n, key, 0 };
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
	else if (size) { /* else there is nothing to cut */
		job.size = (uint32_t)size;
		job.needed->files++;
		plan->jobs[plan->n_jobs++] = job;
	}
}

/* The sizes of all, in one question. */
static int find_sizes(struct hook_plan *plan, const struct hook_plan_from *from, struct err *err)
{
	static const char *const argv[] = { "cat-file", "--batch-check=%(objectsize)", NULL };
	struct buf in = { 0 }, out = { 0 };
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
	buf_release(&in);
	buf_release(&out);
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
