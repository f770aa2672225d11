#include "simplify.h"

#include "base/err.h"
#include "base/hash.h"
#include "base/mem.h"
#include "search/integers.h"
#include "search/seen.h"

/* Lowering one integer, as search/integers.h does; in parts, for the greedy stage. */
enum integer_part {
	INTEGER_WHOLE, /* to a value that holds while it minus one does not; no bisection where that
	                  is at once so */
	INTEGER_COARSE, /* 0, 1, 3, 7, ... up to the first success */
	INTEGER_FINE,   /* what is between the last of those and the value, bisecting upwards to
	                   the first success */
};

struct lowering {
	enum integer_part part;
	bool bisecting;
	bool done;
	uint64_t low;   /* fails; while not bisecting: the probe before */
	uint64_t value; /* holds */
	uint64_t probe;
};

static void bisect(struct lowering *s)
{
	s->bisecting = true;
	s->done = s->value - s->low <= 1;
	s->probe = s->low + (s->value - s->low) / 2;
}

/* The next of 0, 1, 3, 7, ...; past the value, what follows them. */
static void next_coarse(struct lowering *s)
{
	s->low = s->probe;
	if (s->low <= (UINT64_MAX - 1) / 2 && 2 * s->low + 1 < s->value) {
		s->probe = 2 * s->low + 1;
		return;
	}
	/* One less decides whether bisection can find anything: for most values it does not. */
	s->done = s->part == INTEGER_COARSE || s->low == s->value - 1;
	s->probe = s->value - 1;
	s->bisecting = true;
}

static struct lowering lowering_start(uint64_t value, enum integer_part part)
{
	struct lowering s = { .part = part, .value = value, .done = !value };
	if (!value || part != INTEGER_FINE)
		return s;
	while (s.low <= (UINT64_MAX - 1) / 2 && 2 * s.low + 1 < value)
		s.low = 2 * s.low + 1;
	bisect(&s);
	return s;
}

static void lowering_tell(struct lowering *s, bool holds)
{
	if (holds) {
		s->value = s->probe;
		if (s->part != INTEGER_WHOLE || !s->value)
			s->done = true;
		else
			bisect(s);
	} else if (!s->bisecting)
		next_coarse(s);
	else if (s->probe + 1 == s->value)
		s->done = true;
	else {
		s->low = s->probe;
		bisect(s);
	}
}

/* A list of integers, and a candidate that is simpler. */
struct integer_list {
	uint32_t room, n;
	uint64_t *values;
	uint32_t n_candidate;
	uint64_t *candidate;
	uint32_t n_ranks;
	uint64_t *ranks; /* distinct values, from the smallest; since integer_list_sort */
	uint32_t *order; /* elements by value; equal ones by place */
};

static struct integer_list integer_list_new(const uint64_t *values, uint32_t n)
{
	return (struct integer_list){ .room = n,
		                      .n = n,
		                      .values = mem_dup(values, n * sizeof *values),
		                      .candidate = mem_zero(n, sizeof *values),
		                      .ranks = mem_zero(n, sizeof *values),
		                      .order = mem_zero(n, sizeof(uint32_t)) };
}

static void integer_list_release(struct integer_list *l)
{
	free(l->values);
	free(l->candidate);
	free(l->ranks);
	free(l->order);
}

static void integer_list_cut(struct integer_list *l, uint32_t lo, uint32_t hi)
{
	memcpy(l->candidate, l->values, lo * sizeof *l->values);
	memcpy(l->candidate + lo, l->values + hi, (l->n - hi) * sizeof *l->values);
	l->n_candidate = l->n - (hi - lo);
}

static void integer_list_keep(struct integer_list *l)
{
	memcpy(l->candidate, l->values, l->n * sizeof *l->values);
	l->n_candidate = l->n;
}

static void integer_list_cap(struct integer_list *l, uint64_t cap)
{
	integer_list_keep(l);
	for (uint32_t i = 0; i < l->n; i++)
		if (l->candidate[i] > cap)
			l->candidate[i] = cap;
}

