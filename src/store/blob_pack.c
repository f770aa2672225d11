#include "config.h"

#include "store/blob_pack.h"

#include <fcntl.h>
#include <stdio.h>
#include <unistd.h>

#include "base/digest.h"
#include "base/err.h"
#include "base/io.h"
#include "base/mem.h"

#ifdef HAVE_ZLIB
#include <zlib.h>
#endif

#ifndef HAVE_ZLIB

char *blob_pack_write(const struct blob_pack *pack, struct err *err)
{
	err_set(err, ERR_SYSTEM, "no zlib for a pack in %s", pack->dir);
	return NULL;
}

#else

/* The most significant byte first. */
static void put32(uint8_t *p, uint32_t x)
{
	for (int i = 0; i < 4; i++)
		p[i] = (uint8_t)(x >> (24 - 8 * i));
}

/* ---- a file that is hashed as it is written ---- */

struct file {
	int fd;
	struct digest sha;
	uLong crc;
	bool failed; /* with errno */
};

static void put(struct file *f, const void *bytes, size_t n)
{
	digest_feed(&f->sha, bytes, n);
	f->crc = crc32(f->crc, bytes, (uInt)n);
	f->failed = f->failed || io_write_all(f->fd, bytes, n) < 0;
}

/* Ends it with its checksum, which goes to SUM. */
static void put_sum(struct file *f, uint8_t sum[GIT_OID_RAWSZ])
{
	digest_end(&f->sha, sum);
	f->failed = f->failed || io_write_all(f->fd, sum, GIT_OID_RAWSZ) < 0 || fsync(f->fd) < 0;
}

static int begin(struct file *f, const char *path, struct err *err)
{
	*f = (struct file){ .fd = io_open_regular(path, O_WRONLY | O_CREAT | O_TRUNC, 0444, err) };
	digest_begin(&f->sha, DIGEST_SHA1);
	return f->fd;
}

static int end(struct file *f, const char *path, struct err *err)
{
	int rc = f->failed ? err_errno(err, "cannot write %s", path) : 0;
	close(f->fd);
	return rc;
}

/* ---- the blob in it ---- */

enum { PIECE = 1 << 16, ROOM = PIECE + PIECE / 8, STORED = 0xffff, LEVEL = 3 };

/* What deflate makes of a piece; FLUSH: of all so far, to a boundary of bytes. */
static void put_compressed(struct file *f, z_stream *z, const uint8_t *piece, size_t n, int flush)
{
	uint8_t out[ROOM];
	z->next_in = (uint8_t *)piece;
	z->avail_in = (uInt)n;
	do {
		z->next_out = out;
		z->avail_out = sizeof out;
		deflate(z, flush);
		put(f, out, sizeof out - z->avail_out);
	} while (!z->avail_out);
}

/* As it is: the blocks of RFC 1951, 3.2.4. The last one of all may be empty. */
static void put_stored(struct file *f, const uint8_t *bytes, size_t n)
{
	do {
		size_t now = n < STORED ? n : STORED;
		uint8_t lo = (uint8_t)now, hi = (uint8_t)(now >> 8);
		put(f, (const uint8_t[]){ now == n, lo, hi, (uint8_t)~lo, (uint8_t)~hi }, 5);
		put(f, bytes, now);
		bytes += now, n -= now;
	} while (n);
}

/* A stream of zlib's (RFC 1950). */
static void put_stream(struct file *f, const struct blob_pack *p)
{
	const uint8_t *bytes = p->bytes;
	size_t at = 0;
	z_stream z = { 0 };
	uint8_t sum[4];
	put(f, "\x78\x01", 2);
	if (deflateInit2(&z, LEVEL, Z_DEFLATED, -MAX_WBITS, 8, Z_DEFAULT_STRATEGY) == Z_OK) {
		for (; at < p->len && !f->failed && !(p->is_over && p->is_over(p->ctx));) {
			size_t n = p->len - at < PIECE ? p->len - at : PIECE;
			put_compressed(f, &z, bytes + at, n, Z_NO_FLUSH);
			at += n;
		}
		put_compressed(f, &z, NULL, 0, Z_SYNC_FLUSH);
		deflateEnd(&z);
	}
	put_stored(f, bytes + at, p->len - at);
	put32(sum, (uint32_t)adler32(1, bytes, (uInt)p->len));
	put(f, sum, sizeof sum);
}

/* Type and length: four bits, then seven each, and whether more follow. */
static void put_head(struct file *f, size_t len)
{
	uint8_t head[16], n = 0;
	head[n] = (uint8_t)(GIT_OBJECT_BLOB << 4 | (len & 15));
	for (len >>= 4; len; len >>= 7) {
		head[n++] |= 0x80;
		head[n] = len & 0x7f;
	}
	put(f, head, n + 1u);
}

enum { PACK_HEAD = 12, PACK_OBJECTS_AT = 11 };

static int write_pack(const struct blob_pack *p, const char *path, uint8_t sum[GIT_OID_RAWSZ],
                      uint32_t *crc, struct err *err)
{
	static const uint8_t head[PACK_HEAD] = { 'P', 'A', 'C',
		                                 'K', 0,   0,
		                                 0,   2,   [PACK_OBJECTS_AT] = 1 };
	struct file f;
	if (begin(&f, path, err) < 0)
		return -1;
	put(&f, head, sizeof head);
	f.crc = crc32(0, NULL, 0);
	put_head(&f, p->len);
	put_stream(&f, p);
	*crc = (uint32_t)f.crc;
	put_sum(&f, sum);
	return end(&f, path, err);
}

/* Version 2 of the index of packs: how many ids begin with up to each byte, the ids, checksums and
 * offsets. */
static int write_index(const struct blob_pack *p, const char *path, const uint8_t *pack_sum,
                       uint32_t crc, struct err *err)
{
	struct file f;
	uint8_t words[4], sum[GIT_OID_RAWSZ];
	if (begin(&f, path, err) < 0)
		return -1;
	put(&f, "\377tOc\0\0\0\2", 8);
	for (int i = 0; i < 256; i++) {
		put32(words, i >= p->id->id[0]);
		put(&f, words, sizeof words);
	}
	put(&f, p->id->id, GIT_OID_RAWSZ);
	put32(words, crc);
	put(&f, words, sizeof words);
	put32(words, PACK_HEAD);
	put(&f, words, sizeof words);
	put(&f, pack_sum, GIT_OID_RAWSZ);
	put_sum(&f, sum);
	return end(&f, path, err);
}

char *blob_pack_write(const struct blob_pack *p, struct err *err)
{
	git_oid sum;
	uint32_t crc;
	char name[GIT_OID_HEXSZ + 1], *made = mem_printf("%s/whittle.pack", p->dir), *result = NULL;
	MEM_SCOPED char *pack = NULL, *index = NULL;
	if (write_pack(p, made, sum.id, &crc, err) == 0) {
		git_oid_tostr(name, sizeof name, &sum);
		pack = mem_printf("%s/pack-%s.pack", p->dir, name);
		index = mem_printf("%s/pack-%s.idx", p->dir, name);
		if (rename(made, pack) < 0)
			err_errno(err, "cannot write %s", pack);
		else if (write_index(p, index, sum.id, crc, err) == 0)
			result = mem_strdup(name);
	}
	if (!result) {
		unlink(made);
		for (int i = 0; pack && i < 2; i++)
			unlink(i ? index : pack);
	}
	free(made);
	return result;
}

#endif
