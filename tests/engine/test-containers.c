/* Containers of which each third member is needed, so that no four of them in a row can go:
 * counted, chained, nested, indexed, in text and binary. A strict reader refuses what is not just
 * as it says. What is left is what is needed, after few answers. */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/buf.h"
#include "base/err.h"
#include "base/rng.h"
#include "binary/sums.h"
#include "lang/tokenizer.h"
#include "reduce/driver.h"
#include "reduce/passes.h"
#include "../rounds.h"
#include "../run/inproc.h"

/* How a number is written. */
enum writing { NONE, DEC, ZEROS, HEX, U8, LE16, BE16, LE32, BE32, VARINT, CODES };

/* 80 bytes. */
#define TITLE "made by hand: a title of eighty bytes, as meshes have it, in front of the number"

/* What a member is: a line; bytes of a given width; bytes behind their length; text to a zero;
 * bytes behind their length behind a name behind its own; between length and bytes a name up to a
 * zero; a name and bytes behind the lengths of both. */
enum shape {
	LINE,
	PAIR,
	FIXED4,
	FIXED12,
	LEN8,
	LEN16LE,
	LEN16BE,
	LEN32LE,
	LEN32BE,
	STRING,
	NAMED,
	BETWEEN,
	SAID
};

enum more {
	SIZE = 1,    /* how many bytes all members have, behind the count */
	SUM = 2,     /* a CRC-32 of the members behind them */
	INDEX = 4,   /* in front of the members where each begins, from the first one on */
	BEHIND = 8,  /* the count is behind the members */
	TWICE = 16,  /* two lists, each with its count in the header */
	ASIDE = 32,  /* two lists, one count: each member has one part in both */
	GROUPS = 64, /* groups of members with counts of their own; the count is of all members */
	NESTED =
		128, /* the length of all is in front of the count, and some more bytes behind it */
	LESS = 256,  /* the count is of all but one */
	LARGE = 512, /* two members of many equal bytes */
};

enum { MUCH = 20000 };

struct form {
	const char *name, *head; /* HEAD: in front of all, also of the count */
	enum writing count;
	enum shape shape;
	unsigned more;
	uint32_t least, most; /* members with which it is told from chance; 0: any number */
};

