#include "lang/rewrite.h"

#include <ctype.h>
#include <strings.h>

#include "base/mem.h"
#include "lang/rewrite_pattern.h"

/* What rewrites are matched against: groups and items by their first token, and operands. */

struct rewrite_ground *rewrite_ground_new(const struct testcase *tc, const struct tokens *tokens,
                                          const struct tree *tree, struct arena *arena)
{
	struct rewrite_ground *g = arena_alloc(arena, sizeof *g);
	size_t n = tokens->n + (size_t)1;
	*g = (struct rewrite_ground){ .tc = tc, .tokens = tokens, .tree = tree };
	g->group = arena_alloc(arena, n * sizeof *g->group);
	g->item = arena_alloc(arena, n * sizeof *g->item);
	g->operand = arena_zero(arena, n * sizeof *g->operand);
	g->callee = arena_zero(arena, n * sizeof *g->callee);
	g->whole = arena_zero(arena, n * sizeof *g->whole);
	memset(g->group, 0xff, n * sizeof *g->group);
	memset(g->item, 0xff, n * sizeof *g->item);
	for (uint32_t i = 1; i < tree->n; i++) {
		const struct tree_node *node = &tree->nodes[i];
		if (node->first < tree_end(tree, i))
			(node->kind == TREE_GROUP ? g->group : g->item)[node->first] = i;
	}
	return g;
}

static bool has_word(const struct rewrite_ground *g, const struct tokenizer *tok, uint32_t token,
                     const char *text)
{
	uint32_t begin = tokens_begin(g->tokens, token), len = tokens_end(g->tokens, token) - begin;
	const char *bytes = (const char *)g->tc->bytes + begin;
	return len == strlen(text) &&
	       (tok->ignore_case ? !strncasecmp(bytes, text, len) : !memcmp(bytes, text, len));
}

static bool has_word_of(const struct rewrite_ground *g, const struct tokenizer *tok, uint32_t token,
                        const struct texts *words)
{
	for (size_t i = 0; i < words->n; i++)
		if (has_word(g, tok, token, words->list[i]))
			return true;
	return false;
}

/* What operands are found with: the ground, the language, the end of its tokens. */
struct finder {
	struct rewrite_ground *g;
	const struct tokenizer *tok;
	uint32_t last;
};

/* The next token that is no blank, line end within an item, or comment. */
static uint32_t next_significant(const struct finder *f, uint32_t t)
{
	const struct token *list = f->g->tokens->list;
	while (t < f->last && !list[t].strength &&
	       (list[t].kind == TOKEN_BLANK || list[t].kind == TOKEN_NEWLINE ||
	        list[t].kind == TOKEN_COMMENT))
		t++;
	return t;
}

static bool operand_group(const struct finder *f, uint32_t t)
{
	struct tokenset pair = { { 0, 0 } };
	if (t >= f->last || f->g->group[t] == TREE_NONE ||
	    f->g->tokens->list[t].bracket >= f->tok->n_pairs)
		return false;
	tokenset_add(&pair, f->g->tokens->list[t].bracket);
	return tokenset_meets(f->tok->operands.pairs, pair);
}

/* Behind the name, number, string, word or group at T; 0 when there is none. */
static uint32_t primary(const struct finder *f, uint32_t t)
{
	if (t >= f->last)
		return 0;
	uint8_t kind = f->g->tokens->list[t].kind;
	if (operand_group(f, t))
		return tree_end(f->g->tree, f->g->group[t]);
	bool simple = kind == TOKEN_IDENTIFIER || kind == TOKEN_NUMBER || kind == TOKEN_STRING;
	bool word = kind == TOKEN_KEYWORD && has_word_of(f->g, f->tok, t, &f->tok->operands.words);
	return simple || word ? t + 1 : 0;
}

static bool joins(const struct finder *f, uint32_t t)
{
	return t < f->last && f->g->tokens->list[t].kind != TOKEN_OPEN &&
	       has_word_of(f->g, f->tok, t, &f->tok->operands.joins);
}

/* Behind the operand whose first name, number, string or group ends at END; marks those that are
 * part of it in INNER. In *CALLEE where the part before a group that it ends with ends, or 0. */
