#include "lib/mailbox.h"

#include <stdlib.h>
#include <string.h>

#include "base/err.h"
#include "base/mem.h"

static unsigned mailbox_slots(struct oracle *oracle, bool ahead)
{
	(void)ahead;
	size_t room = ((struct mailbox *)oracle)->room;
	return room < UINT32_MAX ? (unsigned)room : UINT32_MAX;
}

static int mailbox_submit(struct oracle *oracle, const struct oracle_request *rq, struct err *err)
{
	struct mailbox *box = (struct mailbox *)oracle;
	if (!box->room || rq->words)
		return err_set(err, ERR_SYSTEM, "a question that cannot be handed out");
	MEM_GROW(box->list, box->n, box->cap);
	box->list[box->n++] = (struct mail){
		.ticket = rq->ticket,
		.tc = testcase_ref((struct testcase *)(uintptr_t)rq->tc) /* only counted */
	};
	box->room--;
	return 0;
}

static int mailbox_wait(struct oracle *oracle, struct answer *answer, int wake_fd, int timeout_ms,
                        struct err *err)
{
	(void)oracle;
	(void)answer;
	(void)wake_fd;
	(void)timeout_ms;
	return err_set(err, ERR_SYSTEM, "verdicts are told, not waited for");
}

static void mailbox_free(struct oracle *oracle)
{
	mailbox_release((struct mailbox *)oracle);
}

static const struct oracle_ops mailbox_ops = {
	.slots = mailbox_slots,
	.submit = mailbox_submit,
	.wait = mailbox_wait,
	.free = mailbox_free,
};

void mailbox_init(struct mailbox *box)
{
	*box = (struct mailbox){ .oracle = { .ops = &mailbox_ops } };
}

void mailbox_release(struct mailbox *box)
{
	for (uint32_t i = 0; i < box->n; i++)
		testcase_unref(box->list[i].tc);
	free(box->list);
	box->list = NULL;
	box->n = box->cap = 0;
}

void mailbox_admit(struct mailbox *box, size_t max)
{
	size_t waiting = 0;
	for (uint32_t i = 0; i < box->n; i++)
		waiting += !box->list[i].is_out;
	box->room = max > waiting ? max - waiting : 0;
}

const struct mail *mailbox_take(struct mailbox *box)
{
	for (uint32_t i = 0; i < box->n; i++)
		if (!box->list[i].is_out) {
			box->list[i].is_out = true;
			return &box->list[i];
		}
	return NULL;
}

struct mail *mailbox_find(struct mailbox *box, uint64_t ticket)
{
	for (uint32_t i = 0; i < box->n; i++)
		if (box->list[i].ticket == ticket && box->list[i].is_out)
			return &box->list[i];
	return NULL;
}

void mailbox_drop(struct mailbox *box, struct mail *mail)
{
	testcase_unref(mail->tc);
	box->n--;
	memmove(mail, mail + 1, (size_t)(&box->list[box->n] - mail) * sizeof *mail);
}