static int by_value(const void *a, const void *b, void *arg)
{
	const uint64_t *list = arg;
	uint32_t i = *(const uint32_t *)a, j = *(const uint32_t *)b;
	if (list[i] != list[j])
		return list[i] < list[j] ? -1 : 1;
	return i < j ? -1 : i > j;
}

static void integer_list_sort(struct integer_list *l)
{
	for (uint32_t i = 0; i < l->n; i++)
		l->order[i] = i;
	qsort_r(l->order, l->n, sizeof *l->order, by_value, l->values);
	l->n_ranks = 0;
	for (uint32_t i = 0; i < l->n; i++)
		if (!i || l->values[l->order[i]] != l->ranks[l->n_ranks - 1])
			l->ranks[l->n_ranks++] = l->values[l->order[i]];
}

static void integer_list_accept(struct integer_list *l)
{
	uint64_t *old = l->values;
	l->values = l->candidate;
	l->candidate = old;
	l->n = l->n_candidate;
}

enum {
	SHORT = 16,       /* elements up to which blocks are not worth a question */
	BLOCK_LEVELS = 3, /* the bet's blocks: halves, quarters, eighths */
	GREEDY_MAX = 256, /* elements up to which starting anew after each success is worth it */
	BET_ROUNDS = 2,
};

enum course { PREFIXES, BLOCKS, DELETIONS, CAPS, SHARED, EACH };

struct row {
	enum course course;
	enum integer_part part;
};

static const struct row bet_rows[] = {
	{ PREFIXES, 0 },           { BLOCKS, 0 },           { DELETIONS, 0 }, { CAPS, 0 },
	{ SHARED, INTEGER_WHOLE }, { EACH, INTEGER_WHOLE },
};
static const struct row greedy_rows[] = {
	{ PREFIXES, 0 },
	{ BLOCKS, 0 },
	{ CAPS, 0 },
	{ SHARED, INTEGER_COARSE },
	{ EACH, INTEGER_COARSE },
	{ SHARED, INTEGER_FINE },
	{ EACH, INTEGER_FINE },
};
enum {
	BET_ROWS = sizeof bet_rows / sizeof *bet_rows,
	GREEDY_ROWS = sizeof greedy_rows / sizeof *greedy_rows
};

/* Where a course stands. */
struct cursor {
	uint8_t row;
	bool again; /* SHARED, EACH: this value was lowered; asked whether bisection finds still
	               more */
	bool won;   /* SHARED, EACH: this value; DELETIONS: a block at this place */
	uint32_t at, end; /* element; SHARED: entries of `order` */
	uint32_t size;    /* PREFIXES, BLOCKS */
	uint32_t wins;    /* DELETIONS */
	struct find_change_point fcp;
	struct lowering integer; /* of a value; CAPS: of a rank */
};

struct simplify {
	bool greedy, open, done;
	bool round_won;
	uint8_t rounds;    /* of the bet, over */
	uint8_t check_end; /* a check is under way, up to this row; 0: none */
	uint32_t wins;     /* of value courses in the bet */
	struct cursor cursor;
	struct cursor resume;     /* where a check came from */
	struct integer_list list; /* CAPS: by ranks; SHARED: by order */
	struct seen seen;         /* lists asked */
};

static struct row row_of(const struct simplify *s)
{
	return s->greedy ? greedy_rows[s->cursor.row] : bet_rows[s->cursor.row];
}

/* Whether the list is short enough for the greedy stage; else nothing is asked only to learn
 * whether to go there. */
static bool may_degrade(const struct simplify *s)
{
	return s->list.n <= GREEDY_MAX;
}

/* Whether the candidate was asked before (and so is not interesting); remembers it. */
static bool seen_before(struct simplify *s)
{
	return !seen_add(&s->seen, hash_bytes(s->list.candidate,
	                                      s->list.n_candidate * sizeof *s->list.candidate,
	                                      s->list.n_candidate)
	                                   .lo);
}

/* Courses: each makes its next candidate, or says that it is through. */

static bool start_value(struct simplify *s, uint64_t value)
{
	struct cursor *c = &s->cursor;
	c->integer = lowering_start(value, c->again ? INTEGER_FINE : row_of(s).part);
	return true;
}