static uint32_t chain(const struct finder *f, uint32_t end, bool *inner, uint32_t *callee)
{
	*callee = 0;
	for (;;) {
		uint32_t t = next_significant(f, end), behind;
		if (f->g->tokens->list[end - 1].strength)
			return end;
		if (joins(f, t)) {
			t = next_significant(f, t + 1);
			behind = primary(f, t);
		} else
			behind = operand_group(f, t) ? primary(f, t) : 0;
		if (!behind)
			return end;
		inner[t] = true;
		*callee = operand_group(f, t) ? end : 0;
		end = behind;
	}
}

/* An operand begins with its first name, number, string or group; and once more with the operators
 * in front of it, unless these follow another operand. */
void rewrite_ground_operands(struct rewrite_ground *g, const struct tokenizer *tok, uint32_t first,
                             uint32_t last)
{
	const struct finder f = { g, tok, last };
	MEM_SCOPED bool *inner = mem_zero(last + (size_t)1, sizeof *inner),
			*ends = mem_zero(last + (size_t)1, sizeof *ends);
	uint32_t prefix = TREE_NONE, before = TREE_NONE;
	for (uint32_t t = first; t < last; t++) {
		const struct token *token = &g->tokens->list[t];
		if (token->kind == TOKEN_BLANK || token->kind == TOKEN_COMMENT ||
		    (token->kind == TOKEN_NEWLINE && !token->strength))
			continue;
		uint32_t end = inner[t] ? 0 : primary(&f, t);
		if (end) {
			uint32_t start = prefix == TREE_NONE ? t : prefix;
			g->operand[t] = end = chain(&f, end, inner, &g->callee[t]);
			ends[end - 1] = true;
			g->operand[start] = end;
			g->callee[start] = g->callee[t];
			g->whole[start] = true;
		}
		bool behind_operand = before != TREE_NONE && ends[before];
		bool other = token->kind == TOKEN_OTHER && !joins(&f, t);
		if (!other || behind_operand)
			prefix = TREE_NONE;
		else if (prefix == TREE_NONE)
			prefix = t;
		before = t;
	}
}

struct matcher {
	const struct rewrite_ground *g;
	const struct tokenizer *tok;
	const struct rewrite *rewrite;
	uint32_t last;                                 /* behind the tokens of this language */
	uint32_t begin[REWRITE_MAX], end[REWRITE_MAX]; /* tokens of each element */
	uint32_t close[REWRITE_MAX];                   /* closing tokens of the groups gone into */
	uint32_t item;                                 /* that `each` is at, or TREE_NONE */
	struct arena *arena;
	void (*found)(void *arg, const struct rewrite_match *match);
	void *arg;
};

static const struct token *token_at(const struct matcher *m, uint32_t t)
{
	return &m->g->tokens->list[t];
}

static uint32_t begin_of(const struct matcher *m, uint32_t t)
{
	return tokens_begin(m->g->tokens, t);
}

/* Where a rule says that an item begins: a token of no bytes. */
static bool is_border(const struct matcher *m, uint32_t t)
{
	return token_at(m, t)->kind == TOKEN_TERMINATOR &&
	       begin_of(m, t) == tokens_end(m->g->tokens, t);
}

/* From T to the next token that counts; OVER_LINES: also over line ends that end an item. */
static uint32_t skip(const struct matcher *m, uint32_t t, bool over_lines)
{
	while (t < m->last &&
	       ((token_is_blank(token_at(m, t)) && (over_lines || !token_at(m, t)->strength)) ||
	        is_border(m, t)))
		t++;
	return t;
}

static bool has_text(const struct matcher *m, uint32_t t, const struct rewrite_element *e)
{
	uint32_t begin = begin_of(m, t);
	const char *bytes = (const char *)m->g->tc->bytes + begin;
	if (tokens_end(m->g->tokens, t) - begin != e->len)
		return false;
	return m->tok->ignore_case ? !strncasecmp(bytes, e->text, e->len)
	                           : !memcmp(bytes, e->text, e->len);
}