static const struct form forms[] = {
	{ "lines", "", DEC, LINE, 0, 0, 0 },
	{ "lines, word", "p list 7 ", DEC, LINE, 0, 0, 0 },
	{ "lines, key", "items: ", DEC, LINE, 0, 0, 0 },
	{ "lines, header", "format x\nversion 2\nmembers ", DEC, LINE, 0, 0, 0 },
	{ "lines, zeros", "", ZEROS, LINE, 0, 0, 0 },
	{ "lines, hex", "", HEX, LINE, 0, 100, 0 },
	{ "lines, behind", "list\n", DEC, LINE, BEHIND, 0, 0 },
	{ "lines, word, behind", "# total below\n", DEC, LINE, BEHIND, 0, 0 },
	{ "lines, less", "last ", DEC, LINE, LESS, 0, 0 },
	{ "lines, two lists", "", DEC, LINE, TWICE, 30, 0 },
	{ "lines, one for two lists", "", DEC, LINE, ASIDE, 0, 100 },
	{ "lines, size", "", DEC, LINE, SIZE, 0, 0 },
	{ "pairs of lines", "", DEC, PAIR, 0, 0, 0 },
	{ "lines, no count", "", NONE, LINE, 0, 0, 0 },
	{ "len8", "BIN1", NONE, LEN8, 0, 0, 0 },
	{ "len16le", "BIN1", NONE, LEN16LE, 0, 0, 0 },
	{ "len16be", "BIN1", NONE, LEN16BE, 0, 0, 0 },
	{ "len32le", "BIN1", NONE, LEN32LE, 0, 0, 0 },
	{ "len32be", "BIN1", NONE, LEN32BE, 0, 0, 0 },
	{ "u8 len8", "BIN1", U8, LEN8, 0, 0, 100 },
	{ "le16 len8", "BIN1", LE16, LEN8, 0, 0, 0 },
	{ "be16 len8", "BIN1", BE16, LEN8, 0, 0, 0 },
	{ "le32 len16le", "BIN1", LE32, LEN16LE, 0, 0, 0 },
	{ "be32 len16be", "BIN1", BE32, LEN16BE, 0, 0, 0 },
	{ "varint len16be", "BIN1", VARINT, LEN16BE, 0, 0, 0 },
	{ "le32 len32le", "BIN1", LE32, LEN32LE, 0, 0, 0 },
	{ "be32 len32be", "BIN1", BE32, LEN32BE, 0, 0, 0 },
	{ "len32le large", "BIN1", NONE, LEN32LE, LARGE, 0, 100 },
	{ "be32 len32be large", "BIN1", BE32, LEN32BE, LARGE, 0, 100 },
	{ "le16 len8 behind", "BIN1", LE16, LEN8, BEHIND, 0, 0 },
	{ "be32 len16be behind", "BIN1", BE32, LEN16BE, BEHIND, 0, 0 },
	{ "be32 len16be sum", "BIN1", BE32, LEN16BE, SUM, 0, 0 },
	{ "le16 len16le nested", "BIN1", LE16, LEN16LE, NESTED, 0, 0 },
	{ "be32 len32be nested", "BIN1", BE32, LEN32BE, NESTED, 30, 0 },
	{ "le16 fixed4", "BIN1", LE16, FIXED4, 0, 0, 0 },
	{ "be16 fixed12", "BIN1", BE16, FIXED12, 0, 0, 0 },
	{ "le32 fixed12", "BIN1", LE32, FIXED12, 0, 0, 0 },
	{ "le32 fixed12, title", TITLE, LE32, FIXED12, 0, 0, 0 },
	{ "le32 fixed12 behind", "BIN1", LE32, FIXED12, BEHIND, 0, 0 },
	{ "le32 string", "BIN1", LE32, STRING, 0, 0, 0 },
	{ "be16 string", "BIN1", BE16, STRING, 0, 0, 0 },
	{ "lines, long header", "a\nb\nc\nd 5\ne\n\nrows = ", DEC, LINE, 0, 0, 0 },
	{ "le32 len8 behind", "BIN1", LE32, LEN8, BEHIND, 0, 0 },
	{ "le32 len16le nested", "BIN1", LE32, LEN16LE, NESTED, 0, 0 },
	{ "be32 fixed12", "ROWS", BE32, FIXED12, 0, 0, 0 },
	{ "be32 string", "TEXT", BE32, STRING, 0, 0, 0 },
	{ "le16 string behind", "TEXT", LE16, STRING, BEHIND, 0, 30 },
	{ "be16 fixed4 behind", "BIN1", BE16, FIXED4, BEHIND, 0, 0 },
	{ "le32 fixed12 behind long", "BIN1\1\2\3\4", LE32, FIXED12, BEHIND, 0, 0 },
	{ "lines, word and size", "bytes ", DEC, LINE, SIZE, 0, 0 },
	{ "varint len8", "BIN1", VARINT, LEN8, 0, 0, 0 },
	{ "lines, groups", "all ", DEC, LINE, GROUPS, 0, 0 },
	{ "le32 len8 index", "BIN1", LE32, LEN8, INDEX, 0, 0 },
	{ "be32 string index", "BIN1", BE32, STRING, INDEX, 0, 0 },
	{ "le32 len16le, two lists", "BIN1", LE32, LEN16LE, TWICE, 0, 0 },
	{ "be16 string, two lists", "BIN1", BE16, STRING, TWICE, 0, 0 },
	{ "le32 len8 size", "BIN1", LE32, LEN8, SIZE, 0, 0 },
	{ "be32 fixed12 sum", "BIN1", BE32, FIXED12, SUM, 0, 0 },
	{ "le32 string sum", "BIN1", LE32, STRING, SUM, 0, 0 },
	{ "le32 string size", "BIN1", LE32, STRING, SIZE, 0, 0 },
	{ "named", "BIN1", NONE, NAMED, 0, 10, 0 },
	{ "be16 named", "BIN1", BE16, NAMED, 0, 10, 0 },
	{ "le32 between", "BIN1", LE32, BETWEEN, 0, 30, 0 },
	{ "le16 said", "BIN1", LE16, SAID, 0, 30, 0 },
};

