#include "cxx/reach_impl.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "edits/solid.h"
#include "edits/words.h"

static bool declares(const struct reach *r, const struct reach_item *item, uint32_t name)
{
	for (uint32_t i = 0; i < item->n_declares; i++)
		if (r->names[item->declares + i] == name)
			return true;
	return false;
}

uint32_t reach_solid_before(const struct view *v, uint32_t token)
{
	while (token && !view_token_solid(v, token - 1))
		token--;
	return token ? token - 1 : REACH_NONE;
}

static bool is_scope(const struct view *v, uint32_t token)
{
	uint32_t len;
	const uint8_t *text = token == REACH_NONE ? NULL : token_text(v, token, &len);
	return text && len == 2 && text[0] == ':' && text[1] == ':';
}

/* Where ITEM looks for the name of a token: in the library that qualifies it (behind `::` alone in
 * none), else in its own; near the end, where names may be used without saying whose they are,
 * anywhere. */
static uint8_t looks_in(const struct reach *r, struct reach_texts *x, const struct reach_item *item,
                        uint32_t token)
{
	const struct view *v = r->view;
	uint8_t where = item->begin >= r->tail ? REACH_ANYWHERE : item->library;
	for (uint32_t at = reach_solid_before(v, token); is_scope(v, at);
	     at = reach_solid_before(v, token)) {
		token = reach_solid_before(v, at);
		if (token == REACH_NONE || v->tokens.list[token].kind == TOKEN_KEYWORD)
			return where == REACH_ANYWHERE ? where : 0;
		if (v->tokens.list[token].kind != TOKEN_IDENTIFIER)
			break;
		uint8_t library = reach_library(r, reach_text(x, token, false));
		if (library != REACH_ANYWHERE)
			where = library;
	}
	return where;
}

/* What a language means by a word without saying it. */
static const char *const implied[][16] = {
	{ "typeid", "type_info" },
	{ "for", "begin", "end", "++", "*", "==", "!=" },
	{ "<=>", "strong_ordering", "weak_ordering", "partial_ordering", "equal", "equivalent",
	  "less", "greater", "unordered" },
	{ "co_await", "coroutine_traits", "coroutine_handle", "await_ready", "await_suspend",
	  "await_resume" },
};

struct mentioner {
	struct reach *r;
	struct reach_texts *texts;
	uint32_t *seen; /* of a name: where it was added last */
};

/* Once for a place where it is looked for. What the item declares is its own but where it says
 * whose it is: `using ::name`. */
static void mention(const struct mentioner *m, const struct reach_item *item, uint32_t name,
                    uint8_t where, bool qualified)
{
	struct reach *r = m->r;
	uint32_t seen = m->seen[name];
	if (seen >= item->mentions && seen < r->n_names && r->where[seen] == where)
		return;
	bool here = where == item->library || where == REACH_ANYWHERE;
	if (here && (!qualified || item->both) && declares(r, item, name))
		return;
	m->seen[name] = r->n_names;
	reach_add_name(r, name, where);
}

static void mention_implied(const struct mentioner *m, const struct reach_item *item,
                            uint32_t token)
{
	uint32_t len;
	const char *text = (const char *)token_text(m->r->view, token, &len);
	for (size_t i = 0; i < sizeof implied / sizeof *implied; i++) {
		if (strlen(implied[i][0]) != len || memcmp(implied[i][0], text, len))
			continue;
		for (const char *const *word = implied[i] + 1; *word; word++)
			mention(m, item, reach_word(m->texts, *word, strlen(*word)), REACH_ANYWHERE,
			        false);
	}
}

/* In a script names are also said in strings, with whatever stands around them there: `:name`,
 * "name". */
static void mention_said(const struct mentioner *m, const struct reach_item *item, uint32_t token)
{
	uint32_t len, begin = 0;
	const uint8_t *text = token_text(m->r->view, token, &len);
	while (begin < len && !words_has(text[begin]))
		begin++;
	while (len > begin && !words_has(text[len - 1]))
		len--;
	uint32_t end = begin;
	while (end < len && words_has(text[end]))
		end++;
	if (end == begin || end < len || isdigit(text[begin]))
		return;
	mention(m, item, reach_word(m->texts, (const char *)text + begin, end - begin),
	        REACH_ANYWHERE, false);
}

static void find_mentions(const struct mentioner *m, uint32_t i)
{
	struct reach *r = m->r;
	struct reach_item *item = &r->items[i];
	const struct tree_node *node = &r->view->tree.nodes[item->node];
	item->mentions = r->n_names;
	for (uint32_t t = item->first; t < node->last; t++) {
		uint8_t kind = r->view->tokens.list[t].kind;
		bool is_operator = kind == TOKEN_OTHER || kind == TOKEN_KEYWORD;
		if (m->texts->owner[t] != i)
			continue;
		if (kind == TOKEN_STRING && reach_is_worded(r->view))
			mention_said(m, item, t);
		if (kind != TOKEN_IDENTIFIER && !is_operator)
			continue;
		bool qualified = is_scope(r->view, reach_solid_before(r->view, t));
		mention(m, item, reach_text(m->texts, t, is_operator),
		        is_operator ? item->library : looks_in(r, m->texts, item, t), qualified);
		if (is_operator)
			mention_implied(m, item, t);
	}
	if (item->said.value != REACH_NONE)
		mention(m, item, item->said.value, REACH_ANYWHERE, false);
	item->n_mentions = r->n_names - item->mentions;
}

enum { IMPLIED_MOST = 64 }; /* words that the source itself may lack */

void reach_find_mentions(struct reach *r, struct reach_texts *x)
{
	size_t n = r->view->tokens.n + (size_t)IMPLIED_MOST;
	struct mentioner m = { r, x, mem_alloc(n * sizeof(uint32_t)) };
	reach_fill(m.seen, n);
	for (uint32_t i = 0; i < r->n; i++)
		find_mentions(&m, i);
	free(m.seen);
}
