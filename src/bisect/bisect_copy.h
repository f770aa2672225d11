/* Copies of small trees. Each function: 0, or -1 with errno. */
#ifndef WHITTLE_BISECT_BISECT_COPY_H
#define WHITTLE_BISECT_BISECT_COPY_H

/* Copies what is in the directory FROM (files, directories, symbolic links) into the existing
 * directory TO. */
int copy_tree(const char *from, const char *to);

/* Copies one of these, and what is in it, to the path TO, where nothing is. */
int copy_entry(const char *from, const char *to);

#endif