/* ---- writing ---- */

static void put(struct buf *out, uint32_t n, unsigned width, bool big)
{
	for (unsigned i = 0; i < width; i++)
		buf_addch(out, (char)(n >> 8 * (big ? width - 1 - i : i)));
}

static void put_number(struct buf *out, enum writing code, uint32_t n)
{
	switch (code) {
	case DEC:
		buf_addf(out, "%u\n", n);
		break;
	case ZEROS:
		buf_addf(out, "%08u\n", n);
		break;
	case HEX:
		buf_addf(out, "%x\n", n);
		break;
	case U8:
		put(out, n, 1, false);
		break;
	case LE16:
	case BE16:
		put(out, n, 2, code == BE16);
		break;
	case LE32:
	case BE32:
		put(out, n, 4, code == BE32);
		break;
	case VARINT:
		for (; n > 127; n >>= 7)
			buf_addch(out, (char)(n | 128));
		buf_addch(out, (char)n);
		break;
	default:
		break;
	}
}

/* Member I; each third one is needed. */
static void put_member(struct buf *out, enum shape shape, uint32_t i, struct rng *rng)
{
	const char *word = i % 3 ? "junk" : "need";
	uint32_t n = 5 + (uint32_t)rng_below(rng, 19);
	uint32_t name = 3 + i * 7 % 5;
	bool big = shape == LEN16BE || shape == LEN32BE;
	if (shape == NAMED)
		buf_addf(out, "%c%.*s", (char)name, (int)name, "archive");
	if (shape == SAID)
		put(out, name, 2, false);
	if (shape == NAMED || shape == SAID)
		put(out, n, 2, false);
	if (shape == BETWEEN) {
		put(out, n, 4, false);
		buf_add(out, "archive", name);
		buf_addch(out, 0);
	}
	if (shape == SAID)
		buf_add(out, "archive", name);
	if (shape == LINE || shape == PAIR)
		buf_addf(out, "%s %u\n", word, i);
	if (shape == PAIR)
		buf_addf(out, "of %u\n", 7 * i % 100);
	if (shape == LEN8)
		put(out, n, 1, big);
	if (shape == LEN16LE || shape == LEN16BE)
		put(out, n, 2, big);
	if (shape == LEN32LE || shape == LEN32BE)
		put(out, n, 4, big);
	if (shape == FIXED4)
		n = 4;
	if (shape == FIXED12)
		n = 12;
	if (shape >= FIXED4) {
		buf_add(out, word, 4);
		for (uint32_t k = 4; k < n; k++)
			buf_addch(out, (char)(shape == STRING ? 'a' + rng_below(rng, 26)
			                                      : rng_below(rng, 256)));
	}
	if (shape == STRING)
		buf_addch(out, 0);
}

static void put_members(struct buf *out, const struct form *f, uint32_t n, struct rng *rng)
{
	struct buf all = { 0 }, index = { 0 };
	for (uint32_t i = 0; i < n; i++) {
		if (f->more & INDEX)
			put(&index, (uint32_t)all.len, 4, f->count == BE32);
		if (f->more & GROUPS && i % 6 == 0)
			put_number(&all, f->count, n - i < 6 ? n - i : 6);
		if (f->more & LARGE && i / 2 == 3) {
			put(&all, MUCH, 4, f->shape == LEN32BE);
			buf_addf(&all, i % 3 ? "junk" : "need");
			for (uint32_t k = 4; k < MUCH; k++)
				buf_addch(&all, 'a');
		} else
			put_member(&all, f->shape, i, rng);
	}
	if (f->more & SIZE)
		put_number(out, f->count, (uint32_t)all.len);
	if (index.len)
		buf_add(out, index.data, index.len);
	buf_add(out, all.data, all.len);
	if (f->more & SUM) {
		struct sum_state s;
		sum_begin(&s, SUM_CRC32);
		sum_feed(&s, (const uint8_t *)all.data, (uint32_t)all.len);
		put(out, sum_end(&s), 4, f->count == BE32);
	}
	buf_release(&all);
	buf_release(&index);
}

