/* What goes with a definition: in intermediate languages of compilers each value, block and type
 * is defined once, and what mentions one that is not there is an error. So an edit that removes a
 * definition changes what mentions it, as the `gone` lines of a tokenizer say (a value becomes
 * `undef`, a branch goes the other way).
 *
 * Labels divide the lists that they stand in into *sections* (basic blocks); what is in front of
 * the first is one without a name. A *choice* is a group of brackets whose last name is that of a
 * section from which control comes (an entry of a phi): it goes when that section goes, or does not
 * mention the section that the choice is in any more. A statement whose choices all go goes, too.
 *
 * Numbers that are names are counted from 0 in each item of the top, over what has no other name: a
 * section without a name behind the parameters counts as well. They stay so, whatever goes.
 */
#pragma once

#include "text/edit.h"
#include "lang/tree.h"

struct references;

/* Does TOK say what goes with a definition, and is TC a single file? */
bool references_may_be(const struct tokenizer *tok, const struct testcase *tc);

/* Then the definitions and mentions, of TC in one piece. It takes time in proportion to the tokens
 * and the rules; the result keeps what it needs but the bytes of TC, and is the caller's. */
struct references *references_new(const struct tokenizer *tok, const struct testcase *tc,
                                  const struct tokens *tokens, const struct tree *tree);
void references_free(struct references *references); /* NULL is fine */

/* PLAIN with what has to change because of the definitions that go with it; in ARENA. What PLAIN
 * changes itself stays as it is. */
struct edit references_edit(const struct references *references, struct edit plain,
                            struct arena *arena);
