/* Strategies over lines, blanks, comments and bytes. */
#include <ctype.h>

#include "base/hash.h"
#include "base/mem.h"
#include "edits/strategies.h"
#include "edits/words.h"

static void lines_open(struct edit_sites *p)
{
	const struct view *v = p->view;
	for (uint32_t i = 0; i < v->n_lines; i++)
		edit_sites_add(p, v->lines[i], v->lines[i + 1], NULL, 0);
}

const struct strategy strategy_lines = {
	.shape = STRATEGY_LIST,
	.needs = STRATEGY_LINES,
	.open = lines_open,
};

/* Lines seen before, by hash. */
static void duplicates_open(struct edit_sites *p)
{
	const struct view *v = p->view;
	SCOPED(hash_set_release) struct hash_set seen = { 0 };
	for (uint32_t i = 0; i < v->n_lines; i++) {
		uint32_t begin = v->lines[i], end = v->lines[i + 1];
		if (!hash_set_add(&seen, hash_bytes(v->tc->bytes + begin, end - begin, 1)))
			edit_sites_add(p, begin, end, NULL, 0);
	}
}

const struct strategy strategy_duplicates = {
	.shape = STRATEGY_LIST,
	.needs = STRATEGY_LINES,
	.open = duplicates_open,
};

static bool is_indent(uint8_t byte)
{
	return byte == ' ' || byte == '\t';
}

/* Is the string at I in three quotes, and alone on its lines, as what says what a function is for?
 * MORE: lines as deep as it follow. */
static bool is_doc(const struct view *v, uint32_t i, bool *more)
{
	const uint8_t *b = v->tc->bytes;
	uint32_t begin = view_token_begin(v, i), end = view_token_end(v, i), at = begin;
	while (at < end && isalpha(b[at]))
		at++;
	if (v->tokens.list[i].kind != TOKEN_STRING || end - at < 6 || b[at] != b[at + 1] ||
	    b[at] != b[at + 2])
		return false;
	for (at = begin; at && is_indent(b[at - 1]);)
		at--;
	uint32_t depth = begin - at, next = end;
	if (at && b[at - 1] != '\n')
		return false;
	while (next < v->tc->size && is_indent(b[next]))
		next++;
	if (next < v->tc->size && b[next] != '\n')
		return false;
	uint32_t line = next;
	for (; next < v->tc->size && isspace(b[next]); next++)
		line = b[next] == '\n' ? next + 1 : line;
	*more = next < v->tc->size && next - line == depth;
	return true;
}

/* Comments, then strings that are such. What is all of a block becomes the simplest statement. */
static void comments_open(struct edit_sites *p)
{
	const struct view *v = p->view;
	bool more;
	for (uint32_t i = 0; i < v->tokens.n; i++) {
		uint32_t begin = view_token_begin(v, i), end = view_token_end(v, i);
		if (!p->level && v->tokens.list[i].kind == TOKEN_COMMENT)
			edit_sites_add(p, begin, end, " ", words_comment_glues(v, i));
		else if (p->level && is_doc(v, i, &more))
			edit_sites_add(p, begin, end, "0", !more);
	}
}

const struct strategy strategy_comments = {
	.shape = STRATEGY_LIST,
	.needs = STRATEGY_TOKENS,
	.n_levels = 2,
	.open = comments_open,
};

static bool is_blank(const struct view *v, uint32_t token)
{
	uint8_t kind = v->tokens.list[token].kind;
	return kind == TOKEN_BLANK || kind == TOKEN_NEWLINE;
}

/* The run of blank tokens from I on; returns the last of them. */
static uint32_t blank_run(const struct view *v, uint32_t i)
{
	while (i + 1 < v->tokens.n && is_blank(v, i + 1))
		i++;
	return i;
}

