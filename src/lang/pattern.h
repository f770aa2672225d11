/* PCRE2 without memory: its objects are made of memory that does not fail (base/mem.h), since a
 * pattern that could not be tried is not one that does not match. */
#pragma once

#define PCRE2_CODE_UNIT_WIDTH 8
#include <pcre2.h>

/* As their namesakes in PCRE2; never NULL; to be freed as there. */
pcre2_compile_context *pattern_compile_context(void);
pcre2_match_context *pattern_match_context(void);
pcre2_match_data *pattern_match_data(uint32_t pairs);
pcre2_jit_stack *pattern_jit_stack(size_t start, size_t most);
