/* An oracle whose questions wait to be taken out, for who asks the test himself: what is submitted
 * lies here until it is handed out, and then until its verdict is told. Nothing can be cancelled.
 */
#ifndef WHITTLE_LIB_MAILBOX_H
#define WHITTLE_LIB_MAILBOX_H

#include "run/oracle.h"

struct mail {
	uint64_t ticket;
	struct testcase *tc; /* a reference */
	bool is_out;         /* handed out; else it waits to be */
};

struct mailbox {
	struct oracle oracle; /* first */
	size_t room;          /* questions that may still be submitted */
	uint32_t n, cap;
	struct mail *list; /* in the order of submission */
};

void mailbox_init(struct mailbox *box);
void mailbox_release(struct mailbox *box);

/* From now on as many questions may be submitted as make MAX with those that wait. */
void mailbox_admit(struct mailbox *box, size_t max);

/* The first question that waits, which is handed out; NULL: none does. Valid until the next call.
 */
const struct mail *mailbox_take(struct mailbox *box);

/* The question of TICKET if it is handed out; NULL. */
struct mail *mailbox_find(struct mailbox *box, uint64_t ticket);

/* The question is over: *mail, of this mailbox, goes. */
void mailbox_drop(struct mailbox *box, struct mail *mail);

#endif
