#include "ui/live_change.h"

#include "base/mem.h"
#include "text/diff.h"
#include "text/testcase.h"

struct bytes {
	const uint8_t *at;
	uint32_t len;
};

static struct live_text keep(const uint8_t *at, uint32_t size, uint32_t most)
{
	struct live_text t = { .size = size, .len = size < most ? size : most };
	t.bytes = mem_alloc(t.len + 1);
	memcpy(t.bytes, at, t.len);
	t.bytes[t.len] = '\0';
	return t;
}

static uint32_t line_of(struct bytes a, uint32_t at)
{
	uint32_t line = 1;
	for (const uint8_t *p = a.at; (p = memchr(p, '\n', (size_t)(a.at + at - p))); p++)
		line++;
	return line;
}

/* Where what was cut begins: the same cut may begin earlier when what stands before it is repeated
 * at its end. The beginning of a line, if there is one, reads best. */
static uint32_t at_line_start(struct bytes a, uint32_t start, uint32_t len)
{
	for (uint32_t at = start; start - at <= LIVE_CHANGE_AROUND; at--) {
		if (at == 0 || a.at[at - 1] == '\n')
			return at;
		if (a.at[at - 1] != a.at[at + len - 1])
			break;
	}
	return start;
}

static struct live_change *compare(struct bytes a, struct bytes b, const char *path)
{
	struct live_change *c = mem_zero(1, sizeof *c);
	uint32_t least = a.len < b.len ? a.len : b.len, start = diff_common(a.at, b.at, least);
	uint32_t end = diff_common_end(a.at + a.len, b.at + b.len, least - start);
	if (a.len > b.len && start + end == b.len) {
		uint32_t earlier = at_line_start(a, start, a.len - b.len);
		end += start - earlier;
		start = earlier;
	}
	uint32_t around = start < LIVE_CHANGE_AROUND ? start : LIVE_CHANGE_AROUND;
	c->path = path ? mem_strdup(path) : NULL;
	c->line = line_of(a, start);
	c->before = keep(a.at + start - around, around, around);
	c->went = keep(a.at + start, a.len - end - start, LIVE_CHANGE_TEXT);
	c->came = keep(b.at + start, b.len - end - start, LIVE_CHANGE_TEXT);
	c->behind = keep(a.at + a.len - end, end, LIVE_CHANGE_AROUND);
	return c;
}

static struct bytes bytes_of(const struct testcase_file *f)
{
	return (struct bytes){ f->data, testcase_file_size(f) };
}

/* The first file of a tree that differs. Files keep their order. */
static struct live_change *compare_trees(const struct testcase *a, const struct testcase *b)
{
	static const struct bytes none = { (const uint8_t *)"", 0 };
	for (uint32_t i = 0, k = 0; i < a->n_files; i++) {
		const struct testcase_file *f = &a->files[i],
					   *g = k < b->n_files ? &b->files[k] : NULL;
		bool there = g && strcmp(f->path, g->path) == 0;
		if (!there || !hash_equal(f->hash, g->hash))
			return compare(bytes_of(f), there ? bytes_of(g) : none, f->path);
		k++;
	}
	return NULL;
}

struct live_change *live_change_new(const struct testcase *before, const struct testcase *after)
{
	if (hash_equal(before->hash, after->hash) || !before->n_files || !after->n_files)
		return NULL;
	return before->is_tree ? compare_trees(before, after)
	                       : compare(bytes_of(before->files), bytes_of(after->files), NULL);
}

void live_change_free(struct live_change *c)
{
	if (!c)
		return;
	free(c->path);
	free(c->before.bytes);
	free(c->went.bytes);
	free(c->came.bytes);
	free(c->behind.bytes);
	free(c);
}

size_t live_change_cost(const struct live_change *c)
{
	return sizeof *c + c->before.len + c->went.len + c->came.len + c->behind.len;
}
