/* The two halves of slots.h: slots.c has the minders and what they are asked, slots_write.c the
 * candidates. */
#ifndef WHITTLE_RUN_SLOTS_IMPL_H
#define WHITTLE_RUN_SLOTS_IMPL_H

#include "run/slots.h"

/* Notes the names of TC's files, which minders are told when they change. */
void slots_note_names(struct slots *slots, const struct testcase *tc);

/* Writes TC into the slot, as the next test of slot->request will find it. 0, or -1 with err. */
int slots_furnish(struct slots *slots, struct slot *slot, const struct testcase *tc,
                  struct err *err);

#endif
