/* Patterns over the output of programs: PCRE2, over bytes, "^" and "$" at each line. */
#pragma once

#include <stdbool.h>
#include <stddef.h>

#include "base/mem.h"

struct err;
struct pattern;

enum { PATTERN_GROUPS = 8 }; /* the whole match and its first groups */

struct pattern_match {
	struct pattern_span {
		size_t begin, end; /* begin > end: the group took no part */
	} group[PATTERN_GROUPS];
	unsigned n; /* groups that the pattern has, the whole match counted; at most PATTERN_GROUPS
	             */
};

/* Compiles TEXT. NULL and err (ERR_USAGE), which says where the mistake is, with "column N:". */
struct pattern *pattern_new(const char *text, struct err *err);
void pattern_free(struct pattern *p); /* NULL is fine */
SCOPED_POINTER(pattern, struct pattern *, pattern_free)

/* The number of the group with this NAME; OTHERWISE when there is none. */
unsigned pattern_group(const struct pattern *p, const char *name, unsigned otherwise);

/* The first match in the LEN bytes at TEXT that begins at FROM or later. 1: *match is filled.
 * 0: none. A pattern that takes too many steps on a text does not match it, nor does one that says
 * of its match that it begins before FROM or behind its end. */
bool pattern_find(const struct pattern *p, const char *text, size_t len, size_t from,
                  struct pattern_match *match);
