/* The certificate of a test that is not sure: a sample of what it refused since the last success is
 * asked about again, by the rule that a candidate has to meet, and with as many runs as that takes.
 *
 * What is interesting after all was refused by chance: that verdict is reversed, for good, and the
 * reduction starts over with it, as after a mistake (session_doubt.h). The answers are kept, so a
 * resumed run asks for none of them again.
 */
#ifndef WHITTLE_REDUCE_SESSION_SAMPLE_H
#define WHITTLE_REDUCE_SESSION_SAMPLE_H

#include "reduce/driver.h"

struct err;
struct session;

/* At the fixpoint. DRIVER_FIXPOINT: nothing was refused by chance, or the test is sure;
 * DRIVER_DOUBT: start over; DRIVER_STOPPED; DRIVER_FAILED and err. */
enum driver_end sample_settle(struct session *s, struct err *err);

/* What is verified, into s->certificate. */
void sample_certify(struct session *s);

#endif
