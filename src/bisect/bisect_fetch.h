/* Copies of what a revision or the work tree has, to where a bisection keeps them (bisect_input.h).
 * Each function: 0, or -1 and err. */
#ifndef WHITTLE_BISECT_BISECT_FETCH_H
#define WHITTLE_BISECT_BISECT_FETCH_H

struct err;

struct bisect_fetch {
	const char *top;     /* the work tree, absolute */
	const char *git_dir; /* absolute */
	const char *dir;     /* of ours, for what is made on the way */
};

/* Makes the directories above PATH. */
int bisect_fetch_parents(const char *path, struct err *err);

/* Writes REL as it is in REVISION below DIR, with its mode, through the filters that a checkout
 * has. */
int bisect_fetch_at(const struct bisect_fetch *f, const char *revision, const char *rel,
                    const char *dir, struct err *err);

/* Copies a file that the work tree has: it is tracked, but only at this revision. */
int bisect_fetch_present(const char *from, const char *to, struct err *err);

/* Makes TO a copy of FROM, of whatever kind, which may be missing. */
int bisect_fetch_anew(const char *from, const char *to, struct err *err);

/* Makes KEPT a copy of the directory ABS, all or nothing: as the revision HOME has it, with what
 * the user has changed or not given to git; HOME NULL: as it is. */
int bisect_fetch_dir(const struct bisect_fetch *f, const char *home, const char *abs,
                     const char *kept, struct err *err);

#endif
