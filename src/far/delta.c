#include "far/delta.h"

#include <string.h>
#include <sys/stat.h>

#include "base/mem.h"
#include "text/diff.h"

enum {
	NEEDLE = 24,   /* bytes by which a place is known again */
	SEARCHES = 48, /* for them in one test case, each at most as long as it is */
};

/* The parts found so far, in an array that grows within the arena. */
struct parts {
	struct arena *arena;
	struct edit_part *list;
	uint32_t n, cap;
	unsigned searches;
};

static void add(struct parts *to, uint32_t begin, uint32_t end, const uint8_t *text, uint32_t len)
{
	struct edit_part *last = to->n ? &to->list[to->n - 1] : NULL;
	if (begin == end && !len)
		return;
	if (last && last->end == begin && !last->len && !len) {
		last->end = end;
		return;
	}
	if (to->n == to->cap) {
		uint32_t cap = to->cap ? 2 * to->cap : 4;
		struct edit_part *list = arena_alloc(to->arena, cap * sizeof *list);
		if (to->n)
			memcpy(list, to->list, to->n * sizeof *list);
		to->list = list;
		to->cap = cap;
	}
	to->list[to->n++] = (struct edit_part){ begin, end, len, len ? text : NULL };
}

/* What differs, between what is the same: [at, end) in each of the two. */
struct copied_range {
	const uint8_t *bytes;
	uint32_t at, end;
};

/* Finds where both go on alike: the next bytes of TO in FROM, or, when they are new, some behind
 * them. Writes the part between, and moves both there. False: nowhere. */
static bool find_next(struct parts *parts, uint32_t offset, struct copied_range *from,
                      struct copied_range *to)
{
	for (uint32_t skip = 0; to->end - to->at >= skip + NEEDLE; skip += NEEDLE) {
		if (!parts->searches)
			return false;
		parts->searches--;
		const uint8_t *found = memmem(from->bytes + from->at, from->end - from->at,
		                              to->bytes + to->at + skip, NEEDLE);
		if (!found)
			continue;
		uint32_t there = (uint32_t)(found - from->bytes);
		add(parts, offset + from->at, offset + there, to->bytes + to->at, skip);
		from->at = there;
		to->at += skip;
		return true;
	}
	return false;
}

/* The parts of one file, whose bytes begin at OFFSET. */
static void compare(struct parts *parts, uint32_t offset, struct copied_range from,
                    struct copied_range to)
{
	for (;;) {
		uint32_t n = from.end - from.at, m = to.end - to.at, least = n < m ? n : m;
		uint32_t same = diff_common(from.bytes + from.at, to.bytes + to.at, least);
		from.at += same;
		to.at += same;
		same = diff_common_end(from.bytes + from.end, to.bytes + to.end, least - same);
		from.end -= same;
		to.end -= same;
		if (from.end - from.at < NEEDLE || to.end - to.at < NEEDLE ||
		    !find_next(parts, offset, &from, &to))
			break;
	}
	add(parts, offset + from.at, offset + from.end, to.bytes + to.at, to.end - to.at);
}

static bool same_bytes(const struct testcase_file *a, const struct testcase_file *b)
{
	uint32_t size = testcase_file_size(a);
	return size == testcase_file_size(b) &&
	       (a->data == b->data || hash_equal(a->hash, b->hash));
}

/* A file of both trees. False: it has become what no edit makes of it. */
static bool compare_file(struct parts *parts, const struct testcase_file *a,
                         const struct testcase_file *b)
{
	static const uint8_t frame = TESTCASE_FRAME;
	bool significant = S_ISLNK(a->mode) || S_ISDIR(a->mode), same = same_bytes(a, b);
	if (a->fixed != b->fixed || (significant && (!same || a->mode != b->mode)) ||
	    (a->mode != b->mode && (a->mode & ~(mode_t)0111) != b->mode))
		return false;
	if (!same)
		compare(parts, a->begin, (struct copied_range){ a->data, 0, testcase_file_size(a) },
		        (struct copied_range){ b->data, 0, testcase_file_size(b) });
	if (a->mode != b->mode)
		add(parts, a->end, a->end + 1, &frame, 1);
	return true;
}

static bool compare_trees(struct parts *parts, const struct testcase *base,
                          const struct testcase *tc)
{
	uint32_t j = 0;
	for (uint32_t i = 0; i < base->n_files; i++) {
		const struct testcase_file *a = &base->files[i],
					   *b = j < tc->n_files ? &tc->files[j] : NULL;
		bool there = b && (a->path == b->path || !strcmp(a->path, b->path));
		if (there && !compare_file(parts, a, b))
			return false;
		if (!there && a->fixed)
			return false;
		if (!there)
			add(parts, a->begin, a->end + 1, NULL, 0);
		j += there;
	}
	return j == tc->n_files;
}

bool delta_edit(struct arena *arena, const struct testcase *base, const struct testcase *tc,
                struct edit *out)
{
	struct parts parts = { .arena = arena, .searches = SEARCHES };
	const struct testcase_file *a = base->files, *b = tc->files;
	if (base->is_tree != tc->is_tree)
		return false;
	if (tc->is_tree) {
		if (!compare_trees(&parts, base, tc))
			return false;
	} else {
		if (strcmp(a->path, b->path) || a->mode != b->mode)
			return false;
		compare(&parts, 0, (struct copied_range){ base->bytes, 0, base->size },
		        (struct copied_range){ tc->bytes, 0, tc->size });
	}
	*out = (struct edit){ parts.n, parts.list };
	return true;
}
