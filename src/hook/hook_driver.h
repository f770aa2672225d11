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
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/hash.h"

struct err;

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

/* The driver of this name, NULL when nothing is configured for it. */
struct hook_driver *hook_config_driver(const struct hook_config *config, const char *name);

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

/* The absolute path of what the configuration calls PATH (hook_config.h); the caller's. */
char *hook_path(const struct hook_checkouts *checkouts, const char *path);

/* The test of D, absolute; the caller's. NULL and err: there is none, it cannot be run, or it lies
 * in a work tree, where its content is not the user's but of whoever wrote the commit that is
 * checked out. *id: of its content. */
char *hook_test_find(const struct hook_checkouts *checkouts, const struct hook_driver *d,
                     struct hash *id, struct err *err);
