/* Strategies over the entries of a tree: files, links, empty directories. They need no tokenizer.
 */
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "edits/mentions.h"
#include "edits/strategies.h"

/* Of a fixed file the bytes, of any other entry all there is. */
static struct edit_part entry_cut(const struct testcase *tc, uint32_t i)
{
	const struct testcase_file *f = &tc->files[i];
	return (struct edit_part){ .begin = f->begin, .end = f->end + !f->fixed };
}

/* Length of the first DEPTH components of PATH; 0 when what is there is no directory. */
static size_t directory_length(const char *path, uint32_t depth)
{
	const char *slash = path;
	for (; depth && (slash = strchr(slash, '/')); depth--)
		slash++;
	return slash ? (size_t)(slash - path) : 0;
}

static uint32_t max_depth(const struct testcase *tc)
{
	uint32_t max = 0;
	for (uint32_t i = 0; i < tc->n_files; i++) {
		uint32_t depth = 0;
		for (const char *p = tc->files[i].path; (p = strchr(p, '/')); p++)
			depth++;
		max = depth > max ? depth : max;
	}
	return max;
}

/* Entries that go together: consecutive ones, for a directory's stand together. */
struct group {
	uint32_t first, n;
	uint64_t size;
};

static int smaller_first(const void *a, const void *b)
{
	const struct group *x = a, *y = b;
	if (x->size != y->size)
		return x->size < y->size ? -1 : 1;
	return x->first < y->first ? -1 : x->first > y->first;
}

static bool same_directory(const char *a, const char *b, uint32_t depth)
{
	size_t n = directory_length(a, depth);
	return n && n == directory_length(b, depth) && !memcmp(a, b, n);
}

/* The directories at DEPTH, or (DEPTH 0) the single entries; in order of size. */
static uint32_t find_groups(const struct testcase *tc, uint32_t depth, struct group *groups)
{
	uint32_t n = 0;
	for (uint32_t i = 0; i < tc->n_files; i++) {
		const char *path = tc->files[i].path;
		struct edit_part cut = entry_cut(tc, i);
		if (cut.begin == cut.end || (depth && !directory_length(path, depth)))
			continue;
		if (!depth || !n ||
		    !same_directory(tc->files[groups[n - 1].first].path, path, depth))
			groups[n++] = (struct group){ .first = i };
		struct group *g = &groups[n - 1];
		g->n = i + 1 - g->first;
		g->size += cut.end - cut.begin;
	}
	if (n)
		qsort(groups, n, sizeof *groups, smaller_first);
	return n;
}

/* Directories from the outermost on, then single entries. */
static uint32_t files_levels(const struct view *v)
{
	return v->tc->is_tree ? max_depth(v->tc) + 1 : 0;
}

static void files_open(struct places *p, uint32_t level, const struct strategy_options *options)
{
	(void)options;
	const struct testcase *tc = p->view->tc;
	struct group *groups = mem_alloc((tc->n_files + (size_t)1) * sizeof *groups);
	uint32_t depth = level + 1 < files_levels(p->view) ? level + 1 : 0,
		 n = find_groups(tc, depth, groups);
	places_begin(p, n, tc->n_files);
	for (uint32_t g = 0; g < n; g++) {
		for (uint32_t i = groups[g].first; i < groups[g].first + groups[g].n; i++) {
			struct edit_part cut = entry_cut(tc, i);
			if (cut.begin < cut.end)
				places_add_part(p, cut.begin, cut.end, NULL, 0);
		}
		places_end_element(p);
	}
	free(groups);
}

const struct strategy strategy_files = {
	.shape = STRATEGY_LIST,
	.levels = files_levels,
	.open = files_open,
};

static uint32_t in_trees(const struct view *v)
{
	return v->tc->is_tree;
}