/* Goes to the next run of at least two equal values in `order`. */
static bool next_group(struct simplify *s)
{
	struct cursor *c = &s->cursor;
	for (c->at = c->end; c->at < s->list.n; c->at = c->end) {
		uint64_t value = s->list.values[s->list.order[c->at]];
		for (c->end = c->at + 1;
		     c->end < s->list.n && s->list.values[s->list.order[c->end]] == value;)
			c->end++;
		if (c->end - c->at > 1)
			return start_value(s, value);
	}
	return false;
}

static bool next_value(struct simplify *s)
{
	struct cursor *c = &s->cursor;
	c->again = c->won = false;
	if (row_of(s).course == SHARED)
		return next_group(s);
	c->at = c->end++;
	return c->at < s->list.n && start_value(s, s->list.values[c->at]);
}

static void enter(struct simplify *s, uint8_t row)
{
	struct cursor *c = &s->cursor;
	*c = (struct cursor){ .row = row };
	switch (row_of(s).course) {
	case PREFIXES:
		c->size = 1;
		break;
	case BLOCKS:
		c->size = s->list.n > SHORT || s->greedy ? s->list.n / 2 : 0;
		if (s->greedy && s->list.n == 1)
			c->size = 1;
		break;
	case DELETIONS:
		c->fcp = find_change_point_start(s->list.n);
		break;
	case CAPS:
		integer_list_sort(&s->list);
		c->integer =
			lowering_start(s->list.n_ranks ? s->list.n_ranks - 1 : 0, INTEGER_WHOLE);
		break;
	case SHARED:
		integer_list_sort(&s->list);
		c->integer.done = true;
		break;
	case EACH:
		c->integer.done = true;
		break;
	}
}

static bool propose_block(struct simplify *s)
{
	struct cursor *c = &s->cursor;
	if (c->at >= s->list.n) {
		c->at = 0;
		c->size /= 2;
	}
	if (!c->size || (!s->greedy && c->size < s->list.n >> BLOCK_LEVELS))
		return false;
	integer_list_cut(&s->list, c->at,
	                 s->list.n - c->at < c->size ? s->list.n : c->at + c->size);
	return true;
}

static bool propose_deletion(struct simplify *s)
{
	struct cursor *c = &s->cursor;
	if (c->at >= s->list.n)
		return false;
	integer_list_cut(&s->list, c->at, c->at + c->fcp.probe - c->fcp.good);
	return true;
}

static bool propose_value(struct simplify *s)
{
	struct cursor *c = &s->cursor;
	while (c->integer.done)
		if (!next_value(s))
			return false;
	integer_list_keep(&s->list);
	if (row_of(s).course == EACH)
		s->list.candidate[c->at] = c->integer.probe;
	for (uint32_t i = c->at; row_of(s).course == SHARED && i < c->end; i++)
		s->list.candidate[s->list.order[i]] = c->integer.probe;
	return true;
}

static bool propose(struct simplify *s)
{
	struct cursor *c = &s->cursor;
	switch (row_of(s).course) {
	case PREFIXES:
		if (c->size >= s->list.n)
			return false;
		integer_list_cut(&s->list, c->size, s->list.n);
		return true;
	case BLOCKS:
		return propose_block(s);
	case DELETIONS:
		return propose_deletion(s);
	case CAPS:
		if (c->integer.done)
			return false;
		integer_list_cap(&s->list, s->list.ranks[c->integer.probe]);
		return true;
	default:
		return propose_value(s);
	}
}

/* What follows from a verdict. */

static void start_greedy(struct simplify *s)
{
	s->greedy = true;
	s->check_end = 0;
	enter(s, 0);
}

/* Asks the bet's rows FIRST to LAST again; then resumes at the cursor. */
static void start_check(struct simplify *s, uint8_t first, uint8_t last)
{
	if (!may_degrade(s) || s->check_end)
		return;
	s->resume = s->cursor;
	s->check_end = last + 1;
	enter(s, first);
}

static bool is_power_of_two(uint32_t n)
{
	return (n & (n - 1)) == 0;
}

