#include "lang/matcher.h"

enum {
	JIT_STACK_START = 32 * 1024,
	JIT_STACK_MAX = 16 * 1024 * 1024,
	DEPTH_LIMIT = 100 * 1000, /* of the interpreter, where there is no JIT */
};

/* See matcher.h. */
enum {
	WINDOW = 2048,                 /* bytes of the first window */
	GROWTH = 8,                    /* of window and steps with each try */
	STEPS = 4096,                  /* of the first try */
	STEPS_MOST = 10 * 1000 * 1000, /* of the last one, and 16 for each byte of the file: a long
	                                  token is no runaway */
	BUDGET = 64 * 1000 * 1000,     /* bytes and steps of all later tries together... */
	BUDGET_PER_BYTE = 16,          /* ...and for each byte of the file */
};

void matcher_open(struct matcher *m, unsigned captures, bool jit)
{
	*m = (struct matcher){ .data = pattern_match_data(captures + 1),
		               .context = pattern_match_context() };
	m->stack = jit ? pattern_jit_stack(JIT_STACK_START, JIT_STACK_MAX) : NULL;
	pcre2_jit_stack_assign(m->context, NULL, m->stack);
}

void matcher_close(struct matcher *m)
{
	pcre2_jit_stack_free(m->stack);
	pcre2_match_context_free(m->context);
	pcre2_match_data_free(m->data);
}

void matcher_begin(struct matcher *m, const uint8_t *bytes, uint32_t size)
{
	m->bytes = bytes;
	m->size = size;
	m->budget = BUDGET + BUDGET_PER_BYTE * (uint64_t)size;
	pcre2_set_match_limit(m->context, STEPS);
	pcre2_set_depth_limit(m->context, DEPTH_LIMIT);
}

/* One try at POS. The end of a window that is not the end of the file is "more is needed"
 * (PARTIAL). */
static int try_program(struct matcher *m, const pcre2_code *program, bool jit, uint32_t pos,
                       uint32_t window)
{
	PCRE2_SPTR bytes = m->bytes;
	bool whole = window >= m->size - pos;
	size_t end = whole ? m->size : pos + window;
	uint32_t options = PCRE2_NOTEMPTY | (whole ? 0 : PCRE2_PARTIAL_HARD);
	if (jit)
		return pcre2_jit_match(program, bytes, end, pos, options, m->data, m->context);
	return pcre2_match(program, bytes, end, pos, options, m->data, m->context);
}

static bool wants_more(int rc)
{
	return rc == PCRE2_ERROR_PARTIAL || rc == PCRE2_ERROR_MATCHLIMIT;
}

/* How far the match at POS has come; what it consumed is no loss. */
static uint64_t progress(const struct matcher *m, uint32_t pos, int rc)
{
	return rc < 0 ? 0 : pcre2_get_ovector_pointer(m->data)[1] - pos;
}

/* Runs the program at POS with as much as it needs and the budget has. MATCHER_BUDGET_SPENT when
 * that is used up. */
static int run_longer(struct matcher *m, const pcre2_code *program, bool jit, uint32_t pos)
{
	uint64_t most = STEPS_MOST + 16 * (uint64_t)m->size, steps = STEPS, window = WINDOW,
		 cost = 0;
	int rc;
	do {
		if (window >= m->size - pos && steps >= most)
			return PCRE2_ERROR_MATCHLIMIT;
		window = window * GROWTH < m->size - pos ? window * GROWTH : m->size - pos;
		steps = steps * GROWTH < most ? steps * GROWTH : most;
		pcre2_set_match_limit(m->context,
		                      steps < UINT32_MAX ? (uint32_t)steps : UINT32_MAX);
		rc = try_program(m, program, jit, pos, (uint32_t)window);
		cost += rc == PCRE2_ERROR_MATCHLIMIT ? steps : window;
		if (cost > m->budget && wants_more(rc))
			rc = MATCHER_BUDGET_SPENT;
	} while (wants_more(rc));
	pcre2_set_match_limit(m->context, STEPS);
	uint64_t gain = 2 * GROWTH * progress(m, pos, rc);
	cost = cost > gain ? cost - gain : 0;
	if (cost > m->budget)
		rc = MATCHER_BUDGET_SPENT;
	m->budget -= cost < m->budget ? cost : m->budget;
	return rc;
}

int matcher_try(struct matcher *m, const pcre2_code *program, bool jit, uint32_t pos)
{
	return try_program(m, program, jit, pos, WINDOW);
}

int matcher_run(struct matcher *m, const pcre2_code *program, bool jit, uint32_t pos)
{
	int rc = matcher_try(m, program, jit, pos);
	return wants_more(rc) ? run_longer(m, program, jit, pos) : rc;
}
