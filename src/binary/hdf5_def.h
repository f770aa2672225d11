/* What the readers and the maker of HDF5's files share (hdf5.h). */
#pragma once

#include <stdbool.h>
#include <stdint.h>
#include <string.h>

#include "base/buf.h"
#include "base/work.h"

#define HDF5_SIGNATURE "\x89HDF\r\n\x1a\n"
#define HDF5_ALIGNED(n) (((n) + 7) & ~(uint64_t)7)

enum {
	HDF5_MOST = 1 << 24, /* bytes of a file: as lines it is some three times as large */
	HDF5_SAID_MOST = 1 << 26,
	HDF5_DEPTH = 32,
	HDF5_SIDES = 32,
	HDF5_FILTERS = 32,
	HEAP_ROOM = 4096, /* bytes of a heap, as libhdf5 makes the smallest */
	TYPE_HEAD = 8,    /* bytes in front of what a type says of its own */
};

/* Kinds of messages in headers of objects. */
enum {
	MESSAGE_SPACE = 1,
	MESSAGE_LINKS = 2,
	MESSAGE_TYPE = 3,
	MESSAGE_LINK = 6,
	MESSAGE_LAYOUT = 8,
	MESSAGE_FILTERS = 11,
	MESSAGE_ATTRIBUTE = 12,
	MESSAGE_MORE = 16,
	MESSAGE_GROUP = 17,
	MESSAGE_ATTRIBUTES = 21,
};

/* Kinds of types. */
enum {
	TYPE_OPAQUE = 5,
	TYPE_COMPOUND = 6,
	TYPE_REFERENCE = 7,
	TYPE_NAMES = 8,
	TYPE_LIST = 9,
	TYPE_ARRAY = 10,
};

/* Can it stand for itself in a path, name or text? */
static inline bool hdf5_is_plain(char c)
{
	return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') ||
	       (c && strchr("_-.+:/=", c));
}

enum { LAYOUT_COMPACT, LAYOUT_WHOLE, LAYOUT_CHUNKS };

/* Filters that values are read through. */
enum { FILTER_DEFLATE = 1, FILTER_SHUFFLE, FILTER_SUM };

/* A file that is read. */
struct hdf5 {
	const uint8_t *bytes;
	uint32_t size, width; /* of addresses and lengths */
	uint32_t steps;       /* that are left */
};

static inline bool hdf5_step(struct hdf5 *f)
{
	work_step(1);
	return f->steps && f->steps--;
}

static inline bool hdf5_there(const struct hdf5 *f, uint64_t at, uint64_t size)
{
	return at <= f->size && size <= f->size - at;
}

/* 0 behind the end. */
static inline uint64_t hdf5_number(const struct hdf5 *f, uint64_t at, uint32_t width)
{
	uint64_t value = 0;
	if (!hdf5_there(f, at, width))
		return 0;
	while (width--)
		value = value << 8 | f->bytes[at + width];
	return value;
}

/* An address or a length; the end of the file where there is none. */
static inline uint64_t hdf5_word(const struct hdf5 *f, uint64_t at)
{
	uint64_t value = hdf5_number(f, at, f->width);
	return value < f->size ? value : f->size;
}

static inline bool hdf5_begins(const struct hdf5 *f, uint64_t at, const char *name)
{
	return hdf5_there(f, at, 4) && !memcmp(f->bytes + at, name, 4);
}

struct hdf5_space {
	bool none;
	uint32_t rank;
	uint64_t n, sides[HDF5_SIDES], most[HDF5_SIDES]; /* n: of all */
};

/* A message of an object. */
struct hdf5_message {
	uint32_t type;
	bool shared; /* it says where the message is */
	uint64_t at, size;
};

/* The values of EACH bytes that the messages say where to find, *SIZE bytes; the caller's. NULL:
 * none can be read. */
uint8_t *hdf5_values(struct hdf5 *f, const struct hdf5_message *layout,
                     const struct hdf5_message *filters, const struct hdf5_space *space,
                     uint64_t each, uint64_t *size);

/* The numbers of the filters that the message names, in the order in which they pack; how many. */
uint32_t hdf5_filters(const struct hdf5 *f, const struct hdf5_message *m,
                      uint32_t filters[HDF5_FILTERS]);

/* Packs values of EACH bytes by the filters whose numbers are SAID, if they are known, and adds to
 * MESSAGE which these are; false: none. */
bool hdf5_pack(struct buf *data, uint64_t each, const char *said, struct buf *message);

static inline void hdf5_put(struct buf *out, uint64_t value, uint32_t width)
{
	for (; width--; value >>= 8)
		buf_addch(out, (char)value);
}
