/* Strategies over the entries of a tree: files, links, empty directories. They need no tokenizer.
 */
#include <sys/stat.h>

#include "base/hash.h"
#include "base/map.h"
#include "base/mem.h"
#include "base/path.h"
#include "edits/strategies.h"
#include "text/testcase.h"

/* Where the files of a tree are named by its other files: the lines of `#include "a/b.h"`, `from
 * pkg.b import c`, the words of `SOURCES = a.c b.c`. Found in the plain bytes, with no tokenizer,
 * in linear time: a word of letters, digits and ".-_+" that is the last part of a path, or that
 * path without its ending where the line speaks of importing. */

enum { MENTIONS_MAX = 400 }; /* of one file: what is named more often is not followed */

struct mention {
	uint32_t begin, end;     /* the words of the path that is named */
	uint32_t line, line_end; /* the line with its line end; several when brackets are open at
	                            its end */
	bool stem;               /* without its ending, in a line that imports */
};

struct mentions {
	uint32_t
		*first; /* of entry i: list[first[i]] up to list[first[i + 1]], in document order */
	struct mention *list;
};

enum { LINES_MAX = 200 }; /* that an import with open brackets may go on for */

struct name {
	const char *text;
	uint32_t len;
	uint32_t file;
	bool stem;
};

struct found {
	uint32_t file;
	struct mention mention;
};

struct finder {
	const struct testcase *tc;
	struct name *names;
	uint32_t n_names;
	struct map by_text; /* several names may have one text */
	struct found *list;
	uint32_t n, cap;
	uint32_t *count; /* by file */
};

static uint64_t text_hash(const void *text, uint32_t len)
{
	return hash_bytes(text, len, 0).lo;
}

static void add_name(struct finder *f, const char *text, size_t len, uint32_t file, bool stem)
{
	if (!len)
		return;
	map_add(&f->by_text, text_hash(text, (uint32_t)len), f->n_names);
	f->names[f->n_names++] = (struct name){ text, (uint32_t)len, file, stem };
}

/* Files that stand for the directory they are in. */
static bool names_directory(const char *stem, size_t len)
{
	static const char *const names[] = { "__init__", "index", "mod", "package-info" };
	for (size_t i = 0; i < sizeof names / sizeof *names; i++)
		if (strlen(names[i]) == len && !memcmp(names[i], stem, len))
			return true;
	return false;
}

/* The last part of a path as it is, and without its ending. */
static void add_file(struct finder *f, uint32_t file)
{
	const char *path = f->tc->files[file].path, *slash = strrchr(path, '/'),
		   *base = slash ? slash + 1 : path;
	const char *dot = strchr(*base ? base + 1 : base, '.');
	size_t stem = dot ? (size_t)(dot - base) : 0;
	add_name(f, base, strlen(base), file, false);
	if (names_directory(base, stem) && slash) {
		const char *begin = slash;
		while (begin > path && begin[-1] != '/')
			begin--;
		add_name(f, begin, (size_t)(slash - begin), file, true);
	} else
		add_name(f, base, stem, file, true);
}

static bool is_word(uint8_t c)
{
	return c == '_' || c == '-' || c == '+' || c == '.' || (c >= '0' && c <= '9') ||
	       ((c | 32) >= 'a' && (c | 32) <= 'z');
}

/* Does the line speak of importing? */
static bool imports(const uint8_t *line, const uint8_t *end)
{
	static const char *const words[] = { "import", "include", "from",  "require", "use",
		                             "using",  "mod",     "load",  "source",  "export",
		                             "input",  "package", "extern" };
	for (const uint8_t *p = line; p < end; p++) {
		const uint8_t *word = p;
		while (p < end && (((*p | 32) >= 'a' && (*p | 32) <= 'z') || *p == '_'))
			p++;
		for (size_t i = 0; p > word && i < sizeof words / sizeof *words; i++)
			if (strlen(words[i]) == (size_t)(p - word) &&
			    !memcmp(words[i], word, (size_t)(p - word)))
				return true;
	}
	return false;
}

/* Where the line ends that ends at END, when brackets are open in [BEGIN, END), or it goes on
 * behind a backslash. */
