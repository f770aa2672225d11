#include "reduce/driver.h"

#include "base/err.h"
#include "base/mem.h"
#include "base/work.h"
#include "reduce/ahead.h"

/* A test that runs, or an external program. */
struct flight {
	uint64_t ticket;  /* 0: it is over, and there are doubts about it */
	struct hash hash; /* of the candidate; the key of a request */
	uint64_t ask;     /* the reducer's question; when real is false, the one it is expected to
	                     become */
	bool real;
	uint8_t chance; /* that a real one is interesting, in percent */
	uint64_t epoch; /* speculation that wanted it last */
	bool is_request, is_again;
	struct recipe recipe; /* of a real one whose candidate the oracle does not keep */
};

struct driver {
	struct reducer *reducer;
	struct ahead ahead;
	struct oracle *oracle;
	struct verdicts *verdicts;
	struct driver_options options;
	struct driver_stats *stats;
	struct err *err;
	uint32_t n_flights, cap_flights;
	struct flight *flights;
	bool holding; /* `held` waits for a free slot */
	struct ask held;
	struct edit held_edit; /* how it was made; owned */
	uint64_t skips;        /* of the reducer, as seen last */
	bool doubts;           /* about what the reducer has, and about what comes of them */
	bool left;             /* in the middle of its work: what it held is lost */
	bool looked;           /* at what stands when `after` is asked about */
	uint64_t tickets;
	struct hash branched; /* the single question whose other outcome was looked at last */
};

/* There are doubts: once no test runs, the owner says what comes of them. DRIVER_RUNS: there are
 * none any more, or answers are awaited. */
enum driver_end driver_settle(struct driver *d);

static int driver_speculate(struct driver *d);

static bool driver_is_doubtful(struct driver *d, struct hash key);

enum {
	ASKED_AT_ONCE = 64, /* questions answered from the table between two calls of should_stop */
};

/* The flight of the question with this key; NULL: there is none. */
static struct flight *driver_flight(struct driver *d, struct hash hash)
{
	for (uint32_t i = 0; i < d->n_flights; i++)
		if (hash_equal(d->flights[i].hash, hash))
			return &d->flights[i];
	return NULL;
}

/* The reducer learns a true verdict, which stands in the table under HASH. */
static void driver_tell(struct driver *d, uint64_t ask, struct hash hash, enum verdict v)
{
	if (verdicts_use(d->verdicts, hash))
		reducer_counts_test(d->reducer, ask);
	bool interesting = v == VERDICT_INTERESTING;
	ahead_confirm(&d->ahead, hash, interesting);
	reducer_tell(d->reducer, ask, v, d->options.limits.wall_ns);
}

/* The reducer learns what a program answered. Predicted was that it has nothing to offer. */
static void give_reducer(struct driver *d, uint64_t ask, struct hash key,
                         struct external_result *result)
{
	ahead_confirm(&d->ahead, key, result->n || result->instances);
	reducer_give(d->reducer, ask, result);
}

/* Under what the answer to ASK is known. */
static struct hash driver_key(const struct driver *d, const struct ask *ask)
{
	return ask->is_request ? external_key(d->options.host, ask->request, ask->candidate)
	       : ask->is_again ? ask->key
	                       : ask->candidate->hash;
}

static void driver_drop_ask(struct ask *ask)
{
	testcase_unref(ask->candidate);
	recipe_release(&ask->recipe);
}

/* The flight FROM is over. */
static void driver_land(struct driver *d, struct flight *from)
{
	recipe_release(&from->recipe);
	*from = d->flights[--d->n_flights];
}

/* For the oracle: a worker died, and its question with it. A speculative question is not asked
 * again, since nobody waits for it. */
static struct testcase *again(void *arg, uint64_t ticket)
{
	struct driver *d = arg;
	for (uint32_t i = 0; i < d->n_flights; i++)
		if (d->flights[i].ticket == ticket) {
			struct testcase *tc = recipe_follow(&d->flights[i].recipe);
			if (!tc)
				driver_land(d, &d->flights[i]);
			return tc;
		}
	return NULL;
}

