/* Coded words: whatever is written as base64, hex digits or UTF-16 is found, read, and edited
 * through; what only looks like one is left alone. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "../rounds.h"
#include "base/buf.h"
#include "base/mem.h"
#include "base/rng.h"
#include "binary/anew.h"
#include "binary/database.h"
#include "binary/extfs.h"
#include "binary/inflate.h"
#include "binary/woff2.h"
#include "lang/coded.h"

enum { ROUNDS = 300, ROOM = 600 };

static uint32_t find(const char *text, uint32_t size, struct coded *first)
{
	struct coded_list found = { 0 };
	coded_find((const uint8_t *)text, 0, size, &found);
	uint32_t n = found.n;
	if (n)
		*first = found.list[0];
	coded_release(&found);
	return n;
}

static uint32_t find_text(const char *text)
{
	struct coded first;
	return find(text, (uint32_t)strlen(text), &first);
}

/* A way to write words, drawn. */
static struct coded draw_coding(struct rng *rng)
{
	static const char *const breaks[] = { "\n", "\r\n", "\\n", "\n    " };
	struct coded w = { .kind = (uint8_t)rng_below(rng, CODED_UTF16_BE + 1) };
	w.padded = w.kind == CODED_BASE64 || (w.kind == CODED_BASE64_URL && rng_below(rng, 2));
	if (w.kind < CODED_UTF16_LE && rng_below(rng, 2)) {
		const char *text = breaks[rng_below(rng, 4)];
		w.line = 64;
		w.n_break = (uint8_t)strlen(text);
		memcpy(w.line_break, text, w.n_break);
	}
	return w;
}

/* Text of SIZE bytes, of which the first are no digits in any coding. */
static void draw_text(struct rng *rng, uint8_t *out, uint32_t size)
{
	for (uint32_t i = 0; i < size; i++)
		out[i] = (uint8_t)("abcdefgh {}:,\"\n~"[rng_below(rng, 16)]);
	memcpy(out, "~~~ ~", 5);
}

/* What WORD says is cut from FROM to TO, and must be what the new word says. */
static void check_cut(const struct coded *word, const uint8_t *bytes, const uint8_t *data,
                      uint32_t from, uint32_t to)
{
	struct arena arena = { 0 };
	uint8_t rest[ROOM], again[ROOM];
	uint32_t n = word->size - (to - from), len;
	memcpy(rest, data, from);
	memcpy(rest + from, data + to, word->size - to);
	uint8_t *wanted = coded_write(word, rest, n, &arena, &len);
	struct edit edit = coded_edit(word, bytes, data, edit_cut(&arena, from, to), &arena);
	uint32_t at = word->begin, m = 0;
	uint8_t *now = arena_alloc(&arena, word->end + (size_t)len + 1);
	for (uint32_t i = 0; i < edit.n; i++) {
		memcpy(now + m, bytes + at, edit.parts[i].begin - at);
		m += edit.parts[i].begin - at;
		if (edit.parts[i].len)
			memcpy(now + m, edit.parts[i].text, edit.parts[i].len);
		m += edit.parts[i].len;
		at = edit.parts[i].end;
	}
	memcpy(now + m, bytes + at, word->end - at);
	m += word->end - at;
	assert_int_equal(m, len);
	assert_memory_equal(now, wanted, len);
	struct coded w = *word;
	w.begin = 0;
	w.end = len;
	coded_read(&w, wanted, again);
	assert_memory_equal(again, rest, n);
	arena_release(&arena);
}

