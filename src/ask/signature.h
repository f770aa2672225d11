/* Signatures: what identifies a failure in the output of a program, with what varies masked.
 *
 * What to look for is data: a family of tools is a file signatures/NAME.sig (whittle-signature(5)),
 * whose patterns pick the line that counts and the frames that count, and mask what changes from
 * run to run. The families are asked in the order of their ranks; the first that finds its line
 * names the failure. What a build driver says of the programs that it runs is for its own family
 * alone.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>

#include "base/mem.h"

struct err;
struct family;
struct families;

struct signature {
	const struct family *family;
	char *text; /* the line that counts, masked, then " in FRAME" for frames; the caller's */
	size_t begin, end; /* where the line that counts is in the output */
};

/* TEXT, a signature, for people: mangled names of C++ are those that people know, without what
 * follows the innermost one (arguments, templates), and much is cut; the caller's. */
char *signature_shown(const char *text);

/* What stands for a masked part of a text. */
#define SIGNATURE_MASK "\xe2\x80\xa6"

/* Reads the files *.sig of DIRS (NULL-terminated), of which the earlier hide those of the same name
 * in the later. NULL and err (file:line:column and what was expected) when one is broken. */
struct families *families_load(const char *const *dirs, struct err *err);
void families_free(struct families *families);
SCOPED_POINTER(families, struct families *, families_free)
size_t families_count(const struct families *families);
const struct family *families_get(const struct families *families, size_t i); /* by rank */

/* One family, from its text; FILE is for messages. NULL and err when it is broken. */
struct family *family_parse(const char *file, const char *text, struct err *err);
void family_free(struct family *family);
const char *family_name(const struct family *family);
const char *family_about(const struct family *family); /* one line */

/* Is it for programs of which little is known, so that what it finds may be no failure? */
bool family_guesses(const struct family *family);

/* What FAMILY, one of FAMILIES, is read from to find alone what it finds among them; the caller's.
 */
char *families_text(const struct families *families, const struct family *family);

/* Does OUTPUT tell of another kind of failure as well, such as an error in the input in front of a
 * compiler's own? A candidate may not, when the input did not. */
bool family_fails_otherwise(const struct family *family, const char *output, size_t len);

/* The signature in the LEN bytes of OUTPUT. Frames in files whose base names are in OWN (NULL at
 * the end; NULL: none) do not count: they are what is being reduced. False when there is none; then
 * *out is as it was. Free out->text. */
bool families_find(const struct families *families, const char *output, size_t len,
                   const char *const *own, struct signature *out);
bool family_find(const struct family *family, const char *output, size_t len,
                 const char *const *own, struct signature *out);
