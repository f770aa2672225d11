/* Output as git shows it: on a terminal through git's pager, in git's colours.
 *
 * Life cycle: pager_open, printing to standard output, pager_close. Where standard output is no
 * terminal nothing of this happens. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <sys/types.h>

enum pager_color { PAGER_META, PAGER_FRAG, PAGER_OLD, PAGER_NEW, PAGER_COMMIT, PAGER_COLORS };

struct pager {
	bool terminal; /* what is printed is for a person's terminal: control characters are shown
	                */
	pid_t pid;     /* 0: no pager */
	char *colors[PAGER_COLORS]; /* escape sequences; NULL: no colours */
	char *reset;
};

void pager_open(struct pager *p);

/* Waits until the user has read it. */
void pager_close(struct pager *p);

/* The beginning and the end of a stretch in COLOR; "" without colours. */
const char *pager_begin(const struct pager *p, enum pager_color color);
const char *pager_end(const struct pager *p);

/* Prints the LEN bytes at TEXT: as they are, or, for a terminal, with control characters shown. */
void pager_write(const struct pager *p, const char *text, size_t len);

/* The same for what git diff prints, in colours. */
void pager_write_diff(const struct pager *p, const char *text, size_t len);
