/* What a reduction starts from, as files beside its journal: where FILE is another reduction's, or
 * is left alone. */
#pragma once

struct err;
struct input;
struct testcase;

/* The directory of them for the reduction NAME in the repository COMMON; the caller's. */
char *aside_dir(const char *common, const char *name);

/* Writes TC to DIR, which is made. OPERANDS: of a tree, as of input_operands. LIKE: the file whose
 * permissions a single file has; NULL: not known. *IN becomes what is there then, and is released
 * by the caller also after a failure: -1 and err. */
int aside_place(struct input *in, const char *dir, char *const *operands, const struct testcase *tc,
                const char *like, struct err *err);
