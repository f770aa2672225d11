#include <dirent.h>
#include <errno.h>
#include <fnmatch.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/err.h"
#include "base/mem.h"
#include "text/tokenizer_def.h"

/* How much of a file its content patterns see. */
enum { CONTENT_SIZE = 4096 };

/* The definitions of all directories in order of preference; only parsed. */
struct shelf {
	struct tokenizer **toks;
	size_t n, cap;
};

static int by_name(const void *a, const void *b)
{
	return strcmp(*(char *const *)a, *(char *const *)b);
}

static bool is_definition(const char *name)
{
	size_t len = strlen(name);
	return len > 4 && name[0] != '.' && !strcmp(name + len - 4, ".tok");
}

static bool has_name(const struct shelf *shelf, const char *name)
{
	for (size_t i = 0; i < shelf->n; i++)
		if (!strcmp(shelf->toks[i]->name, name))
			return true;
	return false;
}

/* The definition files of DIR, sorted; a directory that does not exist has none. */
static int list_directory(const char *dir, char ***names, size_t *n, struct err *err)
{
	size_t cap = 0;
	*names = NULL;
	*n = 0;
	DIR *d = opendir(dir);
	if (!d)
		return errno == ENOENT || errno == ENOTDIR ? 0 : err_errno(err, "%s", dir);
	for (struct dirent *e; (e = readdir(d)); ) {
		if (!is_definition(e->d_name))
			continue;
		MEM_GROW(*names, *n, cap);
		(*names)[(*n)++] = mem_printf("%s/%s", dir, e->d_name);
	}
	closedir(d);
	if (*n)
		qsort(*names, *n, sizeof **names, by_name);
	return 0;
}

/* Adds what DIR defines; a name that an earlier directory has hides this one's. */
static int add_directory(struct shelf *shelf, const char *dir, struct err *err)
{
	char **names;
	size_t n;
	int rc = list_directory(dir, &names, &n, err);
	for (size_t i = 0; i < n; i++) {
		struct tokenizer *tok = rc ? NULL : tokenizer_parse(names[i], err);
		if (!tok) {
			rc = -1;
		} else if (has_name(shelf, tok->name)) {
			tokenizer_free(tok);
		} else {
			MEM_GROW(shelf->toks, shelf->n, shelf->cap);
			shelf->toks[shelf->n++] = tok;
		}
		free(names[i]);
	}
	free(names);
	return rc;
}

/* Frees the shelf but for the definition that is taken from it. */
static void clear_shelf(struct shelf *shelf, const struct tokenizer *taken)
{
	for (size_t i = 0; i < shelf->n; i++)
		if (shelf->toks[i] != taken)
			tokenizer_free(shelf->toks[i]);
	free(shelf->toks);
}

static struct tokenizer *by_exact_name(const struct shelf *shelf, const char *name)
{
	for (size_t i = 0; i < shelf->n; i++)
		if (!strcmp(shelf->toks[i]->name, name))
			return shelf->toks[i];
	return NULL;
}

/* The longest matching pattern wins: "CMakeLists.txt" over "*.txt". */
static struct tokenizer *by_file_name(const struct shelf *shelf, const char *path)
{
	const char *base = strrchr(path, '/');
	struct tokenizer *best = NULL;
	size_t longest = 0;
	base = base ? base + 1 : path;
	for (size_t i = 0; i < shelf->n; i++) {
		for (size_t j = 0; j < shelf->toks[i]->n_globs; j++) {
			const char *glob = shelf->toks[i]->globs[j];
			if (strlen(glob) > longest && !fnmatch(glob, base, 0)) {
				longest = strlen(glob);
				best = shelf->toks[i];
			}
		}
	}
	return best;
}

