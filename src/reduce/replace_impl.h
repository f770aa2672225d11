/* What replace.c and replace_record.c share. */
#ifndef WHITTLE_REDUCE_REPLACE_IMPL_H
#define WHITTLE_REDUCE_REPLACE_IMPL_H

#include <stdint.h>

#include "base/buf.h"
#include "reduce/replace.h"

/* The record's path; the caller's. */
char *replace_record_path(const char *first);

/* The text of the record, which is the file INODE. */
struct buf replace_record_text(const struct replacement *r, uintmax_t inode);

/* Is NAME one under which what stood at PATH is kept? */
bool replace_is_edited(const char *name, const char *path);

/* Puts ITEM in its place; what stood there is then called item->temp. ASIDE is a free name. */
int replace_put(struct faults *faults, const struct replacement_item *item, const char *aside);
char *replace_aside_name(const char *temp);

#endif
