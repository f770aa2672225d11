#include "edits/mentions.h"

#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "base/hash.h"
#include "base/map.h"

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

struct mentions *mentions_find(const struct testcase *tc, struct arena *arena)
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
