/* What is smaller than a declaration or a statement: items of lists in brackets, what is in
 * brackets, base classes, attributes and other words that a declaration can do without, directives.
 * Tokens alone say what these are, so a guess may be wrong; the judge sees to that.
 */
#pragma once

#include "judge.h"
#include "text.h"

#include <functional>

/* TEXT becomes smaller as long as the judge accepts that; REPORT is called with each text that was
 * accepted. True: something went. */
bool shrink_details(Judge &judge, Text &text, const std::function<void(const Text &)> &report);