/* N members in all. */
static void write_form(struct buf *out, const struct form *f, uint32_t n)
{
	struct rng rng = { 7 };
	struct buf rest = { 0 };
	uint32_t said = n - !!(f->more & LESS), half = n / 2;
	buf_addf(out, "%s", f->head);
	if (!(f->more & BEHIND))
		put_number(&rest, f->count, f->more & TWICE ? half : said);
	if (f->more & TWICE) {
		put_number(&rest, f->count, n - half);
		put_members(&rest, f, half, &rng);
		n -= half;
	}
	put_members(&rest, f, n, &rng);
	for (uint32_t i = 0; i < n && f->more & ASIDE; i++)
		buf_addf(&rest, "value %u\n", i * 31 % 977);
	if (f->more & BEHIND)
		put_number(&rest, f->count, said);
	if (f->more & NESTED)
		put(out, (uint32_t)rest.len, 4, f->count == BE32);
	buf_add(out, rest.data, rest.len);
	if (f->more & NESTED)
		buf_add(out, "tail", 4);
	buf_release(&rest);
}

/* ---- reading ---- */

struct in {
	const uint8_t *at, *end;
	bool bad;
};

static uint32_t get(struct in *in, unsigned width, bool big)
{
	uint32_t n = 0;
	if (in->end - in->at < (int)width) {
		in->bad = true;
		return 0;
	}
	for (unsigned i = 0; i < width; i++)
		n |= (uint32_t)in->at[i] << 8 * (big ? width - 1 - i : i);
	in->at += width;
	return n;
}

/* The number as it has to be written, not another form of it. */
static uint32_t get_number(struct in *in, enum writing code)
{
	static const unsigned widths[CODES] = {
		[U8] = 1, [LE16] = 2, [BE16] = 2, [LE32] = 4, [BE32] = 4
	};
	char text[32] = "";
	if (widths[code])
		return get(in, widths[code], code == BE16 || code == BE32);
	if (code == VARINT) {
		uint32_t n = 0, byte = 128;
		for (unsigned shift = 0; byte & 128 && shift < 32 && !in->bad; shift += 7)
			n |= ((byte = get(in, 1, false)) & 127) << shift;
		return n;
	}
	const uint8_t *nl = memchr(in->at, '\n', (size_t)(in->end - in->at));
	if (!nl || nl - in->at > 12) {
		in->bad = true;
		return 0;
	}
	memcpy(text, in->at, (size_t)(nl - in->at));
	uint32_t n = (uint32_t)strtoul(text, NULL, code == HEX ? 16 : 10);
	struct buf again = { 0 };
	put_number(&again, code, n);
	in->bad |= again.len != (size_t)(nl - in->at) + 1 || memcmp(again.data, in->at, again.len);
	in->at = nl + 1;
	buf_release(&again);
	return n;
}

static bool get_line(struct in *in, const char *word, bool *is)
{
	*is = false;
	const uint8_t *nl =
		in->at < in->end ? memchr(in->at, '\n', (size_t)(in->end - in->at)) : NULL;
	if (!nl) {
		in->bad = true;
		return false;
	}
	*is = (size_t)(nl - in->at) > strlen(word) && !memcmp(in->at, word, strlen(word));
	in->at = nl + 1;
	return true;
}

