/* The list of what has to be judged, and what became of it: of the files that are pushed, those
 * whose driver has a test and that are not known to be good; what is remembered between pushes; and
 * what could not be checked, and why.
 *
 * Remembered is, in COMMON/whittle/.hook, COMMON being the git directory that all worktrees share:
 *
 *     checked         a line per good file: its key, 32 hexadecimal digits
 *     asked/KEY       a journal (store/journal.h) of what the test said of a file that is not
 * judged yet, or too large: the next push goes on from there small/ID/NAME   a smaller version of a
 * blob, NAME may be another one
 *
 * The latter two go two weeks later. All of it may be removed at any time; nothing is lost by that
 * but time. */
#pragma once

#include "base/buf.h"
#include "base/hash.h"
#include "base/mem.h"

struct err;
struct hook_checkouts;
struct hook_config;
struct hook_driver;
struct hook_file;
struct hook_files;

/* ---- what is remembered ---- */

struct hook_seen {
	char *dir; /* COMMON/whittle/.hook */
	struct buf checked;
	struct hash_set keys;
};

/* Reads what is remembered; makes no directory. -1 and err when it is there and cannot be read.
 * Release in any case. */
int hook_seen_open(struct hook_seen *seen, const char *common, struct err *err);
void hook_seen_release(struct hook_seen *seen);

bool hook_seen_has(const struct hook_seen *seen, struct hash key);

/* Remembers KEY, beside what other pushes remember at the same time. */
int hook_seen_add(struct hook_seen *seen, struct hash key, struct err *err);

/* Keeps the bytes as a smaller version of the blob ID, under the base NAME. Its path, the caller's;
 * NULL and err. */
char *hook_seen_keep(const struct hook_seen *seen, const char *id, const char *name,
                     const struct buf *bytes, struct err *err);

/* The name of the journal of the file KEY; the caller's. Its directory is there after
 * hook_seen_make. */
char *hook_seen_journal(const struct hook_seen *seen, struct hash key);
int hook_seen_make(const struct hook_seen *seen, struct err *err);

/* ---- what was not checked ---- */

/* Zero-initialise. */
struct hook_unchecked_list {
	struct hook_unchecked_file {
		char *path; /* from the top of the tree */
		size_t why; /* index of the reason */
	} * files;
	size_t n_files, cap_files;
	struct texts reasons;
	char *blocked_by; /* driver of the first file that stops the push; NULL: none does */
};

/* Notes that F was not checked. */
void hook_unchecked_add(struct hook_unchecked_list *list, const struct hook_config *config,
                        const struct hook_file *f, const char *why);

/* The line, without an end; the caller's. OF: the number of files that should have been checked. */
char *hook_unchecked_line(const struct hook_unchecked_list *list, size_t of);

void hook_unchecked_release(struct hook_unchecked_list *list);

/* ---- what has to be judged ---- */

/* A driver that is needed, and what it needs. */
struct hook_needed {
	const struct hook_driver *driver;
	const char *name; /* of the attribute; driver NULL: nobody has configured it */
	char *test;       /* absolute; NULL: it cannot be used... */
	char *why;        /* ...for this reason */
	char *advice;     /* more about that, in several lines; NULL: the reason says all */
	char *tokenizer;
	struct hash id;   /* of test and settings */
	uint64_t left_ns; /* of the budget */
	size_t files;     /* that have to be judged */
	size_t known;     /* that are known to be good */
};

/* A file that has to be judged. */
struct hook_job {
	const struct hook_file *file;
	struct hook_needed *needed;
	struct hash key;
	uint32_t size; /* bytes */
	bool begun;    /* its test was started in this push */
	bool done;     /* what came of it was said */
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
