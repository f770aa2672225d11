/* Tests ahead of time: of what follows if what is likely is true, and where all wait for a single
 * answer also of what follows if it is not. */
#include "base/mem.h"
#include "reduce/driver_impl.h"

enum {
	LOOKAHEAD_STEPS =
		512, /* questions that speculation may have answered by prediction at once */
	LOOKAHEAD_SIZE =
		8 << 20,  /* there is no speculation on larger test cases: each step holds a copy */
	LEAST_SHARE = 25, /* percent of the spare slots for what may follow from a single answer */
	LEAST_CHANCE = 15, /* percent, of any of its outcomes: what a search expects is rough */
	LOOKS = 4,         /* outcomes looked at for each of them */
	BRANCHES_MAX = 64,
	BRANCH_STEPS = 64, /* answers that are known, on the way to a question that is not */
};

static bool is_likely(uint8_t chance)
{
	return chance > 50;
}

/* A clone that is told the predictions for all that is open when it comes to that. */
static void start_ahead(struct driver *d)
{
	d->ahead.reducer = reducer_clone(d->reducer);
	for (uint32_t i = 0; i < d->n_flights; i++)
		if (d->flights[i].real && d->flights[i].is_request)
			ahead_predict_result(&d->ahead, d->flights[i].ask, d->flights[i].hash,
			                     NULL);
		else if (d->flights[i].real)
			ahead_predict(&d->ahead, d->flights[i].ask, d->flights[i].hash,
			              is_likely(d->flights[i].chance));
}

/* One question of the clone: answered if it is known, started unless it runs already. */
static int look_ahead(struct driver *d, struct ask *ask)
{
	struct hash key = driver_key(d, ask);
	struct external_result *result =
		ask->is_request ? external_host_known(d->options.host, key, ask->candidate->size)
				: NULL;
	enum verdict known = ask->is_request
	                             ? VERDICT_UNKNOWN
	                             : verdicts_get(d->verdicts, key, d->options.limits.wall_ns);
	struct flight *f = known || result ? NULL : driver_flight(d, key);
	if (f)
		f->epoch = d->ahead.epoch;
	if (!known && !result && !f && !ask->is_again && driver_submit(d, ask, false) < 0)
		return -1;
	if (ask->is_request)
		ahead_predict_result(&d->ahead, ask->id, key, result);
	else if (known)
		ahead_tell(&d->ahead, ask->id, key, known == VERDICT_INTERESTING);
	else
		ahead_predict(&d->ahead, ask->id, key, is_likely(ask->chance));
	external_result_unref(result);
	return 0;
}

/* Fills free slots with the questions that follow if what is likely is true. ONLY: the only answer
 * that is guessed; NULL: all are. */
static int run_ahead(struct driver *d, const struct hash *only)
{
	if (!d->ahead.reducer)
		start_ahead(d);
	bool room = true;
	for (int steps = 0; steps < LOOKAHEAD_STEPS && room && d->ahead.n <= LOOKAHEAD_STEPS;
	     steps++) {
		struct ask ask;
		uint64_t started = d->tickets;
		enum reducer_state s;
		do
			s = reducer_next(d->ahead.reducer, &ask, d->err);
		while (s == REDUCER_WAIT && ahead_guess(&d->ahead, only));
		if (s != REDUCER_ASK)
			return 0;
		int rc = look_ahead(d, &ask);
		driver_drop_ask(&ask);
		if (rc < 0)
			return -1;
		room = d->tickets == started || oracle_spare_slots(d->oracle);
	}
	return 0;
}

/* A clone of the reducer that waits for a single answer. */
struct branch {
	struct reducer *reducer;
	uint64_t ask;
	uint8_t chance; /* of the answer yes, in percent */
	double comes;   /* how likely it comes to this question */
};

/* Branches whose outcomes are still to be looked at. */
struct branches {
	uint32_t n;
	struct branch list[BRANCHES_MAX];
	uint32_t room;  /* questions that may be started */
	uint32_t looks; /* outcomes that may be looked at: much may run already */
};

static enum verdict verdict_of(bool interesting)
{
	return interesting ? VERDICT_INTERESTING : VERDICT_BORING;
}

