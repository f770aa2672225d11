/* What is being pushed: the lines that git gives a pre-push hook on standard input, or what the
 * pre-commit framework, which reads them itself, says in the environment. */
#pragma once

#include <stddef.h>

#include "base/hash.h"

struct err;
struct hook_updates;

struct hook_update {
	char *ref;   /* the local one, as git names it */
	char *tip;   /* object or revision to be pushed */
	char *there; /* what the remote has; NULL: nothing yet */
};

struct hook_updates {
	struct hook_update *list;
	size_t n, cap;
};

/* Reads FD to its end, whatever is there, so that git does not write to a pipe that nobody
 * reads. Deletions and refs of kept reductions are left out. -1 and err for what is not a pre-push
 * hook's input. The caller releases the list also after a failure. */
int hook_updates_read(struct hook_updates *updates, int fd, struct err *err);
void hook_updates_release(struct hook_updates *updates);

/* Which pushed files have a driver.
 *
 * A file is pushed when the tip of a pushed ref has it at a path where no commit has it that the
 * remote is known to have and that the pushed commits build on: added, changed, renamed, brought by
 * a merge. So a thousand commits cost one comparison of trees, and what only an intermediate commit
 * had is nobody's business any more. Its driver is the value of the attribute `whittle`, as
 * .gitattributes of the same tip (and git's other attribute files on this machine) say.
 */

enum hook_file_kind {
	HOOK_FILE_PLAIN,
	HOOK_FILE_LINK,
	HOOK_FILE_REPOSITORY,
	HOOK_FILE_FOREIGN, /* git checks nothing out under this path (base/path.h), and is not asked
	                      about it */
};

struct hook_file {
	enum hook_file_kind kind; /* only a plain one can be judged */
	char *path;               /* from the top of the tree */
	char *blob;               /* object id */
	char *driver;             /* value of the attribute: bytes from outside, no blanks; of a
	                             foreign one "" */
	char *ref;                /* the pushed ref it was found in */
};

struct hook_files {
	struct hook_file *list;
	size_t n, cap;
	struct hash_set known;
};

/* Fills *files, in the order of refs and paths, each pair of path and content once per driver.
 * REMOTE: the name or URL that git gave the hook, NULL when it gave none. INDEX: name of a file
 * that may be made. -1 and err. The caller releases also after a failure. */
int hook_files_find(struct hook_files *files, const struct hook_updates *updates,
                    const char *remote, const char *index, struct err *err);

/* The same for what is at COMMIT, as far as PATHS (patterns of git, relative to the current
 * directory; none: everything) go. Leaves for the top of the work tree. */
int hook_files_find_in(struct hook_files *files, const char *commit, const char *const *paths,
                       const char *index, struct err *err);
void hook_files_release(struct hook_files *files);