/* Behind the group that T opens; TREE_NONE: it opens none. */
static uint32_t group_end(const struct matcher *m, uint32_t t)
{
	uint32_t group = m->g->group[t];
	return group == TREE_NONE ? TREE_NONE : tree_end(m->g->tree, group);
}

/* Tags have numbers of their own, behind those of the pairs. */
static bool is_pair(const struct matcher *m, uint32_t t, uint8_t pair)
{
	uint8_t bracket = token_at(m, t)->bracket;
	return bracket == pair || (bracket >= m->tok->n_pairs && m->tok->pairs[pair].tag);
}

/* Behind the element E when that is one token, group, operand or item at T; TREE_NONE when it is
 * not. */
static uint32_t take_one(const struct matcher *m, const struct rewrite_element *e, uint32_t depth,
                         uint32_t t)
{
	uint32_t group = group_end(m, t), item = m->item;
	const struct token *token = token_at(m, t);
	switch (e->class) {
	case REWRITE_TEXT:
	case REWRITE_KIND:
		if (token->kind == TOKEN_CLOSE && !(depth && m->close[depth - 1] == t))
			return TREE_NONE;
		return (e->class == REWRITE_TEXT ? has_text(m, t, e) : token->kind == e->detail)
		               ? t + 1
		               : TREE_NONE;
	case REWRITE_GONE:
		return token->kind == TOKEN_IDENTIFIER ? t + 1 : TREE_NONE;
	case REWRITE_GROUP:
		return group;
	case REWRITE_PAIR:
		return group != TREE_NONE && is_pair(m, t, e->detail) ? group : TREE_NONE;
	case REWRITE_OPERAND:
		return m->g->operand[t] ? m->g->operand[t] : TREE_NONE;
	case REWRITE_CALLEE:
		return m->g->callee[t] ? m->g->callee[t] : TREE_NONE;
	case REWRITE_ITEM:
		if (item == TREE_NONE || m->g->tree->nodes[item].first != t)
			item = m->g->item[t];
		return item == TREE_NONE ? TREE_NONE : tree_end(m->g->tree, item);
	default:
		return TREE_NONE;
	}
}

/* Whether a run ends in front of T; a list over separators, lines over all that is no bracket. */
static bool ends_run(const struct matcher *m, uint32_t t, enum rewrite_class class)
{
	bool list = class == REWRITE_LIST;
	const struct token *token = token_at(m, t);
	if (token->kind == TOKEN_CLOSE)
		return true; /* what was opened within the run is passed as a group */
	if (class == REWRITE_LINES)
		return false;
	if (is_border(m, t))
		return !list;
	return token->kind == TOKEN_TERMINATOR || (token->kind == TOKEN_SEPARATOR && !list) ||
	       (token->kind == TOKEN_NEWLINE && token->strength);
}

static uint32_t take_run(const struct matcher *m, uint32_t e, uint32_t depth, uint32_t t)
{
	const struct rewrite_element *next =
		e + 1 < m->rewrite->n ? &m->rewrite->pattern[e + 1] : NULL;
	enum rewrite_class class = m->rewrite->pattern[e].class;
	uint32_t end = TREE_NONE, units = 0;
	while (t < m->last && units++ < REWRITE_CONTEXT && !ends_run(m, t, class)) {
		if (next && end != TREE_NONE && take_one(m, next, depth, t) != TREE_NONE)
			return end;
		uint32_t group = group_end(m, t);
		bool significant = !is_border(m, t) && !token_is_blank(token_at(m, t));
		t = group == TREE_NONE ? t + 1 : group;
		if (significant)
			end = t;
		if (token_at(m, t - 1)->strength && class == REWRITE_RUN)
			break;
		while (t < m->last && token_is_blank(token_at(m, t)) && !token_at(m, t)->strength)
			t++;
	}
	return units > REWRITE_CONTEXT ? TREE_NONE : end;
}

static uint32_t take(const struct matcher *m, uint32_t e, uint32_t depth, uint32_t t)
{
	const struct rewrite_element *element = &m->rewrite->pattern[e];
	if (element->class == REWRITE_REST)
		return depth ? m->close[depth - 1] : TREE_NONE;
	if (t >= m->last)
		return TREE_NONE;
	if (element->class >= REWRITE_RUN)
		return take_run(m, e, depth, t);
	return take_one(m, element, depth, t);
}

