/* Test cases and edits as bytes of a message (whittle-workers(7)). Numbers take as many bytes as
 * they need, seven bits each, the lowest first. What is read is not trusted: it is whole and well
 * formed, or refused, and takes no more memory than some times its own length.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>

#include "text/edit.h"

struct buf;

void code_add_edit(struct buf *to, struct edit edit);

/* Reads what code_add_edit wrote: an edit of SIZE bytes, its parts in ARENA, their bytes in BYTES.
 * False: it is none, or its result would be too large. */
bool code_read_edit(const uint8_t *bytes, size_t len, uint32_t size, struct arena *arena,
                    struct edit *out);

void code_add_testcase(struct buf *to, const struct testcase *tc);

/* Reads what code_add_testcase wrote; the caller's reference. NULL: it is none, or one with a path
 * that must not be made (base/path.h). */
struct testcase *code_read_testcase(const uint8_t *bytes, size_t len);

/* A hash in hexadecimal digits. */
enum { CODE_HASH_SIZE = 33 };
void code_hash(struct hash hash, char text[CODE_HASH_SIZE]);
bool code_read_hash(const char *text, struct hash *hash);
