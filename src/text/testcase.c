#include "text/testcase.h"

#include <stdlib.h>
#include <string.h>

#include "base/err.h"
#include "base/mem.h"

/* Offsets and names enter the hash through a running seed, the bytes in one go. */
static struct hash hash_of(const struct testcase *tc)
{
	uint64_t seed = tc->n_files;
	for (uint32_t i = 0; i < tc->n_files; i++) {
		const struct testcase_file *f = &tc->files[i];
		seed = hash_bytes(f->path, strlen(f->path), seed).lo;
		uint64_t shape[] = { f->mode, f->begin, f->end };
		seed = hash_bytes(shape, sizeof shape, seed).lo;
	}
	return hash_bytes(tc->bytes, tc->size, seed);
}

struct testcase *testcase_new(const char *path, mode_t mode, uint8_t *bytes, uint32_t size)
{
	struct testcase *tc = mem_alloc(sizeof *tc);
	*tc = (struct testcase){ .refs = 1, .size = size, .n_files = 1, .bytes = bytes };
	tc->files = mem_alloc(sizeof *tc->files);
	tc->files[0] = (struct testcase_file){ .path = mem_strdup(path), .mode = mode, .begin = 0, .end = size };
	tc->bytes[size] = 0;
	tc->hash = hash_of(tc);
	return tc;
}

struct testcase *testcase_like(const struct testcase *model, uint8_t *bytes, const uint32_t *ends)
{
	struct testcase *tc = mem_alloc(sizeof *tc);
	*tc = (struct testcase){ .refs = 1, .n_files = model->n_files, .bytes = bytes };
	tc->files = mem_alloc(tc->n_files * sizeof *tc->files);
	uint32_t at = 0;
	for (uint32_t i = 0; i < tc->n_files; i++) {
		tc->files[i] = (struct testcase_file){ .path = mem_strdup(model->files[i].path), .mode = model->files[i].mode,
						       .begin = at, .end = ends[i] };
		at = ends[i];
	}
	tc->size = at;
	tc->bytes[at] = 0;
	tc->hash = hash_of(tc);
	return tc;
}

struct testcase *testcase_ref(struct testcase *tc)
{
	tc->refs++;
	return tc;
}

void testcase_unref(struct testcase *tc)
{
	if (!tc || --tc->refs)
		return;
	for (uint32_t i = 0; i < tc->n_files; i++)
		free(tc->files[i].path);
	free(tc->files);
	free(tc->bytes);
	free(tc);
}

static int natural_class(uint8_t c)
{
	if (c == ' ' || (c >= '\t' && c <= '\r'))
		return 0;
	if (c >= '0' && c <= '9')
		return 1;
	if (c >= 'a' && c <= 'z')
		return 2;
	if (c >= 'A' && c <= 'Z')
		return 3;
	return 4;
}

uint8_t testcase_natural_rank(uint8_t byte)
{
	static const uint8_t first[5] = { 0, 6, 16, 42, 68 };
	int class = natural_class(byte);
	switch (class) {
	case 0:
		return byte == ' ' ? 0 : byte == '\n' ? 1 : (uint8_t)(byte == '\t' ? 2 : byte - '\v' + 3);
	case 1:
		return (uint8_t)(first[1] + byte - '0');
	case 2:
		return (uint8_t)(first[2] + byte - 'a');
	case 3:
		return (uint8_t)(first[3] + byte - 'A');
	default: {
		/* Characters of no class keep their order behind those of a class. */
		int below = 0;
		for (int c = 0; c < byte; c++)
			below += natural_class((uint8_t)c) == 4;
		return (uint8_t)(first[4] + below);
	}
	}
}

/* Length of the valid UTF-8 sequence at P (at most LEFT bytes), 0 when invalid or NUL. */
static uint32_t utf8_length(const uint8_t *p, uint32_t left)
{
	if (p[0] < 0x80)
		return p[0] != 0;
	uint32_t n = p[0] >= 0xf0 && p[0] < 0xf5 ? 4 : p[0] >= 0xe0 && p[0] < 0xf0 ? 3 : p[0] >= 0xc2 && p[0] < 0xe0 ? 2 : 0;
	if (!n || n > left)
		return 0;
	for (uint32_t i = 1; i < n; i++)
		if ((p[i] & 0xc0) != 0x80)
			return 0;
	return n;
}

static bool is_text(const struct testcase *tc)
{
	for (uint32_t i = 0; i < tc->size;) {
		uint32_t n = utf8_length(tc->bytes + i, tc->size - i);
		if (!n)
			return false;
		i += n;
	}
	return true;
}

int testcase_compare(const struct testcase *a, const struct testcase *b)
{
	if (a->size != b->size)
		return a->size < b->size ? -1 : 1;
	uint32_t i = 0;
	while (i < a->size && a->bytes[i] == b->bytes[i])
		i++;
	if (i == a->size)
		return 0;
	uint8_t x = a->bytes[i], y = b->bytes[i];
	bool text = is_text(a);
	if (text != is_text(b))
		return text ? -1 : 1; /* kept apart: the two orders together have cycles */
	if (text) {
		x = testcase_natural_rank(x);
		y = testcase_natural_rank(y);
	}
	return x < y ? -1 : 1;
}
