/* The proof: are lines of a text counted, as they seem to be? Records that are not proven are cut
 * like any list, by a hunt, with what their cuts repair. The first cut that works is asked about
 * once more without repairs: if it works so, what it repairs is none (search->left); if not, that
 * is proven (search->repaired), and so are places (FIELD_PLACE) if it does not work without these.
 * Then the level is gone through again, by the hunt alone (search->again).
 *
 * The first time a few single records from the midst are cut, no more: what these leave open, other
 * passes find out in passing, by cutting lines.
 */
#pragma once

#include "search/hunt.h"
#include "search/strategy.h"

/* A search over PLACES, which are unproven; it takes a reference of its own. */
struct search *proof_new(struct edit_sites *edit_sites, const struct hunt_options *options);
