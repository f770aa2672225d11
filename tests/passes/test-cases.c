/* test-cases [DIRECTORY...]: what passes do, as data. A directory in
 * tests/passes/fixtures is a case; to add one needs no code. In it stand:
 *
 *     input, input.EXT   a file, or a directory that is reduced as a tree
 *     case               one directive per line, below; "#" begins a comment
 *     result             the fixpoint, byte for byte
 *     candidates         if it is there: all that was asked, in order, with the answers
 *
 *     pass NAME          the pass that is shown
 *     with NAME|all      others that run beside it
 *     keep-names         as the option
 *     needs zlib|zstd|xz|lz4|brotli|bzip2  the case is left out where the program was built without
 *     front N TEXT       N lines of TEXT stand in front of the input, which is a file
 *     has PATTERN        what is interesting: PATTERN is found (PCRE2, ^ and $ at lines, . over
 *     not PATTERN        them), is not found, is found N times, as often as another one; and it
 *     count N PATTERN    has N bytes or more. All lines must hold. What is matched is the file;
 *     same A <=> B       of a tree each entry behind a line "== PATH MODE".
 *     size N
 *     fits               the schema of the tokenizer fits (binary/schema.h)
 *     points N TEXT      the four bytes from N on, little-endian, are the offset of TEXT
 *
 * Each case runs once more without its pass and must give something else then, unless
 * rounds are few (rounds.h); under valgrind, one case in four runs. Each pass of the table must
 * have a case. With UPDATE in the environment, result is written, and candidates where they are. */
#include <dirent.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "../rounds.h"
#include "base/buf.h"
#include "base/err.h"
#include "base/io.h"
#include "base/mem.h"
#include "fixture.h"
#include "reduce/passes.h"
#include "reduce/reducer.h"
#include "binary/records.h"
#include "binary/schema.h"
#include "lang/tokenizer.h"

enum { MAX_ASKED = 20000 };

/* What a reduction gave. */
struct outcome {
	struct buf candidates, result;
	uint32_t n_hashes, cap_hashes;
	struct hash *hashes; /* of what was asked, so that nothing is listed twice */
};

/* A test case as patterns and people see it. */
static void render(const struct testcase *tc, struct buf *out)
{
	for (uint32_t i = 0; i < tc->n_files; i++) {
		const struct testcase_file *f = &tc->files[i];
		if (tc->is_tree)
			buf_addf(out, "== %s %o\n", f->path, (unsigned)f->mode);
		buf_add(out, f->data, testcase_file_size(f));
		if (tc->is_tree)
			buf_addf(out, "\n");
	}
	buf_addf(out, "%s", "");
}

static uint32_t count(const pcre2_code *re, const struct buf *text)
{
	pcre2_match_data *match = pcre2_match_data_create_from_pattern(re, NULL);
	uint32_t n = 0;
	for (size_t at = 0; at <= text->len; n++) {
		if (pcre2_match(re, (PCRE2_SPTR)text->data, text->len, at, 0, match, NULL) < 0)
			break;
		const PCRE2_SIZE *found = pcre2_get_ovector_pointer(match);
		at = found[1] > found[0] ? found[1] : found[1] + 1;
	}
	pcre2_match_data_free(match);
	return n;
}

static bool points_at(const struct buf *bytes, size_t at, const char *text)
{
	if (at + 4 > bytes->len)
		return false;
	const uint8_t *word = (const uint8_t *)bytes->data + at;
	size_t to = word[0] | (size_t)word[1] << 8 | (size_t)word[2] << 16 | (size_t)word[3] << 24,
	       len = strlen(text);
	return to + len <= bytes->len && !memcmp(bytes->data + to, text, len);
}

static bool schema_fits(const struct tokenizer *tokenizer, const struct buf *text)
{
	uint32_t farthest;
	struct records *r = schema_records(tokenizer_schema(tokenizer), (const uint8_t *)text->data,
	                                   (uint32_t)text->len, false, &farthest);
	records_unref(r);
	return r != NULL;
}

static bool rule_holds(const struct fixture *c, const struct rule *r, const struct buf *text)
{
	switch (r->kind) {
	case RULE_HAS:
		return count(r->a, text);
	case RULE_NOT:
		return !count(r->a, text);
	case RULE_COUNT:
		return count(r->a, text) == r->n;
	case RULE_SAME:
		return count(r->a, text) == count(r->b, text);
	case RULE_SIZE:
		return text->len >= r->n;
	case RULE_POINTS:
		return points_at(text, r->n, r->text);
	case RULE_FITS:
		return schema_fits(c->tokenizer, text);
	}
	return false;
}

static bool is_interesting(const struct fixture *c, const struct buf *text)
{
	for (uint32_t i = 0; i < c->n_rules; i++)
		if (!rule_holds(c, &c->rules[i], text))
			return false;
	return true;
}

static bool was_asked(struct outcome *o, struct hash hash)
{
	for (uint32_t i = 0; i < o->n_hashes; i++)
		if (hash_equal(o->hashes[i], hash))
			return true;
	MEM_GROW(o->hashes, o->n_hashes, o->cap_hashes);
	o->hashes[o->n_hashes++] = hash;
	return false;
}