static int submit_test(struct driver *d, const struct ask *ask, uint64_t ticket)
{
	const struct oracle_request rq = { .ticket = ticket,
		                           .tc = ask->candidate,
		                           .made = &ask->made,
		                           .anew = ask->is_again,
		                           .lasting = ask->lasting,
		                           .claims = d->options.claims,
		                           .limits = d->options.limits,
		                           .again = again,
		                           .again_arg = d };
	return oracle_submit(d->oracle, &rq, d->err);
}

/* Starts a test or a program, and takes over the recipe of ASK. REAL: the reducer waits for it. 0,
 * or -1 and err. */
static int driver_submit(struct driver *d, struct ask *ask, bool real)
{
	uint64_t ticket = ++d->tickets;
	int rc = ask->is_request ? external_host_start(d->options.host, d->oracle, ask->request,
	                                               ask->candidate, ticket, d->err)
	                         : submit_test(d, ask, ticket);
	if (rc < 0)
		return -1;
	MEM_PUSH(d->flights, d->n_flights, d->cap_flights,
	         (struct flight){ .ticket = ticket,
	                          .hash = driver_key(d, ask),
	                          .ask = ask->id,
	                          .real = real,
	                          .chance = ask->chance,
	                          .epoch = d->ahead.epoch,
	                          .is_request = ask->is_request,
	                          .is_again = ask->is_again,
	                          .recipe = ask->recipe });
	ask->recipe = (struct recipe){ 0 };
	d->stats->tests += !ask->is_request;
	d->stats->speculated += !ask->is_request && !real;
	return 0;
}

/* Takes a flight back. */
static void driver_cancel(struct driver *d, struct flight *f)
{
	oracle_cancel(d->oracle, f->ticket);
	if (f->is_request)
		external_host_cancelled(d->options.host, f->ticket);
	driver_land(d, f);
}

/* Makes room for a real question: cancels a test that nobody waits for, preferably one that no
 * longer follows from anything. */
static bool make_room(struct driver *d)
{
	struct flight *victim = NULL;
	if (!oracle_can_cancel(d->oracle))
		return false;
	for (uint32_t i = 0; i < d->n_flights; i++)
		if (!d->flights[i].real && (!victim || d->flights[i].epoch < victim->epoch ||
		                            (d->flights[i].epoch == victim->epoch &&
		                             d->flights[i].ticket > victim->ticket)))
			victim = &d->flights[i];
	if (!victim)
		return false;
	d->stats->cancelled += !victim->is_request;
	driver_cancel(d, victim);
	return true;
}

/* Answers a question of the reducer from what is known. */
static bool answer_at_once(struct driver *d, const struct ask *ask)
{
	if (ask->is_request) {
		struct hash key = driver_key(d, ask);
		struct external_result *result =
			external_host_known(d->options.host, key, ask->candidate->size);
		if (result)
			give_reducer(d, ask->id, key, result);
		external_result_unref(result);
		return result != NULL;
	}
	struct hash key = driver_key(d, ask);
	enum verdict known = verdicts_get(d->verdicts, key, d->options.limits.wall_ns);
	if (known)
		driver_tell(d, ask->id, key, known);
	return known != VERDICT_UNKNOWN;
}

/* ASK waits until it can be handled; how it was made lives no longer with the reducer than until it
 * is told something. */
static void hold(struct driver *d, const struct ask *ask)
{
	if (ask->made.edit.parts != d->held_edit.parts)
		d->held_edit = edit_keep(ask->made.edit);
	d->holding = true;
	d->held = *ask;
	d->held.made.edit = d->held_edit;
}

static void stop_holding(struct driver *d)
{
	edit_drop(d->held_edit);
	d->held_edit = EDIT_NONE;
}

/* A real question: answered from the table, attached to a test that runs already, started, or held.
 * 0, or -1 and err. */
