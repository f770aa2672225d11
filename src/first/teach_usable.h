/* What `check` says of a test that can be used: what makes it slow, or its answer depend on what is
 * no part of the candidate. */
#ifndef WHITTLE_FIRST_TEACH_USABLE_H
#define WHITTLE_FIRST_TEACH_USABLE_H

struct session;
struct session_probe;

/* Runs the test of S on the original in other surroundings; prints on standard output what that
 * gave, and on standard error, a line for each, what to change in which line of its script. */
void teach_usable(struct session *s, const struct session_probe *probe);

#endif
