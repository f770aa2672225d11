/* The inside of a session, for the modules that it is made of. */
#pragma once

#include "base/fault.h"
#include "reduce/engine.h"
#include "external/external.h"
#include "reduce/follow.h"
#include "disk/input.h"
#include "reduce/session_store.h"
#include "reduce/language.h"
#include "reduce/session_options.h"
#include "run/also.h"
#include "fence/fence.h"
#include "run/oracle.h"
#include "run/rate.h"
#include "run/setup.h"
#include "run/verdicts.h"
#include "reduce/driver.h"

/* Who is asked, and what is known of the answers. */
struct session_ask {
	char *test;      /* absolute */
	char **operands; /* for the pool, which starts before the input is read */
	struct fence fence;
	struct setup setup; /* of the oracle */
	struct oracle *oracle;
	struct oracle *also; /* that keeps candidates (run/also.h), owned by oracle; NULL: none */
	struct hash met[ALSO_MOST]; /* what of them lies beside the journal */
	struct oracle *far;         /* that asks workers, owned by oracle; NULL: there are none */
	struct oracle *once;        /* the same, one run for each question; owned by oracle */
	struct rate rate;           /* on the original, of a test that is not sure */
	struct oracle_limits limits;
	struct verdicts verdicts;
	bool claims_refuted;    /* a claim of a persistent test was: none is believed any more */
	struct testcase *empty; /* the test was asked about it; NULL: not yet */
	struct answer on_empty;
};

/* What is found in the store. */
struct session_kept {
	struct session_store *keep; /* NULL: nothing is kept */
	char *settings;
	enum store_state state;
};

/* As the user, or a limit of time, has it. */
struct session_wish {
	unsigned jobs; /* tests that may run at a time, but for a pause */
	bool paused;
	const char *skip; /* the pass that is to be skipped when its round is over; NULL: none */
	enum session_stop stop;
};

/* What is waited for, outside of the search. */
struct session_waits {
	const char *what; /* NULL: nothing */
	char name[256];   /* what it points to when that is made up */
	uint64_t since_ns;
	bool said;
};

/* What was found interesting, and is not (session_doubt.h). */
struct session_doubts {
	struct hash refuted; /* the last one, of all runs; zero: there was none */
	bool said;           /* that the test is not sure */
	bool undone;         /* that steps are undone */
	uint64_t asked;      /* new questions, before the reduction started over */
	struct rate last;    /* of what was looked at last */
	unsigned sampled;    /* refused candidates that were asked about again (session_sample.h) */
};

struct session {
	struct session_options options;
	struct input input;
	struct follow follow;
	struct session_ask ask;
	struct session_kept kept;
	struct testcase *original; /* what the reduction starts from: what FILE held when we came,
	                              or what is kept */
	struct language language;
	struct externals externals;
	char *external_identity;
	struct engine *engine;      /* NULL: none is needed, or not yet */
	struct testcase *result;    /* of a reduction that was finished before */
	struct testcase *formatted; /* what is written in place of the result; NULL: that itself */
	char certificate[512];
	uint64_t start_ns;
	uint32_t last_size;
	struct session_wish wish;
	struct session_doubts doubts;
	uint64_t success_ns; /* of the last success, or when it began */
	struct session_waits waits;
	struct faults faults;
};

/* The reduction is to be stopped; the first reason counts. Is it, or has a signal arrived, or is
 * the time up? (session_begin.c) */
void session_stop_for(struct session *s, enum session_stop why);
bool session_is_over(void *session);

/* From now on WHAT is waited for; NULL: nothing is. */
void session_waits(struct session *s, const char *what);

/* Tells the owner. */
void session_notice(const struct session *s, const char *message);

/* BYTES are to be put into the store, which takes long when they are many. */
void session_packs(struct session *s, uint64_t bytes);

struct session_probe;

/* How a session begins: it looks at all that is given, reads it, finds what is kept, and asks the
 * test whether it can be used. */

/* Fills in S, of which the options are set. PROBE is filled even when it fails for a reason of the
 * test. On failure the caller closes the session. */
int session_begin(struct session *s, struct session_probe *probe, struct err *err);

/* Finds the tokenizers for S->original. */
int session_find_language(struct session *s, struct err *err);

/* The certificate of a test that is not sure: a sample of what it refused since the last success is
 * asked about again, by the rule that a candidate has to meet, and with as many runs as that takes.
 *
 * What is interesting after all was refused by chance: that verdict is reversed, for good, and the
 * reduction starts over with it, as after a mistake (session_doubt.h). The answers are kept, so a
 * resumed run asks for none of them again.
 */

/* At the fixpoint. DRIVER_FIXPOINT: nothing was refused by chance, or the test is sure;
 * DRIVER_DOUBT: start over; DRIVER_STOPPED; DRIVER_FAILED and err. */
enum driver_end sample_settle(struct session *s, struct err *err);

/* What is verified, into s->certificate. */
void sample_certify(struct session *s);

struct tokenizer;

/* The result made readable: --format=COMMAND. What a formatter makes of the result is written in
 * its place when the test finds it interesting too. It is larger than the result, so it is no
 * snapshot and nothing is certified about it. */

/* The first formatter that TOK names and that is installed; NULL: there is none. */
const char *format_command(const struct tokenizer *tok);

/* Runs COMMAND, for the shell, with the path of TC (one file) as a last argument; its standard
 * output is the formatted file. The oracle is idle. 1: *out is that, the caller's reference. 0:
 * *why says why there is none. -1 and err when the system refuses. */
int format_run(const char *command, const struct testcase *tc, const struct oracle_asker *asker,
               struct testcase **out, const char **why, struct err *err);
