/* Strategies over lines, blanks, comments and bytes. */
#include <stdlib.h>
#include <string.h>

#include "base/hash_set.h"
#include "edits/strategies.h"
#include "edits/words.h"

static void lines_open(struct places *p, uint32_t level, const struct strategy_options *options)
{
	(void)level, (void)options;
	const struct view *v = p->view;
	places_begin(p, v->n_lines, v->n_lines);
	for (uint32_t i = 0; i < v->n_lines; i++)
		places_add(p, v->lines[i], v->lines[i + 1], NULL, 0);
}

const struct strategy strategy_lines = {
	.shape = STRATEGY_LIST,
	.needs = STRATEGY_LINES,
	.open = lines_open,
};

/* Lines seen before, by hash. */
static void duplicates_open(struct places *p, uint32_t level,
                            const struct strategy_options *options)
{
	(void)level, (void)options;
	const struct view *v = p->view;
	places_begin(p, v->n_lines, v->n_lines);
	struct hash_set seen = { 0 };
	for (uint32_t i = 0; i < v->n_lines; i++) {
		uint32_t begin = v->lines[i], end = v->lines[i + 1];
		if (!hash_set_add(&seen, hash_bytes(v->tc->bytes + begin, end - begin, 1)))
			places_add(p, begin, end, NULL, 0);
	}
	hash_set_release(&seen);
}

const struct strategy strategy_duplicates = {
	.shape = STRATEGY_LIST,
	.needs = STRATEGY_LINES,
	.open = duplicates_open,
};

static void comments_open(struct places *p, uint32_t level, const struct strategy_options *options)
{
	(void)level, (void)options;
	const struct view *v = p->view;
	places_begin(p, v->tokens.n, v->tokens.n);
	for (uint32_t i = 0; i < v->tokens.n; i++)
		if (v->tokens.list[i].kind == TOKEN_COMMENT)
			places_add(p, v->tokens.list[i].begin, view_token_end(v, i), " ",
			           words_comment_glues(v, i));
}

