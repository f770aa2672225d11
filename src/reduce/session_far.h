/* Who else answers for the test of a session: its workers, if it has any (far/far.h), and other
 * runs of the same test, whose refusals are shared (run/shared.h). */
#ifndef WHITTLE_REDUCE_SESSION_FAR_H
#define WHITTLE_REDUCE_SESSION_FAR_H

struct err;
struct session;

/* Starts them, beside the oracle that is there. 0, or -1 with err. */
int session_far_open(struct session *s, struct err *err);

/* The test is about to be asked about the original and the empty input: they are, too, so that they
 * can be used as soon as the answers are in. */
void session_far_ask(struct session *s);

/* What is known of the test is what they are measured by, from now on. */
void session_far_begin(struct session *s);

/* Puts the directory of shared refusals between the session and its oracle, if it is to have one.
 * 0, or -1 and err. */
int session_shared_open(struct session *s, struct err *err);

#endif