/* Marks of names too: some languages want them apart. */
static bool is_word_byte(const struct matcher *m, uint8_t c)
{
	const char *marks = m->tok->name_marks[0];
	return isalnum(c) || c == '_' || c == '$' || c >= 0x80 || (c && marks && strchr(marks, c));
}

/* The replacement of [begin, end) by TEXT, apart from words beside it. False when that changes
 * nothing. */
static bool gap(const struct matcher *m, uint32_t begin, uint32_t end, const char *text,
                struct edit_part *out)
{
	const struct testcase *tc = m->g->tc;
	size_t n = strlen(text);
	uint8_t left = begin ? tc->bytes[begin - 1] : ' ',
		right = end < tc->size ? tc->bytes[end] : ' ';
	bool before = is_word_byte(m, left) && is_word_byte(m, n ? (uint8_t)text[0] : right);
	bool behind = n && is_word_byte(m, (uint8_t)text[n - 1]) && is_word_byte(m, right);
	if (before || behind) {
		char *apart = arena_alloc(m->arena, n + 3);
		n = (size_t)(stpcpy(stpcpy(stpcpy(apart, before ? " " : ""), text),
		                    behind ? " " : "") -
		             apart);
		text = apart;
	}
	*out = (struct edit_part){ begin, end, (uint32_t)n, n ? (const uint8_t *)text : NULL };
	return end - begin != n || memcmp(tc->bytes + begin, text, n);
}

/* Shorter, or as long and of simpler characters; then nothing beyond ASCII goes, half of a
 * character might stay. */
static bool improves(const struct matcher *m, const struct rewrite_match *match)
{
	int64_t saving = edit_saving((struct edit){ match->n, match->parts });
	if (saving || match->n != 1)
		return saving > 0;
	const struct edit_part *p = match->parts;
	const uint8_t *old = m->g->tc->bytes + p->begin;
	uint32_t i = 0;
	for (uint32_t k = 0; k < p->len; k++)
		if (old[k] >= 0x80)
			return false;
	while (p->text[i] == old[i])
		i++;
	return testcase_natural_rank(p->text[i]) < testcase_natural_rank(old[i]);
}

/* The bytes of an element, without blanks at its ends. */
static void element_bytes(const struct matcher *m, uint32_t e, uint32_t *begin, uint32_t *end)
{
	uint32_t a = m->begin[e], b = m->end[e];
	while (a < b && (token_is_blank(token_at(m, a)) || begin_of(m, a) == begin_of(m, a + 1)))
		a++;
	while (b > a &&
	       (token_is_blank(token_at(m, b - 1)) || begin_of(m, b - 1) == begin_of(m, b)))
		b--;
	*begin = begin_of(m, a);
	*end = begin_of(m, b);
}

/* How far the line of AT is indented, when there is nothing but white space before it; -1
 * otherwise. In bytes. */
static int64_t indentation(const struct matcher *m, uint32_t at)
{
	uint32_t begin = at;
	const uint8_t *bytes = m->g->tc->bytes;
	while (begin && (bytes[begin - 1] == ' ' || bytes[begin - 1] == '\t'))
		begin--;
	bool whole = !begin || bytes[begin - 1] == '\n' || bytes[begin - 1] == '\r';
	return whole ? (int64_t)at - begin : -1;
}

/* Whether the K-th that is kept is a block of indented lines. */
static bool is_block(const struct matcher *m, uint32_t k)
{
	const struct rewrite_element *e = &m->rewrite->pattern[m->rewrite->kept[k]];
	return e->class == REWRITE_PAIR && m->tok->layout && e->detail == m->tok->layout_pair;
}

/* Whether the result begins with a block of indented lines, which then stand where its head stood.
 */
static bool loses_indentation(const struct matcher *m)
{
	const struct rewrite *r = m->rewrite;
	return r->n_kept && !*r->between[0] && is_block(m, 0);
}

