#include "config.h"

#include "binary/inflate.h"

#include <stddef.h>

#ifdef HAVE_ZLIB

#include <stdlib.h>
#include <zlib.h>
#ifdef HAVE_ZSTD
#include <zstd.h>
#endif
#ifdef HAVE_LZMA
#include <lzma.h>
#endif

#include "base/mem.h"
#include "base/work.h"

enum { FIRST_ROOM = 1 << 12, XZ_MEMORY = 1 << 27 };

struct inflater {
	z_stream z;
	uint8_t *data;
	uint32_t room;
#ifdef HAVE_ZSTD
	ZSTD_DCtx *zstd; /* NULL: not needed so far */
#endif
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
#ifdef HAVE_ZSTD
	ZSTD_freeDCtx(i->zstd);
#endif
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
			status = make_room(i, max) ? inflate(&i->z, Z_NO_FLUSH) : Z_MEM_ERROR;
			work_step(i->z.total_out);
		}
	}
	*out = (struct inflated){ i->data, (uint32_t)i->z.total_out, (uint32_t)i->z.total_in };
	return status == Z_STREAM_END;
}

#if defined(HAVE_ZSTD) || defined(HAVE_LZMA)

/* More of what comes out; false when there may be no more. */
static bool enlarge(struct inflater *i, size_t used, uint32_t max)
{
	if (used < i->room)
		return true;
	if (used >= max)
		return false;
	i->room = i->room ? 2 * i->room : FIRST_ROOM;
	i->data = mem_resize(i->data, i->room, 1);
	return true;
}

#endif

#ifdef HAVE_ZSTD

bool inflate_has_zstd(void)
{
	return true;
}

bool inflater_zstd(struct inflater *i, const uint8_t *bytes, uint32_t size, uint32_t max,
                   struct inflated *out)
{
	ZSTD_inBuffer in = { bytes, size, 0 };
	ZSTD_outBuffer to = { NULL, 0, 0 };
	size_t left = 1;
	*out = (struct inflated){ 0 };
	if (!i->zstd)
		i->zstd = ZSTD_createDCtx();
	if (!i->zstd)
		return false;
	ZSTD_DCtx_reset(i->zstd, ZSTD_reset_session_only);
	while (left) {
		size_t in_before = in.pos, out_before = to.pos;
		if (!enlarge(i, to.pos, max))
			break;
		to.dst = i->data;
		to.size = i->room < max ? i->room : max;
		left = ZSTD_decompressStream(i->zstd, &to, &in);
		if (ZSTD_isError(left) || (in.pos == in_before && to.pos == out_before))
			break;
	}
	*out = (struct inflated){ i->data, (uint32_t)to.pos, (uint32_t)in.pos };
	return !left;
}

#endif

#ifdef HAVE_LZMA

bool inflate_has_xz(void)
{
	return true;
}

bool inflater_xz(struct inflater *i, const uint8_t *bytes, uint32_t size, uint32_t max,
                 struct inflated *out)
{
	lzma_stream s = LZMA_STREAM_INIT;
	lzma_ret ret = lzma_stream_decoder(&s, XZ_MEMORY, 0);
	s.next_in = bytes;
	s.avail_in = size;
	while (ret == LZMA_OK && enlarge(i, (size_t)s.total_out, max)) {
		s.next_out = i->data + s.total_out;
		s.avail_out = (i->room < max ? i->room : max) - (size_t)s.total_out;
		ret = lzma_code(&s, LZMA_FINISH); /* LZMA_BUF_ERROR when it is cut short */
	}
	*out = (struct inflated){ i->data, (uint32_t)s.total_out, (uint32_t)s.total_in };
	lzma_end(&s);
	return ret == LZMA_STREAM_END;
}

#endif

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
	(void)i, (void)bytes, (void)pieces, (void)n, (void)max;
	*out = (struct inflated){ 0 };
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

#if !defined(HAVE_ZLIB) || !defined(HAVE_ZSTD)

bool inflate_has_zstd(void)
{
	return false;
}

bool inflater_zstd(struct inflater *i, const uint8_t *bytes, uint32_t size, uint32_t max,
                   struct inflated *out)
{
	(void)i, (void)bytes, (void)size, (void)max;
	*out = (struct inflated){ 0 };
	return false;
}

#endif

#if !defined(HAVE_ZLIB) || !defined(HAVE_LZMA)

bool inflate_has_xz(void)
{
	return false;
}

bool inflater_xz(struct inflater *i, const uint8_t *bytes, uint32_t size, uint32_t max,
                 struct inflated *out)
{
	(void)i, (void)bytes, (void)size, (void)max;
	*out = (struct inflated){ 0 };
	return false;
}

#endif
