/* Mounts that are taken aside while something is put over them, and put back on top of it. In a
 * mount namespace of one's own. */
#ifndef WHITTLE_FENCE_TREES_H
#define WHITTLE_FENCE_TREES_H

#include <stdbool.h>

enum { TREES_PATH = 4096 };

struct trees {
	struct tree_aside {
		char *path;
		int fd; /* a copy of what is mounted there, which is nowhere */
	} * list;
	unsigned n, cap;
};

/* A copy of all mounts below PATH, itself included, which is nowhere yet; -1 with errno. */
int tree_take(const char *path);

/* Adds a copy of all mounts below PATH, to be put there again. 0, or -1 with errno. */
int trees_take(struct trees *t, const char *path);

/* Likewise of each mount that lies strictly below DIR, as MOUNTS has them (/proc/self/mountinfo),
 * each by itself: what was put on top of one later is not taken with it. */
int trees_take_below(struct trees *t, const char *dir, const char *mounts);

/* Puts all of them where they were, in the order in which they were taken. 0, or -1 with errno. */
int trees_put(struct trees *t);

/* Lets go of what has not been put back. */
void trees_release(struct trees *t);

/* Whether PATH is DIR or lies below it, judged by their names. */
bool mount_is_below(const char *path, const char *dir);

/* The first line of MOUNTS that tells of one strictly below DIR, and in PLACE where it is; NULL:
 * there is none. */
const char *mounts_below(const char *mounts, const char *dir, char place[TREES_PATH]);

#endif
