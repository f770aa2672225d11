#include "binary/macho.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "base/buf.h"
#include "base/mem.h"
#include "base/work.h"
#include "binary/codes.h"

enum {
	HEAD = 32,
	SEGMENT = 72, /* bytes of such a command, and of each section behind it */
	SECTION = 80,
	SYMBOL = 16,
	ROW = 20, /* of what a file for several processors holds */
	PROCESSORS_MOST = 32,
	SEGMENTS_MOST = 64,
	COMMANDS_MOST = 1 << 12,
	ALIGNED = 8,
	MOST = 1 << 26,
	OBJECT = 1, /* kinds of files: its sections are places already */
	ZEROS = 1,  /* kinds of sections: it has no bytes in the file */
	ZEROS_LARGE = 12,
	ZEROS_OWN = 18,
};

enum command {
	COMMAND_SYMBOLS = 2,
	COMMAND_INDICES = 11,
	COMMAND_SEGMENT = 25,
	COMMAND_INFO = 34,
	COMMAND_BEGINS = 40,
	COMMAND_EXPORTS = 51,
};

/* Commands whose third word is where bytes are. */
static const uint8_t blobs[] = { 29, 30, 38, 41, 43, 46, COMMAND_EXPORTS, 52 };

/* A segment: KEPT bytes of it from FROM on stand at TO of what is made. */
struct segment {
	uint64_t address, room;
	uint32_t at, size, from, kept, to;
};

struct opener {
	const uint8_t *bytes;
	uint32_t size, behind; /* behind: where the commands end */
	uint32_t n, end;       /* segments; bytes of what is made */
	struct segment segments[SEGMENTS_MOST];
	uint8_t *out;
};

static uint64_t get(const uint8_t *p, uint32_t width)
{
	uint64_t value = code_little(p);
	return width > 4 ? value | (uint64_t)code_little(p + 4) << 32 : value;
}

static uint32_t up(uint32_t n)
{
	return (n + ALIGNED - 1) / ALIGNED * ALIGNED;
}

static bool has_bytes(const uint8_t *section)
{
	return section[64] != ZEROS && section[64] != ZEROS_LARGE && section[64] != ZEROS_OWN &&
	       get(section + 48, 4);
}

/* The kind of the command at *AT, whose bytes are *LEN; 0: there is none more. */
static uint32_t next_command(const struct opener *o, uint32_t *at, uint32_t *len)
{
	*at += *len;
	*len = *at + 8 <= o->behind ? code_little(o->bytes + *at + 4) : 0;
	if (*len < 8 || *len > o->behind - *at)
		return 0;
	work_step(*len);
	return code_little(o->bytes + *at) & 0xffffff;
}

/* Sections of the segment whose command of LEN bytes is at P. */
static uint32_t sections(const uint8_t *p, uint32_t len)
{
	uint32_t n = code_little(p + 64);
	return n < (len - SEGMENT) / SECTION ? n : (len - SEGMENT) / SECTION;
}

/* Reads it and how much of it its sections have; false: it is damaged. */
static bool read_segment(struct opener *o, const uint8_t *p, uint32_t len)
{
	struct segment *s = &o->segments[o->n];
	if (len < SEGMENT || o->n == SEGMENTS_MOST || get(p + 40, 8) > o->size ||
	    get(p + 48, 8) > o->size - get(p + 40, 8))
		return false;
	*s = (struct segment){ .address = get(p + 24, 8), .room = get(p + 32, 8) };
	s->at = s->from = (uint32_t)get(p + 40, 8);
	s->size = s->kept = (uint32_t)get(p + 48, 8);
	uint32_t n = sections(p, len), first = s->size ? s->at + s->size : 0, end = s->at;
	for (const uint8_t *x = p + SEGMENT; s->size && n--; x += SECTION) {
		uint64_t at = get(x + 48, 4), size = get(x + 40, 8);
		if (!has_bytes(x))
			continue;
		if (at < s->at || at - s->at > s->size || size > s->size - (at - s->at))
			return false;
		first = at < first ? (uint32_t)at : first;
		end = at + size > end ? (uint32_t)(at + size) : end;
	}
	if (!s->at && s->size) { /* the commands are in it */
		s->from = first;
		s->kept = end > first ? end - first : 0;
		if (s->from < o->behind)
			return false;
	} else if (end > s->at) {
		s->kept = end - s->at;
	}
	o->n++;
	return true;
}

