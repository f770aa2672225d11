/* The record of a replacement (replace.h): written before several targets are replaced, read at the
 * next start. */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include "base/buf.h"
#include "disk/replace_item.h"

struct err;

/* The text of the record, which is the file INODE, about N ITEMS; the caller's. */
struct buf replace_record_text(const struct replacement_item *items, uint32_t n, uintmax_t inode);

/* What LOOK_ONLY does not do is finishing. */
struct replacement_left {
	const char *first;    /* as above */
	char *const *targets; /* real paths of all that this run may replace; N_TARGETS of them */
	uint32_t n_targets;
	bool look_only;
};

/* Finishes what a killed process has started to replace; targets that have changed since stay as
 * they are. 1: it did, or would; 0: there is nothing to do; -1 and err: what has the record's name
 * is not a record, or names other targets. Then nothing is touched. */
int replacement_finish(const struct replacement_left *left, struct err *err);
