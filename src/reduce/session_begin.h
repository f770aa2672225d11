/* How a session begins: it looks at all that is given, reads it, finds what is kept, and asks the
 * test whether it can be used. */
#ifndef WHITTLE_REDUCE_SESSION_BEGIN_H
#define WHITTLE_REDUCE_SESSION_BEGIN_H

struct err;
struct session;
struct session_probe;

/* Fills in S, of which the options are set. PROBE is filled even when it fails for a reason of the
 * test. On failure the caller closes the session. */
int session_begin(struct session *s, struct session_probe *probe, struct err *err);

/* Finds the tokenizers for S->original. */
int session_find_language(struct session *s, struct err *err);

#endif
