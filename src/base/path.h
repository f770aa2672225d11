/* Foreign paths: those that come from a ref, a record, a tree, an attribute, a pushed commit, and
 * not from the user. They are checked here, where they are read, and nowhere else.
 *
 * What git refuses to check out is refused, on every file system: a name that some file system
 * takes for .git is one here, too, since a repository travels. That covers case, trailing dots and
 * spaces, streams and the short name of NTFS, backslashes, and the characters that HFS+ does not
 * see (git's verify_path, is_ntfs_dotgit and is_hfs_dotgit).
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <string.h>
#include <sys/types.h>

struct err;

/* May the LEN bytes at NAME, one part of a path, be taken for .git? */
bool path_is_git(const char *name, size_t len);

/* What is wrong with PATH as the path of something of MODE below a directory of ours, as the end of
 * a sentence ("is absolute"); NULL: nothing. An empty path, or part of one, is wrong. */
const char *path_trouble(const char *path, mode_t mode);

/* The same as an error (ERR_USAGE) that begins with WHOSE ("the snapshot", say). */
int path_check(const char *path, mode_t mode, const char *whose, struct err *err);

/* The last part of PATH: what is behind the last '/' in it. */
static inline const char *path_base(const char *path)
{
	const char *slash = strrchr(path, '/');
	return slash ? slash + 1 : path;
}

/* Is PATH something below DIRECTORY, judged by their names? */
bool path_is_below(const char *path, const char *directory);

/* The same, or DIRECTORY itself. */
bool path_is_at(const char *path, const char *directory);
