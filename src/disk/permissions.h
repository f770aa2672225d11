/* Permissions of what is written anew. Git keeps only whether a file can be executed, so what else
 * FILE's had is taken from what stands in its place, or from the original beside it: a private file
 * must not become readable by everybody. */
#pragma once

#include <sys/stat.h>

/* Finds, in this order, BELOW in the directory PATH and in PATH.orig; BELOW NULL: these themselves.
 * Its path, the caller's; NULL when neither is a regular file or a directory. */
char *permissions_find(const char *path, const char *below, struct stat *st);

/* What the umask leaves of MODE. */
mode_t permissions_new(mode_t mode);

/* Of a file that goes to PATH and is MODE as git keeps it: as found; else new. No set-id bits: the
 * content is not that of the program which had them. */
mode_t permissions_at(const char *path, mode_t mode);
