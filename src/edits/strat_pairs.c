/* Two lines that go together, whatever stands between them: those of a preprocessor's conditional,
 * of a region; or three, where a case stands between them. They begin with the same mark. The same
 * with comments, where conditionals are such: {$ifdef a} ... {$endif}. And lines of one word each,
 * or of one word that is made of the first one of the other, as words begin and end blocks in
 * formats that nobody has described: begin ... end, menu "a" ... endmenu, case x ... esac. */
#include <stdlib.h>
#include <string.h>

#include "edits/strategies.h"
#include "edits/words.h"

enum { PARTNERS = 12 };  /* lines behind one that are tried with it */
enum { ANY = 1, ALONE }; /* further marks: goes with all; is a line of one word */
enum level { LINES, COMMENTS, WORDS, N_LEVELS };

/* The first word of a line. */
struct first_word {
	const uint8_t *bytes;
	uint32_t len;
};

struct pairs {
	struct edit_part *list; /* cuts of what begins with a mark */
	uint8_t *marks;
	struct first_word *words; /* level WORDS */
};

/* The mark that LINE begins with, 0: none. */
static uint8_t mark_of(const struct view *v, uint32_t line)
{
	uint32_t at = v->lines[line];
	while (at < v->lines[line + 1] && (v->tc->bytes[at] == ' ' || v->tc->bytes[at] == '\t'))
		at++;
	uint8_t mark = v->tc->bytes[at];
	if (mark == '{' && at + 1 < v->lines[line + 1] && v->tc->bytes[at + 1] == '%')
		return mark; /* of a template: {% if a %} */
	return at < v->lines[line + 1] && strchr("#`%@.!", mark) ? mark : 0;
}

static bool is_blank(uint8_t byte)
{
	return byte == ' ' || byte == '\t' || byte == '\r' || byte == '\n';
}

/* The first word of LINE; *alone: it has no other. */
static struct first_word word_of(const struct view *v, uint32_t line, bool *alone)
{
	uint32_t at = v->lines[line], end = v->lines[line + 1], to;
	while (end > at && is_blank(v->tc->bytes[end - 1]))
		end--;
	while (at < end && is_blank(v->tc->bytes[at]))
		at++;
	for (to = at; to < end && !is_blank(v->tc->bytes[to]); to++)
		;
	*alone = at < to && to == end;
	return (struct first_word){ v->tc->bytes + at, to - at };
}

/* Does A end with B, or is it B backwards? */
static bool is_made_of(struct first_word a, struct first_word b)
{
	bool backwards = a.len == b.len;
	if (b.len < 2 || a.len < b.len)
		return false;
	for (uint32_t i = 0; backwards && i < b.len; i++)
		backwards = a.bytes[i] == b.bytes[b.len - 1 - i];
	return backwards || (a.len > b.len && !memcmp(a.bytes + a.len - b.len, b.bytes, b.len));
}

static bool may_pair(const struct pairs *x, uint32_t a, uint32_t b)
{
	return (x->marks[a] == ALONE && x->marks[b] == ALONE) ||
	       (x->marks[a] == ALONE && is_made_of(x->words[a], x->words[b])) ||
	       (x->marks[b] == ALONE && is_made_of(x->words[b], x->words[a]));
}

static uint32_t pairs_levels(const struct view *v)
{
	(void)v;
	return N_LEVELS;
}

static void add_cut(struct places *p, uint8_t mark, struct edit_part cut)
{
	struct pairs *x = p->data;
	x->marks[p->n] = mark;
	x->list[p->n++] = cut;
}

/* Words that the language knows as brackets have a pass of their own. */
static bool is_bracket(const struct view *v, uint32_t token)
{
	uint8_t kind = v->tokens.list[token].kind;
	return kind == TOKEN_OPEN || kind == TOKEN_CLOSE;
}

/* Lines of one word, if they are so few that each can be tried with each, and those of which the
 * first word belongs to one of them. */
