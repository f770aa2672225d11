/* Copies of small trees. */
#ifndef WHITTLE_INTEG_BISECT_COPY_H
#define WHITTLE_INTEG_BISECT_COPY_H

/* Copies what is in the directory FROM (files, directories, symbolic links) into the existing directory TO. 0, or -1 with
 * errno. */
int copy_tree(const char *from, const char *to);

#endif
