#include "base/quote.h"

#include <ctype.h>

#include "base/buf.h"
#include "base/mem.h"

void quote_add(struct buf *out, const char *word)
{
	buf_addch(out, '\'');
	for (; *word; word++)
		if (*word == '\'')
			buf_addf(out, "'\\''");
		else
			buf_addch(out, *word);
	buf_addch(out, '\'');
}

static size_t plain(const char *word)
{
	return strspn(word, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789"
	                    "-_./+:@%,");
}

void quote_add_if_needed(struct buf *out, const char *word)
{
	if (*word && !word[plain(word)])
		buf_addf(out, "%s", word);
	else
		quote_add(out, word);
}

/* "NAME=" would be an assignment in front of the first word, and "=NAME" a program to some shells.
 */
static void add_argument(struct buf *out, const char *word)
{
	size_t name = plain(word);
	if (name && word[name] == '=' && !word[name + 1 + plain(word + name + 1)])
		buf_addf(out, "%s", word);
	else
		quote_add_if_needed(out, word);
}

bool quote_is_assignment(const char *word)
{
	size_t name =
		strspn(word, "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz_0123456789");
	return name && !isdigit((unsigned char)*word) && word[name] == '=';
}

void quote_add_words(struct buf *out, const char *const *words)
{
	for (const char *const *word = words; *word; word++) {
		buf_add(out, " ", word > words);
		(word > words ? add_argument : quote_add_if_needed)(out, *word);
	}
	buf_add(out, "", 0);
}

char *quote_word(const char *word)
{
	struct buf out = { 0 };
	quote_add_if_needed(&out, word);
	buf_addch(&out, '\0');
	return out.data;
}

char *quote_operand(const char *word)
{
	MEM_SCOPED char *quoted = quote_word(word);
	return mem_printf("%s%s", *word == '-' ? "-- " : "", quoted);
}

char *quote_command(const char *verb, const char *dir, const char *store, const char *operand)
{
	struct buf out = { 0 };
	const char *const given[] = { " -C ", dir, " --store ", store };
	MEM_SCOPED char *last = quote_operand(operand);
	buf_addf(&out, "whittle %s", verb);
	for (size_t i = 0; i < sizeof given / sizeof *given; i += 2)
		if (given[i + 1]) {
			buf_addf(&out, "%s", given[i]);
			quote_add_if_needed(&out, given[i + 1]);
		}
	buf_addf(&out, " %s", last);
	return out.data;
}

static void enter(struct quote_state *q)
{
	if (q->depth < sizeof q->outer)
		q->outer[q->depth++] = q->open;
	q->open = '\0';
}

static size_t step_outside(struct quote_state *q, const char *at)
{
	if (*at == '#' && !q->in_word)
		return strcspn(at, "\n");
	q->in_word = !strchr(" \t\n;|&<>()", *at);
	if (*at == '\'' || *at == '"')
		q->open = *at;
	else if (*at == '(')
		enter(q);
	else if (*at == ')' && q->depth)
		q->open = q->outer[--q->depth];
	return 1;
}

size_t quote_step(struct quote_state *q, const char *at)
{
	if (q->open == '\'') {
		q->open = *at == '\'' ? '\0' : '\'';
		return 1;
	}
	if (*at == '\\' && at[1]) {
		q->in_word = true;
		return 2;
	}
	if (at[0] == '$' && at[1] == '(') {
		enter(q);
		q->in_word = false;
		return 2;
	}
	if (!q->open)
		return step_outside(q, at);
	q->open = *at == '"' ? '\0' : '"';
	return 1;
}
