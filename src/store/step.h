/* A step of a reduction as its commit tells it.
 *
 *     whittle: 48213 → 47190 bytes (brackets)
 *
 *     Whittle-Step: 12
 *     Whittle-Bytes: 47190 of 93412
 *     Whittle-Pass: brackets
 *     Whittle-Questions: 345
 *     Whittle-Content: 9fb1...
 *
 * Author, committer and time follow from the step alone, so that equal reductions have equal commit
 * ids.
 */
#pragma once

#include <git2.h>
#include <stdbool.h>
#include <stdint.h>

#include "base/hash.h"

struct buf;
struct err;
struct testcase;

enum step_kind {
	STEP_ORIGINAL, /* the first commit */
	STEP_SNAPSHOT,
	STEP_FINISHED, /* the last one: what was verified */
	STEP_PAUSED, /* on top of a stopped reduction: verdicts that no snapshot holds yet; replaced
	                when it is resumed */
};

enum { STEP_PASS_MAX = 64 };

struct step {
	enum step_kind kind;
	unsigned number;        /* 0: the original */
	uint64_t original;      /* bytes of the original */
	uint64_t before, bytes; /* bytes of the step before, and of this one */
	uint64_t questions;     /* asked in order up to here */
	struct hash content;    /* step_content */
	char pass[STEP_PASS_MAX];
};

/* What of a test case is in its tree: names, executable bits, bytes. Other permission bits (a
 * umask's) do not count. */
struct hash step_content(const struct testcase *tc);

/* The commit message of STEP; NOTE (may be NULL) is a paragraph of text between subject and
 * trailers. */
void step_message(struct buf *out, const struct step *step, const char *note);

/* The reverse. False when MESSAGE is no step's. */
bool step_parse(const char *message, struct step *step);

/* The commit object of STEP: TREE, PARENT (NULL for the first), MESSAGE. */
void step_commit(struct buf *out, const struct step *step, const git_oid *tree,
                 const git_oid *parent, const char *message);

/* The commits of one reduction, oldest first, without a pause commit at its end. */
struct chain {
	git_oid *ids;
	size_t n, cap;
	git_oid tip; /* what the ref points at: ids[n - 1], or the pause commit on it */
	bool paused;
	struct step last; /* ids[n - 1] */
};

/* Reads the commits from TIP to the first one. -1 and err when one is damaged or is no step. The
 * caller releases. */
int chain_load(struct chain *chain, git_repository *repo, const git_oid *tip, struct err *err);
void chain_add(struct chain *chain, const git_oid *id);
void chain_release(struct chain *chain);

/* Reads the step of commit ID. */
int step_load(git_repository *repo, const git_oid *id, struct step *step, struct err *err);

/* Where in CHAIN the step with this content is: 1 and *at, the last one, 0, or -1 and err. */
int chain_seek(const struct chain *chain, git_repository *repo, struct hash content, size_t *at,
               struct err *err);

/* Adds the file at PATH of commit ID's tree to OUT, which has data then. 1; 0: no such file; -1 and
 * err. */
int step_file(git_repository *repo, const git_oid *id, const char *path, struct buf *out,
              struct err *err);
