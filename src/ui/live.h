/* The live display: what is drawn on a terminal while a reduction runs, and the keys. Between a
 * session (its observer's functions, handed on) and the screen.
 *
 * Life cycle: live_new before the session is opened (NULL: no display, each function accepts it);
 * live_started, then the others as news arrives; live_ended, after which lines are printed again;
 * live_free once the session is closed.
 */
#pragma once

#include <stdbool.h>

#include "reduce/session.h"

struct live;

/* NULL: there is no terminal to draw on, or it is somebody else's for now. */
struct live *live_new(void);
void live_free(struct live *l);

/* Is it drawing? Then nobody else writes to the terminal. */
bool live_is_on(const struct live *l);

void live_started(struct live *l, const struct session *s);
void live_accepted(struct live *l, const struct session *s, const char *pass);
void live_tick(struct live *l, const struct session *s);
void live_wishes(struct live *l, struct session_wishes *wishes);
void live_waits(struct live *l, const char *what); /* struct session_observer */
void live_notice(struct live *l, const char *message);
void live_ended(struct live *l);

/* NAME:STEP of the branch that the user wants once this has ended; NULL: none. L's. */
const char *live_branch(const struct live *l);
