#include "ui/live_model.h"

#include <stdio.h>

#include "base/mem.h"
#include "text/testcase.h"

static const uint64_t RATE_EVERY_NS = 250000000u;

enum { COMPARED_MAX = 16 << 20, COMPARED_TREE_MAX = 1 << 20 };

/* A second copy of what is large would be felt. */
static struct testcase *hold(struct testcase *tc)
{
	uint32_t most = tc->is_tree ? COMPARED_TREE_MAX : COMPARED_MAX;
	if (tc->size > most)
		return NULL;
	testcase_flat(tc);
	return testcase_ref(tc);
}

void live_model_init(struct live_model *m, const struct live_setting *setting, struct testcase *tc)
{
	memset(m, 0, sizeof *m);
	m->setting = *setting;
	m->bytes = testcase_shown_size(tc);
	m->now.permille = -1;
	m->last = hold(tc);
	m->newest = hold(tc);
}

void live_model_release(struct live_model *m)
{
	for (size_t i = m->first_change; i < m->n_steps; i++)
		live_change_free(m->steps[i].change);
	free(m->steps);
	testcase_unref(m->last);
	testcase_unref(m->newest);
	memset(m, 0, sizeof *m);
}

/* Later changes come first when there is no room for all. */
static void make_room(struct live_model *m)
{
	for (; m->changes_size > LIVE_CHANGES_MAX; m->first_change++) {
		struct live_step *old = &m->steps[m->first_change];
		if (!old->change)
			continue;
		m->changes_size -= live_change_cost(old->change);
		live_change_free(old->change);
		old->change = NULL;
	}
}

/* What the last step changed, since the last one of which that is known. */
static void compare(struct live_model *m)
{
	struct live_step *step = &m->steps[m->n_steps - 1];
	step->change = m->last && m->newest ? live_change_new(m->last, m->newest) : NULL;
	testcase_unref(m->last);
	m->last = m->newest ? testcase_ref(m->newest) : NULL;
	m->changes_size += step->change ? live_change_cost(step->change) : 0;
	make_room(m);
}

/* To compare takes about a two-hundredth of this: it must not slow down what it shows. */
static uint64_t pause_after(const struct testcase *tc)
{
	enum { EACH_NS = 400000, BYTE_NS = 60 };
	return EACH_NS + BYTE_NS * (uint64_t)tc->size;
}

void live_model_accepted(struct live_model *m, struct testcase *tc, const char *pass, uint64_t ns,
                         uint64_t tests)
{
	MEM_GROW(m->steps, m->n_steps, m->cap_steps);
	struct live_step *step = &m->steps[m->n_steps++];
	*step = (struct live_step){
		.bytes = testcase_shown_size(tc), .ns = ns, .tests = tests, .pass = pass
	};
	m->bytes = testcase_shown_size(tc);
	testcase_unref(m->newest);
	m->newest = hold(tc);
	if (m->compared_ns && ns - m->compared_ns < pause_after(tc))
		return;
	m->compared_ns = ns;
	compare(m);
}

void live_model_now(struct live_model *m, const struct live_facts *facts)
{
	size_t last = (m->n_rates + LIVE_RATES - 1) % LIVE_RATES;
	m->now = *facts;
	if (m->n_steps && m->newest != m->last)
		compare(m);
	if (m->n_rates && facts->ns - m->rate_ns[last] < RATE_EVERY_NS)
		return;
	m->rate_ns[m->n_rates % LIVE_RATES] = facts->ns;
	m->rate_tests[m->n_rates % LIVE_RATES] = facts->tests;
	m->n_rates++;
}

void live_model_notice(struct live_model *m, const char *message)
{
	snprintf(m->message, sizeof m->message, "%s", message);
}

double live_model_rate(const struct live_model *m)
{
	size_t first = m->n_rates < LIVE_RATES ? 0 : m->n_rates % LIVE_RATES;
	if (!m->n_rates || m->now.ns <= m->rate_ns[first])
		return 0;
	return (double)(m->now.tests - m->rate_tests[first]) * 1e9 /
	       (double)(m->now.ns - m->rate_ns[first]);
}

uint32_t live_model_size_at(const struct live_model *m, uint64_t ns)
{
	uint32_t n = MEM_FIRST(m->steps, (uint32_t)m->n_steps, ns, ns + 1);
	return n ? m->steps[n - 1].bytes : m->setting.original;
}
