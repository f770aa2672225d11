/* What a session keeps: its verdicts and snapshots in the store, and what it finds there when it
 * is resumed.
 *
 * A reduction is resumed by replay (store/store.h): it starts again from the original, verdicts
 * come from the table, and the same snapshots are made again. Life cycle: session_store_open,
 * session_store_begin once the test is known to be usable, session_store_verdict and
 * session_store_step, session_store_end, session_store_close.
 */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include "reduce/reducer.h"
#include "run/rate.h"
#include "run/verdicts.h"
#include "store/history.h"
#include "store/store.h"

struct err;
struct session_store;

/* What is there: resumed; set aside if FILE, test or options are not its own; set aside. */
enum session_store_fresh {
	SESSION_STORE_RESUME,
	SESSION_STORE_FRESH_IF_CHANGED,
	SESSION_STORE_FRESH
};

struct session_store_options {
	const char *file; /* FILE, of a tree the first operand, as the user named it */
	const char *top;  /* of a tree: the directory that its paths are relative to; NULL: a single
	                     file */
	char *const *operands;  /* of a tree: their paths in it, a '/' after directories; NULL at
	                           the end */
	const char *test;       /* path of the test, whose content is kept with the original */
	const char *name;       /* of the reduction; NULL: from FILE */
	const char *repository; /* NULL: the one that holds FILE */
	const char *out;        /* where the result goes, for the next start; NULL: to FILE */
	const char *tokenizer;  /* as the user named it; NULL: by FILE */
	struct {                /* for the next start */
		const char *external;        /* commands of the external passes */
		const char *command, *needs; /* as in struct session_options */
	} given;
	const char *spans;     /* file; NULL: none */
	const char *based_on;  /* name of a reduction whose verdicts hold for a new one, too; NULL:
	                          none */
	const char *branch_of; /* name of the reduction from a snapshot of which a new one starts;
	                          NULL: none */
	const char *allowed;   /* paths to which tests may write (fence_paths) */
	bool lives;            /* the test stays alive (--persistent), for the next start */
	struct {
		const char *name;  /* of the reduction in which it was met as another failure, */
		const char *about; /* and in words what that is; NULL: it was not */
	} also;
	enum session_store_fresh fresh;
	const char *settings; /* lines KEY=VALUE, sorted: what the result depends on besides input
	                         and test */
	bool fence_given;     /* the fence in them was chosen, and did not come of itself */
	void (*notice)(void *arg, const char *message);
	void *arg;
};

#define SESSION_STORE_TEST                                                                  \
	"test" /* keys of what is kept about this machine (reduction_local): paths of test, \
	          result, and the */
#define SESSION_STORE_OUT "out" /* tokenizer's file, if that is one; */
#define SESSION_STORE_TOKENIZER "tokenizer"
#define SESSION_STORE_SPANS "spans"
#define SESSION_STORE_EXTERNAL "external"   /* commands */
#define SESSION_STORE_ALLOWED "allow-write" /* paths, with a colon between them */
#define SESSION_STORE_LIVES "persistent"    /* "yes": the test stays alive */
#define SESSION_STORE_ALSO "also"           /* name */
#define SESSION_STORE_ABOUT "about"
#define SESSION_STORE_COMMAND "command" /* as it was typed, and */
#define SESSION_STORE_NEEDS "needs"     /* what it needs besides */

/* A file about the command on the result: a line that says how it ended and, each behind a tab, how
 * it was typed, what it needs besides, and "NAME: VERSION" of its program, as far as they are
 * known, and "N of M" runs in which the original of a flaky one failed; then what it printed. */
#define SESSION_STORE_OUTPUT "output"

/* The same of the command of --differs: how it ended, and what it printed. */
#define SESSION_STORE_EXPECTED "expected"

/* Finds what is kept about NOW, FILE's content. *state is STORE_NEW, STORE_UNFINISHED or
 * STORE_FINISHED; what has changed is an error that says what, and how to resume or start over.
 * *original: the test case to start from, the caller's. */