static void what_is_written_is_found(void **state)
{
	(void)state;
	struct rng rng = { 5 };
	for (uint32_t round = 0; round < rounds(ROUNDS); round++) {
		struct arena arena = { 0 };
		struct coded w = draw_coding(&rng), found = { 0 };
		uint8_t data[ROOM], said[ROOM];
		uint32_t size = 60 + (uint32_t)rng_below(&rng, ROOM - 60), len;
		draw_text(&rng, data, size);
		uint8_t *word = coded_write(&w, data, size, &arena, &len);
		const char *mark = w.kind == CODED_UTF16_LE   ? "\xff\xfe"
		                   : w.kind == CODED_UTF16_BE ? "\xfe\xff"
		                                              : "x: \"";
		char *text = arena_alloc(&arena, len + (size_t)8);
		uint32_t front = (uint32_t)strlen(mark);
		memcpy(text, mark, front);
		memcpy(text + front, word, len);
		assert_int_equal(find(text, front + len, &found), 1);
		assert_int_equal(found.begin, front);
		assert_int_equal(found.end, front + len);
		assert_int_equal(found.size, size);
		coded_read(&found, (const uint8_t *)text, said);
		assert_memory_equal(said, data, size);
		uint32_t from = (uint32_t)rng_below(&rng, size);
		check_cut(&found, (const uint8_t *)text, data, from,
		          from + (uint32_t)rng_below(&rng, size - from + 1));
		arena_release(&arena);
	}
}

static void what_is_none_is_left_alone(void **state)
{
	(void)state;
	assert_int_equal(find_text("int characterization = internationalization;"), 0);
	assert_int_equal(find_text("usr/include/x86/linux/gnu/c++/12/bits/basic/string/h"), 0);
	assert_int_equal(find_text("ZNSt6vectorIiSaIiEE12ZNSt6vectorIiSaIiEE34"), 0);
	assert_int_equal(find_text("\"sha1-jRbXsfRYfkBxVfHDZwwQ8HkFHgo=\""), 0); /* a checksum */
	assert_int_equal(find_text("da39a3ee5e6b4b0d3255bfef95601890afd80709"), 0);
	assert_int_equal(find_text("1234567890123456789012345678901234567890"), 0);
	assert_int_equal(find_text("================================"), 0);
	assert_int_equal(find_text(""), 0);
}

/* The last line is a full one and has a padding, which no line break is in front of. */
static void padding_behind_a_full_line(void **state)
{
	(void)state;
	const char *line = "SGVsbG8gd29ybGQsIGhlbGxvIHdvcmxkLCBoZWxs"; /* of 40 */
	char text[100];
	int n = snprintf(text, sizeof text, "%s\n%s=", line, line);
	char *exact = mem_alloc((size_t)n); /* nothing behind it may be read */
	struct coded w;
	memcpy(exact, text, (size_t)n);
	for (int size = n - 1; size <= n; size++)
		find(exact, (uint32_t)size, &w);
	free(exact);
}

/* Lines that are no word together are looked at once each, not once for each line before them:
 * that would take hours here. */
static void many_equal_lines(void **state)
{
	(void)state;
	enum { LINES = 400000, LINE = 21 };
	char *text = mem_alloc(LINES * LINE + 1);
	for (uint32_t i = 0; i < LINES; i++)
		snprintf(text + i * LINE, LINE + 1, "abcdefghijkl%08u\n", i);
	assert_int_equal(find_text(text), 0);
	free(text);
}

/* Lone halves of a pair, and NUL, are no UTF-16. */
/* A stream of bzip2 is packed anew with what is left of what it holds. */
static void bzip2_is_packed_anew(void **state)
{
	struct coded word;
	uint8_t text[ROOM];
	uint32_t len;
	(void)state;
	if (!inflate_has(LAYER_BZIP2))
		skip();
	for (uint32_t i = 0; i < ROOM; i++)
		text[i] = (uint8_t)("held here, "[i % 11]);
	uint8_t *packed = inflate_pack(LAYER_BZIP2, text, ROOM, 9, &len);
	assert_int_equal(find((const char *)packed, len, &word), 1);
	assert_int_equal(word.kind, CODED_ANEW);
	assert_int_equal(word.size, ROOM);
	check_cut(&word, packed, text, 100, 500);
	assert_int_equal(find((const char *)packed, len - 1, &word), 0);
	free(packed);
}

/* The font of two tables, of SIZE bytes and of "kept", with sound sums; the caller's. */
static uint8_t *two_tables(uint32_t size, uint32_t *len)
{
	enum { HEAD = 12, ROW = 16 };
	BUF_SCOPED struct buf data = { 0 };
	struct sfnt_table tables[] = { { .tag = "text", .at = 0, .size = 4 },
		                       { .tag = "four", .at = 4, .size = size } };
	struct sfnt font = { .flavor = { 0, 1 }, .n = 2, .tables = tables };
	buf_addf(&data, "kept%*s", (int)size, "");
	font.data = (const uint8_t *)data.data;
	return sfnt_write(&font, len);
}

