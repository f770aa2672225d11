#include <dirent.h>
#include <errno.h>
#include <fnmatch.h>
#include <sys/stat.h>

#include "base/buf.h"
#include "base/err.h"
#include "base/io.h"
#include "base/mem.h"
#include "base/near.h"
#include "base/path.h"
#include "base/signals.h"
#include "lang/pattern.h"
#include "lang/tokenizer.h"
#include "lang/tokenizer_def.h"
#include "lang/tokenizers.h"
#include "text/testcase.h"

/* The definitions of all directories in order of preference; only skimmed, until one is found. */
struct shelf {
	struct tokenizer **toks;
	size_t n, cap, hints;
	const char *const *dirs;
	bool filled;             /* with what is in them */
	struct tokenizer *given; /* as a file */
};

/* How much of a file its content patterns see. MAGIC: from this priority on they are first bytes
 * that nothing but their format has. */
enum { CONTENT_SIZE = 4096, MAGIC = 80 };

static struct tokenizer *by_exact_name(const struct shelf *shelf, const char *name)
{
	for (size_t i = 0; i < shelf->n; i++)
		if (!strcmp(shelf->toks[i]->name, name))
			return shelf->toks[i];
	return NULL;
}

/* The length of the longest of its patterns that match the name. */
static size_t claim(const struct tokenizer *tok, const char *base)
{
	size_t longest = 0;
	for (size_t i = 0; i < tok->globs.n; i++)
		if (strlen(tok->globs.list[i]) > longest && !fnmatch(tok->globs.list[i], base, 0))
			longest = strlen(tok->globs.list[i]);
	return longest;
}

/* The longest matching pattern wins: "CMakeLists.txt" over "*.txt". Of equally long ones the first.
 * NULL: none matches. */
static struct tokenizer *shelf_by_file_name(const struct shelf *shelf, const char *path)
{
	struct tokenizer *best = NULL;
	size_t longest = 0;
	for (size_t i = 0; i < shelf->n; i++) {
		size_t len = claim(shelf->toks[i], path_base(path));
		if (len > longest) {
			longest = len;
			best = shelf->toks[i];
		}
	}
	return best;
}

static bool is_beside(const struct tokenizer *a, const struct tokenizer *b)
{
	size_t len = (size_t)(path_base(a->file) - a->file);
	return len == (size_t)(path_base(b->file) - b->file) && !memcmp(a->file, b->file, len);
}

/* Sets *found when the pattern occurs in the text. */
static int occurs(const struct tokenizer *tok, const struct hint *hint, const uint8_t *bytes,
                  size_t size, bool *found, struct err *err)
{
	if (signals_check("looking for a tokenizer", err) < 0)
		return -1;
	pcre2_code *re = tokenizer_pattern(tok, hint->pattern, hint->line, hint->column, 0, err);
	if (!re)
		return -1;
	pcre2_match_data *match = pattern_match_data(1);
	pcre2_match_context *context = pattern_match_context();
	pcre2_set_match_limit(context, TOKENIZER_STEPS);
	int rc = pcre2_match(re, bytes, size, 0, 0, match, context);
	pcre2_match_context_free(context);
	pcre2_match_data_free(match);
	pcre2_code_free(re);
	*found = rc >= 0;
	if (rc >= 0 || rc == PCRE2_ERROR_NOMATCH)
		return 0;
	PCRE2_UCHAR text[256];
	pcre2_get_error_message(rc, text, sizeof text);
	return err_set(err, ERR_USAGE, "%s:%u:%u: %s", tok->file, hint->line, hint->column,
	               (char *)text);
}

static int by_interpreter(const struct shelf *shelf, const uint8_t *bytes, size_t size,
                          struct tokenizer **out, struct err *err)
{
	if (size < 2 || bytes[0] != '#' || bytes[1] != '!')
		return 0;
	const uint8_t *newline = memchr(bytes, '\n', size);
	size_t len = newline ? (size_t)(newline - bytes) : size;
	for (size_t i = 0; i < shelf->n; i++) {
		for (size_t j = 0; j < shelf->toks[i]->n_interpreters; j++) {
			bool found;
			if (occurs(shelf->toks[i], &shelf->toks[i]->interpreters[j], bytes + 2,
			           len - 2, &found, err))
				return -1;
			if (found) {
				*out = shelf->toks[i];
				return 0;
			}
		}
	}
	return 0;
}