const struct strategy strategy_comments = {
	.shape = STRATEGY_LIST,
	.needs = STRATEGY_TOKENS,
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

/* Lines of white space only: in a run of blanks with several line ends, all but the first line end
 * and the last line's indentation. The layout of what remains is kept. */
static void blank_lines_open(struct places *p, uint32_t level,
                             const struct strategy_options *options)
{
	(void)level, (void)options;
	const struct view *v = p->view;
	places_begin(p, v->tokens.n, v->tokens.n);
	for (uint32_t i = 0; i < v->tokens.n; i++) {
		if (!is_blank(v, i))
			continue;
		uint32_t begin = v->tokens.list[i].begin;
		i = blank_run(v, i);
		uint32_t end = view_token_end(v, i);
		const uint8_t *first = memchr(v->tc->bytes + begin, '\n', end - begin);
		const uint8_t *last = memrchr(v->tc->bytes + begin, '\n', end - begin);
		if (first != last)
			places_add(p, (uint32_t)(first - v->tc->bytes),
			           (uint32_t)(last - v->tc->bytes), NULL, 0);
	}
}

const struct strategy strategy_blank_lines = {
	.shape = STRATEGY_LIST,
	.needs = STRATEGY_TOKENS,
	.open = blank_lines_open,
};

/* White space, step by step: runs to one character, then away or, between words, to a space. */
static uint32_t blanks_levels(const struct view *v)
{
	(void)v;
	return 3;
}

static const char *blank_goal(const struct view *v, uint32_t begin, uint32_t end, uint32_t level)
{
	bool newline = memchr(v->tc->bytes + begin, '\n', end - begin);
	if (level == 0)
		return newline ? "\n" : " ";
	if (level == 1)
		return words_would_glue(v->tc, begin, end) ? " " : "";
	return newline ? " " : "";
}

static void blanks_open(struct places *p, uint32_t level, const struct strategy_options *options)
{
	(void)options;
	const struct view *v = p->view;
	places_begin(p, v->tokens.n, v->tokens.n);
	for (uint32_t i = 0; i < v->tokens.n; i++) {
		if (!is_blank(v, i))
			continue;
		uint32_t begin = v->tokens.list[i].begin;
		i = blank_run(v, i);
		uint32_t end = view_token_end(v, i);
		const char *goal = blank_goal(v, begin, end, level);
		uint32_t len = (uint32_t)strlen(goal);
		if (len < end - begin ||
		    (len == end - begin && memcmp(v->tc->bytes + begin, goal, len)))
			places_add(p, begin, end, goal, len);
	}
}

const struct strategy strategy_blanks = {
	.shape = STRATEGY_LIST,
	.needs = STRATEGY_TOKENS,
	.levels = blanks_levels,
	.open = blanks_open,
};

/* Indentation: each depth that occurs becomes its rank, at once in all lines, so that what stands
 * deeper still does. */
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

static void indent_open(struct places *p, uint32_t level, const struct strategy_options *options)
{
	(void)level, (void)options;
	const struct view *v = p->view;
	uint32_t rank[MAX_INDENT + 1] = { 0 }, n = 0;
	for (uint32_t i = 0; i < v->n_lines; i++)
		if (indent_of(v, i) != UINT32_MAX)
			rank[indent_of(v, i)] = 1;
	for (uint32_t i = 0; i <= MAX_INDENT; i++)
		rank[i] = rank[i] ? n++ : 0;
	char *blanks = arena_alloc(&p->arena, MAX_INDENT + 1);
	memset(blanks, ' ', MAX_INDENT + 1);
	places_begin(p, 1, v->n_lines);
	bool any = false;
	for (uint32_t i = 0; i < v->n_lines; i++) {
		uint32_t depth = indent_of(v, i);
		if (depth == UINT32_MAX || rank[depth] >= depth)
			continue;
		places_add_part(p, v->lines[i], v->lines[i] + depth, blanks, rank[depth]);
		any = true;
	}
	if (any)
		places_end_element(p);
}

const struct strategy strategy_indent = {
	.shape = STRATEGY_LIST,
	.needs = STRATEGY_LINES,
	.open = indent_open,
};

/* Large inputs are cut in coarser steps, so that the list stays small beside the input. */
/* Where lengths and the like are repaired, the bytes once more as they are. */
static uint32_t bytes_levels(const struct view *v)
{
	return v->records && v->records->proven ? 2 : 1;
}

static void bytes_open(struct places *p, uint32_t level, const struct strategy_options *options)
{
	(void)options;
	if (level)
		places_repair(p, NULL);
	uint32_t size = p->view->tc->size, step = 1 + size / STRATEGY_BYTES_MAX,
		 n = (size + step - 1) / step;
	places_begin(p, n, n);
	for (uint32_t i = 0; i < size; i += step)
		places_add(p, i, size - i < step ? size : i + step, NULL, 0);
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

static void lower_open(struct places *p, uint32_t level, const struct strategy_options *options)
{
	(void)level, (void)options;
	const struct view *v = p->view;
	const struct testcase *tc = v->tc;
	bool binary = testcase_is_binary(tc);
	uint32_t room = tc->size <= STRATEGY_BYTES_MAX ? tc->size : 0;
	places_begin(p, room, room);
	for (uint32_t t = 0; t < v->tokens.n && room; t++)
		for (uint32_t i = v->tokens.list[t].begin; i < view_token_end(v, t); i++) {
			const char *goal = lower_goal(tc->bytes[i], binary,
			                              v->tokens.list[t].kind == TOKEN_NUMBER);
			if (goal)
				places_add(p, i, i + 1, goal, 1);
		}
}

const struct strategy strategy_lower = {
	.shape = STRATEGY_LIST,
	.needs = STRATEGY_TOKENS,
	.open = lower_open,
};