static bool read_segments(struct opener *o)
{
	uint32_t at = HEAD, len = 0, kind, left = COMMANDS_MOST;
	bool tight = true;
	if (o->size < HEAD || o->size > MOST || code_little(o->bytes) != 0xfeedfacf ||
	    code_little(o->bytes + 12) == OBJECT || code_little(o->bytes + 20) > o->size - HEAD)
		return false;
	o->behind = HEAD + code_little(o->bytes + 20);
	while ((kind = next_command(o, &at, &len)) && left--)
		if (kind == COMMAND_SEGMENT && !read_segment(o, o->bytes + at, len))
			return false;
	o->end = o->behind;
	for (uint32_t i = 0; i < o->n; i++) {
		struct segment *s = &o->segments[i];
		bool front = !s->at && s->size;
		tight &= !front || s->from == o->behind;
		s->to = front ? o->end : up(o->end);
		o->end = s->kept ? s->to + s->kept : o->end;
		if (o->end > o->size + ALIGNED * SEGMENTS_MOST) /* they overlap */
			return false;
	}
	return o->n && !tight;
}

/* Where what was at AT of the file is. */
static uint32_t moved(const struct opener *o, uint64_t at)
{
	uint32_t to = at < o->behind ? (uint32_t)at : o->end;
	for (uint32_t i = 0; i < o->n; i++) {
		const struct segment *s = &o->segments[i];
		if (s->kept && at >= s->from && at - s->from <= s->kept)
			to = s->to + (uint32_t)(at - s->from);
	}
	return to;
}

/* Where what was at ADDRESS is; at the end of its segment if that was not in the file. */
static uint32_t placed(const struct opener *o, uint64_t address)
{
	for (uint32_t i = 0; i < o->n; i++) {
		const struct segment *s = &o->segments[i];
		if (address < s->address || address - s->address >= s->room)
			continue;
		uint64_t at = s->at + (address - s->address);
		if (at < s->from)
			return at < o->behind ? (uint32_t)at : s->to;
		return s->to + (at - s->from < s->kept ? (uint32_t)(at - s->from) : s->kept);
	}
	return 0;
}

static void move(const struct opener *o, uint8_t *p)
{
	if (code_little(p))
		code_put(p, moved(o, code_little(p)), 4);
}

static void move_segment(const struct opener *o, uint8_t *p, uint32_t len, const struct segment *s)
{
	bool front = !s->at && s->size;
	uint32_t n = sections(p, len), size = front ? s->to + s->kept : s->kept;
	code_put(p + 24, front ? 0 : s->to, 8);
	code_put(p + 32, size, 8);
	code_put(p + 40, front ? 0 : s->to, 8);
	code_put(p + 48, size, 8);
	for (uint8_t *x = p + SEGMENT; n--; x += SECTION) {
		code_put(x + 32, placed(o, get(x + 32, 8)), 8);
		if (has_bytes(x))
			code_put(x + 48, moved(o, get(x + 48, 4)), 4);
		else
			code_put(x + 40, 0, 8);
	}
}

/* What symbols say, AT of what is made. */
static void move_symbols(const struct opener *o, uint32_t at, uint32_t n)
{
	for (; n-- && at + SYMBOL <= o->end; at += SYMBOL)
		if ((o->out[at + 4] & 0xee) == 0x0e) /* it is in a section */
			code_put(o->out + at + 8, placed(o, get(o->out + at + 8, 8)), 8);
}

/* As wide as it was. */
static void put_leb(uint8_t *p, uint32_t width, uint32_t value)
{
	for (uint32_t i = 0; i < width; i++, value >>= 7)
		p[i] = (uint8_t)((value & 0x7f) | (i + 1 < width ? 0x80 : 0));
}

/* Addresses of the names in the trie of SIZE bytes at AT of what is made. Its nodes are behind one
 * another: each is looked at once. */
static void move_exports(const struct opener *o, uint32_t at, uint32_t size)
{
	uint64_t base = 0, value, said;
	for (uint32_t i = o->n; i--;)
		base = !o->segments[i].at && o->segments[i].size ? o->segments[i].address : base;
	const uint8_t *end = o->out + at + size;
	for (uint8_t *p = o->out + at; p < end;) {
		uint32_t width = 0, flags = 0, wide = 0;
		if (!code_read(CODE_LEB, p, end, &width, &said) || said > (size_t)(end - p - width))
			return;
		uint8_t *in = p + width;
		if (said && code_read(CODE_LEB, in, in + said, &flags, &value) && value < 8 &&
		    code_read(CODE_LEB, in + flags, in + said, &wide, &value))
			put_leb(in + flags, wide, placed(o, base + value));
		p = in + said;
		uint32_t children = p < end ? *p++ : 0;
		for (; children-- && p < end; p += width) {
			const uint8_t *zero = memchr(p, 0, (size_t)(end - p));
			p = zero ? p + (zero - p) + 1 : p + (end - p);
			if (!code_read(CODE_LEB, p, end, &width, &value))
				return;
		}
	}
}