/* White space, step by step: runs to one character, then away or, between words, to a space. */
static const char *blank_goal(const struct view *v, uint32_t begin, uint32_t end, uint32_t level)
{
	bool newline = memchr(v->tc->bytes + begin, '\n', end - begin);
	if (level == 0)
		return newline ? "\n" : " ";
	if (level == 1)
		return words_would_glue(v->tc, begin, end) ? " " : "";
	return newline ? " " : "";
}

/* An element each, or one of all. */
static void add_blanks(struct edit_sites *p, uint32_t level, bool together)
{
	const struct view *v = p->view;
	uint32_t n = 0;
	for (uint32_t i = 0; i < v->tokens.n; i++) {
		if (!is_blank(v, i))
			continue;
		uint32_t begin = view_token_begin(v, i);
		i = blank_run(v, i);
		uint32_t end = view_token_end(v, i);
		const char *goal = blank_goal(v, begin, end, level);
		uint32_t len = (uint32_t)strlen(goal);
		if (len > end - begin ||
		    (len == end - begin && !memcmp(v->tc->bytes + begin, goal, len)))
			continue;
		edit_sites_add_part(p, begin, end, goal, len);
		if (together)
			n++;
		else
			edit_sites_end_element(p);
	}
	if (n)
		edit_sites_end_element(p);
}

static void blanks_open(struct edit_sites *p)
{
	add_blanks(p, p->level, false);
}

const struct strategy strategy_blanks = {
	.shape = STRATEGY_LIST,
	.needs = STRATEGY_TOKENS,
	.n_levels = 3,
	.open = blanks_open,
};

/* Indentation: a line is as deep as there are lines around it that are less so, in all lines at
 * once, so that what stands deeper still does. */
enum { MAX_INDENT = 128 };

static uint32_t indent_of(const struct view *v, uint32_t line)
{
	const uint8_t *bytes = v->tc->bytes;
	uint32_t begin = v->lines[line], at = begin, end = v->lines[line + 1];
	while (at < end && (bytes[at] == ' ' || bytes[at] == '\t'))
		at++;
	bool blank = at == end || bytes[at] == '\n' || bytes[at] == '\r';
	return blank || at - begin > MAX_INDENT ? UINT32_MAX : at - begin;
}

static void add_indents(struct edit_sites *p)
{
	const struct view *v = p->view;
	uint32_t around[MAX_INDENT + 1], n = 0;
	char *blanks = arena_alloc(&p->arena, MAX_INDENT + 1);
	memset(blanks, ' ', MAX_INDENT + 1);
	bool any = false;
	for (uint32_t i = 0; i < v->n_lines; i++) {
		uint32_t depth = indent_of(v, i);
		if (depth == UINT32_MAX)
			continue;
		while (n && around[n - 1] >= depth)
			n--;
		around[n++] = depth;
		if (n > depth)
			continue;
		edit_sites_add_part(p, v->lines[i], v->lines[i] + depth, blanks, n - 1);
		any = true;
	}
	if (any)
		edit_sites_end_element(p);
}

enum { LAYOUT_MOST = 1 << 18 }; /* bytes: of larger files such an edit takes three times as many */

/* The layout, in one candidate: each run of white space becomes one character. If that is refused,
 * indentation is reduced, and lines keep which of them are deeper. */

static void layout_open(struct edit_sites *p)
{
	if (p->view->tc->size > LAYOUT_MOST)
		return;
	if (p->level)
		add_indents(p);
	else
		add_blanks(p, 0, true);
}

const struct strategy strategy_layout = {
	.shape = STRATEGY_LIST,
	.needs = STRATEGY_LINES | STRATEGY_TOKENS,
	.n_levels = 2,
	.open = layout_open,
};

/* Where lengths and the like are repaired, the bytes once more as they are. */
static uint32_t bytes_levels(const struct view *v)
{
	return v->records && v->records->proven ? 2 : 1;
}

