#include "run/slots_write.h"

#include <errno.h>
#include <poll.h>
#include <string.h>

#include "base/err.h"
#include "base/io.h"
#include "run/charge.h"
#include "run/sets.h"
#include "run/slots_minders.h"
#include "run/watch.h"

/* ---- names ---- */

static bool names_differ(const struct slots *slots, const struct testcase *tc)
{
	if (slots->n_names != tc->n_files || !slots->names_version)
		return true;
	const char *name = slots->names.data;
	for (uint32_t i = 0; i < tc->n_files; i++, name += strlen(name) + 1)
		if (strcmp(name, tc->files[i].path) != 0)
			return true;
	return false;
}

/* The operands do not change; without them the names of the files are what the test gets. */
static void note_operands(struct slots *slots)
{
	const char *const *operands = slots->setup->operands;
	for (; operands[slots->n_names]; slots->n_names++)
		buf_add(&slots->names, operands[slots->n_names],
		        strlen(operands[slots->n_names]) + 1);
	if (!slots->n_names)
		buf_addch(&slots->names, '\0');
	slots->names_version = 1;
}

void slots_note_names(struct slots *slots, const struct testcase *tc)
{
	if (slots->setup->operands ? slots->names_version != 0 : !names_differ(slots, tc))
		return;
	if (slots->setup->operands) {
		note_operands(slots);
		return;
	}
	slots->names.len = 0;
	for (uint32_t i = 0; i < tc->n_files; i++)
		buf_add(&slots->names, tc->files[i].path, strlen(tc->files[i].path) + 1);
	if (!tc->n_files)
		buf_addch(&slots->names, '\0');
	slots->n_names = tc->n_files;
	slots->names_version++;
}

/* ---- room ---- */

/* The next message of the slot's minder, however long that takes. */
static enum slots_news await_message(struct slots *slots, struct slot *slot,
                                     struct wire_reply *reply)
{
	watch_await(slots, slot);
	return slots_receive(slot, reply);
}

/* Lets the minders of idle slots finish their tidying: what the last tests wrote may be what fills
 * the disk. */
static void await_tidying(struct slots *slots)
{
	const struct wire_request sync = { .op = WIRE_SYNC };
	for (unsigned i = 0; i < slots->n; i++) {
		struct slot *slot = &slots->list[i];
		struct wire_reply reply = { 0 };
		if (slot->busy || !wire_send(slot->sock, &sync, sizeof sync, NULL, 0))
			continue;
		while (reply.kind != WIRE_SYNCED &&
		       await_message(slots, slot, &reply) != SLOTS_DEAD)
			;
	}
}

static void set_of(const struct slots *slots, char set[SETS_NAME_SIZE], unsigned generation)
{
	sets_name(set, slots->setup->input & SETUP_INPUT_BASENAME ? 'w' : 'i', generation);
}

/* Waits until the cancelled tests of the slot have ended. That the minder is dead shows again
 * later. */
static void await_end(struct slots *slots, struct slot *slot)
{
	struct wire_reply reply;
	while (slot->unclean && await_message(slots, slot, &reply) != SLOTS_DEAD)
		;
}

static bool is_readable(int fd)
{
	struct pollfd p = { .fd = fd, .events = POLLIN };
	return poll(&p, 1, 0) > 0;
}

enum { PATIENCE = 100 };

/* After a write that failed for want of room: lets those who have filled the disk end and tidy up.
 * False when that is no use: nothing runs, or PATIENCE is at its end, which begins when all tests
 * are over. Only tests without a limit, or too many for the disk, get us here. */
static bool await_room(struct slots *slots, unsigned *patience)
{
	enum { PAUSE_MS = 10 };
	bool runs = false;
	await_tidying(slots);
	for (unsigned i = 0; i < slots->n; i++)
		runs |= slots->list[i].busy && !is_readable(slots->list[i].sock);
	if (slots->running)
		poll(NULL, 0, PAUSE_MS);
	watch_minders(slots);
	return runs || (*patience)-- > 0;
}

static bool is_full(int error)
{
	return error == ENOSPC || error == EDQUOT;
}

/* ---- candidates ---- */

/* Makes the slot's standing tree TC. */
static int update_standing(struct slots *slots, struct slot *slot, const struct testcase *tc,
                           struct err *err)
{
	char set[SETS_NAME_SIZE];
	unsigned patience = slots->running ? PATIENCE : 1;
	set_of(slots, set, WIRE_STANDING);
	await_end(slots, slot);
	slot->generation = WIRE_STANDING;
	for (bool again = false;; again = true) {
		if (standing_update(&slot->standing, slot->dir, set, tc, slots->setup->operands,
		                    slots->umask) == 0)
			return 0;
		int why = errno;
		if (is_full(why) ? await_room(slots, &patience) : !again)
			continue;
		errno = why;
		return err_errno(err, "cannot write a candidate of %u bytes below %s", tc->size,
		                 slots->workdir.path);
	}
}

/* If need be once more from nothing: a test may have reached out of its directory. */
static int write_candidate(struct slots *slots, struct slot *slot, const struct testcase *tc,
                           struct err *err)
{
	char set[SETS_NAME_SIZE];
	unsigned patience = slots->running ? PATIENCE : 1;
	set_of(slots, set, slot->generation);
	for (bool again = false;; again = true) {
		if (workdir_write(slot->dir, set, tc, slots->setup->operands, slots->umask) == 0)
			return 0;
		int why = errno;
		io_remove_ours(slot->dir, set);
		if (is_full(why) ? await_room(slots, &patience) : !again)
			continue;
		errno = why;
		return err_errno(err, "cannot write a candidate of %u bytes below %s", tc->size,
		                 slots->workdir.path);
	}
}

/* In the next of the sets that are cleaned after each test. A standing tree of larger times would
 * only take memory. */
static int write_in_turn(struct slots *slots, struct slot *slot, const struct testcase *tc,
                         struct err *err)
{
	if (slot->standing.names) {
		char set[SETS_NAME_SIZE];
		set_of(slots, set, WIRE_STANDING);
		await_end(slots, slot);
		standing_remove(&slot->standing, slot->dir, set);
	}
	slot->turn = slot->generation = (slot->turn + 1) % WIRE_GENERATIONS;
	return write_candidate(slots, slot, tc, err);
}

static int write_in_slot(struct slots *slots, struct slot *slot, const struct testcase *tc,
                         struct err *err)
{
	return standing_suits(tc) ? update_standing(slots, slot, tc, err)
	                          : write_in_turn(slots, slot, tc, err);
}

/* Into a new slot when a test has removed or moved that, or still does so while it is being
 * cancelled. */
int slots_furnish(struct slots *slots, struct slot *slot, const struct testcase *tc,
                  struct err *err)
{
	char name[WORKDIR_SLOT_SIZE];
	workdir_slot_name(name, (unsigned)(slot - slots->list));
	if (slot->request.words || charge_is_shared(slot)) /* the former is not run a second time */
		await_end(slots, slot);
	if (workdir_holds(slots->workdir.path, name, slot->dir) &&
	    write_in_slot(slots, slot, tc, err) == 0)
		return 0;
	return slots_revive(slots, slot, err) < 0 ? -1 : write_in_slot(slots, slot, tc, err);
}
