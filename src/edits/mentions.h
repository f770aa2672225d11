/* Where the files of a tree are named by its other files: the lines of `#include "a/b.h"`, `from
 * pkg.b import c`, the words of `SOURCES = a.c b.c`. Found in the plain bytes, with no tokenizer,
 * in linear time: a word of letters, digits and ".-_+" that is the last part of a path, or that
 * path without its ending where the line speaks of importing. */
#ifndef WHITTLE_EDITS_MENTIONS_H
#define WHITTLE_EDITS_MENTIONS_H

#include <stdbool.h>
#include <stdint.h>

#include "base/mem.h"
#include "text/testcase.h"

enum { MENTIONS_MAX = 400 }; /* of one file: what is named more often is not followed */

struct mention {
	uint32_t begin, end;     /* the words of the path that is named */
	uint32_t line, line_end; /* the line with its line end; several when brackets are open at
	                            its end */
	bool stem;               /* without its ending, in a line that imports */
};

struct mentions {
	uint32_t
		*first; /* of entry i: list[first[i]] up to list[first[i + 1]], in document order */
	struct mention *list;
};

/* Those of each entry by the others. TC is in one piece; the result lives in ARENA. */
struct mentions *mentions_find(const struct testcase *tc, struct arena *arena);

#endif
