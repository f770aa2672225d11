#include "fuzz.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "base/err.h"
#include "base/io.h"
#include "base/mem.h"
#include "text/edit.h"
#include "lang/lexer.h"
#include "binary/records.h"
#include "text/testcase.h"
#include "lang/tokenizer.h"
#include "lang/tree.h"

void fuzz_require(bool holds, const char *what, const char *file, int line)
{
	if (holds)
		return;
	fprintf(stderr, "%s:%d: does not hold: %s\n", file, line, what);
	abort();
}

/* libgit2 loses a few bytes over damaged trees; that is not looked for here. */
const char *__lsan_default_suppressions(void);
const char *__lsan_default_suppressions(void)
{
	return "leak:libgit2\n";
}

/* ---- targets ---- */

typedef int target_fn(const uint8_t *data, size_t size);

static target_fn *named(const char *name)
{
	static const struct {
		const char *name;
		target_fn *run;
	} all[] = {
#define X(name) { #name, target_##name },
		FUZZ_TARGETS(X)
#undef X
	};
	for (size_t i = 0; name && i < sizeof all / sizeof *all; i++)
		if (!strcmp(all[i].name, name))
			return all[i].run;
	fprintf(stderr, "FUZZ_TARGET names no target: %s\n", name ? name : "(not set)");
	exit(2);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	static target_fn *target;
	if (!target)
		target = named(getenv("FUZZ_TARGET"));
	return target(data, size);
}

/* ---- input ---- */

uint8_t fuzz_byte(struct fuzz *in)
{
	return in->at < in->end ? *in->at++ : 0;
}

uint32_t fuzz_below(struct fuzz *in, uint32_t n)
{
	uint32_t v = fuzz_byte(in);
	v = v << 8 | fuzz_byte(in);
	return n ? v % n : 0;
}

struct fuzz fuzz_section(struct fuzz *in)
{
	struct fuzz all = *in;
	const uint8_t *mark = memmem(all.at, fuzz_left(&all), "\n%%\n", 4);
	in->at = mark ? mark + 4 : all.end;
	return (struct fuzz){ all.at, mark ? mark : all.end };
}

char *fuzz_string(struct fuzz in)
{
	char *s = mem_alloc(fuzz_left(&in) + 1);
	memcpy(s, in.at, fuzz_left(&in));
	s[fuzz_left(&in)] = '\0';
	return s;
}

/* ---- files ---- */

int fuzz_file(const void *bytes, size_t len, char path[FUZZ_PATH_SIZE])
{
	int fd = memfd_create("fuzz", MFD_CLOEXEC);
	FUZZ_REQUIRE(fd >= 0 && io_write_all(fd, bytes, len) == 0 && lseek(fd, 0, SEEK_SET) == 0);
	snprintf(path, FUZZ_PATH_SIZE, "/proc/self/fd/%d", fd);
	return fd;
}

static char *directory(void)
{
	static char path[4096];
	return path;
}

static void remove_directory(void)
{
	io_remove_tree(-1, directory());
}

const char *fuzz_directory(void)
{
	char *path = directory();
	if (!*path) {
		snprintf(path, 4096, "%s/whittle-fuzz-XXXXXX",
		         access("/dev/shm", W_OK) == 0 ? "/dev/shm" : io_temporary());
		FUZZ_REQUIRE(mkdtemp(path));
		atexit(remove_directory);
	}
	return path;
}

/* ---- test cases, edits ---- */

struct testcase *fuzz_testcase(const void *bytes, size_t len)
{
	uint8_t *copy = mem_alloc(len + 1);
	memcpy(copy, bytes, len);
	copy[len] = 0;
	return testcase_new("input", 0644, copy, (uint32_t)len);
}

struct edit fuzz_edit(struct fuzz *in, uint32_t size, struct arena *arena)
{
	uint32_t n = fuzz_byte(in) % 8, kept = 0;
	struct edit_part *parts = arena_alloc(arena, (n + 1) * sizeof *parts);
	for (uint32_t i = 0; i < n; i++) {
		uint32_t begin = fuzz_below(in, size + 1);
		uint32_t end = begin + fuzz_below(in, size - begin + 1), len = fuzz_byte(in) % 4;
		uint8_t *text = arena_alloc(arena, 4);
		for (uint32_t k = 0; k < len; k++)
			text[k] = fuzz_byte(in);
		if (begin < end || len)
			parts[kept++] = (struct edit_part){ begin, end, len, len ? text : NULL };
	}
	struct edit edit = EDIT_NONE;
	while (kept && !edit_make(arena, parts, kept, &edit))
		kept--;
	return kept ? edit : EDIT_NONE;
}

