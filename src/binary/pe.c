#include "binary/pe.h"

#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "base/work.h"
#include "binary/codes.h"
#include "binary/sums.h"

enum {
	DOS = 64, /* bytes of what is in front, the last four of which say where the rest is */
	SIGNATURE = 4,
	HEAD = 20,
	SECTION = 40,
	DIRECTORIES = 2, /* exports, imports */
	SECTIONS_MOST = 96,
	UNIT = 16,  /* of which all is a multiple, the least that is allowed */
	SPARE = 24, /* zeros at the end of a section that may end a list there */
	PAGE = 4096,
	MOVES = 0x60, /* flags: it may be anywhere in memory, for which it had a table */
	MOST = 1 << 26,
};

struct section {
	uint32_t address, room, at, size, to;
	const uint8_t *row;
};

struct opener {
	const uint8_t *bytes;
	uint32_t size, head, optional; /* where these are */
	bool wide;
	uint32_t n, n_held, begin, end; /* sections, those of any bytes; where these are in OUT */
	struct section sections[SECTIONS_MOST];
	uint8_t *out;
};

static uint32_t up(uint32_t n)
{
	return (n + UNIT - 1) / UNIT * UNIT;
}

static uint32_t half(const uint8_t *p)
{
	return (uint32_t)(p[0] | p[1] << 8);
}

/* Bytes of the optional header but for the directories. */
static uint32_t plain(const struct opener *p)
{
	return p->wide ? 112 : 96;
}

/* The section in the row at ROW; false: it is not in the file. */
static bool read_section(struct opener *p, const uint8_t *row, struct section *s)
{
	s->room = code_little(row + 8);
	s->address = code_little(row + 12);
	s->size = code_little(row + 16);
	s->at = code_little(row + 20);
	s->row = row;
	if (s->size && (s->at > p->size || s->size > p->size - s->at))
		return false;
	uint32_t zeros = 0;
	if (s->room && s->room < s->size)
		s->size = s->room;
	while (zeros < s->size && !p->bytes[s->at + s->size - 1 - zeros])
		zeros++;
	s->size -= zeros > SPARE ? zeros - SPARE : 0;
	p->n_held += s->size > 0;
	return true;
}

static bool read_all(struct opener *p)
{
	p->head = p->size > DOS && p->bytes[0] == 'M' && p->bytes[1] == 'Z'
	                  ? code_little(p->bytes + DOS - 4)
	                  : UINT32_MAX;
	p->optional = p->head + SIGNATURE + HEAD;
	if (p->head > MOST || p->optional + 112 > p->size ||
	    memcmp(p->bytes + p->head, "PE\0\0", SIGNATURE) != 0)
		return false;
	const uint8_t *head = p->bytes + p->head + SIGNATURE, *optional = p->bytes + p->optional;
	uint32_t n = half(head + 2), rows = p->optional + half(head + 16);
	p->wide = half(optional) == 0x20b;
	if ((!p->wide && half(optional) != 0x10b) || !n || n > SECTIONS_MOST ||
	    rows + n * SECTION > p->size || code_little(optional + 32) < PAGE ||
	    code_little(optional + plain(p) - 4) < DIRECTORIES ||
	    half(head + 16) < plain(p) + 8 * DIRECTORIES)
		return false;
	for (; p->n < n; p->n++)
		if (!read_section(p, p->bytes + rows + p->n * SECTION, &p->sections[p->n]))
			return false;
	p->begin = p->end =
		up(DOS + SIGNATURE + HEAD + plain(p) + 8 * DIRECTORIES + p->n_held * SECTION);
	for (uint32_t i = 0; i < n; i++) {
		p->sections[i].to = p->end;
		p->end += up(p->sections[i].size);
		if (p->end > MOST)
			return false;
	}
	return p->n_held;
}

/* Where what was at ADDRESS is. */
static uint32_t moved(const struct opener *p, uint32_t address)
{
	for (uint32_t i = 0; i < p->n; i++) {
		const struct section *s = &p->sections[i];
		uint32_t in = address - s->address;
		if (address >= s->address && in <= (s->room > s->size ? s->room : s->size))
			return s->to + (in < s->size ? in : s->size);
	}
	return address;
}

/* Are there N bytes from AT on of what sections hold? */
static bool has(const struct opener *p, uint32_t at, uint32_t n)
{
	return at >= p->begin && at <= p->end && n <= p->end - at;
}

/* The address at AT of what is made, if it is one, is where that is; returns it. */
static uint32_t move(struct opener *p, uint32_t at)
{
	if (!has(p, at, 4) || !code_little(p->out + at))
		return 0;
	uint32_t to = moved(p, code_little(p->out + at));
	code_put(p->out + at, to, 4);
	return to;
}