/* Of all definitions, or of those that claim the name as *out does and stand beside it; with a
 * priority above LEAST. */
static int by_content(const struct shelf *shelf, const char *path, unsigned least,
                      const uint8_t *bytes, size_t size, struct tokenizer **out, struct err *err)
{
	const struct tokenizer *named = *out;
	size_t len = named ? claim(named, path_base(path)) : 0;
	unsigned best = least;
	if (size > CONTENT_SIZE)
		size = CONTENT_SIZE;
	for (size_t i = 0; i < shelf->n; i++) {
		struct tokenizer *tok = shelf->toks[i];
		if (named && (claim(tok, path_base(path)) != len || !is_beside(tok, named)))
			continue;
		for (size_t j = 0; j < tok->n_contents; j++) {
			bool found = false;
			if (tok->contents[j].priority > best &&
			    occurs(tok, &tok->contents[j], bytes, size, &found, err))
				return -1;
			if (found) {
				best = tok->contents[j].priority;
				*out = tok;
			}
		}
	}
	return 0;
}

/* Whether others claim the file as TOK does, so that its content decides. */
static bool is_shared(const struct shelf *shelf, const struct tokenizer *tok, const char *path)
{
	size_t len = claim(tok, path_base(path));
	for (size_t i = 0; i < shelf->n; i++)
		if (shelf->toks[i] != tok && claim(shelf->toks[i], path_base(path)) == len &&
		    is_beside(shelf->toks[i], tok))
			return true;
	return false;
}

/* What the first bytes say, where they do. A name that says no more than "binary" says nothing
 * then; nor does any other, if bytes that are no text are not what it says, and the definition that
 * knows them stands beside its own. */
static int by_magic(const struct shelf *shelf, const uint8_t *bytes, size_t size,
                    struct tokenizer **out, struct err *err)
{
	struct tokenizer *named = *out, *found = NULL;
	bool is_bytes = !strcmp(named->name, "bytes");
	if (!is_bytes && testcase_utf8(bytes, (uint32_t)size))
		return 0;
	if (by_content(shelf, "", MAGIC - 1, bytes, size, &found, err))
		return -1;
	if (found && (is_bytes || is_beside(found, named)))
		*out = found;
	return 0;
}

/* WHAT is missing, and where was looked; -1. */
static int not_there(const struct shelf *shelf, struct err *err, const char *what)
{
	BUF_SCOPED struct buf dirs = { 0 };
	for (size_t i = 0; shelf->dirs[i]; i++)
		buf_addf(&dirs, "%s%s", i ? ", " : "", shelf->dirs[i]);
	return err_set(err, ERR_USAGE, "%s (searched: %s)", what, dirs.len ? dirs.data : "");
}

/* What was meant perhaps, too. */
static int no_such_name(const struct shelf *shelf, const char *name, struct err *err)
{
	char question[80];
	struct near n = near_begin(name, strlen(name));
	for (size_t i = 0; i < shelf->n; i++)
		near_offer(&n, shelf->toks[i]->name);
	MEM_SCOPED char *what = mem_printf("there is no tokenizer named \"%s\"%s", name,
	                                   near_question(&n, "", question, sizeof question));
	return not_there(shelf, err, what);
}

/* By NAME, or, where it is NULL, for the file PATH (NULL: not known) of these bytes: by its name,
 * by its content where several of one directory claim that name alike, by its "#!" line, by its
 * content. *out belongs to the shelf. */
