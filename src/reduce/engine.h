/* The engine: a whole reduction of bytes, given an oracle. It consists of reducer, plan, stages
 * and driver, and uses no file, terminal or store. Commands use it through a session (session.h),
 * other programs through the library (lib/whittle.h).
 *
 * Life cycle: engine_new; then either engine_run, which asks and waits until the end, or, for
 * callers with an event loop of their own, engine_ask and engine_answer in turn; engine_free. The
 * result depends on the original, the options and the verdicts only, however many slots the oracle
 * has and in whatever order it answers. */
#pragma once

#include "reduce/driver.h"

struct engine;
struct language;

struct engine_options {
	struct pass_set passes;
	uint64_t seed;
	uint64_t max_questions; /* end after so many answers that were not known; 0: never */
	uint64_t stop_after;    /* end after so many of them since the last success; 0: never */
	uint32_t until_size;    /* end when the test case is no larger; 0: never */
	bool keep_names;        /* identifiers are not renamed */
	bool shares;            /* see struct reducer_options */
	enum plan_certify certify;
	struct oracle_limits limits;
	struct verdicts *verdicts; /* what is known from before, and where it is kept; borrowed */
	const struct externals *externals; /* borrowed; NULL: none */
	const char *external_file;         /* where their answers are kept; NULL: nowhere */
	bool again;  /* ask about the best test case again now and then: observer's `doubted` */
	bool claims; /* what a persistent test says suffices; what becomes a step is confirmed */
	const struct driver_stats *before; /* of what it replaces; NULL: nothing */
	struct hash after; /* what it has when it asks about this is doubted; zero: nothing is */
	int wake_fd;       /* readable when should_stop may have changed; -1: none */
	int tick_ms; /* should_stop is looked at this often even when nothing happens; -1: never */
};

/* Members may be NULL. */
struct engine_observer {
	/* A strictly simpler test case was found interesting. */
	void (*accepted)(void *arg, struct engine *, struct testcase *now, const char *pass);
	void (*pass_ended)(void *arg, struct engine *, const char *pass);
	/* A verdict that was not known. Non-zero: stop with err (it cannot be kept). */
	int (*verdict)(void *arg, struct hash hash, enum verdict verdict, uint64_t limit_ns,
	               struct err *err);
	bool (*should_stop)(void *arg);
	bool (*is_over)(void *arg); /* of engine_run: see struct driver_options */
	enum driver_doubt (*doubted)(void *arg, struct testcase *now, struct err *err);
	/* See struct reducer_observer. */
	bool (*skips)(void *arg, uint64_t round, struct hash *key);
	void (*notice)(void *arg, const char *message);
	void *arg;
};

/* Takes a reference of its own on ORIGINAL; borrows what LANGUAGE points to. */
struct engine *engine_new(struct testcase *original, const struct language *language,
                          const struct engine_options *options,
                          const struct engine_observer *observer);
void engine_free(struct engine *e); /* before the oracle; NULL is fine */

/* Runs until the fixpoint or until something stops it; then nothing runs any more. */
enum driver_end engine_run(struct engine *e, struct oracle *oracle, struct err *err);

/* Submits the present questions to ORACLE, the same one at each call, as far as it has free
 * slots: first those that must be answered, then those that are likely to follow. DRIVER_RUNS: it
 * waits for answers. */
enum driver_end engine_ask(struct engine *e, struct oracle *oracle, struct err *err);

/* An answer to a question of engine_ask. 0, or -1 with err. */
int engine_answer(struct engine *e, const struct answer *answer, struct err *err);

/* Nobody will answer TICKET. False: the answer is needed, and the question stays. */
bool engine_forget(struct engine *e, uint64_t ticket);

/* Whether the answer to TICKET still matters. */
bool engine_wants(const struct engine *e, uint64_t ticket);

/* What was verified at the fixpoint, in words, a property of the bytes and the verdicts. */
void engine_certificate(const struct engine *e, char *text, size_t size);

struct testcase *engine_current(const struct engine *e); /* borrowed */
const struct driver_stats *engine_stats(const struct engine *e);
struct external_stats engine_external_stats(const struct engine *e);
struct reducer *engine_reducer(const struct engine *e); /* for its counts, and its log */