/* A font that is packed is made anew of what is left of its tables. */
static void packed_anew(const char *mark)
{
	enum { SIZE = 400, HALF = 200, LENGTH = 8, MIDDLE = 60 };
	struct coded word = { 0 };
	ARENA_SCOPED struct arena scratch = { 0 };
	uint32_t size, len, whole, rest;
	MEM_SCOPED uint8_t *font = two_tables(SIZE, &whole), *left = two_tables(HALF, &rest);
	uint8_t head[MIDDLE] = { 0 };
	memcpy(head, mark, strlen(mark));
	uint8_t kind = anew_kind(head, sizeof head + LENGTH);
	assert_true(kind < ANEW_KINDS);
	MEM_SCOPED uint8_t *made = anew_kinds[kind].make(font, whole, &size);
	assert_true(made && size < 200);
	assert_int_equal(find((const char *)made, size, &word), 1);
	assert_int_equal(word.size, whole);
	uint8_t *half = coded_write(&word, left, rest, &scratch, &len);
	MEM_SCOPED uint8_t *said = anew_kinds[kind].read(half, len, &size);
	assert_true(said && size == rest && !memcmp(said, left, size));
	size = word.end;
	made[LENGTH + 3]++; /* what it says of its length is wrong: it is made anew */
	MEM_SCOPED uint8_t *open = anew_open(made, size, false, &len);
	assert_true(open && anew_is_open(open, len));
	for (uint32_t i = 0; i < size;
	     i++) { /* damaged anywhere, it is read to no other's memory */
		made[i] ^= 0xff;
		free(anew_kinds[kind].read(made, size, &len));
		made[i] ^= 0xff;
	}
	assert_null(anew_kinds[kind].read(made, MIDDLE, &len));
	font[12 + 13] = 0xff; /* a table without its end */
	assert_null(anew_kinds[kind].make(font, whole, &len));
}

static void fonts_are_packed_anew(void **state)
{
	(void)state;
	packed_anew("wOFF");
	if (inflate_has(LAYER_BROTLI))
		packed_anew("wOF2");
}

/* What WOFF 2.0 packs in its own way: a triangle with one point of each width, a glyph without
 * outline, and one that is made of the triangle; widths whose left sides are those of the boxes. */
static void glyphs_are_made_plain(void **state)
{
	static const uint8_t packed[] = {
		0,    0,    0,         0,    0,    3,    0, 0, /* three glyphs, places of two bytes
		                                                */
		0,    0,    0,         6,    0,    0,    0, 1,  0, 0, 0, 3,
		0,    0,    0,         6, /* how long the parts are */
		0,    0,    0,         6,    0,    0,    0, 12, 0, 0, 0, 2, /* and the last three */
		0,    1,    0,         0,    0xff, 0xff,                    /* contours */
		3,    1,    0x80 | 11, 123,           /* points, and their flags */
		5,    7,    0x12,      0x34, 0x56, 2, /* where they are; how many instructions */
		0,    2,    0,         0,    3,    4, /* a component: the first, moved */
		0x20, 0,    0,         0,    0,    1,    0, 2,  0, 3, 0, 4, /* the last has a box */
		0xb0, 0x01,                                                 /* instructions */
	};
	static const uint8_t plain[] = {
		0,    1,    0, 0, 0, 5,    1, 0x2a, 4,    0x5b, 0, 2, 0, 2, 0xb0, 1, /* box, end */
		0x35, 0x32, 1, 7, 1, 0x23, 5, 4,    0x56, 0,    0, 0, /* flags, x, y, up to a word
		                                                       */
		0xff, 0xff, 0, 1, 0, 2,    0, 3,    0,    4,    0, 2, 0, 0, 3,    4,
	};
	static const uint8_t places[] = { 0, 0, 0, 14, 0, 14, 0, 22 };
	(void)state;
	for (uint32_t n = 0; n <= sizeof packed; n++) { /* all of it is needed */
		SCOPED(woff2_glyphs_release) struct woff2_glyphs g;
		MEM_SCOPED uint8_t *part = mem_dup(packed, n ? n : 1);
		bool whole = woff2_glyphs_read((struct sfnt_stream){ part, part + n, false }, &g);
		assert_int_equal(whole, n == sizeof packed);
		if (!whole)
			continue;
		assert_int_equal(g.n, 3);
		assert_int_equal(g.lefts[2], 1);
		assert_int_equal(g.glyf.len, sizeof plain);
		assert_memory_equal(g.glyf.data, plain, sizeof plain);
		assert_int_equal(g.loca.len, sizeof places);
		assert_memory_equal(g.loca.data, places, sizeof places);
	}
}

