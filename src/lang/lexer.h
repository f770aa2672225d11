/* The lexer: every byte of a test case belongs to exactly one token, valid input or not. */
#pragma once

#include <stdint.h>

#include "text/testcase.h"
#include "lang/token.h"
#include "lang/tokenizer.h"

struct err;

/* Tokenizes TC; file borders are token borders. 0, or -1 with err when a pattern hit its match
 * limit (the message names the pattern and the offset). The caller releases OUT. Linear in the
 * size. */
int lexer_run(const struct tokenizer *tok, const struct testcase *tc, struct tokens *out,
              struct err *err);

/* The same, but with all tokens in any case: from where the patterns gave up each byte is one.
 * GRAIN: what is smaller is not kept apart (shape.h); 0: all is. */
int lexer_run_on(const struct tokenizer *tok, const struct testcase *tc, uint32_t grain,
                 struct tokens *out, struct err *err);

/* Likewise for a tree whose files have each their own language (tokenizers_assign). */
struct tokenizers;
int lexer_run_mixed(const struct tokenizers *toks, const struct testcase *tc, uint32_t grain,
                    struct tokens *out, struct err *err);