static const uint8_t *whole_statement(const uint8_t *begin, const uint8_t *end, const uint8_t *stop)
{
	int open = 0;
	const uint8_t *at = begin;
	for (int lines = 0; lines < LINES_MAX; lines++) {
		for (; at < end; at++)
			open += (*at == '(' || *at == '{' || *at == '[') -
			        (*at == ')' || *at == '}' || *at == ']');
		bool goes_on = open > 0 || (end - begin > 1 && end[-1] == '\n' && end[-2] == '\\');
		if (!goes_on || end >= stop)
			return open > 0 && end >= stop ? NULL : end;
		const uint8_t *nl = memchr(end, '\n', (size_t)(stop - end));
		end = nl ? nl + 1 : stop;
	}
	return NULL;
}

/* A line under examination. */
struct line {
	const uint8_t *begin, *end, *file_end;
	int imports; /* -1: not known yet */
};

static void add_found(struct finder *f, const struct name *name, const uint8_t *word,
                      const uint8_t *word_end, struct line *line)
{
	if (f->count[name->file] >= MENTIONS_MAX)
		return;
	if (line->imports < 0)
		line->imports = imports(line->begin, line->end);
	if (name->stem && !line->imports)
		return;
	const uint8_t *end =
		line->imports ? whole_statement(line->begin, line->end, line->file_end) : NULL;
	const uint8_t *bytes = f->tc->bytes;
	MEM_GROW(f->list, f->n, f->cap);
	f->count[name->file]++;
	f->list[f->n++] =
		(struct found){ name->file,
		                { (uint32_t)(word - bytes), (uint32_t)(word_end - bytes),
		                  (uint32_t)(line->begin - bytes),
		                  (uint32_t)((end ? end : line->end) - bytes), name->stem } };
}

/* Looks up [TEXT, END) of the word that begins at WORD with all directories before it. */
static bool look_up(struct finder *f, uint32_t here, const uint8_t *text, const uint8_t *end,
                    const uint8_t *word, struct line *line)
{
	uint32_t len = (uint32_t)(end - text);
	bool any = false;
	uint64_t hash = text_hash(text, len);
	size_t at;
	for (uint32_t i = map_first(&f->by_text, hash, &at); i != MAP_END;
	     i = map_next(&f->by_text, hash, &at)) {
		const struct name *n = &f->names[i];
		if (n->file == here || n->len != len || memcmp(n->text, text, len))
			continue;
		any = true;
		add_found(f, n, word, end, line);
	}
	return any;
}

/* A word and what it may name: itself, its last part behind a dot (pkg.module), or what stands
 * before the first dot. */
static void look_at_word(struct finder *f, uint32_t here, const uint8_t *word, const uint8_t *end,
                         struct line *line)
{
	const uint8_t *path = word;
	while (path > line->begin && (path[-1] == '/' || is_word(path[-1])))
		path--;
	while (end > word && end[-1] == '.')
		end--;
	if (word == end || look_up(f, here, word, end, path, line))
		return;
	for (const uint8_t *dot; (dot = memchr(word, '.', (size_t)(end - word))); word = dot + 1)
		if (dot > word)
			look_up(f, here, word, dot, path, line);
	if (word < end)
		look_up(f, here, word, end, path, line);
}

static void look_at_file(struct finder *f, uint32_t here)
{
	const struct testcase_file *file = &f->tc->files[here];
	const uint8_t *at = f->tc->bytes + file->begin, *stop = f->tc->bytes + file->end;
	while (at < stop) {
		const uint8_t *nl = memchr(at, '\n', (size_t)(stop - at));
		struct line line = { at, nl ? nl + 1 : stop, stop, -1 };
		while (at < line.end) {
			const uint8_t *word = at;
			while (at < line.end && is_word(*at))
				at++;
			if (at > word)
				look_at_word(f, here, word, at, &line);
			else
				at++;
		}
	}
}

