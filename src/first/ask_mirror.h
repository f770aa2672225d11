/* The directory that the user stands in, as another place: a program that runs there finds all that
 * it would find here, by relative paths, too, and changes nothing here. Files and directories up to
 * a bound are copies; the rest, and what stands beside the directories above, are links.
 *
 * Life cycle: ask_mirror_make, run something there, ask_mirror_opened, ask_mirror_remove. */
#ifndef WHITTLE_FIRST_ASK_MIRROR_H
#define WHITTLE_FIRST_ASK_MIRROR_H

#include <stddef.h>

struct ask_mirror {
	char *base;       /* all of it is below this directory */
	char *here, *dir; /* the directory that the user stands in, and the one in its place */
	int watch;        /* inotify; -1: it is not known what is opened */
	char **watched;   /* by watch descriptor: the copied directories and those of operands,
	                     absolute or   relative to dir */
	size_t n_watched, left, entries_left;
};

/* With OPERANDS (N), as the user named them: files beside those that are elsewhere are looked at,
 * too. 0, or -1: it cannot be made. Remove it in either case. */
int ask_mirror_make(struct ask_mirror *m, const char *const *operands, size_t n);

/* The name FILE as it is to be there: relative when it is below the directory, which has copies. */
const char *ask_mirror_name(const struct ask_mirror *m, const char *file);
void ask_mirror_remove(struct ask_mirror *m);

/* The files that are here, too, and were opened there since, relative to here or absolute, each
 * once and sorted, without hidden ones and what caches hold; NULL at the end. The caller's, with
 * its names.
 */
char **ask_mirror_opened(const struct ask_mirror *m);

#endif