/* Sets *found when the pattern occurs in the text. */
static int occurs(const struct tokenizer *tok, const struct hint *hint, const uint8_t *bytes, size_t size, bool *found,
                  struct err *err)
{
	pcre2_code *re = tokenizer_pattern(tok, hint->pattern, hint->line, hint->column, 0, err);
	if (!re)
		return -1;
	pcre2_match_data *match = pcre2_match_data_create(1, NULL);
	int rc = pcre2_match(re, bytes, size, 0, 0, match, NULL);
	pcre2_match_data_free(match);
	pcre2_code_free(re);
	*found = rc >= 0;
	if (rc >= 0 || rc == PCRE2_ERROR_NOMATCH)
		return 0;
	PCRE2_UCHAR text[256];
	pcre2_get_error_message(rc, text, sizeof text);
	return err_set(err, ERR_USAGE, "%s:%u:%u: %s", tok->file, hint->line, hint->column, (char *)text);
}

static int by_interpreter(const struct shelf *shelf, const uint8_t *bytes, size_t size, struct tokenizer **out,
                          struct err *err)
{
	if (size < 2 || bytes[0] != '#' || bytes[1] != '!')
		return 0;
	const uint8_t *newline = memchr(bytes, '\n', size);
	size_t len = newline ? (size_t)(newline - bytes) : size;
	for (size_t i = 0; i < shelf->n; i++) {
		for (size_t j = 0; j < shelf->toks[i]->n_interpreters; j++) {
			bool found;
			if (occurs(shelf->toks[i], &shelf->toks[i]->interpreters[j], bytes + 2, len - 2, &found, err))
				return -1;
			if (found) {
				*out = shelf->toks[i];
				return 0;
			}
		}
	}
	return 0;
}

static int by_content(const struct shelf *shelf, const uint8_t *bytes, size_t size, struct tokenizer **out,
                      struct err *err)
{
	unsigned best = 0;
	if (size > CONTENT_SIZE)
		size = CONTENT_SIZE;
	for (size_t i = 0; i < shelf->n; i++) {
		for (size_t j = 0; j < shelf->toks[i]->n_contents; j++) {
			const struct hint *hint = &shelf->toks[i]->contents[j];
			bool found = false;
			if (hint->priority > best && occurs(shelf->toks[i], hint, bytes, size, &found, err))
				return -1;
			if (found) {
				best = hint->priority;
				*out = shelf->toks[i];
			}
		}
	}
	return 0;
}

static int choose(const struct shelf *shelf, const char *name, const char *path, const uint8_t *bytes, size_t size,
                  struct tokenizer **out, struct err *err)
{
	if (name) {
		*out = by_exact_name(shelf, name);
		return *out ? 0 : err_set(err, ERR_USAGE, "there is no tokenizer named \"%s\"", name);
	}
	*out = path ? by_file_name(shelf, path) : NULL;
	if (!*out && by_interpreter(shelf, bytes, size, out, err))
		return -1;
	if (!*out && by_content(shelf, bytes, size, out, err))
		return -1;
	if (!*out)
		*out = by_exact_name(shelf, "bytes");
	return *out ? 0 : err_set(err, ERR_USAGE, "no tokenizer fits, and there is none named \"bytes\"");
}

bool tokenizer_is_file(const char *name_or_file)
{
	return strchr(name_or_file, '/') || is_definition(name_or_file);
}

struct tokenizer *tokenizer_find(const char *name_or_file, const char *path, const uint8_t *bytes, size_t size,
                                 const char *const *dirs, struct err *err)
{
	if (name_or_file && tokenizer_is_file(name_or_file))
		return tokenizer_load(name_or_file, err);
	struct shelf shelf = { 0 };
	struct tokenizer *tok = NULL;
	int rc = 0;
	for (; !rc && *dirs; dirs++)
		rc = add_directory(&shelf, *dirs, err);
	if (!rc)
		rc = choose(&shelf, name_or_file, path, bytes, size, &tok, err);
	clear_shelf(&shelf, tok);
	if (!rc && tokenizer_compile(tok, err))
		rc = -1;
	if (rc) {
		tokenizer_free(tok);
		return NULL;
	}
	return tok;
}
