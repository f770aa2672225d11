/* Equal words become a short one, in whatever tokens they stand: the word of a here-document and
 * the line that ends it, a name in a string and the thing it names. Or nothing: an alias or a
 * prefix goes from where it is defined, and with the mark behind it from where it is used. The same
 * with other text that repeats: a:b:c to a, then without :b. Where equal words are different
 * things, as $a and @a, those behind one mark stay as they are. */
#include <ctype.h>

#include "edits/marks.h"
#include "edits/names.h"
#include "edits/phrases.h"
#include "edits/strategies.h"
#include "edits/words.h"

enum {
	WORDS_MAX = 4096,
	SHORT = 26 + 26 * 26,
	ALONE_MOST = 2,
	MARKS_MOST = 4,
	PHRASES_MOST = 32, /* each costs a question or two */
};
enum level { SHORTER, UNQUALIFIED, MARKED_1, MARKED_2, MARKED_3, PHRASES, TAILS, HEADS, N_LEVELS };

/* Is any of the words [first, last) of the order not a name of its own, which `rename` knows? */
static bool is_more_than_name(const struct view *v, const struct words *w, uint32_t first,
                              uint32_t last)
{
	for (uint32_t i = first; i < last; i++) {
		struct range x = w->list[w->order[i]];
		uint32_t token = marks_token_at(v, x.begin);
		if (v->tokens.list[token].kind != TOKEN_IDENTIFIER ||
		    v->tokens.list[token].begin != x.begin || view_token_end(v, token) != x.end)
			return true;
	}
	return false;
}

/* Which of the short names are words: one byte each. */
static uint8_t *words_taken(const struct words *w, struct arena *arena)
{
	uint8_t *taken = arena_zero(arena, SHORT + 1);
	for (uint32_t i = 0; i < w->n; i++) {
		struct range y = w->list[i];
		taken[names_short_number(w->bytes + y.begin, y.end - y.begin, SHORT)] = 1;
	}
	return taken;
}

/* The first short name that is not TAKEN, and now is, in *TEXT; its bytes, fewer than ROOM (0:
 * there is none). */
static uint32_t take_name(struct edit_sites *p, uint8_t *taken, uint32_t room, char **text)
{
	char name[8];
	uint32_t k = 0;
	while (k < SHORT && taken[k])
		k++;
	uint32_t len = names_short(k, name);
	if (k == SHORT || len >= room)
		return 0;
	taken[k] = 1;
	*text = arena_copy(&p->arena, name, len);
	return len;
}

static void add_words(struct edit_sites *p, const struct words *w, uint32_t first, uint32_t last,
                      uint8_t *taken)
{
	struct range x = w->list[w->order[first]];
	char *text;
	uint32_t len = take_name(p, taken, x.end - x.begin, &text);
	if (!len)
		return;
	for (uint32_t i = first; i < last; i++)
		edit_sites_add_part(p, w->list[w->order[i]].begin, w->list[w->order[i]].end, text,
		                    len);
	edit_sites_end_element(p);
}

/* What is in front of a word that says what kind of thing it names; 0: nothing does. */
static uint8_t mark_before(const struct words *w, struct range x)
{
	uint8_t c = x.begin ? w->bytes[x.begin - 1] : 0;
	uint8_t before = x.begin > 1 ? w->bytes[x.begin - 2] : 0;
	if ((c == '/' && before == '<') || (c == '>' && before == '-'))
		return c == '/' ? '<' : '.';
	return marks_one_of(c, "$@%&#.:~</\\?!") ? c : 0;
}

/* The different marks of the words [first, last) of the order; how many, MARKS_MOST at most. */
static uint32_t marks_of(const struct words *w, uint32_t first, uint32_t last, uint8_t *marks)
{
	uint32_t n = 0;
	for (uint32_t i = first; i < last; i++) {
		uint8_t mark = mark_before(w, w->list[w->order[i]]);
		if (n < MARKS_MOST && !memchr(marks, mark, n))
			marks[n++] = mark;
	}
	return n;
}

