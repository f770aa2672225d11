/* A test case: the bytes being reduced, immutable, with their content hash.
 *
 * One file, or several: the bytes of all files lie behind one another, so that offsets, spans and edits need not name a
 * file; a table says where each one begins. Spans never cross the border between two files.
 * Test cases are counted references: testcase_new gives one, testcase_ref another, testcase_unref takes one back.
 */
#ifndef WHITTLE_TEXT_TESTCASE_H
#define WHITTLE_TEXT_TESTCASE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

#include "base/hash.h"

/* Offsets are 32 bits wide: half the memory of structures over large inputs. */
#define TESTCASE_MAX_SIZE UINT32_MAX

struct testcase_file {
	char *path;     /* as the test sees it: relative, no ".." */
	mode_t mode;    /* permission bits */
	uint32_t begin; /* offset of its first byte */
	uint32_t end;   /* offset behind its last byte */
};

struct testcase {
	unsigned refs;
	uint32_t size;
	uint32_t n_files; /* at least 1 */
	struct testcase_file *files;
	uint8_t *bytes; /* size bytes and a NUL behind them */
	struct hash hash; /* of names, modes and bytes */
};

/* A test case of one file. Takes ownership of BYTES, which was allocated with room for a NUL behind SIZE bytes. */
struct testcase *testcase_new(const char *path, mode_t mode, uint8_t *bytes, uint32_t size);

/* A test case shaped like MODEL (same files) with other bytes; ENDS[i] is where file i ends. Takes ownership of BYTES. */
struct testcase *testcase_like(const struct testcase *model, uint8_t *bytes, const uint32_t *ends);

struct testcase *testcase_ref(struct testcase *tc);
void testcase_unref(struct testcase *tc); /* NULL is fine */

/* The total order in which reductions make progress (design: bytes, then natural order of characters): first the
 * shorter; among equally long ones text before binary (a NUL byte or invalid UTF-8), then the one whose first differing
 * character is simpler. In text: white space < digits < lower case < upper case < the rest; in binary: the smaller byte.
 * Negative, 0 or positive as A is simpler than, equal to or less simple than B. */
int testcase_compare(const struct testcase *a, const struct testcase *b);

/* Position of BYTE in the natural order, 0 (simplest) to 255. */
uint8_t testcase_natural_rank(uint8_t byte);

#endif
