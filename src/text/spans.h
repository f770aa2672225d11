/* Spans from outside: the structure of a test case as whatever made it knows it (--spans FILE). In
 * place of the bracket tree.
 *
 * A file of spans has one a line: BEGIN END [KIND], offsets in bytes, half-open; KIND is "item"
 * (what may go, the default) or "group" (whose first and last token are brackets). Blank lines and
 * what follows a '#' do not count. Two spans are disjoint or one is within the other; of equal ones
 * the earlier is the outer one. Spans move with the bytes they hold.
 */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include "text/edit.h"

struct err;

struct span_given {
	uint32_t begin, end;
	bool group;
};

struct spans {
	unsigned refs;
	uint32_t n;
	struct span_given *list; /* in document order, the outer one first */
};

/* Reads FILE, for a test case of SIZE bytes. NULL and err: file:line: what is wrong. */
struct spans *spans_read(const char *file, uint32_t size, struct err *err);
struct spans *spans_ref(struct spans *spans);
void spans_unref(struct spans *spans); /* NULL is fine */

/* The spans after EDIT; those that hold nothing any more are gone. */
struct spans *spans_map(const struct spans *spans, struct edit edit);
