#include "reduce/focus.h"

enum {
	LARGE = 512 << 10, /* of smaller ones a tail is tried soon, and larger tails only if that
	                      paid */
	BRIEF_REPEATS = 1, /* so many times at most again */
	FIRST_SHARE = 64,  /* the first tail is one part in so many */
	WIDER = 8,         /* the next one is so many times as large */
	DEEP_MOST = 4096,  /* the largest tail in which mentions are looked for */
	MUCH = 4,  /* a tier gave much when it saved more than one part in so many of what is in
	              focus */
	SOME = 50, /* likewise something */
};

uint32_t focus_least(const struct testcase *tc, const struct tokenizer *tokenizer,
                     const struct tokenizers *tokenizers)
{
	bool strict = tc->is_tree ? tokenizers && tokenizers_share_names(tokenizers)
	                          : tokenizer && tokenizer_shares_names(tokenizer);
	if ((tc->is_tree && !strict) || testcase_is_binary(tc))
		return FOCUS_NEVER;
	bool worded = tokenizer && tokenizer_has_declarations(tokenizer);
	return strict ? FOCUS_LEAST_STRICT : worded ? FOCUS_LEAST_WORDED : FOCUS_LEAST;
}

void focus_init(struct focus *f, uint32_t size, uint32_t least)
{
	enum focus_phase phase = size < least ? FOCUS_NONE : FOCUS_OPENING;
	*f = (struct focus){ .phase = phase, .brief = size < LARGE, .share = FIRST_SHARE };
}

/* Where only the lists of the whole were gone through, the rest of their tier is still to come. */
static enum focus_turn to_none(struct focus *f)
{
	bool stays = f->phase == FOCUS_OPENING && f->brief;
	f->phase = FOCUS_NONE;
	f->floor = 0;
	return stays ? FOCUS_REPEATS : FOCUS_MOVES;
}

/* A larger tail than before. */
static enum focus_turn to_tail(struct focus *f, uint32_t size)
{
	if (size < FOCUS_LEAST || f->share <= 1)
		return to_none(f);
	*f = (struct focus){ .phase = FOCUS_TAIL,
		             .brief = f->brief,
		             .tail = size / f->share,
		             .share = f->share / WIDER };
	f->floor = size - f->tail;
	return FOCUS_MOVES;
}

/* The first one, what a pass found to stand by itself: declarations and statements have gone, so it
 * is what is in them. */
static enum focus_turn to_trimmed_tail(struct focus *f, uint32_t size)
{
	uint32_t own = f->own;
	enum focus_turn turn = to_tail(f, size);
	if (f->phase != FOCUS_TAIL || !own || own > f->tail)
		return turn;
	f->trimmed = true;
	f->deep = FOCUS_DEEP;
	f->tail = own;
	f->floor = size - own;
	return turn;
}

/* The same tail, which has not been cut while the front was, with other passes. */
static enum focus_turn to_deep_tail(struct focus *f, uint32_t size)
{
	f->phase = FOCUS_TAIL;
	f->deep++;
	f->floor = size - f->tail;
	return FOCUS_MOVES;
}

static enum focus_turn to_front(struct focus *f, uint32_t size)
{
	f->phase = FOCUS_FRONT;
	f->tail = size - f->floor;
	f->floor = 0;
	return FOCUS_MOVES;
}

/* Whether there is a small tail that has not been taken on with all depths. */
static bool may_deepen(const struct focus *f, uint32_t size)
{
	bool small = f->tail && f->tail <= DEEP_MOST && f->tail < size && size >= FOCUS_LEAST;
	return f->phase == FOCUS_FRONT && f->deep + 1 < FOCUS_DEPTHS && small;
}

enum focus_turn focus_tier_ended(struct focus *f, unsigned tier, uint32_t before, uint32_t after)
{
	if (f->phase == FOCUS_NONE)
		return FOCUS_GOES_ON;
	f->floor = f->floor < after ? f->floor
	                            : after; /* separators in front of the tail may have gone */
	if (f->phase == FOCUS_OPENING && f->opened)
		return to_trimmed_tail(f, after);
	if (f->phase == FOCUS_TAIL && f->deep == FOCUS_MENTIONS)
		return tier < 1 ? FOCUS_GOES_ON : to_front(f, after);
	uint32_t expected = f->phase == FOCUS_TAIL ? SOME : MUCH;
	bool gave = before - after > (before - f->floor) / expected;
	if (f->phase == FOCUS_TAIL) {
		if (gave && !(f->brief && f->repeats == BRIEF_REPEATS)) {
			f->repeats++;
			return FOCUS_REPEATS;
		}
		return tier < (f->deep == FOCUS_DEEP) ? FOCUS_GOES_ON : to_front(f, after);
	}
	if (gave) {
		f->brief &= f->phase == FOCUS_OPENING; /* it was worth it */
		return FOCUS_REPEATS;
	}
	if (f->phase == FOCUS_FRONT && f->brief)
		return to_none(f);
	return may_deepen(f, after) ? to_deep_tail(f, after) : to_tail(f, after);
}

void focus_front_saved(struct focus *f, uint32_t before, uint32_t after)
{
	uint32_t saved = before - after;
	f->floor -= saved < f->floor ? saved : f->floor;
	f->opened |= !f->brief && saved > before / MUCH;
}

void focus_found_tail(struct focus *f, uint32_t size)
{
	f->own = size;
}

/* A round of a hunt that does not give much, or two that give next to nothing; when it would not be
 * for long, four. */
struct focus_patience focus_patience(const struct focus *f)
{
	switch (f->phase) {
	case FOCUS_OPENING:
		return f->brief ? (struct focus_patience){ 128, 3 }
		                : (struct focus_patience){ 32, 8 };
	case FOCUS_FRONT:
		return (struct focus_patience){ 32, 8 };
	case FOCUS_TAIL:
	case FOCUS_NONE:
		break;
	}
	return (struct focus_patience){ 64, 100 };
}