static int shelf_choose(const struct shelf *shelf, const char *name, const char *path,
                        const uint8_t *bytes, size_t size, struct tokenizer **out, struct err *err)
{
	if (name) {
		*out = by_exact_name(shelf, name);
		return *out ? 0 : no_such_name(shelf, name, err);
	}
	*out = path ? shelf_by_file_name(shelf, path) : NULL;
	if (*out && is_shared(shelf, *out, path) &&
	    by_content(shelf, path, 0, bytes, size, out, err))
		return -1;
	if (*out)
		return by_magic(shelf, bytes, size, out, err);
	if (by_interpreter(shelf, bytes, size, out, err))
		return -1;
	if (!*out && by_content(shelf, "", 0, bytes, size, out, err))
		return -1;
	if (!*out)
		*out = by_exact_name(shelf, "bytes");
	return *out ? 0
	            : not_there(shelf, err,
	                        "no tokenizer matches, and there is none named \"bytes\"");
}

static int by_tokenizer_name(const void *a, const void *b)
{
	return strcmp((*(struct tokenizer *const *)a)->name, (*(struct tokenizer *const *)b)->name);
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

/* Is NAME a file? A directory may come from a stranger: what is none might never end. -1 with
 * errno: the system could not say. */
static int is_file(DIR *dir, const char *name)
{
	struct stat st;
	if (fstatat(dirfd(dir), name, &st, 0) < 0)
		return errno == EIO || errno == ENOMEM ? -1 : 0;
	return S_ISREG(st.st_mode);
}

/* The definition files in D, which is DIR. Not to know one would be to choose another one. */
static int read_names(DIR *d, const char *dir, struct texts *names, struct err *err)
{
	size_t seen = 0;
	struct dirent *e;
	while ((e = io_next_entry(d)) && ++seen <= TOKENIZER_ENTRIES &&
	       names->n <= TOKENIZER_FILES) {
		int file = !is_definition(e->d_name) ? 0
		           : e->d_type == DT_REG     ? 1
		                                     : is_file(d, e->d_name);
		if (file < 0)
			return err_errno(err, "%s/%s", dir, e->d_name);
		if (file)
			texts_add(names, mem_printf("%s/%s", dir, e->d_name));
	}
	if (e)
		return err_set(err, ERR_USAGE,
		               "%s: expected at most %d definitions of tokenizers and %d files",
		               dir, TOKENIZER_FILES, TOKENIZER_ENTRIES);
	return errno ? err_errno(err, "%s", dir) : 0;
}

/* The definition files of DIR, sorted; a directory that does not exist has none. */
static int list_directory(const char *dir, struct texts *names, struct err *err)
{
	IO_SCOPED_DIR DIR *d = opendir(dir);
	if (!d)
		return errno == ENOENT || errno == ENOTDIR ? 0 : err_errno(err, "%s", dir);
	int rc = read_names(d, dir, names, err);
	texts_sort(names);
	return rc;
}

/* Adds what DIR defines; a name that an earlier directory has hides this one's. */
static int add_directory(struct shelf *shelf, const char *dir, struct err *err)
{
	TEXTS_SCOPED struct texts names = { 0 };
	int rc = list_directory(dir, &names, err);
	for (size_t i = 0; rc == 0 && i < names.n; i++) {
		rc = signals_check("looking for a tokenizer", err);
		struct tokenizer *tok = rc ? NULL : tokenizer_skim(names.list[i], err);
		if (!tok) {
			rc = -1;
		} else if (has_name(shelf, tok->name)) {
			tokenizer_free(tok);
		} else {
			MEM_PUSH(shelf->toks, shelf->n, shelf->cap, tok);
			shelf->hints += tok->n_interpreters + tok->n_contents;
		}
		if (!rc && shelf->hints > TOKENIZER_ALL_HINTS)
			rc = err_set(err, ERR_USAGE,
			             "%s: expected at most %d interpreters and contents in all "
			             "tokenizers",
			             names.list[i], TOKENIZER_ALL_HINTS);
	}
	return rc;
}

/* Frees the shelf but for the definition that is taken from it. */
static void clear_shelf(struct shelf *shelf, const struct tokenizer *taken)
{
	for (size_t i = 0; i < shelf->n; i++)
		if (shelf->toks[i] != taken)
			tokenizer_free(shelf->toks[i]);
	if (shelf->given != taken)
		tokenizer_free(shelf->given);
	free(shelf->toks);
}

static int fill_shelf(struct shelf *shelf, struct err *err)
{
	for (size_t i = 0; !shelf->filled && shelf->dirs[i]; i++)
		if (add_directory(shelf, shelf->dirs[i], err))
			return -1;
	shelf->filled = true;
	return 0;
}

struct shelf *shelf_new(const char *const *dirs)
{
	struct shelf *shelf = mem_zero(1, sizeof *shelf);
	shelf->dirs = dirs;
	return shelf;
}

void shelf_free(struct shelf *shelf, const struct tokenizer *taken)
{
	if (shelf)
		clear_shelf(shelf, taken);
	free(shelf);
}

bool tokenizer_is_file(const char *name_or_file)
{
	return strchr(name_or_file, '/') || is_definition(name_or_file);
}

/* Loads the tokenizers of what files of TOK hold. */
static int load_held(const struct shelf *shelf, struct tokenizer *tok, struct err *err)
{
	tok->held = mem_zero(tok->holds.n + 1, sizeof(struct tokenizer *));
	for (size_t i = 0; i < tok->holds.n; i++) {
		const struct tokenizer *held = by_exact_name(shelf, tok->holds.list[i]);
		if (!held)
			return no_such_name(shelf, tok->holds.list[i], err);
		if (!(tok->held[i] = tokenizer_load(held->file, err)))
			return -1;
		tok->n_held++;
	}
	return 0;
}

/* The highest priority of the content patterns of TOK that occur. */
static unsigned content_priority(const struct tokenizer *tok, const uint8_t *bytes, size_t size)
{
	unsigned best = 0;
	struct err err;
	for (size_t i = 0; i < tok->n_contents; i++) {
		bool found = false;
		if (tok->contents[i].priority > best &&
		    !occurs(tok, &tok->contents[i], bytes, size, &found, &err) && found)
			best = tok->contents[i].priority;
	}
	return best;
}

const struct tokenizer *tokenizer_held(const struct tokenizer *tok, const uint8_t *bytes,
                                       size_t size)
{
	bool text = tok->n_held && testcase_utf8(bytes, (uint32_t)size);
	const struct tokenizer *found = text ? tok->held[tok->n_held - 1] : tok;
	unsigned best = 0;
	for (size_t i = 0; i < tok->n_held; i++) {
		unsigned priority = content_priority(tok->held[i], bytes,
		                                     size < CONTENT_SIZE ? size : CONTENT_SIZE);
		if (priority > best) {
			best = priority;
			found = tok->held[i];
		}
	}
	return found;
}

struct tokenizer *shelf_find(struct shelf *shelf, const char *name_or_file, const char *path,
                             const uint8_t *bytes, size_t size, struct err *err)
{
	struct tokenizer *tok = NULL;
	if (name_or_file && tokenizer_is_file(name_or_file)) {
		if (!shelf->given)
			shelf->given = tokenizer_load(name_or_file, err);
		return shelf->given;
	}
	if (fill_shelf(shelf, err) ||
	    shelf_choose(shelf, name_or_file, path, bytes, size, &tok, err))
		return NULL;
	if (!tok->held && (tokenizer_complete(tok, err) || load_held(shelf, tok, err)))
		return NULL;
	return tok;
}

struct tokenizer *tokenizer_find(const char *name_or_file, const char *path, const uint8_t *bytes,
                                 size_t size, const char *const *dirs, struct err *err)
{
	struct shelf shelf = { .dirs = dirs };
	struct tokenizer *tok = shelf_find(&shelf, name_or_file, path, bytes, size, err);
	clear_shelf(&shelf, tok);
	return tok;
}

int tokenizers_list(const char *const *dirs, tokenizers_list_fn *each, void *arg, struct err *err)
{
	struct shelf shelf = { .dirs = dirs };
	int rc = fill_shelf(&shelf, err);
	MEM_SORT(shelf.toks, shelf.n, by_tokenizer_name);
	for (size_t i = 0; !rc && i < shelf.n; i++) {
		BUF_SCOPED struct buf globs = { 0 };
		buf_add(&globs, "", 0);
		for (size_t j = 0; j < shelf.toks[i]->globs.n; j++)
			buf_addf(&globs, "%s%s", j ? " " : "", shelf.toks[i]->globs.list[j]);
		each(arg, shelf.toks[i]->name, globs.data, shelf.toks[i]->file);
	}
	clear_shelf(&shelf, NULL);
	return rc;
}

/* ---- several at a time ---- */

struct tokenizers {
	struct shelf shelf;
	const char *name;
	struct tokenizer *one;    /* given as a file; NULL: from the shelf */
	struct tokenizer **taken; /* language k is taken[k - 1], compiled */
	size_t n, cap;
	/* What the content of a file whose name says nothing decided, for all others that end like
	 * it. */
	struct decision {
		char *ending;
		uint16_t language;
	} * decisions;
	size_t n_decisions, cap_decisions;
};

struct tokenizers *tokenizers_new(const char *name_or_file, const char *const *dirs,
                                  struct err *err)
{
	struct tokenizers *t = mem_zero(1, sizeof *t);
	int rc = 0;
	t->name = name_or_file;
	t->shelf.dirs = dirs;
	if (name_or_file && tokenizer_is_file(name_or_file))
		rc = (t->one = tokenizer_load(name_or_file, err)) ? 0 : -1;
	if (!rc && (t->one || !fill_shelf(&t->shelf, err)))
		return t;
	tokenizers_free(t);
	return NULL;
}

void tokenizers_free(struct tokenizers *t)
{
	if (!t)
		return;
	clear_shelf(&t->shelf, NULL);
	tokenizer_free(t->one);
	for (size_t i = 0; i < t->n_decisions; i++)
		free(t->decisions[i].ending);
	free(t->decisions);
	free(t->taken);
	free(t);
}

/* The language of TOK, which is compiled when it is new. 0 and err when it is broken. */
static uint16_t language_of(struct tokenizers *t, struct tokenizer *tok, struct err *err)
{
	for (size_t i = 0; i < t->n; i++)
		if (t->taken[i] == tok)
			return (uint16_t)(i + 1);
	if (tok != t->one && tokenizer_complete(tok, err))
		return 0;
	MEM_PUSH(t->taken, t->n, t->cap, tok);
	return (uint16_t)t->n;
}

/* From the last dot of the name; NULL when there is none. */
static const char *ending_of(const char *path)
{
	const char *base = path_base(path), *dot = strrchr(base, '.');
	return dot != base ? dot : NULL;
}

static uint16_t decided(const struct tokenizers *t, const char *ending)
{
	for (size_t i = 0; ending && i < t->n_decisions; i++)
		if (!strcmp(t->decisions[i].ending, ending))
			return t->decisions[i].language;
	return 0;
}

static uint16_t choose_language(struct tokenizers *t, const struct testcase_file *f,
                                struct err *err)
{
	struct tokenizer *tok = t->one;
	bool by_name_alone = tok || t->name || shelf_by_file_name(&t->shelf, f->path);
	const char *ending = by_name_alone ? NULL : ending_of(f->path);
	uint16_t language = decided(t, ending);
	if (language)
		return language;
	if (!tok &&
	    shelf_choose(&t->shelf, t->name, f->path, f->data, testcase_file_size(f), &tok, err))
		return 0;
	language = language_of(t, tok, err);
	if (language && ending)
		MEM_PUSH(t->decisions, t->n_decisions, t->cap_decisions,
		         (struct decision){ mem_strdup(ending), language });
	return language;
}

int tokenizers_assign(struct tokenizers *t, struct testcase *tc, struct err *err)
{
	for (uint32_t i = 0; i < tc->n_files; i++)
		if (!tc->files[i].language &&
		    !(tc->files[i].language = choose_language(t, &tc->files[i], err)))
			return -1;
	return 0;
}

const struct tokenizer *tokenizers_get(const struct tokenizers *t, uint16_t language)
{
	return t->taken[language - 1];
}

unsigned tokenizers_count(const struct tokenizers *t)
{
	return (unsigned)t->n;
}

bool tokenizers_share_names(const struct tokenizers *t)
{
	for (size_t i = 0; i < t->n; i++)
		if (tokenizer_shares_names(tokenizers_get(t, (uint16_t)(i + 1))))
			return true;
	return false;
}