static void move_list(struct opener *p, uint32_t at, uint32_t n)
{
	for (uint32_t i = 0; i < n && has(p, at + 4 * i, 4); i++)
		move(p, at + 4 * i);
}

static void move_exports(struct opener *p, uint32_t at)
{
	if (!has(p, at, 40))
		return;
	uint32_t functions = code_little(p->out + at + 20), names = code_little(p->out + at + 24);
	move(p, at + 12);
	move_list(p, move(p, at + 28), functions);
	move_list(p, move(p, at + 32), names);
	move(p, at + 36);
}

/* Names of what is imported, to which the numbers from AT on point, up to zero. */
static void move_names(struct opener *p, uint32_t at, uint32_t *left)
{
	uint32_t width = p->wide ? 8 : 4;
	for (; has(p, at, width) && *left; at += width, --*left)
		if (p->out[at + width - 1] & 0x80)
			continue; /* by its number */
		else if (!move(p, at))
			return;
}

/* Returns how many bytes the rows take, with one of zeros at their end. */
static uint32_t move_imports(struct opener *p, uint32_t at)
{
	enum { ROW = 20 };
	uint32_t left = p->end; /* names, of which no list has more */
	uint32_t begin = at;
	for (; has(p, at, ROW) && left; at += ROW, left--) {
		if (!move(p, at + 12))
			return at + ROW - begin;
		uint32_t names = move(p, at), addresses = move(p, at + 16);
		move_names(p, names, &left);
		if (addresses != names)
			move_names(p, addresses, &left);
	}
	return at - begin;
}

static void put_heads(struct opener *p)
{
	uint8_t *head = p->out + DOS + SIGNATURE, *optional = head + HEAD;
	uint8_t *row = optional + plain(p) + 8 * DIRECTORIES;
	memcpy(p->out, "MZ", 2);
	code_put(p->out + DOS - 4, DOS, 4);
	memcpy(p->out + DOS, p->bytes + p->head, SIGNATURE + HEAD);
	code_put(head + 2, p->n_held, 2);
	code_put(head + 8, 0, 4); /* symbols */
	code_put(head + 12, 0, 4);
	code_put(head + 16, plain(p) + 8 * DIRECTORIES, 2);
	memcpy(optional, p->bytes + p->optional, plain(p) + 8 * DIRECTORIES);
	code_put(optional + 32, UNIT, 4);
	code_put(optional + 36, UNIT, 4);
	code_put(optional + 56, p->end, 4);
	code_put(optional + 60, p->begin, 4);
	code_put(optional + 70, half(optional + 70) & ~(uint32_t)MOVES, 2);
	code_put(optional + plain(p) - 4, DIRECTORIES, 4);
	if (code_little(optional +
	                16)) /* code is not adjusted: where it begins says nothing any more */
		code_put(optional + 16, p->begin, 4);
	for (uint32_t i = 0; i < DIRECTORIES; i++) {
		uint8_t *at = optional + plain(p) + 8 * i;
		code_put(at, code_little(at) ? moved(p, code_little(at)) : 0, 4);
	}
	for (uint32_t i = 0; i < p->n; i++) {
		const struct section *s = &p->sections[i];
		if (!s->size)
			continue;
		memcpy(row, s->row, 8);
		code_put(row + 8, s->size, 4);
		code_put(row + 12, s->to, 4);
		code_put(row + 16, up(s->size), 4);
		code_put(row + 20, s->to, 4);
		code_put(row + 36, code_little(s->row + 36), 4);
		row += SECTION;
	}
}

uint8_t *pe_open(const uint8_t *bytes, uint32_t size, uint32_t *len)
{
	struct opener p = { .bytes = bytes, .size = size };
	if (!read_all(&p))
		return NULL;
	work_step(p.end);
	p.out = mem_zero(p.end, 1);
	put_heads(&p);
	for (uint32_t i = 0; i < p.n; i++)
		if (p.sections[i].size)
			memcpy(p.out + p.sections[i].to, bytes + p.sections[i].at,
			       p.sections[i].size);
	uint8_t *optional = p.out + DOS + SIGNATURE + HEAD;
	move_exports(&p, code_little(optional + plain(&p)));
	/* some linkers count all of the section that the rows are in */
	uint32_t rows = move_imports(&p, code_little(optional + plain(&p) + 8));
	code_put(optional + plain(&p) + 12, rows, 4);
	code_put(optional + 64, 0, 4);
	code_put(optional + 64, sum_bytes(SUM_PE, p.out, p.end), 4);
	*len = p.end;
	return p.out;
}