/* Sorts what was found by file, keeping the order. */
static struct mentions *sorted(const struct finder *f, struct arena *arena)
{
	uint32_t n_files = f->tc->n_files;
	struct mentions *m = arena_alloc(arena, sizeof *m);
	m->first = arena_alloc(arena, (n_files + (size_t)2) * sizeof *m->first);
	m->list = arena_alloc(arena, (f->n + (size_t)1) * sizeof *m->list);
	m->first[0] = m->first[1] = 0;
	for (uint32_t i = 1; i < n_files; i++)
		m->first[i + 1] = m->first[i] + f->count[i - 1];
	for (uint32_t i = 0; i < f->n; i++)
		m->list[m->first[f->list[i].file + 1]++] = f->list[i].mention;
	return m;
}

/* Those of each entry by the others. TC is in one piece; the result lives in ARENA. */
static struct mentions *mentions_find(const struct testcase *tc, struct arena *arena)
{
	struct finder f = { .tc = tc };
	f.names = mem_zero(2 * (size_t)tc->n_files, sizeof *f.names);
	map_reserve(&f.by_text, 2 * (size_t)tc->n_files);
	f.count = mem_zero(tc->n_files + (size_t)1, sizeof *f.count);
	for (uint32_t i = 0; i < tc->n_files; i++)
		if (!S_ISDIR(tc->files[i].mode))
			add_file(&f, i);
	for (uint32_t i = 0; i < tc->n_files; i++)
		if (!S_ISDIR(tc->files[i].mode))
			look_at_file(&f, i);
	struct mentions *m = sorted(&f, arena);
	map_release(&f.by_text);
	free(f.names);
	free(f.list);
	free(f.count);
	return m;
}

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
	MEM_SORT_BY_TWO(groups, n, size, first);
	return n;
}

/* Directories from the outermost on, then single entries. */
static uint32_t files_levels(const struct view *v)
{
	return v->tc->is_tree ? max_depth(v->tc) + 1 : 0;
}

static void files_open(struct edit_sites *p)
{
	const struct testcase *tc = p->view->tc;
	MEM_SCOPED struct group *groups = mem_alloc((tc->n_files + (size_t)1) * sizeof *groups);
	uint32_t depth = p->level + 1 < files_levels(p->view) ? p->level + 1 : 0,
		 n = find_groups(tc, depth, groups);
	for (uint32_t g = 0; g < n; g++) {
		for (uint32_t i = groups[g].first; i < groups[g].first + groups[g].n; i++) {
			struct edit_part cut = entry_cut(tc, i);
			if (cut.begin < cut.end)
				edit_sites_add_part(p, cut.begin, cut.end, NULL, 0);
		}
		edit_sites_end_element(p);
	}
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

static void modes_open(struct edit_sites *p)
{
	static const char plain[] = { TESTCASE_FRAME };
	const struct testcase *tc = p->view->tc;
	for (uint32_t i = 0; i < tc->n_files; i++)
		if (testcase_frame(tc->files[i].mode) != TESTCASE_FRAME)
			edit_sites_add(p, tc->files[i].end, tc->files[i].end + 1, plain, 1);
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

static void links_open(struct edit_sites *p)
{
	const struct testcase *tc = p->view->tc;
	struct links *l = arena_alloc(&p->arena, sizeof *l);
	l->mentions = mentions_find(tc, &p->arena);
	l->order = arena_alloc(&p->arena, (tc->n_files + (size_t)1) * sizeof *l->order);
	p->n = find_groups(tc, 0, l->order);
	p->data = l;
}

static uint32_t links_ends(const struct edit_sites *p, uint32_t i)
{
	const struct links *l = p->data;
	uint32_t file = l->order[i].first,
		 n = l->mentions->first[file + 1] - l->mentions->first[file];
	return n < MENTIONS_MAX ? LINKS_N_WAYS : 0;
}

static const char *ending(const char *path)
{
	const char *base = path_base(path), *dot = strrchr(base, '.');
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

static bool links_edit(const struct edit_sites *p, uint32_t i, uint32_t j, struct arena *arena,
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

static uint32_t copies_ends(const struct edit_sites *p, uint32_t i)
{
	const struct links *l = p->data;
	uint32_t file = l->order[i].first,
		 n = l->mentions->first[file + 1] - l->mentions->first[file];
	return n > 1 && n < MENTIONS_MAX ? COPIES_N_WAYS : 0;
}

static bool copies_edit(const struct edit_sites *p, uint32_t i, uint32_t j, struct arena *arena,
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
