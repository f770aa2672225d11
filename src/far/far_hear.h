/* What workers say: answers, failures, the versions of the programs that they run. */
#ifndef WHITTLE_FAR_FAR_HEAR_H
#define WHITTLE_FAR_FAR_HEAR_H

#include "far/far_workers.h"

/* Takes in what has been read from the worker. NULL, or why it is of no use. */
const char *far_hear(struct far *f, struct far_worker *w);

/* M is not used any more if what it says of calibration test cases is not what is known. NULL, or
 * why W is of no use. */
const char *far_dismiss(struct far *f, struct far_worker *w, struct far_member *m);

/* Runs the programs that the test names, for their versions here. */
void far_find_tools(struct far *f);

void far_release_tools(struct far *f);

#endif