static int handle_ask(struct driver *d, struct ask *ask)
{
	int rc = 0;
	if (d->ahead.reducer && !ahead_predicted(&d->ahead, driver_key(d, ask)))
		ahead_drop(&d->ahead); /* the reducer has overtaken its clone */
	if (driver_is_doubtful(d, driver_key(d, ask))) {
		hold(d, ask);
		return 0;
	}
	bool known = answer_at_once(d, ask);
	struct flight *f = known ? NULL : driver_flight(d, driver_key(d, ask));
	if (!known && !ask->is_request && !ask->is_again)
		reducer_is_new(d->reducer);
	if (known)
		;
	else if (f && !f->real) {
		f->real = true;
		f->ask = ask->id;
		f->chance = ask->chance;
		f->recipe = ask->recipe;
		ask->recipe = (struct recipe){ 0 };
	} else if (!f && (oracle_free_slots(d->oracle) || make_room(d)) &&
	           oracle_free_slots(d->oracle))
		rc = driver_submit(d, ask, true);
	else {
		hold(d, ask);
		return 0;
	}
	driver_drop_ask(ask);
	return rc;
}

/* A skip, which the clone knows nothing of: programs that were asked for the reducer are waited for
 * no more. (What it asks them now is yet to be handled.) */
static void note_skips(struct driver *d)
{
	if (d->skips == reducer_skips(d->reducer))
		return;
	d->skips = reducer_skips(d->reducer);
	ahead_drop(&d->ahead);
	for (uint32_t i = d->n_flights; i-- > 0;)
		if (d->flights[i].real && d->flights[i].is_request && oracle_can_cancel(d->oracle))
			driver_cancel(d, &d->flights[i]);
}

/* Asks for the reducer until it must wait or no slot is free; REDUCER_ASK: not yet, but answers
 * that are known have kept it busy for long enough to look whether it is to stop. */
static enum reducer_state ask_reducer(struct driver *d)
{
	for (int asked = 0; asked < ASKED_AT_ONCE; asked++) {
		struct ask ask;
		if (d->holding) {
			d->holding = false;
			ask = d->held;
		} else {
			enum reducer_state s = reducer_next(d->reducer, &ask, d->err);
			note_skips(d);
			if (s != REDUCER_ASK)
				return s;
		}
		if (handle_ask(d, &ask) < 0)
			return REDUCER_FAILED;
		if (d->holding)
			return REDUCER_WAIT;
		stop_holding(d);
	}
	return REDUCER_ASK;
}

/* A program has ended. */
static void take_program(struct driver *d, const struct flight *f, const struct answer *a)
{
	struct external_result *result = external_host_finish(d->options.host, a);
	if (f->real)
		give_reducer(d, f->ask, f->hash, result);
	else if (f->epoch == d->ahead.epoch)
		ahead_check(&d->ahead, f->hash, result->n || result->instances);
	external_result_unref(result);
}

/* The best test case is not interesting any more. */
static int doubt(struct driver *d, struct flight *f)
{
	f->ticket = 0;
	d->doubts = true;
	return 0;
}

/* Keeps a verdict. */
static int note_verdict(struct driver *d, struct hash key, enum verdict verdict, uint64_t limit_ns)
{
	verdicts_put(d->verdicts, key, verdict, limit_ns);
	return d->options.verdict
	               ? d->options.verdict(d->options.arg, key, verdict, limit_ns, d->err)
	               : 0;
}

/* An answer came in. */
static int take_answer(struct driver *d, const struct answer *a)
{
	uint32_t i = 0;
	while (i < d->n_flights && d->flights[i].ticket != a->ticket)
		i++;
	if (i == d->n_flights)
		bug("answer to a question that nobody asked");
	struct flight f = d->flights[i];
	if (f.is_again && a->verdict != VERDICT_INTERESTING)
		return doubt(d, &d->flights[i]);
	driver_land(d, &d->flights[i]);
	if (f.is_request) {
		take_program(d, &f, a);
		return 0;
	}
	d->stats->timeouts += a->verdict == VERDICT_TIMEOUT;
	d->stats->why[a->why]++;
	d->stats->verdicts[a->verdict]++;
	bool confirmed = a->verdict == VERDICT_INTERESTING && !a->claimed && !f.is_again;
	if (note_verdict(d, f.hash, a->verdict, a->limit_ns) < 0 ||
	    (d->options.claims && confirmed &&
	     note_verdict(d, verdicts_confirmed(f.hash), VERDICT_INTERESTING, 0) < 0))
		return -1;
	if (f.real)
		driver_tell(d, f.ask, f.hash, a->verdict);
	else if (f.epoch == d->ahead.epoch)
		ahead_check(&d->ahead, f.hash, a->verdict == VERDICT_INTERESTING);
	return 0;
}

