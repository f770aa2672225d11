#include "lang/pattern.h"

#include "base/mem.h"

static void *take(size_t size, UNUSED void *data)
{
	return mem_alloc(size);
}

static void give(void *p, UNUSED void *data)
{
	free(p);
}

/* What is made with it keeps its functions. */
static pcre2_general_context *memory(void)
{
	return pcre2_general_context_create(take, give, NULL);
}

pcre2_compile_context *pattern_compile_context(void)
{
	pcre2_general_context *m = memory();
	pcre2_compile_context *context = pcre2_compile_context_create(m);
	pcre2_general_context_free(m);
	return context;
}

pcre2_match_context *pattern_match_context(void)
{
	pcre2_general_context *m = memory();
	pcre2_match_context *context = pcre2_match_context_create(m);
	pcre2_general_context_free(m);
	return context;
}

pcre2_match_data *pattern_match_data(uint32_t pairs)
{
	pcre2_general_context *m = memory();
	pcre2_match_data *data = pcre2_match_data_create(pairs, m);
	pcre2_general_context_free(m);
	return data;
}

pcre2_jit_stack *pattern_jit_stack(size_t start, size_t most)
{
	pcre2_general_context *m = memory();
	pcre2_jit_stack *stack = pcre2_jit_stack_create(start, most, m);
	pcre2_general_context_free(m);
	if (!stack) /* mapped, not allocated */
		mem_exhausted();
	return stack;
}
