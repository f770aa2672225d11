/* The settings of a reduction: those of its options that its result depends on, besides input and
 * test. As text, sorted lines KEY=VALUE, they are kept with the original: they decide whether a
 * reduction is the same one, and are enough to resume it elsewhere. */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include "reduce/plan.h"
#include "fence/fence.h"

#define SETTINGS_FILE "file:"

struct err;

/* Limits that are generous, and still keep one test from taking all there is. */
#define SETTINGS_FILE_LIMIT (512u << 20)
#define SETTINGS_PROCESS_LIMIT 4096u

/* A test that is not sure: at least NEEDED of RUNS must be interesting, or, with FLAKY, about as
 * large a part of them as of those on the input. All zero: one run decides. */
struct settings_repeat {
	unsigned runs, needed;
	bool flaky;
};

struct settings {
	const char *tokenizer; /* name or file; NULL: by the input */
	const char *spans;     /* file with the structure of the input; NULL: none */
	struct pass_set passes;
	uint64_t seed;
	bool keep_names;
	enum plan_certify certify;
	unsigned input;         /* set of enum setup_input */
	uint64_t memory_limit;  /* bytes; 0: none */
	uint64_t file_limit;    /* bytes that a test may write; 0: none */
	uint64_t process_limit; /* of a test; 0: none */
	struct settings_repeat repeat;
	struct fence_options fence;
	const struct fence *fenced;    /* what came of it */
	bool no_external;              /* no external passes, not even installed ones */
	const char *external_identity; /* of all of them */
};

/* The settings S as text; the caller's. NULL and err when the file of a tokenizer cannot
 * be read: it is known by a hash of its content, for its path means nothing elsewhere. */
char *settings_text(const struct settings *s, struct err *err);

/* The reverse: sets in S what TEXT says, and nothing else. TEXT is changed, and S points
 * into it afterwards. A tokenizer that was a file becomes SETTINGS_FILE and a hash, which names
 * none: the caller has to find it. -1 and err when it was written by another version. */
int settings_parse(struct settings *s, char *text, struct err *err);

/* Do the verdicts of a reduction with the settings A hold for one with the settings B, when both
 * have the same test? */
bool settings_share_verdicts(const struct settings *a, const struct settings *b);
