/* Answers of external programs on disk, so that a resumed reduction need not run them again. A
 * side file that only saves time: with it gone, or its end torn, the programs are asked again and
 * answer the same.
 *
 * Records in the byte order of the machine: header (mark, length, key), the answer, a checksum of
 * both.
 */
#pragma once

#include <stdint.h>
#include <sys/types.h>

#include "base/hash.h"
#include "external/external_result.h"

struct err;

enum { EXTERNAL_FILE_MAX = 256 << 20 }; /* no more is kept */

struct external_file {
	int fd;
	off_t end;
};

/* Where in the file an answer is. */
struct external_extent {
	off_t at;
	uint32_t len;
};

/* Opens or makes PATH and calls FN for each record; cuts off a torn end. -1 and err when the system
 * refuses. */
int external_file_open(struct external_file *f, const char *path,
                       void (*fn)(void *arg, struct hash key, struct external_extent extent),
                       void *arg, struct err *err);

/* Appends an answer; 1, 0 when the file is full, or -1 with errno, and the file is as it was. */
int external_file_add(struct external_file *f, struct hash key,
                      const struct external_result *result, struct external_extent *extent);

/* Reads an answer back; NULL when it cannot be read any more, or is none about a test case of SIZE
 * bytes. */
struct external_result *external_file_get(const struct external_file *f,
                                          struct external_extent extent, uint32_t size);

void external_file_close(struct external_file *f);
