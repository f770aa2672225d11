/* The fence: what the tests of a pool cannot do to the world outside their slots.
 *
 * Life cycle: fence_find finds out, once, what the kernel and the user allow; the pool's options
 * point to the result; each supervisor enters it with fence_slot_enter before its first test. A
 * slot that cannot be fenced as was found runs nothing.
 *
 * Reading is not restricted: a fence protects what is there, it keeps no secrets.
 */
#pragma once

#include <stdbool.h>

#include "fence/namespaces.h"

struct err;

enum fence_level {
	FENCE_AUTO, /* as FENCE_WRITE, as far as it is to be had */
	FENCE_NONE,
	FENCE_WRITE, /* confines writing, or is an error */
	FENCE_FULL,  /* cuts the network, too, or is an error */
};

enum {
	FENCE_ALLOW_SIZE = 8192, /* two paths of the longest kind, or many as they are */
	FENCE_WORDS_SIZE = 256,
};

struct fence_options {
	enum fence_level level;
	bool given;                   /* whether somebody has chosen the level */
	char allow[FENCE_ALLOW_SIZE]; /* further paths to write to, each with its NUL */
	unsigned n_allow, allow_end;  /* so many paths, bytes */
	unsigned kept_paths;          /* so many a reduction was started with; counts with kept */
	const char
		*kept; /* the parts that a reduction was started with (fence_text); NULL: none was
	                */
};

/* The level called NAME. 0, or -1. */
int fence_level(const char *name, enum fence_level *level);

/* Adds a path, as a copy. 0, or -1 and err when there are too many. */
int fence_options_allow(struct fence_options *options, const char *path, struct err *err);

/* What can be had of OPTIONS. 0, or -1 and err: a path is not there, or what is asked for cannot
 * be had. Release in either case. */
int fence_find(struct fence *fence, const struct fence_options *options, struct err *err);
void fence_release(struct fence *fence);

/* Makes FENCE one behind which everything can be written to, as a copy (namespaces.c); what was
 * written is added to the file REPORT. Where that is not to be had there is no fence any more. */
void fence_try(struct fence *fence, const char *report);

/* Is less in force than usual, as the kernel or a container refuses it? */
bool fence_lacks(const struct fence *fence);

/* What is in force, for the user: "fence: ...". */
void fence_words(const struct fence *fence, char words[FENCE_WORDS_SIZE]);

/* The parts, and the paths, as they are recorded with a reduction: what verdicts may depend on. */
void fence_text(const struct fence *fence, char text[FENCE_WORDS_SIZE]);

/* The paths that are allowed, with a colon between them; the caller's. */
char *fence_paths(const struct fence *fence);

/* The reverse: adds the paths in TEXT. 0, or -1 and err as above. */
int fence_options_take(struct fence_options *options, const char *text, struct err *err);

/* A slot's side, in its supervisor. */
struct fence_slot {
	const struct fence *fence; /* NULL: none */
	int rules;                 /* for each test (landlock.h); -1: none */
	struct namespaces spaces;
	const char *path;
	int error; /* errno of what could not be set up; 0: nothing */
};

/* Sets up the fence around the slot at WHERE. When that fails slot->error says so, and
 * nothing must be run. Its path stays the caller's, and becomes the current directory. */
void fence_slot_enter(struct fence_slot *slot, const struct fence *fence,
                      const struct namespaces_slot *where);

/* Whether there is something to renew. */
bool fence_slot_used(const struct fence_slot *slot);

/* After a test of which nothing runs any more: undoes what it did inside of the fence. */
void fence_slot_renew(struct fence_slot *slot);

/* Before the slot's directory is removed. */
void fence_slot_leave(const struct fence_slot *slot);
