#include "ask/pattern.h"

#define PCRE2_CODE_UNIT_WIDTH 8
#include <pcre2.h>

#include "base/err.h"
#include "base/mem.h"

struct pattern {
	pcre2_code *code;
	pcre2_match_data *data;
	pcre2_match_context *context;
};

/* How much work hostile output may cause in a pattern: about a second's. */
enum { MATCH_LIMIT = 10000000, HEAP_LIMIT_KB = 65536 };

struct pattern *pattern_new(const char *text, struct err *err)
{
	int error;
	PCRE2_SIZE at;
	pcre2_compile_context *context = pcre2_compile_context_create(NULL);
	pcre2_set_newline(context, PCRE2_NEWLINE_ANYCRLF);
	pcre2_code *code = pcre2_compile((PCRE2_SPTR)text, PCRE2_ZERO_TERMINATED, PCRE2_MULTILINE,
	                                 &error, &at, context);
	pcre2_compile_context_free(context);
	if (!code) {
		PCRE2_UCHAR why[256];
		pcre2_get_error_message(error, why, sizeof why);
		err_set(err, ERR_USAGE, "column %zu: %s", at + 1, (char *)why);
		return NULL;
	}
	struct pattern *p = mem_zero(1, sizeof *p);
	p->code = code;
	p->data = pcre2_match_data_create_from_pattern(code, NULL);
	p->context = pcre2_match_context_create(NULL);
	pcre2_set_match_limit(p->context, MATCH_LIMIT);
	pcre2_set_heap_limit(p->context, HEAP_LIMIT_KB);
	return p;
}

void pattern_free(struct pattern *p)
{
	if (!p)
		return;
	pcre2_code_free(p->code);
	pcre2_match_data_free(p->data);
	pcre2_match_context_free(p->context);
	free(p);
}

unsigned pattern_group(const struct pattern *p, const char *name, unsigned otherwise)
{
	int n = pcre2_substring_number_from_name(p->code, (PCRE2_SPTR)name);
	return n > 0 && n < PATTERN_GROUPS ? (unsigned)n : otherwise;
}

bool pattern_find(const struct pattern *p, const char *text, size_t len, size_t from,
                  struct pattern_match *match)
{
	if (from > len ||
	    pcre2_match(p->code, (PCRE2_SPTR)text, len, from, 0, p->data, p->context) < 0)
		return false;
	const PCRE2_SIZE *at = pcre2_get_ovector_pointer(p->data);
	if (at[0] < from || at[0] > at[1]) /* \K in a group that an assertion calls */
		return false;
	uint32_t n = pcre2_get_ovector_count(p->data);
	match->n = n < PATTERN_GROUPS ? n : PATTERN_GROUPS;
	for (unsigned i = 0; i < match->n; i++)
		match->group[i] = at[2 * i] == PCRE2_UNSET
		                          ? (struct pattern_span){ 1, 0 }
		                          : (struct pattern_span){ at[2 * i], at[2 * i + 1] };
	return true;
}
