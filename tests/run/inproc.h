/* An oracle that calls a function of this process. Programs beside the test cannot be started in
 * it.
 *
 * Submitted questions are judged at once and answered later, oldest first; or in an order that a
 * seed scrambles, to show that nothing depends on the order of arrival.
 */
#pragma once

#include "run/oracle.h"

typedef bool inproc_fn(const struct testcase *tc, void *arg); /* is it interesting? */

/* An oracle of SLOTS slots (at least 1) that asks FN. Free with oracle_free. */
struct oracle *inproc_new(inproc_fn *fn, void *arg, unsigned slots);

/* From now on answers come in an order drawn from SEED; 0: in the order of the questions. */
void inproc_scramble(struct oracle *oracle, uint64_t seed);

/* How often the function was called. */
uint64_t inproc_calls(const struct oracle *oracle);