/* Large inputs are cut in coarser steps, so that the list stays small beside the input. */
static void bytes_open(struct edit_sites *p)
{
	if (p->level)
		edit_sites_repair(p, NULL);
	uint32_t size = p->view->tc->size, step = 1 + size / STRATEGY_BYTES_MAX;
	for (uint32_t i = 0; i < size; i += step)
		edit_sites_add(p, i, size - i < step ? size : i + step, NULL, 0);
}

const struct strategy strategy_bytes = {
	.shape = STRATEGY_LIST,
	.levels = bytes_levels,
	.open = bytes_open,
};

/* Each byte to zero in binary; in text, digits of numbers to "0". What is a word keeps its letters:
 * the result is to be read. */
static const char *lower_goal(uint8_t c, bool binary, bool number)
{
	if (binary)
		return c ? "\0" : NULL;
	return number && c > '0' && c <= '9' ? "0" : NULL;
}

static void lower_open(struct edit_sites *p)
{
	const struct view *v = p->view;
	const struct testcase *tc = v->tc;
	bool binary = testcase_is_binary(tc);
	uint32_t room = tc->size <= STRATEGY_BYTES_MAX ? tc->size : 0;
	for (uint32_t t = 0; t < v->tokens.n && room; t++)
		for (uint32_t i = view_token_begin(v, t); i < view_token_end(v, t); i++) {
			const char *goal = lower_goal(tc->bytes[i], binary,
			                              v->tokens.list[t].kind == TOKEN_NUMBER);
			if (goal)
				edit_sites_add(p, i, i + 1, goal, 1);
		}
}

const struct strategy strategy_lower = {
	.shape = STRATEGY_LIST,
	.needs = STRATEGY_TOKENS,
	.open = lower_open,
};

/* Two lines that go together, whatever stands between them: those of a preprocessor's conditional,
 * of a region, with the cases between them (constructs). They begin with the same mark. The same
 * with comments, where conditionals are such: {$ifdef a} ... {$endif}. And lines of one word each,
 * or of one word that is made of the first one of the other, as words begin and end blocks in
 * formats that nobody has described: begin ... end, menu "a" ... endmenu, case x ... esac. */
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
	struct construct *constructs;
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

static bool is_blank_byte(uint8_t byte)
{
	return byte == ' ' || byte == '\t' || byte == '\r' || byte == '\n';
}