static const char sql[] =
	"CREATE TABLE t(a integer primary key,b text);\n"
	"INSERT INTO \"t\" VALUES(1,'it''s;\n');\n"
	"INSERT INTO \"t\" VALUES(2,'needle');\n"
	"CREATE TABLE u(x,y as (x+1)) strict;\n" /* not one of these: it fails */
	"CREATE TABLE \"a \"\" b\"(x,y as (x+1),z,primary key(z,x)) without rowid;\n"
	"INSERT INTO \"a \"\" b\"(\"x\",\"z\") VALUES(1.5,X'00FF');\n"
	"CREATE INDEX i on t(b);\n";

static uint8_t *make_sql(const char *text, uint32_t *size)
{
	return database_make((const uint8_t *)text, (uint32_t)strlen(text), size);
}

/* A database is made anew of what is left of its SQL, without what fails. */
static void database_is_made_anew(void **state)
{
	(void)state;
	struct coded word = { 0 };
	ARENA_SCOPED struct arena scratch = { 0 };
	uint32_t size, len;
	if (!database_has())
		skip();
	MEM_SCOPED uint8_t *made = make_sql(sql, &size);
	assert_non_null(made);
	assert_int_equal(size, 4 * 512);
	assert_null(anew_open(made, size, true, &len)); /* it is so already */
	assert_true(anew_is_open(made, size));
	assert_int_equal(find((const char *)made, size, &word), 1);
	assert_int_equal(word.kind, CODED_ANEW);
	MEM_SCOPED uint8_t *said = mem_zero(word.size + (size_t)1, 1);
	coded_read(&word, made, said);
	assert_null(strstr((char *)said, "strict"));
	assert_int_equal(strlen((char *)said),
	                 strlen(sql) - strlen("CREATE TABLE u(x,y as (x+1)) strict;\n"));
	/* without the table its rows and its index are nothing */
	struct edit cut = edit_replace(&scratch, 0, (uint32_t)strcspn(sql, "\n") + 1, NULL, 0);
	struct edit edit = coded_edit(&word, made, said, cut, &scratch);
	uint8_t *left = coded_edited(made, size, edit, &scratch, &len);
	assert_int_equal(len, 2 * 512);
	MEM_SCOPED uint8_t *rest = database_read(left, len, &size);
	assert_int_equal(strncmp((char *)rest, "CREATE TABLE \"a", 15), 0);
	/* what is no more what its SQL makes of it is opened */
	made[24] = 1;
	assert_false(anew_is_open(made, 4 * 512));
	MEM_SCOPED uint8_t *open = anew_open(made, 4 * 512, true, &len);
	assert_true(open && anew_is_open(open, len));
	memset(made + 512, 0xff, 512);
	assert_null(database_read(made, 4 * 512, &len));
}

/* Rows of a full-text index are in tables of its own, which it makes anew. */
static void full_text_is_made_anew(void **state)
{
	(void)state;
	static const char *const rows =
		"CREATE VIRTUAL TABLE f USING fts5(a,b);\n"
		"INSERT INTO \"f\"(\"a\",\"b\") VALUES('one','two words');\n"
		"INSERT INTO \"f\"(\"a\",\"b\") VALUES('three','four words');\n";
	uint32_t size = 0, len;
	MEM_SCOPED uint8_t *made = database_has() ? make_sql(rows, &size) : NULL;
	if (!made) /* SQLite was built without FTS5 */
		skip();
	MEM_SCOPED uint8_t *said = database_read(made, size, &len);
	assert_string_equal((char *)said, rows);
	assert_true(anew_is_open(made, size));
}

