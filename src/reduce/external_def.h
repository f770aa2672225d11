/* External programs and the passes that they declare, see external.h. */
#ifndef WHITTLE_REDUCE_EXTERNAL_DEF_H
#define WHITTLE_REDUCE_EXTERNAL_DEF_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/hash.h"

struct external_pass {
	char *name; /* PROGRAM:PASS, for people */
	char *word; /* what the program calls it */
	uint32_t program;
	bool pump;          /* its candidates may be larger than the test case */
	bool early;         /* its turn comes before everything else, and again and again */
	uint32_t min_bytes; /* smaller test cases are not for it */
	uint32_t max_bytes; /* larger ones neither */
};

struct external_program {
	char **words;         /* absolute path and arguments, NULL at the end */
	char *name;           /* as it calls itself */
	char *version;        /* likewise */
	uint64_t limit_ns;    /* deadline of an answer */
	struct hash identity; /* of its file and all it declares: with other ones results are other
	                         ones */
};

/* The programs of a reduction and their passes; fixed once it has started. Zero-initialise. */
struct externals {
	uint32_t n_programs, cap_programs, n_passes, cap_passes;
	struct external_program *programs;
	struct external_pass *passes;
};

enum { EXTERNAL_MAX_PASSES = 1024 };

#endif
