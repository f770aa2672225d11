#include "binary/anew.h"

#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "binary/database.h"
#include "binary/extfs.h"
#include "binary/hdf5.h"
#include "binary/inflate.h"
#include "binary/linked.h"
#include "binary/woff.h"
#include "binary/woff2.h"

enum { BEST = 9, PACKED_MAX = 1 << 26 };

static bool bzip2_is(const uint8_t *p, uint32_t size)
{
	return size >= 10 && !memcmp(p, "BZh", 3) && p[3] >= '1' && p[3] <= '9' &&
	       !memcmp(p + 4, "1AY&SY", 6);
}

static uint8_t *bzip2_read(const uint8_t *bytes, uint32_t size, uint32_t *len)
{
	struct inflater *inflater = inflater_new();
	struct inflated in = { 0 };
	uint8_t *out = NULL;
	if (inflater_unpack(inflater, LAYER_BZIP2, bytes, size, PACKED_MAX, &in) &&
	    in.used == size && in.size) {
		out = mem_dup(in.data, in.size);
		*len = in.size;
	}
	inflater_free(inflater);
	return out;
}

static uint8_t *bzip2_make(const uint8_t *said, uint32_t len, uint32_t *size)
{
	return inflate_pack(LAYER_BZIP2, said, len, BEST, size);
}

const struct anew anew_kinds[ANEW_KINDS] = {
	{ database_is, database_read, database_make, database_settings },
	{ woff_is, woff_read, woff_make, NULL },
	{ woff2_is, woff2_read, woff2_make, NULL },
	{ bzip2_is, bzip2_read, bzip2_make, NULL },
	{ extfs_is, extfs_read, extfs_make, extfs_settings },
	{ hdf5_is, hdf5_read, hdf5_make, hdf5_settings },
	{ linked_is, linked_read, linked_make, linked_settings },
};

uint8_t anew_kind(const uint8_t *bytes, uint32_t size)
{
	uint8_t k = 0;
	while (k < ANEW_KINDS && !anew_kinds[k].is(bytes, size))
		k++;
	return k;
}

/* NULL: none. */
static const struct anew *kind_of(const uint8_t *bytes, uint32_t size)
{
	uint8_t k = anew_kind(bytes, size);
	return k < ANEW_KINDS ? &anew_kinds[k] : NULL;
}

uint8_t *anew_open(const uint8_t *bytes, uint32_t size, bool usual, uint32_t *len)
{
	const struct anew *kind = kind_of(bytes, size);
	uint32_t n = 0;
	MEM_SCOPED uint8_t *said = kind ? kind->read(bytes, size, &n) : NULL;
	uint32_t from = said && usual && kind->settings ? kind->settings(said, n) : 0;
	uint8_t *open = said ? kind->make(said + from, n - from, len) : NULL;
	if (!open || *len != size || memcmp(open, bytes, size) != 0)
		return open;
	free(open);
	return NULL;
}

bool anew_is_open(const uint8_t *bytes, uint32_t size)
{
	const struct anew *kind = kind_of(bytes, size);
	uint32_t n, len;
	MEM_SCOPED uint8_t *said = kind ? kind->read(bytes, size, &n) : NULL;
	MEM_SCOPED uint8_t *made = said ? kind->make(said, n, &len) : NULL;
	return made && len == size && !memcmp(made, bytes, size);
}