void fuzz_check_edit(struct testcase *tc, struct edit edit)
{
	uint32_t at = 0;
	int64_t size = tc->size;
	for (uint32_t i = 0; i < edit.n; i++) {
		const struct edit_part *p = &edit.parts[i];
		FUZZ_REQUIRE(p->begin >= at && p->begin <= p->end && p->end <= tc->size);
		FUZZ_REQUIRE(p->begin < p->end || p->len);
		FUZZ_REQUIRE(!p->len || p->text);
		at = p->end;
		size += (int64_t)p->len - (p->end - p->begin);
	}
	struct testcase *result = edit_apply(tc, edit);
	FUZZ_REQUIRE(tc->is_tree || result->size == size);
	testcase_unref(result);
}

/* ---- structure ---- */

struct tokenizer *fuzz_tokenizer(const char *name)
{
	struct err err;
	const char *dir = getenv("WHITTLE_TOKENIZERS");
	const char *dirs[] = { dir ? dir : "tokenizers", NULL };
	struct tokenizer *tok = tokenizer_find(name, NULL, (const uint8_t *)"", 0, dirs, &err);
	if (!tok)
		fprintf(stderr, "%s\n", err.msg);
	FUZZ_REQUIRE(tok);
	return tok;
}

void fuzz_check_tokens(const struct testcase *tc, const struct tokens *tokens)
{
	FUZZ_REQUIRE(tokens_begin(tokens, tokens->n) == tc->size);
	FUZZ_REQUIRE(!tokens->n || tokens_begin(tokens, 0) == 0);
	for (uint32_t i = 0; i < tokens->n; i++) {
		const struct token *t = &tokens->list[i];
		bool bracket = t->kind == TOKEN_OPEN || t->kind == TOKEN_CLOSE;
		uint32_t begin = tokens_begin(tokens, i), end = tokens_end(tokens, i);
		FUZZ_REQUIRE(begin <= end && t->kind < TOKEN_N_KINDS);
		FUZZ_REQUIRE(t->strength <= TOKEN_STRENGTH_FILE);
		FUZZ_REQUIRE(begin < end || bracket || t->kind == TOKEN_TERMINATOR);
		bool head = t->kind == TOKEN_TERMINATOR && t->bracket == TOKEN_HEAD;
		FUZZ_REQUIRE((bracket || head) == (t->bracket != 0));
	}
}

void fuzz_check_tree(const struct tokens *tokens, const struct tree *tree)
{
	FUZZ_REQUIRE(tree->n >= 1 && tree->nodes[0].first == 0 && tree_end(tree, 0) == tokens->n);
	for (uint32_t i = 1; i < tree->n; i++) {
		const struct tree_node *node = &tree->nodes[i];
		FUZZ_REQUIRE(tree_parent(tree, i) < i && node->first <= tree_end(tree, i));
		const struct tree_node *parent = &tree->nodes[tree_parent(tree, i)];
		FUZZ_REQUIRE(node->first >= parent->first &&
		             tree_end(tree, i) <= tree_end(tree, tree_parent(tree, i)));
		uint32_t next = tree_next(tree, i);
		FUZZ_REQUIRE(next == TREE_NONE ||
		             (next > i && tree_parent(tree, next) == tree_parent(tree, i) &&
		              tree->nodes[next].first >= tree_end(tree, i)));
		FUZZ_REQUIRE(!node->has_child || tree_parent(tree, i + 1) == i);
	}
}

void fuzz_check_records(const struct records *r, const struct testcase *tc)
{
	for (uint32_t i = 0; i < r->n; i++) {
		const struct record *x = &r->list[i];
		FUZZ_REQUIRE(x->begin < x->end && x->end <= tc->size);
		FUZZ_REQUIRE(x->body <= x->body_end && x->body_end <= x->end);
	}
	for (uint32_t i = 0; i < r->repair->n; i++)
		FUZZ_REQUIRE(field_holds(r->repair, &r->repair->fields[i], tc->bytes, tc->size));
}
