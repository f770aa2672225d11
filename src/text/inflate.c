#include "config.h"

#include "text/inflate.h"

#include <stddef.h>

#ifdef HAVE_ZLIB

#include <stdlib.h>
#include <zlib.h>

#include "base/mem.h"

enum { FIRST_ROOM = 1 << 12 };

struct inflater {
	z_stream z;
	uint8_t *data;
	uint32_t room;
};

static void *take(void *arg, uInt n, uInt size)
{
	(void)arg;
	return mem_zero(n, size);
}

static void give(void *arg, void *p)
{
	(void)arg;
	free(p);
}

struct inflater *inflater_new(void)
{
	struct inflater *i = mem_zero(1, sizeof *i);
	i->z.zalloc = take;
	i->z.zfree = give;
	if (inflateInit2(&i->z, -15) == Z_OK)
		return i;
	free(i);
	return NULL;
}

void inflater_free(struct inflater *i)
{
	if (!i)
		return;
	inflateEnd(&i->z);
	free(i->data);
	free(i);
}

/* Room for more that comes out; false when there may be no more than MAX. */
static bool make_room(struct inflater *i, uint32_t max)
{
	uint32_t used = (uint32_t)i->z.total_out;
	if (i->z.avail_out)
		return true;
	if (used >= max)
		return false;
	if (used >= i->room) {
		i->room = i->room ? 2 * i->room : FIRST_ROOM;
		i->data = mem_resize(i->data, i->room, 1);
	}
	i->z.next_out = i->data + used;
	i->z.avail_out = (i->room < max ? i->room : max) - used;
	return true;
}

bool inflater_run(struct inflater *i, const uint8_t *bytes, const struct inflate_piece *pieces,
                  uint32_t n, uint32_t max, struct inflated *out)
{
	int status = inflateReset(&i->z);
	i->z.avail_out = 0;
	for (uint32_t k = 0; k < n && status == Z_OK; k++) {
		i->z.next_in = (z_const Bytef *)(bytes + pieces[k].begin);
		i->z.avail_in = pieces[k].end - pieces[k].begin;
		while (status == Z_OK && i->z.avail_in) {
			if (!make_room(i, max))
				return false;
			status = inflate(&i->z, Z_NO_FLUSH);
		}
	}
	*out = (struct inflated){ i->data, (uint32_t)i->z.total_out, (uint32_t)i->z.total_in };
	return status == Z_STREAM_END;
}

uint32_t inflate_crc32(const uint8_t *data, uint32_t size)
{
	return (uint32_t)crc32(0, data, size);
}

uint32_t inflate_adler32(const uint8_t *data, uint32_t size)
{
	return (uint32_t)adler32(1, data, size);
}

#else

struct inflater *inflater_new(void)
{
	return NULL;
}

void inflater_free(struct inflater *i)
{
	(void)i;
}

bool inflater_run(struct inflater *i, const uint8_t *bytes, const struct inflate_piece *pieces,
                  uint32_t n, uint32_t max, struct inflated *out)
{
	(void)i, (void)bytes, (void)pieces, (void)n, (void)max, (void)out;
	return false;
}

uint32_t inflate_crc32(const uint8_t *data, uint32_t size)
{
	(void)data, (void)size;
	return 0;
}

uint32_t inflate_adler32(const uint8_t *data, uint32_t size)
{
	(void)data, (void)size;
	return 0;
}

#endif
