/* What each worker has to answer before it is used (far_def.h). */
#include "base/err.h"
#include "far/far.h"
#include "far/far_def.h"

static struct far_witness *witness_of(struct far *f, const struct testcase *tc)
{
	for (unsigned i = 0; i < f->n_witnesses; i++)
		if (hash_equal(f->witnesses[i].tc->hash, tc->hash))
			return &f->witnesses[i];
	return NULL;
}

bool far_is_open(struct far *f, const struct testcase *tc)
{
	const struct far_witness *w = witness_of(f, tc);
	return w && !w->verdict;
}

static void set_verdict(struct far *f, struct far_witness *w, enum verdict verdict)
{
	w->verdict = verdict;
	f->trusted |= verdict != VERDICT_UNKNOWN;
	f->seen.all_ns = 0;
	far_room_changes(f);
}

void far_learn_witness(struct far *f, const struct testcase *tc, enum verdict verdict)
{
	struct far_witness *w = witness_of(f, tc);
	if (w && !w->verdict && verdict != VERDICT_TIMEOUT)
		set_verdict(f, w, verdict);
}

void far_vouch(struct oracle *oracle, struct testcase *tc, enum verdict verdict,
               const struct oracle_limits *limits)
{
	struct far *f = (struct far *)oracle;
	struct far_witness *w = witness_of(f, tc);
	if (!w && f->n_witnesses == WITNESSES)
		bug("more than %d test cases are vouched for", WITNESSES);
	if (!w) {
		w = &f->witnesses[f->n_witnesses++];
		w->tc = testcase_ref(tc);
	}
	f->witness_limits = *limits;
	set_verdict(f, w, verdict);
}

void far_trust(struct oracle *oracle)
{
	((struct far *)oracle)->trusted = true;
	far_room_changes((struct far *)oracle);
}

/* Whoever is there first. */
static const struct far_member *first_of(const struct far *f)
{
	for (unsigned i = 0; i < f->n_workers; i++)
		for (unsigned k = 0; k < f->workers[i].n; k++)
			if (far_is_there(&f->workers[i], &f->workers[i].members[k]))
				return &f->workers[i].members[k];
	return NULL;
}

bool far_is_trusted(const struct far *f, const struct far_member *m)
{
	for (unsigned i = 0; i < f->n_witnesses && f->trusted; i++)
		if (far_is_known(&f->witnesses[i]) && !m->said[i])
			return false;
	return f->trusted || (!f->options.tests_here && m == first_of(f));
}

unsigned far_next_witness(const struct far *f, const struct far_member *m)
{
	for (unsigned i = 0; i < f->n_witnesses; i++) {
		enum verdict known = f->witnesses[i].verdict;
		if (!m->said[i] && known != VERDICT_TIMEOUT && (known || !far_waiting(f)))
			return i;
	}
	return f->n_witnesses;
}

const char *far_judge(const struct far *f, const struct far_member *m)
{
	for (unsigned i = 0; i < f->n_witnesses; i++) {
		const struct far_witness *known = &f->witnesses[i];
		bool yes = m->said[i] == VERDICT_INTERESTING;
		if (far_is_known(known) && m->said[i] &&
		    yes != (known->verdict == VERDICT_INTERESTING))
			return yes ? "the test finds the empty input interesting there, but not "
			             "here"
			           : "the test finds the original interesting here, but not there "
			             "(something that it needs may be missing)";
	}
	return NULL;
}

void far_note_witness(const struct far *f, const struct far_question *q, struct far_member *m,
                      enum verdict verdict)
{
	for (unsigned i = 0; i < f->n_witnesses && q->rq.tc; i++)
		if (!m->said[i] && hash_equal(f->witnesses[i].tc->hash, q->rq.tc->hash))
			m->said[i] = verdict;
}
