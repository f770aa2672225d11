/* What has to be judged: of the files that are pushed, those whose driver has a test and that are
 * not known to be good. */
#ifndef WHITTLE_HOOK_HOOK_PLAN_H
#define WHITTLE_HOOK_HOOK_PLAN_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/hash.h"
#include "base/hash_set.h"

struct err;
struct hook_config;
struct hook_driver;
struct hook_file;
struct hook_files;
struct hook_checkouts;
struct hook_seen;
struct hook_unchecked_list;

/* A driver that is needed, and what it needs. */
struct hook_needed {
	const struct hook_driver *driver;
	const char *name; /* of the attribute; driver NULL: nobody has configured it */
	char *test;       /* absolute; NULL: it cannot be used... */
	char *why;        /* ...for this reason */
	char *advice;     /* more about that, in several lines; NULL: the reason says all */
	char *tokenizer;
	struct hash id;   /* of test and settings */
	uint64_t left_ns; /* of the budget... */
	size_t files;     /* ...for so many files */
};

/* A file that has to be judged. */
struct hook_job {
	const struct hook_file *file;
	struct hook_needed *needed;
	struct hash key;
	uint32_t size; /* bytes */
};

/* Zero-initialise. */
struct hook_plan {
	struct hook_needed *needed;
	size_t n_needed;
	struct hook_job *jobs;
	size_t n_jobs;
	struct hash_set keys; /* of the jobs */
};

struct hook_plan_from {
	const struct hook_config *config;
	const struct hook_files *files;
	const struct hook_checkouts *checkouts;
	const struct hook_seen *seen;          /* NULL: all are judged */
	struct hook_unchecked_list *unchecked; /* gets what cannot be judged */
};

/* Makes the plan; budgets are whole. -1 and err. The caller releases it also after a failure. */
int hook_plan_make(struct hook_plan *plan, const struct hook_plan_from *from, struct err *err);
void hook_plan_release(struct hook_plan *plan);

/* What makes a file good does so again: its content, the name under which the test sees it, the
 * test and the settings. */
struct hash hook_plan_key(const struct hook_needed *n, const char *blob, const char *path);

#endif