/* Is the next member needed? */
static bool get_member(struct in *in, enum shape shape)
{
	bool is = false, of;
	uint32_t n = 0;
	if (shape == LINE || shape == PAIR)
		get_line(in, "need ", &is);
	if (shape == PAIR) {
		get_line(in, "of ", &of);
		in->bad |= !of;
	}
	if (shape < FIXED4)
		return is;
	if (shape > STRING) {
		uint32_t name = shape == BETWEEN ? 0 : get(in, shape == SAID ? 2 : 1, false);
		if (shape == NAMED)
			in->at += name < (uint32_t)(in->end - in->at) ? name : 0;
		n = get(in, shape == BETWEEN ? 4 : 2, false);
		if (shape == BETWEEN) {
			const uint8_t *zero = memchr(in->at, 0, (size_t)(in->end - in->at));
			name = zero ? (uint32_t)(zero - in->at) + 1 : 0;
			in->bad |= name < 2;
		}
		if (shape != NAMED)
			in->at += name < (uint32_t)(in->end - in->at) ? name : 0;
		in->bad |= !name;
	} else if (shape == STRING) {
		const uint8_t *zero = memchr(in->at, 0, (size_t)(in->end - in->at));
		n = zero ? (uint32_t)(zero - in->at) : UINT32_MAX;
	} else
		n = shape == FIXED4    ? 4
		    : shape == FIXED12 ? 12
		    : shape == LEN8    ? get(in, 1, false)
		    : shape <= LEN16BE ? get(in, 2, shape == LEN16BE)
		                       : get(in, 4, shape == LEN32BE);
	if (n < 1 || n > (uint32_t)(in->end - in->at)) {
		in->bad = true;
		return false;
	}
	is = n >= 4 && !memcmp(in->at, "need", 4);
	in->at += n + (shape == STRING);
	return is;
}

/* What there is: members, and needed ones. */
struct found {
	uint32_t n, needed;
};

/* N members, or with UINT32_MAX as many as there are. */
static void get_members(struct in *in, const struct form *f, uint32_t n, struct found *found)
{
	uint32_t size = f->more & SIZE ? get_number(in, f->count) : 0, left = 0, first = 0;
	const uint8_t *index = in->at;
	if (f->more & INDEX)
		in->at += (size_t)(in->end - in->at) / 4 < n ? 0 : 4 * (size_t)n;
	const uint8_t *begin = in->at;
	for (uint32_t i = 0; !in->bad && i < n; i++) {
		if (n == UINT32_MAX && in->at == in->end)
			break;
		if (f->more & BEHIND && f->shape == LINE && in->at < in->end && *in->at < 'a')
			break;
		if (f->more & BEHIND && f->shape != LINE &&
		    in->end - in->at <= (f->count == LE16 ? 2 : 4))
			break;
		struct in row = { index + 4 * (size_t)i, in->end, false };
		if (f->more & INDEX && get(&row, 4, f->count == BE32) != in->at - begin)
			in->bad = true;
		for (; f->more & GROUPS && !left && !in->bad && first < 99; first++)
			left = get_number(in, f->count);
		first = 0;
		left--;
		found->needed += get_member(in, f->shape);
		found->n++;
	}
	in->bad |= f->more & GROUPS && n && left;
	in->bad |= f->more & SIZE && size != in->at - begin;
	if (f->more & SUM && !in->bad) {
		struct sum_state s;
		sum_begin(&s, SUM_CRC32);
		sum_feed(&s, begin, (uint32_t)(in->at - begin));
		in->bad |= get(in, 4, f->count == BE32) != sum_end(&s);
	}
}

/* What is in TC; false: it is not sound. */
static bool read_form(const struct form *f, const struct testcase *tc, struct found *found)
{
	struct in in = { tc->bytes, tc->bytes + tc->size, false };
	size_t head = strlen(f->head);
	bool value = false;
	*found = (struct found){ 0 };
	if (tc->size < head || memcmp(in.at, f->head, head))
		return false;
	in.at += head;
	if (f->more & NESTED) {
		uint32_t n = get(&in, 4, f->count == BE32);
		if (in.bad || in.end - in.at != (int64_t)n + 4 || memcmp(in.end - 4, "tail", 4))
			return false;
		in.end -= 4;
	}
	uint32_t n = f->more & BEHIND || !f->count ? UINT32_MAX : get_number(&in, f->count);
	n += !!(f->more & LESS);
	if (f->more & TWICE) {
		uint32_t m = get_number(&in, f->count);
		get_members(&in, f, n, found);
		n = m;
	}
	uint32_t before = found->n;
	get_members(&in, f, n, found);
	for (uint32_t i = before; i < found->n && f->more & ASIDE; i++) {
		get_line(&in, "value ", &value);
		in.bad |= !value;
	}
	if (f->more & BEHIND)
		in.bad |= get_number(&in, f->count) != found->n;
	return !in.bad && in.at == in.end;
}

