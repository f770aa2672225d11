/* Candidates on their way into the slots. */
#ifndef WHITTLE_RUN_SLOTS_WRITE_H
#define WHITTLE_RUN_SLOTS_WRITE_H

#include "run/slots_def.h"

struct err;

/* Notes the names of TC's files, which minders are told when they change. */
void slots_note_names(struct slots *slots, const struct testcase *tc);

/* Writes TC into the slot, as the next test of slot->request will find it. 0, or -1 with err. */
int slots_furnish(struct slots *slots, struct slot *slot, const struct testcase *tc,
                  struct err *err);

#endif
