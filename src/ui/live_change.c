#include "ui/live_change.h"

#include "base/mem.h"
#include "text/diff.h"
#include "text/testcase.h"

struct bytes {
	const uint8_t *at;
	uint32_t len;
};

/* Of A, what is between START and the last END bytes, with what is around. */
static struct live_side keep(struct bytes a, uint32_t start, uint32_t end)
{
	uint32_t size = a.len - end - start,
		 kept = size < LIVE_CHANGE_TEXT ? size : LIVE_CHANGE_TEXT;
	uint32_t before = start < LIVE_CHANGE_AROUND ? start : LIVE_CHANGE_AROUND;
	uint32_t behind = end < LIVE_CHANGE_AROUND ? end : LIVE_CHANGE_AROUND, to = before + kept;
	struct live_side s = { mem_alloc(to + behind), before, to, to + behind, size - kept };
	memcpy(s.bytes, a.at + start - before, to);
	memcpy(s.bytes + to, a.at + a.len - end, behind);
	return s;
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
	c->path = path ? mem_strdup(path) : NULL;
	c->line = line_of(a, start);
	c->went = keep(a, start, end);
	c->came = keep(b, start, end);
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
	free(c->went.bytes);
	free(c->came.bytes);
	free(c);
}

size_t live_change_cost(const struct live_change *c)
{
	return sizeof *c + c->went.len + c->came.len;
}
