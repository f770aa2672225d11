#include "binary/tar.h"

#include <string.h>

#include "base/buf.h"
#include "base/work.h"

_Static_assert(sizeof(struct tar_header) == TAR_BLOCK, "a header is a block");

void tar_put(char *to, uint32_t width, uint32_t value)
{
	for (to += width - 1; --width; value >>= 3)
		*--to = (char)('0' + (value & 7));
}

uint32_t tar_number(const char *p, uint32_t width)
{
	uint32_t value = 0;
	for (; width-- && *p >= '0' && *p <= '7'; p++)
		value = value << 3 | (uint32_t)(*p - '0');
	return value;
}

void tar_add(struct buf *out, struct tar_header *h, const char *name, const char *link,
             const char *content, uint32_t size)
{
	static const char zeros[TAR_BLOCK] = { 0 };
	for (int i = 0; i < 2; i++) {
		const char *text = i ? link : name;
		size_t n = strlen(text), room = sizeof h->name;
		struct tar_header longer = { .type = i ? 'K' : 'L' };
		if (n > room)
			tar_add(out, &longer, "././@LongLink", "", text, (uint32_t)n + 1);
		memcpy(i ? h->link : h->name, text, n < room ? n : room);
	}
	uint32_t sum = 0;
	tar_put(h->size, sizeof h->size, size);
	memcpy(h->magic, "ustar  ", sizeof h->magic);
	memset(h->sum, ' ', sizeof h->sum);
	for (size_t i = 0; i < sizeof *h; i++)
		sum += ((const uint8_t *)h)[i];
	tar_put(h->sum, sizeof h->sum - 1, sum);
	h->sum[sizeof h->sum - 2] = '\0';
	buf_add(out, h, sizeof *h);
	buf_add(out, content, size);
	buf_add(out, zeros, (TAR_BLOCK - size % TAR_BLOCK) % TAR_BLOCK);
}

static uint32_t length(const char *text, uint32_t most)
{
	return (uint32_t)strnlen(text, most);
}

bool tar_next(const uint8_t *tar, uint32_t len, uint32_t *at, struct tar_file *f)
{
	*f = (struct tar_file){ 0 };
	while (len - *at >= TAR_BLOCK) {
		const struct tar_header *h = (const void *)(tar + *at);
		*at += TAR_BLOCK;
		work_step(TAR_BLOCK);
		if (memcmp(h->magic, "ustar", 5) != 0)
			continue;
		uint32_t left = len - *at, size = tar_number(h->size, sizeof h->size);
		uint64_t blocks = ((uint64_t)size + TAR_BLOCK - 1) / TAR_BLOCK;
		f->content = tar + *at;
		f->size = size < left ? size : left;
		*at += blocks * TAR_BLOCK < left ? (uint32_t)blocks * TAR_BLOCK : left;
		const char *text = (const char *)f->content;
		if (h->type == 'L') {
			f->name = text;
			f->n_name = length(text, f->size);
		} else if (h->type == 'K') {
			f->link = text;
			f->n_link = length(text, f->size);
		} else {
			f->header = h;
			f->n_name = f->name ? f->n_name : length(h->name, sizeof h->name);
			f->n_link = f->link ? f->n_link : length(h->link, sizeof h->link);
			f->name = f->name ? f->name : h->name;
			f->link = f->link ? f->link : h->link;
			return true;
		}
	}
	return false;
}
