#include "search/simplify.h"

#include "base/err.h"
#include "base/hash.h"
#include "base/mem.h"
#include "search/integers.h"
#include "search/seen.h"

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
	struct integer_search integer; /* of a value; CAPS: of a rank */
};

struct simplify {
	bool values_only, greedy, open, done;
	bool first_answer; /* to the last first question about a value */
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
	return !s->values_only && s->list.n <= GREEDY_MAX;
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
	c->integer = integer_search_start(value, c->again ? INTEGER_FINE : row_of(s).part);
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
		c->integer = integer_search_start(s->list.n_ranks ? s->list.n_ranks - 1 : 0,
		                                  INTEGER_WHOLE);
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
		if (s->values_only || c->size >= s->list.n)
			return false;
		integer_list_cut(&s->list, c->size, s->list.n);
		return true;
	case BLOCKS:
		return !s->values_only && propose_block(s);
	case DELETIONS:
		return !s->values_only && propose_deletion(s);
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
	integer_search_tell(&c->integer, yes);
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
		integer_search_tell(&c->integer, yes);
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

struct simplify *simplify_new(const uint64_t *values, uint32_t n, bool values_only)
{
	struct simplify *s = mem_zero(1, sizeof *s);
	s->values_only = values_only;
	s->list = integer_list_new(values, n);
	enter(s, 0);
	return s;
}

struct simplify *simplify_clone(const struct simplify *from)
{
	struct simplify *s = mem_dup(from, sizeof *from);
	s->list = integer_list_copy(&from->list);
	seen_copy(&s->seen, &from->seen);
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

bool simplify_first_probe(const struct simplify *s, bool *last_answer)
{
	*last_answer = s->first_answer;
	return s->open && row_of(s).course >= SHARED && !s->cursor.integer.probe;
}

void simplify_tell(struct simplify *s, bool interesting)
{
	bool ignored;
	if (!s->open)
		bug("verdict on a list that was not asked");
	if (simplify_first_probe(s, &ignored))
		s->first_answer = interesting;
	s->open = false;
	if (interesting)
		integer_list_accept(&s->list);
	learn(s, interesting);
}

struct simplify_list simplify_best(const struct simplify *s)
{
	return (struct simplify_list){ s->list.n, s->list.values };
}

enum { MAX_DIGITS = 20 };

struct place {
	uint32_t begin, end;
	uint64_t value;
};

/* What a search shares with its clones. */
struct numbers {
	unsigned refs;
	struct view *view;
	uint32_t n;
	struct place *list;
};

struct simplify_search {
	struct search s;
	struct numbers *numbers;
	struct simplify *machine;
	struct arena accepted_text; /* bytes that s.accepted inserts */
	bool open;
};

static bool parse_decimal(const uint8_t *text, uint32_t len, uint64_t *value)
{
	if (!len || len > MAX_DIGITS || (len > 1 && text[0] == '0'))
		return false;
	*value = 0;
	for (uint32_t i = 0; i < len; i++)
		if (text[i] < '0' || text[i] > '9' ||
		    __builtin_mul_overflow(*value, (uint64_t)10, value) ||
		    __builtin_add_overflow(*value, (uint64_t)(text[i] - '0'), value))
			return false;
	return true;
}

static struct numbers *numbers_new(struct view *v)
{
	struct numbers *numbers = mem_zero(1, sizeof *numbers);
	numbers->refs = 1;
	numbers->view = view_ref(v);
	uint32_t cap = 0;
	for (uint32_t t = 0; t < v->tokens.n; t++) {
		struct place p = { .begin = view_token_begin(v, t), .end = view_token_end(v, t) };
		if (v->tokens.list[t].kind != TOKEN_NUMBER ||
		    !parse_decimal(v->tc->bytes + p.begin, p.end - p.begin, &p.value))
			continue;
		MEM_PUSH(numbers->list, numbers->n, cap, p);
	}
	return numbers;
}

static void numbers_unref(struct numbers *numbers)
{
	if (--numbers->refs)
		return;
	view_unref(numbers->view);
	free(numbers->list);
	free(numbers);
}

static uint32_t print_decimal(uint64_t value, uint8_t *text)
{
	uint8_t digits[MAX_DIGITS];
	uint32_t n = 0;
	do
		digits[n++] = (uint8_t)('0' + value % 10);
	while (value /= 10);
	for (uint32_t i = 0; i < n; i++)
		text[i] = digits[n - 1 - i];
	return n;
}

/* The edit that writes LIST in the numbers' places; its bytes are in ARENA too. */
static struct edit list_edit(const struct numbers *numbers, struct simplify_list list,
                             struct arena *arena)
{
	struct edit_part *parts = arena_alloc(arena, (numbers->n + (size_t)1) * sizeof *parts);
	uint32_t n = 0;
	for (uint32_t i = 0; i < numbers->n; i++) {
		const struct place *p = &numbers->list[i];
		if (list.values[i] == p->value)
			continue;
		uint8_t *text = arena_alloc(arena, MAX_DIGITS);
		uint32_t len = print_decimal(list.values[i], text);
		parts[n++] = (struct edit_part){ p->begin, p->end, len, text };
	}
	return (struct edit){ n, parts };
}

static bool values_next(struct search *s, struct arena *arena, struct question *q)
{
	struct simplify_search *v = (struct simplify_search *)s;
	struct simplify_list list;
	bool last_answer;
	if (v->open || s->done || !simplify_next(v->machine, &list))
		return false;
	v->open = true;
	q->id = s->n_rounds;
	q->chance = simplify_first_probe(v->machine, &last_answer) && last_answer ? 75 : 25;
	q->edit = list_edit(v->numbers, list, arena);
	return true;
}

static void accept_best(struct simplify_search *v)
{
	struct arena text = { 0 };
	search_accept(&v->s, list_edit(v->numbers, simplify_best(v->machine), &text));
	arena_release(&v->accepted_text);
	v->accepted_text = text;
}

static void values_tell(struct search *s, uint32_t id, bool interesting)
{
	struct simplify_search *v = (struct simplify_search *)s;
	struct simplify_list list;
	if (!v->open || id != s->n_rounds)
		bug("verdict on a question that was not asked");
	v->open = false;
	simplify_tell(v->machine, interesting);
	if (interesting)
		accept_best(v);
	s->n_rounds++;
	s->done = !simplify_next(v->machine, &list);
}

static struct search *values_clone(const struct search *s)
{
	const struct simplify_search *from = (const struct simplify_search *)s;
	struct simplify_search *v = mem_dup(from, sizeof *from);
	v->numbers->refs++;
	v->machine = simplify_clone(from->machine);
	v->accepted_text = (struct arena){ 0 };
	struct edit accepted = list_edit(v->numbers, simplify_best(v->machine), &v->accepted_text);
	v->s.accepted = edit_keep(accepted);
	return &v->s;
}

static void values_free(struct search *s)
{
	struct simplify_search *v = (struct simplify_search *)s;
	edit_drop(s->accepted);
	simplify_free(v->machine);
	arena_release(&v->accepted_text);
	numbers_unref(v->numbers);
	free(v);
}

struct search *simplify_search_new(struct view *view)
{
	static const struct search_ops ops = { values_next, values_tell, values_clone,
		                               values_free };
	struct simplify_search *v = mem_zero(1, sizeof *v);
	struct simplify_list list;
	v->s.ops = &ops;
	v->numbers = numbers_new(view);
	uint64_t *values = mem_alloc(v->numbers->n * sizeof *values);
	for (uint32_t i = 0; i < v->numbers->n; i++)
		values[i] = v->numbers->list[i].value;
	v->machine = simplify_new(values, v->numbers->n, true);
	free(values);
	v->s.done = !simplify_next(v->machine, &list);
	return &v->s;
}
