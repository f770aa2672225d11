/* Refusals shared with other runs of the same test (run/shared.h). */
#ifndef WHITTLE_REDUCE_SESSION_SHARED_H
#define WHITTLE_REDUCE_SESSION_SHARED_H

struct err;
struct session;

/* Puts the directory between the session and its oracle, if it is to have one. 0, or -1 and err. */
int session_shared_open(struct session *s, struct err *err);

#endif
