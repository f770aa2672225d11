/* Draws the live display: a model and what the user looks at become a grid. Pure.
 *
 * Any size is fine: what has no room is left out, least important first.
 */
#pragma once

#include "ui/live_parts.h"

/* G has its size. */
void live_draw(const struct live_model *m, const struct live_view *v, struct grid *g);
