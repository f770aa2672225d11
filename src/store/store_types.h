/* What the store is told and says: its options, what a reduction starts from, its state. See
 * store.h. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

#include "base/hash.h"
#include "store/entry.h"

struct testcase;

struct store_options {
	const char *file; /* FILE as the user named it, of several operands the first: a file or a
	                     directory; it exists */
	const char *top;  /* of a tree: the directory that its paths are relative to; NULL: the one
	                     that FILE is in */
	bool several;     /* FILE is not the only operand */
	const char *name; /* of the reduction; NULL: derived from FILE's path */
	const char *repository; /* --store=DIR; NULL: the one that holds FILE, see location.h */
	const char *local;      /* lines KEY=VALUE that hold on this machine alone: kept beside the
	                           journal and in no commit */
	bool fresh; /* store_begin sets what is there aside as NAME.1, NAME.2..., and starts over */
	void (*notice)(
		void *ctx,
		const char *message); /* what the user should know and is no failure; may be NULL */
	void *ctx;
};

/* What a result is a function of. All of it must be the same on another machine for the ids to be
 * the same. */
struct store_input {
	const struct testcase *tc; /* FILE as it is now (store_state), the original (store_begin) */
	const void *test; /* bytes of the test script; NULL when it is not kept (unreadable, large,
	                     a command) */
	size_t test_len;
	mode_t test_mode;
	char *const
		*operands; /* of a tree: what was named, a '/' after directories; NULL at the end */
	const char *options;  /* lines KEY=VALUE, sorted by the caller; what changes results, and
	                         nothing else */
	struct hash identity; /* of the test: verdicts hold for it alone */
	bool apart;           /* the result goes to another file than FILE */
};

enum store_state {
	STORE_NEW, /* nothing is kept under this name */
	STORE_UNFINISHED,
	STORE_FINISHED,
	STORE_CHANGED, /* FILE, test or options are not those of the reduction kept, or it is
	                  damaged */
	STORE_OLDER,   /* nothing changed but the version of whittle: a new reduction can begin with
	                  what is left */
};

struct store_snapshot {
	const struct testcase *tc;
	const char *pass;   /* what made it */
	uint64_t questions; /* asked in order since the beginning */
	const struct store_entry
		*asked; /* of the questions asked in order since the snapshot before */
	size_t n_asked;
	const char *note; /* a paragraph for the message, e.g. the certificate; NULL: none */
};