/* ---- reducing ---- */

struct test {
	const struct form *form;
	uint32_t needed, left; /* members; LEFT: of the smallest that was interesting */
	uint64_t when;         /* it had so many: after how many answers */
};

static bool is_interesting(const struct testcase *tc, void *arg)
{
	const struct test *test = arg;
	struct found found;
	return read_form(test->form, tc, &found) && found.needed == test->needed;
}

static void accepted(void *arg, struct reducer *r, struct testcase *now, const struct pass_run *run)
{
	struct test *test = arg;
	struct found found;
	(void)run;
	if (!read_form(test->form, now, &found))
		fail_msg("%s: not sound", test->form->name);
	if (found.n < test->left)
		test->when = reducer_questions(r);
	test->left = found.n;
}

/* Answers that there may be for K of N members to be left. */
static uint64_t bound(uint32_t n, uint32_t k)
{
	return (uint64_t)(3 * k * log2(M_E * n / k)) + 200;
}

static bool reduce(const struct form *f, uint32_t n)
{
	struct err err = { 0 };
	struct buf text = { 0 };
	struct test test = { .form = f, .left = n };
	struct found found;
	const char *dirs[] = { getenv("WHITTLE_TOKENIZERS"), NULL };
	write_form(&text, f, n);
	const char *path = f->shape < FIXED4 ? "a.txt" : "a.dat";
	struct tokenizer *tokenizer =
		tokenizer_find(NULL, path, (const uint8_t *)text.data, text.len, dirs, &err);
	struct testcase *tc = testcase_new(path, 0644, (uint8_t *)text.data, (uint32_t)text.len);
	assert_non_null(tokenizer);
	if (!read_form(f, tc, &found) || found.n != n)
		fail_msg("%s: %u of %u members", f->name, found.n, n);
	test.needed = found.needed;
	struct reducer_options ro = { .enabled = passes_first(passes_n),
		                      .max_questions = bound(n, test.needed) };
	struct reducer_observer observer = { .accepted = accepted, .arg = &test };
	struct driver_options options = { .wake_fd = -1, .tick_ms = -1 };
	struct driver_stats stats = { 0 };
	struct verdicts verdicts = { 0 };
	struct oracle *oracle = inproc_new(is_interesting, &test, 1);
	struct reducer *r = reducer_new(tc, tokenizer, &ro, &observer);
	driver_run(r, oracle, &verdicts, &options, &stats, &err);
	bool fine = test.left == test.needed && test.when <= bound(n, test.needed);
	if (!fine)
		printf("%s, %u: %u of %u left after %llu of %llu answers, %llu in all\n", f->name,
		       n, test.left, test.needed, (unsigned long long)test.when,
		       (unsigned long long)bound(n, test.needed),
		       (unsigned long long)reducer_questions(r));
	reducer_free(r);
	oracle_free(oracle);
	verdicts_release(&verdicts);
	testcase_unref(tc);
	tokenizer_free(tokenizer);
	return fine;
}

static void test_every_third(void **state)
{
	static const uint32_t sizes[] = { 10, 30, 100, 300 };
	static const uint32_t large[] = { 1000, 3000 };
	/* Briefly: three sizes, and the largest ones once. */
	unsigned bad = 0, n = rounds_are_few() ? 3 : sizeof sizes / sizeof *sizes;
	(void)state;
	for (unsigned i = 0; i < sizeof forms / sizeof *forms; i++)
		for (unsigned k = 0; k < n; k++)
			if (sizes[k] >= forms[i].least &&
			    (!forms[i].most || sizes[k] <= forms[i].most))
				bad += !reduce(&forms[i], sizes[k]);
	for (unsigned k = rounds_are_few(); k < sizeof large / sizeof *large; k++)
		bad += !reduce(&forms[0], large[k]);
	assert_int_equal(bad, 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_every_third),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
