/* The lexer: every byte of a test case belongs to exactly one token, valid input or not. */
#ifndef WHITTLE_TEXT_LEXER_H
#define WHITTLE_TEXT_LEXER_H

#include <stdint.h>

#include "text/testcase.h"
#include "text/tokenizer.h"

struct err;

struct token {
	uint32_t begin;
	uint16_t bracket; /* for OPEN and CLOSE: which pair, else 0; equal numbers match */
	uint8_t kind;     /* enum token_kind */
	uint8_t strength; /* not 0: an item ends here; larger splits first */
};

/* Strengths: definitions use 1 to 7; the frames of a tree's files are TERMINATORs with the strength
 * above all. A SEPARATOR, TERMINATOR or NEWLINE with a strength stands behind the item, any other
 * token with one (a "}", an atom of Lisp) is the item's last. A TERMINATOR of no bytes stands where
 * a rule says that an item begins. */
enum { TOKEN_STRENGTH_FILE = 8 };

/* The tokens of a whole test case, in order. tokens[n].begin is the size of the test case, so that
 * token i always ends where token i + 1 begins. Layout brackets (indentation) are tokens of no
 * bytes. */
struct tokens {
	uint32_t n;
	uint32_t unmatched; /* bytes that no pattern matched */
	struct token *list; /* n + 1 entries */
};

/* Tokenizes TC; file borders are token borders. 0, or -1 with err when a pattern hit its match
 * limit (the message names the pattern and the offset). The caller releases OUT. Linear in the
 * size. */
int lexer_run(const struct tokenizer *tok, const struct testcase *tc, struct tokens *out,
              struct err *err);

/* The same for a tree whose files have each their own language (tokenizers_assign). */
struct tokenizers;
int lexer_run_mixed(const struct tokenizers *toks, const struct testcase *tc, struct tokens *out,
                    struct err *err);

void tokens_release(struct tokens *tokens);

#endif
