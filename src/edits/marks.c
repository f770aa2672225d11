#include "edits/marks.h"

#include "edits/names.h"

enum { MAX_USES = 8, MAX_CLASSES = 4096 };

void marks_open(struct edit_sites *p)
{
	const struct view *v = p->view;
	struct marked_words *x = arena_zero(&p->arena, sizeof *x);
	p->data = x;
	if (testcase_is_binary(v->tc))
		return;
	words_read(&x->words, v->tc, &p->arena);
	x->item = names_innermost_items(v, &p->arena);
	x->classes = arena_alloc(&p->arena, (x->words.n + (size_t)1) * sizeof *x->classes);
	for (uint32_t first = 0, last; first < x->words.n && p->n < MAX_CLASSES; first = last) {
		last = words_equal(&x->words, first);
		if (last - first > 1 && last - first <= MAX_USES + 1)
			x->classes[p->n++] = (struct word_class){ first, last };
	}
}

bool marks_one_of(uint8_t c, const char *set)
{
	return c && strchr(set, c);
}

struct range marks_trimmed(const uint8_t *bytes, struct range r)
{
	while (r.begin < r.end && marks_one_of(bytes[r.begin], " \t\r\n"))
		r.begin++;
	while (r.begin < r.end && marks_one_of(bytes[r.end - 1], " \t\r\n"))
		r.end--;
	return r;
}

uint32_t marks_token_at(const struct view *v, uint32_t offset)
{
	uint32_t n = tokens_first(&v->tokens, (uint64_t)offset + 1);
	return n ? n - 1 : 0;
}

/* Nodes come in the order of their beginnings. */
uint32_t marks_group_behind(const struct view *v, uint32_t token)
{
	uint32_t lo = 1 + MEM_FIRST(v->tree.nodes + 1, v->tree.n - 1, first, token);
	while (lo < v->tree.n && v->tree.nodes[lo].kind != TREE_GROUP)
		lo++;
	return lo < v->tree.n ? lo : TREE_NONE;
}

/* Where the use that begins AT begins with the key that says to merge it (YAML). */
static uint32_t merge_key(const uint8_t *bytes, uint32_t at)
{
	static const char key[] = "<<:";
	uint32_t len = sizeof key - 1, end = at;
	while (end > 0 && bytes[end - 1] == ' ')
		end--;
	return end >= len && !memcmp(bytes + end - len, key, len) ? end - len : at;
}

struct range marks_use(const struct view *v, struct range w)
{
	const uint8_t *bytes = v->tc->bytes;
	uint32_t size = v->tc->size, token = marks_token_at(v, w.begin);
	uint32_t inside = view_token_begin(v, token);
	struct range use = { w.begin, w.end };
	uint8_t close = 0, after = w.end < size ? bytes[w.end] : 0;
	uint32_t at = w.begin;
	while (at > 1 && bytes[at - 1] == '-' && bytes[at - 2] == '-')
		at -= 2;
	if (at > 1 && marks_one_of(bytes[at - 1], "{(["))
		close = bytes[--at] == '{' ? '}' : bytes[at] == '(' ? ')' : ']';
	if (close && after != close)
		return use;
	uint32_t mark = at;
	if (close == ')' && at + 3 <= w.begin) /* var(--x) */
		while (mark > 0 && (bytes[mark - 1] | 32) >= 'a' && (bytes[mark - 1] | 32) <= 'z')
			mark--;
	if (mark == at && at > 0 &&
	    (marks_one_of(bytes[at - 1], "$`%\\@#") ||
	     (at - 1 >= inside && marks_one_of(bytes[at - 1], "&*"))))
		mark--;
	if (mark == at)
		return use;
	use = (struct range){ mark, w.end + (close != 0) };
	if (!close && ((after == ';' && marks_one_of(bytes[mark], "&%")) ||
	               (after == bytes[mark] && marks_one_of(after, "@%"))))
		use.end++;
	if (bytes[mark] == '*')
		use.begin = merge_key(bytes, mark);
	return use;
}
