/* What the live display knows of a reduction: events and facts go in, a struct comes out that
 * drawing reads (live_draw.h). Pure: it asks nobody, neither a clock nor a session.
 *
 * Life cycle: live_model_init once the reduction has started; live_model_accepted for each success;
 * live_model_now whenever facts are at hand, before drawing at the latest; live_model_release.
 * Memory is bounded but for a few words a step.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "ui/live_change.h"

struct testcase;

enum {
	LIVE_RATES = 32,            /* moments between which rates are measured */
	LIVE_CHANGES_MAX = 8 << 20, /* memory for what steps changed: later ones come first */
};

/* What does not change while it runs. Borrowed strings. */
struct live_setting {
	const char *file, *name; /* name: that the user gave it; NULL: none */
	const char *tokenizer, *fence, *limits, *externals;
	uint32_t original; /* bytes */
};

/* What a pass did. */
struct live_pass {
	const char *name;
	uint32_t runs, successes;
	uint64_t answers;
	int64_t bytes;
};

/* What is true now. */
struct live_facts {
	uint64_t ns;                    /* since the start */
	uint64_t tests, answers, known; /* known: answers that no test was run for */
	uint64_t interesting, not_interesting, timeouts, excesses, cancelled;
	unsigned jobs, busy; /* jobs: that may run */
	const char *pass;    /* borrowed for as long as the model lives; NULL: none runs */
	struct {
		uint64_t answers;
		int64_t bytes;
	} of_pass;      /* in this run */
	uint32_t block; /* elements that it takes at once; 0: not its way */
	int permille;   /* of its way; -1: not known */
	bool paused, stopping, skipping, replaying;
	char waiting[128]; /* what nothing moves for; empty: it moves */
};

struct live_step {
	uint32_t bytes;
	uint64_t ns, tests;
	const char *pass;
	struct live_change *change; /* NULL: not kept, or part of the next one that is */
};

struct live_model {
	struct live_setting setting;
	struct live_facts now;
	uint32_t bytes; /* of the test case */
	struct live_step *steps;
	size_t n_steps, cap_steps;
	size_t first_change, changes_size; /* steps before that one have theirs no more */
	/* What the next one is compared with, and what is to be; NULL: too large. When steps come
	 * in quick succession, one change stands for several. */
	struct testcase *last, *newest;
	uint64_t compared_ns;
	uint64_t rate_ns[LIVE_RATES], rate_tests[LIVE_RATES];
	size_t n_rates;    /* taken, ever */
	char message[256]; /* the last notice */
};

/* TC: where it starts from. */
void live_model_init(struct live_model *m, const struct live_setting *setting, struct testcase *tc);
void live_model_release(struct live_model *m);

/* A success of PASS, which lives as long as the model, at NS after TESTS tests. */
void live_model_accepted(struct live_model *m, struct testcase *tc, const char *pass, uint64_t ns,
                         uint64_t tests);
void live_model_now(struct live_model *m, const struct live_facts *facts);
void live_model_notice(struct live_model *m, const char *message);

/* Tests per second of late. */
double live_model_rate(const struct live_model *m);

/* The size at NS. */
uint32_t live_model_size_at(const struct live_model *m, uint64_t ns);
