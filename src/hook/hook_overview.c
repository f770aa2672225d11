#include "hook/hook_overview.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/err.h"
#include "base/io.h"
#include "base/mem.h"
#include "store/git.h"
#include "hook/hook_config.h"
#include "hook/hook_files.h"
#include "hook/hook_plan.h"
#include "hook/hook_seen.h"
#include "hook/hook_test.h"
#include "hook/hook_text.h"
#include "hook/hook_unchecked.h"
#include "fence/workdir.h"

/* Is there a commit at all? 1, 0, -1 and err. */
static int has_head(struct err *err)
{
	static const char *const argv[] = { "rev-parse", "--verify", "--quiet", "HEAD^{commit}",
		                            NULL };
	int status = git_run(&(struct git_call){ .argv = argv }, NULL, err);
	return status < 0 ? -1 : status == 0;
}

/* The files of HEAD with a driver, by way of an index in a directory of its own. */
static int find_files(struct hook_files *files, struct err *err)
{
	struct workdir work;
	if (workdir_init(&work, io_temporary(), 1, 0, err) < 0)
		return -1;
	char *index = mem_printf("%s/index", work.path);
	int rc = hook_files_find_in(files, "HEAD", NULL, index, err);
	workdir_release(&work);
	free(index);
	return rc;
}

static void tell_driver(const struct hook_plan *plan, const struct hook_needed *n, size_t known,
                        hook_say_fn *say)
{
	char *name = hook_quoted(n->name);
	size_t open = 0;
	for (size_t i = 0; i < plan->n_jobs; i++)
		open += plan->jobs[i].needed == n;
	if (n->test)
		hook_sayf(say,
		          "driver %s: files at HEAD: %zu to be checked when pushed, %zu known to "
		          "be good",
		          name, open, known);
	free(name);
}

/* How many of N's files are plain and not among the jobs: those that are known, or empty. */
static size_t count_known(const struct hook_plan *plan, const struct hook_files *files,
                          const struct hook_needed *n)
{
	size_t all = 0;
	for (size_t i = 0; i < files->n; i++)
		all += files->list[i].kind == HOOK_FILE_PLAIN &&
		       !strcmp(files->list[i].driver, n->name);
	for (size_t i = 0; i < plan->n_jobs; i++)
		all -= plan->jobs[i].needed == n;
	return all;
}

static int tell(const struct hook_plan_from *from, hook_say_fn *say, struct err *err)
{
	struct hook_plan plan = { 0 };
	int rc = hook_plan_make(&plan, from, err);
	for (size_t i = 0; rc == 0 && i < plan.n_needed; i++)
		tell_driver(&plan, &plan.needed[i],
		            count_known(&plan, from->files, &plan.needed[i]), say);
	if (rc == 0 && from->unchecked->n_files) {
		char *line = hook_unchecked_line(from->unchecked, from->files->n);
		hook_sayf(say, "%s", line);
		free(line);
	}
	hook_plan_release(&plan);
	return rc;
}

int hook_overview(const struct hook_config *config, const struct hook_checkouts *checkouts,
                  hook_say_fn *say, struct err *err)
{
	struct hook_files files = { 0 };
	struct hook_seen seen = { 0 };
	struct hook_unchecked_list unchecked = { 0 };
	size_t tests = 0;
	for (size_t i = 0; i < config->n; i++)
		tests += config->drivers[i].test != NULL;
	if (!tests)
		hook_sayf(say, "no driver: nothing is checked (whittle hook install --driver "
		               "NAME=PATTERN --test FILE)");
	int rc = has_head(err);
	if (rc <= 0)
		return rc;
	rc = find_files(&files, err);
	if (rc == 0)
		rc = hook_seen_open(&seen, checkouts->common, err);
	const struct hook_plan_from from = { config, &files, checkouts, &seen, &unchecked };
	if (rc == 0 && !files.n)
		hook_sayf(say, "no file at HEAD has the attribute \"whittle\": nothing is checked");
	else if (rc == 0)
		rc = tell(&from, say, err);
	hook_unchecked_release(&unchecked);
	hook_seen_release(&seen);
	hook_files_release(&files);
	return rc;
}