static enum driver_end why_done(const struct reducer *r)
{
	switch (reducer_why(r)) {
	case REDUCER_SIZE_REACHED:
		return DRIVER_SIZE_REACHED;
	case REDUCER_MAX_QUESTIONS:
		return DRIVER_MAX_QUESTIONS;
	case REDUCER_NO_SUCCESS:
		return DRIVER_NO_SUCCESS;
	default:
		return DRIVER_FIXPOINT;
	}
}

enum driver_end driver_ask(struct driver *d, struct err *err)
{
	d->err = err;
	for (;;) {
		if (d->doubts) {
			enum driver_end end = driver_settle(d);
			if (end != DRIVER_RUNS || d->doubts)
				return end;
		}
		enum reducer_state s = ask_reducer(d);
		if (s == REDUCER_FAILED)
			return DRIVER_FAILED;
		if (s == REDUCER_DONE)
			return why_done(d->reducer);
		if (d->doubts)
			continue;
		if (d->options.should_stop && d->options.should_stop(d->options.arg))
			return DRIVER_STOPPED;
		if (s == REDUCER_ASK)
			continue;
		int rc = driver_speculate(d);
		d->stats->busy = d->n_flights;
		return rc < 0 ? DRIVER_FAILED : DRIVER_RUNS;
	}
}

int driver_answer(struct driver *d, const struct answer *answer, struct err *err)
{
	d->err = err;
	return take_answer(d, answer);
}

struct driver *driver_new(struct reducer *reducer, struct oracle *oracle, struct verdicts *verdicts,
                          const struct driver_options *options, struct driver_stats *stats)
{
	struct driver *d = mem_zero(1, sizeof *d);
	d->reducer = reducer;
	d->oracle = oracle;
	d->verdicts = verdicts;
	d->options = *options;
	d->stats = stats;
	return d;
}

void driver_free(struct driver *d)
{
	if (!d)
		return;
	while (d->n_flights)
		driver_cancel(d, &d->flights[0]);
	if (!d->left) {
		if (d->holding)
			driver_drop_ask(&d->held);
		stop_holding(d);
		ahead_release(&d->ahead);
	}
	free(d->flights);
	free(d);
}

/* Tests ahead of time: of what follows if what is likely is true, and where all wait for a single
 * answer also of what follows if it is not. */

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
		room = d->tickets == started || oracle_slots(d->oracle, true);
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
	return interesting ? VERDICT_INTERESTING : VERDICT_NOT_INTERESTING;
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
	uint32_t room = oracle_slots(d->oracle, true) * percent / 100;
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

/* Fills free slots with questions that may follow. 0, or -1 and err. */
static int driver_speculate(struct driver *d)
{
	if (d->holding || reducer_current(d->reducer)->size > LOOKAHEAD_SIZE ||
	    !oracle_slots(d->oracle, true))
		return 0;
	struct flight only;
	if (one_is_open(d, &only) && !hash_equal(only.hash, d->branched) &&
	    (run_ahead(d, &only.hash) < 0 || branch_off(d, &only) < 0))
		return -1;
	return oracle_slots(d->oracle, true) ? run_ahead(d, NULL) : 0;
}

/* Doubts of what was found interesting. */

/* Does the question KEY have to wait until the doubt about the present best test case is settled?
 */
static bool driver_is_doubtful(struct driver *d, struct hash key)
{
	struct hash none = { 0 };
	if (d->looked || hash_equal(d->options.after, none) || !hash_equal(d->options.after, key))
		return false;
	d->doubts = d->looked = true;
	return true;
}

/* The best test case was asked about again, and stands. */
static int believe(struct driver *d, struct flight f)
{
	verdicts_put(d->verdicts, f.hash, VERDICT_INTERESTING, 0);
	if (d->options.verdict &&
	    d->options.verdict(d->options.arg, f.hash, VERDICT_INTERESTING, 0, d->err) < 0)
		return -1;
	driver_tell(d, f.ask, f.hash, VERDICT_INTERESTING);
	return 0;
}

/* Cancels running tests; true when none is left. The question about the best test case stays
 * open: the outcome of the doubts answers it. */
