#include "lang/tokenizer_shelf.h"

#include <fnmatch.h>
#include <stdlib.h>
#include <string.h>

#include "base/buf.h"
#include "base/err.h"
#include "base/near.h"
#include "base/signals.h"
#include "lang/pattern.h"
#include "lang/tokenizer_def.h"

/* How much of a file its content patterns see. */
enum { CONTENT_SIZE = 4096 };

static struct tokenizer *by_exact_name(const struct shelf *shelf, const char *name)
{
	for (size_t i = 0; i < shelf->n; i++)
		if (!strcmp(shelf->toks[i]->name, name))
			return shelf->toks[i];
	return NULL;
}

static const char *base_name(const char *path)
{
	const char *slash = strrchr(path, '/');
	return slash ? slash + 1 : path;
}

/* The length of the longest of its patterns that match the name. */
static size_t claim(const struct tokenizer *tok, const char *base)
{
	size_t longest = 0;
	for (size_t i = 0; i < tok->n_globs; i++)
		if (strlen(tok->globs[i]) > longest && !fnmatch(tok->globs[i], base, 0))
			longest = strlen(tok->globs[i]);
	return longest;
}

struct tokenizer *shelf_by_file_name(const struct shelf *shelf, const char *path)
{
	struct tokenizer *best = NULL;
	size_t longest = 0;
	for (size_t i = 0; i < shelf->n; i++) {
		size_t len = claim(shelf->toks[i], base_name(path));
		if (len > longest) {
			longest = len;
			best = shelf->toks[i];
		}
	}
	return best;
}

static bool is_beside(const struct tokenizer *a, const struct tokenizer *b)
{
	size_t len = (size_t)(base_name(a->file) - a->file);
	return len == (size_t)(base_name(b->file) - b->file) && !memcmp(a->file, b->file, len);
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

/* Of all definitions, or of those that claim the name as *out does and stand beside it. */
static int by_content(const struct shelf *shelf, const char *path, const uint8_t *bytes,
                      size_t size, struct tokenizer **out, struct err *err)
{
	const struct tokenizer *named = *out;
	size_t len = named ? claim(named, base_name(path)) : 0;
	unsigned best = 0;
	if (size > CONTENT_SIZE)
		size = CONTENT_SIZE;
	for (size_t i = 0; i < shelf->n; i++) {
		struct tokenizer *tok = shelf->toks[i];
		if (named && (claim(tok, base_name(path)) != len || !is_beside(tok, named)))
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
	size_t len = claim(tok, base_name(path));
	for (size_t i = 0; i < shelf->n; i++)
		if (shelf->toks[i] != tok && claim(shelf->toks[i], base_name(path)) == len &&
		    is_beside(shelf->toks[i], tok))
			return true;
	return false;
}

/* What was meant perhaps, and where was looked. */
static int no_such_name(const struct shelf *shelf, const char *name, struct err *err)
{
	char question[80];
	struct near n = near_begin(name, strlen(name));
	struct buf places = { 0 };
	for (size_t i = 0; i < shelf->n; i++)
		near_offer(&n, shelf->toks[i]->name);
	for (size_t i = 0; shelf->dirs[i]; i++)
		buf_addf(&places, "%s%s", i ? ", " : "", shelf->dirs[i]);
	err_set(err, ERR_USAGE, "there is no tokenizer named \"%s\"%s (searched: %s)", name,
	        near_question(&n, "", question, sizeof question), places.len ? places.data : "");
	buf_release(&places);
	return -1;
}

int shelf_choose(const struct shelf *shelf, const char *name, const char *path,
                 const uint8_t *bytes, size_t size, struct tokenizer **out, struct err *err)
{
	if (name) {
		*out = by_exact_name(shelf, name);
		return *out ? 0 : no_such_name(shelf, name, err);
	}
	*out = path ? shelf_by_file_name(shelf, path) : NULL;
	if (*out)
		return is_shared(shelf, *out, path) ? by_content(shelf, path, bytes, size, out, err)
		                                    : 0;
	if (by_interpreter(shelf, bytes, size, out, err))
		return -1;
	if (!*out && by_content(shelf, "", bytes, size, out, err))
		return -1;
	if (!*out)
		*out = by_exact_name(shelf, "bytes");
	return *out ? 0
	            : err_set(err, ERR_USAGE,
	                      "no tokenizer matches, and there is none named \"bytes\"");
}
