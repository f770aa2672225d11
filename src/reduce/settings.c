#include "reduce/settings.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/buf.h"
#include "base/err.h"
#include "base/hash.h"
#include "base/io.h"
#include "base/mem.h"
#include "reduce/session.h"
#include "text/tokenizer.h"

enum { FORMAT = 12 }; /* grows when the same input and verdicts would lead to other steps */

/* What stands for the file NAME: a hash of its content; the caller's. */
static char *file_text(const char *name, struct err *err)
{
	struct buf bytes = { 0 };
	if (io_read_file(name, &bytes, err) < 0) {
		err->code = ERR_USAGE;
		return NULL;
	}
	struct hash hash = hash_bytes(bytes.data, bytes.len, 0);
	buf_release(&bytes);
	return mem_printf(SETTINGS_FILE "%016llx%016llx", (unsigned long long)hash.hi,
	                  (unsigned long long)hash.lo);
}

/* What stands for the tokenizer NAME; the caller's. */
static char *tokenizer_text(const char *name, struct err *err)
{
	return name && tokenizer_is_file(name) ? file_text(name, err)
	                                       : mem_strdup(name ? name : "auto");
}

char *settings_text(const struct session_options *o, struct err *err)
{
	char *tokenizer = tokenizer_text(o->tokenizer, err);
	char *spans = !tokenizer ? NULL : o->spans ? file_text(o->spans, err) : mem_strdup("");
	if (!spans) {
		free(tokenizer);
		return NULL;
	}
	char *text = mem_printf("external=%s\nformat=%d\ninput=%u\nkeep-names=%d\nmemory-limit=%"
	                        "llu\npasses=%llx\nseed=%llu\nspans=%s\n"
	                        "tokenizer=%s\n",
	                        o->external_identity, FORMAT, o->input, o->keep_names,
	                        (unsigned long long)o->memory_limit, (unsigned long long)o->passes,
	                        (unsigned long long)o->seed, spans, tokenizer);
	free(spans);
	free(tokenizer);
	return text;
}

/* The value behind KEY= in the line at *AT, which is ended there; NULL: it is another line. *at is
 * the next line. */
static char *value_of(char **at, const char *key)
{
	size_t n = strlen(key);
	char *value = *at + n + 1, *end;
	if (strncmp(*at, key, n) || (*at)[n] != '=' || !(end = strchr(value, '\n')))
		return NULL;
	*end = '\0';
	*at = end + 1;
	return value;
}

static bool number(const char *text, int base, uint64_t *out)
{
	char *end;
	errno = 0;
	*out = text ? strtoull(text, &end, base) : 0;
	return text && *text && !*end && !errno;
}

int settings_parse(struct session_options *o, char *text, struct err *err)
{
	static const char *const keys[] = { "format",       "input",  "keep-names",
		                            "memory-limit", "passes", "seed" };
	enum { FORMAT_AT, INPUT, KEEP_NAMES, MEMORY, PASSES, SEED, N };
	uint64_t v[N];
	char *at = text, *external = value_of(&at, "external");
	if (!external)
		return err_set(
			err, ERR_USAGE,
			"its options cannot be read; it was begun by another version of whittle");
	for (int i = 0; i < N; i++)
		if (!number(value_of(&at, keys[i]), i == PASSES ? 16 : 10, &v[i]))
			return err_set(err, ERR_USAGE,
			               "its options cannot be read; it was begun by another "
			               "version of whittle");
	char *spans = value_of(&at, "spans"), *tokenizer = value_of(&at, "tokenizer");
	if (!spans || !tokenizer || *at || v[FORMAT_AT] != FORMAT)
		return err_set(err, ERR_USAGE,
		               "it was begun by another version of whittle (format %llu, not %d)",
		               (unsigned long long)v[FORMAT_AT], FORMAT);
	o->no_external = !*external;
	o->input = (unsigned)v[INPUT];
	o->keep_names = v[KEEP_NAMES];
	o->memory_limit = v[MEMORY];
	o->passes = v[PASSES];
	o->seed = v[SEED];
	o->spans = *spans ? spans : NULL;
	o->tokenizer = strcmp(tokenizer, "auto") ? tokenizer : NULL;
	return 0;
}

bool settings_share_verdicts(const struct session_options *a, const struct session_options *b)
{
	return a->input == b->input && a->memory_limit == b->memory_limit;
}
