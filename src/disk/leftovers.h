/* What a process that was killed has left beside the paths of its results. A process lists the
 * names it is going to use before it uses one; what has one of these names and is left goes at the
 * next start, and nothing else: files of the user may be called what they like.
 *
 * A reduction that is kept has its list beside its journal, and its lock says whether somebody uses
 * it. One that is not kept has a list by itself, in /var/tmp, which is locked for as long as it
 * lives; any whittle that starts removes what the lists of dead ones name.
 */
#pragma once

#include <stdint.h>

struct err;

/* Removes what the file LIST names, if there is one. Needs the reduction's lock. */
int leftovers_remove(const char *list, struct err *err);

/* Removes what the file LIST names, then makes it name what this process uses for the N real PATHS
 * with TOKEN (replace.h). Needs the reduction's lock. */
int leftovers_claim(const char *list, char *const *paths, uint32_t n, const char *token,
                    struct err *err);

/* The same without a reduction: a list by itself. Its path, and *fd holds its lock; both are for
 * leftovers_end. NULL: there is no place for one, so nobody will know. */
char *leftovers_begin(char *const *paths, uint32_t n, const char *token, int *fd);
void leftovers_end(char *list, int fd);

/* Removes what processes that are gone have listed with leftovers_begin. */
void leftovers_bury(void);