struct session_store *session_store_open(const struct session_store_options *options,
                                         struct testcase *now, enum store_state *state,
                                         struct testcase **original, struct err *err);

/* The settings that hold: those given, with the fence that the reduction was begun with when nobody
 * chose another one. They live as long as K. */
const char *session_store_settings(const struct session_store *k);

/* Where it is kept: its name, steps, paths beside the journal, the original. */
struct reduction *session_store_of(const struct session_store *k);

/* See objects_hurry. */
void session_store_hurry(struct session_store *k, bool (*is_over)(void *ctx), void *ctx);

/* Was the test started otherwise, alive or not, when it was run last, or is that not known here?
 * Such a test may understand only one of the two. */
bool session_store_lived_otherwise(const struct session_store *k);

/* Starts, or starts again: writes the first commit or checks it, puts the verdicts known into
 * TABLE. KNOWN becomes what was found out when the reduction began, zero where that is not known
 * here. */
struct session_store_known {
	uint64_t limit_ns;   /* the deadline */
	struct rate rate;    /* of a test that is not sure, on the original */
	struct hash refuted; /* the last test case that was found interesting by mistake */
	bool claims_refuted; /* of a persistent test (session_store_refuted) */
	uint64_t language;   /* identity of the definitions of its tokenizers */
};
int session_store_begin(struct session_store *k, const struct testcase *original,
                        struct verdicts *table, struct session_store_known *known, struct err *err);

/* Keeps what was found out. */
int session_store_found(struct session_store *k, const struct testcase *original,
                        const struct session_store_known *found, struct err *err);

/* Likewise how often the test says yes to the original. */
int session_store_rate(struct session_store *k, struct rate rate, struct err *err);

/* And with which definitions of tokenizers it is asked (language_identity). */
int session_store_language(struct session_store *k, uint64_t identity, struct err *err);

/* Keeps a verdict, at once. When this fails nothing that follows from the verdict may be written to
 * FILE. */
int session_store_verdict(struct session_store *k, struct hash hash, enum verdict verdict,
                          uint64_t limit_ns, struct err *err);

/* VERDICT holds of TC, and not what was kept of it. Keeps that, sets the history from TC on aside
 * when it is a snapshot, and goes back to the original, as session_store_begin does. */
int session_store_overrule(struct session_store *k, const struct testcase *tc, enum verdict verdict,
                           struct err *err);

/* TC, which was to become a step, is not interesting: nothing holds any more that a persistent test
 * only claimed (struct answer). Keeps that, and goes back to the original. */
int session_store_refuted(struct session_store *k, const struct testcase *tc, struct err *err);

/* Brings the verdicts to the disk, before a file is replaced by what follows from them: after a
 * power cut, too, its content is to be known. A failure is told as a notice, once; of a process
 * that is killed the verdicts are kept all the same. */
void session_store_sync(struct session_store *k);

/* Keeps a success. A failure is told as a notice: nothing is lost, the next one tries again. */
void session_store_step(struct session_store *k, struct reducer *r, const char *pass);

/* To be called often: every few seconds, what waits becomes commits of the ref, and takes a small
 * part of the time. */
void session_store_tick(struct session_store *k);

/* At the end: FINISHED with the certificate as NOTE, or (NOTE is NULL) to be resumed. */
int session_store_end(struct session_store *k, struct reducer *r, const char *note,
                      struct err *err);

/* Does it start, or did it, from a snapshot of another reduction? */
bool session_store_is_branch(const struct session_store *k);

/* Is TC the original, a snapshot, also of the reduction that this one branches off from, or
 * interesting by what is kept? 1, 0, or -1 and err. An output_knows_fn; KEEP is a struct
 * session_store. */
int session_store_knows(void *keep, const struct testcase *tc, struct err *err);

/* The result of a finished reduction; the caller's reference. *here: this machine wrote it. */
struct testcase *session_store_result(struct session_store *k, bool *here, struct err *err);

void session_store_close(struct session_store *k); /* NULL is fine */