static void learn_deletion(struct simplify *s, bool yes)
{
	struct cursor *c = &s->cursor;
	find_change_point_tell(&c->fcp, yes);
	c->won |= yes;
	if (!c->fcp.done)
		return;
	bool won = c->won;
	c->wins += won;
	c->won = false;
	c->at++; /* the element behind the block was found to be needed */
	if (c->at < s->list.n)
		c->fcp = find_change_point_start(s->list.n - c->at);
	if (won && s->list.n > SHORT && is_power_of_two(c->wins))
		start_check(s, PREFIXES, BLOCKS);
}

static void learn_value(struct simplify *s, bool yes)
{
	struct cursor *c = &s->cursor;
	lowering_tell(&c->integer, yes);
	c->won |= yes;
	if (!c->integer.done || !c->won || s->greedy)
		return;
	bool again = c->again;
	if (!again && may_degrade(s)) {
		c->again = true;
		start_value(s, c->integer.value);
		if (!c->integer.done)
			return;
	}
	c->won = false;
	if (is_power_of_two(++s->wins))
		start_check(s, PREFIXES, DELETIONS);
}

/* Success where the bet says that there is none. */
static bool bet_is_lost(const struct simplify *s)
{
	enum course course = row_of(s).course;
	return may_degrade(s) &&
	       (s->check_end || s->cursor.again || (s->rounds && course <= DELETIONS));
}

static void learn(struct simplify *s, bool yes)
{
	struct cursor *c = &s->cursor;
	s->round_won |= yes;
	if (yes && (s->greedy || bet_is_lost(s))) {
		start_greedy(s);
		return;
	}
	switch (row_of(s).course) {
	case PREFIXES:
		c->size = yes ? UINT32_MAX : 2 * c->size;
		break;
	case BLOCKS:
		if (yes)
			enter(s, c->row);
		else
			c->at += c->size;
		break;
	case DELETIONS:
		learn_deletion(s, yes);
		break;
	case CAPS:
		lowering_tell(&c->integer, yes);
		break;
	default:
		learn_value(s, yes);
	}
}

/* The course is through. */
static void next_course(struct simplify *s)
{
	uint8_t row = s->cursor.row + 1;
	if (s->check_end && row == s->check_end) {
		s->check_end = 0;
		s->cursor = s->resume;
		return;
	}
	bool deleted = !s->greedy && !s->check_end && s->cursor.row == DELETIONS && s->cursor.wins;
	if (row < (s->greedy ? GREEDY_ROWS : BET_ROWS)) {
		enter(s, row);
		if (deleted)
			start_check(s, DELETIONS, DELETIONS);
		return;
	}
	s->done = s->greedy || !s->round_won;
	s->round_won = false;
	if (s->rounds < BET_ROUNDS)
		s->rounds++;
	if (s->rounds == BET_ROUNDS && may_degrade(s))
		s->greedy = true;
	enter(s, 0);
}

/* Goes to the next list that has not been asked. */
static void advance(struct simplify *s)
{
	while (!s->done && !s->open) {
		if (!propose(s))
			next_course(s);
		else if (seen_before(s))
			learn(s, false);
		else
			s->open = true;
	}
}

struct simplify *simplify_new(const uint64_t *values, uint32_t n)
{
	struct simplify *s = mem_zero(1, sizeof *s);
	s->list = integer_list_new(values, n);
	enter(s, 0);
	return s;
}

void simplify_free(struct simplify *s)
{
	if (!s)
		return;
	integer_list_release(&s->list);
	seen_release(&s->seen);
	free(s);
}

bool simplify_next(struct simplify *s, struct simplify_list *out)
{
	advance(s);
	*out = (struct simplify_list){ s->list.n_candidate, s->list.candidate };
	return !s->done;
}

void simplify_tell(struct simplify *s, bool interesting)
{
	if (!s->open)
		bug("verdict on a list that was not asked");
	s->open = false;
	if (interesting)
		integer_list_accept(&s->list);
	learn(s, interesting);
}

struct simplify_list simplify_best(const struct simplify *s)
{
	return (struct simplify_list){ s->list.n, s->list.values };
}