/* Asks for a branch until it waits. 1: for a single answer, 0: for none or several; -1 and err. */
static int ask_for_branch(struct driver *d, struct branches *b, struct branch *branch)
{
	uint32_t n_open = 0;
	for (uint32_t steps = 0; steps < BRANCH_STEPS; steps++) {
		struct ask ask;
		enum reducer_state state = reducer_next(branch->reducer, &ask, d->err);
		if (state != REDUCER_ASK)
			return state == REDUCER_WAIT && n_open == 1;
		struct hash key = driver_key(d, &ask);
		bool plain = !ask.is_request && !ask.is_again;
		enum verdict known =
			plain ? verdicts_get(d->verdicts, key, d->options.limits.wall_ns)
			      : VERDICT_UNKNOWN;
		bool starts = plain && !known && !driver_flight(d, key) && b->room;
		int rc = starts ? driver_submit(d, &ask, false) : 0;
		b->room -= starts;
		n_open += !known;
		if (!known) {
			branch->ask = ask.id;
			branch->chance = ask.chance;
		}
		driver_drop_ask(&ask);
		if (rc < 0)
			return -1;
		if (!plain || (!known && !b->room))
			return 0;
		if (known)
			reducer_tell(branch->reducer, ask.id, known, 0);
	}
	return 0;
}

/* How often an answer of this chance is as INTERESTING says. */
static double share_of(uint8_t chance, bool interesting)
{
	int percent = interesting ? chance : 100 - chance, most = 100 - LEAST_CHANCE;
	return (percent < LEAST_CHANCE ? LEAST_CHANCE : percent > most ? most : percent) / 100.0;
}

/* What follows when FROM is told so. */
static int look_at_outcome(struct driver *d, struct branches *b, const struct branch *from,
                           bool interesting)
{
	if (!b->room || !b->looks || b->n == BRANCHES_MAX)
		return 0;
	b->looks--;
	double share = share_of(from->chance, interesting);
	struct branch to = { .reducer = reducer_clone(from->reducer),
		             .comes = from->comes * share };
	reducer_tell(to.reducer, from->ask, verdict_of(interesting), 0);
	int rc = ask_for_branch(d, b, &to);
	if (rc > 0)
		b->list[b->n++] = to;
	else
		reducer_free(to.reducer);
	return rc < 0 ? -1 : 0;
}

static int look_at_both(struct driver *d, struct branches *b, const struct branch *from)
{
	bool likely = is_likely(from->chance);
	int rc = look_at_outcome(d, b, from, likely);
	return rc < 0 ? rc : look_at_outcome(d, b, from, !likely);
}

/* Takes out the branch that is most likely. */
static struct branch next_branch(struct branches *b)
{
	uint32_t best = 0;
	for (uint32_t i = 1; i < b->n; i++)
		if (b->list[i].comes > b->list[best].comes)
			best = i;
	struct branch branch = b->list[best];
	b->list[best] = b->list[--b->n];
	return branch;
}

/* Is only one question open, and about a candidate? Then it is *ONLY. */
static bool one_is_open(const struct driver *d, struct flight *only)
{
	uint32_t n = 0;
	for (uint32_t i = 0; i < d->n_flights; i++)
		if (d->flights[i].real) {
			*only = d->flights[i];
			n++;
		}
	return n == 1 && !only->is_request && !only->is_again;
}

/* Where all wait for a single answer, as when winners are merged, a part of the slots goes to what
 * follows from either outcome, and so on from there: a tree, the likeliest first. The part is
 * larger the more the answer is in doubt. */
static int branch_off(struct driver *d, const struct flight *only)
{
	uint32_t percent = only->chance > 50 ? 100u - only->chance : only->chance;
	percent = percent > LEAST_SHARE ? percent : LEAST_SHARE;
	uint32_t room = oracle_spare_slots(d->oracle) * percent / 100;
	struct branches b = { .room = room, .looks = LOOKS * room };
	struct branch first = { d->reducer, only->ask, only->chance, 1 };
	if (room)
		d->branched = only->hash;
	int rc = look_at_both(d, &b, &first);
	while (rc == 0 && b.n && b.room && b.looks) {
		struct branch branch = next_branch(&b);
		rc = look_at_both(d, &b, &branch);
		reducer_free(branch.reducer);
	}
	while (b.n)
		reducer_free(next_branch(&b).reducer);
	return rc;
}

int driver_speculate(struct driver *d)
{
	if (d->holding || reducer_current(d->reducer)->size > LOOKAHEAD_SIZE ||
	    !oracle_spare_slots(d->oracle))
		return 0;
	struct flight only;
	if (one_is_open(d, &only) && !hash_equal(only.hash, d->branched) &&
	    (run_ahead(d, &only.hash) < 0 || branch_off(d, &only) < 0))
		return -1;
	return oracle_spare_slots(d->oracle) ? run_ahead(d, NULL) : 0;
}