/* Those of the words [first, last) of the order that have one mark, the COUNTth of those there are,
 * and, where there are three kinds or more, those that have none: $a and name="a", but not @a. */
static void add_marked(struct edit_sites *p, const struct words *w, uint32_t first, uint32_t last,
                       uint32_t count, uint8_t *taken)
{
	uint8_t marks[MARKS_MOST] = { 0 }, *plain;
	uint32_t n = marks_of(w, first, last, marks);
	bool with_plain = n > 2 && (plain = memchr(marks, 0, n));
	if (with_plain)
		*plain = marks[--n];
	struct range x = w->list[w->order[first]];
	char *text;
	uint32_t len = count < n && n > 1 ? take_name(p, taken, x.end - x.begin, &text) : 0;
	for (uint32_t i = first; i < last && len; i++) {
		x = w->list[w->order[i]];
		uint8_t mark = mark_before(w, x);
		if (mark == marks[count] || (with_plain && !mark))
			edit_sites_add_part(p, x.begin, x.end, text, len);
	}
	if (len)
		edit_sites_end_element(p);
}

static bool is_letter(uint8_t c)
{
	return isalnum(c) || c == '_';
}

/* The mark that joins two words: "." and ":" alone, "::", "->". At AT or, if BEFORE, in front of
 * it; how long it is, 0: there is none. */
static uint32_t mark_at(const struct words *w, uint32_t size, uint32_t at, bool before)
{
	static const char *const marks[] = { "::", "->", ".", ":" };
	for (size_t i = 0; i < sizeof marks / sizeof *marks; i++) {
		uint32_t len = (uint32_t)strlen(marks[i]), begin = before ? at - len : at;
		if ((before && at <= len) || begin + len >= size ||
		    memcmp(w->bytes + begin, marks[i], len) != 0)
			continue;
		return is_letter(w->bytes[before ? begin - 1 : begin + len]) ? len : 0;
	}
	return 0;
}

/* The uses [first, last) of the order without the word: with the mark behind it (a.x is x), or in
 * front of it (xmlns:a= is xmlns=), or, where it stands alone, with the blank in front of it.
 * Nothing unless there is one use of the first kind and one of the others, and no more than
 * ALONE_MOST of the last. TAKEN: per byte, what goes with another word. */
static void add_unqualified(struct edit_sites *p, const struct words *w, uint32_t first,
                            uint32_t last, uint8_t *taken)
{
	uint32_t n = last - first, size = p->view->tc->size, qualifying = 0, alone = 0;
	struct edit_part *parts = arena_alloc(&p->arena, n * sizeof *parts);
	for (uint32_t i = 0; i < n; i++) {
		struct range x = w->list[w->order[first + i]];
		uint32_t behind = mark_at(w, size, x.end, false),
			 before = behind ? 0 : mark_at(w, size, x.begin, true);
		bool single = !behind && !before;
		bool blank = single && x.begin && w->bytes[x.begin - 1] == ' ';
		qualifying += behind > 0;
		alone += single;
		parts[i] = (struct edit_part){ .begin = x.begin - before - blank,
			                       .end = x.end + behind };
		if (memchr(taken + parts[i].begin, 1, parts[i].end - parts[i].begin))
			return;
	}
	if (!qualifying || qualifying == n || alone > ALONE_MOST)
		return;
	for (uint32_t i = 0; i < n; i++) {
		memset(taken + parts[i].begin, 1, parts[i].end - parts[i].begin);
		edit_sites_add_part(p, parts[i].begin, parts[i].end, NULL, 0);
	}
	edit_sites_end_element(p);
}

/* From a letter, or the mark of a name, to a letter with marks between, where each bracket has its
 * partner. */
