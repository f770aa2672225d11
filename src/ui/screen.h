/* The terminal, by way of ncurses: shows grids, reads keys. Nothing of the reduction is known here.
 *
 * Life cycle: screen_new early (NULL: there is no terminal to draw on, and all is as before);
 * screen_open, when there is something to show; screen_ready, screen_show, screen_key in turns;
 * screen_close, which leaves the terminal as it was; screen_free. In between standard error is a
 * file, which is written to the terminal when the screen is closed, or when the program dies
 * (screen.c).
 *
 * Ctrl-Z works as everywhere: the screen goes, the program stops, and draws again in front.
 */
#pragma once

#include <stdbool.h>

#include "ui/grid.h"

struct screen;

enum screen_key {
	SCREEN_NONE = 0, /* other keys are their characters */
	SCREEN_UP = 0x100,
	SCREEN_DOWN,
	SCREEN_PAGE_UP,
	SCREEN_PAGE_DOWN,
	SCREEN_HOME,
	SCREEN_END,
	SCREEN_BACK, /* escape */
};

/* The library that it uses: "ncursesw" and a version; NULL: whittle was built without. */
const char *screen_library(void);

struct screen *screen_new(void);
void screen_free(struct screen *s); /* NULL is fine; closes it */

/* False: this terminal cannot do it. */
bool screen_open(struct screen *s);
void screen_close(struct screen *s);

/* Is there anything to draw on at the moment? Stops the program when Ctrl-Z was pressed. G gets the
 * size of the terminal. */
bool screen_ready(struct screen *s, struct grid *g);

void screen_show(struct screen *s, const struct grid *g);
int screen_key(struct screen *s);