static void add_words(struct places *p)
{
	const struct view *v = p->view;
	struct pairs *x = p->data;
	struct first_word alone[PARTNERS + 1];
	uint32_t n = 0, t = 0;
	bool is_alone;
	for (uint32_t i = 0; i < v->n_lines && n <= PARTNERS; i++) {
		struct first_word w = word_of(v, i, &is_alone);
		while (t < v->tokens.n && v->tc->bytes + v->tokens.list[t].begin < w.bytes)
			t++;
		if (is_alone && (t == v->tokens.n || !is_bracket(v, t)))
			alone[n++] = w;
	}
	for (uint32_t i = 0; i < v->n_lines && n && n <= PARTNERS; i++) {
		struct first_word w = word_of(v, i, &is_alone);
		uint8_t mark = 0;
		for (uint32_t k = 0; k < n && mark != ALONE; k++)
			mark = alone[k].bytes == w.bytes ? ALONE
			       : is_made_of(alone[k], w) ? ANY
			                                 : mark;
		struct edit_part cut = { .begin = v->lines[i], .end = v->lines[i + 1] };
		if (mark) {
			x->words[p->n] = w;
			add_cut(p, mark, cut);
		}
	}
}

static void pairs_open(struct places *p, uint32_t level, const struct strategy_options *options)
{
	(void)options;
	const struct view *v = p->view;
	struct pairs *x = arena_alloc(&p->arena, sizeof *x);
	size_t most = (level != COMMENTS ? v->n_lines : v->tokens.n) + (size_t)1;
	*x = (struct pairs){ .list = arena_alloc(&p->arena, most * sizeof *x->list),
		             .marks = arena_alloc(&p->arena, most) };
	p->data = x;
	if (level == WORDS) {
		x->words = arena_alloc(&p->arena, most * sizeof *x->words);
		if (!testcase_is_binary(v->tc))
			add_words(p);
	}
	for (uint32_t i = 0; i < v->n_lines && level == LINES; i++) {
		uint8_t mark = mark_of(v, i);
		struct edit_part cut = { .begin = v->lines[i], .end = v->lines[i + 1] };
		if (mark)
			add_cut(p, mark, cut);
	}
	for (uint32_t t = 0; t < v->tokens.n && level == COMMENTS; t++) {
		struct edit_part cut = { .begin = v->tokens.list[t].begin,
			                 .end = view_token_end(v, t) };
		if (v->tokens.list[t].kind != TOKEN_COMMENT)
			continue;
		cut.text = (const uint8_t *)" ";
		cut.len = words_comment_glues(v, t);
		add_cut(p, ANY, cut);
	}
}

/* With each of the lines behind it, and with the next two at once. */
static uint32_t pairs_ends(const struct places *p, uint32_t i)
{
	uint32_t behind = p->n - 1 - i;
	return behind < PARTNERS ? behind + (behind > 1) : PARTNERS + 1;
}

static bool pairs_edit(const struct places *p, uint32_t i, uint32_t j, struct arena *arena,
                       struct edit *out)
{
	const struct pairs *x = p->data;
	uint32_t behind = p->n - 1 - i, n = 2;
	bool three = j == (behind < PARTNERS ? behind : PARTNERS);
	uint32_t lines[] = { i, i + 1 + j, i + 2 };
	struct edit_part *parts = arena_alloc(arena, 3 * sizeof *parts);
	if (three) {
		lines[1] = i + 1;
		n = 3;
	}
	for (uint32_t k = 0; k < n; k++) {
		if (x->words ? k && !may_pair(x, i, lines[k]) : x->marks[lines[k]] != x->marks[i])
			return false;
		parts[k] = x->list[lines[k]];
	}
	return edit_make(arena, parts, n, out);
}

const struct strategy strategy_pairs = {
	.shape = STRATEGY_CUTTING,
	.needs = STRATEGY_LINES | STRATEGY_TOKENS,
	.levels = pairs_levels,
	.open = pairs_open,
	.ends = pairs_ends,
	.edit = pairs_edit,
};