static void modes_open(struct places *p, uint32_t level, const struct strategy_options *options)
{
	(void)level, (void)options;
	static const char plain[] = { TESTCASE_FRAME };
	const struct testcase *tc = p->view->tc;
	places_begin(p, tc->n_files, tc->n_files);
	for (uint32_t i = 0; i < tc->n_files; i++)
		if (testcase_frame(tc->files[i].mode) != TESTCASE_FRAME)
			places_add(p, tc->files[i].end, tc->files[i].end + 1, plain, 1);
}

const struct strategy strategy_modes = {
	.shape = STRATEGY_LIST,
	.levels = in_trees,
	.open = modes_open,
};

/* Links between files: a file goes with what names it. Which of the ways is tried is the cut's end,
 * from the last on. */
enum links_way {
	LINKS_APPEND,  /* its bytes go to the next file that ends like it */
	LINKS_MODULE,  /* its bytes stand in place of the first line that names or imports it, and
	                  the others go */
	LINKS_INLINE,  /* the same without those that import it without naming its ending */
	LINKS_WORDS,   /* without the words that name it */
	LINKS_LINES,   /* without the lines that name it */
	LINKS_IMPORTS, /* without these, and those that import it without naming its ending */
	LINKS_N_WAYS,
};

struct links {
	struct mentions *mentions;
	struct group *order; /* single entries, the largest last */
};

static void links_open(struct places *p, uint32_t level, const struct strategy_options *options)
{
	(void)level, (void)options;
	const struct testcase *tc = p->view->tc;
	struct links *l = arena_alloc(&p->arena, sizeof *l);
	l->mentions = mentions_find(tc, &p->arena);
	l->order = arena_alloc(&p->arena, (tc->n_files + (size_t)1) * sizeof *l->order);
	p->n = find_groups(tc, 0, l->order);
	p->data = l;
}

static uint32_t links_ends(const struct places *p, uint32_t i)
{
	const struct links *l = p->data;
	uint32_t file = l->order[i].first,
		 n = l->mentions->first[file + 1] - l->mentions->first[file];
	return n < MENTIONS_MAX ? LINKS_N_WAYS : 0;
}

static const char *ending(const char *path)
{
	const char *slash = strrchr(path, '/'), *base = slash ? slash + 1 : path,
		   *dot = strrchr(base, '.');
	return dot ? dot : base + strlen(base);
}

/* The next regular file, going round, that ends like FILE; FILE itself when there is none. */
static uint32_t next_alike(const struct testcase *tc, uint32_t file)
{
	uint32_t k = file;
	do
		k = (k + 1) % tc->n_files;
	while (k != file && (S_ISLNK(tc->files[k].mode) || S_ISDIR(tc->files[k].mode) ||
	                     strcmp(ending(tc->files[k].path), ending(tc->files[file].path)) != 0));
	return k;
}

/* The bytes of FILE in the place of [BEGIN, END), with a line end: that of a file without one is
 * its frame, as it happens. */
static struct edit_part content(const struct testcase *tc, uint32_t file, uint32_t begin,
                                uint32_t end)
{
	const struct testcase_file *f = &tc->files[file];
	uint32_t size = testcase_file_size(f);
	if (size && tc->bytes[f->end - 1] != '\n' && tc->bytes[f->end] == '\n')
		size++;
	return (struct edit_part){ begin, end, size, size ? tc->bytes + f->begin : NULL };
}

/* The lines, or the words, that name FILE, with STEMS also those that import it; returns the number
 * of parts. */
static uint32_t mention_parts(const struct links *l, uint32_t file, bool stems, bool words,
                              struct edit_part *parts)
{
	uint32_t n = 0;
	for (uint32_t k = l->mentions->first[file]; k < l->mentions->first[file + 1]; k++) {
		const struct mention *m = &l->mentions->list[k];
		if (m->stem && !stems)
			continue;
		struct edit_part part = { .begin = m->line, .end = m->line_end };
		if (words)
			part = (struct edit_part){ .begin = m->begin, .end = m->end };
		if (!n || parts[n - 1].begin != part.begin) /* a line that names it twice */
			parts[n++] = part;
	}
	return n;
}

