/* Copies of the result so far, which the user asks for by key. */
#ifndef WHITTLE_UI_LIVE_COPY_H
#define WHITTLE_UI_LIVE_COPY_H

struct session;

/* Writes one beside FILE, under a name that is not there yet. What became of it, in words; the
 * caller's. */
char *live_copy_write(const struct session *s);

#endif
