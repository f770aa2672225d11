/* A family of signatures as it was read; for signature_read.c and signature.c alone. */
#ifndef WHITTLE_ASK_SIGNATURE_DEF_H
#define WHITTLE_ASK_SIGNATURE_DEF_H

#include <stdbool.h>
#include <stddef.h>

#include "ask/pattern.h"

enum frame_order {
	FRAMES_BEHIND, /* the line that counts comes first, then the innermost frame */
	FRAMES_BEFORE, /* the innermost frame is just before the line that counts */
};

struct pick {
	struct pattern *pattern;
	bool last; /* the last line that matches counts, not the first */
};

struct mask {
	struct pattern *pattern;
	char *text; /* what stands for a match */
};

struct patterns {
	struct pattern **list;
	size_t n, cap;
};

struct family {
	char *name, *about, *source;
	unsigned rank, n_wanted; /* frames */
	struct pick *picks;
	struct mask *masks;
	size_t n_picks, cap_picks, n_masks, cap_masks;
	struct patterns not_picks;
	struct patterns needs;   /* one of them occurs, or the family says nothing; none: it may */
	struct patterns absents; /* what tells of another failure when it was not there before */
	struct patterns drivers; /* lines that the other families do not look at, */
	struct patterns ignores; /* and those that this one does not */
	char *driver_text;       /* the former as directives of the latter kind; NULL: none */
	struct patterns frames, not_frames;
	enum frame_order order;
};

struct families {
	struct family **list; /* by rank, then name */
	size_t n, cap;
};

/* Replaces in TEXT (allocated; freed) each match of the pattern by WITH; the result is the
 * caller's. */
char *mask_apply(const struct pattern *pattern, const char *with, char *text);

#endif