/* Is FILE imported somewhere without its ending? */
static bool is_imported(const struct links *l, uint32_t file)
{
	for (uint32_t k = l->mentions->first[file]; k < l->mentions->first[file + 1]; k++)
		if (l->mentions->list[k].stem)
			return true;
	return false;
}

static bool has_content(const struct testcase_file *f)
{
	return !S_ISLNK(f->mode) && !S_ISDIR(f->mode);
}

static struct edit_part *parts_for(const struct links *l, uint32_t file, struct arena *arena)
{
	uint32_t max = l->mentions->first[file + 1] - l->mentions->first[file];
	return arena_alloc(arena, (max + (size_t)2) * sizeof(struct edit_part));
}

static bool links_edit(const struct places *p, uint32_t i, uint32_t j, struct arena *arena,
                       struct edit *out)
{
	const struct links *l = p->data;
	const struct testcase *tc = p->view->tc;
	uint32_t file = l->order[i].first;
	struct edit_part *parts = parts_for(l, file, arena);
	if (tc->files[file].fixed || (j <= LINKS_INLINE && !has_content(&tc->files[file])) ||
	    (j == LINKS_MODULE && !is_imported(l, file)))
		return false;
	bool stems = j == LINKS_IMPORTS || j == LINKS_APPEND || j == LINKS_MODULE;
	uint32_t n = mention_parts(l, file, stems, j == LINKS_WORDS, parts);
	if (!n && j != LINKS_APPEND)
		return false;
	if (j == LINKS_INLINE || j == LINKS_MODULE)
		parts[0] = content(tc, file, parts[0].begin, parts[0].end);
	if (j == LINKS_APPEND) {
		uint32_t to = next_alike(tc, file);
		if (to == file)
			return false;
		parts[n++] = content(tc, file, tc->files[to].end, tc->files[to].end);
	}
	parts[n++] = entry_cut(tc, file);
	return edit_make(arena, parts, n, out);
}

const struct strategy strategy_links = {
	.shape = STRATEGY_CUTTING,
	.levels = in_trees,
	.open = links_open,
	.ends = links_ends,
	.edit = links_edit,
};

/* Copies of a file that several lines name: one in the place of each. The test case grows, so this
 * is a pump. */
enum { COPIES_IMPORTS, COPIES_LINES, COPIES_N_WAYS };
enum { COPIES_LEAST = 256 }; /* the test case may double, or grow by so many bytes, as pumps may */

static uint32_t copies_ends(const struct places *p, uint32_t i)
{
	const struct links *l = p->data;
	uint32_t file = l->order[i].first,
		 n = l->mentions->first[file + 1] - l->mentions->first[file];
	return n > 1 && n < MENTIONS_MAX ? COPIES_N_WAYS : 0;
}

static bool copies_edit(const struct places *p, uint32_t i, uint32_t j, struct arena *arena,
                        struct edit *out)
{
	const struct links *l = p->data;
	const struct testcase *tc = p->view->tc;
	uint32_t file = l->order[i].first;
	if (tc->files[file].fixed || !has_content(&tc->files[file]) ||
	    (j == COPIES_IMPORTS && !is_imported(l, file)))
		return false;
	struct edit_part *parts = parts_for(l, file, arena);
	uint32_t n = mention_parts(l, file, j == COPIES_IMPORTS, false, parts);
	if (n < 2 || (uint64_t)(n - 1) * testcase_file_size(&tc->files[file]) >
	                     tc->size + (uint64_t)COPIES_LEAST)
		return false; /* one copy is for links, and more than this is for nobody */
	for (uint32_t k = 0; k < n; k++)
		parts[k] = content(tc, file, parts[k].begin, parts[k].end);
	parts[n++] = entry_cut(tc, file);
	return edit_make(arena, parts, n, out);
}

const struct strategy strategy_copies = {
	.shape = STRATEGY_CUTTING,
	.levels = in_trees,
	.open = links_open,
	.ends = copies_ends,
	.edit = copies_edit,
};