/* The first word of LINE; *alone: it has no other. */
static struct first_word word_of(const struct view *v, uint32_t line, bool *alone)
{
	uint32_t at = v->lines[line], end = v->lines[line + 1], to;
	while (end > at && is_blank_byte(v->tc->bytes[end - 1]))
		end--;
	while (at < end && is_blank_byte(v->tc->bytes[at]))
		at++;
	for (to = at; to < end && !is_blank_byte(v->tc->bytes[to]); to++)
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

/* Constructs of lines that their words join: one that begins with "end" and the beginning of the
 * first one's word ends it, those between them that begin with "el" are its cases: #ifdef a, #elif
 * b, #else, #endif; .macro, .endm; {% for x %}, {% endfor %}. */
struct construct {
	uint32_t close; /* what ends the one that begins here; 0: none does */
	uint32_t of;    /* what this belongs to begins there, + 1; 0: it belongs to none */
};

/* The first word of what CUT removes, whatever marks stand before it. */
static struct first_word word_in(const struct view *v, struct edit_part cut)
{
	const uint8_t *bytes = v->tc->bytes;
	uint32_t at = cut.begin, to;
	while (at < cut.end && !isalpha(bytes[at]))
		at++;
	for (to = at; to < cut.end && isalnum(bytes[to]); to++)
		;
	return (struct first_word){ bytes + at, to - at };
}

static bool begins_with(struct first_word word, const uint8_t *text, uint32_t len)
{
	return word.len >= len && !memcmp(word.bytes, text, len);
}

/* Of N lines, in document order. In linear time: what is looked at on the stack leaves it. */
static struct construct *find_constructs(const struct view *v, const struct edit_part *lines,
                                         uint32_t n, struct arena *arena)
{
	struct construct *list = arena_zero(arena, (n + (size_t)1) * sizeof *list);
	uint32_t *open = mem_alloc((n + (size_t)1) * sizeof *open), depth = 0;
	for (uint32_t i = 0; i < n; open[depth++] = i++) {
		struct first_word end = word_in(v, lines[i]);
		if (end.len < 4 || !begins_with(end, (const uint8_t *)"end", 3))
			continue;
		uint32_t at = depth;
		while (at &&
		       !begins_with(word_in(v, lines[open[at - 1]]), end.bytes + 3, end.len - 3))
			at--;
		if (!at) {
			depth = 0; /* what is open around a lone end is not looked at again */
			continue;
		}
		uint32_t first = open[at - 1];
		for (uint32_t k = at; k < depth; k++)
			if (begins_with(word_in(v, lines[open[k]]), (const uint8_t *)"el", 2))
				list[open[k]].of = first + 1;
		list[first] = (struct construct){ i, first + 1 };
		list[i].of = first + 1;
		depth = at - 1;
	}
	free(open);
	return list;
}

static void add_cut(struct edit_sites *p, uint8_t mark, struct edit_part cut)
{
	struct pairs *x = p->data;
	x->marks[p->n] = mark;
	x->list[p->n++] = cut;
}

/* Lines of one word, if they are so few that each can be tried with each, and those of which the
 * first word belongs to one of them. */
static void add_words(struct edit_sites *p)
{
	const struct view *v = p->view;
	struct pairs *x = p->data;
	struct first_word alone[PARTNERS + 1];
	uint32_t n = 0, t = 0;
	bool is_alone;
	for (uint32_t i = 0; i < v->n_lines && n <= PARTNERS; i++) {
		struct first_word w = word_of(v, i, &is_alone);
		while (t < v->tokens.n && v->tc->bytes + view_token_begin(v, t) < w.bytes)
			t++;
		if (is_alone && (t == v->tokens.n || !view_is_bracket(v, t)))
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

static void pairs_open(struct edit_sites *p)
{
	const struct view *v = p->view;
	struct pairs *x = arena_alloc(&p->arena, sizeof *x);
	size_t most = (p->level != COMMENTS ? v->n_lines : v->tokens.n) + (size_t)1;
	*x = (struct pairs){ .list = arena_alloc(&p->arena, most * sizeof *x->list),
		             .marks = arena_alloc(&p->arena, most) };
	p->data = x;
	if (p->level == WORDS) {
		x->words = arena_alloc(&p->arena, most * sizeof *x->words);
		if (!testcase_is_binary(v->tc))
			add_words(p);
	}
	for (uint32_t i = 0; i < v->n_lines && p->level == LINES; i++) {
		uint8_t mark = mark_of(v, i);
		struct edit_part cut = { .begin = v->lines[i], .end = v->lines[i + 1] };
		if (mark)
			add_cut(p, mark, cut);
	}
	for (uint32_t t = 0; t < v->tokens.n && p->level == COMMENTS; t++) {
		struct edit_part cut = { .begin = view_token_begin(v, t),
			                 .end = view_token_end(v, t) };
		if (v->tokens.list[t].kind != TOKEN_COMMENT)
			continue;
		cut.text = (const uint8_t *)" ";
		cut.len = words_comment_glues(v, t);
		add_cut(p, ANY, cut);
	}
	x->constructs = find_constructs(v, x->list, p->n, &p->arena);
}

/* With each of the lines behind it; the last one: with the rest of its construct. */
static uint32_t pairs_ends(const struct edit_sites *p, uint32_t i)
{
	uint32_t behind = p->n - 1 - i;
	return (behind < PARTNERS ? behind : PARTNERS) + 1;
}

static bool construct_edit(const struct pairs *x, uint32_t i, struct arena *arena, struct edit *out)
{
	uint32_t last = x->constructs[i].close, n = 0;
	if (!last)
		return false;
	struct edit_part *parts = arena_alloc(arena, (last - i + (size_t)1) * sizeof *parts);
	for (uint32_t k = i; k <= last; k++)
		if (k == i || x->constructs[k].of == i + 1)
			parts[n++] = x->list[k];
	return (n > 2 || last - i > PARTNERS) && edit_make(arena, parts, n, out);
}

static bool pairs_edit(const struct edit_sites *p, uint32_t i, uint32_t j, struct arena *arena,
                       struct edit *out)
{
	const struct pairs *x = p->data;
	uint32_t other = i + 1 + j;
	if (j + 1 == pairs_ends(p, i))
		return construct_edit(x, i, arena, out);
	if (x->words ? !may_pair(x, i, other) : x->marks[other] != x->marks[i])
		return false;
	struct edit_part *parts = arena_alloc(arena, 2 * sizeof *parts);
	parts[0] = x->list[i];
	parts[1] = x->list[other];
	return edit_make(arena, parts, 2, out);
}

const struct strategy strategy_pairs = {
	.shape = STRATEGY_CUTTING,
	.needs = STRATEGY_LINES | STRATEGY_TOKENS,
	.n_levels = N_LEVELS,
	.open = pairs_open,
	.ends = pairs_ends,
	.edit = pairs_edit,
};

/* Per line of a construct: how far from it only such lines and white space stand. */
static uint32_t *find_runs(const struct view *v, const struct pairs *x, uint32_t n,
                           struct arena *arena)
{
	uint32_t *runs = arena_alloc(arena, (n + (size_t)1) * sizeof *runs);
	for (uint32_t k = n; k--;) {
		uint32_t gap = x->list[k].end,
			 next = k + 1 < n ? x->list[k + 1].begin : v->tc->size;
		while (gap < next && is_blank_byte(v->tc->bytes[gap]))
			gap++;
		runs[k] = k + 1 < n && gap == next && x->constructs[k + 1].of ? runs[k + 1] : k;
	}
	return runs;
}

/* Lines of white space only: in a run of blanks with several line ends, all but the first line end
 * and the last line's indentation. The layout of what remains is kept. And constructs around
 * nothing but such lines and others of their kind. */
static void blank_lines_open(struct edit_sites *p)
{
	const struct view *v = p->view;
	struct edit_sites marked = { .view = p->view, .level = LINES, .options = p->options };
	pairs_open(&marked);
	const struct pairs *x = marked.data;
	uint32_t *runs = find_runs(v, x, marked.n, &marked.arena), at = 0, done = 0;
	for (uint32_t i = 0; i <= v->tokens.n; i++) {
		uint32_t begin = view_token_begin(v, i);
		for (; at < marked.n && x->list[at].begin <= begin; at++) {
			uint32_t close = x->constructs[at].close;
			if (!close || close > runs[at])
				continue;
			done = x->list[close].end;
			edit_sites_add(p, x->list[at].begin, done, NULL, 0);
			at = close;
		}
		if (i == v->tokens.n || !is_blank(v, i))
			continue;
		i = blank_run(v, i);
		uint32_t end = view_token_end(v, i);
		const uint8_t *first = memchr(v->tc->bytes + begin, '\n', end - begin);
		const uint8_t *last = memrchr(v->tc->bytes + begin, '\n', end - begin);
		if (first != last && begin >= done)
			edit_sites_add(p, (uint32_t)(first - v->tc->bytes),
			               (uint32_t)(last - v->tc->bytes), NULL, 0);
	}
	arena_release(&marked.arena);
}

const struct strategy strategy_blank_lines = {
	.shape = STRATEGY_LIST,
	.needs = STRATEGY_LINES | STRATEGY_TOKENS,
	.open = blank_lines_open,
};
