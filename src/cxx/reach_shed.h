/* The pass "shed": which declaration near the end, with all that cannot do without it, frees most.
 *
 * What is at the end keeps the front alive over what it mentions. So the question is not what
 * is small there, but what gives up the front: for each declaration of the tail, each body and, on
 * the second level, each statement, the *cut* is what it stands for and all that mentions what it
 * declares (a body becomes ";", and so on), and what nothing else reaches any more. The one that
 * saves most, and costs little of the tail, is asked first. One that holds a cut that was too
 * much is too much, too, so what is needed is found out once.
 *
 * Boldly, all that mentions a name goes, also in front, where it cannot mean the one that goes.
 * That takes more than is freed, and often nobody needs it.
 */
#pragma once

#include "search/search.h"
#include "search/view.h"

enum shed_manner {
	SHED_BOLDLY, /* until that has failed some times */
	SHED_WITHIN, /* carefully, only what is at the end, those first that take little with
	                them: what stands in front is another one's business */
};

/* Takes a reference of its own on the view, which has its tree. STATEMENTS: of functions of the
 * tail, instead of their bodies. */
struct search *reach_shed_new(struct view *view, bool statements, enum shed_manner manner);
