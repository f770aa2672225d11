/* The answers of external programs as values, and the candidates in them as places that a search
 * can go through. */
#pragma once

#include "base/mem.h"
#include "search/strategy.h"
#include "text/edit.h"

enum { EXTERNAL_MAX_EDITS = 4096 }; /* of one answer */

/* One answer: immutable, counted. */
struct external_result {
	unsigned refs;
	bool failed;        /* crashed, hung, or answered what cannot be understood: no candidate */
	uint32_t instances; /* of a list: how many can be asked for */
	uint32_t n;         /* candidates: edits of the test case that was asked about */
	struct edit *edits;
	struct arena arena;
};

/* FAILED or an answer without candidates. */
struct external_result *external_result_new(bool failed);
struct external_result *external_result_ref(struct external_result *result);
void external_result_unref(struct external_result *result); /* NULL is fine */

/* The answer to "list" about BASE, line by line; one that makes no sense is a failed one. */
struct external_result *external_parse_list(const struct testcase *base, const char *text,
                                            size_t len);

/* The answer to "apply": the whole new file. */
struct external_result *external_parse_file(const struct testcase *base, const uint8_t *bytes,
                                            uint32_t len);

/* The candidates of N results as places of a cutting strategy over VIEW; the caller's. Nothing of
 * the results is referred to. */
struct edit_sites *external_places(struct view *view, struct external_result *const *results,
                                   uint32_t n);
