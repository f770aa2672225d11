/* What the file of a reduction holds now. Of one that runs, or was killed, that is further than its
 * last commit; what the file holds then is known as interesting by the journal. */
#pragma once

#include <stdbool.h>
#include <stdint.h>

struct err;
struct reduction;
struct reduction_info;
struct testcase;

enum now_is {
	NOW_NOT_THERE, /* the file is missing, or not known here */
	NOW_FOREIGN,   /* something that is no result of this reduction */
	NOW_LAST,      /* the last snapshot */
	NOW_AHEAD,     /* simpler than that, and interesting by the journal */
	NOW_OTHER, /* another snapshot, or another interesting one, such as a formatted result */
};

struct now {
	enum now_is is;
	char *path;          /* absolute path; NULL: not known */
	struct testcase *tc; /* NULL: NOW_NOT_THERE */
};

/* Looks. Failing to read the file is NOW_NOT_THERE; -1 and err: the history cannot be read. The
 * caller releases NOW in either case. */
int now_look(struct reduction *r, struct now *now, struct err *err);
void now_release(struct now *now);

/* The bytes that the reduction of INFO has come to: those of its last snapshot, or of its file when
 * that is further. *ahead (may be NULL): it is. */
uint64_t now_bytes(const struct reduction_info *info, bool *ahead);