static bool is_quiet(struct driver *d)
{
	bool quiet = true;
	for (uint32_t i = d->n_flights; i-- > 0;) {
		struct flight *f = &d->flights[i];
		bool needed = f->real && !f->is_again;
		if (f->ticket && (needed || !oracle_can_cancel(d->oracle))) {
			quiet = false;
		} else if (f->is_again) {
			oracle_cancel(d->oracle, f->ticket);
			f->ticket = 0;
		} else {
			d->stats->cancelled += !f->is_request;
			driver_cancel(d, f);
		}
	}
	return quiet;
}

enum driver_end driver_settle(struct driver *d)
{
	ahead_drop(&d->ahead);
	if (!is_quiet(d))
		return DRIVER_RUNS;
	switch (d->options.doubted(d->options.arg, reducer_newest(d->reducer), d->err)) {
	case DOUBT_FALSE:
		return DRIVER_DOUBT;
	case DOUBT_STOP:
		return DRIVER_STOPPED;
	case DOUBT_FAILED:
		return DRIVER_FAILED;
	default:
		d->doubts = false;
	}
	while (d->n_flights) {
		struct flight f = d->flights[0];
		driver_land(d, &d->flights[0]);
		if (believe(d, f) < 0)
			return DRIVER_FAILED;
	}
	return DRIVER_RUNS;
}

/* A driver from beginning to end, and what callers that wait for answers themselves ask it. */

/* Waits for an answer, and takes all that have come with it, unless there are doubts of one. -1:
 * err.
 */
static int take_answers(struct driver *d, struct oracle *oracle,
                        const struct driver_options *options, struct err *err)
{
	int tick_ms = options->tick_ms;
	do {
		struct answer a;
		int got = oracle_wait(oracle, &a, options->wake_fd, tick_ms, err);
		if (got < 0 || (got > 0 && driver_answer(d, &a, err) < 0))
			return -1;
		if (got == 0)
			break;
		tick_ms = 0;
	} while (!d->doubts && oracle_is_ready(oracle));
	return 0;
}

static enum driver_end run(struct driver *d, struct oracle *oracle,
                           const struct driver_options *options, struct err *err)
{
	enum driver_end end;
	while ((end = driver_ask(d, err)) == DRIVER_RUNS &&
	       take_answers(d, oracle, options, err) == 0)
		;
	return end == DRIVER_RUNS ? DRIVER_FAILED : end;
}

/* The reducer, or a clone, computes, and nobody wants to know what. */
static enum driver_end leave(struct driver *d, enum work_left why)
{
	if (why == WORK_NO_MEMORY)
		mem_exhausted();
	d->left = true;
	reducer_leave(d->reducer);
	return DRIVER_STOPPED;
}

/* As run, but what the reducer computes is left when all is over. */
static enum driver_end run_guarded(struct driver *d, struct oracle *oracle,
                                   const struct driver_options *options, struct err *err)
{
	struct work_guard guard = { .is_over = options->is_over, .arg = options->arg };
	int left = setjmp(guard.back);
	if (left != WORK_WHOLE)
		return leave(d, (enum work_left)left);
	work_guard_enter(&guard);
	enum driver_end end = run(d, oracle, options, err);
	work_guard_leave(&guard);
	return end;
}

enum driver_end driver_run(struct reducer *reducer, struct oracle *oracle,
                           struct verdicts *verdicts, const struct driver_options *options,
                           struct driver_stats *stats, struct err *err)
{
	struct driver *d = driver_new(reducer, oracle, verdicts, options, stats);
	enum driver_end end = run_guarded(d, oracle, options, err);
	driver_free(d);
	return end;
}

bool driver_wants(const struct driver *d, uint64_t ticket)
{
	for (uint32_t i = 0; i < d->n_flights; i++)
		if (d->flights[i].ticket == ticket)
			return d->flights[i].real || d->flights[i].epoch == d->ahead.epoch;
	return false;
}

bool driver_forget(struct driver *d, uint64_t ticket)
{
	for (uint32_t i = 0; i < d->n_flights; i++)
		if (d->flights[i].ticket == ticket) {
			if (d->flights[i].real)
				return false;
			d->stats->cancelled++;
			driver_cancel(d, &d->flights[i]);
			return true;
		}
	return true;
}
