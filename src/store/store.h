/* The store: a reduction's snapshots and verdicts. It keeps them so that a reduction that is killed
 * at any moment can be resumed.
 *
 * The search is a function of input, test, options, seed and verdicts; it asks the same questions
 * in the same order whatever -j is. So a reduction is resumed by replay: it starts again from the
 * original, known verdicts come from a table, and it makes the same snapshots again. What must be
 * kept is the original and the verdicts; the snapshots are there for the user, and prove by their
 * ids that the replay went the same way.
 *
 *     verdicts   at once in the journal (journal.h), also those of questions asked ahead of time;
 *     snapshots  in batches on refs/whittle/NAME (objects.h), each with the verdicts asked since
 *                the one before, so that a fetched ref is enough to resume.
 *
 * Life cycle of a writer:
 *     1. store_open finds the repository and takes the lock;
 *     2. store_state says what is known about this reduction;
 *     3. reduction_at (unless NEW) gives the original to start from, store_begin starts or starts
 * again;
 *     4. reduction_verdicts fills the caller's table;
 *     5. store_record for each new verdict, store_snapshot for each success, replayed or new;
 *     6. store_finish at the fixpoint, or store_pause when stopped early (store_flush at any time);
 *     7. store_close.
 *
 * A failure to write loses nothing: the snapshots wait in memory, the verdicts are in the journal,
 * and the next call tries again; the caller may continue, and report err. The reading side is
 * history.h. */
#pragma once

#include <stdbool.h>

#include "base/hash.h"
#include "store/store_types.h"
#include "store/entry.h"

struct err;
struct reduction;
struct store;
struct testcase;

/* Finds the location and takes the lock. NULL and err: no repository can be used, or "... is being
 * reduced by process PID". */
struct store *store_open(const struct store_options *options, struct err *err);

/* Compares NOW with what is kept. FILE is known when it is the original, a snapshot, or what the
 * journal has as interesting under its tc->hash (a snapshot that was not committed yet when whittle
 * was killed). For CHANGED, *why is a message of one or more lines which says what changed and
 * which commands resume or start over, else NULL; the caller frees it. -1 and err when the
 * repository cannot be read. */
int store_state(struct store *store, const struct store_input *now, enum store_state *state,
                char **why, struct err *err);

/* See objects_hurry. */
void store_hurry(struct store *store, bool (*is_over)(void *ctx), void *ctx);

/* As if the store had been opened with `fresh`. After store_state, before store_begin. */
void store_be_fresh(struct store *store);

/* Is NOW->tc the original, a snapshot, or interesting by the journal? 1, 0, or -1 and err. */
int store_knows(struct store *store, const struct store_input *now, struct err *err);

/* What is kept, to be read (history.h): where it is, its steps, the original. */
struct reduction *store_reduction(struct store *store);

/* Is TC the original? Then it need not be read again. */
bool store_is_original(struct store *store, const struct testcase *tc);

/* Opens the journal and writes the first commit, or compares it with the one there. INPUT->tc is
 * the original. */
int store_begin(struct store *store, const struct store_input *input, struct err *err);

/* Keeps a verdict: one write(), no fsync (that comes with the next flush). To be called before FILE
 * is replaced: by this record the next start knows FILE's content, and when it fails, FILE must not
 * change. */
int store_record(struct store *store, const struct store_entry *verdict, struct err *err);

/* Brings the journal to the disk; nothing to do when it is there. */
int store_sync(struct store *store, struct err *err);

/* Keeps a success. During a replay it is compared with the snapshot there; when they differ (a
 * test that changes its mind, another version of whittle) that is a notice, what was there stays as
 * NAME.1, NAME.2..., and the history continues from here. Flushes after every 64 snapshots or 8 MB.
 * -1 and err when that fails: the snapshot waits in memory. */
int store_snapshot(struct store *store, const struct store_snapshot *snapshot, struct err *err);

/* TC, an earlier success, is none: the history from there on is set aside as NAME.1, NAME.2...,
 * with a notice, and what follows is a replay from the original, as after store_begin. What no ref
 * reaches yet is flushed first. The caller has recorded the verdict that it follows from. */
int store_take_back(struct store *store, const struct testcase *tc, struct err *err);

/* The last snapshot: the reduction has reached its fixpoint. Flushes, and merges the packs of this
 * reduction. */
int store_finish(struct store *store, const struct store_snapshot *final, struct err *err);

/* Writes what waits, moves the ref, and syncs the journal. */
int store_flush(struct store *store, struct err *err);

/* store_flush, then a commit on top with the verdicts that no snapshot holds yet, so that a push
 * of the ref moves all that is known. The commit is replaced when the reduction resumes: it is not
 * part of the result. */
int store_pause(struct store *store, struct err *err);

void store_close(struct store *store); /* does not flush; NULL is fine */

bool store_waits(const struct store *store);    /* are there snapshots that no ref reaches yet? */
bool store_begun(const struct store *store);    /* is there a first commit? */
unsigned store_step(const struct store *store); /* number of the last snapshot made or compared */
void store_tip(const struct store *store,
               char hex[65]); /* id of the last snapshot made or compared */