/* Where the white space before a block that keeps its head begins: its first line stays one. */
static uint32_t before_block(const struct matcher *m, uint32_t e)
{
	uint32_t t = m->begin[e];
	while (t > m->begin[0] && token_is_blank(token_at(m, t - 1)))
		t--;
	return begin_of(m, t);
}

/* The lines of the block E behind FIRST that are indented by BY or more, as cuts of that much; how
 * many, at most REWRITE_LINES_MAX and one. PARTS: NULL to count them. */
static uint32_t indented_lines(const struct matcher *m, uint32_t e, uint32_t first, int64_t by,
                               struct edit_part *parts)
{
	uint32_t n = 0;
	for (uint32_t t = m->begin[e]; t < m->end[e] && n <= REWRITE_LINES_MAX; t++) {
		uint32_t end = tokens_end(m->g->tokens, t);
		if (token_at(m, t)->kind != TOKEN_NEWLINE || begin_of(m, t) < first ||
		    indentation(m, end) < by)
			continue;
		if (parts)
			parts[n] = (struct edit_part){ .begin = end - (uint32_t)by, .end = end };
		n++;
	}
	return n;
}

/* Adds the cuts that move the lines of the block E, behind its first, out by as much as the first
 * is indented more than its head at AT. False when the head does not begin a line, or the block is
 * too long. */
static bool move_out(const struct matcher *m, uint32_t e, uint32_t at, uint32_t first,
                     struct rewrite_match *match)
{
	int64_t head = indentation(m, at), by = indentation(m, first) - head;
	uint32_t n = head < 0 || by <= 0 ? UINT32_MAX : indented_lines(m, e, first, by, NULL);
	if (n > REWRITE_LINES_MAX)
		return false;
	struct edit_part *parts = arena_alloc(
		m->arena, (match->n + n + m->rewrite->n_kept + (size_t)1) * sizeof *parts);
	memcpy(parts, match->parts, match->n * sizeof *parts);
	match->n += indented_lines(m, e, first, by, parts + match->n);
	match->parts = parts;
	return true;
}

/* What is between the string [first, end) and the one at BEGIN, with both quotes, in *OUT. False
 * when the quotes are not alike, or the first one is no more than a quote. */
static bool fuse(const struct matcher *m, uint32_t first, uint32_t end, uint32_t begin,
                 struct edit_part *out)
{
	const uint8_t *bytes = m->g->tc->bytes;
	uint8_t quote = bytes[end - 1];
	*out = (struct edit_part){ .begin = end - 1, .end = begin + 1 };
	return end - first > 1 && bytes[begin] == quote && memchr("\"'`", quote, 3);
}

/* The token behind the match, or behind its terminator if the last part that is kept ends with the
 * same one: `if a then b; end if;` becomes `b;`. */
static uint32_t behind_match(const struct matcher *m)
{
	const struct rewrite *r = m->rewrite;
	uint32_t behind = m->end[r->n - 1], t = skip(m, behind, false), begin, end;
	if (!r->n_kept || *r->between[r->n_kept] || t >= m->last ||
	    token_at(m, t)->kind != TOKEN_TERMINATOR)
		return behind;
	const uint8_t *bytes = m->g->tc->bytes;
	uint32_t len = begin_of(m, t + 1) - begin_of(m, t);
	element_bytes(m, r->kept[r->n_kept - 1], &begin, &end);
	bool same = end - begin > len && !memcmp(bytes + end - len, bytes + begin_of(m, t), len);
	return same ? t + 1 : behind;
}

