/* Where candidates are written: one directory per pool, in memory where there is room, with one
 * directory per slot.
 *
 *     whittle-XXXXXX/          0700; locked (flock) by whoever still uses it
 *         slot-0000/
 *             w0/ w1/ w2/      working directories of the test, one set per generation (wire.h)
 *             t0/ t1/ t2/      TMPDIR
 *             i0/ i1/ i2/      the candidate, when the test is not to find it in its working
 * directory
 *
 * The lock belongs to the open directory, which the pool and its supervisors share: it falls when
 * the last of them is gone, however they went. A directory of this name that is ours and has no
 * lock is what a dead pool left behind. Ours is told by a mark: an extended attribute, or where
 * there are none a file; tests may have put anything beside the slots.
 */
#pragma once

#include <stdint.h>

#include "text/testcase.h"

struct err;

struct workdir {
	char *path; /* absolute */
	int fd;     /* the open directory, locked */
	char *left; /* what a dead pool left and could not be removed, in words; NULL: nothing */
};

/* The size of a slot directory's name with its NUL. */
enum { WORKDIR_SLOT_SIZE = 24 };

/* Makes the directory for SLOTS slots, each of which needs ROOM bytes: below BASE, or with BASE
 * NULL in /dev/shm if that is memory, may run programs and has room, else in $TMPDIR, else in /tmp.
 * Removes what dead pools left there, whatever is in it. 0, or -1 with err. End with
 * workdir_release. */
int workdir_init(struct workdir *dir, const char *base, unsigned slots, uint64_t room,
                 struct err *err);

/* Removes the directory and all in it, as far as it goes: the rest is what the next pool finds. */
void workdir_release(struct workdir *dir);

/* The name of slot I's directory, relative to the pool's. */
void workdir_slot_name(char name[WORKDIR_SLOT_SIZE], unsigned i);

/* Makes slot I's directory (emptying what was there) and opens it: a descriptor, or -1 with err. A
 * test may have removed or moved the pool's directory: then that is made anew, under the same name.
 */
int workdir_make_slot(struct workdir *dir, unsigned i, struct err *err);

/* Whether FD is the directory SLOT (its name) below PATH, and can be used: what a test removed,
 * moved or closed off is not. */
bool workdir_holds(const char *path, const char *slot, int fd);

/* Writes the entries of TC below SET ("w0") in the open slot directory, and the directories among
 * OPERANDS (as in struct setup; may be NULL); UMASK is the process's. 0, or -1 with errno. */
int workdir_write(int slot, const char *set, const struct testcase *tc, const char *const *operands,
                  mode_t umask);

/* The two halves of that, in the open directory DIR: one entry; the directories among OPERANDS. */
int workdir_write_entry(int dir, const struct testcase_file *file, mode_t umask);
int workdir_make_operands(int dir, const char *const *operands);
