/* What the hook has not checked, and why: collected on the way, said in one line at the end. */
#ifndef WHITTLE_HOOK_HOOK_UNCHECKED_H
#define WHITTLE_HOOK_HOOK_UNCHECKED_H

#include <stdbool.h>
#include <stddef.h>

struct hook_unchecked_file {
	char *path; /* from the top of the tree */
	size_t why; /* index of the reason */
};

/* Zero-initialise. */
struct hook_unchecked_list {
	struct hook_unchecked_file *files;
	char **reasons;
	size_t n_files, cap_files, n_reasons, cap_reasons;
	char *blocked_by; /* driver of the first file that stops the push; NULL: none does */
};

/* Notes that the file PATH of DRIVER was not checked. BLOCKS: that stops the push. */
void hook_unchecked_add(struct hook_unchecked_list *list, const char *path, const char *driver,
                        bool blocks, const char *why);

/* The line, without an end; the caller's. OF: the number of files that should have been checked. */
char *hook_unchecked_line(const struct hook_unchecked_list *list, size_t of);

void hook_unchecked_release(struct hook_unchecked_list *list);

#endif
