#include "edits/tails.h"

#include "base/mem.h"

enum {
	LEAST = 3,  /* bytes that are worth a question */
	HEAD = 64,  /* bytes; the size of all of a file stands in these */
	NONE = ~0u, /* of the bytes, all */
};

/* How a number may be written; the widest first, since its last byte may be one, too. */
static const struct written {
	uint8_t code, width; /* of those whose width varies: the least */
} ways[] = {
	{ CODE_LITTLE, 8 }, { CODE_BIG, 8 },    { CODE_LITTLE, 4 }, { CODE_BIG, 4 },
	{ CODE_LITTLE, 2 }, { CODE_BIG, 2 },    { CODE_LEB, 2 },    { CODE_VLQ, 2 },
	{ CODE_DER, 2 },    { CODE_LITTLE, 1 },
};

struct found {
	const struct testcase *tc;
	struct field *list;
	uint32_t n, cap;
	uint32_t only;    /* this one of the bytes; NONE: all */
	uint32_t n_bytes; /* so far */
};

/* Is a number written so at AT that says what is behind it? */
static bool read_at(const struct testcase *tc, const struct testcase_file *f, uint32_t at,
                    const struct written *way, struct field *out)
{
	uint32_t width = way->width;
	uint64_t value;
	const uint8_t *bytes = tc->bytes;
	if (width > f->end - at ||
	    !code_read(way->code, bytes + at, bytes + f->end, &width, &value) ||
	    width < way->width || value < LEAST)
		return false;
	uint32_t behind = f->end - at - width, all = f->end - f->begin, from = at + width;
	if (value == all && width > 1 && at - f->begin < HEAD)
		from = f->begin;
	else if (value == behind + (uint64_t)width && width > 1)
		from = at;
	else if (value != behind)
		return false;
	*out = (struct field){ .kind = FIELD_LENGTH,
		               .code = way->code,
		               .at = at,
		               .width = width,
		               .from = from,
		               .to = f->end };
	return true;
}

/* Looks for one at AT; returns where to look next. */
static uint32_t look_at(struct found *found, const struct testcase_file *f, uint32_t at)
{
	struct field field;
	for (size_t i = 0; i < sizeof ways / sizeof *ways; i++) {
		if (!read_at(found->tc, f, at, &ways[i], &field))
			continue;
		bool byte = field.width == 1;
		if (!byte || found->only == NONE || found->only == found->n_bytes) {
			MEM_GROW(found->list, found->n, found->cap);
			found->list[found->n++] = field;
		}
		found->n_bytes += byte;
		return at + field.width;
	}
	return at + 1;
}

struct field *tails_find(const struct testcase *tc, uint32_t level, uint32_t *n)
{
	struct found found = { .tc = tc, .only = level ? level - 1 : NONE };
	for (uint32_t i = 0; i < tc->n_files; i++)
		for (uint32_t at = tc->files[i].begin; at < tc->files[i].end;)
			at = look_at(&found, &tc->files[i], at);
	if (level && (found.n_bytes < 2 || level > found.n_bytes))
		found.n = 0; /* as with all, or there is no such byte */
	*n = found.n;
	return found.list;
}
