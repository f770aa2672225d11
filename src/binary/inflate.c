#include "config.h"

#include "binary/inflate.h"

#ifdef HAVE_ZLIB
#include <zlib.h>
#endif
#ifdef HAVE_ZSTD
#include <zstd.h>
#endif
#ifdef HAVE_LZMA
#include <lzma.h>
#endif
#ifdef HAVE_LZ4
#include <lz4frame.h>
#endif
#ifdef HAVE_BROTLI
#include <brotli/decode.h>
#include <brotli/encode.h>
#endif
#ifdef HAVE_BZIP2
#include <bzlib.h>
#endif

#include "base/mem.h"
#include "base/work.h"

enum {
	FIRST_ROOM = 1 << 12,
	XZ_MEMORY = 1 << 27,
	ZSTD_LEVEL = 19,  /* more takes much memory */
	MORE_ROOM = 1024, /* bytes and an eighth: more than each library asks for */
};

struct inflater {
	void *kept[LAYER_BZIP2 + 1]; /* states of those that can begin again */
	uint8_t *data;
	uint32_t room;
};

/* What a library reads and writes. */
struct flow {
	const uint8_t *in;
	uint8_t *out;
	size_t size, used, room, made;
};

enum step { STEP_MORE, STEP_DONE, STEP_FAILED };

/* A way of packing, by its library. */
struct packing {
	void *(*open)(void);
	enum step (*step)(void *state, struct flow *flow);
	void (*close)(void *state);
	bool (*again)(void *state); /* begins anew; NULL: it cannot */
	/* Packs into the *LEN bytes at TO, where what does not get smaller has room, too; *LEN: how
	 * many it took. */
	bool (*pack)(const uint8_t *data, uint32_t size, int level, uint8_t *to, size_t *len);
};

#ifdef HAVE_ZLIB

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

static void *raw_open(void)
{
	z_stream *z = mem_zero(1, sizeof *z);
	z->zalloc = take;
	z->zfree = give;
	if (inflateInit2(z, -15) == Z_OK)
		return z;
	free(z);
	return NULL;
}

static enum step raw_step(void *state, struct flow *f)
{
	z_stream *z = state;
	z->next_in = (z_const Bytef *)(f->in + f->used);
	z->avail_in = (uInt)(f->size - f->used);
	z->next_out = f->out + f->made;
	z->avail_out = (uInt)(f->room - f->made);
	int got = inflate(z, Z_NO_FLUSH);
	f->used = f->size - z->avail_in;
	f->made = f->room - z->avail_out;
	return got == Z_OK ? STEP_MORE : got == Z_STREAM_END ? STEP_DONE : STEP_FAILED;
}

static void raw_close(void *state)
{
	inflateEnd(state);
	free(state);
}

static bool raw_again(void *state)
{
	return inflateReset(state) == Z_OK;
}

static bool raw_pack(const uint8_t *data, uint32_t size, UNUSED int level, uint8_t *to, size_t *len)
{
	z_stream z = { .zalloc = take, .zfree = give };
	if (deflateInit2(&z, Z_BEST_COMPRESSION, Z_DEFLATED, -MAX_WBITS, MAX_MEM_LEVEL,
	                 Z_DEFAULT_STRATEGY) != Z_OK)
		return false;
	z.next_in = (z_const Bytef *)data;
	z.avail_in = size;
	z.next_out = to;
	z.avail_out = (uInt)*len;
	bool yes = deflate(&z, Z_FINISH) == Z_STREAM_END;
	*len -= z.avail_out;
	deflateEnd(&z);
	return yes;
}

#endif

#ifdef HAVE_ZSTD

static void *zstd_open(void)
{
	return ZSTD_createDCtx();
}

static enum step zstd_step(void *state, struct flow *f)
{
	ZSTD_inBuffer in = { f->in, f->size, f->used };
	ZSTD_outBuffer out = { f->out, f->room, f->made };
	size_t left = ZSTD_decompressStream(state, &out, &in);
	f->used = in.pos;
	f->made = out.pos;
	return ZSTD_isError(left) ? STEP_FAILED : left ? STEP_MORE : STEP_DONE;
}

static void zstd_close(void *state)
{
	ZSTD_freeDCtx(state);
}

