/* Checks of files that are made anew of lines (binary/anew.h), whatever their kind. */
#pragma once

#include <stdint.h>

struct anew;

/* What is said of what is made of TEXT, *SIZE bytes; the caller's. */
char *lines_said_of(const struct anew *of, const char *text, uint32_t *size);

/* Fails the test unless WHAT is in SAID. */
void lines_check(const char *said, const char *what);

/* Damages what is made of the N TEXTS, and exchanges LETTERS in them: each time what is opened or
 * made must be sound. */
void lines_hostile(const struct anew *of, const char *const *texts, uint32_t n, const char *letters,
                   uint32_t times);