/* A text may do nothing beyond its database, and ends. */
static void sql_is_hostile(void **state)
{
	(void)state;
	uint32_t size, len;
	if (!database_has())
		skip();
	MEM_SCOPED uint8_t *made = make_sql(
		"ATTACH 'attached.db' AS o;\nVACUUM INTO 'vacuumed.db';\nPRAGMA journal_mode=wal;\n"
		"CREATE TABLE t(a);\nCOMMIT;\nSAVEPOINT s;\nINSERT INTO t "
		"VALUES(zeroblob(900000000));\n"
		"INSERT INTO t SELECT load_extension('x');\n",
		&size);
	assert_non_null(made);
	MEM_SCOPED uint8_t *said = database_read(made, size, &len);
	assert_string_equal((char *)said, "CREATE TABLE t(a);\n");
	assert_null(fopen("attached.db", "r"));
	assert_null(fopen("vacuumed.db", "r"));
	assert_null(make_sql("SELECT 1;\n", &size));
	assert_null(make_sql("CREATE TABLE t(a);\nINSERT INTO t WITH RECURSIVE c(x) AS"
	                     " (SELECT 1 UNION ALL SELECT x+1 FROM c) SELECT x FROM c;\n",
	                     &size));
}

enum { MAP_AT = 12 + 2 * 16 };

/* A font of a map of characters in format 4 or 12 and of no glyphs; *LEN bytes, the caller's. */
static uint8_t *make_mapped(const uint8_t *map, uint32_t n, uint32_t *len)
{
	struct sfnt_table tables[] = { { .tag = "cmap", .size = n }, { .tag = "glyf" } };
	struct sfnt font = { .flavor = { 0, 1 }, .data = map, .n = 2, .tables = tables };
	return sfnt_write(&font, len);
}

/* Each character gets a row, but those without a glyph; then there is nothing to open. */
static void characters_have_rows(void **state)
{
	(void)state;
	static const uint8_t small[] = {
		0, 0,    0,    1,    0,    3,    0,    1,    0, 0, 0, 12, /* one map */
		0, 4,    0,    44,   0,    0,    0,    6,    0, 4, 0, 1,
		0, 2,    0,    0x43, 0,    0x52, 0xff, 0xff, 0, 0,      /* to C, to R */
		0, 0x41, 0,    0x50, 0xff, 0xff,                        /* from A, from P */
		0, 0,    0xff, 0xb5, 0,    1,                           /* P is glyph 5 */
		0, 6,    0,    0,    0,    0,    0,    3,    0, 0, 0, 9 /* A is 3, C is 9 */
	};
	static const uint8_t rows[] = { 'A', 3, 'C', 9, 'P', 5, 'Q', 6, 'R', 7 };
	uint32_t len, size, again;
	MEM_SCOPED uint8_t *font = make_mapped(small, sizeof small, &len);
	MEM_SCOPED uint8_t *open = sfnt_open(font, len, &size);
	assert_non_null(open);
	assert_int_equal(size, MAP_AT + 12 + 16 + 5 * 12);
	for (uint32_t i = 0; i < 5; i++) {
		const uint8_t *row = open + MAP_AT + 12 + 16 + 12 * i;
		assert_int_equal(row[3], rows[2 * i]);
		assert_int_equal(row[7], rows[2 * i]);
		assert_int_equal(row[11], rows[2 * i + 1]);
	}
	assert_null(sfnt_open(open, size, &again));
	open[MAP_AT + 12 + 16 + 4 + 3] = 'B'; /* A to B */
	MEM_SCOPED uint8_t *more = sfnt_open(open, size, &again);
	assert_non_null(more);
	assert_int_equal(again, size + 12);
	struct rng rng = { 41 };
	for (uint32_t i = 0; i < rounds(20000); i++) {
		bool one = i & 1;
		uint32_t n = one ? len : size;
		MEM_SCOPED uint8_t *bytes = mem_dup(one ? font : open, n);
		for (uint32_t k = 0; k < 3; k++)
			bytes[MAP_AT + rng_below(&rng, n - MAP_AT)] =
				(uint8_t)(rng_next(&rng) & 0x8f);
		free(sfnt_open(bytes, n - (uint32_t)(i % 16 ? 0 : rng_below(&rng, n)), &again));
	}
}