static void report(const struct matcher *m)
{
	const struct rewrite *r = m->rewrite;
	struct rewrite_match match = { .parts = arena_alloc(
					       m->arena, (r->n_kept + 1) * sizeof *match.parts) };
	uint32_t at = begin_of(m, m->begin[0]), begin, end, first = 0, behind = behind_match(m);
	match.begin = at;
	match.end = begin_of(m, behind);
	for (uint32_t k = 0; k < r->n_kept; k++) {
		element_bytes(m, r->kept[k], &begin, &end);
		if (*r->between[k] && is_block(m, k))
			begin = before_block(m, r->kept[k]);
		if (r->fused[k] && !fuse(m, first, at, begin, &match.parts[match.n]))
			return;
		match.n += r->fused[k] || gap(m, at, begin, r->between[k], &match.parts[match.n]);
		if (!k && loses_indentation(m) && !move_out(m, r->kept[0], at, begin, &match))
			return;
		first = begin;
		at = end;
	}
	if (!r->n_kept && !*r->between[0] && behind < m->last &&
	    token_at(m, behind)->kind == TOKEN_BLANK)
		match.end = begin_of(m, behind + 1);
	match.n += gap(m, at, match.end, r->between[r->n_kept], &match.parts[match.n]);
	if (!match.n || !(r->gone || improves(m, &match)))
		return;
	match.item = r->item;
	match.saving = r->gone ? 0 : (uint32_t)edit_saving((struct edit){ match.n, match.parts });
	for (uint32_t e = 0; e < r->n; e++)
		if (r->pattern[e].class == REWRITE_GONE)
			match.gone[match.n_gone++] = m->begin[e];
	m->found(m->arg, &match);
}

static void match_from(struct matcher *m, uint32_t e, uint32_t depth, uint32_t t);

/* The rest of the pattern at the beginning of each item of the group NODE; of items within items
 * too. */
static void match_items(struct matcher *m, uint32_t e, uint32_t depth, uint32_t node)
{
	const struct tree *tree = m->g->tree;
	for (uint32_t i = tree_child(tree->nodes, node); i != TREE_NONE; i = tree_next(tree, i)) {
		if (tree->nodes[i].kind != TREE_ITEM || tree->nodes[i].first >= tree_end(tree, i))
			continue;
		m->item = i;
		match_from(m, e, depth, tree->nodes[i].first);
		match_items(m, e, depth, i);
	}
	m->item = TREE_NONE;
}

static void match_from(struct matcher *m, uint32_t e, uint32_t depth, uint32_t t)
{
	const struct rewrite *r = m->rewrite;
	for (; e < r->n; e++) {
		const struct rewrite_element *element = &r->pattern[e];
		if (element->class == REWRITE_EACH) {
			uint32_t group = m->g->group[m->begin[e - 1]];
			if (group != TREE_NONE)
				match_items(m, e + 1, depth, group);
			return;
		}
		t = skip(m, t, e && r->pattern[e - 1].class == REWRITE_LINES);
		uint32_t end = take(m, e, depth, t);
		if (end == TREE_NONE)
			return;
		if (element->class <= REWRITE_KIND && token_at(m, t)->kind == TOKEN_CLOSE)
			depth--;
		if (element->class <= REWRITE_KIND && group_end(m, t) != TREE_NONE)
			m->close[depth++] = group_end(m, t) - 1;
		m->begin[e] = t;
		m->end[e] = t = end;
	}
	report(m);
}

/* Can the pattern begin here? Runs begin where an item does, operands with all their operators. */
static bool may_begin(const struct matcher *m, uint32_t t)
{
	switch (m->rewrite->pattern[0].class) {
	case REWRITE_RUN:
	case REWRITE_LIST:
	case REWRITE_LINES:
		return m->g->item[t] != TREE_NONE;
	case REWRITE_OPERAND:
		return m->g->whole[t];
	case REWRITE_CALLEE:
		return m->g->callee[t] && m->g->whole[t];
	default:
		return take_one(m, &m->rewrite->pattern[0], 0, t) != TREE_NONE;
	}
}

void rewrite_find(const struct rewrite_ground *ground, const struct tokenizer *tok,
                  const struct rewrite *rewrite, uint32_t first, uint32_t last, struct arena *arena,
                  void (*found)(void *arg, const struct rewrite_match *match), void *arg)
{
	struct matcher m = { .g = ground,
		             .tok = tok,
		             .rewrite = rewrite,
		             .last = last,
		             .item = TREE_NONE,
		             .arena = arena,
		             .found = found,
		             .arg = arg };
	for (uint32_t t = first; t < last; t++)
		if (!token_is_blank(token_at(&m, t)) && may_begin(&m, t))
			match_from(&m, 0, 0, t);
}
