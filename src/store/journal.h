/* The journal: every verdict, and what else was found out (entry.h), on its way to the disk before
 * the next decision is taken.
 *
 * A file of fixed-size records after a header; one write() per verdict, so that what was recorded
 * survives the death of the process; journal_sync (at commit points) makes it survive the death of
 * the machine as well.
 *
 *     header, 40 bytes: "WHITTLEJ", u32 version, u32 bytes per record, identity (16), checksum of
 * those 32 (8) record, 36 bytes: 'V', verdict, kind, zero, hash (16), number (8), checksum of
 * those 28 (8)
 *
 * Numbers are little-endian; checksums are XXH3-64 seeded with the identity, so that records prove
 * by themselves to which test they belong, even after a damaged header. Nothing damaged is trusted
 * and nothing intact is lost: after a bad record the reader tries each byte for the next good one.
 */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include "store/entry.h"

struct err;
struct faults;

enum { JOURNAL_HEADER = 40, JOURNAL_RECORD = 36 };

/* What reading found. */
struct journal_report {
	uint64_t records; /* intact ones */
	uint64_t torn_at; /* offset of an incomplete last record, which a kill may leave; 0: none;
	                     1: the file ends within its header */
	uint64_t damaged_at; /* offset of the first damage (0 with damaged: the header) */
	uint64_t damaged;    /* bytes that belong to no intact record, without the torn tail */
	bool foreign; /* an intact header of another identity or version: no record was read */
};

/* Reads PATH and calls FN (NULL: only look) for each intact record, in order. 0 also when there is
 * no such file; -1 and err when it cannot be read, or is not a regular file (ERR_USAGE). */
int journal_read(const char *path, struct hash identity, store_entry_fn *fn, void *ctx,
                 struct journal_report *report, struct err *err);

struct journal {
	int fd;
	char *path;
	struct hash identity;
	uint64_t end; /* offset after the last whole record */
	bool dirty;   /* written since the last sync */
	struct faults *faults;
};

/* Opens PATH for appending, creates it when missing, cuts off a torn tail of REPORT (from
 * journal_read of the same file), and writes a header where there is no whole one: a file that is
 * shorter is lost, so the caller looks at REPORT's damage first. -1 and err when the system
 * refuses. */
int journal_open(struct journal *journal, const char *path, struct hash identity,
                 const struct journal_report *report, struct faults *faults, struct err *err);

/* Appends one record. On failure the file ends where it ended before, and the next append may
 * succeed. */
int journal_append(struct journal *journal, const struct store_entry *verdict, struct err *err);

/* Waits until all records are on the disk. */
int journal_sync(struct journal *journal, struct err *err);

void journal_close(struct journal *journal);
