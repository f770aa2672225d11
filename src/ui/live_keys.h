/* What keys do: they change what is looked at, and what is wished. */
#ifndef WHITTLE_UI_LIVE_KEYS_H
#define WHITTLE_UI_LIVE_KEYS_H

#include <stdbool.h>

#include "reduce/session.h"
#include "ui/live_draw.h"

/* Zero-initialise; release. */
struct live_keys {
	struct live_view view;
	struct session_wishes wishes;
	struct live_pass *passes; /* of the view */
	size_t cap_passes;
};

/* KEY is a character or one of enum screen_key; ROWS: of the screen. True: there is something new
 * to see. */
bool live_keys_press(struct live_keys *k, struct live_model *m, unsigned rows, int key);

/* Gets what the page that is looked at shows of S. */
void live_keys_look(struct live_keys *k, const struct session *s);

void live_keys_release(struct live_keys *k);

#endif