/* Is it in what is made? Then at *AT. */
static bool is_kept(const struct opener *o, uint64_t from, uint64_t size, uint32_t *at)
{
	*at = moved(o, from);
	return size && *at < o->end && size <= o->end - *at;
}

/* The command of LEN bytes at AT, which says where what is. */
static void move_command(const struct opener *o, uint32_t at, uint32_t len, uint32_t kind,
                         uint32_t *segment)
{
	uint8_t *p = o->out + at;
	uint32_t to;
	if (kind == COMMAND_SEGMENT)
		move_segment(o, p, len, &o->segments[(*segment)++]);
	else if (kind == COMMAND_BEGINS && len >= 16)
		code_put(p + 8, moved(o, get(p + 8, 8)), 8);
	for (uint32_t i = 32; kind == COMMAND_INDICES && i <= 72 && i + 8 <= len; i += 8)
		move(o, p + i);
	if (kind == COMMAND_SYMBOLS && len >= 24) {
		if (is_kept(o, get(p + 8, 4), get(p + 12, 4), &to))
			move_symbols(o, to, code_little(p + 12));
		move(o, p + 8);
		move(o, p + 16);
	}
	bool exports =
		(kind == COMMAND_INFO && len >= 48) || (kind == COMMAND_EXPORTS && len >= 16);
	uint32_t last = kind == COMMAND_INFO ? 40 : 8;
	if (exports && is_kept(o, get(p + last, 4), get(p + last + 4, 4), &to))
		move_exports(o, to, code_little(p + last + 4));
	for (uint32_t i = 8; kind == COMMAND_INFO && len >= 48 && i <= 40; i += 8)
		move(o, p + i);
	if (memchr(blobs, (int)kind, sizeof blobs) && kind < 256 && len >= 16)
		move(o, p + 8);
}

static uint8_t *open_one(const uint8_t *bytes, uint32_t size, uint32_t *len)
{
	struct opener o = { .bytes = bytes, .size = size };
	if (!read_segments(&o))
		return NULL;
	work_step(o.end);
	o.out = mem_zero(o.end, 1);
	memcpy(o.out, bytes, o.behind);
	for (uint32_t i = 0; i < o.n; i++)
		memcpy(o.out + o.segments[i].to, bytes + o.segments[i].from, o.segments[i].kept);
	uint32_t at = HEAD, n = 0, kind, segment = 0, left = COMMANDS_MOST;
	while ((kind = next_command(&o, &at, &n)) && left--)
		move_command(&o, at, n, kind, &segment);
	*len = o.end;
	return o.out;
}

/* One for several processors: each opened, and nothing between them. */
static uint8_t *open_all(const uint8_t *bytes, uint32_t size, uint32_t *len)
{
	struct buf out = { 0 };
	uint32_t n = size >= 8 ? code_big(bytes + 4) : 0, most = 8 + n * ROW;
	bool tight = true;
	if (!n || n > PROCESSORS_MOST || size < most || code_big(bytes) != 0xcafebabe)
		return NULL;
	buf_add(&out, bytes, most);
	for (uint32_t i = 0; i < n; i++) {
		const uint8_t *row = bytes + 8 + i * ROW;
		uint32_t at = code_big(row + 8), held = code_big(row + 12), to = (uint32_t)out.len;
		if (at < most || at > size || held > size - at || out.len > MOST) {
			buf_release(&out);
			return NULL;
		}
		MEM_SCOPED uint8_t *one = open_one(bytes + at, held, &held);
		tight &= at == to && !one && !code_big(row + 16);
		buf_add(&out, one ? one : bytes + at, held);
		for (uint32_t k = 0; k < 4; k++) {
			out.data[16 + i * ROW + k] = (char)(to >> 8 * (3 - k));
			out.data[20 + i * ROW + k] = (char)(held >> 8 * (3 - k));
			out.data[24 + i * ROW + k] = 0; /* it is aligned to one byte */
		}
	}
	*len = (uint32_t)out.len;
	if (!tight)
		return (uint8_t *)out.data;
	buf_release(&out);
	return NULL;
}

uint8_t *macho_open(const uint8_t *bytes, uint32_t size, uint32_t *len)
{
	uint8_t *one = open_one(bytes, size, len);
	return one ? one : open_all(bytes, size, len);
}
