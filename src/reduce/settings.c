#include "reduce/settings.h"

#include <errno.h>
#include <stdio.h>

#include "base/buf.h"
#include "base/err.h"
#include "base/hash.h"
#include "base/io.h"
#include "base/mem.h"
#include "reduce/passes.h"
#include "lang/tokenizer.h"

enum { REPEAT_SIZE = 48 };
enum { FORMAT = 89 }; /* grows when the same input and verdicts would lead to other steps */

/* What stands for the file NAME: a hash of its content; the caller's. */
static char *file_text(const char *name, struct err *err)
{
	/* It is read once more, so it must be one that can be. */
	const struct io_bounds bounds = { .most = TESTCASE_MAX_SIZE, .regular = true };
	BUF_SCOPED struct buf bytes = { 0 };
	if (io_read_bounded(name, bounds, &bytes, err) < 0) {
		err_as(err, ERR_USAGE);
		return NULL;
	}
	struct hash hash = hash_bytes(bytes.data, bytes.len, 0);
	return mem_printf(SETTINGS_FILE HASH_DIGITS, HASH_OF(hash));
}

/* What stands for the tokenizer NAME; the caller's. */
static char *tokenizer_text(const char *name, struct err *err)
{
	return name && tokenizer_is_file(name) ? file_text(name, err)
	                                       : mem_strdup(name ? name : "auto");
}

/* A line, or none for a test that is sure. */
static void repeat_text(const struct settings_repeat *r, char line[REPEAT_SIZE])
{
	*line = '\0';
	if (r->flaky)
		snprintf(line, REPEAT_SIZE, "repeat=flaky\n");
	else if (r->runs)
		snprintf(line, REPEAT_SIZE, "repeat=%u/%u\n", r->runs, r->needed);
}

static bool repeat_parse(struct settings_repeat *r, const char *value)
{
	int end = 0;
	*r = (struct settings_repeat){ 0 };
	if (!value)
		return true;
	r->flaky = !strcmp(value, "flaky");
	return r->flaky || (sscanf(value, "%9u/%9u%n", &r->runs, &r->needed, &end) == 2 &&
	                    !value[end] && r->needed && r->needed <= r->runs);
}

/* Likewise, or none where nobody said. */
static char *certify_text(const struct settings *s)
{
	if (s->certify == PLAN_CERTIFY_AUTO)
		return mem_strdup("");
	return mem_printf("certify=%s\n", plan_certify_words[s->certify]);
}

char *settings_text(const struct settings *s, struct err *err)
{
	char repeat[REPEAT_SIZE];
	repeat_text(&s->repeat, repeat);
	char fence[FENCE_WORDS_SIZE];
	MEM_SCOPED char *tokenizer = tokenizer_text(s->tokenizer, err);
	MEM_SCOPED char *spans = !tokenizer ? NULL
	                         : s->spans ? file_text(s->spans, err)
	                                    : mem_strdup("");
	if (!spans)
		return NULL;
	fence_text(s->fenced, fence);
	MEM_SCOPED char *names = passes_text(&s->passes), *certify = certify_text(s);
	return mem_printf("allow-write=%u\n%sexternal=%s\nfence=%s\nfile-limit=%llu\nformat=%"
	                  "d\ninput=%u\nkeep-names=%d\nmemory-limit=%"
	                  "llu\npasses=%s\nprocess-limit=%llu\n%sseed=%llu\nspans=%s\n"
	                  "tokenizer=%s\n",
	                  s->fenced->n_allow, certify, s->external_identity, fence,
	                  (unsigned long long)s->file_limit, FORMAT, s->input, s->keep_names,
	                  (unsigned long long)s->memory_limit, names,
	                  (unsigned long long)s->process_limit, repeat, (unsigned long long)s->seed,
	                  spans, tokenizer);
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

/* The number behind KEY= in the line at *AT; false: it is another line. */
static bool number_of(char **at, const char *key, uint64_t *out)
{
	char *end, *text = value_of(at, key);
	errno = 0;
	*out = text ? strtoull(text, &end, 10) : 0;
	return text && *text && !*end && !errno;
}

/* The lines of a text, as they stand there. */
struct lines {
	uint64_t paths, file_limit, format, input, keep_names, memory_limit, process_limit, seed;
	char *certify, *external, *fence, *passes, *repeat, *spans, *tokenizer;
};

/* False: they are others. */
static bool read_lines(char *at, struct lines *l)
{
	if (!number_of(&at, "allow-write", &l->paths))
		return false;
	l->certify = value_of(&at, "certify"); /* may be missing */
	bool so_far = (l->external = value_of(&at, "external")) &&
	              (l->fence = value_of(&at, "fence")) &&
	              number_of(&at, "file-limit", &l->file_limit) &&
	              number_of(&at, "format", &l->format) && number_of(&at, "input", &l->input) &&
	              number_of(&at, "keep-names", &l->keep_names) &&
	              number_of(&at, "memory-limit", &l->memory_limit) &&
	              (l->passes = value_of(&at, "passes")) &&
	              number_of(&at, "process-limit", &l->process_limit);
	if (!so_far)
		return false;
	l->repeat = value_of(&at, "repeat"); /* likewise */
	return number_of(&at, "seed", &l->seed) && (l->spans = value_of(&at, "spans")) &&
	       (l->tokenizer = value_of(&at, "tokenizer")) && !*at;
}

/* Whoever took other steps may have written other lines, too. */
static int check_format(const char *text, struct err *err)
{
	const char *line = strstr(text, "format=");
	unsigned long long format = line ? strtoull(line + strlen("format="), NULL, 10) : 0;
	return !format || format == FORMAT
	               ? 0
	               : err_set(err, ERR_USAGE,
	                         "it was begun by another version of whittle (format %llu, not "
	                         "%d); the command that began it continues from what is left",
	                         format, FORMAT);
}

int settings_parse(struct settings *s, char *text, struct err *err)
{
	struct lines l;
	if (check_format(text, err) < 0)
		return -1;
	if (!read_lines(text, &l) || !plan_certify_parse(l.certify, &s->certify) ||
	    !repeat_parse(&s->repeat, l.repeat))
		return err_set(err, ERR_USAGE,
		               "its options cannot be read; it was begun by another version of "
		               "whittle");
	if (passes_parse(l.passes, &s->passes, err) < 0)
		return err_context(err, "it was begun by another version of whittle");
	s->fence.kept_paths = (unsigned)l.paths;
	s->fence.kept = l.fence;
	s->no_external = !*l.external;
	s->input = (unsigned)l.input;
	s->keep_names = l.keep_names;
	s->file_limit = l.file_limit;
	s->memory_limit = l.memory_limit;
	s->process_limit = l.process_limit;
	s->seed = l.seed;
	s->spans = *l.spans ? l.spans : NULL;
	s->tokenizer = strcmp(l.tokenizer, "auto") ? l.tokenizer : NULL;
	return 0;
}

bool settings_share_verdicts(const struct settings *a, const struct settings *b)
{
	return !b->fence.given && !b->fence.n_allow && a->input == b->input &&
	       a->memory_limit == b->memory_limit && a->file_limit == b->file_limit &&
	       a->process_limit == b->process_limit && a->repeat.flaky == b->repeat.flaky &&
	       a->repeat.runs == b->repeat.runs && a->repeat.needed == b->repeat.needed;
}