/* A file of an archive: header, and content in blocks. */
static void add_file(struct buf *tar, char type, const char *name, const char *content)
{
	enum { BLOCK = 512 };
	char block[BLOCK] = { 0 };
	size_t n = strlen(content);
	memcpy(block, name, strlen(name));
	memcpy(block + 100, "0000644", 8);
	snprintf(block + 124, 12, "%07o", type == '2' ? 0 : (unsigned)n % (1 << 20));
	block[156] = type;
	memcpy(block + 257, "ustar  ", 8);
	if (type == '2')
		memcpy(block + 157, content, n);
	buf_add(tar, block, BLOCK);
	memset(block, 0, BLOCK);
	for (size_t at = 0; type != '2' && at < n; at += BLOCK) {
		memset(block, 0, BLOCK);
		memcpy(block, content + at, n - at < BLOCK ? n - at : BLOCK);
		buf_add(tar, block, BLOCK);
	}
}

static struct buf some_files(void)
{
	struct buf tar = { 0 };
	add_file(&tar, '5', "etc/", "");
	add_file(&tar, '5', "etc/app/", "");
	add_file(&tar, '0', "etc/app/net.conf", "needle\n");
	add_file(&tar, '2', "link", "etc/app");
	return tar;
}

/* An image is made anew of what is left of its files, without what cannot be. */
static void image_is_made_anew(void **state)
{
	(void)state;
	struct coded word = { 0 };
	BUF_SCOPED struct buf tar = some_files();
	ARENA_SCOPED struct arena scratch = { 0 };
	uint32_t size, len;
	if (!extfs_library())
		skip();
	add_file(&tar, '0', "link", "its name is taken");
	add_file(&tar, '0', "../..", "a name that is none");
	add_file(&tar, '1', "hard", "");
	MEM_SCOPED uint8_t *made = extfs_make((const uint8_t *)tar.data, (uint32_t)tar.len, &size);
	assert_non_null(made);
	/* boot, super, groups, two bitmaps, 16 inodes, three directories, the file */
	assert_int_equal(size, 11 * 1024);
	assert_true(anew_is_open(made, size));
	assert_null(anew_open(made, size, true, &len));
	assert_int_equal(find((const char *)made, size, &word), 1);
	assert_int_equal(word.kind, CODED_ANEW);
	MEM_SCOPED uint8_t *said = mem_zero(word.size + (size_t)1, 1);
	coded_read(&word, made, said);
	assert_int_equal(word.size, (4 + 1 + 2) * 512);
	assert_string_equal((char *)said + 1024, "etc/app/net.conf");
	assert_string_equal((char *)said + 1536, "needle\n");
	/* without their directories files are in what is left of their paths */
	struct edit cut = edit_replace(&scratch, 0, 1024, NULL, 0);
	struct edit edit = coded_edit(&word, made, said, cut, &scratch);
	uint8_t *left = coded_edited(made, size, edit, &scratch, &len);
	assert_int_equal(len, 9 * 1024);
	MEM_SCOPED uint8_t *rest = extfs_read(left, len, &size);
	assert_string_equal((char *)rest, "net.conf");
	/* what is no more what its files make of it is opened */
	made[0] = 1;
	size = word.end;
	assert_false(anew_is_open(made, size));
	MEM_SCOPED uint8_t *open = anew_open(made, size, true, &len);
	assert_true(open && anew_is_open(open, len));
	memset(made + 7 * 1024, 0xff, 1024);
	assert_null(extfs_read(made, size, &len));
}

