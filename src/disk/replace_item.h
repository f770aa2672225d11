/* One thing that takes the place of another (replace.h), and the names that it has on the way. */
#pragma once

#include <stdbool.h>

#include "base/hash.h"

struct faults;

enum { REPLACE_TOKEN = 9 }; /* bytes of one, as a string */

struct replacement_item {
	char *path;           /* the target */
	char *temp;           /* the new thing, beside it */
	bool expects;         /* the target is to be something certain: */
	struct hash expected; /* its stamp; zero: nothing */
	struct hash stamp;    /* of the new thing, known after replacement_commit */
	char *edited;         /* what stood there instead is kept under this name; NULL */
};

/* A token of its own for this process. */
void replacement_token(char token[REPLACE_TOKEN]);

/* The name for what is to replace PATH (a real one), with ENDING after it; the caller's. */
char *replacement_name(const char *path, const char *token, const char *ending);

/* Is NAME such a name for PATH, by whatever process, or PATH.edited? */
bool replacement_is_name(const char *name, const char *path);

/* The first free one of NAME, NAME.1, NAME.2...; the caller's. */
char *replacement_free_name(const char *name);

/* The path of the record beside FIRST; the caller's. */
char *replace_record_path(const char *first);

/* Is NAME one under which what stood at PATH is kept? */
bool replace_is_edited(const char *name, const char *path);

/* TEMP gets the name under which it is kept: PATH.edited, or the first free number after that. The
 * caller's; NULL with errno. */
char *replace_rename_edited(const char *temp, const char *path);

#define REPLACE_ASIDE "-" /* ending of what the target was, where names cannot be exchanged */

/* The name of that for TEMP; the caller's. */
char *replace_aside_name(const char *temp);

/* Does this errno mean that the file system cannot exchange names? */
bool replace_cannot_exchange(int error);

/* Puts ITEM in its place in one step; what stood there is then called item->temp. A file can be
 * renamed, unless what it replaces is to be kept. 0, or -1 with errno. */
int replace_at_once(struct faults *faults, const struct replacement_item *item);

/* The same, where that cannot be, by way of a third name: ASIDE, a free one. */
int replace_put(struct faults *faults, const struct replacement_item *item, const char *aside);
