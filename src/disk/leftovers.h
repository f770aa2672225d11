/* What a process that was killed has left beside the paths of its results. A process lists the
 * names it is going to use before it uses one; whoever has the reduction's lock afterwards removes
 * what has one of these names, and nothing else: files of the user may be called what they like. */
#ifndef WHITTLE_DISK_LEFTOVERS_H
#define WHITTLE_DISK_LEFTOVERS_H

#include <stdint.h>

struct err;

/* Removes what the file LIST names, if there is one. Needs the reduction's lock. */
int leftovers_remove(const char *list, struct err *err);

/* Removes what the file LIST names, then makes it name what this process uses for the N real PATHS
 * with TOKEN (replace.h). Needs the reduction's lock. */
int leftovers_claim(const char *list, char *const *paths, uint32_t n, const char *token,
                    struct err *err);

#endif
