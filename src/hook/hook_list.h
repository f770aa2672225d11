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

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/buf.h"
#include "base/hash.h"
#include "base/mem.h"

struct err;
struct hook_checkouts;
struct hook_config;
struct hook_driver;
struct hook_file;
struct hook_files;

/* What git's configuration says of the pre-push hook and its drivers. Nothing of a pushed tree is
 * read here: a driver is what a user has set up on this machine.
 *
 *     whittle.prePush           check (default) | minimize | warn | off
 *     whittle.DRIVER.test       the interestingness test; without it there is no driver
 *     whittle.DRIVER.tokenizer  name or file
 *     whittle.DRIVER.budget     time for all files of this driver in one push (default 10s)
 *     whittle.DRIVER.slack      how many percent of a file may be superfluous (default 10)
 *     whittle.DRIVER.unchecked  what happens when a file could not be checked: warn or block
 *     whittle.unchecked         the same for all other drivers (default warn)
 *
 * Paths may begin with ~/; relative ones begin in the git directory that all worktrees share, which
 * no clone, checkout or pull writes to.
 */

enum hook_mode { HOOK_CHECK, HOOK_MINIMIZE, HOOK_WARN, HOOK_OFF };
enum hook_unchecked { HOOK_UNCHECKED_UNSET, HOOK_UNCHECKED_WARN, HOOK_UNCHECKED_BLOCK };

struct hook_driver {
	char *name;
	char *test;      /* as configured; NULL: none */
	char *tokenizer; /* as configured; NULL: by the file */
	uint64_t budget_ns;
	unsigned slack; /* percent */
	enum hook_unchecked unchecked;
};

struct hook_config {
	enum hook_mode mode;
	enum hook_unchecked unchecked;
	struct hook_driver *drivers;
	size_t n, cap;
};

/* Reads it. -1 and err (ERR_USAGE) for a value that means nothing. The caller releases it also
 * after a failure. */
int hook_config_load(struct hook_config *config, struct err *err);

/* The same from TEXTS, "KEY=VALUE", NULL at the end. */
int hook_config_parse(struct hook_config *config, const char *const texts[], struct err *err);
void hook_config_release(struct hook_config *config);

/* Does a file stop the push that could not be checked? NAME: of its driver, configured or not. */
bool hook_config_blocks(const struct hook_config *config, const char *name);

/* The time for one push: the budgets of all drivers that have a test; that of one when there is
 * none. */
uint64_t hook_config_budget_ns(const struct hook_config *config);

const char *hook_mode_name(enum hook_mode mode);

/* Finds a driver's test, and refuses one that a clone, a checkout or a pull could have put there:
 * one that lies in a work tree of the repository, wherever that is and however git knows of it (a
 * linked one, core.worktree, a git directory elsewhere, a submodule and what it is a part of).
 * Below a directory named .git no checkout writes.
 */

struct hook_checkouts {
	char *common;     /* the git directory that all worktrees share, absolute, no links */
	char **worktrees; /* the tops of work trees that git names; NULL at the end */
	size_t n, cap;
};

int hook_checkouts_find(struct hook_checkouts *checkouts, struct err *err);
void hook_checkouts_release(struct hook_checkouts *checkouts);

/* Could a checkout write the file PATH, absolute and without links? 1, 0, -1 and err. */
int hook_checkouts_in_worktree(const struct hook_checkouts *checkouts, const char *path,
                               struct err *err);

/* The test of D, absolute; the caller's. NULL and err: there is none, it cannot be run, or it lies
 * in a work tree, where its content is not the user's but of whoever wrote the commit that is
 * checked out. *id: of its content. */
char *hook_test_find(const struct hook_checkouts *checkouts, const struct hook_driver *d,
                     struct hash *id, struct err *err);

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
