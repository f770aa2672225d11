/* What is wrong with a definition that loads: patterns and words that nothing reaches, patterns
 * that are slow. */
#pragma once

#include "lang/tokenizer.h"

/* Told about each finding, at LINE and COLUMN of the definition's file, both from 1. */
typedef void tokenizer_finding(void *data, unsigned line, unsigned column, const char *message);

/* Examines TOK, which is compiled, and reports in the order of the file; returns the number of
 * findings. Found are:
 *
 * - a pattern that an earlier one hides: the same pattern, one that takes each byte it can begin
 * with, or one that takes a text it consists of;
 * - a word that no pattern makes a token of;
 * - a pattern that takes more than a few steps for each byte of some short text made of the bytes
 * it mentions, or reads such a text to its end and then fails: both make a run over a large file as
 * good as endless.
 *
 * What is not found may still be there: texts are tried, patterns are not proved. */
unsigned tokenizer_check(const struct tokenizer *tok, tokenizer_finding *report, void *data);

/* The file TOK came from. */
const char *tokenizer_file(const struct tokenizer *tok);
