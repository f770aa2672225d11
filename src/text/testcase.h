/* A test case: the bytes being reduced, immutable, with their content hash.
 *
 * One file, or a *tree*: several files, symbolic links and empty directories. The bytes of a tree's
 * entries lie one after another, so that offsets, spans and edits need not name a file; a table
 * says where each one begins. Behind the bytes of each entry of a tree stands one more, its
 * *frame*, which stands for its existence: an edit that cuts the frame with all before it removes
 * the entry, so a file is removed, with whatever else, by plain cuts (edit_apply says what becomes
 * of odd ones). The size of a tree is thus its bytes and one for each entry. A single file has no
 * frame.
 *
 * A candidate of a tree, and a large one of a file where that is asked for (edit_apply_shared),
 * shares what it did not change with the test case it was made from: only testcase_flat gives it
 * bytes of its own in one piece.
 *
 * Test cases are counted references: testcase_new gives one, testcase_ref another, testcase_unref
 * takes one back.
 */
#pragma once

#include <sys/types.h>

#include "base/hash.h"
#include "base/mem.h"

/* Offsets are 32 bits wide: half the memory of structures over large inputs. 4 GiB, where addresses
 * are no wider 1 GiB. */
#define TESTCASE_MAX_SIZE (SIZE_MAX / 4 < UINT32_MAX ? (uint32_t)(SIZE_MAX / 4) : UINT32_MAX)

/* Frames: of what is there as it is; of an executable file, which becomes a plain one by an edit to
 * TESTCASE_FRAME. */
#define TESTCASE_FRAME '\n'
#define TESTCASE_FRAME_EXECUTABLE 'x'

struct testcase_file {
	const char *path; /* as the test sees it: relative, no ".."; shared by all test cases of a
	                     reduction */
	const uint8_t *data; /* its bytes; of a symbolic link the target; NULL: in pieces */
	const struct mem_piece *pieces; /* those; NULL: it is in one */
	struct hash hash;               /* of its bytes, in a tree */
	mode_t mode; /* permission bits, with S_IFLNK for a symbolic link and S_IFDIR for an empty
	                directory */
	uint32_t begin;    /* offset of its first byte */
	uint32_t end;      /* offset after its last byte; in a tree that of its frame */
	uint16_t language; /* which tokenizer (tokenizers.h); 0: not chosen yet */
	bool fixed;        /* named by the user: it may become empty, and stays */
};

/* The paths of all test cases of a reduction, counted: whoever keeps a path without a test case
 * keeps them. */
struct testcase_names;
struct testcase_names *testcase_names_ref(struct testcase_names *names);
void testcase_names_unref(struct testcase_names *names); /* NULL is fine */

struct testcase {
	unsigned refs;
	bool is_tree;
	uint32_t size;
	uint32_t n_files;  /* of a single file 1 */
	uint32_t n_frames; /* of a single file 0 */
	struct testcase_file *files;
	uint8_t *bytes;   /* size bytes and a NUL after them; NULL when they are not in one piece */
	struct hash hash; /* of names, modes and bytes */
	struct testcase_names *names;
	struct testcase *base; /* that data is shared with; NULL: none */
	uint8_t *own;          /* what is not shared */
};

/* A test case of one file. Takes ownership of BYTES, which was allocated with room for a NUL after
 * SIZE bytes. */
struct testcase *testcase_new(const char *path, mode_t mode, uint8_t *bytes, uint32_t size);

/* A tree of N entries, whose path, mode, fixed, begin and end are given (each begins after the
 * frame of the one before); paths are copied. Takes ownership of BYTES, which has room for the
 * frames, filled in here, and a NUL after the last. */
struct testcase *testcase_tree(const struct testcase_file *files, uint32_t n, uint8_t *bytes);

/* For edit_apply. A single file like MODEL with other bytes, which it takes ownership of. */
struct testcase *testcase_like(const struct testcase *model, uint8_t *bytes, uint32_t size);

/* For edit_apply. A single file made of BASE, keeping a reference on it: N pieces, which lie in
 * BASE in their order, or in OWN (which it takes ownership of), as the list itself does. */
struct testcase *testcase_share(struct testcase *base, const struct mem_piece *pieces,
                                uint32_t size, void *own);

/* For edit_apply. A tree made of BASE, keeping a reference on it: N entries (an array that it takes
 * ownership of) whose data lies in BASE or in OWN (which it takes ownership of); `begin`, `end` and
 * the test case's hash are computed. */
struct testcase *testcase_derive(struct testcase *base, struct testcase_file *files, uint32_t n,
                                 uint8_t *own);

/* What remains to be known of TC when its bytes are let go: its size and hash, and no files. It
 * compares as equal to any other test case of its size. */
struct testcase *testcase_summary(const struct testcase *tc);

/* Puts the bytes in one piece if they are not. The base is let go; when nobody else holds it, its
 * memory is used. */
void testcase_flat(struct testcase *tc);

struct testcase *testcase_ref(struct testcase *tc);
void testcase_unref(struct testcase *tc); /* NULL is fine */

#define TESTCASE_SCOPED SCOPED(testcase_unref_scoped) /* a pointer: base/mem.h */
void testcase_unref_scoped(struct testcase **tc);

/* The entry that offset AT (a frame is its entry's) lies in. */
uint32_t testcase_file_at(const struct testcase *tc, uint32_t at);

/* The bytes that its files hold (`wc -c`): the size that users see. Reductions go by `size`, with
 * the frames, as to remove an empty file is progress. */
static inline uint32_t testcase_shown_size(const struct testcase *tc)
{
	return tc->size - tc->n_frames;
}

/* All bytes of F, in pieces; ONE is room for two. */
const struct mem_piece *testcase_pieces(const struct testcase_file *f, struct mem_piece one[2]);

static inline uint32_t testcase_file_size(const struct testcase_file *f)
{
	return f->end - f->begin;
}

/* The frame of an entry with this mode. */
uint8_t testcase_frame(mode_t mode);

/* The total order in which reductions make progress (design: bytes, then natural order of
 * characters): first the shorter; among equally long ones text before binary (a NUL byte or invalid
 * UTF-8), then the one whose first differing character is simpler. In text: white space < digits <
 * lower case < upper case < the rest; in binary: the smaller byte. Negative, 0 or positive as A is
 * simpler than, equal to or less simple than B. */
int testcase_compare(const struct testcase *a, const struct testcase *b);

/* Whether there is more than a stray NUL byte in it: one for 256 bytes or more. */
bool testcase_is_binary(const struct testcase *tc);

/* Whether BYTES are UTF-8 without NUL. */
bool testcase_utf8(const uint8_t *bytes, uint32_t size);

/* Position of BYTE in the natural order, 0 (simplest) to 255. */
uint8_t testcase_natural_rank(uint8_t byte);
