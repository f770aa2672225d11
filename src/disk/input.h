/* What is reduced: the operands, files and directories, and the test case that they hold.
 *
 * A single file is a test case of one file under its base name. Several operands, or a directory,
 * are a tree: paths are relative to the innermost directory that holds all operands, so that a test
 * finds `dir` as $1 and `a.c`, `b.h` beside one another in its current directory. Operands that are
 * files stay, if empty; what is in directories may go.
 *
 * Life cycle: input_find (looks, reads no content, so that processes forked afterwards are small),
 * input_read, input_release.
 */
#pragma once

#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

struct err;
struct testcase;

struct input_operand {
	char *name;         /* as the user gave it */
	char *path;         /* absolute; directories on the way resolved */
	const char *inside; /* its path in the test case: the end of `path` */
	bool is_dir;
	mode_t mode; /* permission bits */
};

struct input_entry {
	char *path;  /* in the test case; on disk, below `top`, without the first SKIP bytes */
	mode_t mode; /* as git keeps it: 0644 or 0755, or S_IFLNK or S_IFDIR with 0777 */
	uint32_t size, skip;
	bool fixed;
};

struct input {
	char *top; /* directory in which all operands are */
	bool is_tree;
	bool may_be_empty;
	const char *copied; /* while it is looked into: the operand */
	uint32_t n_operands;
	struct input_operand *operands;
	uint32_t n_entries;
	uint32_t cap_entries;
	struct input_entry *entries;
	uint64_t size; /* bytes of all entries, and one for each in a tree */
};

/* Finds what the N operands NAMES hold. -1 and err (ERR_USAGE) when one is missing, of a strange
 * kind, named twice, in one another, or there is nothing to reduce. The caller releases INPUT in
 * either case. */
int input_find(struct input *input, const char *const *names, uint32_t n, struct err *err);

/* The same for what a reduction has left of it, which may be empty. */
int input_find_result(struct input *input, const char *const *names, uint32_t n, struct err *err);

/* What the directory DIR holds in the place of MODEL's operands: the entries of a result with -o.
 * -1 and err when it holds anything else, or cannot be read. */
int input_find_copy(struct input *input, const struct input *model, const char *dir,
                    struct err *err);

/* The line that makes *COPY, beside the directory DIR, of what lies there now, but for
 * repositories. Both are the caller's. */
char *input_copy_line(const char *dir, char **copy);

/* -1 and err (ERR_USAGE) when it has neither a byte nor a file that may go: for
 * input_find_result. */
int input_check(const struct input *input, struct err *err);

/* The operands of a tree whose paths in it are INSIDE (as from input_operands), below TOP, whether
 * they are there or not; no entries. For output_init. */
void input_describe(struct input *input, const char *top, char *const *inside);

/* The operands that are files get the permissions of what is there, or of the originals beside
 * them; else from TC (permissions.h). */
void input_take_modes(struct input *input, const struct testcase *tc);

/* The test case; the caller's reference. NULL and err when something cannot be read or has changed
 * meanwhile. */
struct testcase *input_read(const struct input *input, struct err *err);

/* A test case of the same kind with nothing in it: empty files, directories with no entries. */
struct testcase *input_empty(const struct input *input);

/* The operands' paths in the test case, a '/' after those of directories, a NULL at the end; the
 * caller's (mem_free_words). */
char **input_operands(const struct input *input);

void input_release(struct input *input);
