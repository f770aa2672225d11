/* Rows of a fixed size in a layer, as those of a picture: height and width stand in front of it. */
#include "base/mem.h"
#include "binary/layers.h"
#include "binary/layers_impl.h"
#include "binary/records_def.h"

enum {
	IN_FRONT = 1 << 12, /* bytes in which the numbers are */
	WORD = 4,
	CELL_MAX = 8, /* bytes of a row for each of its width */
	LEAST = 2,    /* rows, and columns */
	ROW_LEAST = 3,
};

static bool is_wide(uint32_t row, uint64_t width)
{
	for (uint32_t cell = 1; cell <= CELL_MAX && width >= LEAST; cell++)
		if (row == width * cell || row == width * cell + 1)
			return true;
	return false;
}

bool rows_find(const struct layer *l, const uint8_t *bytes, struct rows *out)
{
	uint32_t from = l->head > IN_FRONT ? l->head - IN_FRONT : 0;
	for (uint32_t at = from; l->stored && at + 2 * WORD <= l->head; at++)
		for (uint32_t big = 0; big < 2; big++) {
			enum code code = big ? CODE_BIG : CODE_LITTLE;
			const uint8_t *p = bytes + at, *end = bytes + l->head;
			uint32_t width = WORD;
			uint64_t wide, high;
			if (!code_read(code, p, end, &width, &wide) ||
			    !code_read(code, p + WORD, end, &width, &high) || high < LEAST ||
			    high > l->size || l->size % high)
				continue;
			uint32_t row = l->size / (uint32_t)high;
			if (row < ROW_LEAST || row > UINT16_MAX || !is_wide(row, wide))
				continue;
			*out = (struct rows){ at + WORD, (uint32_t)high, row, (uint8_t)code };
			return true;
		}
	return false;
}

struct field rows_field(const struct rows *rows, const struct layer *l, uint32_t list)
{
	return (struct field){ .kind = FIELD_LENGTH,
		               .code = rows->code,
		               .at = rows->at,
		               .width = WORD,
		               .from = l->begin,
		               .to = l->end,
		               .unit = (uint16_t)rows->size,
		               .list = list,
		               .listed = true };
}

void rows_add(const struct rows *rows, const struct element *blocks, uint32_t n, uint16_t depth,
              struct records *r)
{
	uint32_t skip = 0; /* bytes of a row that began in the block before */
	r->list = mem_resize(r->list, r->n + (size_t)rows->n + 1, sizeof *r->list);
	for (uint32_t i = 0; i < n; i++) {
		uint32_t size = blocks[i].end - blocks[i].begin, at = skip;
		for (; at + rows->size <= size; at += rows->size) {
			uint32_t begin = blocks[i].begin + at, end = begin + rows->size;
			r->list[r->n++] = (struct record){ .begin = begin,
				                           .end = end,
				                           .body = end,
				                           .body_end = end,
				                           .depth = depth };
		}
		skip = at > size ? at - size : size - at ? rows->size - (size - at) : 0;
	}
	r->max_depth = depth > r->max_depth ? depth : r->max_depth;
}
