/* Which of several definitions is meant by a name, or by the name and content of a file. */
#ifndef WHITTLE_LANG_TOKENIZER_SHELF_H
#define WHITTLE_LANG_TOKENIZER_SHELF_H

#include <stddef.h>
#include <stdint.h>

struct err;
struct tokenizer;

/* The definitions of all directories in order of preference; only skimmed. */
struct shelf {
	struct tokenizer **toks;
	size_t n, cap, hints;
	const char *const *dirs;
};

/* The longest matching pattern wins: "CMakeLists.txt" over "*.txt". Of equally long ones the first.
 * NULL: none matches. */
struct tokenizer *shelf_by_file_name(const struct shelf *shelf, const char *path);

/* By NAME, or, where it is NULL, for the file PATH (NULL: not known) of these bytes: by its name,
 * by its content where several of one directory claim that name alike, by its "#!" line, by its
 * content. *out belongs to the shelf. */
int shelf_choose(const struct shelf *shelf, const char *name, const char *path,
                 const uint8_t *bytes, size_t size, struct tokenizer **out, struct err *err);

#endif