static bool is_phrase(const uint8_t *bytes, const struct phrase *phrase)
{
	static const char opening[] = "([{<", closing[] = ")]}>";
	const uint8_t *text = bytes + phrase->at[0];
	char open[PHRASE_LONGEST];
	uint32_t letters = 0, depth = 0;
	for (uint32_t i = 0; i < phrase->len; i++) {
		const char *o = memchr(opening, text[i], 4), *e = memchr(closing, text[i], 4);
		letters += is_letter(text[i]);
		if (o)
			open[depth++] = closing[o - opening];
		else if (e && (!depth || open[--depth] != *e))
			return false;
	}
	uint8_t last = text[phrase->len - 1];
	return !depth && letters && letters < phrase->len &&
	       (is_letter(text[0]) || memchr("$%@&.#~", text[0], 7)) &&
	       (is_letter(last) || memchr(closing, last, 4));
}

/* What of PHRASE goes at LEVEL: all, what is behind its last mark with that, or what is in front of
 * its first one. */
static struct range part_of(const uint8_t *bytes, const struct phrase *phrase, uint32_t level)
{
	const uint8_t *text = bytes + phrase->at[0];
	struct range part = { 0, phrase->len };
	if (level == TAILS)
		for (part.begin = part.end - 1; part.begin && is_letter(text[part.begin]);)
			part.begin--;
	if (level == HEADS)
		for (part.end = 1; is_letter(text[part.end - 1]);)
			part.end++;
	return part;
}

/* Phrases that stand several times, to a word that does not occur, or without a part. */
static void add_phrases(struct edit_sites *p, uint8_t *names, uint32_t level, struct arena *scratch)
{
	const struct testcase *tc = p->view->tc;
	struct phrases found;
	phrases_find(&found, tc->bytes, tc->size, PHRASES_MOST, is_phrase, scratch);
	for (uint32_t i = 0; i < found.n; i++) {
		const struct phrase *phrase = &found.list[i];
		struct range part = part_of(tc->bytes, phrase, level);
		char *text = NULL;
		uint32_t len = level == PHRASES ? take_name(p, names, phrase->len, &text) : 0;
		if (level == PHRASES && !len)
			continue;
		for (uint32_t k = 0; k < phrase->n; k++)
			edit_sites_add_part(p, phrase->at[k] + part.begin, phrase->at[k] + part.end,
			                    text, len);
		edit_sites_end_element(p);
	}
}

static void add_equal_words(struct edit_sites *p, const struct words *w, uint8_t *names,
                            uint32_t level, struct arena *scratch)
{
	uint8_t *bytes = arena_zero(scratch, p->view->tc->size);
	for (uint32_t first = 0, last; first < w->n && p->n < WORDS_MAX; first = last) {
		last = words_equal(w, first);
		if (last - first < 2 || last - first > NAMES_MAX_USES)
			continue;
		if (level == UNQUALIFIED)
			add_unqualified(p, w, first, last, bytes);
		else if (level != SHORTER)
			add_marked(p, w, first, last, level - MARKED_1, names);
		else if (is_more_than_name(p->view, w, first, last))
			add_words(p, w, first, last, names);
	}
}

/* Words that stand several times, and not as names alone, to one that does not occur; then those
 * that are an alias or a prefix to nothing; then phrases likewise. */
static void words_open(struct edit_sites *p)
{
	ARENA_SCOPED struct arena scratch = { 0 };
	struct words w;
	if (p->options.keep_names || testcase_is_binary(p->view->tc))
		return;
	words_read(&w, p->view->tc, &scratch);
	uint8_t *names = words_taken(&w, &scratch);
	if (p->level < PHRASES)
		add_equal_words(p, &w, names, p->level, &scratch);
	else
		add_phrases(p, names, p->level, &scratch);
}

const struct strategy strategy_words = {
	.shape = STRATEGY_LIST,
	.needs = STRATEGY_TOKENS,
	.n_levels = N_LEVELS,
	.open = words_open,
};
