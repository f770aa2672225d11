/* What this machine knows of a reduction besides its settings, when it is resumed. */
#pragma once

#include "reduce/session_options.h"
#include "store/history.h"

struct err;

/* Is the program there with which a kept command was run? It may have been installed elsewhere. */
int resume_check_test(struct reduction *r, struct err *err);

/* The external passes that the command line names, else all of before, where they were; on another
 * machine the installed ones. That they are the same is checked when they are asked. *commands:
 * what O points to, the caller's. 0, or -1 and err. */
int resume_take_external(struct reduction *r, struct session_options *o, char **commands,
                         struct err *err);

/* The paths to which tests may write: those given now, else the ones of before; for a reduction
 * that did not run on this machine and had some, what git's configuration allows for FILE. 0, or -1
 * and err. */
int resume_take_allowed(struct reduction *r, const char *file, struct fence_options *f,
                        struct err *err);

/* A test that stayed alive does again: it may understand nothing else. */
void resume_take_life(struct reduction *r, struct session_options *o);