static void answer(const struct fixture *c, struct reducer *r, struct ask *ask, struct outcome *o)
{
	struct buf text = { 0 };
	render(ask->candidate, &text);
	bool yes = is_interesting(c, &text);
	if (!was_asked(o, ask->candidate->hash)) {
		buf_addf(&o->candidates, "--- %s\n", yes ? "yes" : "no");
		buf_add(&o->candidates, text.data, text.len);
		buf_addf(&o->candidates, "\n");
	}
	buf_release(&text);
	testcase_unref(ask->candidate);
	recipe_release(&ask->recipe);
	reducer_tell(r, ask->id, yes ? VERDICT_INTERESTING : VERDICT_NOT_INTERESTING, 0);
}

static struct outcome reduce(const struct fixture *c, struct pass_set enabled)
{
	struct reducer_options ro = { .enabled = enabled,
		                      .strategy = { .keep_names = c->keep_names },
		                      .tokenizers = c->tokenizers,
		                      .max_questions = MAX_ASKED };
	struct outcome o = { 0 };
	struct err err = { 0 };
	struct reducer *r = reducer_new(c->input, c->tokenizer, &ro, NULL);
	struct ask ask;
	enum reducer_state state;
	while ((state = reducer_next(r, &ask, &err)) == REDUCER_ASK)
		answer(c, r, &ask, &o);
	if (state != REDUCER_DONE || reducer_why(r) != REDUCER_FIXPOINT)
		fixture_broken(c, "reduction", state == REDUCER_FAILED ? err.msg : "does not end");
	render(reducer_current(r), &o.result);
	buf_addf(&o.candidates, "%s", "");
	reducer_free(r);
	return o;
}

static void release_outcome(struct outcome *o)
{
	buf_release(&o->candidates);
	buf_release(&o->result);
	free(o->hashes);
}

static bool equal(const struct buf *a, const struct buf *b)
{
	return a->len == b->len && (!a->len || !memcmp(a->data, b->data, a->len));
}

static void write_file(const struct fixture *c, const char *name, const struct buf *bytes)
{
	struct err err = { 0 };
	char *path = mem_printf("%s/%s", c->dir, name);
	if (io_replace_file(path, bytes->data, bytes->len, 0644, &err) < 0)
		fixture_broken(c, name, err.msg);
	free(path);
}

/* Whether the file NAME, if it is there or MUST be, holds what was found. */
static bool check_file(const struct fixture *c, const char *name, const struct buf *found,
                       bool must, bool write)
{
	struct buf expected = { 0 };
	bool there = fixture_file(c, name, &expected),
	     fine = there ? equal(&expected, found) : !must;
	if (write && (there || must)) {
		write_file(c, name, found);
		fine = true;
	}
	if (!fine)
		printf("FAILED: %s: %s is not what was found:\n%.*s\n", c->dir, name,
		       (int)(found->len < 4000 ? found->len : 4000), found->data);
	buf_release(&expected);
	return fine;
}

static bool check_case(const struct fixture *c, bool write)
{
	struct buf input = { 0 };
	render(c->input, &input);
	if (!is_interesting(c, &input))
		fixture_broken(c, "input", "is not interesting");
	buf_release(&input);
	struct pass_set all = c->with, others = c->with;
	passes_add(&all, &c->pass);
	passes_remove(&others, &c->pass);
	struct outcome with = reduce(c, all);
	bool fine = check_file(c, "result", &with.result, true, write);
	fine &= check_file(c, "candidates", &with.candidates, false, write);
	if (!rounds_are_few()) {
		struct outcome without = reduce(c, others);
		if (equal(&with.result, &without.result)) {
			printf("FAILED: %s: without its pass it gives the same\n", c->dir);
			fine = false;
		}
		release_outcome(&without);
	}
	release_outcome(&with);
	return fine;
}

/* Reads the case in DIR and adds its pass to SEEN; ALSO: checks it. */
static bool run_case(const char *dir, bool write, bool also, struct pass_set *seen)
{
	struct fixture c;
	fixture_read(&c, dir);
	bool fine = c.left_out || !also || check_case(&c, write);
	passes_add(seen, &c.pass);
	fixture_release(&c);
	return fine;
}

static int is_visible(const struct dirent *e)
{
	return *e->d_name != '.';
}

/* All cases; each pass must have one. */
static bool run_all(bool write)
{
	const char *top = getenv("top_srcdir");
	char *all = mem_printf("%s/tests/passes/fixtures", top ? top : ".");
	struct dirent **list;
	int n = scandir(all, &list, is_visible, alphasort);
	bool fine = n > 0;
	struct pass_set seen = { 0 };
	for (int i = 0; i < n; i++) {
		char *dir = mem_printf("%s/%s", all, list[i]->d_name);
		fine &= run_case(dir, write, (uint32_t)i % rounds_stride() == 0, &seen);
		free(dir);
		free(list[i]);
	}
	if (n >= 0)
		free(list);
	for (uint32_t i = 0; i < passes_n_rows; i++)
		if (!passes_has(&seen, i)) {
			printf("FAILED: no case for the pass %s\n", passes_table[i].name);
			fine = false;
		}
	printf("%d cases\n", n);
	free(all);
	return fine;
}

int main(int argc, char **argv)
{
	bool write = getenv("UPDATE") != NULL, fine = true;
	struct pass_set seen = { 0 };
	if (argc == 1)
		return !run_all(write);
	for (int i = 1; i < argc; i++)
		fine &= run_case(argv[i], write, true, &seen);
	return !fine;
}
