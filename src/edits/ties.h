/* What else goes or changes with what is cut. Imports that go with what they are for: where a
 * language refuses an import of which nothing is mentioned (Go), the last mention goes only
 * together with the import. Which items are imports the tokenizer says (`imports`,
 * whittle-tokenizer(5)). */
#pragma once

#include "search/strategy.h"

/* What PLACES take goes with the imports of their view that nothing else mentions, and changes what
 * counts its lines (`tally`). The view has its tree. For open. */
void ties_add(struct edit_sites *edit_sites);