static bool zstd_pack(const uint8_t *data, uint32_t size, UNUSED int level, uint8_t *to,
                      size_t *len)
{
	ZSTD_CCtx *state = ZSTD_createCCtx();
	ZSTD_CCtx_setParameter(state, ZSTD_c_compressionLevel, ZSTD_LEVEL);
	ZSTD_CCtx_setParameter(state, ZSTD_c_contentSizeFlag, 0);
	*len = ZSTD_compress2(state, to, *len, data, size);
	ZSTD_freeCCtx(state);
	return !ZSTD_isError(*len);
}

#endif

#ifdef HAVE_LZMA

static void *xz_open(void)
{
	lzma_stream *s = mem_zero(1, sizeof *s);
	if (lzma_stream_decoder(s, XZ_MEMORY, 0) == LZMA_OK)
		return s;
	free(s);
	return NULL;
}

static enum step xz_step(void *state, struct flow *f)
{
	lzma_stream *s = state;
	s->next_in = f->in + f->used;
	s->avail_in = f->size - f->used;
	s->next_out = f->out + f->made;
	s->avail_out = f->room - f->made;
	lzma_ret ret = lzma_code(s, LZMA_FINISH); /* LZMA_BUF_ERROR when it is cut short */
	f->used = (size_t)s->total_in;
	f->made = (size_t)s->total_out;
	return ret == LZMA_OK ? STEP_MORE : ret == LZMA_STREAM_END ? STEP_DONE : STEP_FAILED;
}

static void xz_close(void *state)
{
	lzma_end(state);
	free(state);
}

static bool xz_pack(const uint8_t *data, uint32_t size, UNUSED int level, uint8_t *to, size_t *len)
{
	lzma_options_lzma how;
	lzma_filter filters[] = { { LZMA_FILTER_LZMA2, &how }, { LZMA_VLI_UNKNOWN, NULL } };
	size_t room = *len;
	*len = 0;
	if (lzma_lzma_preset(&how, LZMA_PRESET_DEFAULT | LZMA_PRESET_EXTREME))
		return false;
	return lzma_stream_buffer_encode(filters, LZMA_CHECK_NONE, NULL, data, size, to, len,
	                                 room) == LZMA_OK;
}

#endif

#ifdef HAVE_LZ4

static void *lz4_open(void)
{
	LZ4F_dctx *state = NULL;
	return LZ4F_isError(LZ4F_createDecompressionContext(&state, LZ4F_VERSION)) ? NULL : state;
}

static enum step lz4_step(void *state, struct flow *f)
{
	size_t in = f->size - f->used, out = f->room - f->made;
	size_t left = LZ4F_decompress(state, f->out + f->made, &out, f->in + f->used, &in, NULL);
	f->used += in;
	f->made += out;
	return LZ4F_isError(left) ? STEP_FAILED : left ? STEP_MORE : STEP_DONE;
}

static void lz4_close(void *state)
{
	LZ4F_freeDecompressionContext(state);
}

static bool lz4_pack(const uint8_t *data, uint32_t size, UNUSED int level, uint8_t *to, size_t *len)
{
	const LZ4F_preferences_t how = { .compressionLevel = LZ4F_compressionLevel_max() };
	*len = LZ4F_compressFrame(to, *len, data, size, &how);
	return !LZ4F_isError(*len);
}

#endif

#ifdef HAVE_BROTLI

static void *brotli_open(void)
{
	return BrotliDecoderCreateInstance(NULL, NULL, NULL);
}

static enum step brotli_step(void *state, struct flow *f)
{
	size_t in = f->size - f->used, out = f->room - f->made;
	const uint8_t *from = f->in + f->used;
	uint8_t *to = f->out + f->made;
	BrotliDecoderResult got = BrotliDecoderDecompressStream(state, &in, &from, &out, &to, NULL);
	f->used = f->size - in;
	f->made = f->room - out;
	return got == BROTLI_DECODER_RESULT_SUCCESS ? STEP_DONE
	       : got == BROTLI_DECODER_RESULT_ERROR ? STEP_FAILED
	                                            : STEP_MORE;
}

static void brotli_close(void *state)
{
	BrotliDecoderDestroyInstance(state);
}

static bool brotli_pack(const uint8_t *data, uint32_t size, UNUSED int level, uint8_t *to,
                        size_t *len)
{
	enum { LARGE = 1 << 16, FAST = 9 }; /* the best takes seconds for a megabyte */
	return BrotliEncoderCompress(size > LARGE ? FAST : BROTLI_MAX_QUALITY,
	                             BROTLI_DEFAULT_WINDOW, BROTLI_MODE_GENERIC, size, data, len,
	                             to);
}

#endif

#ifdef HAVE_BZIP2

