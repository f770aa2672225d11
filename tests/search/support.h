/* Common to the tests of src/search: views of texts, predicates, and two ways to drive a search. */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include "base/rng.h"
#include "search/hunt.h"
#include "search/search.h"
#include "search/strategy.h"
#include "search/view.h"

/* A test case of one file with these bytes. */
struct testcase *support_testcase(const void *bytes, size_t size);

/* A view of TEXT with lines, tokens and tree, under the shipped tokenizer NAME (freed with the
 * program). */
struct view *support_view(const char *tokenizer, const char *text);
struct view *support_binary_view(const char *tokenizer, const void *bytes, size_t size);

/* A search for a strategy over VIEW. */
struct search *support_hunt(const struct strategy *strategy, struct view *view, uint32_t level,
                            const struct hunt_options *options);

struct predicate {
	bool (*holds)(const struct testcase *candidate, const void *arg);
	const void *arg;
};

/* What a search did: which edits it accepted, one after the other, and how many questions it asked.
 */
struct trace {
	uint32_t n_accepted, cap;
	struct hash *accepted;
	uint32_t questions;
	struct testcase *result;
};
void trace_release(struct trace *trace);
bool trace_equal(const struct trace *a,
                 const struct trace *b); /* but for the number of questions */

/* Runs SEARCH to its end and frees it. Each question is answered before the next is asked. Fails
 * the test when an edit is accepted that does not satisfy P. */
struct trace support_run(struct search *search, const struct testcase *base,
                         const struct predicate *p);

/* The same with up to MAX_OPEN questions open, answered in an order that RNG decides. With CLONES,
 * the search is now and then replaced by a clone of itself. */
struct trace support_run_scrambled(struct search *search, const struct testcase *base,
                                   const struct predicate *p, uint32_t max_open, bool clones,
                                   struct rng *rng);

/* How many bytes C there are. */
uint32_t support_count(const struct testcase *tc, char c);

/* Whether the searches that MAKE gives accept the same edits one by one as in any order of
 * verdicts. */
bool support_same_in_any_order(struct search *(*make)(struct view *), struct view *view,
                               const struct predicate *p, bool clones, uint64_t seed);
