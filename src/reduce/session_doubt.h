/* Doubts of a session: a test that seemed sure has said no to what it had said yes to.
 *
 * How often it says yes is then measured, on the original and on what there is now, and said. What
 * says yes much less often than the original was found interesting by chance: that verdict is
 * reversed, for good, and the reduction starts over from the original with all other verdicts,
 * which leads it back to the last test case in front of the mistake. That one is looked at first.
 * All this is kept, so a resumed run does the same.
 */
#pragma once

#include "reduce/driver.h"

struct err;
struct session_store_known;
struct rate;
struct session;

/* What earlier runs KNOW of it. */
void doubt_begin(struct session *s, const struct session_store_known *known);

/* The candidate of which the verdict was reversed, when what stood in front of it is yet to be
 * looked at; else zero. */
struct hash doubt_after(struct session *s);

/* Measures how often the test says yes to NOW, and decides. ARG is the session. With DOUBT_FALSE
 * the verdict is reversed, and the store is back at the original. */
enum driver_doubt doubt_settle(void *arg, struct testcase *now, struct err *err);

/* NOW is the result of a test that is not sure: DRIVER_FIXPOINT, or what else comes of it. */
enum driver_end doubt_result(struct session *s, struct testcase *now, struct err *err);

/* Of a test that is not sure: how often it says yes to the result NOW, by runs that were not made
 * to find it. */
void doubt_say_last(struct session *s, const struct testcase *now);

/* Runs the test on TC so often, and adds to SEEN. DOUBT_NONE, DOUBT_STOP, or DOUBT_FAILED and
 * err. */
enum driver_doubt doubt_ask(struct session *s, const struct testcase *tc, unsigned runs,
                            struct rate *seen, struct err *err);

/* What to start from again; the caller's reference. NULL and err when it cannot be read. */
struct testcase *doubt_original(struct session *s, struct err *err);