/* Block size and features are those of the original where something needs them. */
static void images_keep_what_is_set(void **state)
{
	(void)state;
	BUF_SCOPED struct buf tar = { 0 };
	BUF_SCOPED struct buf files = some_files();
	uint32_t size, len;
	if (!extfs_library())
		skip();
	add_file(&tar, 'g', "block_size=4096", "");
	add_file(&tar, 'g', "feature=38", "");
	add_file(&tar, 'g', "feature=47", "");
	add_file(&tar, 'g', "feature=74", "");
	add_file(&tar, 'g', "feature=7", "");
	buf_add(&tar, files.data, files.len);
	assert_int_equal(extfs_settings((const uint8_t *)tar.data, (uint32_t)tar.len), 5 * 512);
	MEM_SCOPED uint8_t *made = extfs_make((const uint8_t *)tar.data, (uint32_t)tar.len, &size);
	assert_non_null(made);
	assert_int_equal(size, 6 * 4096); /* of files nothing but their inodes */
	assert_true(anew_is_open(made, size));
	MEM_SCOPED uint8_t *said = extfs_read(made, size, &len);
	assert_int_equal(extfs_settings(said, len), 5 * 512); /* inodes with room for data, too */
	MEM_SCOPED uint8_t *usual = anew_open(made, size, true, &len);
	assert_non_null(usual);
	assert_int_equal(len, 11 * 1024);
	made[1024 + 120]++; /* its sum is wrong */
	assert_null(extfs_read(made, size, &len));
}

/* Of damaged ones nothing is made but sound ones. */
static void images_are_hostile(void **state)
{
	(void)state;
	struct rng rng = { 17 };
	BUF_SCOPED struct buf tar = some_files();
	uint32_t size, len;
	if (!extfs_library())
		skip();
	MEM_SCOPED uint8_t *made = extfs_make((const uint8_t *)tar.data, (uint32_t)tar.len, &size);
	for (int i = 0; i < ROUNDS; i++) {
		MEM_SCOPED uint8_t *bad = mem_dup(made, size);
		for (uint32_t k = 0; k < 1 + rng_below(&rng, 8); k++)
			bad[1024 + rng_below(&rng, size - 1024)] = (uint8_t)rng_below(&rng, 256);
		MEM_SCOPED uint8_t *open = anew_open(bad, size, false, &len);
		assert_true(!open || anew_is_open(open, len));
		MEM_SCOPED char *less = mem_dup(tar.data, tar.len);
		for (uint32_t k = 0; k < 1 + rng_below(&rng, 8); k++)
			less[rng_below(&rng, (uint32_t)tar.len)] = (char)rng_below(&rng, 256);
		MEM_SCOPED uint8_t *other = extfs_make(
			(const uint8_t *)less, (uint32_t)(tar.len - rng_below(&rng, 700)), &len);
		assert_true(other && anew_is_open(other, len));
	}
}

static void broken_utf16_is_none(void **state)
{
	(void)state;
	struct coded w;
	assert_int_equal(find("\xff\xfe"
	                      "a\0\x00\xd8"
	                      "b",
	                      8, &w),
	                 0);
	assert_int_equal(find("\xff\xfe"
	                      "a\0\x00\x00",
	                      6, &w),
	                 0);
	assert_int_equal(find("\xff\xfe\x3d\xd8\x00\xde", 6, &w), 1);
	assert_int_equal(w.size, 4);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(what_is_written_is_found),
		cmocka_unit_test(what_is_none_is_left_alone),
		cmocka_unit_test(padding_behind_a_full_line),
		cmocka_unit_test(many_equal_lines),
		cmocka_unit_test(bzip2_is_packed_anew),
		cmocka_unit_test(fonts_are_packed_anew),
		cmocka_unit_test(glyphs_are_made_plain),
		cmocka_unit_test(database_is_made_anew),
		cmocka_unit_test(full_text_is_made_anew),
		cmocka_unit_test(characters_have_rows),
		cmocka_unit_test(sql_is_hostile),
		cmocka_unit_test(image_is_made_anew),
		cmocka_unit_test(images_keep_what_is_set),
		cmocka_unit_test(images_are_hostile),
		cmocka_unit_test(broken_utf16_is_none),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
