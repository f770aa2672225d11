/* An oracle that shares refusals with other runs, on this machine and on others (--verdicts): what
 * one of them found not interesting by the test's own word is not asked again by another.
 *
 * They lie in a directory that many may write at once: DIR/TEST/XX/REST is an empty file, TEST the
 * hash of the test, XX and REST that of the candidate. The name is all that is said, so that
 * nothing can be half written. Nothing there can make a candidate interesting: that is always found
 * out by running the test. So is one in 64 of the refusals that are known, by the candidate's hash;
 * when the test finds one of them interesting they are those of something else, and no more of them
 * is believed. How many were believed before depends on timing: only with a directory that is right
 * is the answer the same at any number of jobs. A test that is tried for the first time answers for
 * itself, and what it refuses then is not kept: it may not be usable yet.
 */
#pragma once

#include "base/hash.h"
#include "run/oracle.h"

struct shared_options {
	const char *dir;  /* made when it is not there; read during the call only */
	struct hash test; /* of all that the verdict depends on beside the candidate */
	void (*notice)(void *arg, const char *message);
	void *arg;
};

/* Owns INNER from now on, also after a failure. NULL and err: the directory cannot be made or
 * opened. Free with oracle_free. */
struct oracle *shared_new(struct oracle *inner, const struct shared_options *options,
                          struct err *err);