static void *bzip2_open(void)
{
	bz_stream *s = mem_zero(1, sizeof *s);
	if (BZ2_bzDecompressInit(s, 0, 0) == BZ_OK)
		return s;
	free(s);
	return NULL;
}

static enum step bzip2_step(void *state, struct flow *f)
{
	bz_stream *s = state;
	s->next_in = (char *)f->in + f->used;
	s->avail_in = (unsigned)(f->size - f->used);
	s->next_out = (char *)f->out + f->made;
	s->avail_out = (unsigned)(f->room - f->made);
	int got = BZ2_bzDecompress(s);
	f->used = f->size - s->avail_in;
	f->made = f->room - s->avail_out;
	return got == BZ_OK ? STEP_MORE : got == BZ_STREAM_END ? STEP_DONE : STEP_FAILED;
}

static void bzip2_close(void *state)
{
	BZ2_bzDecompressEnd(state);
	free(state);
}

static bool bzip2_pack(const uint8_t *data, uint32_t size, int level, uint8_t *to, size_t *len)
{
	unsigned n = (unsigned)*len;
	bool yes =
		BZ2_bzBuffToBuffCompress((char *)to, &n, (char *)data, size, level, 0, 0) == BZ_OK;
	*len = n;
	return yes;
}

#endif

static const struct packing packings[LAYER_BZIP2 + 1] = {
#ifdef HAVE_ZLIB
	[LAYER_RAW] = { raw_open, raw_step, raw_close, raw_again, raw_pack },
#endif
#ifdef HAVE_ZSTD
	[LAYER_ZSTD] = { zstd_open, zstd_step, zstd_close, NULL, zstd_pack },
#endif
#ifdef HAVE_LZMA
	[LAYER_XZ] = { xz_open, xz_step, xz_close, NULL, xz_pack },
#endif
#ifdef HAVE_LZ4
	[LAYER_LZ4] = { lz4_open, lz4_step, lz4_close, NULL, lz4_pack },
#endif
#ifdef HAVE_BROTLI
	[LAYER_BROTLI] = { brotli_open, brotli_step, brotli_close, NULL, brotli_pack },
#endif
#ifdef HAVE_BZIP2
	[LAYER_BZIP2] = { bzip2_open, bzip2_step, bzip2_close, NULL, bzip2_pack },
#endif
};

bool inflate_has(enum layer_kind kind)
{
	return packings[kind].open;
}

struct inflater *inflater_new(void)
{
	return mem_zero(1, sizeof(struct inflater));
}

void inflater_free(struct inflater *i)
{
	for (int kind = 0; kind <= LAYER_BZIP2; kind++)
		if (i->kept[kind])
			packings[kind].close(i->kept[kind]);
	free(i->data);
	free(i);
}

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

/* A state of what unpacks KIND; NULL: there is none. */
static void *begin(struct inflater *i, enum layer_kind kind)
{
	const struct packing *u = &packings[kind];
	if (i->kept[kind])
		return u->again(i->kept[kind]) ? i->kept[kind] : NULL;
	void *state = u->open ? u->open() : NULL;
	if (u->again)
		i->kept[kind] = state;
	return state;
}

bool inflater_unpack(struct inflater *i, enum layer_kind kind, const uint8_t *bytes, uint32_t size,
                     uint32_t max, struct inflated *out)
{
	void *state = begin(i, kind);
	struct flow f = { .in = bytes, .size = size };
	enum step step = state ? STEP_MORE : STEP_FAILED;
	while (step == STEP_MORE && enlarge(i, f.made, max)) {
		size_t used = f.used, made = f.made;
		f.out = i->data;
		f.room = i->room < max ? i->room : max;
		step = packings[kind].step(state, &f);
		work_step(f.made - made);
		if (f.used == used && f.made == made && f.made < f.room)
			break;
	}
	*out = (struct inflated){ i->data, (uint32_t)f.made, (uint32_t)f.used };
	if (state && state != i->kept[kind])
		packings[kind].close(state);
	return step == STEP_DONE;
}

uint8_t *inflate_pack(enum layer_kind kind, const uint8_t *data, uint32_t size, int level,
                      uint32_t *len)
{
	size_t room = size + size / 8 + MORE_ROOM;
	uint8_t *out = packings[kind].pack ? mem_alloc(room) : NULL;
	work_step(size);
	if (out && packings[kind].pack(data, size, level, out, &room)) {
		*len = (uint32_t)room;
		return out;
	}
	free(out);
	return NULL;
}
