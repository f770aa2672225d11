/* Numbers and names of ELF that its reader and its maker share (linked.h). */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include "base/buf.h"

enum {
	ELF_IDENT = 16,
	ELF_MOST = 1 << 21, /* bytes of a file: as lines it is some five times as large */
	ELF_ENTRIES_MOST = 1 << 10,
	ELF_SEGMENTS_MOST = 1 << 8,
	ELF_ALIGN = 16, /* of what is behind the tables */
	TYPE_PROGRAM = 2,
	TYPE_LIBRARY = 3,
	SEGMENT_LOAD = 1,
	SEGMENT_DYNAMIC = 2,
	SEGMENT_HEADS = 6,
	SECTION_ABSOLUTE = 0xfff1,
	SYMBOL_THREAD = 6, /* its address counts from where what each thread has begins */
};

/* Entries of the dynamic segment that are about tables. */
enum tag {
	TAG_NEEDED = 1,
	TAG_LAZY_SIZE = 2,
	TAG_GOT = 3,
	TAG_HASH = 4,
	TAG_STRINGS = 5,
	TAG_SYMBOLS = 6,
	TAG_RELA = 7, /* its size, and that of one */
	TAG_STRINGS_SIZE = 10,
	TAG_SYMBOL_SIZE = 11,
	TAG_INIT = 12,
	TAG_FINI = 13,
	TAG_NAME = 14,
	TAG_PATH = 15,
	TAG_OWN_FIRST = 16,
	TAG_REL = 17, /* its size, and that of one */
	TAG_LAZY_KIND = 20,
	TAG_DEBUG = 21,
	TAG_TEXT_CHANGES = 22,
	TAG_LAZY = 23,
	TAG_NOW = 24,
	TAG_INIT_LIST = 25, /* their sizes have numbers two larger */
	TAG_FINI_LIST = 26,
	TAG_RUN_PATH = 29,
	TAG_FLAGS = 30,
	TAG_FIRST_LIST = 32, /* its size has the next one */
	TAG_RELR = 36,       /* relocations in another form */
	TAG_GNU_HASH = 0x6ffffef5,
	TAG_MORE_FLAGS = 0x6ffffffb,
};

/* How an entry is said that is no table: by the first letter of its word, 0: not at all. */
static inline char entry_word(uint64_t tag)
{
	switch (tag) {
	case TAG_NEEDED:
	case TAG_NAME:
	case TAG_PATH:
	case TAG_RUN_PATH:
		return 't';
	case TAG_INIT_LIST:
	case TAG_FINI_LIST:
	case TAG_FIRST_LIST:
		return 'r';
	case TAG_GOT:
	case TAG_INIT:
	case TAG_FINI:
		return 'a';
	case TAG_OWN_FIRST:
	case TAG_DEBUG:
	case TAG_TEXT_CHANGES:
	case TAG_NOW:
	case TAG_FLAGS:
	case TAG_MORE_FLAGS:
		return 'v';
	default:
		return 0;
	}
}

/* The one that says how long a range is. */
static inline uint64_t entry_size_tag(uint64_t tag)
{
	return tag == TAG_FIRST_LIST ? tag + 1 : tag + 2;
}

/* How wide numbers are, and in which order; where parts of rows are. */
struct form {
	bool wide, big;
};

static inline uint32_t form_word(struct form f)
{
	return f.wide ? 8 : 4;
}

static inline uint32_t form_head(struct form f)
{
	return f.wide ? 64 : 52;
}

static inline uint32_t form_segment(struct form f)
{
	return f.wide ? 56 : 32;
}

static inline uint32_t form_symbol(struct form f)
{
	return f.wide ? 24 : 16;
}

static inline uint32_t form_hash_of_gnu(const char *name)
{
	uint32_t hash = 5381;
	for (; *name; name++)
		hash = hash * 33 + (uint8_t)*name;
	return hash;
}

/* What lines say of which only what is sound is kept, and where that is put. */

enum { NOT_SAID = UINT32_MAX /* in what was read: there are no bytes of it, but zeros */ };

/* Bytes in memory. */
struct piece {
	uint64_t at, size, to;
	uint32_t access, data;
};

/* Pieces near one another. */
struct load {
	uint64_t at, size, room, offset;
	uint32_t access;
};

struct symbol {
	const char *name;
	uint64_t value, size;
	uint32_t info, other, section, at; /* of its name, in the strings */
};

struct relocation {
	uint64_t address, addend;
	uint32_t type, symbol;
};

/* Entries and segments as they are said. */
struct row {
	uint64_t n[6];
	const char *text;
};

struct head {
	struct form form;
	uint32_t system, type, machine, flags, access;
	uint64_t entry;
	bool own, fixed, hash, gnu_hash;
};

struct tables {
	uint32_t n_entries, n_segments, n_symbols, n_relocations;
	size_t cap_entries, cap_segments, cap_symbols, cap_relocations;
	struct row *entries, *segments;
	struct symbol *symbols; /* the first is none */
	struct relocation *relocations;
	uint32_t n_plain; /* symbols that tables of GNU's hashes do not have, in front */
};

/* Where the tables are in the file, and where all of them end. */
struct places {
	uint32_t dynamic, symbols, relocations, gnu, hash, names, end;
};

struct linked {
	char *text; /* what is said, in which the names are */
	struct head head;
	struct tables t;
	struct piece *pieces;
	struct load *loads;
	uint32_t n_pieces, n_loads;
	size_t cap_pieces, cap_loads;
	struct buf data, strings, out;
	uint64_t base, shift, end; /* of the addresses of the tables; of all */
	struct places place;
};

/* Reads the lines; false: they do not say what the file is. M, which was zero, is released in both
 * cases, but for what is made in it. */
bool linked_parse(struct linked *m, const uint8_t *said, uint32_t len);
void linked_release(struct linked *m);

/* The piece in which the address is, or at whose end; else the next one, n_pieces: there is none.
 */
uint32_t linked_piece(const struct linked *m, uint64_t address);

/* Are there bytes, or zeros, in all of the SIZE bytes? */
bool linked_says(const struct linked *m, uint64_t address, uint64_t size);
