/* Opening what lies below a directory, and nothing else: no `..`, no symbolic link on the way or at
 * the end, no other file system. With openat2(2) where the kernel has it (Linux 5.6), part by part
 * where not. */
#pragma once

#include <sys/types.h>

/* Like openat. -1 with errno: ELOOP or ENOTDIR for a link, EXDEV for a path that leads out or into
 * another file system. */
int beneath_open(int dir, const char *path, int flags, mode_t mode);

/* The directory that PATH is in, for the calls ending in "at": a descriptor of the caller's, opened
 * with O_PATH; *leaf is the last part of PATH. -1 with errno. */
int beneath_parent(int dir, const char *path, const char **leaf);

/* May PATH below TOP be written to? -1 with errno (ELOOP, ENOTDIR, EXDEV) when a link, or another
 * file system, is on the way or at the end; what is not there yet is fine. */
int beneath_check(const char *top, const char *path);

/* The second way of beneath_open; for its test. */
int beneath_open_by_parts(int dir, const char *path, int flags, mode_t mode);
